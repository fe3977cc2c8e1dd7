"""What can be typed line by line: moves in full or in short, and a few commands beside them."""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import Final

from heckmeck.narration import Messages

#: The same keys as on the table and in the browser.
SHORT: Final = {"r": "roll", "g": "roll:golden", "s": "stop", "a": "reroll", "b": "bust"}


class Command(StrEnum):
    """What can be typed beside moves."""

    START = "start"
    UNDO = "undo"
    HINTS = "hints"
    FASTER = "+"
    SLOWER = "-"
    TABLE = "table"
    HELP = "help"
    QUIT = "quit"


_LETTERS: Final = {
    "u": Command.UNDO,
    "h": Command.HINTS,
    "t": Command.TABLE,
    "?": Command.HELP,
    "q": Command.QUIT,
}


def with_short(word: str) -> str:
    """Return a word as it is offered, with what can be typed instead.

    >>> with_short("roll"), with_short("keep:4")
    ('roll [r]', 'keep:4')
    """
    short = _short(word)
    return f"{word} [{short}]" if short else word


def long(text: str, moves: Collection[str]) -> str:
    """Return the move that a short answer stands for, or the answer as it is.

    >>> long("w", ["keep:1", "keep:W"]), long("s", ["roll"])
    ('keep:W', 's')
    """
    candidates = (text, f"keep:{text.upper()}", SHORT.get(text.lower(), text))
    return next((candidate for candidate in candidates if candidate in moves), text)


def command(text: str, words: Messages) -> Command | None:
    """Return the command that ``text`` is, in full, as a letter or (help) in the reader's words."""
    text = text.lower()
    if text == words.say("plain.help.word"):
        return Command.HELP
    if text in _LETTERS:
        return _LETTERS[text]
    return Command(text) if text in [*Command] else None


def help_text(
    moves: Iterable[tuple[str, str]], commands: Sequence[Command], words: Messages
) -> str:
    """Return what can be typed now: ``moves`` with what each does, and ``commands``."""
    can_play = [(with_short(move), what) for move, what in moves]
    can_ask = [(_as_typed(each, words), _what(each, words)) for each in commands]
    room = max(len(typed) for typed, _ in can_play + can_ask)
    lines = [words.say("plain.help")]
    for title, pairs in (
        (words.say("plain.help.moves"), can_play),
        (words.say("plain.help.also"), can_ask),
    ):
        if pairs:
            lines += [title, *(f"  {typed:{room}}  {what}" for typed, what in pairs)]
    return "\n".join(lines)


def _as_typed(each: Command, words: Messages) -> str:
    name = words.say("plain.help.word") if each is Command.HELP else each.value
    letter = next((letter for letter, known in _LETTERS.items() if known is each), "")
    return f"{name} [{letter}]" if letter else name


def _what(each: Command, words: Messages) -> str:
    match each:
        case Command.START:
            return words.say("plain.help.start")
        case Command.UNDO:
            return words.say("key.undo")
        case Command.HINTS:
            return words.say("key.hint")
        case Command.FASTER:
            return words.say("plain.help.faster")
        case Command.SLOWER:
            return words.say("plain.help.slower")
        case Command.TABLE:
            return words.say("key.table")
        case Command.HELP:
            return words.say("plain.help.help")
        case Command.QUIT:
            return words.say("plain.help.quit")


def _short(word: str) -> str | None:
    return next((key for key, value in SHORT.items() if value == word), None)
