"""What the pages restate of Python: sentences for facts, and what stopping would do."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from hatch_build import WEB, fetch_packages, npm_command, schema_text, write_schema
from heckmeck.bots import player
from heckmeck.dice_source import SeededLuck
from heckmeck.narration import Narrator, languages
from heckmeck.record import JsonObject, event_to_json, state_to_json
from heckmeck.rules import (
    EDITIONS,
    AnyState,
    Ending,
    Event,
    apply,
    legal,
    new_game,
    stopping,
    throws,
)

NAMES = ["Ada", "Ben", "Chiara"]


def played(edition: str, seed: int) -> Iterator[tuple[AnyState, tuple[Event, ...]]]:
    """Every state of a game between bots who do not think, with the events that led to it."""
    state, luck = new_game(edition, len(NAMES)), SeededLuck(seed)
    while throws(state) or legal(state):
        bot = player("random" if seed % 2 else "rooster")
        move = luck.throw(throws(state)) if throws(state) else bot.choose(state, luck)
        state, events = apply(state, move)
        yield state, events


def ending_to_json(ending: Ending) -> JsonObject:
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(ending).__name__).lower()
    values = {field.name: getattr(ending, field.name) for field in fields(ending)}
    return {
        "ending": name,
        **{key: [*value] if isinstance(value, tuple) else value for key, value in values.items()},
    }


def all_that_is_told() -> JsonObject:
    """Some hundred endings of each edition, and one event of each way to tell one."""
    narrators = {language: Narrator(NAMES, language) for language in languages()}
    endings: list[JsonObject] = []
    sentences: dict[str, JsonObject] = {}
    for edition in EDITIONS:
        for seed in range(6):
            for state, events in played(edition, seed):
                if state.turn.kept and state_to_json(state)["awaits"] == "player":
                    endings.append(
                        {"state": state_to_json(state), "ending": ending_to_json(stopping(state))}
                    )
                for event in events:
                    words = {name: told.event(event) for name, told in narrators.items()}
                    kind = re.sub(r"\d+", "", words["en"])
                    sentences.setdefault(kind, {"fact": event_to_json(event), **words})
    return {"names": [*NAMES], "endings": [*endings[::7]], "sentences": [*sentences.values()]}


def test_pages_say_the_same_as_python(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    told.write_text(json.dumps(all_that_is_told()), encoding="utf-8")
    command = npm_command()
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


def test_types_components_and_texts_hold() -> None:
    """`npm run check`: the wire's types, svelte-check, and the pages' own tests."""
    command = npm_command()
    fetch_packages(command)
    write_schema(schema_text())
    done = subprocess.run(
        [*command, "run", "check"],
        cwd=WEB,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
