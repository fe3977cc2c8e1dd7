"""`--language`: the sentences of a game in the language one asks for, or that of the system."""

import pytest

from heckmeck.cli.options import language_of
from heckmeck.narration import languages
from tests.cli.records import FIRST_TURN
from tests.cli.terminal import Terminal

GERMAN = """\
classic, Ada, Ben
Ada beginnt.
0  roll       Ada würfelt mit 8 Würfeln.
1  =11234WWW  Ada würfelt 1 1 2 3 4 Wurm Wurm Wurm.
2  keep:W     Ada legt drei Würmer beiseite: 15.
3  roll       Ada würfelt mit 5 Würfeln.
4  =12455     Ada würfelt 1 2 4 5 5.
5  keep:5     Ada legt zwei 5er beiseite: 25.
6  stop       Ada hört bei 25 auf. Ada nimmt die 25 (2 Würmer). Die Würfel gehen an Ben.
"""


def test_a_game_is_told_in_german(terminal: Terminal) -> None:
    shown = terminal.run("replay", "-", "--language", "de", typed=FIRST_TURN)
    assert shown == (0, GERMAN, "")


def test_a_game_is_told_in_the_language_of_the_system(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    assert terminal.run("replay", "-", typed=FIRST_TURN).out == GERMAN
    english = terminal.run("replay", "-", "--language", "en", typed=FIRST_TURN).out
    assert "Ada starts." in english


@pytest.mark.parametrize("language", languages())
def test_json_is_the_same_in_every_language(terminal: Terminal, language: str) -> None:
    told = terminal.run("replay", "-", "--json", "--language", language, typed=FIRST_TURN)
    assert told == terminal.run("replay", "-", "--json", typed=FIRST_TURN)


def test_a_game_is_played_in_german(terminal: Terminal) -> None:
    table = ("--players", "Ada,Ben", "--first", "0", "--seed", "7")
    shown = terminal.run("play", "junior", *table, "--language", "de", typed="roll\nq\n")
    assert (shown.status, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert "Ada beginnt." in lines
    assert "roll [r] > Ada würfelt " in shown.out
    assert "Das Spiel bleibt hier stehen." in lines
    assert "The dice" not in shown.out


@pytest.mark.parametrize("command", ["play", "replay"])
def test_a_language_that_we_do_not_speak_is_refused_with_those_we_do(
    terminal: Terminal, command: str
) -> None:
    shown = terminal.run(command, "--language", "la")
    assert (shown.status, shown.out) == (2, "")
    ours = ", ".join(map(repr, languages()))
    assert f"'la' is not one of {ours}." in shown.err


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "it"}, "it"),
        ({"LANG": "nl_BE.UTF-8"}, "nl"),
        ({"LANG": "es_AR.UTF-8"}, "es"),
        ({"LANG": "de-CH"}, "de"),
        ({"LANG": "de.UTF-8"}, "de"),
        ({"LANG": "de@euro"}, "de"),
        ({"LANG": "pt_BR.UTF-8"}, "en"),
        ({"LANG": "den_CA"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "../de"}, "en"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "it_IT"}, "it"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "it_IT", "LC_ALL": "de_DE"}, "de"),
        ({"LANG": "fr_FR", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR", "LC_ALL": ""}, "fr"),
    ],
)
def test_the_environment_says_the_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language
