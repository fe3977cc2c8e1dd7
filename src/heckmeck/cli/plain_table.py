"""A table, a turn and an ending in a few lines of plain text."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from heckmeck.rules import AnyState, Ending, scores, stopping
from heckmeck.rules import endings as end
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import BARBECUE_SPOTS
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.junior import JuniorTable

NO_WORM = end.Nothing(end.WhyNothing.NO_WORM)


def describe_table(state: AnyState, names: Sequence[str]) -> str:
    """Return the table as text: the grill first, then a line for each player."""
    table = state.table
    match table:
        case ClassicTable() | JuniorTable():
            lines = [f"Grill: {_row(table.grill.face_up)}"]
            about = [_stack(stack) for stack in table.stacks]
        case DeluxeTable():
            lines = [_deluxe_grill(table), f"Bratworms in the supply: {table.supply}"]
            about = [_deluxe_player(table, seat) for seat in range(table.seats)]
        case BarbecueTable():
            lines = [_board(table, names), f"Grill snails in the pool: {table.pool}"]
            about = [
                f"{_many(worms, 'worm')}, {_many(snails, 'snail')}, "
                f"{_many(plates, 'plate')} in hand"
                for worms, snails, plates in zip(
                    table.worms, table.snails, table.plates, strict=True
                )
            ]
        case _:
            assert_never(table)
    rows = zip(names, scores(state), about, strict=True)
    return "\n".join([*lines, *(f"  {name}: {score} ({what})" for name, score, what in rows)])


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _row(items: Iterable[object]) -> str:
    return " ".join(map(str, items)) or "nothing"


def _stack(stack: tuple[int, ...]) -> str:
    return f"top tile {stack[-1]}, {len(stack)} in all" if stack else "no tile"


def _deluxe_grill(table: DeluxeTable) -> str:
    standing = dict(table.on_grill)
    return "Grill: " + _row(
        f"{tile}({standing[tile]})" if tile in standing else tile for tile in table.grill.face_up
    )


def _deluxe_player(table: DeluxeTable, seat: int) -> str:
    held = table.held[seat]
    parts = [
        _stack(table.stacks[seat]),
        _many(table.bratworms[seat], "Bratworm"),
        *([] if held is None else [f"holds {held}"]),
    ]
    return ", ".join(parts)


def _board(table: BarbecueTable, names: Sequence[str]) -> str:
    def content(number: int) -> str:
        spot = table.spot(number)
        if spot.snail:
            return f"{number}(snail)"
        return (
            f"{number}({'+'.join(names[seat] for seat in spot.plates)})"
            if spot.plates
            else str(number)
        )

    return "Grill: " + _row(map(content, BARBECUE_SPOTS))


def describe_turn(state: AnyState) -> str:
    """Return what is kept, its total, and whether a worm is among it."""
    turn = state.turn
    worm = "no worm yet" if stopping(state) == NO_WORM else "with a worm"
    golden = " and the golden die" if turn.golden else ""
    return f"Kept {' '.join(turn.kept)}: {turn.total}, {worm}. In hand: {turn.hand}{golden}."


def describe_ending(ending: Ending, names: Sequence[str]) -> str:
    """Return what stopping would do."""
    match ending:
        case end.TakeTile(tile):
            return f"take {tile}"
        case end.StealTile(tile, victim):
            return f"take {tile} from {names[victim]}"
        case end.StealHen(tile, victim):
            return f"take the sitting hen that guards {names[victim]}'s {tile}"
        case end.PinchTile(tile, victims):
            return f"pinch {tile} from {' or '.join(names[seat] for seat in victims)}"
        case end.OccupySpot(spot):
            return f"place a plate on {spot}"
        case end.StealSpot(spot, victim):
            return f"take the worms and the place of {names[victim]}'s plate on {spot}"
        case end.CloseSpot(spot):
            return f"close {spot} with a second plate"
        case end.TakeSnail(spot):
            return (
                "take a grill snail from the pool" if spot is None else f"take the snail on {spot}"
            )
        case end.EndGame():
            return "end the game"
        case end.Nothing(why):
            return f"brings nothing: {_REASONS[why]}"
        case _:
            assert_never(ending)


_REASONS = {
    end.WhyNothing.DEAD_THROW: "a dead throw",
    end.WhyNothing.NO_WORM: "no worm yet",
    end.WhyNothing.TOO_LOW: "too low",
    end.WhyNothing.SPOT_CLOSED: "two plates lie there",
    end.WhyNothing.NO_PLATE: "no plate in hand",
}
