"""Bots and coach in a page's Python say what they say on a server."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hatch_build import WEB, npm_command
from heckmeck.bots import player
from heckmeck.dice import SeededLuck
from heckmeck.record import write_json, write_position
from heckmeck.rules import EDITIONS, AnyState, apply, game, legal, new_game, outcome, throws
from tests.bots.games import bot_game
from tests.web.page_answers import answers

HERE = Path(__file__).parent


def positions(edition: str, seats: int, seed: int) -> list[str]:
    """Return some positions of a game, the last ones near its end."""
    state, luck, bot = new_game(edition, seats), SeededLuck(seed), player("rooster")
    passed: list[AnyState] = []
    while outcome(state) is None:
        if legal(state):
            passed.append(state)
        chances = throws(state)
        move = luck.throw(chances) if chances else bot.choose(state, luck)
        state = apply(state, move).state
    places = {len(passed) * part // 5 for part in range(5)} | {len(passed) - 2}
    return [write_position(passed[place]) for place in sorted(places)]


def in_page(question: str) -> str:
    """Return the answer of the pages' Python, which Node runs."""
    command = npm_command()
    node = command[0] if len(command) > 1 else shutil.which("node")
    assert node is not None
    done = subprocess.run(
        [node, str(HERE / "pyodide.mjs"), str(WEB)],
        input=question,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def differences(here: object, there: object, where: str = "") -> list[str]:
    """Return where two answers differ by more than 1e-9."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        return [d for key in here for d in differences(here[key], there[key], f"{where}.{key}")]
    if isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        pairs = enumerate(zip(here, there, strict=True))
        return [d for place, each in pairs for d in differences(*each, f"{where}[{place}]")]
    if isinstance(here, float) and isinstance(there, float):
        return [] if abs(here - there) <= 1e-9 else [f"{where}: {here} here, {there} in a page"]
    return [] if here == there else [f"{where}: {here!r} here, {there!r} in a page"]


@pytest.mark.usefixtures("pages")
def test_bots_and_coach_say_the_same_in_a_page() -> None:
    asked = [
        text
        for edition in EDITIONS
        for seats, seed in ((2, 1), (3, 2), (5, 3))
        if seats in game(edition).players
        for text in positions(edition, seats, seed)
    ]
    games = [write_json(bot_game("junior", seats, seed=1, words=150)) for seats in (2, 3)]
    question = json.dumps([asked, games])
    assert differences(json.loads(answers(question)), json.loads(in_page(question))) == []
