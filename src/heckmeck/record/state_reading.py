"""A state from JSON: the inverse of `state_to_json`.

The pieces are counted, the rules say what can come next (`Game.phases`), and the state is written
out again: any difference from the input is an error. So no rule is restated here.

The JSON of a state is ambiguous in two cases, which are read as follows. A ``rob`` that is awaited
while the raven is not on the grill is the raven's, unless two 1s are kept and the player's top tile
is not what the result takes. A barbecue game that ended with a result above the grill, no snail in
the pool and none on a spot was ended by that result.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Final, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from heckmeck.record.json_text import BadJson, JsonObject, JsonValue, dumps, read_as
from heckmeck.record.state_json import SNAIL, StateInfo, TurnInfo, state_info
from heckmeck.rules import (
    AnyGame,
    AnyState,
    BadSetup,
    HouseRules,
    Specialist,
    Table,
    barbecue,
    classic,
    components,
    deluxe,
    game,
    junior,
)
from heckmeck.rules.dice import throws_of
from heckmeck.rules.grill import Grill
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
        rules, house = game(shown.edition), shown.options.rules()
        start = rules.initial(shown.seats, 0, house)
        written = read_as(shown.table, TABLES[shown.edition], "state.table")
    except (BadJson, BadSetup) as error:
        raise BadState(str(error)) from error
    assert isinstance(data, dict), "a struct is read from an object"
    if shown.to_move not in range(shown.seats):
        raise BadState(f"to_move must be a seat from 0 to {shown.seats - 1}")
    table, turn = _table(written, start.table, house), _turn(shown.turn, rules)
    state, truth = _fitting(_states(shown, rules, table, turn), shown)
    _compare(msgspec.to_builtins(truth), data)
    return state


# --- the table: every piece is there once ---------------------------------------------------------


def _table(written: Written, start: Table, house: HouseRules) -> Table:
    for key in _BY_SEAT:
        if len(getattr(written, key, range(start.seats))) != start.seats:
            raise BadState(f"table.{key} must have {start.seats} entries, one per seat")
    if isinstance(written, BarbecueTable):
        return _barbecue_table(written, start.seats)
    assert not isinstance(start, barbecue.BarbecueTable), "it is written in another form"
    grill = _grill(written, start.grill)
    match start:
        case classic.ClassicTable():
            return classic.ClassicTable(grill, written.stacks, house)
        case junior.JuniorTable():
            return junior.JuniorTable(grill, written.stacks)
        case deluxe.DeluxeTable():
            assert isinstance(written, DeluxeTable), "every edition has its form"
            return _deluxe_table(written, grill, house)
        case _:
            assert_never(start)


def _grill(written: GrillTable, start: Grill) -> Grill:
    grill = Grill(written.grill, written.face_down)
    tiles = Counter((*grill.face_up, *grill.face_down, *chain(*written.stacks)))
    if tiles != Counter(start.face_up):
        raise BadState("table must have each tile of the edition exactly as often as the box")
    if any(row != tuple(sorted(row)) for row in (grill.face_up, grill.face_down)):
        raise BadState("table.grill and table.face_down must be in ascending order")
    return grill


def _deluxe_table(written: DeluxeTable, grill: Grill, house: HouseRules) -> deluxe.DeluxeTable:
    held, standing = written.held, written.on_grill
    on_grill = {tile: standing[str(tile)] for tile in grill.face_up if str(tile) in standing}
    _count("Bratworms", (*written.bratworms, written.supply), components.BRATWORMS)
    present = [who for who in (*on_grill.values(), *held) if who is not None]
    if len(set(present)) < len(present) or Specialist.RAVEN in held:
        raise BadState("table must have each Specialist once, and the raven with no player")
    return deluxe.DeluxeTable(
        grill,
        written.stacks,
        tuple(on_grill.items()),
        held,
        written.bratworms,
        written.supply,
        house,
    )


def _barbecue_table(written: BarbecueTable, seats: int) -> barbecue.BarbecueTable:
    spots = tuple(
        _spot(number, written.spots.get(str(number)), seats) for number in components.BARBECUE_SPOTS
    )
    table = barbecue.BarbecueTable(
        spots, written.pool, written.snails, written.worms, written.plates
    )
    snails = (table.pool, *table.snails, *(spot.snail for spot in spots))
    _count("snails", snails, components.SNAILS)
    for seat in range(seats):
        _check_plates(table, seat)
    return table


def _check_plates(table: barbecue.BarbecueTable, seat: int) -> None:
    """Every plate is in hand or on the grill, where it has earned its worms (B5 to B7)."""
    worms = components.BARBECUE_SPOTS
    placed = [number for number in worms for owner in table.spot(number).plates if owner == seat]
    _count(f"plates of seat {seat}", (table.plates[seat], len(placed)), components.PLATES_EACH)
    brought = sum(worms[number] for number in placed)
    if table.worms[seat] < brought:
        raise BadState(f"table.worms must be {brought} or more for seat {seat}, for its plates")


def _spot(number: int, content: list[int | str] | None, seats: int) -> barbecue.Spot:
    if content is None:
        return barbecue.EMPTY
    if content == [SNAIL]:
        return barbecue.WITH_SNAIL
    plates = tuple(each for each in range(seats) for owner in content if owner == each)
    if len(set(plates)) != 1 or len(plates) > 2 or len(plates) < len(content):
        raise BadState(f"table.spots.{number} must be a snail or one or two plates of one player")
    return barbecue.Spot(plates)


def _count(what: str, counts: Iterable[int], in_the_box: int) -> None:
    numbers = [*counts]
    if min(numbers) < 0 or sum(numbers) != in_the_box:
        raise BadState(f"{what} must be {in_the_box} in total, none of them negative")


# --- the turn and what comes next -----------------------------------------------------------------


def _turn(shown: TurnInfo, rules: AnyGame) -> Turn:
    kept, dice = shown.kept, rules.dice
    golden_kept = len(kept) + shown.hand - dice.count
    if shown.hand < 0 or golden_kept not in (0, 1) or (golden_kept and shown.golden):
        raise BadState(f"turn.hand and turn.kept must add up to {dice.count} dice")
    if kept not in throws_of(dice, len(kept)):
        raise BadState(f"turn.kept must be dice of the faces {dice.faces}, in that order")
    if golden_kept and not set(kept) & set(components.GOLDEN_DIE.faces):
        raise BadState("turn.kept must show the golden die's face")
    if (golden_kept or shown.golden or shown.weasel_used) and not rules.has_golden_die:
        raise BadState(f"turn used a golden die or a weasel, and {rules.edition} has none")
    total = sum(map(dice.points_for, kept))
    return Turn(shown.hand, kept, total, shown.golden, shown.weasel_used)


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
