"""What happens around a game: who comes and goes, what a table waits for, where a replay is."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from heckmeck.narration.messages import Messages, messages_in, table_words

#: Events about a player that appear in the log of the table.
_OF_PLAYER: Final = frozenset(
    {"started", "sat", "left", "went_away", "came_back", "stood_in", "emoted", "undone"}
)
#: Events that concern all players.
_OF_TABLE: Final = frozenset({"reopened", "closed"})
_TOLD: Final = _OF_PLAYER | _OF_TABLE


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
        if what not in _TOLD:
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

    def link(self, *, first: bool) -> str:
        """Return the sentence for connecting to a table, or for reconnecting."""
        return self._words.say("connecting") if first else self._on_table.say("reconnecting")

    def replay(self, at: int, moves: int, speed: float | None) -> str:
        """Return the position of a replay and its speed in moves per second (None: paused)."""
        where = self._words.say("replay.at", at=at, all=moves)
        return (
            where
            if speed is None
            else self._words.say("replay.playing", at=where, speed=f"{speed:g}")
        )

    def bot(self, name: str, otherwise: str) -> str:
        """Return the name of a bot; ``otherwise`` if there is no translation."""
        return self._say_or(f"bot.{name}", otherwise)

    def about_bot(self, name: str, otherwise: str) -> str:
        """Return the description of a bot; ``otherwise`` if there is no translation."""
        return self._say_or(f"bot.{name}.about", otherwise)

    def _say_or(self, key: str, otherwise: str, **blanks: str) -> str:
        """Return a message, or ``otherwise`` for the code, emote or bot of a newer server."""
        return self._words.say(key, **blanks) if self._words.has(key) else otherwise
