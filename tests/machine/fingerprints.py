"""Fingerprints of everything that a seed decides: what must be the same on every machine.

`python -m tests.machine.fingerprints [PART ...]` prints one line a part, its name and a hash.
`--write` renews `tests/data/fingerprints.txt`: only after a change that is meant to change results.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import to_builtins

from heckmeck.arena.tournament import Tournament, play
from heckmeck.bots import Player, player
from heckmeck.cli import main
from heckmeck.coach.review import review
from heckmeck.record import write_json
from heckmeck.rules import EDITIONS, word
from heckmeck.solver.positions import position_of
from heckmeck.solver.solution import solve_all
from heckmeck.values.network import load
from heckmeck.values.win import WinChance, networks_of
from tests.bots.games import bot_game
from tests.bulk.positions import wander
from tests.dice.test_fair import fair_game

STORED: Final = Path(__file__).parents[1] / "data" / "fingerprints.txt"
EXAMPLE: Final = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"


def printed(*args: str) -> str:
    """Return what a command prints on standard output."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = main(args)
    assert status == 0, f"heckmeck {' '.join(args)} ended with {status}"
    return out.getvalue()


def without_times(text: str) -> bytes:
    """Return a JSON object without what says how long it took."""
    figures = json.loads(text)
    kept = {name: value for name, value in figures.items() if "second" not in name}
    assert len(kept) < len(figures)
    return json.dumps(kept).encode()


def champions_chances(edition: str) -> Iterator[bytes]:
    """Chances to win and values of turns, to the last bit."""
    for deeper in (False, True):
        win = WinChance(networks_of(edition), deeper=deeper)
        for seats in (2, 4):
            states = list(wander(edition, seats, seed=8, turns=12))
            yield win.chances(states).tobytes()
            for solved in solve_all([position_of(state) for state in states[:4]], win):
                yield solved.solution.roll.tobytes()


def champions_games(edition: str) -> Iterator[bytes]:
    """Whole games of all who play for the win, as the arena plays them."""
    players: dict[str, Player] = {name: player(name) for name in ("champion", "grandmaster")}
    for seats, games in ((2, 4), (4, 2)):
        bots = ("champion", "grandmaster", "champion", "champion")[:seats]
        fixtures = Tournament(edition, bots, seats, games, seed=11).fixtures(0, games)
        for played in play(edition, fixtures, players.__getitem__):
            yield " ".join(map(word, played.moves)).encode()


def arena() -> Iterator[bytes]:
    """The figures of a tournament, without its speed."""
    bots = "champion,fox,rooster,chick,random"
    for edition in EDITIONS:
        args = ["--edition", edition, "--bots", bots, "--seats", "3", "--games", "20"]
        text = printed("arena", *args, "--seed", "5", "--workers", "1", "--json")
        yield without_times(text)


def training() -> Iterator[bytes]:
    """The weights of a training that ends almost at once."""
    out = Path("junior.npz")
    args = ["--edition", "junior", "--positions", "1", "--seed", "1", "--exam-games", "1"]
    printed("train", *args, "--out", str(out))
    for network in load(out, "junior"):
        for array in (*network.weights, *network.biases):
            yield array.tobytes()
    for line in out.with_suffix(".csv").read_text(encoding="utf-8").splitlines():
        yield line.partition(",")[2].encode()  # all but the minutes


def coach() -> Iterator[bytes]:
    """Odds, advice and reviews."""
    for edition in EDITIONS:
        yield printed("odds", "--edition", edition, "--json").encode()
        record = bot_game(edition, 3, seed=2, bot=player("rooster"), words=60)
        path = Path(f"{edition}.heckmeck.json")
        path.write_text(write_json(record), encoding="utf-8")
        yield printed("advise", str(path), "--move", "2", "--json").encode()  # dice lie there
        yield json.dumps(to_builtins(review(record))).encode()
    yield printed("odds", "--roll", "1124445W", "--unit", "win", "--json").encode()


def records() -> Iterator[bytes]:
    """A game that was played and kept, and what commands say about it and about others."""
    path = Path("kept.heckmeck.json")
    printed(
        "play", "deluxe", "--plain", "--players", "fox,chick", "--seed", "7", "--record", str(path)
    )
    yield path.read_bytes()
    for command in ("validate", "replay"):
        yield printed(command, str(path), "--json").encode()
        yield printed(command, str(EXAMPLE), "--json").replace(str(EXAMPLE), "").encode()
    fair = Path("fair.heckmeck.json")
    fair.write_text(write_json(fair_game("deluxe")), encoding="utf-8")
    yield printed("verify", str(fair), "--json").encode()


def small_board() -> Iterator[bytes]:
    """A board that is solved to the end."""
    yield without_times(printed("solve", "--tiles", "21-23", "--json"))


PARTS: Final[dict[str, Callable[[], Iterator[bytes]]]] = {
    **{f"chances-{name}": partial(champions_chances, name) for name in EDITIONS},
    **{f"games-{name}": partial(champions_games, name) for name in EDITIONS},
    "arena": arena,
    "training": training,
    "coach": coach,
    "records": records,
    "small-board": small_board,
}


def fingerprint(part: str) -> str:
    """Return the hash of all that a part gives."""
    found = hashlib.sha256()
    for piece in PARTS[part]():
        found.update(hashlib.sha256(piece).digest())
    return found.hexdigest()[:32]


def fingerprints(parts: list[str]) -> str:
    """Return a line a part, made in a directory of its own."""
    with tempfile.TemporaryDirectory() as fresh, contextlib.chdir(fresh):
        return "".join(f"{part} {fingerprint(part)}\n" for part in parts)


if __name__ == "__main__":
    asked = [each for each in sys.argv[1:] if each != "--write"]
    text = fingerprints(asked or list(PARTS))
    if "--write" in sys.argv:
        STORED.write_text(text, encoding="utf-8", newline="\n")
    sys.stdout.write(text)
