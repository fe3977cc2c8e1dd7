"""`heckmeck site`: the pages as static files, with their policy; nothing else is touched."""

import json
from pathlib import Path

import pytest

from heckmeck.cli import main, site
from heckmeck.server.security import POLICY

INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <script type="module" src="./assets/index.js"></script>
  </head>
</html>
"""


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pages as they are built, but small."""
    pages = tmp_path / "built"
    for name in (
        "index.html",
        ".stamp",
        "assets/index.js",
        "python/x/heckmeck.zip.pack",
        "fonts/f",
    ):
        file = pages / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(INDEX if name == "index.html" else name, encoding="utf-8")
    monkeypatch.setattr(site, "web_folder", lambda: pages)
    return pages


def run(*arguments: str) -> int:
    return main(["site", *arguments])


def index_in(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def test_a_site_is_what_visitors_need(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a place"
    assert run("--out", str(out), "--json") == 0
    assert json.loads(capsys.readouterr().out)["files"] == 3
    assert not (out / "fonts").exists()
    assert not (out / ".stamp").exists()
    assert (out / "python/x/heckmeck.zip.pack").is_file()


def test_its_page_has_the_policy_and_no_server(tmp_path: Path) -> None:
    assert run("--out", str(tmp_path / "out")) == 0
    index = index_in(tmp_path / "out")
    assert POLICY.replace("'", "&#x27;") in index
    assert '<meta name="heckmeck-site" content="" />' in index
    assert 'src="./assets/index.js"' in index


def test_a_path_and_a_server_can_be_given(tmp_path: Path) -> None:
    arguments = ["--base", "/games/heckmeck/", "--server", "https://play.example.org/?a=1&b"]
    assert run("--out", str(tmp_path / "out"), *arguments) == 0
    index = index_in(tmp_path / "out")
    assert 'src="/games/heckmeck/assets/index.js"' in index
    assert 'content="https://play.example.org/?a=1&amp;b"' in index


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--base", "no spaces here"], "is not a path such as /heckmeck"),
        (["--server", "javascript:alert(1)"], "use an address such as"),
        (["--server", "play.example.org"], "use an address such as"),
    ],
)
def test_a_bad_option_says_what_would_be_right(
    tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--out", str(tmp_path / "out"), *arguments) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_earlier_site_is_replaced_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run("--out", str(out)) == 0
    (out / "assets" / "old.js").write_text("old", encoding="utf-8")
    assert run("--out", str(out)) == 0
    assert not (out / "assets" / "old.js").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "index.html").write_text("mine", encoding="utf-8")
    assert run("--out", str(mine)) == 1
    assert "Choose another folder" in capsys.readouterr().err
    assert index_in(mine) == "mine"


def test_without_pages_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "web_folder", lambda: None)
    assert run("--out", str(tmp_path / "out")) == 1
    assert "has no web pages" in capsys.readouterr().err
