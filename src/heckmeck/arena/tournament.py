"""A tournament: everything that its result depends on."""

from dataclasses import dataclass

from heckmeck.arena.schedule import Schedule
from heckmeck.bots import UnknownBot, find_bot
from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.rules import game


class BadTournament(ValueError):
    """A tournament that is not possible."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A number of games among bots; a bot that is named twice counts as one with two seats.

    The same values give the same games, with any number of workers. ``move_seconds`` is the time
    limit per move of outside programs.
    """

    edition: str
    bots: tuple[str, ...]
    seats: int
    games: int
    seed: int
    move_seconds: float = MOVE_SECONDS

    @property
    def schedule(self) -> Schedule:
        """The games, by number."""
        return Schedule(self.bots, self.seats, self.seed)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, each named once."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def round_games(self) -> int:
        """The number of games after which all bots have met in all seats equally often."""
        return self.seats * len(self.schedule.line_ups)

    def check(self) -> None:
        """Raise `BadTournament`, or `BadSetup` for the edition, if it cannot be played."""
        players = game(self.edition).players
        if self.seats not in players:
            raise BadTournament(
                f"{self.edition} is for {players[0]} to {players[-1]} players, "
                f"not for {self.seats}."
            )
        if self.games < 1:
            raise BadTournament(f"A tournament must have at least one game, not {self.games}.")
        if not self.move_seconds > 0:
            raise BadTournament("The time limit per move must be more than 0 seconds.")
        if len(self.bots) < 2:
            raise BadTournament(
                "A tournament needs at least two bots. To let one play against itself, name it "
                "twice: fox,fox."
            )
        for name in self.names:
            self._check_bot(name)

    def _check_bot(self, name: str) -> None:
        try:
            bot = find_bot(name, outside=True)
        except UnknownBot as error:
            raise BadTournament(str(error)) from error
        if self.edition not in bot.editions:
            raise BadTournament(f"{name} does not play {self.edition}.")
