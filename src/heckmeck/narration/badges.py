"""The short mark that stands for a player where a name has no room."""

from collections import Counter
from collections.abc import Sequence


def badges(names: Sequence[str]) -> tuple[str, ...]:
    """Return a badge for each of a table's players, no two alike, in the order of their seats.

    A badge is the first letter of the name. Where an earlier seat has that letter already, a number
    follows it, so that nobody's badge changes when somebody else sits down.

    >>> badges(["Chef", "Chick", "Fox", "Cook"])
    ('C', 'C2', 'F', 'C3')
    """
    taken: Counter[str] = Counter()
    found = []
    for name in names:
        letter = name.strip()[:1].upper()[:1] or "?"
        taken[letter] += 1
        found.append(letter if taken[letter] == 1 else f"{letter}{taken[letter]}")
    return tuple(found)
