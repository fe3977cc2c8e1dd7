"""Beside the table: what each choice is worth, and the log."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from heckmeck.tui.phrases import Phrases
from heckmeck.tui.source import Hints, View

#: Lines of the log that are kept on the screen.
MOST_LINES: Final = 60


class Weighed(Static):
    """What each move is worth, best first."""

    def show(self, view: View, phrases: Phrases, width: int) -> None:
        """Show the hints of a view, if they are wanted."""
        self.display = view.hints_on
        say = phrases.words.say
        lines = [Content.styled(say("hint.title"), "bold")]
        if view.hints is not None:
            lines = [_title(view.hints, phrases, width)]
            lines += [_line(at, view.hints, phrases, width) for at in range(len(view.hints.moves))]
        elif view.moves:
            lines.append(Content.styled(say("hint.weighing"), "$quiet"))
        self.update(Content("\n").join(lines))


def _title(hints: Hints, phrases: Phrases, width: int) -> Content:
    say = phrases.words.say
    empty = say("hint.empty")
    room = width - len(empty) - 1
    unit = say("hint.win" if hints.unit == "win" else "hint.worms")[:room].ljust(room)
    return Content.assemble((say("hint.title"), "bold"), "\n", (f"{unit} {empty}", "$quiet"))


def _line(at: int, hints: Hints, phrases: Phrases, width: int) -> Content:
    hint = hints.moves[at]
    fail = "" if hint.fail is None else phrases.percent(hint.fail)
    numbers = f"{phrases.worth(hint.worth, hints.unit):>7}{fail:>7}"
    name = f"{'▸' if at == 0 else ' '} {phrases.move(hint.word)}"
    room = width - len(numbers)
    return Content.styled(f"{name[:room].ljust(room)}{numbers}", "bold" if at == 0 else "")


class Log(VerticalScroll, can_focus=False):
    """What happened, the latest at the bottom."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(Static(id="told"), id=id)
        self._lines: list[str] = []

    def tell(self, told: Sequence[str], *, anew: bool) -> None:
        """Add lines; with ``anew`` forget those before."""
        self._lines = [*([] if anew else self._lines), *told][-MOST_LINES:]
        *earlier, last = self._lines or [""]
        text = Content.assemble((("\n".join(earlier) + "\n") if earlier else "", "$quiet"), last)
        self.query_one("#told", Static).update(text)
        self.scroll_end(animate=False)
