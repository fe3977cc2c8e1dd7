"""`heckmeck replay`: a game move by move, in sentences or as states."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from heckmeck.record import (
    JsonObject,
    Record,
    event_to_json,
    replay,
    state_to_json,
    write_json,
    write_text,
)
from heckmeck.rules import EDITIONS, word
from tests.bots.games import bot_game
from tests.cli.records import BAD_MOVE, BAD_MOVE_MESSAGE, FIRST_TURN, read
from tests.cli.terminal import Terminal

SENTENCES = """\
classic, Ada, Ben
Ada starts.
0  roll       Ada rolls 8 dice.
1  =11234WWW  Ada rolls 1 1 2 3 4 worm worm worm.
2  keep:W     Ada keeps three worms: 15.
3  roll       Ada rolls 5 dice.
4  =12455     Ada rolls 1 2 4 5 5.
5  keep:5     Ada keeps two 5s: 25.
6  stop       Ada stops with 25. Ada takes 25 (2 worms). The dice go to Ben.
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_game_is_told_in_sentences(terminal: Terminal, form: str) -> None:
    text = FIRST_TURN if form == "text" else write_json(read(FIRST_TURN))
    Path("game").write_text(text)
    assert terminal.run("replay", "game") == (0, SENTENCES, "")


def test_a_game_can_come_from_standard_input(terminal: Terminal) -> None:
    assert terminal.run("replay", "-", typed=FIRST_TURN) == (0, SENTENCES, "")


def test_a_game_without_moves(terminal: Terminal) -> None:
    empty = FIRST_TURN.replace("first: 0", "first: 1").partition("\n\n")[0]
    assert terminal.run("replay", "-", typed=empty).out == "classic, Ada, Ben\nBen starts.\n"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game_has_a_line_for_every_move(terminal: Terminal, edition: str) -> None:
    record = bot_game(edition, seats=3)
    shown = terminal.run("replay", "-", typed=write_json(record))
    lines = shown.out.splitlines()[2:]
    assert [line.split()[:2] for line in lines] == [
        [str(index), word(move)] for index, move in enumerate(record.moves)
    ]
    assert (
        len({line.index(word(move)) for line, move in zip(lines, record.moves, strict=True)}) == 1
    )
    assert "the game is over." in lines[-1]


def moments(record: Record) -> Iterator[JsonObject]:
    yield {"after": 0, "move": None, "events": [], "state": state_to_json(record.start())}
    for step in replay(record):
        yield {
            "after": step.index + 1,
            "move": word(step.move),
            "events": [event_to_json(event) for event in step.events],
            "state": state_to_json(step.state),
        }


@pytest.mark.parametrize("edition", EDITIONS)
def test_json_shows_the_state_after_every_move(terminal: Terminal, edition: str) -> None:
    record = bot_game(edition, seats=3, words=400)
    shown = terminal.run("replay", "-", "--json", typed=write_text(record))
    assert shown.status == 0
    assert [json.loads(line) for line in shown.out.splitlines()] == [*moments(record)]


def test_a_bad_record_is_refused_before_anything_is_told(terminal: Terminal) -> None:
    Path("game").write_text(BAD_MOVE)
    assert terminal.run("replay", "game") == (1, "", f"heckmeck: game: {BAD_MOVE_MESSAGE}\n")
    assert terminal.run("replay", "game", "--json").out == ""


def test_a_missing_file(terminal: Terminal) -> None:
    shown = terminal.run("replay", "nowhere")
    assert shown == (1, "", "heckmeck: nowhere: No such file or directory\n")


def test_exactly_one_file_is_replayed(terminal: Terminal) -> None:
    assert terminal.run("replay").status == 2
    assert terminal.run("replay", "one", "two").status == 2


def test_a_name_that_utf_8_cannot_hold_is_told_all_the_same(terminal: Terminal) -> None:
    """JSON can escape half of a surrogate pair, and such a record is valid."""
    text = write_json(read(FIRST_TURN)).replace("Ada", r"A\ud800da")
    assert terminal.run("validate", "-", typed=text).status == 0
    shown = terminal.run("replay", "-", typed=text)
    assert shown.status == 0
    assert len(shown.out.splitlines()) == len(SENTENCES.splitlines())
