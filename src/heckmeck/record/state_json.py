"""States, events and endings as JSON for every interface, by the contract in ``docs/record.md``."""

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final, Literal, NamedTuple, assert_never, get_args

from msgspec import Struct, to_builtins

from heckmeck.record.json_text import JsonObject
from heckmeck.rules import AnyState, Ending, Event, Outcome, Table, game_at, legal, outcome, word
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import BARBECUE_SPOTS
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.events import GameEnded
from heckmeck.rules.grill import Grill, HouseRules, Stacks
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.moves import Throw
from heckmeck.rules.outcome import ScoreItem, total
from heckmeck.rules.state import Falling, Over, Phase
from heckmeck.rules.turn import Turn

SNAIL: Final = "snail"


class HouseOptions(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The house rules that are on, as in a record's ``options``."""

    flip_always: bool = False
    flip_returned: bool = False

    def rules(self) -> HouseRules:
        """Return them as a value of the rules."""
        return HouseRules(self.flip_always, self.flip_returned)


class TurnInfo(Struct, frozen=True):
    """The turn in progress, by the contract in ``docs/record.md``."""

    kept: str
    total: int
    hand: int
    golden: bool
    roll: str | None
    golden_roll: str | None
    weasel_used: bool


class StateInfo(Struct, frozen=True):
    """The state of a game, with exactly the keys of the contract in ``docs/record.md``."""

    edition: str
    seats: int
    options: HouseOptions
    to_move: int
    awaits: Literal["player", "dice", "nobody"]
    legal: list[str]
    turn: TurnInfo
    table: dict[str, Any]  # one of four kinds
    scores: list[int]
    over: bool
    winners: list[int]


#: The keys of a state, by the contract.
STATE_KEYS: Final = StateInfo.__struct_fields__


class TableFacts(NamedTuple):
    """A table as JSON, the scores, and the worms on each stack (none in a game without stacks).

    They stay the same until a turn ends.
    """

    of: Table
    table: JsonObject
    scores: list[int]
    stack_worms: list[int]


def table_facts(table: Table, known: TableFacts | None = None) -> TableFacts:
    """Return the facts about a table: those ``known``, if they are about this very table."""
    if known is not None and known.of is table:
        return known
    sheets = game_at(table).score_sheets(table)
    tiles = [worms for sheet in sheets for item, worms in sheet if item is ScoreItem.TILES]
    return TableFacts(table, _table_to_json(table), [*map(total, sheets)], tiles)


def state_info(state: AnyState, known: TableFacts | None = None) -> StateInfo:
    """Return what every interface shows of the state."""
    end = outcome(state)
    facts = table_facts(state.table, known)
    return StateInfo(
        edition=game_at(state.table).edition,
        seats=state.table.seats,
        options=options_of(state.table.house),
        to_move=state.seat,
        awaits=_awaits(state.phase),
        legal=sorted(map(word, legal(state))),
        turn=_turn_info(state.turn, state.phase),
        table=facts.table,
        scores=facts.scores,
        over=end is not None,
        winners=[] if end is None else [*end.winners],
    )


def state_to_json(state: AnyState) -> JsonObject:
    """Return `state_info` as JSON data."""
    data: JsonObject = to_builtins(state_info(state))
    return data


@cache
def options_of(house: HouseRules) -> HouseOptions:
    """Return the house rules that are on."""
    return HouseOptions(house.flip_always, house.flip_returned)


def options_to_json(house: HouseRules) -> JsonObject:
    """Return the house rules that are on as JSON data."""
    data: JsonObject = to_builtins(options_of(house))
    return data


def _awaits(phase: Phase) -> Literal["player", "dice", "nobody"]:
    if isinstance(phase, Over):
        return "nobody"
    return "dice" if isinstance(phase, Falling) else "player"


def _turn_info(turn: Turn, phase: Phase) -> TurnInfo:
    throw = phase if isinstance(phase, Throw) else None
    return TurnInfo(
        kept=turn.kept,
        total=turn.total,
        hand=turn.hand,
        golden=turn.golden,
        roll=throw.dice if throw else None,
        golden_roll=throw.golden if throw else None,
        weasel_used=turn.weasel_used,
    )


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


_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


def name_of(kind: type) -> str:
    """Return the name of a kind of value: ``TileTaken`` is ``tile_taken``."""
    return _WORD_START.sub("_", kind.__name__).lower()


#: The name and the fields of each kind.
_KINDS: Final[Mapping[type, tuple[str, tuple[str, ...]]]] = {
    kind: (name_of(kind), tuple(field.name for field in fields(kind)))
    for kind in (*get_args(Event), *get_args(Ending))
}


def _tagged(tag: str, value: Event | Ending) -> JsonObject:
    """Return a value as JSON data, with its name under ``tag``."""
    kind, names = _KINDS[type(value)]
    data: JsonObject = {tag: kind}
    for name in names:
        field = getattr(value, name)
        data[name] = [*field] if isinstance(field, tuple) else field
    return data


def ending_to_json(ending: Ending) -> JsonObject:
    """Return what ending a turn would do.

    >>> from heckmeck.rules.endings import StealTile
    >>> ending_to_json(StealTile(25, victim=1))
    {'ending': 'steal_tile', 'tile': 25, 'victim': 1}
    """
    return _tagged("ending", ending)


def event_name(event: Event) -> str:
    """Return the event's name: ``TileTaken`` is ``tile_taken``."""
    return name_of(type(event))


def event_to_json(event: Event) -> JsonObject:
    """Return the event as JSON data: its name and its own fields."""
    if isinstance(event, GameEnded):
        return {"event": event_name(event), **_outcome_to_json(event.outcome)}
    return _tagged("event", event)


def _outcome_to_json(outcome: Outcome) -> JsonObject:
    return {
        "reason": outcome.reason,
        "scores": [*outcome.scores],
        "sheets": [{line.item: line.worms for line in sheet} for sheet in outcome.sheets],
        "ranking": [[*place] for place in outcome.ranking],
        "decided_by": outcome.decided_by,
    }
