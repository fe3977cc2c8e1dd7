"""Uses everything once that Numba compiles on first use.

The machine code is cached on disk: after this, no first move and no first advice has to wait.
"""

from typing import Final, NamedTuple

from heckmeck import bots, dice, rules
from heckmeck.coach.advice import advise

#: Champions use different networks for two players and for more.
SEATS: Final = (2, 3)
#: The number of moves and throws to play: a turn or two.
WORDS: Final = 12


class Part(NamedTuple):
    """A bot in one of its games."""

    edition: str
    bot: str


def parts() -> list[Part]:
    """Return everything to prepare."""
    return [
        Part(edition, bot.name)
        for edition in rules.EDITIONS
        for bot in bots.BOTS.values()
        if edition in bot.editions
    ]


def prepare(part: Part) -> None:
    """Let the bot begin games, use the coach on them, and play in bulk."""
    bot = bots.player(part.bot)
    for seats in SEATS:
        state, luck = rules.new_game(part.edition, seats), dice.SeededLuck(0)
        for _ in range(WORDS):
            if chances := rules.throws(state):
                state = rules.apply(state, luck.throw(chances)).state
                continue
            if rules.legal(state):
                advise(state, "worms")
                advise(state)
                state = rules.apply(state, bot.choose(state, luck)).state
    from heckmeck.bots.in_bulk import prepare_bulk

    for seats in SEATS:
        prepare_bulk(part.bot, part.edition, seats)
