"""A state from JSON: the inverse of `state_to_json`.

The pieces are counted, the state is built and written out again: any difference from the input is
an error. So every rule that `state_to_json` follows is checked without being restated.

The JSON of a state is ambiguous in two cases, which are read as follows. A ``rob`` that is awaited
while the raven is not on the grill is the raven's, unless two 1s are kept and the player's top tile
is not what the result takes. A barbecue game that ended with a result above the grill, no snail in
the pool and none on a spot was ended by that result.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from heckmeck.record.errors import BadRecord, BadState
from heckmeck.record.json_text import JsonObject, JsonValue, dumps
from heckmeck.record.reader import Reader
from heckmeck.record.record_json import house_rules_from_json
from heckmeck.record.state_json import SNAIL, state_to_json
from heckmeck.rules import AnyGame, AnyState, BadSetup, HouseRules, Specialist, Table, game
from heckmeck.rules.barbecue import WITH_SNAIL, BarbecueTable, Spot
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    BARBECUE_SPOTS,
    BRATWORMS,
    GOLDEN_DIE,
    PLATES_EACH,
    SNAILS,
    SPECIALISTS_AT_START,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import throws_of
from heckmeck.rules.endings import EndGame, Ending, PinchTile, TakeTile
from heckmeck.rules.grill import Grill, Stacks, take_off, top
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.moves import Throw
from heckmeck.rules.outcome import EndReason
from heckmeck.rules.state import (
    DECIDING,
    FALLING,
    Deciding,
    Falling,
    Over,
    Phase,
    PinchQuestion,
    ReturnQuestion,
    RobQuestion,
    State,
)
from heckmeck.rules.turn import Turn


def state_from_json(data: JsonValue) -> AnyState:
    """Return the state described by ``data``; raise `BadState` if it is not valid."""
    if not isinstance(data, dict):
        raise BadState("a state must be a JSON object")
    reader = Reader(data)
    try:
        rules = game(reader.text("edition"))
        house = house_rules_from_json(reader.value("options"))
        start = rules.initial(reader.integer("seats"), 0, house)
    except (BadSetup, BadRecord) as error:
        raise BadState(str(error)) from error
    seat = reader.integer("to_move")
    if seat not in range(start.table.seats):
        raise BadState(f"to_move must be a seat from 0 to {start.table.seats - 1}")
    table = _table(reader.object("table"), start.table, house)
    turn = _turn(reader.object("turn"), rules)
    state = State(table, seat, turn, _phase(reader, rules, table, seat, turn))
    _check(state, rules)
    _compare(state_to_json(state), data)
    return state


# --- the table: every piece is there once ---------------------------------------------------------


def _table(reader: Reader, start: Table, house: HouseRules) -> Table:
    match start:
        case ClassicTable():
            return ClassicTable(*_grill(reader, start.grill, start.seats), house)
        case JuniorTable():
            return JuniorTable(*_grill(reader, start.grill, start.seats))
        case DeluxeTable():
            return _deluxe_table(reader, start, house)
        case BarbecueTable():
            return _barbecue_table(reader, start.seats)
        case _:
            assert_never(start)


def _grill(reader: Reader, start: Grill, seats: int) -> tuple[Grill, Stacks]:
    grill = Grill(reader.integers("grill"), reader.integers("face_down"))
    stacks = reader.rows_of_integers("stacks")
    _by_seat(reader, "stacks", len(stacks), seats)
    tiles = Counter((*grill.face_up, *grill.face_down))
    for stack in stacks:
        tiles.update(stack)
    if tiles != Counter(start.face_up):
        raise BadState("table must have each tile of the edition exactly as often as the box")
    if any(row != tuple(sorted(row)) for row in (grill.face_up, grill.face_down)):
        raise BadState("table.grill and table.face_down must be in ascending order")
    return grill, stacks


def _deluxe_table(reader: Reader, start: DeluxeTable, house: HouseRules) -> DeluxeTable:
    grill, stacks = _grill(reader, start.grill, start.seats)
    standing = reader.object("on_grill")
    on_grill = {
        tile: _specialist(standing.value(str(tile)))
        for tile in grill.face_up
        if str(tile) in standing.data
    }
    held = tuple(None if who is None else _specialist(who) for who in reader.items("held"))
    bratworms, supply = reader.integers("bratworms"), reader.integer("supply")
    _by_seat(reader, "held", len(held), start.seats)
    _by_seat(reader, "bratworms", len(bratworms), start.seats)
    _count("Bratworms", (*bratworms, supply), BRATWORMS)
    present = [who for who in (*on_grill.values(), *held) if who is not None]
    if len(set(present)) < len(present) or Specialist.RAVEN in held:
        raise BadState("table must have each Specialist once, and the raven with no player")
    return DeluxeTable(grill, stacks, tuple(on_grill.items()), held, bratworms, supply, house)


def _specialist(name: JsonValue) -> Specialist:
    if name not in SPECIALISTS_AT_START.values():
        raise BadState(f"there is no Specialist {dumps(name):.40}")
    return Specialist(str(name))


def _barbecue_table(reader: Reader, seats: int) -> BarbecueTable:
    listed = reader.object("spots")
    spots = tuple(
        _spot(listed, str(number), seats) if str(number) in listed.data else Spot()
        for number in BARBECUE_SPOTS
    )
    table = BarbecueTable(
        spots,
        reader.integer("pool"),
        reader.integers("snails"),
        reader.integers("worms"),
        reader.integers("plates"),
    )
    for key, values in (("snails", table.snails), ("worms", table.worms), ("plates", table.plates)):
        _by_seat(reader, key, len(values), seats)
    _count("snails", (table.pool, *table.snails, *(spot.snail for spot in spots)), SNAILS)
    for seat in range(seats):
        _check_plates(table, seat)
    return table


def _check_plates(table: BarbecueTable, seat: int) -> None:
    """Every plate is in hand or on the grill, where it has earned its worms (B5 to B7)."""
    placed = {number: table.spot(number).plates.count(seat) for number in BARBECUE_SPOTS}
    _count(f"plates of seat {seat}", (table.plates[seat], sum(placed.values())), PLATES_EACH)
    brought = sum(BARBECUE_SPOTS[number] * count for number, count in placed.items())
    if table.worms[seat] < brought:
        raise BadState(f"table.worms must be {brought} or more for seat {seat}, for its plates")


def _spot(reader: Reader, number: str, seats: int) -> Spot:
    if reader.value(number) == [SNAIL]:
        return WITH_SNAIL
    plates = reader.integers(number)
    owners = set(plates)
    if len(owners) != 1 or len(plates) > 2 or not owners <= set(range(seats)):
        raise BadState(f"table.spots.{number} must be a snail or one or two plates of one player")
    return Spot(plates)


def _by_seat(reader: Reader, key: str, length: int, seats: int) -> None:
    if length != seats:
        raise BadState(f"{reader.path}{key} must have {seats} entries, one per seat")


def _count(what: str, counts: Iterable[int], in_the_box: int) -> None:
    numbers = [*counts]
    if min(numbers) < 0 or sum(numbers) != in_the_box:
        raise BadState(f"{what} must be {in_the_box} in total, none of them negative")


# --- the turn and what comes next -----------------------------------------------------------------


def _turn(reader: Reader, rules: AnyGame) -> Turn:
    kept, hand = reader.text("kept"), reader.integer("hand")
    golden = reader.boolean("golden")
    golden_kept = len(kept) + hand - rules.dice.count
    if hand < 0 or golden_kept not in (0, 1) or (golden_kept and golden):
        raise BadState(f"turn.hand and turn.kept must add up to {rules.dice.count} dice")
    if kept not in throws_of(rules.dice, len(kept)):
        raise BadState(f"turn.kept must be dice of the faces {rules.dice.faces}, in that order")
    if golden_kept and not set(kept) & set(GOLDEN_DIE.faces):
        raise BadState("turn.kept must show the golden die's face")
    total = sum(map(rules.dice.points_for, kept))
    return Turn(hand, kept, total, golden, reader.boolean("weasel_used"))


def _phase(reader: Reader, rules: AnyGame, table: Table, seat: int, turn: Turn) -> Phase:
    match reader.text("awaits"):
        case "nobody":
            return Over(_end_reason(rules, table, seat, turn))
        case "dice":
            return FALLING
        case "player":
            throw = reader.object("turn").text_or_null("roll")
            if throw is not None:
                return _throw(reader.object("turn"), rules, turn, throw)
            return _question(reader, rules, table, seat, turn)
        case _:
            raise BadState("awaits must be player, dice or nobody")


def _throw(reader: Reader, rules: AnyGame, turn: Turn, dice: str) -> Throw:
    golden = reader.text_or_null("golden_roll")
    throw = Throw(dice, golden)
    if throw not in rules.throws(State(None, 0, turn, FALLING)).throws:
        raise BadState("turn.roll and turn.golden_roll must be a roll of the dice in hand")
    return throw


def _question(reader: Reader, rules: AnyGame, table: Table, seat: int, turn: Turn) -> Phase:
    words = [str(word).partition(":") for word in reader.items("legal")]
    asked = {word for word, _, _ in words}
    if asked == {"return"} and isinstance(table, DeluxeTable):
        return _return_question(table, seat, [answer for _, _, answer in words])
    if asked == {"rob"} and isinstance(table, DeluxeTable):
        return _rob_question(rules, table, seat, turn)
    if asked == {"pinch"} and isinstance(table, JuniorTable):
        return _pinch_question(rules, table, seat, turn)
    return DECIDING


def _return_question(table: DeluxeTable, seat: int, answers: list[str]) -> ReturnQuestion:
    held = table.held[seat]
    received = [_specialist(name) for name in answers if name != held]
    if held is None or len(received) != 1:
        raise BadState("legal must offer to return the Specialist held or the one received")
    if received[0] in (Specialist.RAVEN, *dict(table.on_grill).values(), *table.held):
        raise BadState(f"{received[0]} cannot have been received: it is elsewhere")
    return ReturnQuestion(held, received[0])


def _rob_question(rules: AnyGame, table: DeluxeTable, seat: int, turn: Turn) -> RobQuestion:
    victims = table.robbable_by(seat)
    if table.supply or len(victims) < 2:
        raise BadState("legal must not ask whom to rob: there is no choice")
    if _took_the_ravens_tile(rules, table, seat, turn):
        return RobQuestion(victims, for_raven=True)
    if turn.kept.count("1") < 2:
        raise BadState("legal must not ask whom to rob: no Bratworm was earned")
    return RobQuestion(victims, for_raven=False)


def _took_the_ravens_tile(rules: AnyGame, table: DeluxeTable, seat: int, turn: Turn) -> bool:
    """Whether the raven is away and the player's top tile is the one the result took."""
    tile = top(table.stacks[seat])
    if tile is None or Specialist.RAVEN in dict(table.on_grill).values():
        return False
    grill, stacks = table.grill.with_back(tile), take_off(table.stacks, seat)
    before = replace(table, grill=grill, stacks=stacks)
    ending: Ending = rules.ending(before, seat, turn.total, rules.dice.worm in turn.kept)
    return ending == TakeTile(tile)


def _pinch_question(rules: AnyGame, table: JuniorTable, seat: int, turn: Turn) -> PinchQuestion:
    match rules.ending(table, seat, turn.total, rules.dice.worm in turn.kept):
        case PinchTile(tile, victims) if len(victims) > 1:
            return PinchQuestion(tile, victims)
        case _:
            raise BadState("legal must not ask whom to pinch from: there is no choice")


def _end_reason(rules: AnyGame, table: Table, seat: int, turn: Turn) -> EndReason:
    if not isinstance(table, BarbecueTable):
        return EndReason.GRILL_EMPTY
    if table.pool:
        return EndReason.GRILL_FULL
    if rules.ending(table, seat, turn.total, rules.dice.worm in turn.kept) == EndGame():
        return EndReason.NO_SNAIL_LEFT
    return EndReason.POOL_EMPTY


# --- the whole ------------------------------------------------------------------------------------


def _check(state: AnyState, rules: AnyGame) -> None:
    """Refuse states that no game can reach and the rules could not continue from."""
    turn, phase = state.turn, state.phase
    if isinstance(phase, Deciding | Falling | Throw) and rules.turn_is_complete(turn):
        raise BadState("turn is complete, so it must have ended")
    if isinstance(phase, Throw) and not rules.legal(state):
        raise BadState("turn.roll is a dead roll, so the turn must have ended")
    _check_help(state, with_golden=turn.golden or len(turn.kept) + turn.hand > rules.dice.count)
    _check_end(state.table, phase)


def _check_help(state: AnyState, *, with_golden: bool) -> None:
    """The golden die and the weasel help their holder; the end of a turn may take them away."""
    used = [Specialist.GOLDEN] * with_golden + [Specialist.WEASEL] * state.turn.weasel_used
    held = state.table.held[state.seat] if isinstance(state.table, DeluxeTable) else None
    is_over = isinstance(state.table, DeluxeTable) and isinstance(state.phase, Over)
    if used and used != [held] and not is_over:
        raise BadState(f"turn used {' and '.join(used)}, which seat {state.seat} does not hold")


def _check_end(table: Table, phase: Phase) -> None:
    is_over = isinstance(phase, Over)
    if isinstance(table, BarbecueTable):
        if phase == Over(EndReason.GRILL_FULL) and any(
            not spot.snail and len(spot.plates) < 2 for spot in table.spots
        ):
            raise BadState("the game is not over while table.pool and table.spots allow a snail")
        return
    before_the_end = isinstance(phase, Deciding | Falling | Throw) or (
        isinstance(phase, RobQuestion) and not phase.for_raven
    )
    if (before_the_end and not table.grill.face_up) or (is_over and table.grill.face_up):
        raise BadState("the game is over exactly when no tile on table.grill is face up")


def _compare(truth: JsonObject, given: JsonObject) -> None:
    """Refuse data that differs in any key from the state it describes."""
    for key in given:
        if key not in truth:
            raise BadState(f"a state has no key {key!r:.40}")
    for key, value in truth.items():
        if _canonical(given.get(key)) != _canonical(value):
            raise BadState(f"{key} must be {dumps(value)}")


def _canonical(value: JsonValue) -> str:
    """Return JSON text that is equal exactly for equal data: ``true`` is not ``1``."""
    return json.dumps(value, sort_keys=True)
