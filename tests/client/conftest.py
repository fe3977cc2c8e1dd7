from collections.abc import Iterator
from pathlib import Path

import pytest

from heckmeck.client.address import KnownSeats
from tests.server.serving import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of one module share."""
    with Server(tmp_path_factory.mktemp("server"), advisor=True) as running:
        yield running


@pytest.fixture
def known(tmp_path: Path) -> KnownSeats:
    """What this device remembers."""
    return KnownSeats(tmp_path / "seats.json")
