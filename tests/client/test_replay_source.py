"""A record as a source: by itself, forward, back, and no further than there is."""

import asyncio
from pathlib import Path

import pytest

from heckmeck.record import Record, final_state, read_record
from heckmeck.rules import throws
from heckmeck.tui.replay_source import SPEEDS, ReplaySource
from heckmeck.tui.source import Refused, Update, Wish
from tests.client.screen import Screen, run

OPENING = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"


@pytest.fixture
def record() -> Record:
    return read_record(OPENING.read_bytes())


async def all_updates(source: ReplaySource) -> list[Update]:
    return [update async for update in source.updates()]


def test_it_plays_by_itself_and_ends(record: Record) -> None:
    updates = run(all_updates(ReplaySource(record, speed=0, stay=False)))
    assert updates[0].reset
    assert updates[0].lines == ("Ada starts.",)
    assert not any(update.reset for update in updates[1:])
    assert updates[-1].view.state == final_state(record)
    assert updates[-1].view.note == f"Move {len(record.moves)} of {len(record.moves)}"
    assert updates[0].view.names == record.seats
    assert not any(update.view.moves for update in updates)


def test_dice_fall_in_the_same_breath_as_they_are_thrown(record: Record) -> None:
    updates = run(all_updates(ReplaySource(record, speed=0, stay=False)))
    for update in updates:
        assert update.view.state is not None
        assert not throws(update.view.state)
    assert updates[1].lines == ("Ada rolls 1 1 2 3 4 worm worm worm.",)


def test_forward_and_back(record: Record) -> None:
    async def scene() -> None:
        source = ReplaySource(record, "de", playing=False, name="game.heckmeck.json")
        async with Screen(source) as screen:
            await screen.until(lambda it: it.view.note == "Schritt 0 von 17")
            assert screen.view.wishes == {
                Wish.PLAY,
                Wish.FORWARD,
                Wish.LAST,
                Wish.FASTER,
                Wish.SLOWER,
            }
            await source.wish(Wish.FORWARD)
            await screen.until(lambda it: it.view.note == "Schritt 2 von 17")
            thrown = screen.view.state
            assert [*screen.log] == ["Ada beginnt.", "Ada würfelt 1 1 2 3 4 Wurm Wurm Wurm."]
            await source.wish(Wish.FORWARD)
            await screen.until(lambda it: it.view.note == "Schritt 3 von 17")
            await source.wish(Wish.BACK)
            await screen.until(lambda it: it.view.note == "Schritt 2 von 17")
            assert screen.view.state == thrown
            assert len(screen.log) == 2
            await source.wish(Wish.LAST)
            await screen.until(lambda it: it.view.state == final_state(record))
            assert Wish.FORWARD not in screen.view.wishes
            assert Wish.PLAY not in screen.view.wishes
            await source.wish(Wish.FIRST)
            await screen.until(lambda it: it.view.state == record.start())
            assert [*screen.log] == ["Ada beginnt."]
            assert screen.view.record == "game.heckmeck.json"

    run(scene())


def test_playing_pausing_and_the_speed(record: Record) -> None:
    async def scene() -> None:
        source = ReplaySource(record, speed=16)
        async with Screen(source) as screen:
            await screen.until(lambda it: it.view.note.startswith("Move 3 of 17, 16 per second"))
            await source.wish(Wish.PLAY)
            await screen.until(lambda it: "per second" not in it.view.note)
            paused = screen.view.note
            await asyncio.sleep(0.2)
            assert screen.view.note == paused
            for _ in SPEEDS:
                await source.wish(Wish.SLOWER)
            await source.wish(Wish.PLAY)
            await screen.until(lambda it: it.view.note == f"{paused}, {SPEEDS[0]:g} per second")
            for _ in SPEEDS:
                await source.wish(Wish.FASTER)
            await screen.until(lambda it: it.view.state == final_state(record))

    run(scene())


def test_the_past_cannot_be_played(record: Record) -> None:
    async def scene() -> None:
        source = ReplaySource(record, playing=False)
        async with Screen(source) as screen:
            await screen.until(lambda it: it.view.connected)
            with pytest.raises(Refused, match=r"^That is not possible now\.$"):
                await source.move("roll")
            for wish in (Wish.BACK, Wish.UNDO, Wish.START):
                with pytest.raises(Refused, match=r"^That is not possible now\.$"):
                    await source.wish(wish)

    run(scene())
