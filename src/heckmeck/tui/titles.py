"""The first and the last line of the screen: where we are, and which keys do something."""

from textual.content import Content

from heckmeck.narration import Messages
from heckmeck.rules import AnyState, outcome
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.tui.keys import answers
from heckmeck.tui.source import View, Wish


def title(view: View, words: Messages, width: int) -> Content:
    """Return the first line: the game and whose turn it is, and what the table has in store."""
    left = [(words.say(f"edition.{view.edition}"), "bold $primary"), ("  ", "")]
    turn = turn_words(view, words)
    right = words.say("reconnecting") if not view.connected else _aside(view, words)
    room = width - sum(len(text) for text, _ in left)
    gap = max(room - len(turn) - len(right), 1)
    style = "bold $error" if not view.connected else "$quiet"
    return Content.assemble(*left, (turn, "bold"), " " * gap, (right, style))


def turn_words(view: View, words: Messages) -> str:
    """Return whose turn it is, as the reader sees it."""
    state = view.state
    if state is None or outcome(state) is not None:
        plays = any(seat.mine for seat in view.seats)
        return "" if plays else words.say("table.watching")
    mover = view.seats[state.seat]
    if not mover.mine:
        return words.say("turn.of", name=mover.name)
    return words.say("turn.share" if view.you is None else "turn.yours.title", name=mover.name)


def _aside(view: View, words: Messages) -> str:
    # Before the game begins the note has the middle of the table for itself.
    parts = [] if view.state is None else [view.note]
    parts += [_store(view.state, words)] if view.state is not None else []
    return " · ".join(filter(None, parts))


def _store(state: AnyState, words: Messages) -> str:
    match state.table:
        case DeluxeTable(supply=supply):
            return words.count("supply", supply)
        case BarbecueTable(pool=pool):
            return words.count("pool", pool)
        case _:
            return ""


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
        ({Wish.PLAY}, "␣", words.say("short.play")),
        ({Wish.FORWARD, Wish.BACK}, "← →", words.say("short.step")),
        ({Wish.FASTER, Wish.SLOWER}, "+ -", words.say("short.pace")),
    ]
    return [(key, text) for wishes, key, text in offered if wishes & view.wishes]
