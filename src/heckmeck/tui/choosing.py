"""The choices on offer, as buttons."""

from dataclasses import dataclass
from typing import Final

from heckmeck.rules import AnyState, dead_chance, game_at, outcome
from heckmeck.tui.keys import answers
from heckmeck.tui.phrases import Phrases, StopWords
from heckmeck.tui.source import View, Wish

#: The form of the word of a button for a wish.
WISH: Final = "wish:"


@dataclass(frozen=True, slots=True)
class Option:
    """A button: the word it plays, its key, its text. ``kind``: go, plain or fails."""

    word: str
    key: str
    title: str
    detail: str = ""
    kind: str = "plain"


def options(view: View, phrases: Phrases, stop: StopWords | None) -> list[Option]:
    """Return the buttons of a view, in order."""
    if Wish.START in view.wishes:
        return [Option(f"{WISH}{Wish.START}", "⏎", phrases.words.say("lobby.start"), kind="go")]
    if Wish.REMATCH in view.wishes:
        return [Option(f"{WISH}{Wish.REMATCH}", "N", phrases.words.say("end.rematch"))]
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
            title = phrases.words.count("roll", dice)
            return Option(word, "R", title, _risk(view, state, phrases))
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


def _risk(view: View, state: AnyState, phrases: Phrases) -> str:
    """Return the risk of the next throw, if dice are kept and hints are on."""
    if not state.turn.kept:
        return ""
    if game_at(state.table).dead_throw_counts:
        return phrases.words.say("roll.junior")
    if not view.hints_on:
        return ""
    return phrases.words.say("roll.dead", chance=phrases.percent(dead_chance(state)))


def question(view: View, phrases: Phrases) -> str:
    """Return the question to the reader, if there is one."""
    asked = answers(view.moves)
    if not asked:
        return ""
    kind = asked[0].partition(":")[0]
    return phrases.words.say(f"ask.{kind}")


def waits(view: View, phrases: Phrases, stop: StopWords | None) -> str:
    """Return the text in place of buttons, or next to the only one."""
    say = phrases.words.say
    state = view.state
    if state is None:
        return view.note
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
