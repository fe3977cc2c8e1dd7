"""Turns: nobody who asks for much keeps others waiting, and who left is not worked for."""

import asyncio

import pytest

from heckmeck.server.thinking import Turns
from heckmeck.wire.refusals import Code, Refused
from tests.server.scenario import scenario


class Line:
    """People who come in one by one, each for one round of the event loop."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.came: list[str] = []

    def join(self, asker: str) -> asyncio.Task[None]:
        return asyncio.create_task(self._come(asker))

    async def _come(self, asker: str) -> None:
        await self.turns.enter(asker)
        self.came.append(asker)
        await asyncio.sleep(0)
        self.turns.leave()


@scenario
async def test_askers_take_turns_however_much_one_of_them_asks() -> None:
    line = Line(Turns(1, each=10, in_all=100))
    tasks = [*map(line.join, ["loud"] * 6 + ["ada", "ben", "ada"])]
    await asyncio.gather(*tasks)
    assert line.came == ["loud", "loud", "ada", "ben", "loud", "ada", "loud", "loud", "loud"]


@scenario
async def test_too_much_of_one_asker_or_of_all_is_refused() -> None:
    turns = Turns(1, each=2, in_all=3)
    await turns.enter("ada")
    waiting = [asyncio.create_task(turns.enter(asker)) for asker in ("ada", "ada", "ben")]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await turns.enter("ada")
    assert refused.value.code is Code.TOO_MANY
    with pytest.raises(Refused) as refused:
        await turns.enter("ben")
    assert refused.value.code is Code.UNAVAILABLE
    for _ in waiting:
        turns.leave()
    await asyncio.gather(*waiting)
    turns.leave()
    await turns.enter("ada")


@scenario
async def test_who_leaves_the_line_is_forgotten_and_holds_up_nobody() -> None:
    line = Line(Turns(1, each=2, in_all=4))
    await line.turns.enter("first")
    tasks = [*map(line.join, ["gone", "gone", "ada", "ada"])]
    await asyncio.sleep(0)
    for task in tasks[:2]:
        task.cancel()
    await asyncio.sleep(0)
    tasks.append(line.join("gone"))  # there is room again
    await asyncio.sleep(0)
    line.turns.leave()
    tasks[2].cancel()  # ada was let in, but had not come in yet
    await asyncio.gather(*tasks, return_exceptions=True)
    assert line.came == ["gone", "ada"]
    await line.turns.enter("nobody waits")
