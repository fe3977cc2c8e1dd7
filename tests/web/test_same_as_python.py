"""What the pages restate of Python: sentences for facts and endings, and fair dice."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hatch_build import WEB, fetch_packages, npm_command, one_at_a_time
from heckmeck.bots import player
from heckmeck.coach.review import review
from heckmeck.coach.why import Why
from heckmeck.dice import SeededLuck
from heckmeck.dice.fair import (
    FairDice,
    FairProof,
    check_dice,
    commitment,
    count_dice,
    promise,
)
from heckmeck.narration import Narrator, Phrases, badges, languages
from heckmeck.narration.messages import fill
from heckmeck.record import JsonObject, Record, event_to_json, record_to_json
from heckmeck.rules import (
    EDITIONS,
    Move,
    Table,
    Transition,
    apply,
    legal,
    new_game,
    stopping,
    throws,
)
from heckmeck.rules.state import Deciding
from heckmeck.wire.coach import Unit
from heckmeck.wire.states import game_state, prospects
from tests.bots.games import bot_game

NAMES = ["Ada", "Ben", "Chiara"]
#: Players whose badges are compared.
TABLES = [
    ["Chef", "Chick", "Fox", "Cook"],
    ["fox", "The fox", "Fox 2", "frida", "Finn", "Flo", "Ötzi"],
    ["élan", "Émile", "ñ", "ß", "Sam", "ǆ", "ﬁn"],
    ["  Ada", "", " ", "?", "1", "11"],
    ["נועה", "ناي", "李雷", "🐛 Wurm", "🐛", "\U0001d49cda"],
]


#: Words that change before some sounds, and their like: template, blank, what it is to be.
EUPHONY = {
    "it": [
        ("Tocca a {name}.", "Ada", "Tocca ad Ada."),
        ("Tocca a {name}.", "ada", "Tocca ad ada."),
        ("Tocca a {name}.", "Àlvaro", "Tocca ad Àlvaro."),
        ("Tocca a {name}.", "Eva", "Tocca a Eva."),
        ("Tocca a {name}.", "Ben", "Tocca a Ben."),
        ("Tocca a {name}.", "", "Tocca a ."),
        ("A {name} la 25", "Anna", "Ad Anna la 25"),
        ("Ben e {name}", "Emma", "Ben ed Emma"),
        ("Ben e {name}", "Élise", "Ben ed Élise"),
        ("Ben e {name}", "Ada", "Ben e Ada"),
        ("va {name}", "Ada", "va Ada"),
        ("à {name}", "Ada", "à Ada"),
        ("a: {name}", "Ada", "a: Ada"),
        ("{name} a {name}", "a", "a ad a"),
    ],
    "es": [
        ("Ben y {name}", "Iván", "Ben e Iván"),
        ("Ben y {name}", "Íñigo", "Ben e Íñigo"),
        ("Ben y {name}", "Hilario", "Ben e Hilario"),
        ("Ben y {name}", "hiena", "Ben y hiena"),
        ("Ben y {name}", "Yago", "Ben y Yago"),
        ("Ben y {name}", "Ada", "Ben y Ada"),
        ("Y {name}", "Inés", "E Inés"),
        ("Ben o {name}", "Óscar", "Ben u Óscar"),
        ("Ben o {name}", "Hortensia", "Ben u Hortensia"),
        ("Ben o {name}", "8", "Ben u 8"),
        ("Ben o {name}", "11", "Ben u 11"),
        ("Ben o {name}", "110", "Ben o 110"),
        ("muy {name}", "Iván", "muy Iván"),
    ],
}


def test_words_change_before_some_sounds_in_their_language_only() -> None:
    for language, cases in EUPHONY.items():
        for template, name, told in cases:
            assert fill(language, template, {"name": name}) == told
            for other in languages().keys() - EUPHONY.keys():
                assert fill(other, template, {"name": name}) == template.format(name=name)


def played(edition: str, seed: int) -> Iterator[Transition[Table]]:
    """Everything that happens in a game between bots who do not think."""
    state, luck = new_game(edition, len(NAMES)), SeededLuck(seed)
    while throws(state) or legal(state):
        bot = player("random" if seed % 2 else "rooster")
        move = luck.throw(throws(state)) if throws(state) else bot.choose(state, luck)
        step = apply(state, move)
        yield step
        state = step.state


def endings(steps: list[Transition[Table]]) -> list[JsonObject]:
    """One position of each way to say what stopping would do, and what the terminal says of it."""
    found: dict[str, JsonObject] = {}
    speakers = {name: Phrases(name, NAMES) for name in languages()}
    for state, _ in steps:
        if isinstance(state.phase, Deciding) and state.turn.kept:
            stop = prospects(state)["stop"]
            words = {
                name: said.stop(stopping(state), stop.result, stop.bonus, harmless=stop.safe)
                for name, said in speakers.items()
            }
            kind = re.sub(r"\d+", "", f"{words['en'].title}: {words['en'].detail}")
            told: JsonObject = {name: [said.title, said.detail] for name, said in words.items()}
            found.setdefault(kind, {"state": msgspec.to_builtins(game_state(state)), **told})
    return [*found.values()]


def reasons() -> list[JsonObject]:
    """Every kind of reason, as Python says it to those who play and to those who do not."""
    found: dict[str, JsonObject] = {}
    for edition in EDITIONS:
        record = bot_game(edition, len(NAMES), seed=4, bot=player("random"), words=220)
        for you in (None, 1):
            speakers = {name: Why(name, NAMES, you) for name in languages()}
            unit: Unit
            for unit in ("win", "worms"):
                for decision in review(record, unit).decisions:
                    assert decision.reason is not None
                    said = {name: why(decision.reason, unit) for name, why in speakers.items()}
                    kind = re.sub(r"[\d.%]+", "", said["en"])
                    reason = msgspec.to_builtins(decision.reason)
                    found.setdefault(kind, {"reason": reason, "unit": unit, "you": you, **said})
    return [*found.values()]


def fair_game(edition: str) -> JsonObject:
    """A game with dice that can be checked, and how many throws and dice that were."""
    seed = bytes(range(32))
    dice = FairDice(seed, ("Käse & 🐛", ""))
    state = new_game(edition, 2, first=dice.first())
    moves: list[Move] = []
    number = 0
    while throws(state) or legal(state):
        if throws(state):
            moves.append(dice.throw(state, number))
            number += 1
        else:
            moves.append(player("rooster").choose(state, SeededLuck(1)))
        state = apply(state, moves[-1]).state
    promises = (promise(dice.salts[0]), "")
    proof = FairProof(commitment(seed), dice.salts, seed, drawn=True, promises=promises)
    record = Record(
        edition, ("Ada", "Ben"), dice.first(), moves=(*moves,), extra={"fair": proof.to_json()}
    )
    checked = check_dice(record).throws
    return {"record": record_to_json(record), "throws": len(checked), "dice": count_dice(checked)}


def all_that_is_told() -> JsonObject:
    """One event of each way to tell one, and a game of each edition with fair dice."""
    steps = [step for edition in EDITIONS for seed in range(6) for step in played(edition, seed)]
    sentences: dict[str, JsonObject] = {}
    for you in (None, *range(len(NAMES))):
        narrators = {language: Narrator(NAMES, language, you) for language in languages()}
        for event in (event for step in steps for event in step.events):
            words = {name: told.event(event) for name, told in narrators.items()}
            kind = re.sub(r"\d+", "", words["en"])
            sentences.setdefault(kind, {"fact": event_to_json(event), "you": you, **words})
    return {
        "names": [*NAMES],
        "badges": [{"names": [*names], "badges": [*badges(names)]} for names in TABLES],
        "sentences": [*sentences.values()],
        "endings": [*endings(steps)],
        "reasons": [*reasons()],
        "euphony": [
            {"language": language, "template": template, "name": name, "told": told}
            for language, cases in EUPHONY.items()
            for template, name, told in cases
        ],
        "fair": [fair_game(edition) for edition in EDITIONS],
    }


def test_pages_say_the_same_as_python(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    told.write_text(json.dumps(all_that_is_told()), encoding="utf-8")
    command = npm_command()
    with one_at_a_time():
        fetch_packages(command)
    done = subprocess.run(
        [*command, "exec", "--", "vitest", "run", "tests/python"],
        cwd=WEB,
        env={**os.environ, "HECKMECK_TOLD": str(told), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
