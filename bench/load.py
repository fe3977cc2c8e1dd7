"""The server under load: 2,000 players at 500 tables, every move on disk before its answer.

The server gets one core, the players get the other. A bare server with the same storage and no game
takes turns with ours at the load of the goal, so that both see the same machine; so do tables with
spectators and tables without. Then the load is raised until the server can no longer keep up, with
moves that are spread out and moves that come fifty at once. Idle connections and several workers on
PostgreSQL are measured too. All of it takes about ten minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter, process_time

import httpx
import uvloop

from bench import load_bare
from bench.load_client import connect
from bench.load_players import Table, Tally
from bench.report import facts, table, write_section
from heckmeck.server.app import Settings
from heckmeck.server.limits import Limits, Rate
from heckmeck.server.run import Address, bind, prepare, serve
from tests.server.store.postgres import running_postgres

HOST = "127.0.0.1"
SEATS = 4
PACKAGES = ("heckmeck", "starlette", "uvicorn", "uvloop", "websockets", "msgspec")
OURS, BARE = "heckmeck", "bare Starlette, no game"
#: The load of the goal, the load to hold, and how quickly; beyond the last, the server is broken.
GOAL_MOVES, MOST_MOVES, GOAL_P99, BROKEN_P99 = 1000, 2500, 50.0, 250.0
GOAL_RATIO, GOAL_SPECTATOR, GOAL_MEGABYTES = 1.25, 10.0, 400
#: How many moves come at once in a burst.
BURST = 50
SPECTATORS, IDLE = 20, 10_000
UNLIMITED = Rate(1e6, 10**6)
NO_LIMITS = Limits(
    messages=UNLIMITED,
    changes=UNLIMITED,
    pages=UNLIMITED,
    requests=UNLIMITED,
    heavy=UNLIMITED,
    tables=UNLIMITED,
    sockets=10**6,
    connections=10**6,
)


@dataclass(frozen=True, slots=True)
class Load:
    """What a server has to bear: ``moves`` are due per second, ``watching`` are at each table."""

    server: str = OURS
    moves: int = GOAL_MOVES
    tables: int = 500
    bursts: bool = False
    watching: int = 0
    workers: int = 1
    database: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it. Times are in milliseconds, CPU time in seconds per second."""

    load: Load
    moves: float
    p50: float
    p99: float
    worst: float
    refused: int
    messages: float
    players_cpu: float
    server_cpu: float

    @property
    def held(self) -> bool:
        """Whether the server kept up."""
        on_time = self.moves > 0.98 * self.load.moves and self.p99 < BROKEN_P99
        return self.refused == 0 and on_time

    @property
    def cost(self) -> float:
        """CPU time of the server for a move, in microseconds."""
        return 1e6 * self.server_cpu / self.moves


@dataclass(frozen=True, slots=True)
class Running:
    """A server that has been started."""

    port: int
    process: int


def _server(load: Load, location: str, port: int, log: str) -> None:
    if load.workers == 1:
        os.sched_setaffinity(0, {0})
    else:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        sys.stdin = None  # this process has none that workers could take over
    sys.stderr = Path(log).open("w", buffering=1)  # noqa: SIM115 (for as long as it runs)
    if load.server == BARE:
        load_bare.serve(location, bind(Address(HOST, port)))
        return
    settings = Settings(location, log_level="warning", limits=NO_LIMITS)
    prepare(settings)
    serve(settings, bind(Address(HOST, port)), workers=load.workers)


@contextmanager
def running(load: Load) -> Iterator[Running]:
    """Start the server for this load, and stop it."""
    probe = bind(Address(HOST, 0))
    port = probe.getsockname()[1]
    probe.close()
    with tempfile.TemporaryDirectory() as folder:
        place = load.database or str(Path(folder) / "load.sqlite3")
        server = multiprocessing.get_context("spawn").Process(
            target=_server, args=(load, place, port, str(Path(folder) / "log"))
        )
        server.start()
        try:
            yield Running(port, server.pid or 0)
        finally:
            server.terminate()
            server.join(10)


def measure(load: Load, seconds: float) -> Result:
    """Put this load on a server of its own."""
    with running(load) as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        result = runner.run(_play(load, server, seconds))
    print(_line(result), file=sys.stderr)
    return result


async def _play(load: Load, server: Running, seconds: float) -> Result:
    tally = Tally()
    await _wait_for(server.port)
    tables = await _sit_down(load, server.port, tally)
    gc.collect()
    gc.freeze()  # a collection of thousands of players would look like a slow server
    every, start = load.tables / load.moves, perf_counter() + 0.5
    games = [
        asyncio.create_task(player.play(start + every * place / load.tables, every))
        for place, player in zip(_places(load), tables, strict=True)
    ]
    await asyncio.sleep(0.5 + min(3.0, seconds / 3))  # warm up
    tally.counting, messages, began = True, tally.frames, perf_counter()
    cpu, server_cpu = process_time(), _cpu_of(server.process)
    await asyncio.sleep(seconds)
    tally.counting, elapsed = False, perf_counter() - began
    cpu, server_cpu = process_time() - cpu, _cpu_of(server.process) - server_cpu
    messages = tally.frames - messages
    for player in tables:
        player.stop = True
    await asyncio.wait(games, timeout=10)
    for player in tables:
        player.close()
    for reason in sorted(set(tally.refused)):
        print(f"  refused: {reason}", file=sys.stderr)
    delays = sorted(delay * 1000 for delay in tally.delays) or [float("inf")]
    return Result(
        load=load,
        moves=len(tally.delays) / elapsed,
        p50=delays[len(delays) // 2],
        p99=delays[int(len(delays) * 0.99)],
        worst=delays[-1],
        refused=len(tally.refused),
        messages=messages / elapsed,
        players_cpu=cpu / elapsed,
        server_cpu=server_cpu / elapsed,
    )


def _places(load: Load) -> Iterator[int]:
    """Yield the place of each table in the round: spread out, or so many at once."""
    for place in range(load.tables):
        yield place - place % BURST if load.bursts else place


def _cpu_of(process: int) -> float:
    """Return the seconds of CPU time that a process and its children have used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(_cpu_of, _children_of(process)))


def _children_of(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


async def _sit_down(load: Load, port: int, tally: Tally) -> list[Table]:
    """Make the tables and fill them, a few at a time."""
    async with httpx.AsyncClient(base_url=f"http://{HOST}:{port}", timeout=60) as http:
        gate = asyncio.Semaphore(16)

        async def one(seed: int) -> Table:
            async with gate:
                setup = {"edition": "classic", "seats": SEATS}
                made = (await http.post("/api/tables", json={"setup": setup})).json()
                seated = Table(made["id"], made["secret"], tally, seed)
                await seated.open(HOST, port, SEATS, load.watching)
                return seated

        return await asyncio.gather(*map(one, range(load.tables)))


async def _wait_for(port: int) -> None:
    async with httpx.AsyncClient() as http:
        for _ in range(100):
            try:
                await http.get(f"http://{HOST}:{port}/healthz")
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return
    raise TimeoutError("the server did not start")


def idle_megabytes(count: int) -> float:
    """Return the memory of a server with so many connected clients that do nothing."""

    async def connected(server: Running) -> float:
        await _wait_for(server.port)
        async with httpx.AsyncClient(base_url=f"http://{HOST}:{server.port}") as http:
            setup = {"setup": {"edition": "classic", "seats": SEATS}}
            made = [await http.post("/api/tables", json=setup) for _ in range(count // 20)]
        names = [answer.json()["id"] for answer in made]
        clients = []
        for place in range(count):
            path = f"/api/tables/{names[place % len(names)]}/live"
            clients.append(await connect(HOST, server.port, path, lambda _: None))
            clients[-1].send(b'{"do":"hello","id":"h"}')
        await asyncio.sleep(5)
        if any(client.lost for client in clients):
            raise ConnectionError("the server did not keep all connections")
        return _memory_of(server.process)

    with running(Load()) as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        used = runner.run(connected(server))
    print(f"{count} idle connections: {used:.0f} MB", file=sys.stderr)
    return used


def _memory_of(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    resident = next(line for line in lines if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1000


# --- what is measured -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """All results of a run; ``idle`` is in megabytes."""

    cost: list[tuple[Result, Result]]
    climb: list[Result]
    spectators: list[tuple[Result, Result]]
    idle: float
    workers: list[Result]

    @property
    def ratio(self) -> list[float]:
        """The cost of a move in units of that of the bare server, by round in rising order."""
        return sorted(ours.cost / bare.cost for bare, ours in self.cost)

    @property
    def spectator(self) -> list[float]:
        """The cost of a move for one more spectator, in microseconds, by round in rising order."""
        return sorted(
            (watched.cost - alone.cost) / watched.load.watching
            for alone, watched in self.spectators
        )


def run(seconds: float, rounds: int) -> Report:
    """Measure everything."""
    few = Load(tables=100)
    return Report(
        cost=[(measure(Load(BARE), seconds), measure(Load(), seconds)) for _ in range(rounds)],
        climb=[*_climb(seconds)],
        spectators=[
            (measure(few, seconds), measure(replace(few, watching=SPECTATORS), seconds))
            for _ in range(rounds)
        ],
        idle=idle_megabytes(IDLE),
        workers=[*_on_postgres(seconds)],
    )


def _climb(seconds: float) -> Iterator[Result]:
    for moves in range(MOST_MOVES, 8 * GOAL_MOVES, 500):
        spread = measure(Load(moves=moves), seconds)
        yield spread
        if moves == MOST_MOVES:
            yield measure(Load(moves=moves, bursts=True), seconds)
        if not spread.held:
            return


def _on_postgres(seconds: float) -> Iterator[Result]:
    """Several workers share all cores with the database and the players."""
    with running_postgres() as postgres:
        for workers in (1, 2, 4):
            yield measure(Load(workers=workers, database=postgres.fresh()), seconds)


# --- what is written ------------------------------------------------------------------------------


def _line(result: Result) -> str:
    load = result.load
    return (
        f"{load.server}, {load.workers} worker(s): {load.tables * SEATS} players, {load.moves} "
        f"moves/s{' in bursts' if load.bursts else ''}, {load.watching} watching each table: "
        f"{result.moves:.0f}/s, p50 {result.p50:.1f} ms, p99 {result.p99:.1f} ms, "
        f"worst {result.worst:.0f} ms, {result.cost:.0f} µs a move, server "
        f"{result.server_cpu:.0%}, players {result.players_cpu:.0%}"
    )


_HEAD = (
    "server",
    "workers",
    "players",
    "watching each table",
    "moves/s due",
    "arriving",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "worst ms",
    "refused",
    "CPU µs a move",
    "server's core %",
    "players' core %",
)


def _row(result: Result) -> tuple[str, ...]:
    load = result.load
    return (
        load.server,
        f"{load.workers}",
        f"{load.tables * SEATS:,}",
        f"{load.watching}",
        f"{load.moves:,}",
        f"{BURST} at once" if load.bursts else "one by one",
        f"{result.moves:,.0f}",
        f"{result.p50:.1f}",
        f"{result.p99:.1f}",
        f"{result.worst:.0f}",
        f"{result.refused}",
        f"{result.cost:.0f}",
        f"{result.server_cpu * 100:.0f}",
        f"{result.players_cpu * 100:.0f}",
    )


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "NOT met"


def _rounds(figures: Sequence[float], digits: int) -> str:
    """Return how many rounds there were, and the range of their figures, given in rising order."""
    low, high = (f"{figures[place]:.{digits}f}" for place in (0, -1))
    return f"{len(figures)} rounds ({low} to {high})"


def _goals(report: Report) -> list[str]:
    most = [result for result in report.climb if result.load.moves == MOST_MOVES]
    slowest = max((result.p99 for result in most), default=float("inf"))
    last = report.climb[-1]
    breaks = "still keeps up" if last.held else "can no longer keep up"
    ratio, spectator = statistics.median(report.ratio), statistics.median(report.spectator)
    return [
        (
            f"- Cost of a move: {ratio:.2f} times that of a bare server with the same storage, the "
            f"median of {_rounds(report.ratio, 2)} (goal {GOAL_RATIO}: "
            f"{_verdict(ratio <= GOAL_RATIO)})."
        ),
        (
            f"- {MOST_MOVES:,} moves per second, also {BURST} at once: 99% are answered within "
            f"{slowest:.0f} ms (goal {GOAL_P99:.0f} ms: {_verdict(slowest <= GOAL_P99)}). "
            f"The server {breaks} at {last.load.moves:,}."
        ),
        (
            f"- A spectator costs {spectator:.1f} µs a move (goal {GOAL_SPECTATOR:.0f}: "
            f"{_verdict(spectator <= GOAL_SPECTATOR)}): {SPECTATORS} at each of "
            f"{report.spectators[0][0].load.tables} tables compared with none, the median of "
            f"{_rounds(report.spectator, 1)}."
        ),
        (
            f"- {IDLE:,} idle connections take {report.idle:.0f} MB (goal {GOAL_MEGABYTES}: "
            f"{_verdict(report.idle <= GOAL_MEGABYTES)})."
        ),
    ]


def text(report: Report) -> str:
    """Return the section of docs/benchmarks.md."""
    pairs = [result for pair in (*report.cost, *report.spectators) for result in pair]
    return "\n".join(
        (
            "## Server: moves on disk before they are answered",
            "",
            (
                f"`python -m bench.load`. Tables of {SEATS} players, classic, SQLite. The server "
                "has one core, the players have the other. A delay is measured from the moment a "
                "move is due until it is answered; every player receives every event."
            ),
            "",
            *_goals(report),
            "",
            table(_HEAD, map(_row, (*pairs, *report.climb))),
            "",
            (
                "Several workers on PostgreSQL, which share both cores with the database and the "
                "players:"
            ),
            "",
            table(_HEAD, map(_row, report.workers)),
        )
    )


def main() -> None:
    """Measure, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="seconds for each step")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each comparison")
    parser.add_argument("--only-goal", action="store_true", help="one step, print, write nothing")
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {1 % (os.cpu_count() or 1)})
    if arguments.only_goal:
        measure(Load(), arguments.seconds)
        return
    report = run(arguments.seconds, arguments.rounds)
    if arguments.json:
        print(json.dumps(asdict(report)))
    else:
        write_section("load", text(report), facts(PACKAGES))


if __name__ == "__main__":
    main()
