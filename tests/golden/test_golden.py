"""Golden playthroughs: whole games of every edition, word by word, as they were when reviewed.

When a page differs because the rules were changed on purpose, run ``python -m tests.golden.make``
and read the diff: it must show what was meant to change and nothing else.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest

from heckmeck.record import replay
from heckmeck.rules import EDITIONS, Event, Move, events, outcome
from heckmeck.rules.events import GameEnded
from heckmeck.rules.moves import (
    Bust,
    Keep,
    Pinch,
    Reroll,
    Return,
    Rob,
    Roll,
    Stop,
    Throw,
)
from heckmeck.rules.outcome import EndReason
from tests.golden.make import GAMES, HERE, GoldenGame, main
from tests.golden.playthrough import read_page, write_page

LARGEST_PAGE = 150_000

EVERY_TURN = {
    events.TurnStarted,
    events.DiceCast,
    events.DiceFell,
    events.ThrowWasDead,
    events.DiceKept,
    events.TurnEnded,
    events.GameEnded,
}
NUMBER_TILES = {
    events.AttemptFailed,
    events.TileTaken,
    events.TileStolen,
    events.TileReturned,
    events.TileTurned,
}
EXPECTED_EVENTS: dict[str, set[type[Event]]] = {
    "classic": EVERY_TURN | NUMBER_TILES,
    "deluxe": EVERY_TURN
    | NUMBER_TILES
    | {
        events.WeaselUsed,
        events.SpecialistTaken,
        events.SpecialistStolen,
        events.ReturnAsked,
        events.SpecialistReturned,
        events.SpecialistMoved,
        events.TileGuarded,
        events.CannedWormOpened,
        events.BratwormEarned,
        events.BratwormTaken,
        events.RobAsked,
        events.BratwormRobbed,
        events.BratwormMissing,
    },
    "barbecue": EVERY_TURN
    | {
        events.AttemptFailed,
        events.PlatePlaced,
        events.PlateReplaced,
        events.SpotClosed,
        events.SnailTaken,
        events.SnailPlaced,
        events.PlateReturned,
    },
    "junior": EVERY_TURN
    | {
        events.MissedOut,
        events.TileTaken,
        events.TileStolen,
        events.TileTurned,
        events.PinchAsked,
    },
}
COMMON_MOVES: set[type[Move]] = {Roll, Throw, Keep, Stop}
EXPECTED_MOVES: dict[str, set[type[Move]]] = {
    "classic": COMMON_MOVES,
    "deluxe": COMMON_MOVES | {Reroll, Bust, Rob, Return},
    "barbecue": COMMON_MOVES,
    "junior": COMMON_MOVES | {Pinch},
}


def page_name(game: GoldenGame) -> str:
    return game.page.stem


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def games_of(edition: str) -> Iterable[GoldenGame]:
    return (game for game in GAMES if game.edition == edition)


@pytest.mark.parametrize("game", GAMES, ids=page_name)
def test_the_game_on_the_page_goes_as_the_page_says(game: GoldenGame) -> None:
    page = text_of(game.page)
    assert write_page(read_page(page)) == page


@pytest.mark.parametrize("game", GAMES, ids=page_name)
def test_a_page_shows_the_whole_game_it_is_listed_for(game: GoldenGame) -> None:
    record = read_page(text_of(game.page))
    assert record.edition == game.edition
    assert len(record.seats) == game.seats
    assert (record.first, record.house) == (game.first, game.house)
    *_, last = replay(record)
    assert outcome(last.state) is not None


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_has_a_golden_playthrough(edition: str) -> None:
    assert any(game.page.exists() for game in games_of(edition)), (
        f"add a game of {edition} to tests/golden/make.py and run python -m tests.golden.make"
    )


def test_every_page_in_the_directory_is_listed() -> None:
    assert {game.page for game in GAMES} == set(HERE.glob("*.txt"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_that_can_happen_in_an_edition_is_on_one_of_its_pages(edition: str) -> None:
    seen = {
        type(event)
        for game in games_of(edition)
        for step in replay(read_page(text_of(game.page)))
        for event in step.events
    }
    assert seen == EXPECTED_EVENTS[edition]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_kind_of_move_of_an_edition_is_on_one_of_its_pages(edition: str) -> None:
    moves = {move for game in games_of(edition) for move in read_page(text_of(game.page)).moves}
    assert {type(move) for move in moves} == EXPECTED_MOVES[edition]
    assert (Roll(golden=True) in moves) == (edition == "deluxe")


def test_no_kind_of_event_or_move_is_forgotten_in_the_lists() -> None:
    assert set().union(*EXPECTED_EVENTS.values()) == set(get_args(Event))
    assert set().union(*EXPECTED_MOVES.values()) == set(get_args(Move))
    assert EXPECTED_EVENTS.keys() == EXPECTED_MOVES.keys() == EDITIONS.keys()


def test_barbecues_end_for_more_than_one_reason() -> None:
    reasons = {
        event.outcome.reason
        for game in games_of("barbecue")
        for step in replay(read_page(text_of(game.page)))
        for event in step.events
        if isinstance(event, GameEnded)
    }
    assert reasons == {EndReason.POOL_EMPTY, EndReason.GRILL_FULL}


@pytest.mark.parametrize("game", GAMES, ids=page_name)
def test_a_page_can_be_read_by_a_person(game: GoldenGame) -> None:
    assert len(text_of(game.page)) <= LARGEST_PAGE


def test_making_the_pages_again_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = {game.page.name: text_of(game.page) for game in GAMES}
    monkeypatch.setattr("tests.golden.make.HERE", tmp_path)
    for name, page in before.items():
        (tmp_path / name).write_text(page, encoding="utf-8")
    main()
    assert {path.name: text_of(path) for path in tmp_path.iterdir()} == before
    assert capsys.readouterr().out.count("\n") == len(GAMES)


def test_a_missing_page_is_played_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tests.golden.make.HERE", tmp_path)
    main()
    for game in GAMES:
        record = read_page(text_of(game.page))
        assert (record.edition, len(record.seats)) == (game.edition, game.seats)
        *_, last = replay(record)
        assert outcome(last.state) is not None
