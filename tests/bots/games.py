"""Whole games played by bots, for tests that need one."""

from heckmeck.bots import Player, player
from heckmeck.dice import Luck, SeededLuck
from heckmeck.record import History, Record
from heckmeck.rules import NO_HOUSE_RULES, AnyState, HouseRules, Move, legal, outcome, throws

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")

#: Random bots need up to ten thousand words for a classic game; who needs more never ends.
MOST_WORDS = 20_000


def next_move(bot: Player, state: AnyState, dice: Luck, whims: Luck) -> Move:
    """The dice fall, or the bot chooses one of the moves it may make."""
    chances = throws(state)
    if chances:
        return dice.throw(chances)
    move = bot.choose(state, whims)
    assert move in legal(state), f"{move} was chosen; legal were {legal(state)}"
    return move


def bot_game(
    edition: str,
    seats: int = 2,
    seed: int = 1,
    *,
    bot: Player | None = None,
    house: HouseRules = NO_HOUSE_RULES,
    words: int = MOST_WORDS,
) -> Record:
    """A game of one bot with itself (the random one, if none is given): so many words at most."""
    history = History(Record(edition, NAMES[:seats], house=house))
    chooser, dice, whims = bot or player("random"), SeededLuck(seed), SeededLuck(f"bots {seed}")
    while outcome(history.state) is None and len(history) < words:
        history.play([next_move(chooser, history.state, dice, whims)])
    return history.record
