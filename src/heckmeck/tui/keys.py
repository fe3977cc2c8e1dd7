"""What a key means in a view: the same keys as in the browser."""

from typing import Final

from heckmeck.rules import EDITIONS
from heckmeck.tui.source import View, Wish
from heckmeck.tui.tray import Tray

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
    "space": (Wish.PLAY, Wish.START),
    "enter": (Wish.START,),
    "plus": (Wish.FASTER,),
    "minus": (Wish.SLOWER,),
}


def answers(moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return the answers to the open question, if there is one."""
    return tuple(move for move in moves if move.partition(":")[0] in QUESTIONS)


def swap_face(word: str) -> str | None:
    """Return the face to keep instead of the one just kept, if ``word`` asks for it."""
    kind, _, face = word.partition(":")
    return face if kind == "swap" else None


def wish_of(key: str, view: View) -> Wish | None:
    """Return the wish that a key stands for, if it is available now."""
    return next((wish for wish in _WISHES.get(key, ()) if wish in view.wishes), None)


def move_of(key: str, view: View, tray: Tray) -> str | None:
    """Return the word that a key stands for: a move, or ``swap:4`` to keep that face instead."""
    asked = answers(view.moves)
    if asked:
        return asked[int(key) - 1] if key in _numbers(len(asked)) else None
    letter = key.upper()
    if letter in EDITIONS[view.edition].dice.faces:
        return _keep(letter, view, tray)
    return next((word for word in _MOVES.get(key, ()) if word in view.moves), None)


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, min(count, 9) + 1))


def _keep(face: str, view: View, tray: Tray) -> str | None:
    if f"keep:{face}" in view.moves:
        return f"keep:{face}"
    return f"swap:{face}" if can_swap(face, view, tray) else None


def can_swap(face: str, view: View, tray: Tray) -> bool:
    """Whether the last keep may be taken back to keep ``face`` instead."""
    if Wish.UNDO not in view.wishes or view.state is None or not tray.kept:
        return False
    return tray.shows(face) and face not in view.state.turn.kept
