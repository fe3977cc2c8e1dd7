"""`heckmeck play`: whole games at a table of people and bots, typed line by line."""

import random
import re
from pathlib import Path

import pytest

from heckmeck.bots import BOTS
from heckmeck.record import Record, final_state, read_record
from heckmeck.rules import EDITIONS, outcome, word
from tests.cli.terminal import Chooser, Shown, Terminal, files_here

TWO_PEOPLE = ("--players", "Ada,Ben", "--first", "0", "--seed", "7")


def any_word(seed: int = 1) -> Chooser:
    """Somebody who types any of the words offered."""
    luck = random.Random(seed)
    return luck.choice


def first_word(offered: list[str]) -> str:
    return offered[0]


def saved(name: str = "game") -> Record:
    return read_record(Path(name).read_bytes())


def words_of(record: Record) -> list[str]:
    return [word(move) for move in record.moves]


def test_a_mistake_against_a_bot_is_warned_of_once(terminal: Terminal) -> None:
    """Stopping wins the last tile and the game; rolling on would risk both."""
    position = ("--position", "classic_25~26-36_21.23_22.24_0~1234WWW", "--players", "Ada,chick")
    shown = terminal.run("play", *position, "--seed", "7", "--warn", typed="r\nhelp\nr\nq\n")
    assert shown.status == 0
    assert shown.out.count("That loses a lot. Stopping brings tile 25 for sure") == 1
    assert "To do it anyway, type roll again." in shown.out
    assert shown.out.index("again.") < shown.out.index("You roll")
    told = terminal.run("play", *position, "--warn", "--language", "de", typed="r\ns\nq\n")
    assert "Das kostet viel. " in told.out
    quiet = terminal.run("play", *position, "--seed", "7", typed="r\nq\n")
    assert "That loses a lot" not in quiet.out


@pytest.mark.parametrize("players", ["Ada,Ben", "Ada,Ben,fox", "fox,chick"])
def test_who_is_warned_plays_alone_against_bots(terminal: Terminal, players: str) -> None:
    shown = terminal.run("play", "--warn", "--players", players, "--record", "game")
    assert shown.status == 1
    assert "--warn is for one person against bots" in shown.err
    assert files_here() == []


# --- whole games ----------------------------------------------------------------------------------

#: The house rules end a game of clumsy players sooner.
SHORTER = {
    edition: ("--flip-always", "--flip-returned") if game.has_house_rules else ()
    for edition, game in EDITIONS.items()
}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", ["Ada,Ben", "Ada,random", "chick,Ada,Ben,random,Cleo"])
def test_a_whole_game(terminal: Terminal, edition: str, players: str) -> None:
    shown = terminal.sit_down(
        *("play", edition, "--players", players, "--seed", "3", "--record", "game"),
        *SHORTER[edition],
        choose=any_word(),
    )
    assert (shown.status, shown.err) == (0, "")
    assert "is not possible here" not in shown.out
    assert shown.out.endswith("The record is in game.\n")
    record = saved()
    assert (record.edition, ",".join(record.seats)) == (edition, players)
    end = outcome(final_state(record))
    assert end is not None
    assert "the game is over." in shown.out.splitlines()[-2]
    alone = players == "Ada,random"
    for name, score in zip(record.seats, end.scores, strict=True):
        called = "You" if alone and name == "Ada" else name
        assert f"{called}: {score} worm" in shown.out.splitlines()[-2]


@pytest.mark.parametrize("edition", EDITIONS)
def test_bots_play_among_themselves(terminal: Terminal, edition: str) -> None:
    shown = terminal.run(
        *("play", edition, "--players", "random,chick,random", "--seed", "3"), *SHORTER[edition]
    )
    assert (shown.status, shown.err) == (0, "")
    assert " > " not in shown.out
    assert "the game is over." in shown.out.splitlines()[-1]


def test_classic_is_played_if_no_game_is_named(terminal: Terminal) -> None:
    shown = terminal.run("play", "--players", "Ada,Ben", "--seed", "grill", typed="q\n")
    assert shown.out.splitlines()[0] == "classic, Ada, Ben. Seed grill."


def test_against_a_bot_if_no_players_are_named(terminal: Terminal) -> None:
    shown = terminal.run("play", "--first", "0")
    assert re.match(rf"classic, me, ({'|'.join(BOTS)})\. Seed \d+\.\n", shown.out)


# --- what a person sees and types -----------------------------------------------------------------


def test_a_turn_as_a_person_sees_it(terminal: Terminal) -> None:
    """The dice are those of the seed; all that follows from them is here."""
    shown = terminal.run("play", "junior", *TWO_PEOPLE, "--record", "game", typed="roll\nq\n")
    (_, throw) = words_of(saved())
    faces = {"W": "worm", "B": "bun", "C": "cheese", "G": "gherkin", "K": "ketchup"}
    dice = throw.removeprefix("=")
    offered = ", ".join(f"keep:{face}" for face in faces if face in dice)
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == (
        "junior, Ada, Ben. Seed 7.\n"
        "\n"
        "Grill: 4 4 5 5 6 6 7 7 8 8 9 9\n"
        "  Ada: 0 (no tile)\n"
        "  Ben: 0 (no tile)\n"
        "Ada starts.\n"
        f"roll [r] > Ada rolls {' '.join(faces[face] for face in dice)}.\n"
        f"{offered} > \n"
        "The game stops here.\n"
        "The record is in game.\n"
    )


def test_the_only_person_is_you(terminal: Terminal) -> None:
    def answers(offered: list[str]) -> str:
        return "q" if "stop" in offered else offered[0]

    alone = ("classic", "--players", "Ada,chick", "--first", "0", "--seed", "7")
    shown = terminal.sit_down("play", *alone, choose=answers)
    assert "  You: 0 (no tile)\n  chick: 0 (no tile)\nYou start.\n" in shown.out
    assert "roll [r] > You roll " in shown.out
    assert "> You keep " in shown.out
    assert "Ada" not in shown.out.removeprefix("classic, Ada, chick. Seed 7.")


def test_after_a_keep_the_turn_and_what_a_stop_would_do_are_shown(terminal: Terminal) -> None:
    def answers(offered: list[str]) -> str:
        return "q" if "stop" in offered else offered[0]

    shown = terminal.sit_down("play", *TWO_PEOPLE, "--record", "game", choose=answers)
    turn = final_state(saved()).turn
    kept = f"Kept {' '.join(turn.kept)}: {turn.total}, no worm yet. In hand: {turn.hand}."
    asked = shown.out.splitlines()[-5:-2]
    assert asked == [kept, "Stop: attempt fails (no worm yet)", "roll [r], stop [s] > "]


def short(text: str) -> str:
    return {"roll": "r", "stop": "S"}.get(text, text.removeprefix("keep:").lower())


@pytest.mark.parametrize("edition", ["classic", "barbecue", "junior"])
def test_short_answers_mean_the_same_as_long_ones(terminal: Terminal, edition: str) -> None:
    def play(name: str, typed: Chooser) -> Shown:
        return terminal.sit_down(
            *("play", edition, *TWO_PEOPLE, "--record", name, *SHORTER[edition]), choose=typed
        )

    long_words, short_words = any_word(), any_word()
    play("long", long_words)
    play("short", lambda offered: short(short_words(offered)))
    assert outcome(final_state(saved("long"))) is not None
    assert saved("long") == saved("short")


#: Ada has taken 25 and the weasel, and her next throw shows a worm.
WITH_WEASEL = """\
heckmeck: 1
edition: deluxe
seats: Ada, Ben

roll =11234WWW keep:W roll =12455 keep:5 stop
roll =1112345W keep:2 stop
roll =1112345W
"""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("W", "keep:W"), ("1", "keep:1"), ("w", "keep:W"), ("a", "reroll"), ("reroll", "reroll")],
)
def test_a_face_alone_keeps_its_dice_even_beside_the_weasel(
    terminal: Terminal, typed: str, expected: str
) -> None:
    """The help says so. The weasel's short word is a, for again, as on the table."""
    Path("game").write_text(WITH_WEASEL)
    already = len(saved().moves)
    shown = terminal.run("play", "--resume", "--record", "game", typed=f"{typed}\nq\n")
    assert "keep:W, reroll [a] > " in shown.out
    assert words_of(saved())[already] == expected


WRONG = ["fry", "stop", "keep:1", "keep", "rolll", "roll roll", "=11111111", "s", "1", "W", "-1"]


@pytest.mark.parametrize("answer", WRONG)
def test_a_wrong_answer_is_explained_and_asked_again(terminal: Terminal, answer: str) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, "--record", "game", typed=f"{answer}\nroll\nq\n")
    assert f"roll [r] > {answer!r} is not possible here.\nroll [r] > Ada rolls" in shown.out
    assert words_of(saved())[0] == "roll"


def test_a_wrong_answer_of_a_million_letters_is_cut_short(terminal: Terminal) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, typed="x" * 1_000_000 + "\nq\n")
    assert shown.status == 0
    assert len(shown.out) < 1000


@pytest.mark.parametrize("answer", ["?", "", "help", "HELP"])
def test_help_lists_what_can_be_typed_now(terminal: Terminal, answer: str) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, typed=f"{answer}\nq\n")
    assert "Type one of the words offered" in shown.out
    listed = re.findall(r"(?m)^  (\S+ \[.\]|\S+) ", shown.out.partition("Type one")[2])
    assert listed == ["roll [r]", "hints [h]", "table [t]", "help [?]", "quit [q]"]


def test_help_follows_the_turn(terminal: Terminal) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, typed="r\nhelp\nw\nhelp\nq\n")
    thrown, _, kept = shown.out.partition("Ada keeps")
    assert re.search(r"(?m)^  keep:W +keep worm$", thrown)
    assert "take back" not in thrown
    assert re.search(r"(?m)^  stop \[s\] +Stop: attempt fails \(too low to take anything\)$", kept)
    assert re.search(r"(?m)^  undo \[u\] +take back what was kept$", kept)


@pytest.mark.parametrize(
    ("language", "word", "says"),
    [
        ("en", "help", "You can play now:"),
        ("de", "hilfe", "Das kannst du jetzt spielen:"),
        ("fr", "aide", "Tu peux jouer maintenant :"),
        ("it", "aiuto", "Ora puoi giocare:"),
        ("nl", "help", "Dit kun je nu spelen:"),
        ("es", "ayuda", "Ahora puedes jugar:"),
    ],
)
def test_help_has_a_word_in_every_language(
    terminal: Terminal, language: str, word: str, says: str
) -> None:
    for typed in (word, "help", "?"):
        shown = terminal.run("play", *TWO_PEOPLE, "--language", language, typed=f"{typed}\nq\n")
        assert says in shown.out.replace("\u00a0", " ")
        assert re.search(rf"(?m)^  {word} \[\?\] ", shown.out)


@pytest.mark.parametrize("answer", ["u", "undo"])
def test_a_keep_can_be_put_back(terminal: Terminal, answer: str) -> None:
    typed = f"u\nr\nw\n{answer}\n2\nq\n"
    shown = terminal.run("play", *TWO_PEOPLE, "--record", "game", typed=typed)
    assert "'u' is not possible here." in shown.out
    assert words_of(saved())[2:] == ["keep:2"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_lines_are_as_wide_as_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    """Broken between words: with its lines joined again the game reads as in a pipe."""
    options = (edition, "--players", "Ada,Ben,random,chick", "--seed", "3", "--first", "0")
    typed = "r\nhelp\nt\n" + "q\n"
    whole = terminal.run("play", *options, typed=typed).out.replace(" > ", " >\n")
    monkeypatch.setenv("COLUMNS", "60")
    narrow = terminal.run("play", *options, typed=typed).out.replace(" > ", " >\n")
    assert max(map(len, whole.splitlines())) > 60
    assert max(map(len, narrow.splitlines())) <= 60
    assert narrow.split() == whole.split()


def test_a_move_and_its_worth_stay_on_one_line(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = terminal.run("play", *TWO_PEOPLE, "--hints", "--language", "de", typed="r\nq\n")
    listed = shown.out.rpartition("Gewinnchance: ")[2].partition(" >")[0]
    hints = re.findall(r"keep:. \d+,\d\u00a0%", listed)
    assert len(hints) == listed.count("keep:") // 2 > 2
    assert max(map(len, listed.splitlines()[1:])) <= 40


def test_t_shows_the_table_again(terminal: Terminal) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, typed="t\nq\n")
    assert shown.out.count("Grill: 21 22 23") == 2


def test_spaces_and_windows_line_ends_do_not_matter(terminal: Terminal) -> None:
    terminal.run("play", *TWO_PEOPLE, "--record", "game", typed=b"  roll \r\nq\r\n")
    assert words_of(saved())[0] == "roll"


# --- leaving --------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "q\n", "q", "roll\n", "roll\nq\n"])
def test_who_leaves_early_is_told_so_and_has_the_record(terminal: Terminal, typed: str) -> None:
    shown = terminal.run("play", *TWO_PEOPLE, "--record", "game", typed=typed)
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.endswith("\nThe game stops here.\nThe record is in game.\n")
    assert len(saved().moves) == (2 if "roll" in typed else 0)
    assert outcome(final_state(saved())) is None


def test_without_record_nothing_is_written(terminal: Terminal) -> None:
    terminal.run("play", *TWO_PEOPLE, typed="roll\nq\n")
    assert files_here() == []


# --- the same game again --------------------------------------------------------------------------


def game_of(terminal: Terminal, *options: str) -> str:
    players = ("--players", "random,chick,random")
    return terminal.run("play", "barbecue", *players, *options).out


def test_the_same_seed_makes_the_same_game(terminal: Terminal) -> None:
    once, again, other = (game_of(terminal, "--seed", seed) for seed in ("7", "7", "8"))
    assert once == again
    assert once.splitlines()[1:] != other.splitlines()[1:]


def test_a_game_without_a_seed_can_be_repeated_by_the_seed_it_shows(terminal: Terminal) -> None:
    once = game_of(terminal)
    match = re.match(r"barbecue, random 1, chick, random 2\. Seed (\d+)\.\n", once)
    assert match
    assert game_of(terminal, "--seed", match[1]) == once


def test_games_without_a_seed_differ(terminal: Terminal) -> None:
    assert game_of(terminal).splitlines()[1:] != game_of(terminal).splitlines()[1:]


def test_the_dice_do_not_depend_on_what_people_type(terminal: Terminal) -> None:
    terminal.run("play", *TWO_PEOPLE, "--record", "plain", typed="roll\nq\n")
    terminal.run("play", *TWO_PEOPLE, "--record", "clumsy", typed="fry\n?\nt\nroll\nq\n")
    assert saved("plain") == saved("clumsy")


# --- seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        ("Ada,Ben", ["Ada", "Ben"]),
        (" Ada , Ben ", ["Ada", "Ben"]),
        ("Ada,Ada", ["Ada 1", "Ada 2"]),
        ("random,Ada,random", ["random 1", "Ada", "random 2"]),
        ("Ada,ada", ["Ada", "ada"]),
    ],
)
def test_seats_have_the_names_given_and_equal_ones_are_told_apart(
    terminal: Terminal, players: str, seats: list[str]
) -> None:
    terminal.run("play", "junior", "--players", players, "--record", "game")
    assert list(saved().seats) == seats


@pytest.mark.parametrize("players", ["Ada,Ada,Ada 1", "Ada 2,Ada,Ada", "a,a,a 1,a 1"])
def test_no_two_seats_have_one_name_whatever_is_given(terminal: Terminal, players: str) -> None:
    terminal.run("play", "junior", "--players", players, "--record", "game")
    assert len(set(saved().seats)) == len(saved().seats)


@pytest.mark.parametrize("first", [0, 1])
def test_first_says_who_starts(terminal: Terminal, first: int) -> None:
    shown = terminal.run("play", "--players", "Ada,Ben", "--first", str(first))
    assert f"{['Ada', 'Ben'][first]} starts." in shown.out


def test_otherwise_the_seed_decides_who_starts(terminal: Terminal) -> None:
    def starter(seed: int) -> str:
        shown = terminal.run("play", "--players", "Ada,Ben", "--seed", str(seed))
        match = re.search(r"(\w+) starts\.", shown.out)
        assert match
        return match[1]

    starters = [starter(seed) for seed in range(12)]
    assert set(starters) == {"Ada", "Ben"}
    assert starters == [starter(seed) for seed in range(12)]


def test_house_rules_are_written_down(terminal: Terminal) -> None:
    terminal.run("play", *TWO_PEOPLE, "--flip-always", "--record", "game")
    assert saved().house.flip_always
    assert not saved().house.flip_returned


# --- what cannot be played ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--players", "Ada"], "classic is for 2 to 7 players, not for 1."),
        (["junior", "--players", "a,b,c,d,e,f"], "junior is for 2 to 5 players, not for 6."),
        (["--players", ""], "--players has an empty name. Write the names as in --players me,fox."),
        (
            ["--players", "Ada,,Ben"],
            "--players has an empty name. Write the names as in --players me,fox.",
        ),
        (
            ["--players", "Ada,Ben,"],
            "--players has an empty name. Write the names as in --players me,fox.",
        ),
        (["--players", "Ada,Ben", "--first", "2"], "first must be a seat from 0 to 1, not 2."),
        (["--first", "-1"], "first must be a seat from 0 to 1, not -1."),
        (["junior", "--flip-always"], "junior has no house rules."),
        (["barbecue", "--flip-returned"], "barbecue has no house rules."),
    ],
)
def test_a_table_that_cannot_be_set_is_explained_in_a_sentence(
    terminal: Terminal, args: list[str], message: str
) -> None:
    shown = terminal.run("play", *args, "--record", "game")
    assert shown == (1, "", f"heckmeck: {message}\n")
    assert files_here() == []


@pytest.mark.parametrize("args", [["chess"], ["--first", "Ada"], ["--grill"], ["deluxe", "junior"]])
def test_what_cannot_be_understood_is_a_usage_error(terminal: Terminal, args: list[str]) -> None:
    shown = terminal.run("play", *args)
    assert (shown.status, shown.out) == (2, "")
    assert "Usage: heckmeck play" in shown.err


def test_a_record_that_is_there_is_never_replaced(terminal: Terminal) -> None:
    Path("game").write_text("my only game")
    shown = terminal.run("play", *TWO_PEOPLE, "--record", "game", typed="q\n")
    assert shown == (
        1,
        "",
        "heckmeck: game already exists. Choose another name for the record.\n",
    )
    assert Path("game").read_text() == "my only game"


def test_a_place_that_cannot_be_written_to_is_said_before_the_game(terminal: Terminal) -> None:
    """Not after it, when the record would be lost."""
    shown = terminal.run("play", *TWO_PEOPLE, "--record", "no/where", typed="roll\nq\n")
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.startswith("heckmeck: no/where: ")


@pytest.mark.parametrize(
    "option", [("--players", "A\udcffda,Ben"), ("--seed", "\udcff")], ids=["name", "seed"]
)
def test_bytes_that_are_no_text_are_no_reason_to_fall_over(
    terminal: Terminal, option: tuple[str, str]
) -> None:
    """A command line may hold any bytes; Python hands them on as half surrogate pairs."""
    shown = terminal.run("play", *option, typed="q\n")
    assert shown.status in (0, 1)
    assert shown.err.count("\n") == shown.status


def test_a_game_that_has_all_the_words_it_may_have_ends_with_its_record(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bots can go on for ever; a record cannot."""
    monkeypatch.setattr("heckmeck.record.record.MAX_MOVES", 20)
    shown = terminal.run("play", "--players", "random,random", "--record", "game")
    assert shown.status in (0, 1)
    assert len(saved().moves) == 20


# --- own dice -------------------------------------------------------------------------------------


def test_own_dice_are_typed_as_they_fell(terminal: Terminal) -> None:
    typed = "r\n1 1 2 5 5 5 w\n11255599\n1 1 2 5 5 5 w w\nkeep:W\nr\n=112555\nundo\n555112\nq\n"
    shown = terminal.run(
        *("play", *TWO_PEOPLE, "--own-dice", "--plain", "--record", "game"), typed=typed
    )
    assert (shown.status, shown.err) == (0, "")
    assert "Roll 8 dice and enter what fell." in shown.out
    assert "'1 1 2 5 5 5 w' does not fit. Expected: 8 dice with the faces 1 2 3 4 5 W." in shown.out
    assert words_of(saved()) == ["roll", "=112555WW", "keep:W", "roll", "=112555"]


def test_own_dice_of_a_bot_are_typed_too_and_resumed(terminal: Terminal) -> None:
    table = ("--players", "chick,Ada", "--first", "0", "--seed", "7", "--plain", "--record", "game")
    shown = terminal.run("play", "--own-dice", *table, typed="q\n")
    assert "Roll 8 dice for chick and enter what fell." in shown.out
    terminal.run("play", "--resume", "--plain", "--record", "game", typed="1122WWWW\nq\n")
    assert words_of(saved())[:3] == ["roll", "=1122WWWW", "keep:W"]
