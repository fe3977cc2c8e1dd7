"""Answers of a server, as docs/protocol.md shows them, and of servers newer than this program."""

import json
import re
from pathlib import Path

import pytest

from heckmeck.wire import answers as m
from heckmeck.wire import entries
from heckmeck.wire.coach import WeighedMove

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def examples(kind: str) -> list[str]:
    """The page's examples of a kind of message."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"<!-- {kind} -->\n```json\n(.*?)```", text, re.DOTALL)


def only(kind: str) -> m.AnyAnswer | m.Other:
    (text,) = examples(kind)
    return m.read_answer(text)


def test_welcome() -> None:
    welcome = only("Welcome")
    assert isinstance(welcome, m.Welcome)
    assert (welcome.n, welcome.protocol, welcome.state) == (1, m.PROTOCOL, None)
    assert welcome.table.seats == [None, m.SeatInfo("The chick", bot="chick")]
    assert welcome.missed is not None
    assert isinstance(welcome.missed[0].what, entries.Created)
    assert welcome.missed[1].what == entries.BotSet(1, "chick", "The chick")


def test_short_answers() -> None:
    assert only("Ok") == m.Ok("7", 6)
    assert only("Pong") == m.Pong("12", 8)
    moves = [WeighedMove("keep:W", 0.54, 0.24), WeighedMove("keep:5", 0.47, 0.5)]
    assert only("Hint") == m.Hint("11", 8, "win", moves)


def test_what_a_newer_server_adds_is_passed_over() -> None:
    text = examples("Welcome")[0]
    plain = json.loads(text)
    plain["weather"] = plain["table"]["weather"] = plain["table"]["setup"]["weather"] = "fine"
    assert m.read_answer(json.dumps(plain)) == m.read_answer(text)


def test_kinds_that_nobody_knows_yet_are_passed_over() -> None:
    assert m.read_answer('{"type": "fireworks", "colour": "red"}') == m.Other()
    assert m.read_answer('{"type": "fireworks", "id": "3"}') == m.Other("3")
    danced = {"n": 7, "what": {"do": "danced", "seat": 1}}
    heard = m.read_answer(json.dumps({"type": "entries", "entries": [danced]}))
    assert heard == m.Entries([m.NumberedEntry(7, entries.Unknown())])


def test_a_code_that_nobody_knows_yet_is_passed_on() -> None:
    refusal = m.read_answer('{"type": "refused", "id": "1", "code": "too_wet", "message": "Wait."}')
    assert isinstance(refusal, m.Refusal)
    assert refusal.code == "too_wet"


@pytest.mark.parametrize(
    "text",
    [
        "",
        b"\xff",
        "[]",
        "{}",
        "[" * 100_000,
        '{"type": "ok", "id": "7"}',
        '{"type": "entries", "entries": [3]}',
        '{"type": "entries", "entries": [{"n": 1}]}',
        f'{{"type": "refused", "id": null, "code": "x", "message": "", "wait": {10**400}}}',
    ],
)
def test_what_is_no_answer_is_refused(text: str | bytes) -> None:
    with pytest.raises(m.BadAnswer, match="cannot be read"):
        m.read_answer(text)
