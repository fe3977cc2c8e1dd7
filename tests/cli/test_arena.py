"""`heckmeck arena`."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from heckmeck.arena.chunks import Chunk
from heckmeck.executors import Inline
from heckmeck.record import read_record
from tests.bots.programs import GOOD, bot_name
from tests.cli.terminal import Terminal

SECONDS = 60
QUICK = ("arena", "--edition", "junior", "--bots", "rooster,chick", "--seed", "5")


def json_of(terminal: Terminal, *args: str) -> dict[str, Any]:
    shown = terminal.run(*args, "--json")
    assert (shown.status, shown.err) == (0, "")
    data: dict[str, Any] = json.loads(shown.out)
    return data


# --- what it prints -------------------------------------------------------------------------------


def test_tables_for_people(terminal: Terminal) -> None:
    shown = terminal.run(*QUICK, "--games", "40")
    assert (shown.status, shown.err) == (0, "")
    headline, _, header, best, worst, *rest = shown.out.splitlines()
    assert headline.startswith("junior, 2 players: 40 games, seed 5 (")
    assert header.split()[:4] == ["bot", "rating", "games", "wins"]
    assert (best.split()[0], worst.split()[0]) == ("rooster", "chick")
    assert any(line.startswith("The first player wins ") for line in rest)
    assert "ahead of" not in shown.out


def test_more_than_two_bots_are_shown_in_pairs(terminal: Terminal) -> None:
    shown = terminal.run(*QUICK[:4], "rooster,chick,random", "--games", "12")
    assert "rooster ahead of random" in shown.out


def test_json(terminal: Terminal) -> None:
    data = json_of(terminal, *QUICK, "--games", "40")
    assert [*data][:6] == ["edition", "seats", "games", "seconds", "games_per_second", "bots"]
    assert (data["edition"], data["seats"], data["games"]) == ("junior", 2, 40)
    assert data["seconds"] > 0
    assert data["games_per_second"] == pytest.approx(40 / data["seconds"])
    rooster, chick = data["bots"]
    assert [*rooster][:6] == ["name", "games", "wins", "win_share", "interval", "mean_score"]
    assert (rooster["name"], chick["name"]) == ("rooster", "chick")
    assert rooster["games"] == chick["games"] == 40
    assert rooster["wins"] + chick["wins"] == 40
    assert rooster["win_share"] == rooster["wins"] / 40
    low, high = rooster["interval"]
    assert low < rooster["win_share"] < high


@pytest.mark.parametrize(
    ("bots", "seats", "games"),
    [("chick,chick", 2, {"chick": 20}), ("chick,rooster", 5, {"chick": 25, "rooster": 25})],
)
def test_a_bots_games_are_its_seats(
    terminal: Terminal, bots: str, seats: int, games: dict[str, int]
) -> None:
    args = ("arena", "--edition", "junior", "--bots", bots, "--seats", str(seats))
    data = json_of(terminal, *args, "--games", "10")
    assert {bot["name"]: bot["games"] for bot in data["bots"]} == games
    assert sum(bot["wins"] for bot in data["bots"]) == pytest.approx(10)


def without_times(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if "second" not in key}


def test_the_result_depends_on_the_seed_alone(terminal: Terminal) -> None:
    one, two, other = (
        without_times(json_of(terminal, *QUICK, "--games", "60", *args))
        for args in (["--workers", "1"], ["--workers", "2"], ["--seed", "6"])
    )
    assert one == two
    assert other["seed"] == 6
    assert other["bots"] != one["bots"]


def test_without_a_seed_there_is_one_to_repeat_it_with(terminal: Terminal) -> None:
    once = json_of(terminal, *QUICK[:-2], "--games", "20")
    again = json_of(terminal, *QUICK[:-2], "--games", "20", "--seed", str(once["seed"]))
    assert without_times(once) == without_times(again)


def test_spaces_between_names_are_no_harm(terminal: Terminal) -> None:
    data = json_of(terminal, *QUICK[:3], "--bots", " rooster , chick ", "--games", "4")
    assert [bot["name"] for bot in data["bots"]] == ["rooster", "chick"]


def test_a_name_may_look_like_anything(terminal: Terminal, tmp_path: Path) -> None:
    """It is no markup for the table, no emoji and no formula for the pictures."""
    name = bot_name(tmp_path, GOOD, "[/bold]", ":egg:", "$x_{$")
    args = ("arena", "--edition", "junior", "--bots", f"chick,{name}", "--games", "2")
    shown = terminal.run(*args, "--out", "out")
    assert (shown.status, shown.err) == (0, "")
    for part in ("[/bold]", ":egg:", "$x_{$"):
        assert part in "".join(shown.out.split())


# --- what it refuses ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--bots", "rooster,wolf"], "There is no bot 'wolf'. The bots are random, chick, "),
        (["--bots", "rooster"], "A tournament needs at least two bots."),
        (["--bots", "chick,exec:./wolf"], "There is no program './wolf' to run."),
        (["--bots", "rooster,chick", "--seats", "6"], "junior is for 2 to 5 players, not for 6."),
        (["--bots", "rooster,chick", "--games", "0"], "at least one game, not 0."),
        (["--bots", "rooster,chick", "--games", "many"], "'many' is not a valid integer"),
        (["--bots", "rooster,chick", "--workers", "0"], "0 is not in the range x>=1"),
        (["--bots", "rooster,chick", "--seed", "-1"], "-1 is not in the range"),
        (["--bots", "rooster,chick", "--move-seconds", "0"], "more than 0 seconds"),
        ([], "Missing option '--bots'"),
    ],
)
def test_usage_errors_say_what_would_be_right(
    terminal: Terminal, args: list[str], message: str
) -> None:
    shown = terminal.run("arena", "--edition", "junior", *args)
    assert shown.status == 2
    assert shown.out == ""
    assert message in shown.err


def test_a_bot_that_misbehaves_ends_the_tournament(terminal: Terminal, tmp_path: Path) -> None:
    name = bot_name(tmp_path, "say(id=question['id'], move='hop')")
    shown = terminal.run("arena", "--edition", "junior", "--bots", f"chick,{name}", "--games", "4")
    assert shown.status == 1
    assert shown.err.startswith(f"heckmeck: {name} chose 'hop', which is not a move: ")


def test_no_cluster_is_said(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    def nobody(**_: object) -> None:
        raise ConnectionError("nobody there")

    monkeypatch.setattr(ray, "init", nobody)
    shown = terminal.run(*QUICK, "--games", "4", "--ray", "auto")
    assert shown.status == 1
    assert "There is no Ray cluster at 'auto': nobody there." in shown.err


# --- what it leaves behind ------------------------------------------------------------------------


def test_out_keeps_records_report_and_pictures(terminal: Terminal, tmp_path: Path) -> None:
    data = json_of(terminal, *QUICK, "--games", "10", "--out", "results/first")
    out = tmp_path / "results" / "first"
    assert sorted(path.name for path in out.iterdir()) == [
        "games.jsonl",
        "length.png",
        "length.svg",
        "report.json",
        "report.md",
        "scores.png",
        "scores.svg",
        "win_shares.png",
        "win_shares.svg",
    ]
    assert json.loads((out / "report.json").read_text()) == data
    assert "![Final scores](scores.svg)" in (out / "report.md").read_text()
    records = [read_record(line) for line in (out / "games.jsonl").read_bytes().splitlines()]
    assert [record.extra for record in records] == [
        {"arena": {"seed": 5, "game": number}} for number in range(10)
    ]
    assert records[1].seats == ("chick", "rooster")


def test_records_are_the_same_with_any_number_of_workers(
    terminal: Terminal, tmp_path: Path
) -> None:
    for workers in ("1", "2"):
        terminal.run(*QUICK, "--games", "60", "--workers", workers, "--out", workers)
    one, two = ((tmp_path / workers / "games.jsonl").read_bytes() for workers in ("1", "2"))
    assert one == two
    assert len(one.splitlines()) == 60


def test_a_directory_with_something_in_it_is_left_alone(terminal: Terminal) -> None:
    Path("results").mkdir()
    Path("results", "thesis.txt").write_text("years of work")
    shown = terminal.run(*QUICK, "--games", "4", "--out", "results")
    assert shown == (
        1,
        "",
        "heckmeck: results is not empty. Choose another directory, or add --force.\n",
    )
    assert [path.name for path in Path("results").iterdir()] == ["thesis.txt"]
    assert terminal.run(*QUICK, "--games", "4", "--out", "results", "--force").status == 0
    assert Path("results", "thesis.txt").read_text() == "years of work"
    assert Path("results", "report.md").exists()


def test_a_directory_that_cannot_be_made_is_said(terminal: Terminal) -> None:
    Path("file").write_text("")
    shown = terminal.run(*QUICK, "--games", "4", "--out", "file/results")
    assert (shown.status, shown.err) == (1, "heckmeck: file/results: Not a directory\n")


@pytest.mark.usefixtures("without_matplotlib")
def test_without_matplotlib_everything_else_is_written(terminal: Terminal) -> None:
    shown = terminal.run(*QUICK, "--games", "4", "--out", "results")
    assert shown.status == 0
    assert shown.err.startswith("Pictures are not drawn: that needs matplotlib. Add it with: ")
    assert shown.err.endswith("'heckmeck[plots]'\n")
    assert sorted(path.name for path in Path("results").iterdir()) == [
        "games.jsonl",
        "report.json",
        "report.md",
    ]
    assert "![" not in Path("results", "report.md").read_text()


# --- Ctrl-C ---------------------------------------------------------------------------------------


def test_ctrl_c_before_the_first_game_is_over(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Inline, __: Iterator[Chunk]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Inline, "run", interrupted)
    shown = terminal.run(*QUICK, "--games", "4")
    assert shown == (130, "", "Stopped before the first game had finished.\n")


def test_more_ctrl_c_while_the_workers_end_loses_nothing(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_all = Inline.run

    def interrupted(executor: Inline, work: Iterator[Chunk]) -> Iterator[object]:
        yield next(iter(play_all(executor, work)))
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the first Ctrl-C counts")

    def closing(_: Inline) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Inline, "run", interrupted)
    monkeypatch.setattr(Inline, "close", closing)
    shown = terminal.run(*QUICK, "--games", "40", "--workers", "1", "--out", "out")
    assert (shown.status, shown.err) == (130, "")
    assert " of 40 games" in shown.out
    assert Path("out", "report.md").exists()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@contextmanager
def running(directory: Path, *args: str, stderr: int) -> Iterator[subprocess.Popen[bytes]]:
    """A long tournament in a session of its own, as a terminal has it."""
    command = [sys.executable, "-m", "heckmeck", *QUICK, "--games", "1000000", *args]
    with subprocess.Popen(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_games(path: Path) -> None:
    end = time.monotonic() + SECONDS
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < end, "nothing was played"
        time.sleep(0.01)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_reports_what_was_played(tmp_path: Path, workers: str) -> None:
    """Ctrl-C reaches the workers too."""
    args = ("--workers", workers, "--out", "out", "--json")
    with running(tmp_path, *args, stderr=subprocess.PIPE) as process:
        wait_for_games(tmp_path / "out" / "games.jsonl")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (130, b"")
    data = json.loads(out)
    assert data["complete"] is False
    assert 0 < data["games"] < 1_000_000
    lines = (tmp_path / "out" / "games.jsonl").read_bytes().splitlines()
    assert len(lines) == data["games"]
    numbers = [json.loads(line)["arena"]["game"] for line in lines]
    assert numbers == sorted(set(numbers))
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == data
    assert " of 1,000,000 games" in (tmp_path / "out" / "report.md").read_text()
    assert (tmp_path / "out" / "win_shares.png").exists()


def test_a_terminal_sees_a_progress_bar_with_the_time_left(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    try:
        with running(tmp_path, "--out", "out", "--workers", "1", stderr=theirs) as process:
            os.close(theirs)
            wait_for_games(tmp_path / "out" / "games.jsonl")
            seen = b""
            while b"/1000000" not in seen:
                seen += os.read(ours, 1024)
            os.killpg(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=SECONDS)
    finally:
        os.close(ours)
    assert process.returncode == 130
    assert b"Playing" in seen
    assert b"games" in seen
    assert " of 1,000,000 games" in out.decode()
    assert b"Playing" not in out
