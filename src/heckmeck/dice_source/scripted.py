"""Scripted luck, for tests and examples."""

from collections.abc import Iterable

from heckmeck.dice_source.luck import Luck
from heckmeck.rules import Chances
from heckmeck.rules.moves import Throw


class ScriptedLuck(Luck):
    """Throws in a given order. As a context manager, it requires all of them to be used."""

    def __init__(self, throws: Iterable[Throw]) -> None:
        """Use these throws, in this order."""
        self._throws = [*throws]
        self._next = 0

    def below(self, limit: int) -> int:
        """Refuse: a script has nothing but throws."""
        raise LookupError(f"the script has only throws, not a number below {limit}")

    def throw(self, chances: Chances) -> Throw:
        """Return the next throw of the script, which must be possible here."""
        if self._next == len(self._throws):
            raise LookupError(f"the script has only {len(self._throws)} throws")
        throw = self._throws[self._next]
        if throw not in chances.throws:
            raise LookupError(f"{throw}, number {self._next} of the script, cannot fall here")
        self._next += 1
        return throw

    def __enter__(self) -> "ScriptedLuck":
        """Return the script."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Raise if throws are left over, unless another error is being raised."""
        left = len(self._throws) - self._next
        if kind is None and left:
            raise LookupError(f"{left} throws of the script were not used")
