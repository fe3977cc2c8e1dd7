"""Events in plain sentences. Words live in one file a language, under ``messages/``.

>>> from heckmeck.rules.events import DiceKept
>>> tell = Narrator(["Ada", "Ben"])
>>> tell.event(DiceKept(seat=1, face="W", count=2, golden=False, total=10, left=6))
'Ben keeps two worms: 10.'
"""

from heckmeck.narration.narrator import Narrator

__all__ = ["Narrator"]
