"""A state as JSON, as shown by every interface. The contract is ``docs/record.md``."""

from typing import Final, assert_never

from heckmeck.record.json_text import JsonObject
from heckmeck.rules import AnyState, Table, game_at, legal, outcome, scores, word
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import BARBECUE_SPOTS
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.grill import Grill, Stacks
from heckmeck.rules.house import HouseRules
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Falling, Over, Phase
from heckmeck.rules.turn import Turn

SNAIL = "snail"
#: The keys of a state, by the contract.
STATE_KEYS: Final = (
    "edition",
    "seats",
    "options",
    "to_move",
    "awaits",
    "legal",
    "turn",
    "table",
    "scores",
    "over",
    "winners",
)


def state_to_json(state: AnyState) -> JsonObject:
    """Return the state as JSON data with exactly the keys of the contract."""
    end = outcome(state)
    return {
        "edition": game_at(state.table).edition,
        "seats": state.table.seats,
        "options": options_to_json(_house_rules_at(state.table)),
        "to_move": state.seat,
        "awaits": _awaits(state.phase),
        "legal": [*sorted(map(word, legal(state)))],
        "turn": _turn_to_json(state.turn, state.phase),
        "table": _table_to_json(state.table),
        "scores": [*scores(state)],
        "over": end is not None,
        "winners": [] if end is None else [*end.winners],
    }


def options_to_json(house: HouseRules) -> JsonObject:
    """Return the house rules that are on."""
    rules = {"flip_always": house.flip_always, "flip_returned": house.flip_returned}
    return {name: True for name, is_on in rules.items() if is_on}


def _house_rules_at(table: Table) -> HouseRules:
    match table:
        case ClassicTable() | DeluxeTable():
            return table.house
        case BarbecueTable() | JuniorTable():
            return HouseRules()
        case _:
            assert_never(table)


def _awaits(phase: Phase) -> str:
    match phase:
        case Over():
            return "nobody"
        case Falling():
            return "dice"
        case _:
            return "player"


def _turn_to_json(turn: Turn, phase: Phase) -> JsonObject:
    throw = phase if isinstance(phase, Throw) else None
    return {
        "kept": turn.kept,
        "total": turn.total,
        "hand": turn.hand,
        "golden": turn.golden,
        "roll": throw.dice if throw else None,
        "golden_roll": throw.golden if throw else None,
        "weasel_used": turn.weasel_used,
    }


def _table_to_json(table: Table) -> JsonObject:
    match table:
        case ClassicTable(grill, stacks) | JuniorTable(grill, stacks):
            return _grill_to_json(grill, stacks)
        case DeluxeTable():
            return {
                **_grill_to_json(table.grill, table.stacks),
                "on_grill": {str(tile): str(who) for tile, who in table.on_grill},
                "held": [None if who is None else str(who) for who in table.held],
                "bratworms": [*table.bratworms],
                "supply": table.supply,
            }
        case BarbecueTable():
            return {
                "spots": _spots_to_json(table),
                "pool": table.pool,
                "snails": [*table.snails],
                "worms": [*table.worms],
                "plates": [*table.plates],
            }
        case _:
            assert_never(table)


def _grill_to_json(grill: Grill, stacks: Stacks) -> JsonObject:
    return {
        "grill": [*grill.face_up],
        "face_down": [*grill.face_down],
        "stacks": [[*stack] for stack in stacks],
    }


def _spots_to_json(table: BarbecueTable) -> JsonObject:
    spots: JsonObject = {}
    for number in BARBECUE_SPOTS:
        spot = table.spot(number)
        if not spot.is_empty:
            spots[str(number)] = [SNAIL] if spot.snail else [*spot.plates]
    return spots
