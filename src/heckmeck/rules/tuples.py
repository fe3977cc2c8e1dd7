"""Tuples as immutable tables: a small helper shared by all editions."""

from typing import TypeVar

T = TypeVar("T")


def changed(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return ``values`` with ``value`` at ``place``."""
    return (*values[:place], value, *values[place + 1 :])
