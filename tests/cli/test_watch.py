"""`heckmeck watch`: records and tables, line by line and as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from heckmeck.record import moments, read_record, state_from_json
from tests.cli.tables import choose, heckmeck, make_table
from tests.cli.terminal import Terminal
from tests.server.serving import Server

OPENING = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"
LINES = [
    "",
    "Grill: 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36",
    "  Ada: 0 (no tile)",
    "  Ben: 0 (no tile)",
    "Ada starts.",
    "Ada rolls 1 1 2 3 4 worm worm worm.",
    "Ada keeps three worms: 15.",
    "Ada rolls 1 2 4 5 5.",
    "Ada keeps two 5s: 25.",
    "Ada stops with 25.",
    "Ada takes 25 (2 worms).",
    "",
    "Grill: 21 22 23 24 26 27 28 29 30 31 32 33 34 35 36",
    "  Ada: 2 (top tile 25, 1 in all)",
    "  Ben: 0 (no tile)",
    "The dice go to Ben.",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


def test_a_record_through_a_pipe(terminal: Terminal) -> None:
    shown = terminal.run("watch", str(OPENING))
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.splitlines()[: len(LINES)] == LINES


def test_a_record_on_standard_input(terminal: Terminal) -> None:
    shown = terminal.run("watch", "-", "--plain", typed=OPENING.read_bytes())
    assert shown.status == 0
    assert shown.out.splitlines()[: len(LINES)] == LINES


def test_a_record_in_another_language(terminal: Terminal) -> None:
    shown = terminal.run("watch", str(OPENING), "--plain", "--language", "it")
    assert shown.out.splitlines()[6] == "Ada accantona tre vermi: 15."


def test_a_record_as_json(terminal: Terminal) -> None:
    shown = terminal.run("watch", str(OPENING), "--json")
    lines = [json.loads(line) for line in shown.out.splitlines()]
    expected = [*moments(read_record(OPENING.read_bytes()))]
    assert lines[0]["events"] == []
    assert lines[0]["seats"] == ["Ada", "Ben"]
    told = [event for line in lines for event in line["events"]]
    facts = [moment["events"] for moment in expected]
    assert told == [event for events in facts if isinstance(events, list) for event in events]
    assert lines[-1]["state"] == expected[-1]["state"]
    assert all(state_from_json(line["state"]) for line in lines)


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("nowhere.heckmeck.json", "nowhere.heckmeck.json: No such file or directory"),
        ("http://localhost:8000/", "is not the link of a table"),
        ("http://127.0.0.1:9/t/boka-miru-tela", "No server answers at http://127.0.0.1:9"),
    ],
)
def test_nothing_to_watch(terminal: Terminal, target: str, says: str) -> None:
    shown = terminal.run("watch", target)
    assert shown.status == 1
    assert says in shown.err


def test_a_table_is_followed_to_the_end_of_its_game(server: Server, tmp_path: Path) -> None:
    link = make_table(server, "junior", "chick")
    with (
        heckmeck(tmp_path, "join", link, "--name", "Ada") as player,
        heckmeck(tmp_path, "watch", link) as watcher,
        heckmeck(tmp_path, "watch", link, "--json") as program,
    ):
        player.read_until("start > ")
        watcher.read_until("Everybody is seated. Ada can start the game.")
        program.read_until("}\n")
        player.type("start")
        for offered in player.questions():
            player.type(choose(offered))
        assert player.wait() == watcher.wait() == program.wait() == 0
    assert "Ada keeps" in watcher.shown
    assert " > " not in watcher.shown
    last = json.loads(program.shown.splitlines()[-1])
    assert last["state"]["over"] is True
    assert last["events"][-1]["event"] == "game_ended"


def test_watching_survives_a_restart(tmp_path: Path) -> None:
    with Server(tmp_path / "server") as server:
        link = make_table(server, "classic", "chick")
        with heckmeck(tmp_path, "watch", link) as watcher:
            watcher.read_until("1 seat is still free.")
            server.kill()
            watcher.read_until("Reconnecting…")
            server.start()
            with heckmeck(tmp_path, "join", link, "--name", "Ada") as player:
                watcher.read_until("Ada sits down.")
                player.read_until("start > ")
