"""`heckmeck play`: games that go on, hints, languages, and what is refused."""

import re
from pathlib import Path

import pytest

from heckmeck.cli.play import Options, new_game, rematch
from heckmeck.record import Record, read_record, write_json
from heckmeck.rules import HouseRules, word
from heckmeck.tui.local_game import Seated, games_folder, seated_in, write_game
from tests.cli.records import FIRST_TURN, read
from tests.cli.terminal import Terminal

TWO_PEOPLE = ("--players", "Ada,Ben", "--first", "0", "--seed", "7")


@pytest.fixture(autouse=True)
def own_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def saved(name: str = "game") -> Record:
    return read_record(Path(name).read_bytes())


def words(record: Record) -> list[str]:
    return [word(move) for move in record.moves]


def test_a_game_goes_on_where_it_was_left(terminal: Terminal) -> None:
    terminal.run("play", *TWO_PEOPLE, "--record", "game", typed="roll\nq\n")
    left = words(saved())
    shown = terminal.run("play", "--resume", "--record", "game", typed="q\n")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("classic, Ada, Ben. Seed 7.\n")
    assert words(saved()) == left


def test_it_goes_on_with_the_dice_it_would_have_had(terminal: Terminal) -> None:
    options = ("--players", "random,chick", "--seed", "7", "--first", "0", "junior")
    terminal.run("play", *options, "--record", "whole")
    whole = saved("whole")
    write_game(Path("left"), whole.first_moves(11))
    shown = terminal.run("play", "--resume", "--record", "left")
    assert shown.status == 0
    assert words(saved("left")) == words(whole)


def test_the_game_that_was_left_last_goes_on(terminal: Terminal) -> None:
    seated = Seated(("Ada", "Ben"), "7")
    games_folder().mkdir(parents=True)
    record = Record("junior", ("Ada", "Ben"), extra=seated.in_record())
    write_game(games_folder() / "one.heckmeck.json", record)
    shown = terminal.run("play", "--resume", typed="q\n")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("junior, Ada, Ben. Seed 7.\n")
    assert shown.out.endswith("Continue with: heckmeck play --resume\n")


def test_any_record_goes_on_with_whoever_sits_down(terminal: Terminal) -> None:
    Path("game").write_text(write_json(read(FIRST_TURN)))
    shown = terminal.run("play", "--resume", "--record", "game", "--players", "chick,Ben")
    assert (shown.status, shown.err) == (0, "")
    seated = seated_in(saved())
    assert seated is not None
    assert seated.players == ("chick", "Ben")
    assert saved().seats == ("Ada", "Ben")


def over(terminal: Terminal) -> None:
    terminal.run("play", "junior", "--players", "random,random", "--seed", "1", "--record", "over")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "There is no unfinished game. Start one with: heckmeck play"),
        (["--record", "nothing"], "nothing: No such file or directory"),
        (["--record", "over"], "over: this game is over. Replay it with: heckmeck replay over"),
        (
            ["deluxe"],
            "--resume cannot be combined with EDITION: the game continues as it was set up.",
        ),
        (
            ["--seed", "7", "--flip-always"],
            (
                "--resume cannot be combined with --seed, --flip-always: the game continues as it "
                "was set up."
            ),
        ),
        (
            ["--record", "start", "--players", "a,b,c"],
            "--players has 3 names, but this game has 2 seats: Ada, Ben.",
        ),
        (
            ["--record", "evil"],
            (
                "evil: some seats are played by programs. To run them again, pass --players "
                '"Ada,exec:./rm -rf"'
            ),
        ),
    ],
)
def test_what_cannot_go_on_is_explained(terminal: Terminal, args: list[str], message: str) -> None:
    over(terminal)
    write_game(Path("start"), Record("classic", ("Ada", "Ben")))
    seated = Seated(("Ada", "exec:./rm -rf"), "7")
    write_game(Path("evil"), Record("classic", ("Ada", "bot"), extra=seated.in_record()))
    assert terminal.run("play", "--resume", *args) == (1, "", f"heckmeck: {message}\n")


def test_hints_say_what_moves_are_worth(terminal: Terminal) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, "--hints", typed="roll\nh\nh\nq\n")
    assert (shown.status, shown.err) == (0, "")
    assert len(re.findall(r"(Worth in worms|Chance to win): keep:", shown.out)) == 2


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "de",
            ["Startzahl 7", "Noch", "Beiseite", "Fehlwurf", "Das Spiel bleibt hier stehen"],
        ),
        ("fr", ["Graine 7", "De côté", "lancer nul", "La partie s’arrête ici"]),
        ("it", ["Seme 7", "Accantonati", "lancio sballato", "La partita si ferma qui"]),
        ("nl", ["Startgetal 7", "Opzij", "mislukte worp", "Het spel stopt hier"]),
        ("es", ["Semilla 7", "Apartados", "fallida", "La partida se detiene aquí"]),
    ],
)
def test_everything_is_said_in_the_readers_language(
    terminal: Terminal, language: str, said: list[str]
) -> None:
    typed = "roll\n1\n2\n3\n4\n5\n?\nfry\nt\nq\n"
    shown = terminal.run("play", *TWO_PEOPLE, "--language", language, typed=typed)
    assert shown.status == 0
    for words_said in said:
        assert words_said.lower() in shown.out.lower()
    for english in (" is not possible", "Type one", "Kept", "no tile", "stops here"):
        assert english not in shown.out


def test_another_game_is_begun_by_the_next_seat_in_a_file_of_its_own() -> None:
    options = Options(
        edition="classic",
        players="Ada,chick,Cleo",
        first=2,
        seed="7",
        own_dice=False,
        hints=False,
        warn=False,
        path=None,
        resume=False,
        position=None,
        plain=True,
        pace="normal",
        theme="auto",
        language="en",
        flip_always=True,
        flip_returned=False,
    )
    before = new_game(options, keep=True)
    after = rematch(before)
    record, seated = after.record, seated_in(after.record)
    assert (record.seats, record.first) == (("Ada", "chick", "Cleo"), 0)
    assert record.house == HouseRules(flip_always=True)
    assert seated == Seated(("Ada", "chick", "Cleo"), str(after.seed))
    assert [*after.bots] == [1]
    assert after.seed != before.seed
    assert len({*games_folder().iterdir()}) == 2
    assert after.is_ours
    assert rematch(new_game(options, keep=False)).path is None
