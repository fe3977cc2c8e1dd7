"""What a player on Windows runs gets along without what only POSIX has.

There is no Windows here. A process pretends as well as it can: what Windows does not have is taken
away once Python and the packages, which know both systems, are loaded.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from heckmeck.bots.outside import command_of
from heckmeck.server.store import sqlite_file
from scripts import environment

PRETEND = """
import asyncio, ctypes, multiprocessing.popen_spawn_posix, multiprocessing.synchronize
import concurrent.futures.process, os, signal, sqlite3, subprocess, sys, tempfile, types
import numba, numpy, rich.console, starlette.applications, textual.app, uvicorn.supervisors
import httptools, msgspec, webbrowser, websockets.asyncio.client

for name in ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "curses", "uvloop"):
    sys.modules[name] = None
for name in ("SIGKILL", "SIGHUP", "SIGUSR1", "SIGALRM", "SIGCHLD", "SIGPIPE", "pthread_sigmask"):
    delattr(signal, name)
for name in ("fork", "killpg", "getpgid", "setsid", "getuid", "geteuid", "nice", "getpriority"):
    delattr(os, name)
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, LK_LOCK=1, locking=lambda *_: None)
asyncio.ProactorEventLoop = asyncio.SelectorEventLoop
sys.platform = "win32"
"""
IMPORT_ALL = """
import importlib, pkgutil, re
import heckmeck

for module in pkgutil.walk_packages(heckmeck.__path__, "heckmeck.", onerror=lambda _: None):
    # No player needs these.
    if not re.search("__main__|postgres|ray_cluster|plots|envs", module.name):
        importlib.import_module(module.name)
print("all imported")
"""
SERVE = """
from heckmeck.cli import main

sys.exit(main(["serve", "--port", "0", "--no-prepare"]))
"""
PLAY = """
from heckmeck.cli import main

sys.exit(main(["play", "--plain", "--players", "Ada,Ben", "--seed", "7"]))
"""


def variables(data: Path) -> dict[str, str]:
    return {**os.environ, "LOCALAPPDATA": str(data), "PYTHONUNBUFFERED": "1", "LC_ALL": "C.UTF-8"}


def test_every_module_can_be_imported(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRETEND + IMPORT_ALL],
        env=variables(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("all imported\n", "")


def test_tables_are_served(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PRETEND + SERVE],
        env=variables(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            assert httpx.get(f"{found[0]}healthz", timeout=30).json()["ok"]
            made = httpx.post(f"{found[0]}api/tables", json={"setup": {"edition": "classic"}})
            assert made.status_code == 201
        finally:
            process.kill()
    assert (tmp_path / "heckmeck" / "tables.sqlite3").is_file()


def test_a_game_is_played_in_the_terminal(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRETEND + PLAY],
        env=variables(tmp_path),
        cwd=tmp_path,
        input="roll\nq\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "roll [r] > Ada rolls " in done.stdout


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Where Windows was asked to lock a byte, and how."""
    calls: list[tuple[int, int]] = []

    def locking(descriptor: int, mode: int, count: int) -> None:
        assert count == 1
        calls.append((os.lseek(descriptor, 0, os.SEEK_CUR), mode))
        if len(calls) == 2:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("sys.platform", "win32")
    module = SimpleNamespace(LK_NBLCK=2, LK_LOCK=1, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    return calls


def test_a_lock_hides_nothing_of_what_is_written(
    locked: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """There nobody can read a byte that is locked, and the address has to be read."""
    monkeypatch.setattr(sqlite_file, "ADDRESS_SECONDS", 0.0)
    with sqlite_file.claimed(tmp_path / "tables") as held:
        held.announce("http://127.0.0.1:8000/")
        with pytest.raises(sqlite_file.AlreadyServed) as served:
            sqlite_file.claimed(tmp_path / "tables")
    assert served.value.url == "http://127.0.0.1:8000/"
    assert all(place > 1_000_000 and mode == 2 for place, mode in locked)


def test_an_installation_under_way_is_waited_for(
    locked: list[tuple[int, int]], tmp_path: Path
) -> None:
    """There a lock is waited for in pieces of ten seconds, each of which ends with an error."""
    with environment.one_at_a_time(tmp_path / "lock"):
        assert [mode for _, mode in locked] == [2]
    locked[:] = [(0, 0)]  # the next one is refused
    with environment.one_at_a_time(tmp_path / "lock"):
        assert [mode for _, mode in locked[1:]] == [2, 1]


def test_the_path_of_a_bot_keeps_its_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.name", "nt")
    monkeypatch.setattr("shutil.which", lambda program: program)
    assert command_of(r'exec:"C:\My bots\grill.exe" --fast D:\x') == [
        r"C:\My bots\grill.exe",
        "--fast",
        r"D:\x",
    ]
