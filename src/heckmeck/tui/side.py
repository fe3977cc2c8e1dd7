"""Around the table: the title above it, and next to it players, hints and the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, assert_never

from rich.cells import cell_len
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from heckmeck.coach.why import Why
from heckmeck.narration import Messages, Phrases
from heckmeck.rules import AnyState, Table, barbecue, classic, deluxe, junior, outcome, scores
from heckmeck.tui import cells, grill, source, theme
from heckmeck.wire.coach import Advice


def title(view: source.View, words: Messages, width: int) -> Content:
    """Return the first line: the game and whose turn it is, and what the table has in store."""
    left = [(words.say(f"edition.{view.edition}"), "bold $primary"), ("  ", "")]
    turn = turn_words(view, words)
    right = words.say("reconnecting") if not view.connected else _aside(view, words)
    room = width - sum(len(text) for text, _ in left)
    gap = max(room - len(turn) - len(right), 1)
    style = "bold $error" if not view.connected else "$quiet"
    return Content.assemble(*left, (turn, "bold"), " " * gap, (right, style))


def turn_words(view: source.View, words: Messages) -> str:
    """Return whose turn it is, as the reader sees it."""
    state = view.state
    if state is None or outcome(state) is not None:
        plays = any(seat.mine for seat in view.seats)
        return "" if plays else words.say("table.watching")
    mover = view.seats[state.seat]
    if not mover.mine:
        return words.say("turn.of", name=mover.name)
    return words.say("turn.share" if view.you is None else "turn.yours.title", name=mover.name)


def _aside(view: source.View, words: Messages) -> str:
    # Before the game begins the note has the middle of the table for itself.
    parts = [] if view.state is None else [view.note]
    parts += [_store(view.state, words)] if view.state is not None else []
    return " · ".join(filter(None, parts))


def _store(state: AnyState, words: Messages) -> str:
    match state.table:
        case deluxe.DeluxeTable(supply=supply):
            return words.count("supply", supply)
        case barbecue.BarbecueTable(pool=pool):
            return words.count("pool", pool)
        case _:
            return ""


# --- players --------------------------------------------------------------------------------------

_TOP: Final = "bold $ink on $ivory"
#: Columns of a score, and of the shortest name that is shown, each with a space before it.
_SCORE: Final = 5
_SHORTEST_NAME: Final = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """The texts about a player."""

    view: source.View
    number: int

    @property
    def seat(self) -> source.Seat:
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
        return f" {cells.fit(badge, widest)} "

    @property
    def score(self) -> str:
        state = self.view.state
        return " " * _SCORE if state is None else f"{scores(state)[self.number]:>3} {grill.WORM}"

    def shown(self, words: Messages) -> str:
        """Return the name, marked if the player is away."""
        name = self.seat.name or words.say("lobby.free")
        return f"{name} ({words.say('seat.away')})" if self.seat.away else name

    def head(self, mark: str, name: str, score: str) -> Content:
        """Return these texts and the badge, each in its style."""
        return Content.assemble(
            (mark, "bold $primary"),
            (self.badge, theme.player_style(self.number)),
            (name, self.style),
            (score, "bold $worm"),
        )

    def things(self, words: Messages, *, short: bool) -> list[tuple[str, str]]:
        """Return what the player has won, and what can be stolen from them."""
        state = self.view.state
        return [] if state is None else _things(state.table, self.number, words, short=short)


class Players(Static):
    """Two lines per player, or one if many players and hints share the window."""

    def show(self, view: source.View, words: Messages, width: int, *, short: bool) -> None:
        """Show the players of a table in ``width`` columns; ``short``: one line each."""
        lines = [_Line(view, number) for number in range(len(view.seats))]
        draw = _short if short else _in_full
        self.update(Content("\n").join(draw(lines, words, width)))


def _in_full(lines: list[_Line], words: Messages, width: int) -> list[Content]:
    drawn: list[Content] = []
    for line in lines:
        room = width - cell_len(line.mark) - cell_len(line.badge) - _SCORE
        drawn.append(line.head(line.mark, cells.fit(f" {line.shown(words)}", room), line.score))
        indent = " " * (cell_len(line.mark) + cell_len(line.badge) + 1)
        drawn.append(Content.assemble(indent, *line.things(words, short=False)))
    return drawn


def _short(lines: list[_Line], words: Messages, width: int) -> list[Content]:
    """Return one line per player; a name is cut only if the player's pieces need the room."""
    widest = max(cell_len(line.shown(words)) for line in lines) + 1
    drawn: list[Content] = []
    for line in lines:
        parts = line.things(words, short=True)
        taken = 1 + cell_len(line.badge) + _SCORE + sum(cell_len(text) for text, _ in parts)
        room = max(min(widest, width - taken), _SHORTEST_NAME)
        name, score = cells.fit(f" {line.shown(words)}", room), f"{line.score.replace(' ~', '~')} "
        drawn.append(Content.assemble(line.head(line.mark[:1], name, score), *parts))
    return drawn


def _things(table: Table, seat: int, words: Messages, *, short: bool) -> list[tuple[str, str]]:
    """Return what a player has won; ``short``: without what the score already shows."""
    match table:
        case classic.ClassicTable() | junior.JuniorTable():
            return _stack(table.stacks[seat], words, short=short)
        case deluxe.DeluxeTable():
            held, bratworms = table.held[seat], table.bratworms[seat]
            parts = _stack(table.stacks[seat], words, short=short)
            if held is not None:
                parts.append((f" {words.say(f'short.{held}')}", "bold $secondary"))
            if bratworms:
                parts.append((f" +{bratworms}{'' if short else grill.WORM}", "$worm"))
            return parts
        case barbecue.BarbecueTable():
            plates = words.say("short.plates", count=table.plates[seat])
            snails = words.say("short.snails", count=table.snails[seat])
            return [(plates if short else f"{snails} · {plates}", "$quiet")]
        case _:
            assert_never(table)


def _stack(stack: tuple[int, ...], words: Messages, *, short: bool) -> list[tuple[str, str]]:
    if not stack:
        return [] if short else [(words.say("short.no_tile"), "$quiet")]
    return [(f" {stack[-1]} ", _TOP), *([] if short else [(f" x{len(stack)}", "$quiet")])]


#: The number of lines of the log kept on the screen.
MOST_LINES: Final = 200


class HintList(Static):
    """What each move is worth, best first."""

    def show(self, view: source.View, phrases: Phrases, width: int) -> None:
        """Show the hints of a view, if wanted, in ``width`` columns."""
        over = view.state is not None and outcome(view.state) is not None
        self.display = view.hints_on and not over
        self.update(Content("\n").join(hint_lines(view, phrases, width)))


def hint_lines(view: source.View, phrases: Phrases, width: int) -> list[Content]:
    """Return the hints of a view, in lines of at most ``width`` columns."""
    say = phrases.words.say
    lines = [Content.styled(text, "bold") for text in cells.wrapped(say("hint.title"), width)]
    if view.hints is not None:
        lines += _head(view.hints, phrases, width)
        for at in range(len(view.hints.moves)):
            lines += _move(at, view.hints, phrases, width)
        lines += _why(view, view.hints, phrases, width)
    elif view.weighing:
        lines.append(Content.styled(say("hint.weighing"), "$quiet"))
    return lines


def _why(view: source.View, hints: Advice, phrases: Phrases, width: int) -> list[Content]:
    """Return why the first move is the best."""
    if not hints.reasons:
        return []
    you = None if view.state is None else view.state.seat
    said = Why(phrases.language, phrases.names, you)(hints.reasons[0], hints.unit)
    return [Content.styled(line, "$quiet") for line in cells.wrapped(said, width)]


def _head(hints: Advice, phrases: Phrases, width: int) -> list[Content]:
    """Return the headings of the two columns of figures, right-aligned."""
    say = phrases.words.say
    unit = say("hint.win" if hints.unit == "win" else "hint.worms")
    return [
        Content.styled(cells.at_right(line, width), "$quiet")
        for line in cells.wrapped(f"{unit} / {say('hint.empty')}", width)
    ]


def _move(at: int, hints: Advice, phrases: Phrases, width: int) -> list[Content]:
    """Return a move and its figures; a long name continues below."""
    hint = hints.moves[at]
    numbers = f"{phrases.value(hint.worth, hints.unit):>8}{phrases.percent(hint.fail):>7}"
    room = width - cell_len(numbers) - 2
    first, *more = cells.wrapped(phrases.move(hint.move), room)
    style = "bold" if at == 0 else ""
    lines = [
        f"{'▸' if at == 0 else ' '} {cells.fit(first, room)}{numbers}",
        *(f"  {text}" for text in more),
    ]
    return [Content.styled(line, style) for line in lines]


class Log(VerticalScroll, can_focus=False):
    """The log, the latest line at the bottom."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        # Stored: lines may arrive before it is mounted, or after it is removed.
        self._text = Static(id="told")
        super().__init__(self._text, id=id)
        self._lines: list[str] = []

    def add(self, lines: Sequence[str], *, reset: bool) -> None:
        """Add lines; with ``reset`` forget those before."""
        self._lines = [*([] if reset else self._lines), *lines][-MOST_LINES:]
        *earlier, last = self._lines or [""]
        text = Content.assemble((("\n".join(earlier) + "\n") if earlier else "", "$quiet"), last)
        self._text.update(text)
        self.scroll_end(animate=False)
