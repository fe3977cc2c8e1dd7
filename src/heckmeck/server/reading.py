"""Whole games: reading, writing and replaying them, and making tables from them.

A record may have thousands of words, so everything here runs in a process of the thinker.
"""

from itertools import islice
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from heckmeck.record import (
    BadRecord,
    Record,
    TooManyMoves,
    read_record,
    replay,
    write_json,
    write_text,
)
from heckmeck.rules import AnyState, word
from heckmeck.server import messages as m
from heckmeck.server import views
from heckmeck.server.keys import Vault
from heckmeck.server.live import Memory, remember
from heckmeck.server.making import setup_of, table_from_record
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.setup import Setup
from heckmeck.server.table import Table, fold, record_of

#: The maximum number of words in a record sent to the server. Games of people and of decent bots
#: have up to a thousand; only the weakest bots at a full table of deluxe need more than this.
MOST_WORDS: Final = 5_000
#: Moves on one page of a replay.
PAGE: Final = 200

Form: TypeAlias = Literal["json", "txt"]


class Sent(NamedTuple):
    """A record sent to the server."""

    data: bytes


class Logged(NamedTuple):
    """An earlier game of a table: the table's whole log, and the number of the game."""

    words: list[str]
    number: int


#: The source of a game; a table stands for its current game.
Source: TypeAlias = Sent | Logged | Table


class Imported(NamedTuple):
    """A table made from a record: its setup, its log, and the resulting table."""

    setup: Setup
    words: tuple[str, ...]
    memory: Memory


def record_at(source: Source) -> Record:
    """Return the game; raise `Refused` if there is none, or if the record is not valid."""
    match source:
        case Sent(data):
            return _read(data)
        case Logged(words, number):
            return _record_of_game(words, number)
        case Table():
            return _record_on(source)


def short_record_at(source: Source) -> Record:
    """Return the game; raise `Refused` also if it is too long to be reviewed."""
    record = record_at(source)
    if len(record.moves) > MOST_WORDS:
        raise _too_long(len(record.moves))
    return record


def written(source: Source, form: Form) -> bytes:
    """Return the game as a record."""
    write = write_json if form == "json" else write_text
    return write(record_at(source)).encode()


def replay_page(source: Source, first: int) -> bytes:
    """Return the moves of a game from number ``first`` on, with the state after each, as JSON."""
    record = record_at(source)
    if first > len(record.moves):
        raise Refused(
            Code.BAD_MESSAGE, f"The game has {len(record.moves)} moves, so from cannot be {first}."
        )
    steps = replay(record)
    start: AnyState = record.start()
    for step in islice(steps, first):
        start = step.state
    page = m.Replay(
        names=record.seats,
        moves=len(record.moves),
        first=first,
        start=views.state_view(start),
        steps=[
            m.ReplayStep(word(step.move), views.facts(step.events), views.state_view(step.state))
            for step in islice(steps, PAGE)
        ],
    )
    return msgspec.json.encode(page)


def imported(source: Source, moves: int | None, public: bool, host: str, vault: Vault) -> Imported:
    """Return a table that continues after the first ``moves`` of the record, or after all.

    ``host`` is the hash of the host's secret.
    """
    record = record_at(source)
    if moves is not None and moves > len(record.moves):
        raise Refused(
            Code.BAD_RECORD, f"The record has {len(record.moves)} moves, so at cannot be {moves}."
        )
    setup = setup_of(record, public)
    count = len(record.moves) if moves is None else moves
    words = table_from_record(record, count, setup, host, vault)
    return Imported(setup, words, remember(words))


def _read(data: bytes) -> Record:
    try:
        return read_record(data, MOST_WORDS)
    except TooManyMoves as error:
        raise _too_long(error.count) from error
    except BadRecord as error:
        raise Refused(Code.BAD_RECORD, f"This is not a valid record: {error}.") from error


def _too_long(words: int) -> Refused:
    return Refused(
        Code.TOO_LARGE,
        f"Games may have up to {MOST_WORDS} words here; this one has {words}. "
        "The heckmeck command accepts longer ones.",
    )


def _record_on(table: Table) -> Record:
    if table.match is None:
        raise Refused(Code.NOT_PLAYING, "The game has not begun, so there is no record yet.")
    return record_of(table, table.match)


def _record_of_game(words: list[str], number: int) -> Record:
    last = None
    for table, _ in fold(words):
        if table.round == number and table.match is not None:
            last = table
    if last is None:
        raise Refused(Code.NOT_PLAYING, f"There was no game {number} at this table.")
    return _record_on(last)
