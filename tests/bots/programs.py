"""Outside bots for tests: good ones, and every kind of bad one."""

import sys
import time
from pathlib import Path
from textwrap import dedent, indent

FRAME = """
import json, os, signal, sys, time

def say(**answer):
    print(json.dumps(answer), flush=True)

for number, line in enumerate(sys.stdin, start=1):
    question = json.loads(line)
    legal = question["state"]["legal"]
"""

#: Answers with the first legal move.
GOOD = 'say(id=question["id"], move=legal[0])'


def bot_name(directory: Path, body: str = GOOD, *args: str) -> str:
    """Write a bot that runs ``body`` for every question; return the name to call it by."""
    script = directory / "bot.py"
    script.write_text(FRAME + indent(dedent(body).strip(), "    ") + "\n")
    return " ".join([f"exec:{sys.executable}", str(script), *args])


def killer_name(directory: Path, times: int) -> str:
    """A good bot that, so many times in all, kills the process that asks it."""
    body = f"""
        for death in range({times}):
            try:
                open(sys.argv[0] + f".death-{{death}}", "x").close()
            except FileExistsError:
                continue
            os.kill(os.getppid(), signal.SIGKILL)
            break
        {GOOD}
    """
    return bot_name(directory, body)


def deaths(directory: Path) -> int:
    """How many processes the bot of `killer_name` has killed."""
    return len(list(directory.glob("*.death-*")))


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is more than a memory."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_for_end(pid: int, seconds: float = 30) -> None:
    """Wait until the process has ended."""
    end = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_running(pid)
