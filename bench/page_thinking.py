"""How long bots and coach think in a page: in its own Python, and on a slow device.

Run from the project's root, in the environment of `./check`: `python -m bench.page_thinking
[--write]`. The same program runs here, compiled by Numba, and in Chromium, in the Python of the
pages, at full speed and with the processor slowed to a quarter. It needs a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

from playwright.sync_api import sync_playwright

from bench.report import facts, table, write_section
from hatch_build import WEB, build_pages
from tests.browser.conftest import FLAGS, chromium

#: The target for a bot's turn on a slow device, in seconds.
LIMIT: Final = 1.0
#: How much slower the slow device is.
SLOWER: Final = 4
#: The target is for these.
QUICK: Final = ("random", "chick", "rooster", "fox", "champion")
BOTS: Final = (*QUICK, "grandmaster")

#: Defines `measure(edition)`, and needs nothing but heckmeck: it runs in CPython and in a page.
PROGRAM: Final = """
import json, statistics, time
from heckmeck import bots, rules
from heckmeck.coach.advice import advise, odds_at
from heckmeck.coach.review import review
from heckmeck.dice import SeededLuck
from heckmeck.record import Record
from heckmeck.rules.state import Deciding

MOST_TURNS = 40
#: No further turn is begun after so many seconds in two games, but a few are played in each.
MOST_SECONDS = 60
LEAST_TURNS = 4

def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began

def turns_of(name, edition, seed):
    "Yield the seconds of each turn of a bot that plays a game for two against itself."
    state, luck, bot = rules.new_game(edition, 2), SeededLuck(seed), bots.player(name)
    seat, spent, count, total = state.seat, 0.0, 0, 0.0
    while rules.outcome(state) is None and count < MOST_TURNS:
        if count >= LEAST_TURNS and total > MOST_SECONDS / 2:
            return
        chances = rules.throws(state)
        if chances:
            move = luck.throw(chances)
        else:
            began = time.perf_counter()
            move = bot.choose(state, luck)
            spent += time.perf_counter() - began
        state = rules.apply(state, move).state
        if state.seat != seat:
            yield spent
            seat, spent, count, total = state.seat, 0.0, count + 1, total + spent

def game_of(edition):
    state, luck, bot = rules.new_game(edition, 2), SeededLuck(3), bots.player("rooster")
    moves, asked = [], []
    while rules.outcome(state) is None:
        chances = rules.throws(state)
        move = luck.throw(chances) if chances else bot.choose(state, luck)
        if not chances and isinstance(state.phase, Deciding):
            asked.append(state)
        moves.append(move)
        state = rules.apply(state, move).state
    return Record(edition, ("Ada", "Ben"), moves=tuple(moves)), asked[:: max(len(asked) // 12, 1)]

def measure(edition, names):
    found = {}
    for name in names:
        times = [*turns_of(name, edition, 1), *turns_of(name, edition, 2)]
        found[name] = [times[0], statistics.median(times[1:]), max(times[1:])]
    record, asked = game_of(edition)
    hints = [timed(lambda: advise(state)) for state in asked]
    odds = [timed(lambda: odds_at(state)) for state in asked]
    found["a hint"] = [hints[0], statistics.median(hints[1:]), max(hints[1:])]
    found["odds"] = [odds[0], statistics.median(odds[1:]), max(odds[1:])]
    found["review of a game"] = [timed(lambda: review(record))]
    return json.dumps(found)
"""

PAGE: Final = """<!doctype html><meta charset="utf-8"><script type="module">
import { loadPyodide } from './pyodide/pyodide.mjs'
window.boot = async () => {
  const python = await loadPyodide()
  const extractDir = python.runPython('import site; site.getsitepackages()[0]')
  for (const name of NAMES) {
    const file = await fetch(`./ours/${name}`)
    python.unpackArchive(await file.arrayBuffer(), 'zip', { extractDir })
  }
  python.runPython('from heckmeck.arrays import stand_in; stand_in()')
  python.runPython(await (await fetch('./program.py')).text())
  window.measure = python.globals.get('measure')
}
window.ready = true
</script>"""


#: Seconds, by edition and what was done: the first time, the median and the longest of the others;
#: of a review only the first.
Measured = dict[str, dict[str, list[float]]]


def here(editions: list[str]) -> Measured:
    """Measure in this Python, where everything is compiled."""
    names: dict[str, object] = {}
    exec(compile(PROGRAM, "program.py", "exec"), names)  # noqa: S102 (it is ours)
    measure = names["measure"]
    assert callable(measure)
    for edition in editions:
        measure(edition, BOTS)  # compiled now, or found on the disk
    return {edition: json.loads(measure(edition, BOTS)) for edition in editions}


def in_page(editions: list[str], slower: int, pyodide: Path, ours: Path) -> Measured:
    """Measure in Chromium, with the processor slowed that much."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder)
        (site / "pyodide").symlink_to(pyodide.resolve())
        (site / "ours").symlink_to(ours.resolve())
        (site / "program.py").write_text(PROGRAM, "utf-8")
        names = json.dumps(sorted(path.name for path in ours.iterdir()))
        (site / "index.html").write_text(PAGE.replace("NAMES", names), "utf-8")
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        measured = {}
        for address in _served(site):
            for edition in editions:  # each in a fresh page, so that the first turn is the first
                page = browser.new_page()
                page.set_default_timeout(0)
                page.goto(address)
                page.wait_for_function("window.ready")
                page.evaluate("boot()")
                session = page.context.new_cdp_session(page)
                session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
                found = page.evaluate(
                    "([edition, names]) => measure(edition, names)", [edition, [*BOTS]]
                )
                measured[edition] = json.loads(found)
                print(f"{edition}, {slower} times slower: done", file=sys.stderr)
                page.close()
        browser.close()
    return measured


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_: object) -> None:  # type: ignore[override]
        pass


def _served(folder: Path) -> Iterator[str]:
    """Serve a folder while its address is used."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def report(compiled: Measured, fast: Measured, slow: Measured) -> str:
    """Return the section of docs/benchmarks.md."""
    rows = [
        (
            edition,
            what,
            _usual(compiled[edition][what]),
            *_cells(fast[edition][what]),
            *_cells(times),
        )
        for edition, done in slow.items()
        for what, times in done.items()
    ]
    head = ["edition", "what", "compiled", "page: first", "median", "longest"]
    head += [f"{SLOWER} times slower: first", "median", "longest"]
    longest = max(slow[edition][bot][-1] for edition in slow for bot in QUICK)
    deepest = max(slow[edition]["grandmaster"][-1] for edition in slow)
    about = (
        "Milliseconds for a turn of each bot (all its decisions, in games for two), a hint, the "
        "odds, and the review of a whole game: compiled by Numba, as on a server, and in the "
        "Python of a page in Chromium, at full speed and with its processor slowed "
        f"{SLOWER} times, about a mid-range phone. The first time includes what is then kept: "
        "tables of a turn, weights. "
        f"Target: {1000 * LIMIT:.0f} ms for every bot up to the champion, not counting the first "
        f"turn, on the slow device: {'met' if longest <= LIMIT else 'not met'}, the longest takes "
        f"{1000 * longest:.0f} ms. The grandmaster, for which there is no target, takes up to "
        f"{1000 * deepest:.0f} ms. The load of the machine was {os.getloadavg()[0]:.1f}."
    )
    return f"## Thinking in a page\n\n{about}\n\n{table(head, rows)}"


def _usual(times: list[float]) -> str:
    return f"{1000 * times[len(times) // 2]:.1f}"


def _cells(times: list[float]) -> list[str]:
    shown = [f"{1000 * each:.0f}" for each in times]
    return shown + [""] * (3 - len(shown))


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument(
        "--editions", nargs="+", default=["classic", "deluxe", "barbecue", "junior"]
    )
    parser.add_argument("--pyodide", type=Path, default=WEB / "node_modules" / "pyodide")
    parser.add_argument("--ours", type=Path, default=WEB / "node_modules" / ".python")
    given = parser.parse_args()
    if given.ours == WEB / "node_modules" / ".python":
        build_pages()
    began = time.perf_counter()
    fast = in_page(given.editions, 1, given.pyodide, given.ours)
    slow = in_page(given.editions, SLOWER, given.pyodide, given.ours)
    compiled = here(given.editions)
    print(f"measured in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    if given.json:
        print(json.dumps({"compiled": compiled, "page": fast, "slow": slow}))
    text = report(compiled, fast, slow)
    if given.write:
        write_section("page-thinking", text, facts(["numba", "numpy"]))
    elif not given.json:
        print(text)


if __name__ == "__main__":
    main()
