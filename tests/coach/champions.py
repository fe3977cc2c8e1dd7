"""Champions for tests: untrained ones, that know no more than the rules."""

import pytest

from heckmeck.rules import EDITIONS
from heckmeck.values import win
from heckmeck.values.features import count_features
from heckmeck.values.network import fresh
from heckmeck.values.win import WinChance


def untrained(edition: str, seed: int = 1, *, deeper: bool = False) -> WinChance:
    """A champion whose network was never trained."""
    players = EDITIONS[edition].players
    seats = (players[0], players[-1])
    inputs = count_features(edition, seats[1])
    assert not deeper
    return WinChance([fresh(edition, seats, inputs, (8,), seed)])


def with_champions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every edition have a champion, whether one was trained or not."""
    monkeypatch.setattr(win, "win_chance", untrained)


def without_champions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no edition have a champion."""
    monkeypatch.setattr(win, "win_chance", lambda _, **__: None)
