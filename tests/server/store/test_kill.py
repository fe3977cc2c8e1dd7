"""A writer is killed (`kill -9`) at random moments, again and again.

Every entry that it was told is on disk must be there, as it was; none twice; and no number may be
missing. An entry that was under way may be there or not.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.conftest import Count
from tests.server.store.doomed_writer import GAMES
from tests.server.store.places import Place, texts_of

ROOT = Path(__file__).parents[3]
LONGEST_LIFE_SECONDS = 0.15


def acknowledged_until_killed(place: Place, run: int, life: float) -> list[tuple[str, int, str]]:
    """Let a process write, kill it ``life`` seconds after its first entry, return what it got."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("src", "."))}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.store.doomed_writer", place.location, str(run)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(life)
        writer.kill()
        lines = [first, *writer.stdout]
    assert writer.returncode == -signal.SIGKILL
    entries = (line.split() for line in lines)
    return [(game, int(n), word) for game, n, word in entries]


async def check(place: Place, acknowledged: list[tuple[str, int, str]]) -> None:
    """Find everything that was acknowledged, and nothing twice."""
    async with place.opened() as store:
        found = {game: await texts_of(store, game) for game in GAMES}
    for game, n, word in acknowledged:
        assert n < len(found[game]), f"{game} has lost {word}"
        assert found[game][n] == word
    for words in found.values():
        assert len(words) == len(set(words))


def survive(place: Place, kills: int, count: Count, seed: int = 2005) -> None:
    """Kill writers on one database; what earlier ones wrote must survive the later ones too."""
    moments = random.Random(seed)
    acknowledged: list[tuple[str, int, str]] = []
    for run in range(kills):
        # Often within the first commits, sometimes when it is well under way.
        life = LONGEST_LIFE_SECONDS * moments.random() ** 2
        acknowledged += acknowledged_until_killed(place, run, life)
        asyncio.run(check(place, acknowledged))
    count(f"kills of a writer to {place.kind}", kills)
    count(f"entries acknowledged before a kill by {place.kind}, all there once", len(acknowledged))
    assert len(acknowledged) > 2 * kills


def test_no_acknowledged_entry_is_lost_or_doubled(place: Place, count: Count) -> None:
    survive(place, 15, count)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_no_acknowledged_entry_is_lost_or_doubled_hundreds_of_times(
    place: Place, seed: int, count: Count
) -> None:
    survive(place, 30, count, seed)
