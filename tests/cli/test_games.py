"""Files with a game on each line, as `heckmeck arena` writes them: `--game N` chooses."""

import json
from pathlib import Path

import pytest

from heckmeck.cli import COMMANDS
from tests.cli.terminal import Terminal

CHOOSING = [
    "advise",
    "convert",
    "position",
    "replay",
    "review",
    "rollout",
    "validate",
    "verify",
    "watch",
]
READING = {
    "advise": ("--move", "0", "--unit", "worms"),
    "convert": (),
    "replay": (),
    "watch": ("--plain",),
}
FILE = "out/games.jsonl"


@pytest.fixture
def arena(terminal: Terminal) -> Terminal:
    """A terminal in a folder with the six games of a tournament in it."""
    args = ("--edition", "junior", "--bots", "rooster,chick", "--seed", "5", "--games", "6")
    assert terminal.run("arena", *args, "--out", "out").status == 0
    return terminal


def line(number: int) -> str:
    return Path(FILE).read_text().splitlines()[number - 1]


@pytest.mark.parametrize("name", COMMANDS)
def test_who_can_choose(name: str) -> None:
    names = {param.name for param in COMMANDS[name].load().params}
    assert ("game" in names) is (name in CHOOSING)


@pytest.mark.parametrize("command", READING)
def test_a_chosen_game_is_read_like_a_file_of_its_own(arena: Terminal, command: str) -> None:
    shown = [
        arena.run(command, FILE, "--game", str(number), *READING[command]) for number in (1, 2, 6)
    ]
    alone = []
    for number in (1, 2, 6):
        Path("game.json").write_text(line(number))
        alone.append(arena.run(command, "game.json", *READING[command]))
    assert shown == alone
    assert all((each.status, each.err) == (0, "") for each in shown)
    assert len({each.out for each in shown}) == (1 if command == "advise" else 3)


@pytest.mark.parametrize("command", READING)
def test_which_games_there_are_is_said(arena: Terminal, command: str) -> None:
    many = arena.run(command, FILE, *READING[command])
    assert many == (
        1,
        "",
        f"heckmeck: {FILE} has 6 games. Choose one with --game N, from 1 to 6.\n",
    )
    beyond = arena.run(command, FILE, "--game", "7", *READING[command])
    assert beyond == (
        1,
        "",
        f"heckmeck: {FILE}: there is no game 7. The file has 6 games, from 1 to 6.\n",
    )
    assert arena.run(command, FILE, "--game", "0").status == 2


def test_a_file_of_one_game_needs_no_number(arena: Terminal) -> None:
    Path("one.jsonl").write_text(line(3) + "\n")
    assert arena.run("replay", "one.jsonl") == arena.run("replay", FILE, "--game", "3")
    assert arena.run("replay", "one.jsonl", "--game", "1").status == 0
    beyond = arena.run("replay", "one.jsonl", "--game", "2")
    assert beyond.err == "heckmeck: one.jsonl: there is no game 2. The file has one game.\n"


def test_games_come_through_a_pipe_too(arena: Terminal) -> None:
    games = Path(FILE).read_bytes()
    piped = arena.run("replay", "-", "--game", "4", typed=games)
    assert piped == arena.run("replay", FILE, "--game", "4")


def test_every_game_is_validated(arena: Terminal) -> None:
    assert arena.run("validate", FILE) == (0, f"{FILE}: ok, 6 games\n", "")
    one = arena.run("validate", FILE, "--game", "2")
    assert one.status == 0
    assert one.out.startswith(f"{FILE}: game 2: ok, junior, 2 players, ")


def test_every_bad_game_is_named(arena: Terminal) -> None:
    lines = Path(FILE).read_text().splitlines()
    lines[1] = lines[1].replace('"keep:', '"hop:', 1)
    lines[4] = lines[4][:50]
    Path(FILE).write_text("\n".join(lines))
    shown = arena.run("validate", FILE)
    assert (shown.status, shown.out) == (1, "")
    second, fifth, summary = shown.err.splitlines()
    assert second.startswith(f"{FILE}: game 2: move 2: 'hop:")
    assert fifth.startswith(f"{FILE}: game 5: not JSON: ")
    assert summary == f"{FILE}: 2 of 6 games are bad"
    assert arena.run("validate", FILE, "--game", "1").status == 0
    assert arena.run("validate", FILE, "--game", "5").err == f"{fifth}\n"
    assert arena.run("replay", FILE, "--game", "5").err == f"heckmeck: {fifth}\n"


def test_json_is_one_object_for_each_game(arena: Terminal) -> None:
    shown = arena.run("validate", "--json", FILE, "nowhere")
    reports = [json.loads(each) for each in shown.out.splitlines()]
    assert [(each["file"], each.get("game"), each["ok"]) for each in reports] == [
        *((FILE, number, True) for number in range(1, 7)),
        ("nowhere", None, False),
    ]
    (chosen,) = arena.run("validate", "--json", FILE, "--game", "2").out.splitlines()
    assert json.loads(chosen) == reports[1]


def test_verify_looks_at_every_game(arena: Terminal) -> None:
    shown = arena.run("verify", FILE)
    assert (shown.status, shown.out) == (1, "")
    assert len(shown.err.splitlines()) == 6 + 1
    assert f"{FILE}: game 6: cannot be verified: " in shown.err


def test_a_link_leads_to_one_game(terminal: Terminal) -> None:
    shown = terminal.run("watch", "http://localhost:9/t/boka-miru-tela", "--game", "2")
    assert shown.status == 2
    assert "--game chooses a game from a file, but a link leads to one game." in shown.err
