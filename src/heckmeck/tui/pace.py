"""The pace of a table."""

from enum import StrEnum
from typing import Final


class Pace(StrEnum):
    """How long bots take for a decision, and how long dice are in the air."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"

    @property
    def decision(self) -> float:
        """Seconds a bot takes for each of its decisions."""
        return SECONDS[self]

    @property
    def fall(self) -> float:
        """Seconds dice are in the air."""
        return SECONDS[self] / 3

    @property
    def faster(self) -> "Pace":
        """The next faster pace, or this one."""
        return _ORDER[min(_ORDER.index(self) + 1, len(_ORDER) - 1)]

    @property
    def slower(self) -> "Pace":
        """The next slower pace, or this one."""
        return _ORDER[max(_ORDER.index(self) - 1, 0)]


_ORDER: Final = (Pace.SLOW, Pace.NORMAL, Pace.FAST)
#: Seconds that a bot takes for a decision.
SECONDS: Final = {Pace.SLOW: 1.5, Pace.NORMAL: 0.75, Pace.FAST: 0.2}
