"""Where dice come from. The only place that draws random numbers.

A `Luck` turns uniform numbers into throws and choices. Rules, bots and tables take one as an
argument, so everything random can be repeated from a seed, or scripted in a test.

>>> from heckmeck import rules
>>> state = rules.apply(rules.new_game("junior", 2), rules.parse("roll")).state
>>> rules.word(SeededLuck(7).throw(rules.throws(state)))
'=WWBCGG'
"""

from heckmeck.dice.fair import (
    Checked,
    FairDice,
    FairProof,
    NoProof,
    UnfairDice,
    check_dice,
    commitment,
    count_dice,
    promise,
)
from heckmeck.dice.luck import (
    CountedLuck,
    Luck,
    ScriptedLuck,
    Seed,
    SeededLuck,
    fresh_seed,
    key_of,
    new_secret,
    random_bytes,
)

__all__ = [
    "Checked",
    "CountedLuck",
    "FairDice",
    "FairProof",
    "Luck",
    "NoProof",
    "ScriptedLuck",
    "Seed",
    "SeededLuck",
    "UnfairDice",
    "check_dice",
    "commitment",
    "count_dice",
    "fresh_seed",
    "key_of",
    "new_secret",
    "promise",
    "random_bytes",
]
