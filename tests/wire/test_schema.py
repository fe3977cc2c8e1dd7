"""The schema describes what is really sent."""

import msgspec
import pytest

from heckmeck.record import event_to_json, state_to_json
from heckmeck.record.state_reading import TABLES
from heckmeck.rules import EDITIONS
from heckmeck.wire import answers as m
from heckmeck.wire import requests
from heckmeck.wire.schema import any_of, ending_types, fact_types, schema
from heckmeck.wire.states import game_state
from tests.record.games import play


def references(value: object) -> set[str]:
    """All definitions that a schema refers to."""
    if isinstance(value, dict):
        inner = set().union(*map(references, value.values()))
        return inner | ({value["$ref"]} if isinstance(value.get("$ref"), str) else set())
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_every_reference_leads_somewhere() -> None:
    defs = schema()["$defs"]
    assert {f"#/$defs/{name}" for name in defs} >= references(schema())


def test_every_message_is_described() -> None:
    defs = schema()["$defs"]
    for union, kinds in (("Request", requests.AnyRequest), ("Answer", m.AnyAnswer)):
        assert len(defs[union]["anyOf"]) == len(kinds.__args__)
    assert len(defs["Fact"]["anyOf"]) == len(fact_types())
    assert len(defs["Ending"]["anyOf"]) == len(ending_types())
    assert "Problem" in defs


def test_facts_endings_and_tables_have_types() -> None:
    defs = schema()["$defs"]
    assert defs["Played"]["properties"]["facts"]["items"] == {"$ref": "#/$defs/Fact"}
    assert defs["Prospect"]["properties"]["ending"] == {"$ref": "#/$defs/Ending"}
    assert len(defs["GameState"]["properties"]["table"]["anyOf"]) == 3
    assert defs["TileTaken"]["properties"]["event"] == {"enum": ["tile_taken"]}
    assert defs["TakeTile"]["properties"]["ending"] == {"enum": ["take_tile"]}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(3))
def test_everything_that_happens_fits_its_type(edition: str, seed: int) -> None:
    game = play(edition, 3, seed)
    for state in game.states:
        shown = msgspec.to_builtins(game_state(state))
        for prospect in shown.pop("prospects").values():
            msgspec.convert(prospect["ending"], any_of(ending_types()))
        assert (shown.pop("count") is not None) == shown["over"]
        del shown["points"], shown["undo"], shown["correct"]
        assert len(shown.pop("stack_worms")) == len(shown["table"].get("stacks", []))
        assert shown == state_to_json(state)
        msgspec.convert(shown["table"], TABLES[edition])
    for events in game.events:
        for event in events:
            data = event_to_json(event)
            msgspec.convert(data, fact_types()[str(data["event"])])
