"""The conformance file: whole games of all editions, with full states on the way."""

import json
from pathlib import Path
from typing import Any

import pytest

from heckmeck import rules
from heckmeck.record.state_json import state_to_json

FILE = Path(__file__).parent.parent / "data" / "conformance.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def name_of(case: dict[str, Any]) -> str:
    record = case["record"]
    name: str = case.get("name") or f"{record['edition']}-{len(record['seats'])}"
    return name


def replay(record: dict[str, Any]) -> list[rules.AnyState]:
    """Every state of a record, the first one before any move."""
    house = rules.HouseRules(**record["options"])
    state = rules.new_game(record["edition"], len(record["seats"]), record["first"], house)
    states = [state]
    for text in record["moves"]:
        state = rules.apply(state, rules.parse(text)).state
        states.append(state)
    return states


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_states_are_exactly_as_recorded(case: dict[str, Any]) -> None:
    states = replay(case["record"])
    assert case["checks"], "a case without checks proves nothing"
    for check in case["checks"]:
        assert state_to_json(states[check["after"]]) == check["state"], f"after {check['after']}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_results_are_exactly_as_recorded(case: dict[str, Any]) -> None:
    outcome = rules.outcome(replay(case["record"])[-1])
    result = outcome and {"scores": [*outcome.scores], "winners": [*outcome.winners]}
    assert result == case["record"].get("result")


def test_the_file_has_whole_games_of_every_edition() -> None:
    whole = {case["record"]["edition"] for case in CASES if "result" in case["record"]}
    assert whole == set(rules.EDITIONS)
    assert len(CASES) == 44
