"""A game moment by moment, and what ends of a turn are as JSON."""

import pytest

from heckmeck.record import ending_to_json, moments, replay, state_to_json
from heckmeck.rules import EDITIONS, word
from heckmeck.rules.endings import NOTHING, StealTile, WhyNothing
from tests.bots.games import bot_game


@pytest.mark.parametrize("edition", EDITIONS)
def test_moments_are_the_start_and_every_move(edition: str) -> None:
    record = bot_game(edition, words=60)
    start, *rest = moments(record)
    assert start == {
        "after": 0,
        "move": None,
        "events": [],
        "state": state_to_json(record.start()),
    }
    steps = list(replay(record))
    assert [each["after"] for each in rest] == [*range(1, len(steps) + 1)]
    assert [each["move"] for each in rest] == [word(step.move) for step in steps]
    assert [each["state"] for each in rest] == [state_to_json(step.state) for step in steps]


def test_an_ending_says_what_it_does() -> None:
    assert ending_to_json(StealTile(25, victim=1)) == {
        "ending": "steal_tile",
        "tile": 25,
        "victim": 1,
    }
    assert ending_to_json(NOTHING[WhyNothing.DEAD_THROW])["ending"] == "nothing"
