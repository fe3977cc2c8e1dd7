"""Champions for tests: untrained ones, that know no more than the rules."""

import pytest

from heckmeck.bots.champion.models import model_of
from heckmeck.bots.champion.network import fresh
from heckmeck.bots.champion.win import WinChance
from heckmeck.coach import evaluators
from heckmeck.rules import EDITIONS


def untrained(edition: str, seed: int = 1) -> WinChance:
    """A champion whose network was never trained."""
    players = EDITIONS[edition].players
    seats = (players[0], players[-1])
    inputs = model_of(edition).inputs(seats[1])
    return WinChance([fresh(edition, seats, inputs, (8,), seed)])


def with_champions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every edition have a champion, whether one was trained or not."""
    monkeypatch.setattr(evaluators, "win_chance", untrained)


def without_champions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no edition have a champion."""
    monkeypatch.setattr(evaluators, "win_chance", lambda _: None)
