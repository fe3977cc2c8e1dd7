"""Replaying a record: the same states and the same events as when it was played."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    BadRecord,
    Record,
    Step,
    final_state,
    read_and_replay,
    read_record,
    replay,
    write_json,
    write_text,
)
from heckmeck.rules import BadSetup, HouseRules, new_game, parse
from heckmeck.rules.events import DiceCast
from tests.record.games import Played
from tests.record.strategies import games


@given(games(), st.sampled_from((write_json, write_text)))
def test_a_record_replays_to_the_same_states_and_events(
    game: Played, write: Callable[[Record], str]
) -> None:
    record = read_record(write(game.record).encode())
    steps = [*replay(record)]
    assert record.start() == game.states[0]
    assert tuple(step.state for step in steps) == game.states[1:]
    assert tuple(step.events for step in steps) == game.events
    assert tuple(step.move for step in steps) == game.record.moves
    assert [step.index for step in steps] == [*range(len(steps))]
    assert final_state(record) == game.states[-1]


@given(games(), st.sampled_from((write_json, write_text)))
def test_reading_and_replaying_at_once_is_the_same(
    game: Played, write: Callable[[Record], str]
) -> None:
    data = write(game.record).encode()
    record, steps = read_and_replay(data)
    assert [*steps] == [*replay(game.record)]
    assert record == read_record(data)


@pytest.mark.parametrize(
    ("seats", "rest"),
    [
        ('["A"]', '"moves": []'),
        ('["A", "B"]', '"moves": ["roll", "stop"]'),
        ('["A", "B"]', '"moves": ["roll"], "result": {"scores": [0, 0], "winners": [0]}'),
    ],
)
def test_reading_and_replaying_at_once_refuses_the_same(seats: str, rest: str) -> None:
    data = f'{{"heckmeck": 1, "edition": "classic", "seats": {seats}, {rest}}}'.encode()
    with pytest.raises(BadRecord) as refused:
        read_record(data)
    with pytest.raises(BadRecord) as refused_too:
        [*read_and_replay(data)[1]]
    assert str(refused_too.value) == str(refused.value)


def test_a_record_starts_as_it_says() -> None:
    record = Record("deluxe", ("Ada", "Ben", "Cleo"), 2, HouseRules(flip_always=True))
    assert record.start() == new_game("deluxe", 3, 2, HouseRules(flip_always=True))
    assert final_state(record) == record.start()
    assert [*replay(record)] == []


def test_a_step_tells_what_happened() -> None:
    record = Record("classic", ("Ada", "Ben"), moves=(parse("roll"),))
    (step,) = replay(record)
    assert step == Step(0, parse("roll"), final_state(record), (DiceCast(0, 8, golden=False),))


@given(games(), st.data())
def test_the_first_moves_of_a_record(game: Played, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(game.record.moves)))
    begun = game.record.first_moves(count)
    assert begun == replace(game.record, moves=game.record.moves[:count])
    assert final_state(begun) == game.states[count]


def test_a_record_of_no_game_cannot_start() -> None:
    record = Record("classic", ("Ada",))
    with pytest.raises(BadSetup, match=r"^classic is for 2 to 7 players, not for 1\.$"):
        final_state(record)


def test_replay_stops_at_the_first_bad_move() -> None:
    words = ["roll", "=11234WWW", "keep:W", "keep:1", "nobody comes here"]
    record = Record("classic", ("Ada", "Ben"), moves=tuple(map(parse, words[:-1])))
    steps = replay(record)
    assert [next(steps).index for _ in range(3)] == [0, 1, 2]
    with pytest.raises(
        BadRecord, match=r"^move 3: keep:1 is not allowed: no dice have been"
    ) as caught:
        next(steps)
    assert caught.value.index == 3


def test_a_record_that_was_read_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = read_record(b"edition: classic\nseats: Ada, Ben\n\nroll =11234WWW keep:W")
    monkeypatch.setattr("heckmeck.record.record.replay", None)
    assert final_state(game).turn.kept == "WWW"
