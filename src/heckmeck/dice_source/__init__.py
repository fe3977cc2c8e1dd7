"""Where dice come from. The only place that draws random numbers.

A `Luck` turns uniform numbers into throws and choices. Rules, bots and tables take one as an
argument, so everything random can be repeated from a seed, or scripted in a test.

>>> from heckmeck import rules
>>> state = rules.apply(rules.new_game("junior", 2), rules.parse("roll")).state
>>> rules.word(SeededLuck(7).throw(rules.throws(state)))
'=WWBCGG'
"""

from heckmeck.dice_source.counted import CountedLuck, key_of
from heckmeck.dice_source.fair import (
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
from heckmeck.dice_source.luck import Luck
from heckmeck.dice_source.scripted import ScriptedLuck
from heckmeck.dice_source.seeded import Seed, SeededLuck, fresh_seed

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
    "promise",
]
