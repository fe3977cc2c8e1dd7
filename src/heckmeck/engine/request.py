"""The fields of a request, checked for their types."""

from dataclasses import dataclass

from heckmeck.coach import Unit
from heckmeck.dice_source import Seed, fresh_seed
from heckmeck.engine.errors import Code, RequestError
from heckmeck.record import BadRecord, JsonObject, JsonValue
from heckmeck.record.record_json import house_rules_from_json
from heckmeck.rules import HouseRules


@dataclass(frozen=True, slots=True)
class Request:
    """One JSON object sent to the engine."""

    data: JsonObject

    def text(self, key: str) -> str:
        """Return the text at ``key``, which is required."""
        value = self.data.get(key)
        if not isinstance(value, str):
            raise RequestError(Code.BAD_REQUEST, f"{key} is required and must be text.")
        return value

    def count(self, key: str, default: int) -> int:
        """Return the non-negative whole number at ``key``."""
        value = self.data.get(key, default)
        if type(value) is not int or value < 0:
            raise RequestError(Code.BAD_REQUEST, f"{key} must be a whole number, 0 or more.")
        return value

    def names(self, key: str) -> tuple[str, ...]:
        """Return the names of the seats: those given, or generated ones for a number."""
        value = self.data.get(key)
        if type(value) is int and 0 <= value < 100:
            return tuple(f"Player {seat + 1}" for seat in range(value))
        if isinstance(value, list):
            return self._texts(key, value)
        raise RequestError(Code.BAD_REQUEST, f"{key} must be a number or a list of names.")

    def words(self, key: str) -> tuple[str, ...]:
        """Return the list of words at ``key``."""
        value = self.data.get(key)
        if not isinstance(value, list):
            raise RequestError(Code.BAD_REQUEST, f"{key} must be a list of words.")
        return self._texts(key, value)

    def house_rules(self) -> HouseRules:
        """Return the house rules that ``options`` turns on."""
        try:
            return house_rules_from_json(self.data.get("options", {}))
        except BadRecord as error:
            raise RequestError(Code.BAD_REQUEST, f"{error}.") from error

    def unit(self) -> Unit | None:
        """Return the requested unit of worth, if any."""
        match self.data.get("unit"):
            case None:
                return None
            case "win":
                return "win"
            case "worms":
                return "worms"
            case _:
                raise RequestError(Code.BAD_REQUEST, "unit must be win or worms.")

    def seed(self) -> Seed:
        """Return the given seed, or a fresh one."""
        value = self.data.get("seed")
        if value is None:
            return fresh_seed()
        if isinstance(value, str) or type(value) is int:
            return value
        raise RequestError(Code.BAD_REQUEST, "seed must be a whole number or text.")

    def _texts(self, key: str, values: list[JsonValue]) -> tuple[str, ...]:
        texts = tuple(value for value in values if isinstance(value, str))
        if len(texts) < len(values):
            raise RequestError(Code.BAD_REQUEST, f"{key} must contain only text.")
        return texts
