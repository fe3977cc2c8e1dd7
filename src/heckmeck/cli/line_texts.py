"""What line mode prints and reads: tables, turns and choices as text, and what can be typed.

Lines are as wide as the terminal, broken between words, never inside a figure. Where output goes
into a pipe or a file, lines stay whole for the program that reads them, unless ``COLUMNS`` says how
wide they may be.
"""

import textwrap
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import Final, assert_never

import click

from heckmeck.cli.printing import width
from heckmeck.coach.why import Why
from heckmeck.narration import Messages, Phrases, messages, table_words
from heckmeck.rules import EDITIONS, AnyState, barbecue, classic, components, deluxe, junior, scores
from heckmeck.tui.source import View
from heckmeck.wire.coach import Advice, Reason

#: Joins what belongs together, such as a move and its value, until lines are broken.
TIED: Final = "\uf8ff"
#: Narrower than this, lines are left alone.
_NARROWEST: Final = 20
#: The same keys as on the table and in the browser.
SHORT: Final = {"r": "roll", "g": "roll:golden", "s": "stop", "a": "reroll", "b": "bust"}


class Command(StrEnum):
    """What can be typed apart from moves."""

    START = "start"
    UNDO = "undo"
    HINTS = "hints"
    FASTER = "+"
    SLOWER = "-"
    TABLE = "table"
    HELP = "help"
    QUIT = "quit"


_LETTERS: Final = {
    Command.UNDO: "u",
    Command.HINTS: "h",
    Command.TABLE: "t",
    Command.HELP: "?",
    Command.QUIT: "q",
}


# --- lines ----------------------------------------------------------------------------------------


def echo(text: str) -> None:
    """Print ``text``, broken into lines that fit."""
    click.echo(fitted(text))


def fitted(text: str) -> str:
    """Return ``text`` in lines that fit; the rest of a long line is indented."""
    room = width()
    lines = text.split("\n")
    if room is not None:
        lines = [part for line in lines for part in _broken(line, max(room, _NARROWEST))]
    return "\n".join(lines).replace(TIED, " ")


def _broken(line: str, most: int) -> list[str]:
    """Break a line.

    >>> _broken("  Ada: 3 (top tile 25, 2 in all)", 20)
    ['  Ada: 3 (top tile', '    25, 2 in all)']
    """
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    lines = textwrap.wrap(
        line, most, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return lines or [""]


# --- what can be typed ----------------------------------------------------------------------------


def offered(moves: Iterable[str]) -> str:
    """Return the prompt for these moves.

    >>> offered(["roll", "keep:4"]).replace(TIED, " ")
    'roll [r], keep:4 >'
    """
    return f"{', '.join(map(_with_short, moves))}{TIED}>"


def _with_short(move: str) -> str:
    short = next((key for key, value in SHORT.items() if value == move), None)
    return f"{move} [{short}]" if short else move


def move_of(text: str, moves: Collection[str]) -> str | None:
    """Return the move that an answer stands for, in full or in short, if it is one of ``moves``.

    >>> move_of("w", ["keep:1", "keep:W"]), move_of("s", ["roll"])
    ('keep:W', None)
    """
    candidates = (text, f"keep:{text.upper()}", SHORT.get(text.lower(), text))
    return next((candidate for candidate in candidates if candidate in moves), None)


def command_of(text: str, words: Messages) -> Command | None:
    """Return the command that ``text`` is, in full, as a letter or (help) in the reader's words."""
    text = text.lower()
    if text == words.say("plain.help.word"):
        return Command.HELP
    return next((each for each in Command if text in (each, _LETTERS.get(each))), None)


def help_text(
    moves: Iterable[tuple[str, str]], commands: Sequence[Command], words: Messages
) -> str:
    """Return what can be typed now: ``moves`` with what each does, and ``commands``."""
    can_play = [(_with_short(move), what) for move, what in moves]
    about = _about_commands(words)
    can_ask = [(_as_typed(each, words), about[each]) for each in commands]
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
    return f"{name} [{_LETTERS[each]}]" if each in _LETTERS else name


def _about_commands(words: Messages) -> dict[Command, str]:
    say = words.say
    return {
        Command.START: say("plain.help.start"),
        Command.UNDO: say("key.undo"),
        Command.HINTS: say("key.hint"),
        Command.FASTER: say("plain.help.faster"),
        Command.SLOWER: say("plain.help.slower"),
        Command.TABLE: say("key.table"),
        Command.HELP: say("plain.help.help"),
        Command.QUIT: say("plain.help.quit"),
    }


# --- tables and turns -----------------------------------------------------------------------------


class LineTexts:
    """Describes one table, in one language."""

    def __init__(self, names: Sequence[str], language: str = "en", you: int | None = None) -> None:
        """Speak of the players called ``names``, by seat, to the one on seat ``you``."""
        told = messages.messages_in(language)
        reader = told.say("you.first")
        self._names = [reader if at == you else name for at, name in enumerate(names)]
        self._words: Messages = table_words(language)
        self._phrases = Phrases(language, tuple(names))

    def table(self, state: AnyState) -> str:
        """Return the table as text: the grill first, then a line for each player."""
        table = state.table
        say = self._words.say
        match table:
            case classic.ClassicTable() | junior.JuniorTable():
                lines = [self._grill(table.grill.face_up)]
                about = [self._stack(stack) for stack in table.stacks]
            case deluxe.DeluxeTable():
                lines = [self._deluxe_grill(table), say("plain.supply", count=table.supply)]
                about = [self._deluxe_player(table, seat) for seat in range(table.seats)]
            case barbecue.BarbecueTable():
                spots = (self._spot(table, number) for number in components.BARBECUE_SPOTS)
                lines = [self._grill(spots), say("plain.pool", count=table.pool)]
                about = [self._barbecue_player(table, seat) for seat in range(table.seats)]
            case _:
                assert_never(table)
        for name, score, what in zip(self._names, scores(state), about, strict=True):
            lines.append("  " + say("colon", what=name, how=f"{score} ({what})"))
        return "\n".join(lines)

    def _grill(self, items: Iterable[object]) -> str:
        row = " ".join(map(str, items)) or self._words.say("plain.nothing")
        return self._words.say("plain.grill", row=row)

    def _stack(self, stack: tuple[int, ...]) -> str:
        if not stack:
            return self._words.say("plain.no_stack")
        return self._words.say("plain.stack", tile=stack[-1], count=len(stack))

    def _deluxe_grill(self, table: deluxe.DeluxeTable) -> str:
        standing = dict(table.on_grill)
        return self._grill(
            f"{tile}({self._phrases.specialist(standing[tile])})" if tile in standing else tile
            for tile in table.grill.face_up
        )

    def _deluxe_player(self, table: deluxe.DeluxeTable, seat: int) -> str:
        held = table.held[seat]
        bratworms = self._words.count("plain.bratworms", table.bratworms[seat])
        parts = [self._stack(table.stacks[seat]), bratworms]
        if held is not None:
            parts.append(self._words.say("plain.holds", specialist=self._phrases.specialist(held)))
        return ", ".join(parts)

    def _barbecue_player(self, table: barbecue.BarbecueTable, seat: int) -> str:
        return ", ".join(
            (
                self._words.count("worms", table.worms[seat]),
                self._words.count("plain.snails", table.snails[seat]),
                self._words.count("plain.plates", table.plates[seat]),
            )
        )

    def _spot(self, table: barbecue.BarbecueTable, number: int) -> str:
        spot = table.spot(number)
        if spot.snail:
            return f"{number}({self._words.say('plain.snail')})"
        if not spot.plates:
            return str(number)
        return f"{number}({'+'.join(self._names[seat] for seat in spot.plates)})"

    def turn(self, view: View, state: AnyState) -> str:
        """Return what is kept, its total, and whether a worm is among it."""
        turn, stop = state.turn, view.prospects.get("stop")
        worm = EDITIONS[view.edition].dice.worm in turn.kept
        if stop is not None:
            worm = stop.result is not None
        hand = str(turn.hand)
        if turn.golden:
            hand = self._words.say("plain.and_golden", hand=hand)
        return self._words.say(
            "plain.kept",
            dice=" ".join(turn.kept),
            total=turn.total,
            worm=self._words.say("plain.worm" if worm else "plain.no_worm"),
            hand=hand,
        )

    def hints(self, hints: Advice) -> str:
        """Return the value of each move, in a line."""
        value = self._phrases.value
        moves = [f"{hint.move}{TIED}{value(hint.worth, hints.unit)}" for hint in hints.moves]
        said = self._words.say(f"plain.hints.{hints.unit}", moves=", ".join(moves))
        if not hints.reasons:
            return said
        why = Why(self._phrases.language, self._phrases.names)
        return f"{said}\n{why(hints.reasons[0], hints.unit)}"

    def warning(self, view: View, reason: Reason) -> str:
        """Return why a move is a mistake, and how to make it anyway."""
        assert view.weighed is not None, "nobody is warned of a move that is not weighed"
        why = Why(self._phrases.language, self._phrases.names, view.you)
        said = f"{why.warning()}. {why(reason, view.weighed.unit)}"
        return f"{said}\n{why.repeating(reason.other)}"

    def stop(self, view: View) -> str:
        """Return what stopping now would do, in a line."""
        words = view.stop_words(self._phrases)
        if words is None or words.fails:
            return str(words or "")
        return self._words.say("plain.stop", what=str(words))

    def enter(self, view: View, state: AnyState) -> str:
        """Return the request to roll and to enter what fell."""
        return self._phrases.enter(state, None if view.seats[state.seat].mine else state.seat)

    def wrong(self, answer: str, view: View, state: AnyState) -> str:
        """Return why an answer is not what can have fallen."""
        return self._words.say(
            "throw.wrong",
            answer=f"{answer!r:.40}",
            dice=self._words.count("dice", state.turn.hand + state.turn.golden),
            faces=" ".join(EDITIONS[view.edition].dice.faces),
        )

    def choices(self, view: View) -> list[tuple[str, str]]:
        """Return the moves on offer, each with what it does."""
        if view.throw and view.state is not None:
            return [("=", self.enter(view, view.state))]
        stop = str(view.stop_words(self._phrases))
        return [(move, stop if move == "stop" else self._phrases.move(move)) for move in view.moves]
