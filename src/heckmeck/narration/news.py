"""What happens around a game: who comes and goes, what a table waits for, where a replay is."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from heckmeck.narration.messages import Messages, messages_in, table_words

#: What happens to a player and is worth a line of the table's log.
_OF_PLAYER: Final = frozenset(
    {"started", "sat", "left", "went_away", "came_back", "stood_in", "emoted", "undone"}
)
#: What happens to everybody.
_OF_TABLE: Final = frozenset({"reopened", "closed"})
_TOLD: Final = _OF_PLAYER | _OF_TABLE


class News:
    """Tells in one language what happens around a game."""

    def __init__(self, language: str = "en") -> None:
        """Speak one of our `languages`."""
        self._words: Messages = messages_in(language, "news")
        self._on_table: Messages = table_words(language)

    def happened(
        self, what: str, name: str = "", text: str = "", *, you: bool = False
    ) -> str | None:
        """Return the sentence for a table's event, None for one that nobody needs to read.

        ``name`` is whom it is about, and ``you`` whether that is the reader; ``text`` is the emote
        that they showed.

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
        """Return why something was refused; ``message`` is what the server says, in English.

        ``wait`` is how many seconds a limit lasts, where that is known; ``blanks`` are those of
        the sentence.
        """
        if wait is not None and self._words.has(f"refused.{code}.wait.other"):
            return self._words.count(f"refused.{code}.wait", max(1, ceil(wait)))
        return self._say_or(f"refused.{code}", message, **blanks)

    def waiting(self, free: int, *, can_start: bool, others: Sequence[str] = ()) -> str:
        """Return what a table before its game waits for: players, or somebody to start it.

        ``others`` at the table can start it, where the reader cannot; its host always can.

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
        """Return that the reader only watches."""
        return self._words.say("watching")

    def closed(self) -> str:
        """Return that the table is closed."""
        return self._words.say("table.closed")

    def link(self, *, first: bool) -> str:
        """Return that a table is being looked for, the first time or again."""
        return self._words.say("connecting") if first else self._on_table.say("reconnecting")

    def replay(self, at: int, moves: int, speed: float | None) -> str:
        """Return where a replay is, and how many moves per second it plays (None: it pauses)."""
        where = self._words.say("replay.at", at=at, all=moves)
        return (
            where
            if speed is None
            else self._words.say("replay.playing", at=where, speed=f"{speed:g}")
        )

    def bot(self, name: str, otherwise: str) -> str:
        """Return what a bot is called; ``otherwise`` if we have no words for it."""
        return self._say_or(f"bot.{name}", otherwise)

    def about_bot(self, name: str, otherwise: str) -> str:
        """Return how a bot plays; ``otherwise`` if we have no words for it."""
        return self._say_or(f"bot.{name}.about", otherwise)

    def _say_or(self, key: str, otherwise: str, **blanks: str) -> str:
        """Return a message; there can be newer codes, emotes and bots than we have words for."""
        return self._words.say(key, **blanks) if self._words.has(key) else otherwise
