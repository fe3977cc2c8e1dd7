"""The players: whose turn it is, what they have won, what can be stolen from them."""

from dataclasses import dataclass
from typing import Final, assert_never

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from heckmeck.narration import Messages
from heckmeck.rules import Table, outcome, scores
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.junior import JuniorTable
from heckmeck.tui.cells import fit
from heckmeck.tui.look import player_style
from heckmeck.tui.source import Seat, View
from heckmeck.tui.widgets.grill import WORM

_TOP: Final = "bold $ink on $ivory"
#: Columns of a score, and of the shortest name that is shown, each with a space before it.
_SCORE: Final = 5
_SHORTEST_NAME: Final = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """The texts about a player."""

    view: View
    number: int

    @property
    def seat(self) -> Seat:
        return self.view.seats[self.number]

    @property
    def is_next(self) -> bool:
        state = self.view.state
        return state is not None and state.seat == self.number and outcome(state) is None

    @property
    def mark(self) -> str:
        return "▶ " if self.is_next else "  "

    @property
    def style(self) -> str:
        return "bold" if self.is_next else "" if self.seat.name else "$quiet"

    @property
    def badge(self) -> str:
        """The player's badge, padded to the width of all."""
        widest = max(cell_len(badge) for badge in self.view.badges)
        badge = self.view.badges[self.number] if self.seat.name else ""
        return f" {fit(badge, widest)} "

    @property
    def score(self) -> str:
        state = self.view.state
        return " " * _SCORE if state is None else f"{scores(state)[self.number]:>3} {WORM}"

    def shown(self, words: Messages) -> str:
        """Return the name, marked if the player is away."""
        name = self.seat.name or words.say("lobby.free")
        return f"{name} ({words.say('seat.away')})" if self.seat.away else name

    def things(self, words: Messages) -> list[tuple[str, str]]:
        """Return what the player has won, and what can be stolen from them."""
        state = self.view.state
        return [] if state is None else _things(state.table, self.number, words)

    def things_in_short(self, words: Messages) -> list[tuple[str, str]]:
        """Return the same without what the score already shows."""
        state = self.view.state
        return [] if state is None else _things_in_short(state.table, self.number, words)


class Players(Static):
    """Two lines per player, or one if many players and hints share the window."""

    def show(self, view: View, words: Messages, width: int, *, short: bool) -> None:
        """Show the players of a table in ``width`` columns; ``short``: one line each."""
        lines = [_Line(view, number) for number in range(len(view.seats))]
        draw = _short if short else _in_full
        self.update(Content("\n").join(draw(lines, words, width)))


def _in_full(lines: list[_Line], words: Messages, width: int) -> list[Content]:
    drawn: list[Content] = []
    for line in lines:
        room = width - cell_len(line.mark) - cell_len(line.badge) - _SCORE
        drawn.append(
            Content.assemble(
                (line.mark, "bold $primary"),
                (line.badge, player_style(line.number)),
                (fit(f" {line.shown(words)}", room), line.style),
                (line.score, "bold $worm"),
            )
        )
        indent = " " * (cell_len(line.mark) + cell_len(line.badge) + 1)
        drawn.append(Content.assemble(indent, *line.things(words)))
    return drawn


def _short(lines: list[_Line], words: Messages, width: int) -> list[Content]:
    """Return one line per player; a name is cut only if the player's pieces need the room."""
    widest = max(cell_len(line.shown(words)) for line in lines) + 1
    drawn: list[Content] = []
    for line in lines:
        parts = line.things_in_short(words)
        taken = 1 + cell_len(line.badge) + _SCORE + sum(cell_len(text) for text, _ in parts)
        room = min(widest, width - taken)
        drawn.append(
            Content.assemble(
                (line.mark[:1], "bold $primary"),
                (line.badge, player_style(line.number)),
                (fit(f" {line.shown(words)}", max(room, _SHORTEST_NAME)), line.style),
                (f"{line.score.replace(' ~', '~')} ", "bold $worm"),
                *parts,
            )
        )
    return drawn


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


def _things_in_short(table: Table, seat: int, words: Messages) -> list[tuple[str, str]]:
    match table:
        case ClassicTable() | JuniorTable():
            return _top(table.stacks[seat])
        case DeluxeTable():
            held = table.held[seat]
            bratworms = table.bratworms[seat]
            return [
                *_top(table.stacks[seat]),
                *([] if held is None else [(f" {words.say(f'short.{held}')}", "bold $secondary")]),
                *([(f" +{bratworms}", "$worm")] if bratworms else []),
            ]
        case BarbecueTable():
            return [(words.say("short.plates", count=table.plates[seat]), "$quiet")]
        case _:
            assert_never(table)


def _top(stack: tuple[int, ...]) -> list[tuple[str, str]]:
    return [(f" {stack[-1]} ", _TOP)] if stack else []


def _stack(stack: tuple[int, ...], words: Messages) -> list[tuple[str, str]]:
    if not stack:
        return [(words.say("short.no_tile"), "$quiet")]
    return [(f" {stack[-1]} ", _TOP), (f" x{len(stack)}", "$quiet")]
