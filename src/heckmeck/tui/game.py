"""A game in this process: people are asked elsewhere; bots, dice and the record are here.

The luck of every word has a seed of its own, made from the game's seed and the word's number. So a
game that is resumed goes on with the dice it would have had, and nobody gets other dice by putting
back what was kept.
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
    """A game under way that writes itself down after every word."""

    def __init__(
        self,
        history: History,
        bots: Mapping[int, Player],
        seed: Seed,
        save: Callable[[Record], None] = nowhere,
    ) -> None:
        """Seat ``bots`` at the table of ``history``; every other seat is a person's.

        ``save`` is given the record now and after every change; what it raises stops the game.
        """
        self._history = history
        self._seed = seed
        self._save = save
        self.bots = bots
        save(history.record)

    @property
    def state(self) -> AnyState:
        """The game as it is now."""
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
        """The bot that is to move, if it is one's turn."""
        return self.bots.get(self.state.seat)

    @property
    def you(self) -> int | None:
        """The reader's seat; None where several people share this screen, or only bots play."""
        people = [seat for seat in range(len(self.record.seats)) if seat not in self.bots]
        return people[0] if len(people) == 1 else None

    @property
    def can_put_back(self) -> bool:
        """Whether a person may still put back the dice just kept: until the next throw."""
        moves = self.record.moves
        kept = bool(moves) and isinstance(moves[-1], Keep)
        return kept and isinstance(self.state.phase, Deciding) and bool(self.state.turn.kept)

    def play(self, move: Move) -> tuple[Event, ...]:
        """Play a move, write it down and return what happened; raise `BadRecord` if illegal."""
        events = self._history.play([move])
        self._save(self.record)
        return events

    def put_back(self) -> None:
        """Put back the dice just kept."""
        self._history.undo(1)
        self._save(self.record)

    def fall(self) -> Move:
        """Return what the dice in the air show."""
        return self._luck("dice").throw(throws(self.state))

    def chosen(self) -> Move:
        """Return what the bot to move plays. It may take its time."""
        assert self.bot is not None
        return self.bot.choose(self.state, self._luck("bots"))

    def _luck(self, of: str) -> SeededLuck:
        return SeededLuck(f"{of} {self._seed} {len(self._history)}")
