"""Sheets over the table: the keys, a warning, and the final score."""

from collections.abc import Iterable
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from heckmeck.coach.why import Why
from heckmeck.narration import Messages, Phrases
from heckmeck.rules import EDITIONS, Outcome
from heckmeck.tui.cells import at_right, fit, wrapped
from heckmeck.tui.choices import Choice, Option
from heckmeck.tui.source import View, Wish
from heckmeck.tui.theme import player_style
from heckmeck.wire.coach import Reason

#: Columns around the text of a sheet: its frame and padding.
_AROUND: Final = 8
#: Lines above and below the text: frame, padding, the keys and the line above them.
_ABOVE_AND_BELOW: Final = 6
#: The maximum width of a sheet.
_WIDEST: Final = 90


class Sheet(ModalScreen[str | None]):
    """Text over the table; any of its keys, or a click outside, closes it.

    Its result is a wish or a move that the reader chose there, if any. The arrow keys scroll text
    that does not fit; the last line always stays.
    """

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, view: View, phrases: Phrases) -> None:
        """Show a sheet about the game of ``view``."""
        super().__init__()
        self._view = view
        self._phrases = phrases

    def compose(self) -> ComposeResult:
        """Show the sheet over the table."""
        with Vertical(id="sheet"):
            with VerticalScroll(id="page", can_focus=False):
                yield Static(id="text")
            yield from self.buttons()
            yield Static(id="foot")

    def buttons(self) -> Iterable[Widget]:
        """Return the buttons of the sheet."""
        return ()

    def text(self, width: int) -> Content:
        """Return what is on the sheet, in lines of at most ``width`` columns."""
        raise NotImplementedError

    def foot(self, width: int) -> Content:
        """Return the lines that always stay."""
        raise NotImplementedError

    def on_resize(self) -> None:
        """Fit the sheet into the window."""
        width = max(min(self.size.width - _AROUND, _WIDEST), 10)
        foot = self.foot(width)
        self.query_one("#text", Static).update(self.text(width))
        self.query_one("#foot", Static).update(foot)
        around = _ABOVE_AND_BELOW + foot.plain.count("\n")
        self.query_one("#page").styles.max_height = max(self.size.height - around, 1)

    def scroll_by_key(self, key: str) -> bool:
        """Scroll if ``key`` is a scroll key; return whether it is."""
        page = self.query_one("#page", VerticalScroll)
        scrolls = {
            "up": page.scroll_up,
            "down": page.scroll_down,
            "pageup": page.scroll_page_up,
            "pagedown": page.scroll_page_down,
            "home": page.scroll_home,
            "end": page.scroll_end,
        }
        if key not in scrolls:
            return False
        scrolls[key](animate=False)
        return True

    def on_click(self) -> None:
        """Close the sheet."""
        self.dismiss(None)


class KeysSheet(Sheet):
    """The list of keys in such a game."""

    def text(self, width: int) -> Content:
        """Return the keys."""
        return _keys(self._view, self._phrases, width)

    def foot(self, width: int) -> Content:
        """Return where to find the rules."""
        words = self._phrases.words.say("keys.rules", edition=self._view.edition)
        return Content("\n").join(Content.styled(line, "$quiet") for line in wrapped(words, width))

    def on_key(self, event: events.Key) -> None:
        """Close the sheet with any key; leaving is handled by the table."""
        event.stop()
        if not self.scroll_by_key(event.key):
            self.dismiss(None)


def _keys(view: View, phrases: Phrases, width: int) -> Content:
    say = phrases.words.say
    faces = EDITIONS[view.edition].dice.faces
    pairs = [
        (" ".join(faces), say("key.keep", face=", ".join(map(phrases.face, faces)))),
        (f"R, {say('key.space')}", say("key.roll")),
        ("S", say("key.stop")),
        *([("G", say("key.golden")), ("A", say("key.again"))] if view.edition == "deluxe" else []),
        ("U", say("key.undo")),
        ("1-6", say("key.answer")),
        ("H", say("key.hint")),
        *(_replay_keys(phrases.words) if view.wishes & {Wish.PLAY, Wish.BACK} else []),
        (say("key.space"), say("key.hurry")),
        ("X", say("key.bot")),
        ("+ -", say("key.pace")),
        ("T", say("key.theme")),
        ("?", say("key.keys")),
        ("Q", say("key.leave")),
    ]
    widest = max(len(key) for key, _ in pairs)
    lines = [Content.styled(say("keys"), "bold $primary")]
    for key, what in pairs:
        first, *more = wrapped(what, width - widest - 2)
        lines.append(Content.assemble((key.rjust(widest), "bold"), f"  {first}"))
        lines += [Content(f"{'':{widest}}  {line}") for line in more]
    return Content("\n").join(lines)


def _replay_keys(words: Messages) -> list[tuple[str, str]]:
    say = words.say
    return [
        ("← →", f"{say('review.back')}, {say('review.on')}"),
        (f"{say('key.home')} {say('key.end')}", f"{say('review.first')}, {say('review.last')}"),
        (say("key.space"), say("key.play")),
    ]


class WarningSheet(Sheet):
    """Asks about a move that is a mistake, and says why it is one."""

    def __init__(self, view: View, move: str, reason: Reason, phrases: Phrases) -> None:
        """Ask about ``move``, which may also be ``swap:4``."""
        super().__init__(view, phrases)
        self._move, self._reason = move, reason
        self._why = Why(phrases.language, phrases.names, view.you)

    def buttons(self) -> Iterable[Widget]:
        """Return the two answers."""
        again, anyway = self._why.warning_answers()
        with Horizontal(id="answers"):
            for option in (Option("", "1", again, kind="go"), Option(self._move, "2", anyway)):
                button = Choice()
                button.show(option)
                yield button

    def text(self, width: int) -> Content:
        """Return the warning and the reason."""
        assert self._view.weighed is not None, "nobody is warned of a move that is not weighed"
        why = self._why(self._reason, self._view.weighed.unit)
        title = Content.styled(self._why.warning(), "bold $primary")
        return Content("\n").join([title, *map(Content, wrapped(why, width))])

    def foot(self, width: int) -> Content:
        """Return the key that closes the sheet."""
        again, _ = self._why.warning_answers()
        return _in_lines([(self._phrases.words.say("key.escape"), again)], width)

    def on_key(self, event: events.Key) -> None:
        """Answer, or leave."""
        if event.key == "2":
            self.dismiss(self._move)
        elif event.key in ("q", "Q"):
            self.app.exit()
        elif event.key in ("1", "escape"):
            self.dismiss(None)
        elif not self.scroll_by_key(event.key):
            return
        event.stop()

    @on(Choice.Pressed)
    def _answered(self, message: Choice.Pressed) -> None:
        self.dismiss(message.word or None)


class EndSheet(Sheet):
    """Who won and why, the score line by line, and where the record is."""

    def __init__(self, view: View, outcome: Outcome, phrases: Phrases) -> None:
        """Show the end of a game."""
        super().__init__(view, phrases)
        self._outcome = outcome

    def text(self, width: int) -> Content:
        """Return the score and everything around it."""
        return end_text(self._view, self._outcome, self._phrases, width)

    def foot(self, width: int) -> Content:
        """Return the keys."""
        say = self._phrases.words.say
        keys = [("Q", say("short.leave")), (say("key.escape"), say("key.table"))]
        if Wish.REMATCH in self._view.wishes:
            keys.insert(0, ("N", say("end.rematch")))
        return _in_lines(keys, width)

    def on_key(self, event: events.Key) -> None:
        """Leave, play again, or look at the table once more."""
        event.stop()
        if event.key in ("q", "Q"):
            self.app.exit()
        elif event.key in ("n", "N") and Wish.REMATCH in self._view.wishes:
            self.dismiss(Wish.REMATCH)
        elif event.key in ("escape", "enter", "space"):
            self.dismiss(None)
        else:
            self.scroll_by_key(event.key)


def _in_lines(keys: list[tuple[str, str]], width: int) -> Content:
    """Return keys and what they do, as many per line as fit."""
    lines: list[Content] = []
    for key, what in keys:
        shown = Content.assemble((key, "bold"), (f" {what}", "$quiet"))
        if lines and lines[-1].cell_length + 3 + shown.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], "   ", shown)
        else:
            lines.append(shown)
    return Content("\n").join(lines)


def end_text(view: View, outcome: Outcome, phrases: Phrases, width: int) -> Content:
    """Return the text at the end of a game, in lines of at most ``width`` columns."""
    words = phrases.words
    headline = wrapped(_headline(view, outcome, phrases), width)
    lines = [
        *(Content.styled(line, "bold $primary") for line in headline),
        *map(Content, wrapped(_why(outcome, words), width)),
        Content(""),
        *_score(view, outcome, words, width),
    ]
    if view.record:
        where = wrapped(words.say("record.path", path=view.record), width)
        lines += [Content(""), *map(Content, where)]
    return Content("\n").join(lines)


def _headline(view: View, outcome: Outcome, phrases: Phrases) -> str:
    words = phrases.words
    alone = len(outcome.winners) == 1
    if view.you in outcome.winners:
        return words.say("end.youwin" if alone else "end.youshare")
    names = phrases.listed(outcome.winners)
    return words.say("end.wins", name=names) if alone else words.say("end.share", names=names)


def _why(outcome: Outcome, words: Messages) -> str:
    worms = words.count("worms", max(outcome.scores))
    others = [s for seat, s in enumerate(outcome.scores) if seat not in outcome.winners]
    second = max(others, default=0)
    return words.say(f"end.why.{outcome.decided_by}", worms=worms, second=second)


def _score(view: View, outcome: Outcome, words: Messages, width: int) -> list[Content]:
    """Return the score as a table: one row per player, best first, and one column per item.

    If names and figures do not fit side by side, each name is above its figures.
    """
    items = [words.say(f"item.{line.item}") for line in outcome.sheets[0]]
    heads = [*items, words.say("end.total")] if len(items) > 1 else items
    badge = max(map(cell_len, view.badges))
    name = max(map(cell_len, view.names))
    left = badge + 3 + name
    columns = _columns(heads, width - left - 2)
    beside = left + 2 + _breadth(columns) <= width
    indent = left + 2 if beside else badge + 3
    rows = [
        Content.styled(f"{'':{indent}}{line}", "$quiet") for line in _head_lines(heads, columns)
    ]
    for seat in (seat for place in outcome.ranking for seat in place):
        style = "bold" if seat in outcome.winners else ""
        who = Content.assemble(
            (f" {fit(view.badges[seat], badge)} ", player_style(seat)),
            (f" {fit(view.names[seat], min(name, width - badge - 3))}", style),
        )
        numbers = [line.worms for line in outcome.sheets[seat]]
        numbers += [outcome.scores[seat]] if len(items) > 1 else []
        cells = "  ".join(str(n).rjust(room) for n, room in zip(numbers, columns, strict=True))
        if beside:
            rows.append(Content.assemble(who, (f"  {cells}", style)))
        else:
            rows += [who, Content.styled(f"{'':{indent}}{cells}", style)]
    return rows


def _columns(heads: list[str], width: int) -> list[int]:
    """Return the widths of the columns: those of their headings, or of the longest words."""
    whole = [max(cell_len(head), 3) for head in heads]
    if _breadth(whole) <= width:
        return whole
    return [max(3, *map(cell_len, head.split())) for head in heads]


def _breadth(columns: list[int]) -> int:
    return sum(columns) + 2 * (len(columns) - 1)


def _head_lines(heads: list[str], columns: list[int]) -> list[str]:
    """Return the headings of the columns, aligned to the last line."""
    split = [wrapped(head, room) for head, room in zip(heads, columns, strict=True)]
    height = max(map(len, split))
    padded = [[*[""] * (height - len(lines)), *lines] for lines in split]
    return [
        "  ".join(at_right(text, room) for text, room in zip(line, columns, strict=True))
        for line in zip(*padded, strict=True)
    ]
