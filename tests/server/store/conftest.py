from pathlib import Path

import pytest

from tests.server.store.places import Place


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    """Where a database file may be made."""
    return tmp_path / "heckmeck.db"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    """A new database of each kind; the server of the second is in the conftest.py above."""
    if request.param == "sqlite":
        return Place(str(request.getfixturevalue("sqlite_file")))
    return Place(request.getfixturevalue("postgres").fresh())
