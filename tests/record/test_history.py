"""A game under way: play all or nothing, take back, write down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    BadRecord,
    History,
    Record,
    event_name,
    final_state,
)
from heckmeck.rules import BadSetup, Move, parse
from tests.record.games import Played
from tests.record.refusals import refusal
from tests.record.strategies import games

EMPTY = Record("classic", ("Ada", "Ben"), first=1, extra={"date": "2031-02-03"})


def moves(words: str) -> list[Move]:
    return [parse(word) for word in words.split()]


def test_a_game_grows() -> None:
    history = History(EMPTY)
    assert (len(history), history.state, history.record) == (0, EMPTY.start(), EMPTY)
    events = history.play(moves("roll =11234WWW keep:W"))
    assert [event_name(event) for event in events] == ["dice_cast", "dice_fell", "dice_kept"]
    assert history.play(moves("roll")) != ()
    assert history.play([]) == ()
    assert len(history) == 4
    assert history.record.moves == tuple(moves("roll =11234WWW keep:W roll"))
    assert history.record.extra == EMPTY.extra
    assert history.state == final_state(history.record)


def test_a_record_is_taken_up_where_it_ends() -> None:
    record = Record("classic", ("Ada", "Ben"), moves=tuple(moves("roll =11234WWW")))
    history = History(record)
    assert history.record == record
    assert history.state == final_state(record)
    history.play(moves("keep:W"))
    assert record.moves == tuple(moves("roll =11234WWW")), "the record given is not touched"


def test_what_cannot_be_played_is_not_taken_up() -> None:
    with pytest.raises(BadSetup):
        History(Record("classic", ()))
    bad = Record("classic", ("Ada", "Ben"), moves=tuple(moves("roll stop")))
    assert refusal(BadRecord, lambda: History(bad)).index == 1


@pytest.mark.parametrize(
    ("words", "index"),
    [("stop", 0), ("roll =11234WWW keep:W roll =12455 keep:W stop", 5), ("roll roll roll", 1)],
)
def test_a_bad_move_plays_none_of_the_list(words: str, index: int) -> None:
    history = History(EMPTY)
    error = refusal(BadRecord, lambda: history.play(moves(words)))
    assert error.index == index
    assert str(error).startswith(f"move {index}: {words.split()[index]} is not allowed: ")
    assert (len(history), history.state, history.record) == (0, EMPTY.start(), EMPTY)


def test_the_index_counts_within_the_list() -> None:
    history = History(EMPTY)
    history.play(moves("roll =11234WWW"))
    assert refusal(BadRecord, lambda: history.play(moves("keep:W keep:W"))).index == 1
    assert len(history) == 2


def test_a_game_has_an_end_to_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heckmeck.record.record.MAX_MOVES", 4)
    history = History(EMPTY)
    history.play(moves("roll =11111111 keep:1"))
    before = history.state
    error = refusal(BadRecord, lambda: history.play(moves("roll =11111111")))
    assert str(error) == "move 1: a game has at most 4 moves"
    assert error.index == 1
    assert (len(history), history.state) == (3, before)
    history.play(moves("roll"))
    assert refusal(BadRecord, lambda: history.play(moves("=11111111"))).index == 0
    assert len(history) == 4


@pytest.mark.parametrize(("limit", "full"), [(4, False), (3, True), (2, True)])
def test_a_game_is_full_when_no_word_may_follow(
    monkeypatch: pytest.MonkeyPatch, limit: int, full: bool
) -> None:
    history = History(EMPTY)
    history.play(moves("roll =11111111 keep:1"))
    monkeypatch.setattr("heckmeck.record.record.MAX_MOVES", limit)
    assert history.is_full is full


def test_words_are_taken_back() -> None:
    history = History(EMPTY)
    history.play(moves("roll =11234WWW keep:W roll"))
    history.undo(3)
    assert history.record.moves == tuple(moves("roll"))
    assert history.state == final_state(history.record)
    history.undo(0)
    assert len(history) == 1
    history.undo(1)
    assert history.record == EMPTY
    assert history.state == EMPTY.start()


@pytest.mark.parametrize("count", [3, 1000, -1])
def test_more_than_was_played_cannot_be_taken_back(count: int) -> None:
    history = History(EMPTY)
    history.play(moves("roll =11234WWW"))
    with pytest.raises(
        ValueError, match=rf"^{count} moves cannot be taken back: only 2 were played$"
    ):
        history.undo(count)
    assert len(history) == 2


@given(games(), st.data())
def test_taking_back_leads_through_the_states_that_were(game: Played, data: st.DataObject) -> None:
    history = History(game.record)
    count = data.draw(st.integers(0, len(history)))
    history.undo(count)
    left = len(game.record.moves) - count
    assert len(history) == left
    assert history.state == game.states[left]
    played = history.play(game.record.moves[left:])
    assert played == tuple(event for events in game.events[left:] for event in events)
    assert history.record == game.record
    assert history.state == game.states[-1]
