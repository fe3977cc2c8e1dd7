"""A game in this process: bots, dice and the record; people are asked elsewhere.

The luck of every word has its own seed, derived from the game's seed and the number of the word. So
a resumed game has the dice it would have had anyway, and taking back a keep does not change the
dice.
"""

from collections.abc import Callable, Mapping

from heckmeck.bots import Player
from heckmeck.dice_source import Seed, SeededLuck
from heckmeck.record import History, Record
from heckmeck.rules import AnyState, Event, Move, outcome, throws
from heckmeck.rules.moves import Keep
from heckmeck.rules.state import Deciding


def nowhere(_: Record) -> None:
    """Keep no record."""


class Game:
    """A game in progress that is saved after every word."""

    def __init__(
        self,
        history: History,
        bots: Mapping[int, Player],
        seed: Seed,
        save: Callable[[Record], None] = nowhere,
    ) -> None:
        """Seat ``bots`` at the table of ``history``; every other seat is a person's.

        ``save`` is called with the record now and after every change; its errors stop the game.
        """
        self._history = history
        self._seed = seed
        self._save = save
        self.bots = bots
        save(history.record)

    @property
    def state(self) -> AnyState:
        """The current state."""
        return self._history.state

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._history.record

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return outcome(self.state) is not None

    @property
    def bot(self) -> Player | None:
        """The bot that is to move, if any."""
        return self.bots.get(self.state.seat)

    @property
    def you(self) -> int | None:
        """The reader's seat; None where several people share this screen, or only bots play."""
        people = [seat for seat in range(len(self.record.seats)) if seat not in self.bots]
        return people[0] if len(people) == 1 else None

    @property
    def can_put_back(self) -> bool:
        """Whether a person may still take back the last keep: until the next throw."""
        moves = self.record.moves
        kept = bool(moves) and isinstance(moves[-1], Keep)
        return kept and isinstance(self.state.phase, Deciding) and bool(self.state.turn.kept)

    def play(self, move: Move) -> tuple[Event, ...]:
        """Play and save a move, and return its events; raise `BadRecord` if it is illegal."""
        events = self._history.play([move])
        self._save(self.record)
        return events

    def put_back(self) -> None:
        """Take back the last keep."""
        self._history.undo(1)
        self._save(self.record)

    def fall(self) -> Move:
        """Return what the dice in the air show."""
        return self._luck("dice").throw(throws(self.state))

    def chosen(self) -> Move:
        """Return the move of the bot to move. This may take a while."""
        assert self.bot is not None
        return self.bot.choose(self.state, self._luck("bots"))

    def _luck(self, of: str) -> SeededLuck:
        return SeededLuck(f"{of} {self._seed} {len(self._history)}")
