"""Actions: a number for every move that a player can choose, the same in all games of an edition.

In this order: ``roll``, ``stop``, ``keep`` with each face in the dice's order; in deluxe
``roll:golden``, ``reroll``, ``bust``, ``return`` with each Specialist that can be held, then
``rob``; in junior ``pinch``. The victim of ``rob`` and ``pinch`` is counted from the player to
move: ``rob:1`` robs the next player, clockwise.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from heckmeck.rules import Specialist, game

ROLL: Final = 0
STOP: Final = 1
#: Keeping a face is `KEEP` plus its place in the dice's order.
KEEP: Final = 2
ROLL_GOLDEN: Final = 8
REROLL: Final = 9
BUST: Final = 10
#: Returning a Specialist is `RETURN` plus its place among `HOLDABLE`.
RETURN: Final = 11
#: The raven is never held (D9).
HOLDABLE: Final = tuple(each for each in Specialist if each is not Specialist.RAVEN)
#: Robbing the next player.
ROB: Final = RETURN + len(HOLDABLE)
#: Pinching from the next player.
PINCH: Final = 7


@cache
def action_words(edition: str, seats: int) -> tuple[str, ...]:
    """Return the words of all actions, by number; see `heckmeck.bulk.action_words`."""
    rules = game(edition)
    rules.initial(seats)
    words = ["roll", "stop", *(f"keep:{face}" for face in rules.dice.faces)]
    if rules.has_golden_die:
        words += ["roll:golden", "reroll", "bust"]
        words += [f"return:{specialist}" for specialist in HOLDABLE]
        words += [f"rob:{player}" for player in range(1, seats)]
    if edition == "junior":
        words += [f"pinch:{player}" for player in range(1, seats)]
    return tuple(words)
