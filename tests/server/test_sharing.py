"""Bots, hints and study each have their share, and nothing is worked out for who left."""

import asyncio
import os
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pytest

from heckmeck.coach import Unit
from heckmeck.rules import AnyState, apply, new_game, parse
from heckmeck.server.connection import Inbox
from heckmeck.server.limits import Rate
from heckmeck.server.thinking import MOST_OF_ONE, Thinker
from heckmeck.wire.coach import Advice
from heckmeck.wire.refusals import Code, Refused
from tests.server.advisors import Slow
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import GENEROUS, Server

POSITIONS = [
    apply(apply(new_game("classic", seats), parse("roll")).state, parse(throw)).state
    for seats in (2, 3, 4, 5)
    for throw in ("=11111111", "=11223345", "=1234WWWW")
]


@dataclass(frozen=True)
class Noting:
    """An advisor that leaves a line in a file for each position."""

    file: Path

    def __call__(self, state: AnyState, unit: Unit | None) -> Advice:
        with self.file.open("a") as notes:
            notes.write(f"{hash(state)}\n")
        return Slow(0.1)(state, unit)


@scenario
async def test_hints_keep_no_bot_waiting() -> None:
    thinker = Thinker()
    await thinker.choose("chick", POSITIONS[0])
    hint = (await thinker.weigh(Slow(0), POSITIONS[0], None)).moves[0]
    endless = [
        asyncio.create_task(thinker.weigh(Slow(3600), state, None)) for state in POSITIONS[1:4]
    ]
    await asyncio.sleep(0)
    assert await thinker.choose("chick", POSITIONS[0]) == "keep:1"
    assert os.getpriority(os.PRIO_PROCESS, int(hint.worth)) > 0, "hints give way to bots"
    thinker.close()
    await asyncio.wait(endless, timeout=5)


@scenario
async def test_a_position_is_weighed_once(tmp_path: Path) -> None:
    """However many ask for it, at the same time or later."""
    thinker = Thinker()
    noting = Noting(tmp_path / "notes")
    asked = [(state, unit) for state in POSITIONS[:2] for unit in (None, None, None)]
    hints = await asyncio.gather(*(thinker.weigh(noting, *position) for position in asked))
    again = [await thinker.weigh(noting, *position) for position in asked]
    assert again == hints
    assert len(noting.file.read_text().split()) == 2
    thinker.close()


@scenario
async def test_nothing_is_worked_out_for_who_left(tmp_path: Path) -> None:
    thinker = Thinker()
    noting = Noting(tmp_path / "notes")
    asked = [
        asyncio.create_task(thinker.weigh(noting, state, None, "loud"))
        for state in POSITIONS[: MOST_OF_ONE + 2]
    ]
    while not noting.file.exists():
        await asyncio.sleep(0.01)
    for task in asked:
        task.cancel()
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert Counter(map(type, done)) == {asyncio.CancelledError: MOST_OF_ONE + 1, Refused: 1}
    await thinker.weigh(noting, POSITIONS[-1], None, "ada")
    assert len(noting.file.read_text().split()) == 2
    thinker.close()


@scenario
async def test_a_client_that_leaves_is_noticed_and_its_messages_are_not_lost() -> None:
    messages: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    inbox = Inbox(messages.get)
    sent: list[dict[str, object]] = [
        {"type": "websocket.receive", "text": str(number)} for number in range(3)
    ]
    for message in sent[:2]:
        messages.put_nowait(message)
    assert await inbox.while_here(asyncio.sleep(0.01, "done")) == "done"
    messages.put_nowait(sent[2])
    work = asyncio.create_task(inbox.while_here(asyncio.sleep(3600)))
    await asyncio.sleep(0)
    messages.put_nowait({"type": "websocket.disconnect"})
    with pytest.raises(Refused):
        await work
    assert [await inbox.receive() for _ in range(3)] == sent
    assert (await inbox.receive())["type"] == "websocket.disconnect"


@scenario
async def test_a_client_that_never_stops_talking_still_gets_its_answer() -> None:
    async def more() -> dict[str, object]:
        await asyncio.sleep(0)
        return {"type": "websocket.receive", "text": "{}"}

    assert await Inbox(more).while_here(asyncio.sleep(0.01, "done")) == "done"


@scenario
async def test_hints_are_limited_for_all_connections_of_an_address(tmp_path: Path) -> None:
    limits = asdict(replace(GENEROUS, hints=Rate(0.001, 3)))
    with Server(tmp_path, limits=limits, advisor=True) as server:
        made = await create(server.url, seats=2, bots=["chick"], hints=True, first=0)
        answers = []
        async with Client(server.url, made["id"], [made["secret"]]) as ada:
            await ada.sit("Ada")
            await ada.do("start")
            for _ in range(4):
                async with Client(server.url, made["id"], ada.secrets) as again:
                    answers.append(await again.ask("hint"))
    assert [answer["type"] for answer in answers] == ["hint"] * 3 + ["refused"]
    assert answers[-1]["code"] == Code.TOO_FAST
