"""Nobody waits long for the garbage collector, however much the server remembers."""

import gc
from collections.abc import Iterator

import pytest

from heckmeck.server.run import tune_collector

#: About 10 ms of traversing on the machines we know. A whole second generation of 200,000 took 95.
FEW = 25_000


@pytest.fixture
def tuned() -> Iterator[None]:
    """Tune the collector of this process as a server does, for one test."""
    thresholds = gc.get_threshold()
    tune_collector()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.mark.usefixtures("tuned")
def test_a_collection_looks_at_few_objects_while_tables_fill_up() -> None:
    looked_at: list[int] = []

    def count(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            young = range(info["generation"] + 1)
            looked_at.append(sum(len(gc.get_objects(generation)) for generation in young))

    gc.callbacks.append(count)
    try:
        kept = [[number] for number in range(300_000)]
    finally:
        gc.callbacks.remove(count)

    assert len(kept) == 300_000
    assert len(looked_at) > 100
    assert max(looked_at) < FEW
