"""What a host can choose, and what is chosen otherwise."""

from heckmeck.server.app import Settings
from heckmeck.server.pages import web_folder


def test_a_password_in_the_address_is_not_shown() -> None:
    assert "hunter2" not in repr(Settings("postgresql://ada:hunter2@db/heckmeck"))


def test_web_pages_are_there_when_they_were_built() -> None:
    folder = web_folder()
    assert folder is None or (folder / "index.html").is_file()
