"""A game in one sentence: what a player gave away, their luck, and what even luck would bring."""

from heckmeck.narration.messages import table_words
from heckmeck.wire.coach import PlayerTotals


def story_of(totals: PlayerTotals, name: str, language: str) -> str | None:
    """Return the sentence; None if the game is not over or not measured in chances to win.

    >>> totals = PlayerTotals(0.06, -0.214, 30, adjusted=0.58)
    >>> print(story_of(totals, "Ada", "de"))
    Ada hat 6 Punkte Gewinnchance verschenkt und hatte 21 Punkte Pech: Bei ausgeglichenem Glück \
gewinnt man etwa 58 von 100 solchen Spielen.
    """
    if totals.adjusted is None:
        return None
    words = table_words(language)
    luck = _points(totals.luck)
    kind = "even" if luck == 0 else "good" if totals.luck > 0 else "bad"
    return words.say(
        f"story.{kind}",
        name=name,
        given=words.count("story.points", _points(totals.given_away)),
        luck=words.count("story.points", luck),
        even=round(100 * min(max(totals.adjusted, 0.0), 1.0)),
    )


def _points(chance: float) -> int:
    """Return points of win chance, as a whole number."""
    return round(100 * abs(chance))
