"""Group commit by itself: who shares a transaction with whom, and who hears what."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from heckmeck.server.store import Append, Conflict, StoreError, StoreUnavailable, checked
from heckmeck.server.store.batcher import Batcher
from tests.server.store.places import in_loop


class Disk:
    """A disk that takes its time: a batch is written when the test says so."""

    def __init__(self) -> None:
        self.batches: list[list[tuple[str, int]]] = []
        self.refuse: dict[str, StoreError] = {}
        self.failure: Exception | None = None
        self.flush = asyncio.Event()

    async def commit(self, batch: Sequence[Append]) -> Sequence[StoreError | None]:
        self.batches.append([(append.table, append.first) for append in batch])
        await self.flush.wait()
        if self.failure:
            raise self.failure
        return [self.refuse.get(append.table) for append in batch]


def append(game: str, n: int = 1) -> Append:
    return checked(game, n, ["roll"], None)


async def settle() -> None:
    """Let everybody do what can be done without the disk."""
    for _ in range(10):
        await asyncio.sleep(0)


@in_loop
async def test_nobody_is_answered_before_the_disk_has_it() -> None:
    disk = Disk()
    waiting = asyncio.create_task(Batcher(disk.commit).add(append("fox")))
    await settle()
    assert disk.batches == [[("fox", 1)]]
    assert not waiting.done()
    disk.flush.set()
    await waiting


@in_loop
async def test_all_that_waits_goes_along_with_the_next_transaction() -> None:
    disk = Disk()
    batcher = Batcher(disk.commit)
    first = [asyncio.create_task(batcher.add(append(game))) for game in "ab"]
    await settle()
    later = [asyncio.create_task(batcher.add(append(game))) for game in "cdefg"]
    await settle()
    disk.flush.set()
    await asyncio.gather(*first, *later)
    assert disk.batches == [[(game, 1) for game in "ab"], [(game, 1) for game in "cdefg"]]
    assert batcher.commits == 2


@in_loop
async def test_a_game_is_in_a_batch_once_and_keeps_its_order() -> None:
    disk = Disk()
    batcher = Batcher(disk.commit)
    disk.flush.set()
    await asyncio.gather(
        *(batcher.add(append(game, n)) for game, n in (("a", 1), ("a", 2), ("b", 1), ("a", 3)))
    )
    assert disk.batches == [[("a", 1), ("b", 1)], [("a", 2)], [("a", 3)]]


@in_loop
async def test_a_refusal_reaches_only_its_own() -> None:
    disk = Disk()
    batcher = Batcher(disk.commit)
    disk.refuse["b"] = Conflict("b", 1)
    disk.flush.set()
    answers = await asyncio.gather(
        *(batcher.add(append(game)) for game in "abc"), return_exceptions=True
    )
    assert answers == [None, disk.refuse["b"], None]


@in_loop
async def test_a_failure_reaches_all_of_its_batch_and_the_next_is_tried() -> None:
    disk = Disk()
    batcher = Batcher(disk.commit)
    disk.failure = RuntimeError("the disk is on fire")
    disk.flush.set()
    answers = await asyncio.gather(
        *(batcher.add(append(game)) for game in "ab"), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [StoreUnavailable, StoreUnavailable]
    assert answers[0] is not answers[1]
    assert str(answers[0]) == "the disk is on fire"
    assert batcher.commits == 0
    disk.failure = None
    await batcher.add(append("a"))
    assert batcher.commits == 1


@in_loop
async def test_who_gives_up_waiting_does_not_disturb_the_others() -> None:
    disk = Disk()
    batcher = Batcher(disk.commit)
    impatient, patient = (asyncio.create_task(batcher.add(append(game))) for game in "ab")
    await settle()
    impatient.cancel()
    disk.flush.set()
    await patient
    assert impatient.cancelled()


@in_loop
async def test_closing_waits_for_what_waits_and_refuses_what_comes_later() -> None:
    disk = Disk()
    batcher = Batcher(disk.commit)
    waiting = [asyncio.create_task(batcher.add(append("a", n))) for n in (1, 2)]
    await settle()
    closing = asyncio.create_task(batcher.close())
    await settle()
    with pytest.raises(StoreUnavailable, match="closed"):
        await batcher.add(append("b"))
    assert not closing.done()
    disk.flush.set()
    await closing
    assert all(task.done() for task in waiting)
    assert disk.batches == [[("a", 1)], [("a", 2)]]
