"""What is laid over the table: the keys, and the score at the end."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from heckmeck.narration import Messages
from heckmeck.rules import EDITIONS, Outcome
from heckmeck.tui.look import initial, player_style
from heckmeck.tui.phrases import Phrases
from heckmeck.tui.source import View, Wish


class Sheet(ModalScreen[Wish | None]):
    """Text over the table; any of its keys, or a click beside it, puts it away."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, text: Content) -> None:
        """Show ``text``."""
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the sheet on the table."""
        with Vertical(id="sheet"):
            yield Static(self._text)

    def on_click(self) -> None:
        """Put the sheet away."""
        self.dismiss(None)


class KeysSheet(Sheet):
    """The keys that there are."""

    def __init__(self, view: View, phrases: Phrases) -> None:
        """Show the keys of a game like that of ``view``."""
        super().__init__(_keys(view, phrases))

    def on_key(self, event: events.Key) -> None:
        """Put the sheet away, whatever the key; leaving is left to the table."""
        event.stop()
        self.dismiss(None)


def _keys(view: View, phrases: Phrases) -> Content:
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
        *([("← →", f"{say('review.back')}, {say('review.on')}")] if _replays(view) else []),
        *([("Home End", f"{say('review.first')}, {say('review.last')}")] if _replays(view) else []),
        *([(say("key.space"), say("key.play"))] if _replays(view) else []),
        ("+ -", say("key.pace")),
        ("T", say("key.theme")),
        ("?", say("key.keys")),
        ("Q", say("key.leave")),
    ]
    widest = max(len(key) for key, _ in pairs)
    lines = [Content.styled(say("keys"), "bold $primary")]
    lines += [
        Content.assemble((key.rjust(widest), "bold"), ("  ", ""), (what, "")) for key, what in pairs
    ]
    lines.append(Content.styled(say("keys.rules", edition=view.edition), "$quiet"))
    return Content("\n").join(lines)


def _replays(view: View) -> bool:
    return bool(view.wishes & {Wish.PLAY, Wish.FORWARD, Wish.BACK})


class EndSheet(Sheet):
    """Who won and why, the score line by line, and where the record is."""

    def __init__(self, view: View, outcome: Outcome, phrases: Phrases) -> None:
        """Show the end of a game."""
        super().__init__(end_text(view, outcome, phrases))
        self._may_repeat = Wish.REMATCH in view.wishes

    def on_key(self, event: events.Key) -> None:
        """Leave, play again, or look at the table once more."""
        event.stop()
        if event.key == "q":
            self.app.exit()
        elif event.key == "n" and self._may_repeat:
            self.dismiss(Wish.REMATCH)
        elif event.key in ("escape", "enter", "space"):
            self.dismiss(None)


def end_text(view: View, outcome: Outcome, phrases: Phrases) -> Content:
    """Return what is said at the end of a game."""
    words = phrases.words
    lines = [
        Content.styled(_headline(view, outcome, phrases), "bold $primary"),
        Content(_why(outcome, words)),
        Content(""),
        *_score(view, outcome, words),
        Content(""),
    ]
    if view.record:
        lines += [Content(words.say("record.path", path=view.record)), Content("")]
    keys = [("Q", words.say("short.leave")), ("Esc", words.say("key.table"))]
    if Wish.REMATCH in view.wishes:
        keys.insert(0, ("N", words.say("end.rematch")))
    parts = [part for key, text in keys for part in ((key, "bold"), (f" {text}   ", "$quiet"))]
    return Content("\n").join([*lines, Content.assemble(*parts)])


def _headline(view: View, outcome: Outcome, phrases: Phrases) -> str:
    words = phrases.words
    alone = len(outcome.winners) == 1
    mine = [seat for seat, sitter in enumerate(view.seats) if sitter.mine]
    if len(mine) == 1 and mine[0] in outcome.winners:
        return words.say("end.youwin" if alone else "end.youshare")
    names = phrases.listed(outcome.winners)
    return words.say("end.wins", name=names) if alone else words.say("end.share", names=names)


def _why(outcome: Outcome, words: Messages) -> str:
    worms = words.count("worms", max(outcome.scores))
    others = [s for seat, s in enumerate(outcome.scores) if seat not in outcome.winners]
    second = words.count("worms", max(others, default=0))
    return words.say(f"end.why.{outcome.decided_by}", worms=worms, second=second)


def _score(view: View, outcome: Outcome, words: Messages) -> list[Content]:
    """Return the score as a table: a row a player, best first, and a column an item."""
    items = [words.say(f"item.{line.item}") for line in outcome.sheets[0]]
    heads = [*items, words.say("end.total")] if len(items) > 1 else items
    room = max(len(name) for name in view.names)
    widths = [max(len(head), 3) for head in heads]
    head = "  ".join(text.rjust(width) for text, width in zip(heads, widths, strict=True))
    rows = [Content.styled(f"{'':{room + 4}}  {head}", "$quiet")]
    for place in outcome.ranking:
        for seat in place:
            numbers = [line.worms for line in outcome.sheets[seat]]
            numbers += [outcome.scores[seat]] if len(items) > 1 else []
            cells = "  ".join(
                str(number).rjust(width) for number, width in zip(numbers, widths, strict=True)
            )
            name = view.names[seat]
            rows.append(
                Content.assemble(
                    (f" {initial(name)} ", player_style(seat)),
                    (f" {name.ljust(room)}  {cells}", "bold" if seat in outcome.winners else ""),
                )
            )
    return rows
