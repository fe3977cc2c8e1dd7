"""`heckmeck prepare`: every bot of every game is used once, and the coach."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heckmeck.bots import BOTS
from heckmeck.coach import Unit, preparing
from heckmeck.coach.advice import advise
from heckmeck.coach.preparing import Part
from heckmeck.rules import EDITIONS, AnyState
from heckmeck.solver import kernel
from heckmeck.solver.kernel import Arrays, Floats, Shares
from heckmeck.wire.coach import Advice
from tests.cli.terminal import Terminal


def test_every_bot_is_prepared_for_every_game_it_plays(
    monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    done: list[Part] = []
    monkeypatch.setattr(preparing, "prepare", done.append)
    shown = terminal.run("prepare")
    assert shown.status == 0
    assert shown.out.startswith("The bots and the coach are ready (")
    assert len(set(done)) == len(done)
    assert {part.bot for part in done} == set(BOTS)
    assert {part.edition for part in done} == set(EDITIONS)


def test_quiet_says_nothing(monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> None:
    monkeypatch.setattr(preparing, "parts", list)
    assert terminal.run("prepare", "--quiet") == (0, "", "")


@pytest.mark.parametrize("edition", EDITIONS)
def test_both_units_of_the_coach_are_asked(monkeypatch: pytest.MonkeyPatch, edition: str) -> None:
    asked: set[Unit | None] = set()

    def noted(state: AnyState, unit: Unit | None = None) -> Advice:
        asked.add(unit)
        return advise(state, unit)

    monkeypatch.setattr(preparing, "advise", noted)
    preparing.prepare(Part(edition, "champion"))
    assert asked == {"worms", None}


def test_what_a_move_is_worth_to_every_seat_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews, rollouts and the arena need it with three players."""
    share, shared = kernel.share_turns, list[int]()

    def noted(t: Arrays, value: Floats, roll: Floats, ends: Floats, shares: Shares) -> None:
        shared.append(len(value))
        share(t, value, roll, ends, shares)

    monkeypatch.setattr(kernel, "share_turns", noted)
    preparing.prepare(Part("junior", "chick"))
    assert shared


#: What a fresh installation is asked for; ``{edition}`` is each of them.
ASKED = (
    (
        "arena --edition {edition} --bots champion,fox --games 4 --seed 1 --adjusted --workers 1 "
        "--out {edition}"
    ),
    (
        "arena --edition {edition} --bots grandmaster,rooster,chick,random --seats 3 --games 12 "
        "--seed 1 --adjusted --workers 1 --out {edition}-3"
    ),
    "rollout {edition}/games.jsonl --game 1 --move 4 --games 1 --bot chick",
    "rollout {edition}-3/games.jsonl --game 1 --move 4 --games 1 --bot chick",
    "review {edition}/games.jsonl --game 2",
    "review {edition}-3/games.jsonl --game 2",
)


@pytest.mark.soak
def test_nobody_waits_for_compiled_code_after_it(tmp_path: Path) -> None:
    """With nothing compiled before it; afterwards a command would say that it compiles."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run(line: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "heckmeck", *line.split()],
            cwd=tmp_path,
            env={**environment, "HECKMECK_COMPILING": "tell"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr

    run("prepare --quiet")
    before = {*tmp_path.glob("cache/**/*.nbc")}
    assert before
    for edition in EDITIONS:
        for line in ASKED:
            said = run(line.format(edition=edition))
            assert "compiling" not in said, line
            assert {*tmp_path.glob("cache/**/*.nbc")} == before, line
