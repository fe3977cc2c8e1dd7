"""The two house rules people really play (C10). Both are off unless a table agrees on them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules that are on.

    ``flip_always``: a failed attempt turns the highest tile even if nothing was returned.
    ``flip_returned``: the returned tile is turned too if it is the highest.
    """

    flip_always: bool = False
    flip_returned: bool = False


NO_HOUSE_RULES = HouseRules()
