"""Uses everything once that Numba compiles on first use.

The machine code is cached on disk: after this, no first move and no first advice has to wait.
"""

from typing import Final, NamedTuple

from heckmeck import bots, dice, rules
from heckmeck.coach.advice import advise
from heckmeck.values import value_for
from heckmeck.values.course import Moment, changes

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
    from heckmeck.bots.in_bulk import prepare_bulk

    for seats in SEATS:
        state = rules.new_game(part.edition, seats)
        played = _begin(state, bots.player(part.bot))
        judged = [*changes(played, value_for(state.table))]  # as reviews and rollouts do
        assert len(judged) == WORDS
        prepare_bulk(part.bot, part.edition, seats)


def _begin(state: rules.AnyState, bot: bots.Player) -> list[Moment]:
    """Let the bot begin a game, with advice; return its moves."""
    luck, played = dice.SeededLuck(0), list[Moment]()
    for _ in range(WORDS):
        if chances := rules.throws(state):
            move: rules.Move = luck.throw(chances)
        else:
            advise(state, "worms")
            advise(state)
            move = bot.choose(state, luck)
        played.append((state, move))
        state = rules.apply(state, move).state
    return played
