"""Values: frozen, slotted, hashable dataclasses that are quick to create, and tuples as tables.

A move creates three or four values. The ``__init__`` of ``dataclass(frozen=True)`` looks up each
field by name to bypass its own lock; filling the slots directly takes 40% less time.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass
from types import FunctionType
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class with annotated fields a value: frozen, with slots, equality and a hash.

    Fields may have plain defaults; ``field()`` and its options are not supported.
    """
    made = dataclass(frozen=True, slots=True)(cls)
    fields: dict[str, Field[Any]] = made.__dataclass_fields__  # type: ignore[attr-defined]
    if fields:
        type.__setattr__(made, "__init__", _slot_filling_init(made, fields))
    return made


def _slot_filling_init(cls: type, fields: dict[str, Field[Any]]) -> Callable[..., None]:
    """Return an ``__init__`` with the fields as parameters that fills each slot directly."""
    scope: dict[str, object] = {f"_fill_{name}": getattr(cls, name).__set__ for name in fields}
    body = "".join(f"\n    _fill_{name}(self, {name})" for name in fields)
    exec(f"def __init__(self, {', '.join(fields)}):{body}", scope)  # noqa: S102 (our own names)
    init = cast(FunctionType, scope["__init__"])
    init.__defaults__ = tuple(f.default for f in fields.values() if f.default is not MISSING)
    return init


def changed(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return ``values`` with ``value`` at ``place``."""
    return (*values[:place], value, *values[place + 1 :])
