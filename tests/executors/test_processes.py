"""Who plays does not matter, nor whether they survive it."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from heckmeck.arena.chunks import Chunk, cut
from heckmeck.arena.tournament import Tournament
from heckmeck.bots import BotMisbehaved
from heckmeck.executors import MAX_DEATHS, Executor, WorkersDied, executor_for
from heckmeck.executors.processes import Processes
from tests.arena.games import all_at_once, results_of, small, total
from tests.bots.programs import GOOD, bot_name, deaths, killer_name, wait_for_end

if TYPE_CHECKING:
    from _typeshed import TraceFunction

TOURNAMENT = replace(small(bots="chick rooster random"), seats=3, games=60)


@pytest.fixture(params=[1, 2])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with closing(executor_for(request.param)) as executor:
        yield executor


def in_chunks_of(size: int, tournament: Tournament) -> list[Chunk]:
    return list(cut(tournament, workers=2, keep_records=True, largest=size))


@pytest.mark.parametrize("size", [3, 17])
def test_every_executor_plays_the_same_games(executor: Executor, size: int) -> None:
    results = results_of(executor, in_chunks_of(size, TOURNAMENT))
    assert total(results) == all_at_once(TOURNAMENT)


def test_the_fox_is_the_same_everywhere() -> None:
    tournament = replace(TOURNAMENT, bots=("fox", "rooster"), seats=2, games=12)
    with closing(Processes(2)) as executor:
        assert total(results_of(executor, in_chunks_of(4, tournament))) == all_at_once(tournament)


def test_outside_bots_play_everywhere(executor: Executor, tmp_path: Path) -> None:
    tournament = replace(TOURNAMENT, bots=("chick", bot_name(tmp_path)), seats=2, games=8)
    results = results_of(executor, in_chunks_of(4, tournament))
    assert total(results) == all_at_once(tournament)


def test_a_bot_that_misbehaves_is_named_everywhere(executor: Executor, tmp_path: Path) -> None:
    name = bot_name(tmp_path, "say(id=1, move='hop')")
    chunks = in_chunks_of(4, replace(TOURNAMENT, bots=("chick", name), seats=2))
    with pytest.raises(BotMisbehaved, match="chose 'hop', which is not a move"):
        results_of(executor, chunks)


def test_nothing_is_missed_while_nobody_looks(executor: Executor) -> None:
    """Everything under way is finished before the next result is asked for."""
    results = executor.run(in_chunks_of(3, TOURNAMENT))
    played = [next(results)]
    time.sleep(1)
    played.extend(results)
    assert total(sorted(played, key=lambda result: result.first)) == all_at_once(TOURNAMENT)


def test_no_chunks_no_results(executor: Executor) -> None:
    assert list(executor.run([])) == []


# --- workers that die -----------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_worker_loses_no_chunk(tmp_path: Path, times: int) -> None:
    """The bot kills the process that asks it."""
    tournament = replace(TOURNAMENT, bots=("chick", killer_name(tmp_path, times)), seats=2, games=8)
    with closing(Processes(2)) as executor:
        results = results_of(executor, in_chunks_of(2, tournament))
    assert deaths(tmp_path) == times
    assert total(results) == all_at_once(tournament)


def test_workers_killed_while_nobody_looks_lose_no_chunk() -> None:
    """All of them die while the last result is being looked at."""
    with closing(Processes(2)) as executor:
        results = executor.run(in_chunks_of(3, TOURNAMENT))
        played = [next(results)]
        for worker in multiprocessing.active_children():
            worker.kill()
            worker.join()
        played.extend(results)
    assert total(sorted(played, key=lambda result: result.first)) == all_at_once(TOURNAMENT)


def test_a_chunk_that_always_kills_its_worker_is_given_up(tmp_path: Path) -> None:
    tournament = replace(TOURNAMENT, bots=("chick", killer_name(tmp_path, 99)), seats=2, games=2)
    with closing(Processes(1)) as executor, pytest.raises(WorkersDied) as caught:
        results_of(executor, [Chunk(tournament, 0, 2)])
    assert str(caught.value).startswith(
        f"worker processes were killed {MAX_DEATHS + 1} times while playing games 0 to 1."
    )
    assert deaths(tmp_path) == MAX_DEATHS + 1


# --- the end --------------------------------------------------------------------------------------


def wait_for_file(path: Path, seconds: float = 60) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.01)
    raise TimeoutError(f"{path} did not appear")


def sleeper_name(directory: Path) -> str:
    """A bot that writes down its process and its parent's, and never answers."""
    body = """
        with open(sys.argv[0] + ".new", "w") as file:
            file.write(f"{os.getpid()} {os.getppid()}")
        os.rename(sys.argv[0] + ".new", sys.argv[0] + ".pids")
        time.sleep(600)
    """
    return bot_name(directory, body)


@pytest.mark.parametrize("asked", [False, True], ids=["closed", "asked to end before"])
def test_closing_ends_workers_and_their_programs_in_mid_game(tmp_path: Path, asked: bool) -> None:
    """A pool that sees one worker end asks the others to end at once; they end in order."""
    tournament = replace(TOURNAMENT, bots=("chick", sleeper_name(tmp_path)), seats=2, games=2)
    good = replace(tournament, bots=("chick", "rooster"))
    executor = Processes(2)
    with closing(executor):
        results = executor.run([Chunk(good, 0, 2), Chunk(tournament, 0, 2)])
        assert next(results).tally.games == 2
        program, worker = map(int, wait_for_file(tmp_path / "bot.py.pids").split())
        if asked:
            os.kill(worker, signal.SIGTERM)
    wait_for_end(program)
    wait_for_end(worker)
    assert not multiprocessing.active_children()


def test_workers_end_with_their_parent_even_if_it_is_killed(tmp_path: Path) -> None:
    code = (
        "from heckmeck.arena.chunks import Chunk\n"
        "from heckmeck.executors.processes import Processes\n"
        "from heckmeck.arena.tournament import Tournament\n"
        "if __name__ == '__main__':\n"
        f"    bots = ('chick', {sleeper_name(tmp_path)!r})\n"
        "    list(Processes(1).run([Chunk(Tournament('junior', bots, 2, 2, 1), 0, 2)]))\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(code)
    with subprocess.Popen([sys.executable, str(script)]) as parent:
        program, worker = map(int, wait_for_file(tmp_path / "bot.py.pids").split())
        parent.kill()
    wait_for_end(program)
    wait_for_end(worker)


def test_workers_leave_ctrl_c_to_their_parent(tmp_path: Path) -> None:
    body = f"""
        if number == 1:
            os.kill(os.getppid(), signal.SIGINT)
        {GOOD}
    """
    tournament = replace(TOURNAMENT, bots=("chick", bot_name(tmp_path, body)), seats=2, games=2)
    with closing(Processes(1)) as executor:
        (result,) = executor.run([Chunk(tournament, 0, 2)])
    assert result.tally.games == 2
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def test_ctrl_c_never_finds_a_lock_of_the_pool_taken() -> None:
    """A lock that Ctrl-C leaves taken stops the pool for ever: it cannot even be closed."""
    heard: set[str] = set()
    chunks = in_chunks_of(2, small(games=12))

    def trace(frame: FrameType, _: str, __: object) -> "TraceFunction | None":
        if frame.f_globals.get("__name__", "").startswith("concurrent.futures."):
            if signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
                heard.add(frame.f_code.co_qualname)
            return trace
        return None

    with closing(Processes(2)) as processes:
        sys.settrace(trace)
        try:
            played = list(processes.run(chunks))
        finally:
            sys.settrace(None)
    assert len(played) == len(chunks)
    assert heard == set()
