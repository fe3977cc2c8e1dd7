from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.serving import Server
from tests.server.store.postgres import Postgres, running_postgres

Count = Callable[[str, int], None]


@pytest.fixture
def count(record_property: Callable[[str, object], None]) -> Count:
    """Report what a test did: the sums over all tests are printed at the end of the run."""
    return lambda what, number: record_property("counted", (what, number))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on SQLite that the tests of one module share."""
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL server, one for each process of pytest."""
    with running_postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite3")
    fresh: str = request.getfixturevalue("postgres").fresh()
    return fresh
