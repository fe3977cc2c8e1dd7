"""A state from JSON: the inverse of `state_to_json`.

The pieces are counted, the rules say what can come next (`Game.phases`), and the state is written
out again: any difference from the input is an error. So no rule is restated here.

The JSON of a state is ambiguous in two cases, which are read as follows. A ``rob`` that is awaited
while the raven is not on the grill is the raven's, unless two 1s are kept and the player's top tile
is not what the result takes. A barbecue game that ended with a result above the grill, no snail in
the pool and none on a spot was ended by that result.
"""

from dataclasses import replace
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace as replace_fields

from heckmeck.record.draft import BadPosition, Draft, PlayerDraft, pieces_of
from heckmeck.record.json_text import BadJson, JsonObject, JsonValue, dumps, read_as
from heckmeck.record.state_json import StateInfo, state_info
from heckmeck.rules import AnyGame, AnyState, BadSetup, Specialist, Table, game
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import FALLING, State
from heckmeck.rules.turn import Turn


class BadState(ValueError):
    """JSON data that is not a state of any game."""


# --- the tables as they are written ---------------------------------------------------------------


class GrillTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of classic and junior."""

    grill: tuple[int, ...]
    face_down: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]


class DeluxeTable(GrillTable, frozen=True, forbid_unknown_fields=True):
    """The table of deluxe."""

    on_grill: dict[str, Specialist]
    held: tuple[Specialist | None, ...]
    bratworms: tuple[int, ...]
    supply: int


class BarbecueTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of barbecue: a spot holds plates, by seat, or the word snail."""

    spots: dict[str, list[int | str]]
    pool: int
    snails: tuple[int, ...]
    worms: tuple[int, ...]
    plates: tuple[int, ...]


Written: TypeAlias = GrillTable | DeluxeTable | BarbecueTable

TABLES: Final[dict[str, type[Written]]] = {
    "classic": GrillTable,
    "junior": GrillTable,
    "deluxe": DeluxeTable,
    "barbecue": BarbecueTable,
}
#: The fields of tables that have an entry for each player.
_BY_SEAT: Final = ("stacks", "held", "bratworms", "snails", "worms", "plates")


def state_from_json(data: JsonValue) -> AnyState:
    """Return the state described by ``data``; raise `BadState` if it is not valid."""
    try:
        shown = read_as(data, StateInfo, "state")
        rules = game(shown.edition)
        written = read_as(shown.table, TABLES[shown.edition], "state.table")
        table, turn = pieces_of(_draft(shown, written, rules))
    except (BadJson, BadSetup, BadPosition) as error:
        raise BadState(str(error)) from error
    assert isinstance(data, dict), "a struct is read from an object"
    state, truth = _fitting(_states(shown, rules, table, turn), shown)
    _compare(msgspec.to_builtins(truth), data)
    return state


# --- the pieces: what the box leaves over is compared in the end ----------------------------------


def _draft(shown: StateInfo, written: Written, rules: AnyGame) -> Draft:
    seats, turn = range(shown.seats), shown.turn
    rules.initial(shown.seats, 0, shown.options.rules())
    if shown.to_move not in seats:
        raise BadState(f"to_move must be a seat from 0 to {shown.seats - 1}")
    for key in _BY_SEAT:
        if len(getattr(written, key, seats)) != shown.seats:
            raise BadState(f"table.{key} must have {shown.seats} entries, one per seat")
    golden_kept = len(turn.kept) + turn.hand - rules.dice.count
    if turn.hand < 0 or golden_kept not in (0, 1) or (golden_kept and turn.golden):
        raise BadState(f"turn.hand and turn.kept must add up to {rules.dice.count} dice")
    draft = Draft(
        edition=shown.edition,
        players=tuple(_player(written, seat) for seat in seats),
        to_move=shown.to_move,
        options=shown.options,
        kept=turn.kept,
        golden="kept" if golden_kept else "hand" if turn.golden else None,
        weasel_used=turn.weasel_used,
    )
    return _with_middle(draft, written)


def _player(written: Written, seat: int) -> PlayerDraft:
    match written:
        case BarbecueTable():
            player = PlayerDraft(worms=written.worms[seat], snails=written.snails[seat])
        case DeluxeTable():
            stack, held, bratworms = written.stacks, written.held, written.bratworms
            player = PlayerDraft(stack[seat], held[seat], bratworms[seat])
        case _:
            player = PlayerDraft(written.stacks[seat])
    if min(player.worms, player.snails, player.bratworms) < 0:
        raise BadState(f"seat {seat} must not have fewer than 0 worms, snails or Bratworms")
    return player


def _with_middle(draft: Draft, written: Written) -> Draft:
    """Add the middle of the table."""
    if isinstance(written, BarbecueTable):
        spots = {_number(key): tuple(content) for key, content in written.spots.items()}
        return replace_fields(draft, spots=spots)
    on_grill = written.on_grill if isinstance(written, DeluxeTable) else {}
    return replace_fields(
        draft,
        grill=written.grill,
        face_down=written.face_down,
        on_grill={_number(tile): who for tile, who in on_grill.items()},
    )


def _number(key: str) -> int:
    """Return a number used as a key; any other text is not the number of anything."""
    return int(key) if key.isascii() and key.isdecimal() and len(key) < 4 else -1


# --- the turn and what comes next -----------------------------------------------------------------


def _states(shown: StateInfo, rules: AnyGame, table: Table, turn: Turn) -> list[AnyState]:
    """Return every state that the rules allow with this turn at this table."""
    seat = shown.to_move
    states = [State(table, seat, turn, phase) for phase in rules.phases(table, seat, turn)]
    if shown.turn.roll is None or shown.awaits != "player":
        return states
    falling = State(table, seat, turn, FALLING)
    throw = Throw(shown.turn.roll, shown.turn.golden_roll)
    if throw not in rules.throws(falling).throws:
        raise BadState("turn.roll and turn.golden_roll must be a roll of the dice in hand")
    if not rules.legal(replace(falling, phase=throw)):
        raise BadState("turn.roll is a dead roll, so the turn must have ended")
    return [replace(falling, phase=throw)] if falling in states else states


# --- the whole ------------------------------------------------------------------------------------


def _fitting(states: list[AnyState], shown: StateInfo) -> tuple[AnyState, StateInfo]:
    """Return the state that awaits what is shown, with these legal moves, and how it is shown."""
    shows = [(state, state_info(state)) for state in states]
    awaited = [each for each in shows if each[1].awaits == shown.awaits]
    if not awaited:
        allowed = " or ".join(dict.fromkeys(info.awaits for _, info in shows))
        raise BadState(
            f"awaits must be {allowed}, with this turn at this table"
            if allowed
            else "no game can come to this turn at this table"
        )
    return next((each for each in awaited if each[1].legal == shown.legal), awaited[0])


def _compare(truth: JsonObject, given: JsonObject) -> None:
    """Refuse data that differs in any key from the state it describes; their types are right."""
    for key in given:
        if key not in truth:
            raise BadState(f"a state has no key {key!r:.40}")
    for key, value in truth.items():
        if given[key] != value:
            raise BadState(f"{key} must be {dumps(value)}")
