"""The study room: odds and reviews over HTTP, by the coach in a process of its own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import to_builtins

from heckmeck.coach import TurnSetup
from heckmeck.coach.advice import odds, odds_at
from heckmeck.coach.review import review
from heckmeck.hosting.games import MOST_MOVES, advice_of
from heckmeck.record import read_position, read_record, record_to_json, write_text
from heckmeck.rules import Specialist
from heckmeck.server.app import Settings
from heckmeck.wire.states import moments
from tests.record.games import play
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server

OPENING = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


def test_odds_are_those_of_the_command(http: httpx.Client) -> None:
    asked = {
        "edition": "deluxe",
        "holding": "weasel",
        "kept": "44W",
        "roll": "1134W",
        "unit": "worms",
    }
    answer = http.post("/api/odds", json=asked)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    known = odds(TurnSetup("deluxe", Specialist.WEASEL, "44W", None, "1134W"))
    assert found["total"] == 4 + 4 + 5
    assert found["at_least"] == {str(k): v for k, v in known.at_least.items()}
    assert found["exactly"] == {str(k): v for k, v in known.exactly.items()}
    assert {move["move"] for move in found["moves"]} == {"keep:1", "keep:3", "reroll"}
    assert found["unit"] == "worms"


def test_a_turn_that_is_over_has_no_moves(http: httpx.Client) -> None:
    done = http.post("/api/odds", json={"edition": "classic", "kept": "4444WWWW"}).json()
    dead = http.post(
        "/api/odds", json={"edition": "classic", "kept": "44WW", "roll": "44WW"}
    ).json()
    assert (done["moves"], dead["moves"]) == ([], [])
    assert done["exactly"]["36"] == 1


@pytest.mark.parametrize(
    ("asked", "code", "sentence"),
    [
        ({"edition": "poker"}, "bad_setup", "There is no edition 'poker'"),
        ({"edition": "classic", "kept": "66"}, "bad_setup", "'66' are not dice"),
        ({"edition": "classic", "hand": -1}, "bad_message", "The request is not valid"),
        ({"edition": "classic", "dice": 8}, "bad_message", "The request is not valid"),
    ],
)
def test_a_turn_that_cannot_be_is_refused(
    http: httpx.Client, asked: dict[str, object], code: str, sentence: str
) -> None:
    answer = http.post("/api/odds", json=asked)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert sentence in answer.json()["message"]


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_record_is_reviewed_moment_by_moment(http: httpx.Client, form: str) -> None:
    record = read_record(OPENING.read_bytes())
    body = json.dumps(record_to_json(record)) if form == "json" else write_text(record)
    answer = http.post("/api/review?unit=worms", content=body.encode())
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["record"] == record_to_json(record)
    assert found["moments"] == [to_builtins(each) for each in moments(record)]
    assert found["review"] == to_builtins(review(record, "worms"))


def test_a_unit_that_there_is_not_is_refused(http: httpx.Client) -> None:
    body = OPENING.read_bytes()
    answer = http.post("/api/review?unit=plates", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    house = body.replace(b"\n\n", b"\noptions: flip_always\n\n", 1)
    answer = http.post("/api/review?unit=win", content=house)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_setup")
    assert "Ask for worms instead" in answer.json()["message"]


def test_what_is_no_record_is_refused(http: httpx.Client) -> None:
    answer = http.post("/api/review", content=b"no record")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_record")


def test_a_game_without_end_is_not_reviewed(http: httpx.Client) -> None:
    """Two who always fail never end a game; its review would keep others waiting."""
    turn = ["roll", "=11112222", "keep:1", "stop"]
    record = {
        "heckmeck": 1,
        "edition": "classic",
        "seats": ["Ada", "Ben"],
        "moves": turn * (MOST_MOVES // 4 + 1),
    }
    answer = http.post("/api/review", json=record)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_tables_game_is_reviewed(http: httpx.Client) -> None:
    record = record_to_json(play("junior", 2, seed=5).record)
    table = http.post("/api/records", json=record).json()
    answer = http.get(f"/api/tables/{table['id']}/review")
    assert answer.status_code == 200, answer.text
    assert answer.json()["record"]["moves"] == record["moves"]


def test_hints_come_from_the_coach_unless_told_otherwise() -> None:
    assert Settings("tables.sqlite3").advisor is advice_of


# --- positions ------------------------------------------------------------------------------------

POSITION = "deluxe_11c.13r.22.24.26-34~35-36_21~h2_25.23~w_-_1~11~2233WW"


def studied(http: httpx.Client, **asked: object) -> dict[str, Any]:
    answer = http.post("/api/position", json=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_position_is_studied(http: httpx.Client) -> None:
    found = studied(http, text=POSITION, unit="worms")
    state = read_position(POSITION)
    assert (found["text"], found["play"], found["flaws"]) == (POSITION, POSITION, [])
    assert found["state"]["legal"] == ["keep:2", "keep:3", "keep:W", "reroll"]
    weighed = advice_of(state, "worms")
    assert found["advice"] == json.loads(msgspec.json.encode(weighed))
    assert found["at_least"] == {
        str(number): chance for number, chance in odds_at(state).at_least.items()
    }
    assert studied(http, draft=found["draft"], unit="worms") == found


def test_what_is_wrong_with_a_position_is_said_in_codes(http: httpx.Client) -> None:
    found = studied(http, text="classic_21-36_24_-_0")
    (flaw,) = found["flaws"]
    assert flaw == {"code": "tile_twice", "tiles": [24], "places": ["grill", 0]}
    assert (found["state"], found["advice"], found["play"]) == (None, None, None)
    assert found["draft"]["players"] == [{"stack": [24]}, {}]
    (unread,) = studied(http, text="classic_21-36_2x_-_0")["flaws"]
    assert (unread["code"], unread["at"]) == ("text", 15)
    empty = studied(http, draft={"edition": "barbecue", "players": [{}, {"snails": 13}]})
    assert empty["flaws"] == [{"code": "snails", "count": 13, "box": 12}]


def test_a_position_without_a_decision_has_no_advice(http: httpx.Client) -> None:
    falling = studied(http, text="junior_4-9.4-8_9_-_0~-~dice")
    assert (falling["advice"], falling["play"]) == (None, "junior_4-9.4-8_9_-_0")
    asked = studied(http, text="junior_5-9.7-8~9_5.6_4_4_0~WWWC~pinch", unit="worms")
    assert asked["at_least"] == {}
    assert {move["move"] for move in asked["advice"]["moves"]} == {"pinch:1", "pinch:2"}
    over = studied(http, text="classic_-~21-36_-_-_0~-~over")
    assert (over["advice"], over["play"]) == (None, None)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, "bad_message"),
        ({"text": POSITION, "draft": {"edition": "classic", "players": []}}, "bad_message"),
        ({"text": "x" * 1001}, "bad_message"),
        ({"text": 7}, "bad_message"),
        ({"draft": {"edition": "chess", "players": []}}, "bad_setup"),
        ({"draft": {"edition": "classic", "players": [{}] * 10}}, "bad_message"),
        ({"draft": {"edition": "classic", "players": [], "grill": [10**30]}}, "bad_message"),
        ({"draft": {"edition": "classic", "players": [], "kept": "x"}}, "bad_message"),
        ({"draft": {"edition": "classic", "players": [], "next": "="}}, None),
        ({"draft": {"edition": "barbecue", "players": [], "spots": {"x": []}}}, "bad_message"),
        ({"draft": {"edition": "barbecue", "players": [], "spots": {"30": ["a"]}}}, "bad_message"),
        ({"draft": {"edition": "deluxe", "players": [], "on_grill": {"21": "fox"}}}, "bad_message"),
    ],
)
def test_hostile_positions_are_refused(
    http: httpx.Client, asked: dict[str, object], code: str | None
) -> None:
    answer = http.post("/api/position", json=asked)
    if code is None:
        assert answer.json()["flaws"]
    else:
        assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_table_plays_on_from_a_position(http: httpx.Client) -> None:
    record = {"heckmeck": 1, "edition": "deluxe", "seats": ["Ada", "Ben", "Cleo"], "first": 1}
    record |= {"options": {}, "position": POSITION, "moves": []}
    made = http.post("/api/records", json=record)
    assert made.status_code == 201, made.text
    shown = http.get(f"/api/tables/{made.json()['id']}").json()
    assert shown["table"]["names"] == ["Ada", "Ben", "Cleo"]
    refused = http.post("/api/records", json={**record, "position": "deluxe"})
    assert refused.json()["code"] == "bad_record"


@scenario
async def test_a_game_comes_with_the_plates_that_were_chosen(server: Server) -> None:
    made = await create(server.url, bots=["random"], first=0)
    async with Client(server.url, made["id"], [made["secret"]]) as ada:
        await ada.sit("Ada")
        await ada.do("plate", seat=0, plate=7)
        await ada.do("start")
    for what in ("replay", "review"):
        answer = httpx.get(f"{server.url}/api/tables/{made['id']}/{what}", timeout=120)
        assert answer.json()["plates"] == [7, 4]
