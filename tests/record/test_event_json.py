"""Events as JSON: all kinds, by name, with their own fields and plain values."""

import json
import re
from dataclasses import fields
from typing import get_args

import pytest

from heckmeck.record import JsonObject, event_name, event_to_json
from heckmeck.record.json_text import dumps, loads
from heckmeck.rules import Event, Specialist, outcome
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.events import (
    AttemptFailed,
    BratwormEarned,
    DiceFell,
    GameEnded,
    PinchAsked,
    RobAsked,
    SnailTaken,
    SpecialistReturned,
    TileTaken,
    WhyBratworm,
)
from heckmeck.rules.outcome import (
    DecidedBy,
    EndReason,
    Outcome,
    ScoreItem,
    ScoreLine,
)
from tests.record.games import one_game_each, play

EVENT_CLASSES: tuple[type[Event], ...] = get_args(Event)
OUTCOME = Outcome(
    EndReason.GRILL_EMPTY,
    sheets=(
        (ScoreLine(ScoreItem.TILES, 2), ScoreLine(ScoreItem.APPLE, 3)),
        (ScoreLine(ScoreItem.TILES, 7), ScoreLine(ScoreItem.APPLE, 0)),
        (ScoreLine(ScoreItem.TILES, 7), ScoreLine(ScoreItem.APPLE, 0)),
    ),
    ranking=((1, 2), (0,)),
    decided_by=DecidedBy.SHARED,
)


@pytest.mark.parametrize(
    ("event", "data"),
    [
        (
            TileTaken(0, 25, 2, 27),
            {"event": "tile_taken", "seat": 0, "tile": 25, "worms": 2, "result": 27},
        ),
        (
            DiceFell(1, "11W", None),
            {"event": "dice_fell", "seat": 1, "dice": "11W", "golden": None},
        ),
        (RobAsked(0, (1, 2)), {"event": "rob_asked", "seat": 0, "victims": [1, 2]}),
        (
            PinchAsked(2, 7, (0, 1)),
            {"event": "pinch_asked", "seat": 2, "tile": 7, "victims": [0, 1]},
        ),
        (SnailTaken(0, None), {"event": "snail_taken", "seat": 0, "spot": None}),
        (
            SpecialistReturned(0, Specialist.HEN, None),
            {"event": "specialist_returned", "seat": 0, "specialist": "hen", "tile": None},
        ),
        (
            AttemptFailed(0, WhyNothing.DEAD_THROW),
            {"event": "attempt_failed", "seat": 0, "why": "dead_throw"},
        ),
        (
            BratwormEarned(0, WhyBratworm.RAVEN),
            {"event": "bratworm_earned", "seat": 0, "why": "raven"},
        ),
        (
            GameEnded(OUTCOME),
            {
                "event": "game_ended",
                "reason": "grill_empty",
                "scores": [5, 7, 7],
                "sheets": [
                    {"tiles": 2, "apple": 3},
                    {"tiles": 7, "apple": 0},
                    {"tiles": 7, "apple": 0},
                ],
                "ranking": [[1, 2], [0]],
                "decided_by": "shared",
            },
        ),
    ],
)
def test_an_event_is_its_name_and_its_fields(event: Event, data: JsonObject) -> None:
    assert event_to_json(event) == data
    assert loads(dumps(event_to_json(event))) == data


def test_names_are_words_with_underscores_and_all_different() -> None:
    names = {event_name(event) for game in EVERYTHING for event in game}
    assert len(names) == len(EVENT_CLASSES)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in names)
    assert {"tile_taken", "weasel_used", "canned_worm_opened", "throw_was_dead"} <= names


def test_every_kind_of_event_is_written_with_all_its_fields() -> None:
    kinds = set()
    for event in (event for game in EVERYTHING for event in game):
        kinds.add(type(event))
        data = event_to_json(event)
        assert data["event"] == event_name(event)
        assert loads(json.dumps(data)) == data
        if not isinstance(event, GameEnded):
            assert [*data] == ["event", *(field.name for field in fields(event))]
    assert kinds == set(EVENT_CLASSES)


def test_the_end_of_a_game_carries_its_outcome() -> None:
    for game in one_game_each():
        end = outcome(game.states[-1])
        assert end is not None
        data = event_to_json(game.events[-1][-1])
        assert data["event"] == "game_ended"
        assert data["scores"] == [*end.scores]
        assert data["ranking"] == [[*place] for place in end.ranking]


#: Games, each as the list of its events, in which every kind of event happens.
EVERYTHING = [
    [event for events in game.events for event in events]
    for game in (
        *one_game_each(),
        play("barbecue", 2, seed=17),
        play("deluxe", 2, seed=157),
        play("deluxe", 3, seed=9),
    )
]
