"""What people wait for at a table: bots in a round, taps to the first roll, bytes to load.

In a real Chromium, with the pages of this checkout and all animations; it needs the environment of
`./check`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.report import facts, table, write_section
from hatch_build import PAGES, build_pages
from heckmeck.bots import player
from heckmeck.record import replay
from heckmeck.rules import EDITIONS, legal
from heckmeck.table.play import leisure
from heckmeck.wire.setup import Setup
from tests.bots.games import bot_game
from tests.browser.conftest import FLAGS, chromium, warm_up
from tests.browser.people import Crowd
from tests.browser.serving import CoachedServer
from tests.browser.test_pace import seconds_a_round
from tests.browser.test_taps import WAYS, taps_to_the_first_roll
from tests.web.test_built import files_of, size_of

#: The target for a round with three bots, in seconds.
LIMIT = 8.0
#: The pages whose bytes are counted, as their scripts are called.
LOADED = {"start page": "Home", "table": "Table", "review": "Review", "embedded game": "Embed"}


def rounds_of(crowd: Crowd, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each round with three bots, by edition."""
    found = {}
    for edition in EDITIONS:
        found[edition] = seconds_a_round(crowd, edition, rounds)
        shown = ", ".join(f"{seconds:.1f}" for seconds in found[edition])
        print(f"{edition}: {shown} s", file=sys.stderr)
    return found


def pauses_of(edition: str, games: int = 4) -> float:
    """Return the seconds that three bots pause in a round on average, however busy a machine is."""
    paused, turns = 0.0, 0
    for seed in range(games):
        record = bot_game(edition, 4, seed=seed, bot=player("rooster"))
        states = [record.start(), *(step.state for step in replay(record))]
        paused += sum(leisure(state) for state in states if legal(state)) * Setup(edition).pace
        turns += 1 + sum(before.seat != after.seat for before, after in pairwise(states))
    return 3 * paused / turns / 1000


def sizes(pages: Path) -> dict[str, int]:
    """Return the bytes that are sent until a page can be used, without the font of headings."""
    return {
        name: sum(
            size_of(pages / "assets" / file)
            for file in files_of(pages, script)
            if not file.endswith(".woff2")
        )
        for name, script in LOADED.items()
    }


def report(rounds: dict[str, list[float]], taps: dict[str, int], loaded: dict[str, int]) -> str:
    """Return the section of docs/benchmarks.md."""
    waited = [
        (
            edition,
            *(f"{seconds:.1f}" for seconds in (each[0], statistics.mean(each), max(each))),
            f"{pauses_of(edition):.1f}",
        )
        for edition, each in rounds.items()
    ]
    about = (
        "`python -m bench.together`. Chromium, a new table with three bots (chick, rooster, fox), "
        "normal pace, nobody hurrying them; seconds from one turn of a person to the next. The "
        f"target is less than {LIMIT:g} s a round. The load of the machine was "
        f"{os.getloadavg()[0]:.1f}; the pauses of bots alone, in the last column, do not depend on "
        "it."
    )
    return "\n".join(
        (
            "## Together: waiting, tapping, loading",
            "",
            about,
            "",
            table(("edition", "first round in s", "mean", "longest", "pauses alone"), waited),
            "",
            "Taps on a phone from the start page to the first roll, which is the last of them:",
            "",
            table(("way to play", "taps"), [(way, str(count)) for way, count in taps.items()]),
            "",
            "Compressed bytes until a page can be used, in English, without the font of headings:",
            "",
            table(("page", "bytes"), [(name, f"{size:,}") for name, size in loaded.items()]),
        )
    )


def main() -> None:
    """Measure, print, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds in each edition")
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    build_pages()
    with (
        tempfile.TemporaryDirectory() as folder,
        CoachedServer(Path(folder), PAGES) as server,
        sync_playwright() as playwright,
        Crowd(
            playwright.chromium.launch(executable_path=chromium(), args=FLAGS), server.url
        ) as crowd,
    ):
        warm_up(server)
        taps = {way: taps_to_the_first_roll(crowd, way) for way in WAYS}
        rounds = rounds_of(crowd, arguments.rounds)
    loaded = sizes(PAGES)
    if arguments.json:
        print(json.dumps({"rounds": rounds, "taps": taps, "bytes": loaded}))
    else:
        write_section("together", report(rounds, taps, loaded), facts(("heckmeck", "playwright")))


if __name__ == "__main__":
    main()
