"""The short mark that stands for a player where a name has no room."""

from collections import Counter
from collections.abc import Sequence


def badges(names: Sequence[str]) -> tuple[str, ...]:
    """Return a distinct badge for each player of a table, by seat.

    A badge is the first letter of the name, followed by a number if an earlier seat has the same
    letter. So a badge does not change when another player sits down.

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
