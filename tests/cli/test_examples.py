"""Every example of every help text does what it says, in a folder with the files it names."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from heckmeck.cli import COMMANDS, EPILOG
from heckmeck.record import Record, final_state, record_to_json, write_json, write_text
from heckmeck.record.json_text import dumps
from heckmeck.rules import EDITIONS, legal
from tests.cli.tables import make_table
from tests.cli.test_admin import make_tables
from tests.dice.test_fair import fair_game
from tests.server.client import Client, create
from tests.server.serving import Server
from tests.server.store.postgres import running_postgres

ROOT = Path(__file__).parents[2]
SECONDS = 300
#: What makes an example shorter, or keeps it out of the way of others, without changing its kind.
SHORTER = {
    "arena": " --games 40",
    "rollout": " --games 1 --bot chick",
    "serve": " --port 0 --no-prepare",
    "train": " --minutes 0.02 --exam-games 2",
}
TABLE = re.compile(r"https?://\S+/t/boka-miru-tela")
POSTGRES = "postgresql://heckmeck@localhost/heckmeck"


def examples_in(text: str) -> list[str]:
    return re.findall(r"^ *\$ (.*)$", text, re.MULTILINE)


def every_example() -> list[str]:
    texts = [EPILOG, *(command.load().help or "" for command in COMMANDS.values())]
    return [*dict.fromkeys(example for text in texts for example in examples_in(text))]


EXAMPLES = every_example()


def command_of(example: str) -> str:
    found = re.search(r"heckmeck (\w+)", example)
    assert found, example
    return found[1]


def a_game() -> Record:
    """A fair game that waits for a player, after 17 moves as well as at its end."""
    games = (fair_game(edition) for edition in EDITIONS)
    game = next(game for game in games if legal(final_state(game.first_moves(17))))
    count = next(n for n in range(30, 60) if legal(final_state(game.first_moves(n))))
    return game.first_moves(count)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def finished_table(server: Server) -> str:
    """The link of a table whose game is over."""

    async def play() -> str:
        made = await create(server.url, "junior", ["chick"], pace=0)
        async with Client(server.url, made["id"], [made["secret"]]) as client:
            await client.sit("Ada")
            await client.do("start")
            await client.play_on()
        return made["path"]

    return f"{server.url}{asyncio.run(play())}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the examples name."""
    game = a_game()
    (tmp_path / "game.heckmeck.json").write_text(write_json(game))
    (tmp_path / "game.heckmeck.txt").write_text(write_text(game))
    (tmp_path / "games.jsonl").write_text(f"{dumps(record_to_json(game))}\n" * 3)
    (tmp_path / "games").mkdir()
    shutil.copy(tmp_path / "game.heckmeck.json", tmp_path / "games" / "first.heckmeck.json")
    bot = tmp_path / "mybot"
    bot.write_text(f"#!/bin/sh\nexec {sys.executable} {ROOT}/docs/examples/mybot.py\n")
    bot.chmod(0o755)
    (tmp_path / "my_bots.py").write_text(
        "from heckmeck.rules import legal\n\n\n"
        "class Careful:\n    def choose(self, state):\n        return legal(state)[-1]\n"
    )
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    return {
        "BROWSER": "true",
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONUTF8": "1",
    }


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def free_name(line: str, folder: Path) -> None:
    """Make room for what an example writes."""
    for option in ("-o", "--record"):
        found = re.search(rf"{option} (\S+)", line)
        if found:
            (folder / found[1]).unlink(missing_ok=True)


def leave_a_game(folder: Path) -> None:
    """Play, and leave the game where `play --resume` finds it."""
    games = folder / ".local" / "share" / "heckmeck" / "games"
    games.mkdir(parents=True)
    run(f"heckmeck play --record {games}/left.heckmeck.json", folder)


def leave_tables(line: str, folder: Path) -> None:
    """Make the tables that `admin` looks after by default, and the backup that it restores."""
    database = folder / ".local" / "share" / "heckmeck" / "tables.sqlite3"
    database.parent.mkdir(parents=True)
    asyncio.run(make_tables(str(database)))
    if "restore" in line:
        assert run("heckmeck admin backup monday.backup", folder).returncode == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples(name: str) -> None:
    assert any(
        command_of(example) == name for example in examples_in(COMMANDS[name].load().help or "")
    )


@pytest.mark.parametrize(
    "example", [each for each in EXAMPLES if command_of(each) not in ("serve", "join", "watch")]
)
def test_an_example(example: str, folder: Path) -> None:
    line = example + SHORTER.get(command_of(example), "")
    free_name(line, folder)
    if "--resume" in line:
        leave_a_game(folder)
    if command_of(example) == "admin":
        leave_tables(line, folder)
    done = run(line, folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout or command_of(example) == "convert"


@pytest.mark.parametrize("example", [each for each in EXAMPLES if command_of(each) == "join"])
def test_an_example_of_join(example: str, folder: Path, server: Server) -> None:
    link = make_table(server, "classic", "chick")
    done = run(TABLE.sub(link, example), folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"Continue with: heckmeck join {link}\n")


@pytest.mark.parametrize("example", [each for each in EXAMPLES if command_of(each) == "watch"])
def test_an_example_of_watch(example: str, folder: Path, finished_table: str) -> None:
    done = run(TABLE.sub(finished_table, example), folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("example", [each for each in EXAMPLES if command_of(each) == "serve"])
def test_an_example_of_serve(example: str, folder: Path) -> None:
    if POSTGRES not in example:
        serves(example, folder)
        return
    with running_postgres() as postgres:
        serves(example.replace(POSTGRES, f"'{postgres.fresh()}'"), folder)


def serves(example: str, folder: Path) -> None:
    """Start the server, look at it, and stop it as Ctrl-C would."""
    with subprocess.Popen(
        ["sh", "-c", f"exec {example}{SHORTER['serve']}"],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout
            told = process.stdout.readline()
            found = re.search(r"http://\S+", told)
            assert found, told
            address = found[0].replace("0.0.0.0", "127.0.0.1")  # noqa: S104 (what was printed)
            with httpx.Client(transport=httpx.HTTPTransport(retries=10), timeout=60) as http:
                assert http.get(f"{address.rstrip('/')}/healthz").json()["ok"] is True
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()
