from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.store.places import Place
from tests.server.store.postgres import Postgres, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL server, one for each process of pytest."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    """Where a database file may be made."""
    return tmp_path / "heckmeck.db"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    """A new database of each kind."""
    if request.param == "sqlite":
        return Place(str(request.getfixturevalue("sqlite_file")))
    return Place(request.getfixturevalue("postgres").fresh())
