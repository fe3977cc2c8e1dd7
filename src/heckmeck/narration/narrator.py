"""Events at a table in sentences, and the badge that stands for a player.

An event's name selects the message, and its fields fill the blanks of the same names, so message
files are independent of the code. If an event has several wordings, `_form` selects one.
Specialists include their articles: `{specialist}` is the object of a sentence, `{Specialist}` is
the subject, at its start.

The reader is *you*: a message about a player has a form `.you` for the reader as that player, and
one about a victim has a form `.from_you`. In lists the reader comes first, as `you.first` if the
list begins a sentence and as `you.among` otherwise.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from math import ceil
from typing import Final

from heckmeck.narration.messages import Messages, messages_in, table_words
from heckmeck.record import event_name
from heckmeck.rules import Event, Outcome, Specialist
from heckmeck.rules import events as e
from heckmeck.rules.components import JUNIOR_TILES


class Narrator:
    """Writes sentences about the events at one table."""

    def __init__(self, names: Sequence[str], language: str = "en", you: int | None = None) -> None:
        """Write about the players called ``names``, by seat, in one of the `languages`.

        ``you`` is the reader's seat, or None if all players are called by name: for several
        readers, or for one who does not play.
        """
        self._names = names
        self._messages = messages_in(language)
        self._you = you

    def start(self, seat: int) -> str:
        """Return the sentence that says who starts the game."""
        name = self._names[seat]
        return self._messages.say("start.you" if seat == self._you else "start", seat=name)

    def events(self, events: Iterable[Event]) -> str:
        """Return the sentences for all of these events."""
        return " ".join(map(self.event, events))

    def lines(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return the lines of a log: one per event, except that dice are seen when they fall."""
        return tuple(self.event(event) for event in events if not isinstance(event, e.DiceCast))

    def event(self, event: Event) -> str:
        """Return the sentence, or sentences, for one event."""
        if isinstance(event, e.GameEnded):
            return self._game_ended(event.outcome)
        key = self._for_reader(event_name(event) + _form(event, self._messages.plural), event)
        words = {field.name: getattr(event, field.name) for field in fields(event)}
        blanks = {name: self._word(name, value) for name, value in words.items()}
        return self._messages.say(key, **blanks, **self._other_forms(event))

    def _for_reader(self, key: str, event: Event) -> str:
        """Return the key of the message's form for this reader."""
        if self._you is None:
            return key
        for role, form in ((_actor(event), "you"), (getattr(event, "victim", None), "from_you")):
            if role == self._you and self._messages.has(f"{key}.{form}"):
                return f"{key}.{form}"
        return key

    def _other_forms(self, event: Event) -> dict[str, str]:
        """Return additional blanks that are not fields of the event."""
        match event:
            case e.DiceKept(face=face, count=1):
                return {"one": self._messages.say(f"one.{face}")}
            case e.DiceKept(face=face, count=count):
                return {
                    "faces": self._messages.say(f"faces.{face}"),
                    "number": self._messages.say(f"number.{count}"),
                }
            case e.SpecialistReturned() | e.SpecialistMoved():
                return {"Specialist": self._messages.say(f"Specialist.{event.specialist}")}
            case _:
                return {}

    def _game_ended(self, outcome: Outcome) -> str:
        scores = ", ".join(map(self._score, range(len(self._names)), outcome.scores))
        over = self._messages.say(f"game_ended.{outcome.reason}")
        winners = self._all_of(outcome.winners, self._messages.say("you.first"))
        you = ".you" if self._you in outcome.winners else ""
        won = self._messages.say(f"winner.{outcome.decided_by}{you}", winners=winners)
        return f"{over} {scores}. {won}"

    def _score(self, seat: int, score: int) -> str:
        name, worms = self._names[seat], self._messages.count("worms", score)
        return self._messages.say(
            "score.you" if seat == self._you else "score", seat=name, worms=worms
        )

    def _word(self, name: str, value: int | str | tuple[int, ...] | None) -> str:
        """Return the text for the blank called ``name``."""
        match name, value:
            case _, None:
                return ""
            case _, Specialist():
                return self._messages.say(f"specialist.{value}")
            case "seat" | "thief" | "victim", int():
                return self._names[value]
            case "worms", int():
                return self._messages.count("worms", value)
            case "face" | "golden" | "dice", str():
                return " ".join(self._messages.say(f"face.{face}") for face in value)
            case _, tuple():
                return self._all_of(value, self._messages.say("you.among"))
            case _:
                return str(value)

    def _all_of(self, seats: tuple[int, ...], reader: str) -> str:
        """Return the names of these seats; ``reader`` is what the reader is called among them."""
        names = [self._names[seat] for seat in seats if seat != self._you]
        return self._messages.listed([reader, *names] if self._you in seats else names)


def _actor(event: Event) -> int | None:
    """Return the seat that acted, or None if nobody did."""
    match event:
        case e.TileStolen() | e.SpecialistStolen() | e.BratwormRobbed() | e.PlateReplaced():
            return event.thief
        case e.TileTurned() | e.SpecialistMoved() | e.SnailPlaced() | e.GameEnded():
            return None
        case _:
            return event.seat


def _form(event: Event, plural: Callable[[int], str]) -> str:
    """Return the suffix of the message's key for events with several wordings."""
    match event:
        case e.DiceCast(_, dice, golden):
            return _dice_form(dice, golden, plural)
        case e.DiceFell(_, dice, golden):
            return _dice_form(len(dice), golden is not None, plural)
        case e.DiceKept(count=count):
            return f".{plural(count)}"
        case e.TurnEnded(stopped=stopped):
            return ".stopped" if stopped else ".complete"
        case e.AttemptFailed(_, why) | e.MissedOut(_, why) | e.BratwormEarned(_, why):
            return f".{why}"
        case e.TileTaken(tile=tile, result=result):
            return ".exact" if tile == result else ".lower"
        case e.TileStolen(tile=tile):
            return ".pinched" if tile in JUNIOR_TILES else ""
        case e.SpecialistReturned(tile=place) | e.SpecialistMoved(to=place):
            return ".gone" if place is None else ".tile"
        case e.TileGuarded(thief=thief):
            return ".failure" if thief is None else ".thief"
        case e.SnailTaken(spot=spot):
            return ".pool" if spot is None else ".spot"
        case _:
            return ""


def _dice_form(white: int, golden: bool, plural: Callable[[int], str]) -> str:
    return (".golden" if golden else "") + (f".{plural(white)}" if white else "")


def badges(names: Sequence[str]) -> tuple[str, ...]:
    """Return a distinct badge for each player of a table, by seat.

    A badge is the first letter of the name, followed by a number if an earlier seat has the same
    letter. So a badge does not change when another player sits down.

    >>> badges(["Chef", "Chick", "Fox", "Cook"])
    ('C', 'C2', 'F', 'C3')
    """
    taken: Counter[str] = Counter()
    found = []
    for name in names:
        letter = name.strip()[:1].upper()[:1] or "?"
        taken[letter] += 1
        found.append(letter if taken[letter] == 1 else f"{letter}{taken[letter]}")
    return tuple(found)


#: Events about a player that appear in the log of the table.
_OF_PLAYER: Final = frozenset(
    {"started", "sat", "left", "went_away", "came_back", "stood_in", "emoted", "undone"}
)
#: Events that concern all players.
_OF_TABLE: Final = frozenset({"reopened", "closed"})
_SHOWN: Final = _OF_PLAYER | _OF_TABLE


class News:
    """Sentences about what happens around a game, in one language."""

    def __init__(self, language: str = "en") -> None:
        """Use one of the `languages`."""
        self._words: Messages = messages_in(language, "news")
        self._on_table: Messages = table_words(language)

    def happened(
        self, what: str, name: str = "", text: str = "", *, you: bool = False
    ) -> str | None:
        """Return the sentence for an event at a table, or None if it is not shown.

        ``name`` is the player it is about, and ``you`` whether that is the reader; ``text`` is the
        emote they showed.

        >>> News("de").happened("sat", "Ada"), News("de").happened("sat", "Ada", you=True)
        ('Ada setzt sich.', 'Du setzt dich.')
        """
        if what not in _SHOWN:
            return None
        emote = self._say_or(f"emote.{text}", text) if what == "emoted" else ""
        if you and what not in _OF_TABLE:
            return self._words.say(f"log.{what}.you", emote=emote)
        return self._words.say(f"log.{what}", name=name, emote=emote)

    def refusal(self, code: str, message: str, wait: float | None = None, **blanks: str) -> str:
        """Return the reason for a refusal; ``message`` is the server's own, in English.

        ``wait`` is the number of seconds until the next attempt, if known; ``blanks`` are those of
        the sentence.
        """
        if wait is not None and self._words.has(f"refused.{code}.wait.other"):
            return self._words.count(f"refused.{code}.wait", max(1, ceil(wait)))
        return self._say_or(f"refused.{code}", message, **blanks)

    def waiting(self, free: int, *, can_start: bool, others: Sequence[str] = ()) -> str:
        """Return what a table is waiting for before its game: players, or the start.

        ``others`` are the players who can start it if the reader cannot; the host always can.

        >>> News().waiting(0, can_start=False, others=["Ada", "Ben"])
        'Everybody is seated. Ada or Ben can start the game.'
        """
        if free:
            return self._words.count("table.waiting", free)
        if can_start:
            return self._words.say("table.ready")
        if not others:
            return self._words.say("table.host_starts")
        *first, last = others
        names = self._on_table.say("plain.or", first=", ".join(first), last=last) if first else last
        return self._words.say("table.players_start", names=names)

    def watching(self) -> str:
        """Return the sentence for a reader who is watching."""
        return self._words.say("watching")

    def closed(self) -> str:
        """Return the sentence for a closed table."""
        return self._words.say("table.closed")

    def reconnecting(self) -> str:
        """Return the sentence for a lost connection to a table."""
        return self._on_table.say("reconnecting")

    def replay(self, at: int, moves: int, speed: float | None) -> str:
        """Return the position of a replay and its speed in moves per second (None: paused)."""
        where = self._words.say("replay.at", at=at, all=moves)
        if speed is None:
            return where
        return self._words.say("replay.playing", at=where, speed=f"{speed:g}")

    def bot(self, name: str, otherwise: str) -> str:
        """Return the name of a bot; ``otherwise`` if there is no translation."""
        return self._say_or(f"bot.{name}", otherwise)

    def about_bot(self, name: str, otherwise: str) -> str:
        """Return the description of a bot; without a translation ``otherwise``, if that says it."""
        return self._say_or(f"bot.{name}.about", otherwise or self._words.say("bot.guest.about"))

    def _say_or(self, key: str, otherwise: str, **blanks: str) -> str:
        """Return a message, or ``otherwise`` for the code, emote or bot of a newer server."""
        return self._words.say(key, **blanks) if self._words.has(key) else otherwise
