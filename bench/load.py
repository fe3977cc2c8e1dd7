"""The server under load: 2,000 players at 500 tables, every move on disk before its answer.

The server gets one core, the players get the other. The load is raised step by step until the
server can no longer keep up; the report says where. A bare server with the same storage and no game
handles the load of the goal in the same run, for comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time

import httpx
import uvloop

from bench import load_bare
from bench.load_players import Table, Tally
from bench.report import facts, table, write_section
from heckmeck.server.limits import Limits, Rate
from heckmeck.server.run import Address, bind, prepare, serve
from heckmeck.server.settings import Settings

HOST = "127.0.0.1"
SEATS = 4
PACKAGES = ("heckmeck", "starlette", "uvicorn", "uvloop", "websockets", "msgspec")
#: The goal, and the delay beyond which the server counts as broken.
GOAL_TABLES, GOAL_MOVES, GOAL_P99 = 500, 1000, 50.0
BROKEN_P99 = 250.0
OURS, BARE = "heckmeck", "bare Starlette, no game"
NO_LIMITS = Limits(
    messages=Rate(1e6, 10**6),
    changes=Rate(1e6, 10**6),
    pages=Rate(1e6, 10**6),
    requests=Rate(1e6, 10**6),
    heavy=Rate(1e6, 10**6),
    tables=Rate(1e6, 10**6),
    sockets=10**6,
    connections=10**6,
)


@dataclass(frozen=True, slots=True)
class Result:
    """One step: the load and the result. Times are in milliseconds."""

    server: str
    tables: int
    players: int
    wanted: int
    moves: float
    p50: float
    p99: float
    worst: float
    refused: int
    frames: float
    players_cpu: float
    server_cpu: float

    @property
    def held(self) -> bool:
        """Whether the server kept up."""
        return self.refused == 0 and self.moves > 0.98 * self.wanted and self.p99 < BROKEN_P99


def _server(kind: str, location: str, port: int, log: str) -> None:
    os.sched_setaffinity(0, {0})
    sys.stderr = Path(log).open("w", buffering=1)  # noqa: SIM115 (for as long as it runs)
    if kind == BARE:
        load_bare.serve(location, bind(Address(HOST, port)))
        return
    settings = Settings(location, limits=NO_LIMITS)
    prepare(settings)
    serve(settings, bind(Address(HOST, port)))


async def measure(
    kind: str, port: int, server: int, tables: int, moves: int, seconds: float
) -> Result:
    """Play at ``tables`` tables, at the wanted total of moves per second."""
    tally = Tally()
    players = await _sit_down(port, tables, tally)
    every = tables / moves
    start = perf_counter() + 0.5
    games = [
        asyncio.create_task(player.play(start + every * place / tables, every))
        for place, player in enumerate(players)
    ]
    await asyncio.sleep(0.5 + min(3.0, seconds / 3))  # warm up
    tally.counting, frames, began = True, tally.frames, perf_counter()
    cpu, server_cpu = process_time(), _cpu_of(server)
    await asyncio.sleep(seconds)
    tally.counting, elapsed = False, perf_counter() - began
    cpu, server_cpu = process_time() - cpu, _cpu_of(server) - server_cpu
    frames = tally.frames - frames
    for player in players:
        player.stop = True
    await asyncio.wait(games, timeout=10)
    for player in players:
        for client in player.clients:
            client.close()
    delays = sorted(delay * 1000 for delay in tally.delays) or [float("inf")]
    for reason in sorted(set(tally.refused)):
        print(f"  refused: {reason}", file=sys.stderr)
    return Result(
        server=kind,
        tables=tables,
        players=tables * SEATS,
        wanted=moves,
        moves=len(tally.delays) / elapsed,
        p50=delays[len(delays) // 2],
        p99=delays[int(len(delays) * 0.99)],
        worst=delays[-1],
        refused=len(tally.refused),
        frames=frames / elapsed,
        players_cpu=cpu / elapsed,
        server_cpu=server_cpu / elapsed,
    )


def _cpu_of(process: int) -> float:
    """Return the seconds of CPU time that a process has used, by all of its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _sit_down(port: int, count: int, tally: Tally) -> list[Table]:
    """Make the tables and fill them, a few at a time."""
    async with httpx.AsyncClient(base_url=f"http://{HOST}:{port}", timeout=60) as http:
        gate = asyncio.Semaphore(16)

        async def one(seed: int) -> Table:
            async with gate:
                setup = {"edition": "classic", "seats": SEATS}
                made = (await http.post("/api/tables", json={"setup": setup})).json()
                seated = Table(made["id"], made["secret"], tally, seed)
                await seated.open(HOST, port, SEATS)
                return seated

        return await asyncio.gather(*map(one, range(count)))


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


def step(kind: str, location: str, tables: int, moves: int, seconds: float) -> Result:
    """Start a server, measure one load, stop the server."""
    probe = bind(Address(HOST, 0))
    port = probe.getsockname()[1]
    probe.close()
    with tempfile.TemporaryDirectory() as folder:
        place = location or str(Path(folder) / "load.sqlite3")
        log = str(Path(folder) / "log")
        server = multiprocessing.get_context("spawn").Process(
            target=_server, args=(kind, place, port, log)
        )
        server.start()
        try:

            async def run() -> Result:
                await _wait_for(port)
                return await measure(kind, port, server.pid or 0, tables, moves, seconds)

            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(run())
        finally:
            server.terminate()
            server.join(10)


def climb(location: str, seconds: float) -> list[Result]:
    """Measure the goal, bare and with the game, then more and more until it breaks."""
    results = [step(BARE, location, GOAL_TABLES, GOAL_MOVES, seconds)]
    _say(results[0])
    moves = GOAL_MOVES
    while True:
        results.append(step(OURS, location, GOAL_TABLES, moves, seconds))
        _say(results[-1])
        if not results[-1].held or moves >= 8 * GOAL_MOVES:
            return results
        moves += 250


_HOW = (
    "The server has one core, the players have the other. A delay is measured from the moment a "
    "move is due until it is answered; every player receives every event."
)


def _say(result: Result) -> None:
    print(
        f"{result.server}: {result.players} players, {result.wanted} moves/s wanted: "
        f"{result.moves:.0f}/s, "
        f"p50 {result.p50:.1f} ms, p99 {result.p99:.1f} ms, worst {result.worst:.0f} ms, "
        f"{result.frames:.0f} messages/s, "
        f"server's core {result.server_cpu:.0%}, players' {result.players_cpu:.0%}",
        file=sys.stderr,
    )


def report(results: list[Result]) -> str:
    """Return the section of docs/benchmarks.md."""
    rows = [
        (
            r.server,
            f"{r.players:,}",
            f"{r.wanted:,}",
            f"{r.moves:,.0f}",
            f"{r.frames:,.0f}",
            f"{r.p50:.1f}",
            f"{r.p99:.1f}",
            f"{r.worst:.0f}",
            f"{r.server_cpu * 100:.0f}",
            f"{r.players_cpu * 100:.0f}",
        )
        for r in results
    ]
    goal, last = results[1], results[-1]
    verdict = "is met" if goal.held and goal.p99 < GOAL_P99 else "is NOT met"
    limit = (
        f"The server can no longer keep up at {last.wanted:,} moves per second."
        if not last.held
        else f"The server kept up with {last.wanted:,} moves per second."
    )
    goal_line = (
        f"The goal, {goal.wanted:,} moves per second with 99% of them answered within "
        f"{GOAL_P99:.0f} ms, "
        f"{verdict}. {limit}"
    )
    cost_line = (
        f"The game and everything around it take {goal.server_cpu / results[0].server_cpu:.1f} "
        "times the CPU time of a bare server with the same storage."
    )
    return "\n".join(
        (
            "## Server: moves on disk before they are answered",
            "",
            f"`python -m bench.load`. {goal.tables} tables of {SEATS} players, classic, SQLite.",
            _HOW,
            "",
            goal_line,
            cost_line,
            "",
            table(
                (
                    "server",
                    "players",
                    "moves/s due",
                    "moves/s",
                    "messages/s out",
                    "p50 ms",
                    "p99 ms",
                    "worst ms",
                    "server's core %",
                    "players' core %",
                ),
                rows,
            ),
        )
    )


def main() -> None:
    """Measure, print, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="seconds for each step")
    parser.add_argument("--db", default="", help="a PostgreSQL URL instead of an SQLite file")
    parser.add_argument("--only-goal", action="store_true", help="one step, print, write nothing")
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {1 % (os.cpu_count() or 1)})
    if arguments.only_goal:
        _say(step(OURS, arguments.db, GOAL_TABLES, GOAL_MOVES, arguments.seconds))
        return
    results = climb(arguments.db, arguments.seconds)
    if arguments.json:
        print(json.dumps([asdict(result) for result in results]))
    else:
        write_section("load", report(results), facts(PACKAGES))


if __name__ == "__main__":
    main()
