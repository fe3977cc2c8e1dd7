"""What the reader can choose: the buttons on offer, and the keys, the same as in the browser."""

from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from heckmeck.narration import Messages, Phrases, StopWords
from heckmeck.rules import EDITIONS, AnyState, outcome
from heckmeck.tui.dice import Tray
from heckmeck.tui.source import View, Wish

#: The maximum number of answers to a question: six other players.
MOST_CHOICES: Final = 6
#: The questions a player may be asked, as prefixes of the answers' words.
QUESTIONS: Final = ("rob", "return", "pinch")

_MOVES: Final = {
    "r": ("roll",),
    "space": ("roll",),
    "s": ("stop", "bust"),
    "a": ("reroll",),
    "g": ("roll:golden",),
}

_WISHES: Final = {
    "u": (Wish.UNDO,),
    "h": (Wish.HINTS,),
    "left": (Wish.BACK,),
    "right": (Wish.FORWARD,),
    "home": (Wish.FIRST,),
    "end": (Wish.LAST,),
    "space": (Wish.PLAY, Wish.START, Wish.HURRY),
    "enter": (Wish.START, Wish.HURRY),
    "x": (Wish.RECLAIM, Wish.FILL_IN, Wish.BOT),
    "plus": (Wish.FASTER,),
    "minus": (Wish.SLOWER,),
}


@dataclass(frozen=True, slots=True)
class Option:
    """A button: the word it plays or its wish, its key, its text.

    ``kind`` is go, plain or fails.
    """

    word: str
    key: str
    title: str
    detail: str = ""
    kind: str = "plain"


def options(view: View, phrases: Phrases, stop: StopWords | None) -> list[Option]:
    """Return the buttons of a view, in order."""
    if Wish.START in view.wishes:
        return [Option(Wish.START, "⏎", phrases.words.say("lobby.start"), kind="go")]
    if Wish.REMATCH in view.wishes:
        return [Option(Wish.REMATCH, "N", phrases.words.say("end.rematch"))]
    if view.state is None:
        return []
    asked = answers(view.moves)
    if asked:
        return [_answer(word, number, phrases) for number, word in enumerate(asked, 1)]
    made = (_option(word, view, view.state, phrases, stop) for word in view.moves)
    return [option for option in made if option is not None]


def _answer(word: str, number: int, phrases: Phrases) -> Option:
    kind, _, of = word.partition(":")
    if kind == "return":
        back = phrases.words.say("ask.return.back")
        return Option(word, str(number), phrases.specialist(of), back)
    return Option(word, str(number), phrases.move(word))


def _option(
    word: str, view: View, state: AnyState, phrases: Phrases, stop: StopWords | None
) -> Option | None:
    say = phrases.words.say
    dice = state.turn.hand + state.turn.golden
    match word:
        case "roll":
            return Option(word, "R", phrases.words.count("roll", dice), _risk(view, phrases))
        case "roll:golden":
            return Option(word, "G", phrases.words.count("roll", dice + 1), say("act.golden.why"))
        case "reroll":
            return Option(word, "A", say("act.reroll"), say("act.reroll.why"))
        case "bust":
            return Option(word, "S", say("act.bust"), say("act.bust.why"), "fails")
        case "stop" if stop is not None:
            kind = "fails" if stop.fails else "go"
            return Option(word, "S", stop.title, stop.detail, kind)
        case _:
            return None


def _risk(view: View, phrases: Phrases) -> str:
    """Return the risk of the next throw, if dice are kept and hints are on."""
    now = view.prospects.get("stop")
    if now is None or now.dead is None:
        return ""
    if now.safe:
        return phrases.words.say("roll.junior")
    if not view.hints_on:
        return ""
    return phrases.words.say("roll.dead", chance=phrases.percent(now.dead))


def question(view: View, phrases: Phrases) -> str:
    """Return the question to the reader, if there is one."""
    asked = answers(view.moves)
    kind = asked[0].partition(":")[0] if asked else ""
    return phrases.words.say(f"ask.{kind}") if kind else ""


def waits(view: View, phrases: Phrases, stop: StopWords | None) -> str:
    """Return the text in place of buttons, or next to the only one."""
    say = phrases.words.say
    state = view.state
    if state is None:
        return view.note
    if view.throw:
        return phrases.enter(state, None if view.seats[state.seat].mine else state.seat)
    if "roll" in view.moves and "stop" not in view.moves and stop is not None:
        return say("act.goon", why=stop.detail)
    if any(word.startswith("keep:") for word in view.moves):
        return say("act.pick")
    if view.moves:
        return ""
    mover = view.seats[state.seat]
    if mover.mine or outcome(state) is not None:
        return ""
    return say(
        "act.bot" if mover.bot else "act.away" if mover.away else "act.waits", name=mover.name
    )


def answers(moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return the answers to the open question, if there is one."""
    return tuple(move for move in moves if move.partition(":")[0] in QUESTIONS)


def wish_of(key: str, view: View) -> Wish | None:
    """Return the wish that a key stands for, if it is available now."""
    return next((wish for wish in _WISHES.get(key, ()) if wish in view.wishes), None)


def move_of(key: str, view: View, tray: Tray) -> str | None:
    """Return the word that a key stands for: a move, or ``swap:4`` to keep that face instead."""
    asked = answers(view.moves)
    if asked:
        return dict(zip("123456", asked, strict=False)).get(key)
    letter = key.upper()
    if letter in EDITIONS[view.edition].dice.faces:
        return _keep(letter, view, tray)
    return next((word for word in _MOVES.get(key, ()) if word in view.moves), None)


def _keep(face: str, view: View, tray: Tray) -> str | None:
    if f"keep:{face}" in view.moves:
        return f"keep:{face}"
    return f"swap:{face}" if tray.can_keep_instead(face, view) else None


def keys(view: View, words: Messages) -> Content:
    """Return the last line: the keys that do something now."""
    pairs = [
        *_move_keys(view, words),
        *_wish_keys(view, words),
        ("?", words.say("short.keys")),
        ("Q", words.say("short.leave")),
    ]
    parts = [
        part for key, text in pairs for part in ((key, "bold $foreground"), (f" {text}   ", ""))
    ]
    return Content.assemble(*parts)


def _move_keys(view: View, words: Messages) -> list[tuple[str, str]]:
    asked = answers(view.moves)
    if asked:
        return [(f"1-{len(asked)}", words.say("short.answer"))]
    faces = [word.partition(":")[2] for word in view.moves if word.startswith("keep:")]
    pairs = [(" ".join(faces), words.say("short.keep"))] if faces else []
    if view.throw:
        dice = EDITIONS[view.edition].dice.faces
        pairs = [(" ".join(dice), words.say("short.enter")), ("⌫", words.say("short.erase"))]
    if "roll" in view.moves:
        pairs.append(("R", words.say("short.roll")))
    if {"stop", "bust"} & set(view.moves):
        pairs.append(("S", words.say("short.stop")))
    return pairs


def _wish_keys(view: View, words: Messages) -> list[tuple[str, str]]:
    offered = [
        ({Wish.START}, "⏎", words.say("short.start")),
        ({Wish.UNDO}, "U", words.say("short.undo")),
        ({Wish.HINTS}, "H", words.say("short.hints")),
        ({Wish.RECLAIM}, "X", words.say("short.reclaim")),
        ({Wish.FILL_IN}, "X", words.say("short.fill_in")),
        ({Wish.HURRY}, "␣", words.say("short.hurry")),
        ({Wish.PLAY}, "␣", words.say("short.play")),
        ({Wish.FORWARD, Wish.BACK}, "← →", words.say("short.step")),
        ({Wish.FASTER, Wish.SLOWER}, "+ -", words.say("short.pace")),
    ]
    return [(key, text) for wishes, key, text in offered if wishes & view.wishes]


class Choice(Static, can_focus=True):
    """A button with its key, its title, and a line about it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "press", show=False)]

    class Pressed(Message):
        """The reader chose this word or wish."""

        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

    word = ""

    def show(self, option: Option) -> None:
        """Show a choice."""
        self.word = option.word
        self.set_classes({f"-{option.kind}"})
        label = Content.assemble((f"{option.key} ", ""), (option.title, "bold"))
        text = Content.assemble(label, "\n", option.detail) if option.detail else label
        self.update(text, layout=False)

    def on_click(self, event: events.Click) -> None:
        """Report the word."""
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        """Report the word."""
        self.post_message(self.Pressed(self.word))
