"""`heckmeck join`: at a real server's table, through pipes."""

import asyncio
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from heckmeck.record import final_state, read_record
from heckmeck.rules import EDITIONS, outcome
from tests.cli.tables import choose, heckmeck, make_table
from tests.cli.terminal import Terminal
from tests.server.client import create
from tests.server.serving import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


def record_of(link: str) -> bytes:
    return httpx.get(f"{link.replace('/t/', '/api/tables/')}/record.json").content


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game_through_a_pipe(server: Server, tmp_path: Path, edition: str) -> None:
    link = make_table(server, edition, "chick")
    with heckmeck(tmp_path, "join", link, "--name", "Ada") as program:
        for offered in program.questions():
            program.type(choose(offered))
        assert program.wait() == 0, program.shown
    record = read_record(record_of(link))
    end = outcome(final_state(record))
    assert end is not None
    assert record.seats == ("Ada", "The chick")
    assert re.search(r"\bwins?\b|\bshare\b", program.shown.splitlines()[-2])
    assert program.shown.splitlines()[-1] == f"Continue with: heckmeck join {link}"


def test_a_server_that_is_killed_and_starts_again(tmp_path: Path) -> None:
    """The game goes on where it was, and every word that was typed was played once."""
    with Server(tmp_path / "server") as server:
        link = make_table(server, "classic", "chick")
        typed: list[str] = []
        with heckmeck(tmp_path, "join", link, "--name", "Ada") as program:
            for number, offered in enumerate(program.questions()):
                if number in (4, 9):
                    server.kill()
                    program.read_until("Reconnecting…")
                    server.start()
                    program.shown = program.shown.replace("Reconnecting…", "(away)")
                typed.append(choose(offered))
                program.type(typed[-1])
            assert program.wait() == 0, program.shown
        record = read_record(record_of(link))
    assert outcome(final_state(record)) is not None
    assert program.shown.count("(away)") == 2


def test_the_seat_is_remembered(server: Server, tmp_path: Path) -> None:
    link = make_table(server, "classic", "chick")
    with heckmeck(tmp_path, "join", link, "--name", "Ada") as program:
        program.read_until("start > ")
        assert program.wait() == 0
    assert f"Continue with: heckmeck join {link}\n" in program.shown
    with heckmeck(tmp_path, "join", link, "--name", "Eve") as program:
        program.read_until("start > ")
        program.type("start")
        program.read_until("roll [r] > ")
        assert "You start." in program.shown
        assert program.wait() == 0


def test_a_link_with_a_secret_brings_one_back_from_elsewhere(
    server: Server, tmp_path: Path
) -> None:
    link = make_table(server, "classic", "chick")
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    with heckmeck(home, "join", link, "--name", "Ada") as program:
        program.read_until("start > ")
        program.wait()
    seats = (home / ".local" / "share" / "heckmeck" / "seats.json").read_text()
    secret = re.findall(r'"([A-Za-z0-9_-]{32})"', seats)[0]
    with heckmeck(elsewhere, "join", f"{link}#{secret}") as program:
        program.read_until("start > ")
        assert program.wait() == 0
    assert secret not in program.shown


def test_typing(server: Server, tmp_path: Path) -> None:
    """Help, the table, a wrong word, putting dice back, and going away."""
    link = make_table(server, "classic", "chick")
    with heckmeck(tmp_path, "join", link, "--name", "Ada") as program:
        questions = program.questions()
        assert next(questions) == ["start"]
        for answer in ("?", "t", "grill", "start"):
            program.type(answer)
            offered = next(questions)
        assert offered == ["roll"]
        assert "'grill' is not possible here." in program.shown
        assert "Type one of the words offered" in program.shown
        program.type("t")
        assert next(questions) == ["roll"]
        assert "Grill: 21 22 23" in program.shown
        program.type("r")
        thrown = next(questions)
        assert all(word.startswith("keep:") for word in thrown)
        program.type(thrown[0].removeprefix("keep:").lower())
        assert next(questions) == ["roll", "stop"]
        assert "stop: " in program.shown.lower()
        program.type("u")
        assert next(questions) == thrown
        program.type("q")
        assert [*questions] == []
        assert program.wait() == 0
    assert "You take the dice back." in program.shown


def test_a_table_with_hints(tmp_path: Path) -> None:
    """They come a moment after the question, which is asked again."""
    with Server(tmp_path / "server", advisor=True) as server:
        setup = {"seats": 2, "pace": 0, "first": 0, "hints": True}
        made = asyncio.run(create(server.url, "classic", ["chick"], **setup))
        with heckmeck(tmp_path, "join", f"{server.url}{made['path']}", "--name", "Ada") as program:
            program.read_until("start > ")
            program.type("start")
            program.read_until("roll [r] > ")
            program.type("r")
            program.read_until("Worth in worms: ")
            program.type("hilfe")
            program.type("help")
            program.read_until("hints on or off")
            program.type("q")
            assert program.wait() == 0
    assert re.search(r"keep:\w \+\d+\.\d+(, keep:\w \+\d+\.\d+)*\nkeep:", program.shown)
    assert "'hilfe' is not possible here." in program.shown


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("de", "Alle Plätze sind besetzt. Du kannst zuschauen."),
        ("fr", "Toutes les places sont prises. Tu peux regarder."),
        ("nl", "Alle plaatsen zijn bezet. Je kunt toekijken."),
        ("es", "Todos los sitios están ocupados. Puedes mirar."),
    ],
)
def test_a_full_table_is_said_in_the_readers_language(
    server: Server, tmp_path: Path, language: str, says: str
) -> None:
    link = make_table(server, "classic", "chick", "chick")
    with heckmeck(tmp_path, "join", link, "--language", language) as program:
        assert program.wait() == 1
    assert program.shown.splitlines()[-1] == f"heckmeck: {says}"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://localhost:8000", "is not the link of a table, which looks like http://"),
        ("grill", "is not the link of a table"),
        ("http://127.0.0.1:9/t/boka-miru-tela", "No server answers at http://127.0.0.1:9 ("),
    ],
)
def test_a_link_that_leads_nowhere(terminal: Terminal, url: str, says: str) -> None:
    shown = terminal.run("join", url)
    assert shown.status == 1
    assert says in shown.err
    assert shown.out == ""


def test_something_else_than_a_heckmeck_server(server: Server, terminal: Terminal) -> None:
    shown = terminal.run("join", f"{server.url}/elsewhere/t/boka-miru-tela")
    assert shown.status == 1
    assert "boka-miru-tela" in shown.err


def test_ctrl_c_leaves_and_says_how_to_come_back(server: Server, tmp_path: Path) -> None:
    link = make_table(server, "classic", "chick")
    with heckmeck(tmp_path, "join", link, "--name", "Ada") as program:
        program.read_until("start > ")
        program.process.send_signal(signal.SIGINT)
        program.read_until("Continue with: ")
        assert program.process.wait(60) == 130
        program.wait()
    assert "Traceback" not in program.shown
    assert "Fatal" not in program.shown


def test_leaving_while_the_server_is_away(tmp_path: Path) -> None:
    """The question is still open, and leaving is an answer to it."""
    with Server(tmp_path / "server") as server:
        link = make_table(server, "classic", "chick")
        with heckmeck(tmp_path, "join", link, "--name", "Ada") as program:
            program.read_until("start > ")
            server.kill()
            program.read_until("Reconnecting…")
            program.type("q")
            assert program.process.wait(60) == 0
