"""Next to the table: what each choice is worth, and the log."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from heckmeck.rules import outcome
from heckmeck.tui.cells import at_right, fit, wrapped
from heckmeck.tui.phrases import Phrases
from heckmeck.tui.source import Hints, View

#: The number of lines of the log kept on the screen.
MOST_LINES: Final = 200


class Weighed(Static):
    """What each move is worth, best first."""

    def show(self, view: View, phrases: Phrases, width: int) -> None:
        """Show the hints of a view, if wanted, in ``width`` columns."""
        over = view.state is not None and outcome(view.state) is not None
        self.display = view.hints_on and not over
        self.update(Content("\n").join(hint_lines(view, phrases, width)))


def hint_lines(view: View, phrases: Phrases, width: int) -> list[Content]:
    """Return the hints of a view, in lines of at most ``width`` columns."""
    say = phrases.words.say
    lines = [Content.styled(text, "bold") for text in wrapped(say("hint.title"), width)]
    if view.hints is not None:
        lines += _head(view.hints, phrases, width)
        for at in range(len(view.hints.moves)):
            lines += _move(at, view.hints, phrases, width)
    elif view.moves:
        lines.append(Content.styled(say("hint.weighing"), "$quiet"))
    return lines


def _head(hints: Hints, phrases: Phrases, width: int) -> list[Content]:
    """Return the headings of the two columns of figures, right-aligned."""
    say = phrases.words.say
    unit = say("hint.win" if hints.unit == "win" else "hint.worms")
    return [
        Content.styled(at_right(line, width), "$quiet")
        for line in wrapped(f"{unit} / {say('hint.empty')}", width)
    ]


def _move(at: int, hints: Hints, phrases: Phrases, width: int) -> list[Content]:
    """Return a move and its figures; a long name continues below."""
    hint = hints.moves[at]
    fail = "" if hint.fail is None else phrases.percent(hint.fail)
    numbers = f"{phrases.worth(hint.worth, hints.unit):>8}{fail:>7}"
    room = width - cell_len(numbers) - 2
    first, *more = wrapped(phrases.move(hint.word), room)
    style = "bold" if at == 0 else ""
    lines = [
        f"{'▸' if at == 0 else ' '} {fit(first, room)}{numbers}",
        *(f"  {text}" for text in more),
    ]
    return [Content.styled(line, style) for line in lines]


class Log(VerticalScroll, can_focus=False):
    """The log, the latest line at the bottom."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        # Stored: lines may arrive before it is mounted, or after it is removed.
        self._told = Static(id="told")
        super().__init__(self._told, id=id)
        self._lines: list[str] = []

    def tell(self, told: Sequence[str], *, anew: bool) -> None:
        """Add lines; with ``anew`` forget those before."""
        self._lines = [*([] if anew else self._lines), *told][-MOST_LINES:]
        *earlier, last = self._lines or [""]
        text = Content.assemble((("\n".join(earlier) + "\n") if earlier else "", "$quiet"), last)
        self._told.update(text)
        self.scroll_end(animate=False)
