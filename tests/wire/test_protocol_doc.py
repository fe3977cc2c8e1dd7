"""docs/protocol.md: every example is a message, and nothing is left out."""

import re
from pathlib import Path

import msgspec
import pytest

from heckmeck.wire import answers, book, entries, requests, states
from heckmeck.wire.refusals import Code
from heckmeck.wire.schema import any_of, ending_types, fact_types

TYPES = {**vars(answers), **vars(book), **vars(requests), **vars(states)}
PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- (\w+) -->\n```json\n(.*?)```", PAGE, re.DOTALL)


def test_every_example_says_what_it_is() -> None:
    assert len(EXAMPLES) == PAGE.count("```json") > 20


@pytest.mark.parametrize(("kind", "text"), EXAMPLES, ids=[kind for kind, _ in EXAMPLES])
def test_every_example_is_a_message(kind: str, text: str) -> None:
    message = msgspec.json.decode(text, type=TYPES[kind])
    written = msgspec.json.decode(text)
    assert written.keys() - set(message.__struct_fields__) <= {message.__struct_config__.tag_field}


def test_every_fact_in_an_example_is_one() -> None:
    facts = re.findall(r'\{"event": [^{}]*\}', PAGE)
    assert len(facts) > 3
    for fact in facts:
        data = msgspec.json.decode(fact)
        msgspec.convert(data, fact_types()[data["event"]])


def test_every_ending_in_an_example_is_one() -> None:
    endings = re.findall(r'\{"ending": "[^{}]*\}', PAGE)
    assert len(endings) > 3
    for ending in endings:
        msgspec.json.decode(ending, type=any_of(ending_types()))


def test_every_code_request_and_event_is_mentioned() -> None:
    asked = [kind.__struct_config__.tag for kind in requests.AnyRequest.__args__]
    events = [kind.__struct_config__.tag for kind in entries.AnyEntry.__args__]
    for word in (*Code, *asked, *events, "played"):
        assert f"`{word}`" in PAGE, word
