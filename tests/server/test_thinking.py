"""Thinking happens in other processes, and survives their end."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from heckmeck.bots import UnknownBot
from heckmeck.hosting.games import review_of
from heckmeck.record import Record, write_json
from heckmeck.rules import AnyState, game_at, new_game
from heckmeck.server.thinking import MOST_GAMES, Thinker
from heckmeck.wire.refusals import Code, Refused
from tests.server.advisors import Slow
from tests.server.scenario import scenario

STATE = new_game("classic", 2)


@scenario
async def test_bots_choose_elsewhere() -> None:
    thinker = Thinker()
    assert await thinker.choose("chick", STATE) == "roll"
    with pytest.raises(UnknownBot):
        await thinker.choose("hal", STATE)
    thinker.close()


@scenario
async def test_a_bot_gets_ready_once_and_its_troubles_wait_for_its_move() -> None:
    thinker, asked = Thinker(), []

    async def run(_: str, __: object, bot: str, state: AnyState) -> str:
        asked.append((bot, game_at(state.table).edition))
        raise UnknownBot(bot)

    thinker.bots.run = run  # type: ignore[method-assign, assignment]
    for bot, edition in (("fox", "classic"), ("fox", "classic"), ("fox", "junior")):
        await thinker.get_ready(bot, edition)
    assert asked == [("fox", "classic"), ("fox", "junior")]


@scenario
async def test_the_loop_is_never_held_up() -> None:
    thinker = Thinker()
    await thinker.choose("random", STATE)
    thinking = asyncio.create_task(thinker.weigh(Slow(0.5), STATE, None))
    longest = 0.0
    while not thinking.done():
        began = time.perf_counter()
        await asyncio.sleep(0.01)
        longest = max(longest, time.perf_counter() - began)
    assert [move.move for move in thinking.result().moves] == ["roll"]
    assert thinking.result().moves[0].worth != os.getpid()
    assert longest < 0.3
    thinker.close()


@scenario
async def test_a_process_that_was_killed_is_replaced() -> None:
    thinker = Thinker()
    (first,) = (await thinker.weigh(Slow(0), STATE, None)).moves
    os.kill(int(first.worth), signal.SIGKILL)
    (second,) = (await thinker.weigh(Slow(0), new_game("classic", 3), None)).moves
    assert second.worth != first.worth
    thinker.close()


@scenario
async def test_a_long_review_keeps_no_bot_waiting_and_too_many_are_refused() -> None:
    thinker = Thinker()
    sent = write_json(Record("classic", ("Ada", "Ben"))).encode()
    reviews = [
        asyncio.create_task(thinker.reviews.run(f"address {number}", review_of, sent, None))
        for number in range(MOST_GAMES + 1)
    ]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await thinker.reviews.run("one more address", review_of, sent, None)
    assert refused.value.code is Code.UNAVAILABLE
    assert await thinker.choose("chick", STATE) == "roll"
    thinker.close()
    await asyncio.wait(reviews, timeout=5)
    assert all(review.cancelled() for review in reviews)


@scenario
async def test_closing_waits_for_no_thought() -> None:
    thinker = Thinker()
    await thinker.choose("chick", STATE)
    thinking = asyncio.create_task(thinker.weigh(Slow(60), STATE, None))
    await asyncio.sleep(0.1)
    thinker.close()
    await asyncio.wait([thinking], timeout=5)
    assert thinking.cancelled()
    async with asyncio.timeout(10):
        while multiprocessing.active_children():
            await asyncio.sleep(0.02)


def test_its_processes_end_when_their_parent_is_killed() -> None:
    program = (
        "import asyncio, sys; from tests.server.test_thinking import *; thinker = Thinker()\n"
        "async def main():\n"
        "    (move,) = (await thinker.weigh(Slow(0), STATE, None)).moves\n"
        "    print(int(move.worth), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "if __name__ == '__main__': asyncio.run(main())"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 10
    with suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(child, 0)
            time.sleep(0.02)
        pytest.fail("it is still there")
