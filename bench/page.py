"""A table in the page, next to the same page on a server: start, first roll, memory, bytes.

In a real Chromium, at full speed and four times slower, as on a phone: then its renderers are
stopped three quarters of the time, so that workers are slower, too. It needs the environment of
`./check`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

from playwright.sync_api import Browser, sync_playwright

from bench.report import facts, table, write_section
from hatch_build import PAGES, build_pages
from tests.browser.conftest import FLAGS, chromium, warm_up
from tests.browser.people import Crowd
from tests.browser.serving import CoachedServer

#: How long a period is in which the renderers run for a part of the time, in seconds.
PERIOD = 0.02
MARK = f"--heckmeck-bench={os.getpid()}"
PATIENCE = 180_000


@dataclass(frozen=True)
class Visit:
    """One visit; times in seconds.

    ``start``: from a tap on *Play now* until the first roll can be made; ``again``: the same after
    a reload of the table; ``roll``: from the tap on *Roll* until the dice lie there. ``memory`` is
    that of the browser's renderers, in MB.
    """

    where: str
    slower: int
    start: float
    again: float
    roll: float
    memory: float


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site() -> Iterator[str]:
    """Serve a site without a server."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place, "site")
        command = [sys.executable, "-m", "heckmeck", "site", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: _Quiet(*a, directory=str(out))) as at:
            Thread(target=at.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{at.server_port}"
            at.shutdown()


@contextmanager
def server() -> Iterator[str]:
    """Run a server with everything ready."""
    subprocess.run([sys.executable, "-m", "heckmeck", "prepare"], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory() as place, CoachedServer(Path(place), PAGES) as running:
        warm_up(running)
        yield running.url


def renderers() -> list[int]:
    """Return the processes of our own browser that run pages and workers."""
    parents: dict[int, int] = {}
    browser: set[int] = set()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
            stat = (folder / "stat").read_text()
        except OSError:  # it has just ended
            continue
        pid = int(folder.name)
        parents[pid] = int(stat.rpartition(")")[2].split()[1])
        if MARK in command and "--type=" not in command:
            browser.add(pid)
        elif "--type=renderer" in command:
            found.append(pid)
    return [pid for pid in found if browser & {*_ancestors(pid, parents)}]


def _ancestors(pid: int, parents: dict[int, int]) -> list[int]:
    found = []
    while pid in parents:
        pid = parents[pid]
        found.append(pid)
    return found


@contextmanager
def slowed(slower: int) -> Iterator[None]:
    """Let the renderers run only a part of the time."""
    over = Event()

    def hold_back() -> None:
        while not over.is_set():
            pids = renderers()
            for _ in range(50):
                _send(pids, signal.SIGSTOP)
                time.sleep(PERIOD - PERIOD / slower)
                _send(pids, signal.SIGCONT)
                time.sleep(PERIOD / slower)

    thread = Thread(target=hold_back)
    if slower > 1:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if slower > 1:
            thread.join()


def _send(pids: list[int], what: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            continue


def visit(browser: Browser, where: str, url: str, slower: int) -> Visit:
    """Make the first roll of a game, and come back to it."""
    with Crowd(browser, url) as people:
        ada = people.person()
        ada.page.set_default_timeout(PATIENCE)
        ada.open("/")
        play = ada.page.get_by_role("button", name="Play now")
        play.wait_for()
        with slowed(slower):
            roll = ada.page.get_by_role("button", name="Roll 8")
            start = _seconds(play.click, roll.wait_for)
            again = _seconds(ada.page.reload, roll.wait_for)
            rolled = _seconds(roll.click, ada.page.locator("button.pick").first.wait_for)
        memory = sum(_own(pid) for pid in renderers())
        ada.troubles.clear()
    return Visit(where, slower, start, again, rolled, memory)


def _seconds(*steps: object) -> float:
    began = time.perf_counter()
    for step in steps:
        assert callable(step)
        step()
    return time.perf_counter() - began


def _own(pid: int) -> float:
    """Return the memory of a process in MB, with its share of what several have in common."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    (pss,) = (line.split()[1] for line in lines if line.startswith("Pss:"))
    return int(pss) * 1024 / 1e6


def sizes() -> dict[str, int]:
    """Return the bytes of everything that a table in the page loads."""
    return {
        file.name.split("-")[0].removesuffix(".pack"): file.stat().st_size
        for file in sorted((PAGES / "python").rglob("*"))
        if file.is_file()
    }


def report(visits: list[Visit], loaded: dict[str, int]) -> str:
    """Return the section of docs/benchmarks.md."""
    rows = [
        (
            each.where,
            f"{each.slower}x",
            *(f"{seconds:.2f}" for seconds in (each.start, each.again, each.roll)),
            f"{each.memory:.0f}",
        )
        for each in visits
    ]
    about = (
        "`python -m bench.page`. Chromium, a new table with three bots; seconds from *Play now* to "
        "the first roll, the same after a reload, and from *Roll* to the dice. Slower: the page's "
        "processes run only a part of the time. Memory is that of these processes. "
        f"The load of the machine was {os.getloadavg()[0]:.1f}."
    )
    header = ("table", "slower", "start in s", "again in s", "roll in s", "memory in MB")
    files = [(name, f"{size:,}") for name, size in loaded.items()]
    total = f"A table in the page loads {sum(loaded.values()):,} bytes more, once:"
    parts = ("## A table in the page", "", about, "", table(header, rows))
    return "\n".join((*parts, "", total, "", table(("file", "bytes"), files)))


def main() -> None:
    """Measure, print, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    build_pages()
    visits = []
    with sync_playwright() as playwright, site() as here, server() as there:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, MARK])
        for where, url in (("in the page", here), ("on a server", there)):
            for slower in (1, 4):
                visits.append(visit(browser, where, url, slower))
                print(visits[-1], file=sys.stderr)
        browser.close()
    if arguments.json:
        print(json.dumps({"visits": [asdict(each) for each in visits], "bytes": sizes()}))
    else:
        write_section("page", report(visits, sizes()), facts(("heckmeck",)))


if __name__ == "__main__":
    main()
