"""Everything that Numba compiles when it is first used, used once.

The machine code is kept on disk: after this no bot's first move and no first advice waits for it.
"""

from typing import Final, NamedTuple

from heckmeck.bots import BOTS, player
from heckmeck.coach.advice import advise
from heckmeck.dice_source import SeededLuck
from heckmeck.rules import EDITIONS, apply, legal, new_game, throws

#: For two and for more players the champions look at a table differently.
SEATS: Final = (2, 3)
#: Moves and throws of the game that is begun: a turn or two.
WORDS: Final = 12


class Part(NamedTuple):
    """A bot in one of its games."""

    edition: str
    bot: str


def parts() -> list[Part]:
    """Return all there is to prepare."""
    return [
        Part(edition, bot.name)
        for edition in EDITIONS
        for bot in BOTS.values()
        if edition in bot.editions
    ]


def prepare(part: Part) -> None:
    """Let the bot begin games, and the coach look on."""
    bot = player(part.bot)
    for seats in SEATS:
        state, luck = new_game(part.edition, seats), SeededLuck(0)
        for _ in range(WORDS):
            if chances := throws(state):
                state = apply(state, luck.throw(chances)).state
                continue
            if legal(state):
                advise(state, "worms")
                advise(state)
                state = apply(state, bot.choose(state, luck)).state
