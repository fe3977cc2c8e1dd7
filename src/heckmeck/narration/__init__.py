"""Events in plain sentences. Each language has its own file, under ``messages/``.

>>> from heckmeck.rules.events import DiceKept
>>> kept = DiceKept(seat=1, face="W", count=2, golden=False, total=10, left=6)
>>> Narrator(["Ada", "Ben"]).event(kept)
'Ben keeps two worms: 10.'
>>> Narrator(["Ada", "Ben"], "de").event(kept)
'Ben legt zwei Würmer beiseite: 10.'
>>> [*languages()]
['en', 'de', 'fr', 'it', 'nl', 'es']
"""

from heckmeck.narration.messages import Messages, languages, table_words
from heckmeck.narration.narrator import Narrator, News, badges
from heckmeck.narration.phrases import Phrases, StopWords

__all__ = [
    "Messages",
    "Narrator",
    "News",
    "Phrases",
    "StopWords",
    "badges",
    "languages",
    "table_words",
]
