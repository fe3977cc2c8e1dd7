"""The source of games in this process."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from heckmeck.bots import BotMisbehaved, Player, player
from heckmeck.bots.rules_of_thumb import Alone
from heckmeck.dice import Luck
from heckmeck.record import History, Record
from heckmeck.rules import AnyState, Move, throws, word
from heckmeck.tui import local_source
from heckmeck.tui.local_game import CannotSave, Game
from heckmeck.tui.local_source import LocalSource
from heckmeck.tui.source import Refused, SourceFailed, Update, Wish
from tests.server.scenario import scenario
from tests.tui.positions import classic_steal
from tests.tui.tables import new_record


async def first_updates(source: LocalSource, count: int) -> list[Update]:
    seen: list[Update] = []
    async for update in source.updates():
        seen.append(update)
        if len(seen) == count:
            break
    return seen


def source_of(record: Record, bots: dict[int, Player] | None = None) -> LocalSource:
    return LocalSource(Game(History(record), bots or {}, "7"))


@scenario
async def test_the_first_update_has_the_whole_log() -> None:
    source = source_of(classic_steal())
    (update,) = await first_updates(source, 1)
    assert update.reset
    assert update.lines[0] == "Ada starts."
    assert update.lines[-1] == "Ada keeps one 2: 27."
    assert update.view.moves == ("roll", "stop")
    assert update.view.wishes == {Wish.HINTS, Wish.UNDO}
    assert [seat.mine for seat in update.view.seats] == [True, True, True]
    await source.close()


@scenario
async def test_a_reader_in_a_hurry_sees_the_end_of_a_bots_turn_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(local_source.SECONDS, local_source.Pace.NORMAL, 1000.0)
    source = source_of(new_record("classic"), {0: player("random")})
    seats: list[int] = []
    async with asyncio.timeout(20):
        async for update in source.updates():
            assert update.view.state is not None
            seats.append(update.view.state.seat)
            if seats[-1] != 0:
                assert Wish.HURRY not in update.view.wishes
                break
            await source.wish(Wish.HURRY)
    assert len(seats) > 2
    await source.close()


@scenario
async def test_one_person_among_bots_is_you() -> None:
    source = source_of(classic_steal(), {1: player("random"), 2: player("random")})
    (update,) = await first_updates(source, 1)
    assert update.view.you == 0
    assert update.lines[0] == "You start."
    assert update.lines[-1] == "You keep one 2: 27."
    assert not any("Ada" in line for line in update.lines)


@scenario
async def test_several_people_at_one_screen_are_called_by_name() -> None:
    (update,) = await first_updates(source_of(classic_steal()), 1)
    assert update.view.you is None
    assert not any(line.startswith("You") for line in update.lines)


@scenario
async def test_a_move_brings_its_events_and_the_dice_fall_by_themselves() -> None:
    source = source_of(new_record("classic"))
    updates = source.updates()
    await anext(updates)
    await source.move("roll")
    cast = await anext(updates)
    assert [type(event).__name__ for event in cast.events] == ["DiceCast"]
    assert (cast.lines, cast.view.moves) == ((), ())
    fell = await anext(updates)
    assert [type(event).__name__ for event in fell.events] == ["DiceFell"]
    assert fell.lines[0].startswith("Ada rolls ")
    await source.close()


@pytest.mark.parametrize("text", ["stop", "keep:1", "hop", "=11111111", ""])
@scenario
async def test_what_is_not_on_offer_is_refused(text: str) -> None:
    source = source_of(new_record("classic"))
    await first_updates(source, 1)
    with pytest.raises(Refused):
        await source.move(text)
    await source.close()


@pytest.mark.parametrize("wish", [Wish.UNDO, Wish.PLAY, Wish.REMATCH, Wish.FASTER])
@scenario
async def test_a_wish_that_makes_no_sense_is_refused(wish: Wish) -> None:
    source = source_of(new_record("classic"))
    await first_updates(source, 1)
    with pytest.raises(Refused):
        await source.wish(wish)
    await source.close()


@scenario
async def test_a_bot_that_misbehaves_ends_the_game_with_what_it_did() -> None:
    def misbehave(_: AnyState, __: Luck) -> Move:
        raise BotMisbehaved("the bot hopped")

    source = source_of(new_record("classic"), {0: Alone(misbehave)})
    with pytest.raises(SourceFailed, match="the bot hopped"):
        await first_updates(source, 5)
    await source.close()


@scenario
async def test_a_disk_that_is_full_ends_the_game_with_why() -> None:
    class Full(Game):
        def save(self) -> None:
            if self.record.moves:
                raise CannotSave("games: No space left on device")

    source = LocalSource(Full(History(new_record("classic")), {}, "7"))
    updates = source.updates()
    await anext(updates)
    await source.move("roll")
    with pytest.raises(SourceFailed, match="No space left"):
        await anext(updates)
    await source.close()


@scenario
async def test_who_leaves_in_mid_thought_does_not_wait() -> None:
    thinking, enough = threading.Event(), threading.Event()

    def brood(state: AnyState, luck: Luck) -> Move:
        thinking.set()
        enough.wait(30)
        return player("random").choose(state, luck)

    source = source_of(new_record("classic"), {0: Alone(brood)})
    await first_updates(source, 1)
    while not thinking.is_set():
        await asyncio.sleep(0.01)
    await asyncio.wait_for(source.close(), 5)
    enough.set()


# --- the same luck, whatever happens --------------------------------------------------------------


def play_bots(record: Record, seed: str, most: int | None = None) -> Record:
    bots = {0: player("random"), 1: player("chick")}
    game = Game(History(record), bots, seed)
    while not game.is_over and (most is None or len(game.record.moves) < most):
        game.play(game.fall() if throws(game.state) else game.chosen())
    return game.record


@pytest.mark.parametrize("left_after", [1, 2, 17, 40])
def test_a_game_that_is_resumed_goes_on_as_it_would_have(left_after: int) -> None:
    start = new_record("barbecue")
    whole = play_bots(start, "7")
    left = play_bots(start, "7", left_after)
    assert words(play_bots(left, "7")) == words(whole)
    assert words(play_bots(start, "8")) != words(whole)


def words(record: Record) -> Sequence[str]:
    return [word(move) for move in record.moves]


@pytest.mark.parametrize("compiling", [True, False])
@scenario
async def test_a_bot_that_has_to_be_compiled_first_says_so(compiling: bool) -> None:
    thinking, go_on = threading.Event(), threading.Event()

    def slowly(state: AnyState, luck: Luck) -> Move:
        thinking.set()
        assert go_on.wait(30)
        return player("random").choose(state, luck)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_source, "PATIENCE_SECONDS", 0.01)
        patch.setattr(local_source, "is_compiling", lambda: compiling)
        source = source_of(new_record("classic"), {0: Alone(slowly)})
        updates = source.updates()
        assert (await anext(updates)).view.note == ""
        await asyncio.to_thread(thinking.wait, 30)
        if compiling:
            note = (await anext(updates)).view.note
            assert note == "Ada is warming up (first move: up to 30\u00a0s)…"
        go_on.set()
        assert (await anext(updates)).view.note == ""
        await source.close()
