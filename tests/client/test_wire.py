"""Messages of a server, as docs/protocol.md shows them, and messages of none."""

import json
import re
from pathlib import Path

import pytest

from heckmeck.client import BadAnswer
from heckmeck.client import wire as w
from heckmeck.record import STATE_KEYS, state_to_json
from heckmeck.rules import new_game
from heckmeck.rules.events import DiceCast, DiceFell, TileTaken

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def examples(kind: str) -> list[str]:
    """The page's examples of a kind of message."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"<!-- {kind} -->\n```json\n(.*?)```", text, re.DOTALL)


def only(kind: str) -> w.Answer:
    (text,) = examples(kind)
    return w.read_answer(text)


def test_welcome() -> None:
    welcome = only("Welcome")
    assert isinstance(welcome, w.Welcome)
    assert (welcome.n, welcome.protocol, welcome.state) == (1, w.PROTOCOL, None)
    assert welcome.you == w.You((), host=True)
    assert welcome.table.seats == (None, w.SeatInfo("The chick", bot="chick"))
    assert (welcome.table.edition, welcome.table.status) == ("classic", "waiting")
    assert welcome.missed == (w.Happening(0, "created"), w.Happening(1, "bot_set", 1, "The chick"))


def test_events_with_a_table_and_with_a_state() -> None:
    sat, played = map(w.read_answer, examples("Events"))
    assert isinstance(sat, w.Events)
    assert isinstance(played, w.Events)
    assert sat.events == (w.Happening(2, "sat", 0, "Ada"),)
    assert sat.table is not None
    assert sat.state is None
    roll, fell = played.events
    assert roll == w.Happening(7, "played", 0, "roll", (DiceCast(0, 8, golden=False),))
    assert fell.events == (DiceFell(0, "22345WWW", None),)
    assert played.table is None
    assert played.state is not None
    assert played.state.turn.hand == 8


def test_what_a_newer_server_adds_to_a_state_is_passed_over() -> None:
    state = state_to_json(new_game("junior", 2))
    assert tuple(state) == STATE_KEYS
    text = json.dumps({"type": "events", "events": [], "state": {**state, "weather": "fine"}})
    answer = w.read_answer(text)
    assert isinstance(answer, w.Events)
    assert answer.state == new_game("junior", 2)


def test_all_kinds_of_happenings() -> None:
    for text in examples("Happening"):
        message = json.dumps({"type": "events", "events": [json.loads(text)]})
        answer = w.read_answer(message)
        assert isinstance(answer, w.Events)
        (happening,) = answer.events
        assert happening.do in ("played", "revealed")
        if happening.do == "played":
            assert happening.events[1] == TileTaken(1, 21, 1, 21)


def test_short_answers() -> None:
    assert only("Ok") == w.Ok("7", 6)
    assert only("Seated") == w.Seated("2", 2, 0, "xEpN7Ow7F3HMqWmTmDOejTMQ6K8KyafD")
    assert only("YouNow") == w.YouNow(w.You((0,), host=True))
    assert only("Pong") == w.Other("12")
    assert only("Hint") == w.Tips(
        "11", 8, "win", (w.Tip("keep:W", 0.54, 0.24), w.Tip("keep:5", 0.47, 0.5))
    )


def test_refusal() -> None:
    refusal = only("Refusal")
    assert isinstance(refusal, w.Refusal)
    assert (refusal.id, refusal.code, refusal.n) == ("m13", "not_your_turn", 12)
    assert (refusal.table, refusal.state) == (None, None)


def test_a_kind_of_message_that_nobody_knows_yet_is_passed_over() -> None:
    assert w.read_answer('{"type": "fireworks", "colour": "red"}') == w.Other("")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("[]", "a message must be a JSON object"),
        ("{}", "type is missing"),
        (b"\xff", "cannot be read"),
        ('{"type": "ok", "id": "7"}', "n is missing"),
        ('{"type": "events", "events": [3]}', "a message must be a JSON object"),
        ('{"type": "events", "events": [], "state": {}}', "edition is missing"),
        (
            '{"type": "hint", "id": "1", "n": 1, "unit": "worms", "moves": [{"worth": true}]}',
            "moves.worth must be a number",
        ),
        (
            '{"type": "hint", "id": "1", "n": 1, "unit": "", "moves": [{"worth": 1, "fail": "x"}]}',
            "moves.fail must be a number",
        ),
        (f'{{"type": "refused", "code": "x", "message": "", "wait": {10**400}}}', "wait is too"),
    ],
)
def test_what_is_no_message_is_refused(text: str | bytes, why: str) -> None:
    with pytest.raises(BadAnswer, match=why):
        w.read_answer(text)


def test_a_limit_says_how_long_it_lasts() -> None:
    refusal = w.read_answer('{"type": "refused", "code": "too_fast", "message": "", "wait": 1.5}')
    assert isinstance(refusal, w.Refusal)
    assert refusal.wait == 1.5
    problem = w.read_problem(b'{"code": "too_many", "message": "Too many.", "wait": 20}')
    assert problem == ("too_many", "Too many.", 20.0)


def test_problems_over_http() -> None:
    (text,) = examples("Problem")
    problem = w.read_problem(text.encode())
    assert problem is not None
    assert problem[0] == "bad_setup"
    assert w.read_problem(b"<html>") is None
    assert w.read_problem(b"\xff") is None
    assert w.read_problem(b"{}") is None
