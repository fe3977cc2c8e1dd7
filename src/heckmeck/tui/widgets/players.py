"""Everybody at the table: whose turn it is, what they have won, what can be stolen from them."""

from dataclasses import dataclass
from typing import Final, assert_never

from textual.content import Content
from textual.widgets import Static

from heckmeck.narration import Messages
from heckmeck.rules import AnyState, Table, scores
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.junior import JuniorTable
from heckmeck.tui.look import initial, player_style
from heckmeck.tui.source import Seat, View
from heckmeck.tui.widgets.grill import WORM

#: More players than this have a line each when there are hints.
MOST_IN_FULL: Final = 5
_TOP: Final = "bold $ink on $ivory"
#: What stands left and right of a name: mark, initial and score.
_AROUND: Final = 11


@dataclass(frozen=True, slots=True)
class _Line:
    """A player's first line."""

    seat: Seat
    number: int
    is_next: bool
    score: int | None


class Players(Static):
    """Two lines a player, or one where many players and hints have to share the window."""

    def show(self, view: View, words: Messages, width: int) -> None:
        """Show the players of a table in ``width`` columns."""
        state = view.state
        lines: list[Content] = []
        for number, seat in enumerate(view.seats):
            is_next = state is not None and state.seat == number
            score = None if state is None else scores(state)[number]
            line = _Line(seat, number, is_next, score)
            if len(view.seats) > MOST_IN_FULL and view.hints_on:
                lines.append(_short(line, state, words))
            else:
                lines.append(_name(line, words, width))
                lines.append(_belongings(state, number, words))
        self.update(Content("\n").join(lines))


def _name(line: _Line, words: Messages, width: int) -> Content:
    seat = line.seat
    free = not seat.name
    name = words.say("lobby.free") if free else seat.name
    note = words.say("seat.away") if seat.away else ""
    shown = f"{name} ({note})" if note else name
    room = width - _AROUND
    shown = shown if len(shown) <= room else f"{shown[: room - 1]}…"
    score = "" if line.score is None else f"{line.score:>3} {WORM}"
    return Content.assemble(
        ("▶ " if line.is_next else "  ", "bold $primary"),
        (f" {initial(seat.name)} ", player_style(line.number)),
        (f" {shown.ljust(room)}", "bold" if line.is_next else "$quiet" if free else ""),
        (score, "bold $worm"),
    )


def _short(line: _Line, state: AnyState | None, words: Messages) -> Content:
    name = line.seat.name or words.say("lobby.free")
    score = "" if line.score is None else f"{line.score:>2} {WORM} "
    return Content.assemble(
        ("▶ " if line.is_next else "  ", "bold $primary"),
        (f" {initial(line.seat.name)} ", player_style(line.number)),
        (f" {name[:6]:<6}", "bold" if line.is_next else ""),
        (score, "bold $worm"),
        *([] if state is None else _things(state.table, line.number, words)),
    )


def _belongings(state: AnyState | None, seat: int, words: Messages) -> Content:
    parts: list[tuple[str, str]] = [("      ", "")]
    if state is not None:
        parts += _things(state.table, seat, words)
    return Content.assemble(*parts)


def _things(table: Table, seat: int, words: Messages) -> list[tuple[str, str]]:
    match table:
        case ClassicTable() | JuniorTable():
            return _stack(table.stacks[seat], words)
        case DeluxeTable():
            held = table.held[seat]
            bratworms = table.bratworms[seat]
            parts = _stack(table.stacks[seat], words)
            if held is not None:
                parts.append((f" {words.say(f'short.{held}')}", "bold $secondary"))
            if bratworms:
                parts.append((f" +{bratworms}{WORM}", "$worm"))
            return parts
        case BarbecueTable():
            snails = words.say("short.snails", count=table.snails[seat])
            plates = words.say("short.plates", count=table.plates[seat])
            return [(f"{snails} · {plates}", "$quiet")]
        case _:
            assert_never(table)


def _stack(stack: tuple[int, ...], words: Messages) -> list[tuple[str, str]]:
    if not stack:
        return [(words.say("short.no_tile"), "$quiet")]
    return [(f" {stack[-1]} ", _TOP), (f" x{len(stack)}", "$quiet")]
