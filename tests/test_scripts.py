"""The shell scripts: what they say when something is missing, and when they install anew.

They run with a PATH of our own that holds a few plain tools and a pretended `python3`.
"""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = ["check", "play", "scripts/venv.sh", "scripts/chromium.sh"]
STEPS = "format lint types layers web rules tests machines browser"
TOOLS = ["cat", "cksum", "date", "dirname", "mkdir", "nice", "rm", "sh", "tail"]

# Answers what scripts/venv.sh asks of a Python, makes "environments", and notes each installation.
PRETENDED_PYTHON = """#!/bin/sh
case "$1 $2" in
"-c "*) echo "{facts} $0" ;;
"-m venv")
    mkdir -p "$4/bin"
    cat "$0" >"$4/bin/python"
    cat >"$4/bin/heckmeck" <<'END'
#!/bin/sh
echo "heckmeck:" "$@"
END
    chmod +x "$4/bin/python" "$4/bin/heckmeck"
    ;;
"-m pip")
    echo "$@" "under $PIP_CONSTRAINT in $PWD" >>"$INSTALLATIONS"
    exit {pip_status}
    ;;
esac
"""


class Desk:
    """A copy of the scripts, in a directory with a space in its name, and a PATH to run them."""

    def __init__(self, place: Path) -> None:
        self.project = place / "my games"
        self.bin = place / "bin"
        self.elsewhere = place / "elsewhere"
        self.installations = place / "installations"
        self.bin.mkdir()
        self.elsewhere.mkdir()
        for tool in [*TOOLS, "chmod"]:
            found = shutil.which(tool)
            assert found, f"this test needs {tool}"
            (self.bin / tool).symlink_to(found)
        for name in [*SCRIPTS, "pyproject.toml", "constraints.txt"]:
            copy = self.project / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)

    def add_python(self, facts: str, name: str = "python3", pip_status: int = 0) -> None:
        python = self.bin / name
        python.write_text(PRETENDED_PYTHON.format(facts=facts, pip_status=pip_status))
        python.chmod(0o755)

    def run(self, script: str, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.project / script, *args],
            cwd=self.elsewhere,
            env={"PATH": str(self.bin), "INSTALLATIONS": str(self.installations)},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def installed(self) -> list[str]:
        return self.installations.read_text().splitlines()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("script", SCRIPTS)
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
    desk.add_python(f"{version} able {version}.1")
    done = desk.run(script)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"{script}: heckmeck needs Python 3.11 or newer, but found only Python {version}."
    )


def test_python_without_venv(desk: Desk) -> None:
    desk.add_python("3.12 bare 3.12.3")
    done = desk.run("play")
    assert done.returncode == 1
    assert done.stderr.startswith("play: python3 has no venv module")
    assert "apt install python3-venv" in done.stderr


def test_a_newer_python_is_found_beside_an_old_one(desk: Desk) -> None:
    desk.add_python("3.9 able 3.9.2")
    desk.add_python("3.12 able 3.12.3", name="python3.12")
    done = desk.run("play")
    assert done.returncode == 0
    assert "with Python 3.12" in done.stdout


def test_play_installs_once_and_passes_its_arguments_on(desk: Desk) -> None:
    desk.add_python("3.11 able 3.11.7")
    first = desk.run("play", "--seats", "Ada Byron")
    assert first.returncode == 0
    assert first.stdout == (
        "Preparing .venv/play with Python 3.11, once; this takes up to a minute ...\n"
        "heckmeck: serve --open --seats Ada Byron\n"
    )
    again = desk.run("play")
    assert again.stdout == "heckmeck: serve --open\n"
    (installation,) = desk.installed()
    assert installation.endswith(f"-e .[server,solver,tui] under constraints.txt in {desk.project}")


def test_play_has_the_bots_compiled_once_beside_the_game(desk: Desk) -> None:
    desk.add_python("3.11 able 3.11.7")
    desk.run("play")
    prepared = desk.project / ".venv" / "play" / "prepared"
    deadline = time.monotonic() + 30
    while not prepared.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    log = desk.project / ".venv" / "prepare.log"
    assert log.read_text() == "heckmeck: prepare --quiet\n"
    log.unlink()
    desk.run("play")
    assert prepared.exists()
    assert not log.exists()


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_play_installs_anew_when_the_requirements_change(desk: Desk, name: str) -> None:
    desk.add_python("3.11 able 3.11.7")
    desk.run("play")
    with (desk.project / name).open("a") as file:
        file.write("# changed\n")
    desk.run("play")
    assert len(desk.installed()) == 2


def test_play_installs_anew_when_python_changes(desk: Desk) -> None:
    desk.add_python("3.11 able 3.11.7")
    desk.run("play")
    desk.add_python("3.11 able 3.11.8")
    desk.run("play")
    assert len(desk.installed()) == 2


def test_a_failed_installation_is_said_and_tried_again(desk: Desk) -> None:
    desk.add_python("3.11 able 3.11.7", pip_status=1)
    for _ in range(2):
        done = desk.run("play")
        assert done.returncode == 1
        assert "play: preparing .venv/play failed" in done.stderr
    assert len(desk.installed()) == 2
