"""How long commands take to start, each in a fresh process, next to a bare Python."""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bench.report import facts, table, write_section

#: The limit for `heckmeck --help`, in seconds.
LIMIT = 0.3
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("--version",),
    ("play", "--help"),
    ("join", "--help"),
    ("watch", "--help"),
    ("arena", "--help"),
    ("serve", "--help"),
    ("bots",),
    ("rules", "classic"),
)
BARE = "python -c pass"


@dataclass(frozen=True)
class Start:
    """How long a program ran, in milliseconds.

    ``cpu`` is its CPU time: on a busy machine the wall clock mostly measures other programs.
    """

    program: str
    fastest: float
    median: float
    cpu: float


def measure(program: str, command: Sequence[str], runs: int) -> Start:
    """Run a command ``runs`` times, after one run to warm the disk cache."""
    times, computed = [], []
    for _ in range(runs + 1):
        began, before = time.perf_counter(), _children_cpu()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append((time.perf_counter() - began) * 1000)
        computed.append((_children_cpu() - before) * 1000)
    return Start(
        program, min(times[1:]), statistics.median(times[1:]), statistics.median(computed[1:])
    )


def _children_cpu() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(runs: int) -> list[Start]:
    """Measure a bare Python and our commands in turn."""
    starts = [measure(BARE, [sys.executable, "-c", "pass"], runs)]
    for arguments in COMMANDS:
        name = f"heckmeck {' '.join(arguments)}"
        starts.append(measure(name, [sys.executable, "-m", "heckmeck", *arguments], runs))
        print(f"{name}: {starts[-1].median:.0f} ms", file=sys.stderr)
    return starts


def report(starts: list[Start], runs: int) -> str:
    """Return the section of docs/benchmarks.md."""
    rows = [
        (start.program, f"{start.fastest:.0f}", f"{start.median:.0f}", f"{start.cpu:.0f}")
        for start in starts
    ]
    about = (
        f"`python -m bench.startup`. Whole processes, {runs} times each; the target for "
        f"`heckmeck --help` is less than {LIMIT * 1000:.0f} ms."
    )
    header = ("command", "fastest in ms", "median in ms", "CPU in ms")
    return "\n".join(("## Starting up", "", about, "", table(header, rows)))


def main() -> None:
    """Measure, print, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="number of runs of each command")
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    starts = run(arguments.runs)
    if arguments.json:
        print(json.dumps([asdict(start) for start in starts]))
    else:
        write_section("startup", report(starts, arguments.runs), facts(("heckmeck", "click")))
    slow = next(start for start in starts if start.program == "heckmeck --help")
    if slow.median > LIMIT * 1000:
        sys.exit(f"heckmeck --help takes {slow.median:.0f} ms, more than {LIMIT * 1000:.0f}.")


if __name__ == "__main__":
    main()
