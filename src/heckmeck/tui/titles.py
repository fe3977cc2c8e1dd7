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
    mine = [seat for seat in view.seats if seat.mine]
    if state is None or outcome(state) is not None:
        return "" if mine else words.say("table.watching")
    mover = view.seats[state.seat]
    if not mover.mine:
        return words.say("turn.of", name=mover.name)
    return words.say("turn.yours.title" if len(mine) == 1 else "turn.share", name=mover.name)


def _aside(view: View, words: Messages) -> str:
    parts = [view.note] if view.note else []
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
    pairs = [*_move_keys(view), *_wish_keys(view)]
    shown = [*pairs, ("?", "keys"), ("Q", "leave")]
    parts = [
        part
        for key, name in shown
        for part in ((key, "bold $foreground"), (f" {words.say(f'short.{name}')}   ", ""))
    ]
    return Content.assemble(*parts)


def _move_keys(view: View) -> list[tuple[str, str]]:
    asked = answers(view.moves)
    if asked:
        return [(f"1-{len(asked)}", "answer")]
    faces = [word.partition(":")[2] for word in view.moves if word.startswith("keep:")]
    pairs = [(" ".join(faces), "keep")] if faces else []
    if "roll" in view.moves:
        pairs.append(("R", "roll"))
    if {"stop", "bust"} & set(view.moves):
        pairs.append(("S", "stop"))
    return pairs


def _wish_keys(view: View) -> list[tuple[str, str]]:
    offered = [
        ({Wish.START}, "⏎", "start"),
        ({Wish.UNDO}, "U", "undo"),
        ({Wish.HINTS}, "H", "hints"),
        ({Wish.PLAY}, "␣", "play"),
        ({Wish.FORWARD, Wish.BACK}, "← →", "step"),
        ({Wish.FASTER, Wish.SLOWER}, "+ -", "pace"),
    ]
    return [(key, name) for wishes, key, name in offered if wishes & view.wishes]
