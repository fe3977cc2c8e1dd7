"""A screen shows whatever its source says, whichever source that is."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from heckmeck.narration import News
from heckmeck.record import final_state, read_position
from heckmeck.rules.outcome import EndReason
from heckmeck.rules.state import Over, State
from heckmeck.table.views import table_view
from heckmeck.tui.app import TableApp
from heckmeck.tui.server_view import Situation
from heckmeck.tui.source import (
    Refused,
    Seat,
    Source,
    SourceFailed,
    Update,
    View,
    Wish,
)
from heckmeck.wire.answers import SeatInfo, You
from heckmeck.wire.coach import Advice, Both, Reason, WeighedMove
from heckmeck.wire.requests import Start
from heckmeck.wire.setup import Setup
from tests.server.scenario import scenario
from tests.server.tables import HOST, do, full
from tests.tui.positions import classic_steal, seven_players
from tests.tui.tables import SMALL

STATE = final_state(classic_steal())
SEATS = (Seat("Ada"), Seat("Ben", mine=True), Seat("Cleo", away=True))
WATCHED = View("classic", SEATS, STATE)


class Script(Source):
    """A source that says what it is told to say and remembers what it was asked."""

    def __init__(self, *updates: Update | SourceFailed) -> None:
        super().__init__()
        self._script = updates
        self.asked: list[str] = []
        self.closed = False

    async def updates(self) -> AsyncIterator[Update]:
        for update in self._script:
            if isinstance(update, SourceFailed):
                raise update
            yield update
        await asyncio.Event().wait()

    async def move(self, word: str) -> None:
        self.asked.append(word)
        raise Refused("It is Ben's turn [now].")

    async def wish(self, wish: Wish) -> None:
        self.asked.append(wish)

    async def close(self) -> None:
        self.closed = True


async def shown(source: Script, *keys: str) -> tuple[TableApp, str]:
    app = TableApp(source)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        for _ in range(3):
            await pilot.pause()
        strips = app.screen._compositor.render_strips()  # noqa: SLF001 - there is no other way
        text = "\n".join("".join(segment.text for segment in strip) for strip in strips)
    return app, text


@scenario
async def test_a_lost_connection_is_said() -> None:
    view = View("classic", SEATS, STATE, connected=False)
    source = Script(Update(view, reset=True))
    _, text = await shown(source)
    assert "Reconnecting…" in text
    assert "Cleo (away)" in text
    assert source.closed


@scenario
async def test_a_table_before_the_start() -> None:
    seats = (Seat("Ada", mine=True), Seat(""))
    view = View("deluxe", seats, None, wishes=frozenset({Wish.START}), note="1 seat is free")
    source = Script(Update(view, lines=("Ada sits down.",), reset=True))
    _, text = await shown(source, "enter")
    assert "1 seat is free" in text
    assert "Ada sits down." in text
    assert "free" in text
    assert source.asked == [Wish.START]


@scenario
async def test_a_replay_has_its_own_keys() -> None:
    wishes = frozenset({Wish.PLAY, Wish.FORWARD, Wish.BACK, Wish.FIRST, Wish.LAST})
    seats = tuple(Seat(seat.name) for seat in SEATS)
    source = Script(Update(View("classic", seats, STATE, wishes=wishes), reset=True))
    _, text = await shown(source, "right", "left", "home", "end", "space", "r", "w")
    assert "Watching" in text or "Ada’s turn" in text
    assert "play/pause" in text
    assert source.asked == [Wish.FORWARD, Wish.BACK, Wish.FIRST, Wish.LAST, Wish.PLAY]


@scenario
async def test_a_refused_move_is_explained() -> None:
    view = View("classic", SEATS, STATE, moves=("roll", "stop"))
    source = Script(Update(view, reset=True))
    app, _ = await shown(source, "s")
    assert source.asked == ["stop"]
    assert app.problem == ""


@scenario
async def test_whoever_watches_cannot_move() -> None:
    source = Script(Update(WATCHED, reset=True))
    await shown(source, "r", "s", "w", "1", "u", "h", "n")
    assert source.asked == []


@scenario
async def test_a_source_that_fails_ends_the_application_with_why() -> None:
    source = Script(Update(WATCHED, reset=True), SourceFailed("The table is closed."))
    app = TableApp(source)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
    assert (app.problem, app.return_code) == ("The table is closed.", 1)
    assert source.closed


@scenario
async def test_seven_players_and_six_hints_have_room_in_a_small_window() -> None:
    state = final_state(seven_players())
    seats = tuple(Seat(name, mine=True) for name in seven_players().seats)
    words = [f"keep:{face}" for face in "12345W"]
    hints = Advice("win", [WeighedMove(word, 0.5, 0.25) for word in words])
    view = View("deluxe", seats, state, hints=hints, hints_on=True)
    _, text = await shown(Script(Update(view, lines=("Ada starts.",), reset=True)))
    for seat in seats:
        assert f" {seat.name} " in text
    for face in ("1", "2", "3", "4", "5", "worm"):
        assert f"keep {face} " in text
    assert "Weasel" in text
    assert "Ada starts." in text


@scenario
async def test_the_keys_of_a_replay_are_listed() -> None:
    view = View("classic", SEATS, STATE, wishes=frozenset({Wish.BACK}))
    source = Script(Update(view, reset=True))
    _, text = await shown(source, "question_mark")
    assert "One step back, One step forward" in text
    assert "play or pause" in text


@pytest.mark.parametrize(
    ("key", "asked"), [("n", [Wish.REMATCH]), ("escape", []), ("q", []), ("x", [])]
)
@scenario
async def test_what_the_end_offers(key: str, asked: list[Wish]) -> None:
    over = State(STATE.table, STATE.seat, STATE.turn, Over(EndReason.GRILL_EMPTY))
    view = View("classic", SEATS, over, wishes=frozenset({Wish.REMATCH}), record="game.json")
    source = Script(Update(view, reset=True))
    app, text = await shown(source, key)
    assert source.asked == asked
    assert ("The record: game.json" in text) is (key in ("q", "x"))
    assert app.problem == ""


@pytest.mark.parametrize(
    ("others", "warns"), [(["chick"], True), (["chick", "fox"], True), (["chick", None], False)]
)
@pytest.mark.parametrize("hints", [False, True])
def test_at_a_server_only_who_plays_against_bots_is_warned(
    others: list[str | None], warns: bool, hints: bool
) -> None:
    seats = [SeatInfo("Ada"), *(SeatInfo(f"seat {each}", bot=each) for each in others)]
    shown = table_view("fox", do(full(Setup("classic", first=0)), Start("x"), HOST))
    now = Situation(connected=True, warn_wanted=True)
    setup = Setup("classic", len(seats), hints=hints)
    now.table.info = replace(shown, seats=[*seats], setup=setup)
    now.table.state = read_position("classic_25~26-36_21.23_22.24_0~1234WWW")
    now.table.you = You([0], host=True)
    assert now.weighs is (warns or hints)
    reason = Reason("stop", "roll", "clear", Both(1.0, 0.2), Both(0.0, 0.8))
    now.advice = Advice("win", [], [reason])
    view = now.view(News("en"), "")
    assert view.doubt("roll") == (reason if warns else None)
    assert view.doubt("stop") is None
    assert view.hints == (now.advice if hints else None)
    now.advice = Advice("win", [], [replace(reason, worth=Both(1.0, 0.951))])
    assert now.view(News("en"), "").doubt("roll") is None, "that loses less than 5 points"
