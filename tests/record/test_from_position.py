"""Games that begin with a position: their records in both forms, and where they can begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    BadRecord,
    History,
    Record,
    decision_at,
    final_state,
    read_position,
    read_record,
    record_from,
    record_from_json,
    record_to_json,
    write_json,
    write_text,
)
from heckmeck.rules import legal, parse
from tests.record.games import NAMES, Played
from tests.record.refusals import refusal
from tests.record.strategies import games

POSITION = "classic~flip-always_21-24.26-36_25_-_1~44W~11335"


def begun(text: str = POSITION) -> Record:
    state = read_position(text)
    return record_from(state, NAMES[: state.table.seats])


def test_a_record_may_begin_with_a_position() -> None:
    game = History(begun())
    game.play([parse(text) for text in ("keep:5", "roll", "=1134")])
    for write in (write_json, write_text):
        read = read_record(write(game.record).encode())
        assert read == game.record
        assert final_state(read) == game.state
    assert record_to_json(game.record)["position"] == POSITION
    assert f'position: "{POSITION}"\n' in write_text(game.record)


@given(game=games(), data=st.data())
def test_a_game_goes_on_from_any_of_its_positions(game: Played, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(game.states) - 1))
    state = decision_at(game.states[place])
    if state is None:
        assert not legal(game.states[place])
        return
    assert legal(state)
    record = record_from(state, game.record.seats)
    assert record_from_json(record_to_json(record)) == record
    if state == game.states[place]:
        rest = History(record)
        rest.play(game.record.moves[place : place + 20])
        assert rest.state == game.states[min(place + 20, len(game.states) - 1)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": "classic_21-36_24_-_0"}, "the position is not possible: The 24 is both on "),
        ({"position": "classic"}, "the position is not possible: Character 8: a position has "),
        ({"position": 1}, "Expected `str | null`, got `int` - at `record.position`"),
        ({"position": "classic~flip-always_21-36_-_-_1~-~dice"}, "a game can begin only with a "),
        ({"edition": "deluxe"}, "edition, seats, first and options must be those of the position"),
        ({"seats": ["A", "B", "C"]}, "edition, seats, first and options must be those of the "),
        ({"first": 0}, "edition, seats, first and options must be those of the position"),
        ({"options": {}}, "edition, seats, first and options must be those of the position"),
        ({"moves": ["roll"]}, "move 0: roll is not allowed"),
    ],
)
def test_a_position_is_that_of_its_record(changes: dict[str, object], message: str) -> None:
    data = {**record_to_json(begun()), **changes}
    error = refusal(BadRecord, lambda: record_from_json(data))  # type: ignore[arg-type]
    assert str(error).startswith(message)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("classic_21-36_-_-_0~44W~dice", "classic_21-36_-_-_0~44W"),
        ("classic_21-36_-_-_0~-~dice", "classic_21-36_-_-_0"),
        (
            "deluxe_11c.13.21h.22.23r.24.25w.26.28.29a.30-36_27~g_-_0~-.g~dice",
            "deluxe_11c.13.21h.22.23r.24.25w.26.28.29a.30-36_27~g_-_0",
        ),
        ("classic_-~21-36_-_-_0~-~over", None),
    ],
)
def test_dice_in_the_air_are_taken_back(text: str, begins: str | None) -> None:
    expected = None if begins is None else read_position(begins)
    assert decision_at(read_position(text)) == expected
