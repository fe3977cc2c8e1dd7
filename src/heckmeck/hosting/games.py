"""Whole games and what a coach says about them: records, replays, advice, odds, reviews.

A record may have thousands of moves, so a server does all of this in other processes, and NumPy
and Numba are imported only there. Hosts depend only on `Advisor`; without one, hints are refused.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from heckmeck import record as notation
from heckmeck.bots import BOTS
from heckmeck.hosting.live import Memory, remember
from heckmeck.hosting.tables import Tables
from heckmeck.record.forms import HOUSE_RULES
from heckmeck.record.json_text import dumps
from heckmeck.rules import EDITIONS, AnyState, BadSetup, legal
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Deciding
from heckmeck.table import keys, lobby, model
from heckmeck.wire import answers, requests, states
from heckmeck.wire.coach import Advice, ReviewedGame, StudiedPosition, TurnOdds, Unit
from heckmeck.wire.refusals import Code, Refused

#: The maximum number of moves in a record sent to the server. Games of people and of decent bots
#: have up to a thousand; only the weakest bots at a full table of deluxe need more than this.
MOST_MOVES: Final = 5_000
#: Moments on one page of a replay.
PAGE: Final = 200

T = TypeVar("T")
Form: TypeAlias = Literal["json", "txt"]


class Logged(NamedTuple):
    """An earlier game of a table: the table's whole log, and the number of the game."""

    entries: list[str]
    number: int


#: The source of a game: a record sent to the server, or a table, which stands for its current game.
Source: TypeAlias = bytes | Logged | model.Table


def record_at(source: Source) -> notation.Record:
    """Return the game; raise `Refused` if there is none, or if the record is not valid."""
    match source:
        case bytes():
            return read_record(source)
        case Logged():
            table = table_at(source)
        case model.Table():
            table = source
    if table.match is None:
        raise Refused(Code.NOT_PLAYING, "The game has not begun, so there is no record yet.")
    return model.record_of(table, table.match)


def table_at(source: Logged) -> model.Table:
    """Return a table as it was at the end of an earlier game; raise `Refused` if there was none."""
    found = {table.round: table for table, _ in model.fold(source.entries)}.get(source.number)
    if found is None:
        raise Refused(Code.NOT_PLAYING, f"There was no game {source.number} at this table.")
    return found


def written(source: Source, form: Form) -> bytes:
    """Return the game as a record."""
    write = notation.write_json if form == "json" else notation.write_text
    return write(record_at(source)).encode()


def replay_page(source: Source, first: int) -> bytes:
    """Return a game from the moment after ``first`` moves on, a page of it, as JSON."""
    record = record_at(source)
    if first > len(record.moves):
        raise Refused(
            Code.BAD_MESSAGE, f"The game has {len(record.moves)} moves, so from cannot be {first}."
        )
    shown = [*islice(states.moments(record, first), PAGE)]
    replayed = answers.Replay(record.seats, len(record.moves), shown, _plates(source))
    return msgspec.json.encode(replayed)


def _plates(source: Source) -> tuple[int, ...]:
    """Return the plates of a table's current game; those of others are not known."""
    return source.plates[: len(source.seats)] if isinstance(source, model.Table) else ()


def imported(
    source: Source, moves: int | None, public: bool, host: str, vault: keys.Vault
) -> tuple[tuple[str, ...], Memory]:
    """Return the log of a table that continues after the first ``moves``, or after all; and it.

    ``host`` is the hash of the host's secret.
    """
    record = record_at(source)
    if moves is not None and moves > len(record.moves):
        raise Refused(
            Code.BAD_RECORD, f"The record has {len(record.moves)} moves, so at cannot be {moves}."
        )
    entries = lobby.table_from_record(record, moves, public, host, vault)
    return entries, remember(entries)


def read_record(data: bytes) -> notation.Record:
    """Return a record that was sent; raise `Refused` if it is not valid, or too long."""
    try:
        return notation.read_record(data, MOST_MOVES)
    except notation.TooManyMoves as error:
        raise _too_long(error.count) from error
    except notation.BadRecord as error:
        raise Refused(Code.BAD_RECORD, f"This is not a valid record: {error}.") from error


def _too_long(moves: int) -> Refused:
    return Refused(
        Code.TOO_LARGE,
        f"Games may have up to {MOST_MOVES} moves here; this one has {moves}. "
        "The heckmeck command accepts longer ones.",
    )


# --- the coach ------------------------------------------------------------------------------------


#: Returns every legal move of a state that awaits a player, best first. ``unit`` selects the chance
#: to win or worms; raises `NoChampion` if it is not available. It must be picklable.
Advisor: TypeAlias = Callable[[AnyState, Unit | None], Advice]


def advice_of(state: AnyState, unit: Unit | None) -> Advice:
    """Return every legal move, as `heckmeck advise` does; see `Advisor`."""
    from heckmeck.coach.advice import advise

    return advise(state, unit)


def odds_of(asked: requests.OddsAsked) -> bytes:
    """Return the total so far, the chance of each number, and every move's value, as JSON.

    The turn is played at an otherwise empty table. Raise `BadTurn` if it is not possible.
    """
    from heckmeck.coach import state_of
    from heckmeck.coach.advice import advise_turn, odds

    found, advice = odds(asked), advise_turn(asked, asked.unit)
    answer = TurnOdds(
        found.edition,
        state_of(asked).turn.total,
        {str(number): chance for number, chance in found.at_least.items()},
        {str(number): chance for number, chance in found.exactly.items()},
        advice.unit,
        advice.moves,
    )
    return msgspec.json.encode(answer)


def position_of(asked: requests.PositionAsked) -> bytes:
    """Return what is wrong with a position, or its state and the values of its moves, as JSON."""
    if (asked.text is None) == (asked.draft is None):
        raise Refused(Code.BAD_MESSAGE, "Send either the text of a position or its draft.")
    draft = asked.draft
    try:
        if draft is None:
            draft = notation.read_draft(asked.text or "")
        state = notation.state_of(draft)
    except notation.BadPosition as error:
        text = None if draft is None else notation.write_draft(draft)
        return msgspec.json.encode(StudiedPosition(text, draft, [*error.flaws]))
    except BadSetup as error:
        raise Refused(Code.BAD_SETUP, str(error)) from error
    from heckmeck.coach.advice import advise, odds_at

    begin = notation.decision_at(state)
    odds = odds_at(state) if isinstance(state.phase, Deciding | Throw) else None
    answer = StudiedPosition(
        text=notation.write_position(state),
        draft=notation.draft_of(state),
        flaws=[],
        state=states.game_state(state),
        advice=advise(state, asked.unit) if legal(state) else None,
        at_least={str(number): chance for number, chance in odds.at_least.items()} if odds else {},
        exactly={str(number): chance for number, chance in odds.exactly.items()} if odds else {},
        play=None if begin is None else notation.write_position(begin),
    )
    return msgspec.json.encode(answer)


def review_of(
    source: Source, unit: Unit | None, progress: Callable[[float], None] | None = None
) -> bytes:
    """Return a game as JSON, with the cost of its decisions and the luck of its dice.

    ``progress``, if given, is called with the part that is done, from 0 to 1.
    """
    from heckmeck.coach.review import review

    record = record_at(source)
    if len(record.moves) > MOST_MOVES:
        raise _too_long(len(record.moves))
    answer = ReviewedGame(
        notation.record_to_json(record),
        [*states.moments(record)],
        review(record, unit, progress=progress),
        _plates(source),
    )
    # A record may contain text that UTF-8 cannot encode.
    return dumps(msgspec.to_builtins(answer)).encode()


# --- reading requests -----------------------------------------------------------------------------


def decode(data: bytes, kind: type[T]) -> T:
    """Return the message in ``data``; raise `Refused` if it is not of this kind."""
    try:
        return msgspec.json.decode(data, type=kind)
    except requests.UNREADABLE as error:
        raise Refused(Code.BAD_MESSAGE, f"The request is not valid: {error}.") from error


async def source_in(tables: Tables, name: str, query: Mapping[str, str]) -> Source:
    """Return the source of a table's game: the current one, or an earlier one (``?game=``)."""
    number = number_in(query, "game")
    async with tables.table(name) as live:
        table = live.table
    if number is not None and number != table.round:
        return Logged(await tables.log_of(name), number)
    return table


def number_in(query: Mapping[str, str], name: str) -> int | None:
    """Return a whole number from a query, or None if it is missing."""
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refused(Code.BAD_MESSAGE, f"{name} must be a whole number, at least 0.")
    return int(text)


def unit_in(query: Mapping[str, str]) -> Unit | None:
    """Return the unit of values from a query, as in ``?unit=worms``."""
    try:
        unit: Unit | None = msgspec.convert(query.get("unit"), Unit | None)
    except msgspec.ValidationError:
        raise Refused(Code.BAD_MESSAGE, "unit must be win or worms.") from None
    return unit


# --- what there is to play ------------------------------------------------------------------------


def bot_list() -> answers.BotList:
    """List the bots."""
    return answers.BotList(
        msgspec.convert([*BOTS.values()], list[answers.BotInfo], from_attributes=True)
    )


def edition_list() -> answers.EditionList:
    """List the editions."""
    return answers.EditionList(
        [
            answers.EditionInfo(
                edition=game.edition,
                min_players=game.players[0],
                max_players=game.players[-1],
                dice=game.dice.count,
                faces=game.dice.faces,
                house_rules=HOUSE_RULES if game.has_house_rules else (),
            )
            for game in EDITIONS.values()
        ]
    )
