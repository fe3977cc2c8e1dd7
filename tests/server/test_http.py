"""The HTTP side of a real server: what it answers, and how it refuses."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from heckmeck import __version__
from heckmeck.bots import BOTS
from heckmeck.dice import check_dice
from heckmeck.hosting.games import PAGE
from heckmeck.record import (
    JsonValue,
    final_state,
    read_record,
    record_to_json,
    replay,
    state_to_json,
)
from heckmeck.rules import EDITIONS
from heckmeck.wire import answers as m
from heckmeck.wire.answers import BotList, EditionList, Health, Problem, Replay, TableList
from heckmeck.wire.states import game_state
from tests.record.games import play
from tests.server.client import Client, Made, create
from tests.server.scenario import scenario
from tests.server.serving import Server


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def problem(answer: httpx.Response, status: int) -> str:
    """The code of a refusal."""
    assert answer.status_code == status, answer.text
    return str(msgspec.json.decode(answer.content, type=Problem).code)


def new_table(http: httpx.Client, **setup: JsonValue) -> Made:
    answer = http.post("/api/tables", json={"setup": {"edition": "classic", **setup}})
    assert answer.status_code == 201, answer.text
    made: Made = answer.json()
    return made


def finished_record(edition: str = "classic", seats: int = 2) -> dict[str, Any]:
    return {**record_to_json(play(edition, seats, seed=5).record)}


# --- about the server -----------------------------------------------------------------------------


def test_health(http: httpx.Client) -> None:
    new_table(http)
    health = msgspec.json.decode(http.get("/healthz").content, type=Health)
    assert health.ok
    assert health.version == __version__
    assert health.uptime > 0
    assert health.tables["waiting"] >= 1
    assert health.live_tables >= 1
    assert health.connections == 0


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_kept_by_no_proxy(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/privacy", "/api/tables", "/healthz"])
def test_no_cookie_is_ever_set(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


def test_bots_and_editions(http: httpx.Client) -> None:
    bots = msgspec.json.decode(http.get("/api/bots").content, type=BotList).bots
    assert [bot.name for bot in bots] == [*BOTS]
    editions = msgspec.json.decode(http.get("/api/editions").content, type=EditionList).editions
    assert [edition.edition for edition in editions] == [*EDITIONS]
    classic, barbecue = editions[0], editions[2]
    assert (classic.min_players, classic.max_players, classic.dice) == (2, 7, 8)
    assert classic.house_rules == ("flip_always", "flip_returned")
    assert barbecue.house_rules == ()
    assert barbecue.faces == "1234W6"


def test_the_schema_is_served(http: httpx.Client) -> None:
    assert {"Request", "Answer", "Fact"} <= http.get("/api/schema").json()["$defs"].keys()


# --- tables ---------------------------------------------------------------------------------------


def test_a_table_is_made_and_shown(http: httpx.Client) -> None:
    made = new_table(http, edition="deluxe", seats=3, options={"flip_always": True})
    assert made["path"] == f"/t/{made['id']}"
    now = msgspec.json.decode(http.get(f"/api/tables/{made['id']}").content, type=m.TableNow)
    assert now.table.setup.options.flip_always
    assert now.table.seats == [None, None, None]
    assert now.state is None
    assert len(now.table.dice.commitment) == 64


def test_bots_take_the_last_seats_and_are_told_apart(http: httpx.Client) -> None:
    body = {"setup": {"edition": "classic", "seats": 4}, "bots": ["chick", "chick", "random"]}
    made = http.post("/api/tables", json=body).json()
    seats = http.get(f"/api/tables/{made['id']}").json()["table"]["seats"]
    assert [seat and seat["name"] for seat in seats] == [
        None,
        "The chick",
        "The chick 2",
        "The egg",
    ]


def test_only_public_tables_are_listed(http: httpx.Client) -> None:
    public, private = new_table(http, public=True, seats=5), new_table(http)
    tables = msgspec.json.decode(http.get("/api/tables").content, type=TableList).tables
    names = {table.id: table for table in tables}
    assert private["id"] not in names
    assert names[public["id"]].seats == 5
    assert names[public["id"]].players == []


@scenario
async def test_the_list_follows_the_table(server: Server) -> None:
    made = await create(server.url, public=True, bots=["random"])
    async with Client(server.url, made["id"], [made["secret"]]) as ada:
        await ada.sit("Ada")
        async with httpx.AsyncClient(base_url=server.url) as http:

            async def listed() -> dict[str, Any] | None:
                tables = (await http.get("/api/tables")).json()["tables"]
                return next((table for table in tables if table["id"] == made["id"]), None)

            shown = await listed()
            assert shown is not None
            assert (shown["status"], shown["players"]) == ("waiting", ["Ada", "The egg"])
            await ada.do("start")
            shown = await listed()
            assert shown is not None
            assert shown["status"] == "playing"
            await ada.do("close")
            assert await listed() is None


@pytest.mark.parametrize(
    ("setup", "code", "says"),
    [
        ({"edition": "poker"}, "bad_setup", "The editions are classic, deluxe, barbecue, junior."),
        ({"edition": "junior", "seats": 6}, "bad_setup", "2 to 5 players, not for 6"),
        ({"edition": "junior", "options": {"flip_always": True}}, "bad_setup", "no house rules"),
        ({"edition": "classic", "first": 5}, "bad_setup", "first must be a seat from 0 to 1"),
        ({"edition": "classic", "seats": 8}, "bad_message", "`$.setup.seats`"),
        ({"edition": "classic", "seats": "2"}, "bad_message", "`$.setup.seats`"),
        ({"edition": "classic", "cheat": True}, "bad_message", "unknown field `cheat`"),
        ({"edition": "classic", "pace": -1}, "bad_message", "`$.setup.pace`"),
        ({}, "bad_message", "missing required field `edition`"),
    ],
)
def test_a_bad_setup_is_refused_with_what_is_wrong(
    http: httpx.Client, setup: JsonValue, code: str, says: str
) -> None:
    answer = http.post("/api/tables", json={"setup": setup})
    assert problem(answer, 400) == code
    assert says in answer.json()["message"]


@pytest.mark.parametrize(
    ("bots", "code"), [(["nobody"], "no_such_bot"), (["random"] * 3, "bad_setup")]
)
def test_bad_bots_are_refused(http: httpx.Client, bots: list[str], code: str) -> None:
    body = {"setup": {"edition": "classic"}, "bots": bots}
    assert problem(http.post("/api/tables", json=body), 400) == code


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"{}" * 9000])
def test_a_body_that_is_no_setup_is_refused(http: httpx.Client, body: bytes) -> None:
    large = len(body) > 16 * 1024
    answer = http.post("/api/tables", content=body)
    assert problem(answer, 413 if large else 400) == ("too_large" if large else "bad_message")


def test_a_table_that_is_not_there(http: httpx.Client) -> None:
    for name in ("boka-miru-tela", "x", "..", "%00", "BOKA-MIRU-TELA", "a" * 5000):
        for part in ("", "/record", "/record.txt", "/replay"):
            answer = http.get(f"/api/tables/{name}{part}")
            assert answer.status_code == 404, (name, part)
            assert answer.json()["type"] == "problem"


def test_what_is_at_no_address(http: httpx.Client) -> None:
    assert problem(http.get("/nothing/here"), 404) == "no_such_page"
    assert problem(http.delete("/api/tables"), 405) == "bad_message"
    assert problem(http.get("/api/records"), 405) == "bad_message"
    made = new_table(http)
    assert problem(http.get(f"/api/tables/{made['id']}/record.pdf"), 404) == "no_such_page"
    assert problem(http.get(f"/api/tables/{made['id']}/record?game=x"), 400) == "bad_message"


# --- records --------------------------------------------------------------------------------------


def test_a_game_that_has_not_begun_has_no_record(http: httpx.Client) -> None:
    made = new_table(http)
    assert problem(http.get(f"/api/tables/{made['id']}/record"), 409) == "not_playing"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_finished_record_comes_in_and_out_unchanged(http: httpx.Client, edition: str) -> None:
    record = {**finished_record(edition), "event": {"where": "the kitchen"}}
    made = http.post("/api/records", json=record)
    assert made.status_code == 201, made.text
    name = made.json()["id"]
    assert http.get(f"/api/tables/{name}/record").json() == record
    now = http.get(f"/api/tables/{name}").json()
    assert now["table"]["status"] == "over"
    assert now["state"]["over"]


def test_a_record_in_text_form_comes_in(http: httpx.Client) -> None:
    text = "heckmeck: 1\nedition: classic\nseats: Ada, Ben\n\nroll =11234WWW keep:W roll =12455\n"
    made = http.post("/api/records", content=text.encode()).json()
    now = http.get(f"/api/tables/{made['id']}").json()
    assert now["table"]["names"] == ["Ada", "Ben"]
    assert now["table"]["moves"] == 5
    assert now["table"]["status"] == "waiting"


def test_the_replay_shows_every_state(http: httpx.Client) -> None:
    record = finished_record("deluxe", 3)
    made = http.post("/api/records", json=record).json()
    address = f"/api/tables/{made['id']}/replay"
    pages = [
        http.get(address, params={"from": at}) for at in range(0, len(record["moves"]) + 1, PAGE)
    ]
    shown = [msgspec.json.decode(page.content, type=Replay) for page in pages]
    game = read_record(json.dumps(record).encode())
    moments = [moment for page in shown for moment in page.moments]
    assert [moment.move for moment in moments] == [None, *record["moves"]]
    states = [game.start(), *(step.state for step in replay(game))]
    assert [moment["state"] for page in pages for moment in page.json()["moments"]] == [
        *map(msgspec.to_builtins, map(game_state, states))
    ]


@scenario
async def test_a_record_is_played_on_from_any_move(server: Server) -> None:
    """From a throw in the air: the dice fall when the game goes on, and can be verified."""
    record = finished_record("deluxe")
    at = [index for index, word in enumerate(record["moves"]) if word.startswith("roll")][20] + 1
    async with httpx.AsyncClient(base_url=server.url) as http:
        made = (await http.post(f"/api/records?at={at}", json=record)).json()
        async with Client(server.url, made["id"], [made["secret"]]) as ada:
            assert [await ada.sit("") for _ in range(2)] == [0, 1]
            assert [seat["name"] for seat in ada.table["seats"]] == record["seats"]
            assert await ada.refused("options", seats=3) == "bad_setup"
            await ada.do("start")
            await ada.play_on()
        shown = (await http.get(f"/api/tables/{made['id']}/record")).json()
    assert shown["moves"][:at] == record["moves"][:at]
    assert shown["fair"]["start"] == at
    game = read_record(json.dumps(shown).encode())
    assert len(check_dice(game).throws) == sum(word[0] == "=" for word in shown["moves"][at:])
    assert state_to_json(final_state(game))["over"]


@pytest.mark.parametrize(
    "change",
    [
        {"moves": ["stop"]},
        {"edition": "poker"},
        {"seats": ["Ada"]},
        {"heckmeck": 2},
        {"result": {"scores": [99, 0], "winners": [0]}},
    ],
)
def test_a_bad_record_is_refused(http: httpx.Client, change: dict[str, Any]) -> None:
    answer = http.post("/api/records", json={**finished_record(), **change})
    assert problem(answer, 400) == "bad_record"


def test_a_record_cannot_be_cut_after_its_end(http: httpx.Client) -> None:
    answer = http.post("/api/records?at=99999", json=finished_record())
    assert problem(answer, 400) == "bad_record"


def test_a_record_that_is_too_large_is_refused(http: httpx.Client) -> None:
    answer = http.post("/api/records", content=b" " * 300_000)
    assert problem(answer, 413) == "too_large"


def test_odd_names_and_keys_of_a_record_do_no_harm(http: httpx.Client) -> None:
    record = {**finished_record(), "seats": ["\x00" * 3, "x" * 500]}
    record["odd"] = {"half": "\ud800", "huge": 10**60, "deep": [[[[[]]]]]}
    made = http.post("/api/records", content=json.dumps(record).encode())
    assert made.status_code == 201, made.text
    name = made.json()["id"]
    assert http.get(f"/api/tables/{name}").json()["table"]["names"] == ["Player 1", "Player 2"]
    assert http.get(f"/api/tables/{name}/record").json()["odd"] == record["odd"]
    assert http.get(f"/api/tables/{name}/record.txt").status_code == 200


# --- pages and headers ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/t/boka-miru-tela"])
def test_without_web_pages_a_plain_one_helps(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    assert "<h1>Heckmeck is running</h1>" in answer.text


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/tables", "/nothing", "/api/tables/x"])
def test_every_answer_carries_the_security_headers(http: httpx.Client, path: str) -> None:
    headers = http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_pages_from_elsewhere_may_not_use_the_server(http: httpx.Client, server: Server) -> None:
    body = {"setup": {"edition": "classic"}}
    foreign = http.post("/api/tables", json=body, headers={"Origin": "https://evil.example"})
    assert problem(foreign, 403) == "bad_origin"
    own = http.post("/api/tables", json=body, headers={"Origin": server.url})
    assert own.status_code == 201
