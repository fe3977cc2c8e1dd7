"""Typed access to JSON data; errors name the path of the bad value."""

from dataclasses import dataclass

from heckmeck.record.errors import BadState
from heckmeck.record.json_text import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Reader:
    """A JSON object and its path."""

    data: JsonObject
    path: str = ""

    def value(self, key: str) -> JsonValue:
        """Return the value of ``key``, which must exist."""
        if key not in self.data:
            raise BadState(f"{self.path}{key} is missing")
        return self.data[key]

    def object(self, key: str) -> "Reader":
        """Return the object at ``key``."""
        value = self.value(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "an object")
        return Reader(value, f"{self.path}{key}.")

    def integer(self, key: str) -> int:
        """Return the whole number at ``key``."""
        value = self.value(key)
        if type(value) is not int:
            raise self._wrong(key, "a whole number")
        return value

    def boolean(self, key: str) -> bool:
        """Return the boolean at ``key``."""
        value = self.value(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def text(self, key: str) -> str:
        """Return the text at ``key``."""
        value = self.value(key)
        if not isinstance(value, str):
            raise self._wrong(key, "text")
        return value

    def text_or_null(self, key: str) -> str | None:
        """Return the text at ``key``, or ``None``."""
        return None if self.value(key) is None else self.text(key)

    def items(self, key: str) -> list[JsonValue]:
        """Return the list at ``key``."""
        value = self.value(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list")
        return value

    def integers(self, key: str) -> tuple[int, ...]:
        """Return the list of whole numbers at ``key``."""
        return self._integers(key, self.items(key))

    def rows_of_integers(self, key: str) -> tuple[tuple[int, ...], ...]:
        """Return the list of lists of whole numbers at ``key``."""
        return tuple(
            self._integers(key, row if isinstance(row, list) else [None]) for row in self.items(key)
        )

    def _integers(self, key: str, values: list[JsonValue]) -> tuple[int, ...]:
        numbers = tuple(value for value in values if type(value) is int)
        if len(numbers) < len(values):
            raise self._wrong(key, "made of whole numbers")
        return numbers

    def _wrong(self, key: str, expected: str) -> BadState:
        return BadState(f"{self.path}{key} must be {expected}")
