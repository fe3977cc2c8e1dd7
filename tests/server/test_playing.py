"""Whole games on a real server: people, bots, and everything people do to a table."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from heckmeck.cli import main
from heckmeck.dice import promise
from heckmeck.record import final_state, read_record
from heckmeck.rules import EDITIONS, outcome
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server


async def seated(server: Server, *names: str, edition: str = "classic") -> list[Client]:
    """Clients that have taken all seats of a new table; the first is the host."""
    made = await create(server.url, edition, seats=len(names), pace=0)
    clients = [Client(server.url, made["id"]) for _ in names]
    clients[0].secrets.append(made["secret"])
    for client, name in zip(clients, names, strict=True):
        await client.connect()
        await client.sit(name)
    for client in clients:
        await client.until(lambda me: None not in me.table["seats"])
    return clients


async def playing(server: Server, *names: str, edition: str = "classic") -> list[Client]:
    """Clients whose game has begun."""
    clients = await seated(server, *names, edition=edition)
    await clients[0].do("start")
    for client in clients:
        await client.until(lambda me: me.state is not None)
    return clients


def to_move(clients: list[Client]) -> Client:
    return next(client for client in clients if client.is_to_move)


def not_to_move(clients: list[Client]) -> Client:
    return next(client for client in clients if not client.is_to_move)


async def all_see(clients: list[Client], n: int) -> None:
    for client in clients:
        await client.until(lambda me: me.n >= n)


async def leave(*clients: Client) -> None:
    for client in clients:
        await client.drop()


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@scenario
async def test_people_and_bots_play_to_the_end(
    server: Server, tmp_path: Path, edition: str
) -> None:
    """Ada and Ben on two devices, a bot, and Cleo who watches: all see the same game."""
    made = await create(server.url, edition, bots=["chick"], seats=3, pace=0)
    ada, ben = Client(server.url, made["id"], [made["secret"]]), Client(server.url, made["id"])
    cleo = Client(server.url, made["id"])
    for client in (ada, ben, cleo):
        await client.connect()
    await ada.sit("Ada")
    await ben.sit("Ben")
    await ada.do("promise_salt", seat=0, promise=promise("grilled to a turn"))
    await ada.do("start")
    await ada.do("show_salt", seat=0, salt="grilled to a turn")
    await asyncio.gather(ada.play_on(), ben.play_on())
    last = ada.n
    await all_see([ada, ben, cleo], last)
    assert ada.entries == ben.entries == cleo.entries
    assert ada.state == ben.state == cleo.state
    assert ada.table["status"] == "over"

    async with httpx.AsyncClient(base_url=server.url) as http:
        record = await http.get(f"/api/tables/{made['id']}/record")
        text = await http.get(f"/api/tables/{made['id']}/record.txt")
    game = read_record(record.content)
    assert game.seats == ("Ada", "Ben", "The chick")
    assert game.extra["bots"] == {"2": "chick"}
    assert outcome(final_state(game)) is not None
    assert read_record(text.content) == game
    path = tmp_path / "game.heckmeck.json"
    path.write_bytes(record.content)
    assert main(["verify", str(path)]) == 0
    await leave(ada, ben, cleo)


@scenario
async def test_one_device_may_hold_several_seats(server: Server) -> None:
    made = await create(server.url, "junior", seats=3)
    async with Client(server.url, made["id"], [made["secret"]]) as family:
        assert [await family.sit(name) for name in ("Ada", "Ben", "Cleo")] == [0, 1, 2]
        rights = {"manage": True, "set_up": True, "start": 3}
        assert family.you == {"seats": [0, 1, 2], "host": True, "may": rights}
        await family.do("start")
        await family.play_on()
        assert family.is_over
        await family.until(lambda me: me.you["may"] == {"manage": True, "rematch": True})


@scenario
async def test_bots_alone_play_while_somebody_watches(server: Server) -> None:
    made = await create(server.url, "barbecue", bots=["chick", "random"], pace=0)
    async with Client(server.url, made["id"], [made["secret"]]) as host:
        await host.do("start")
        await host.until(lambda me: me.is_over, 60)


@scenario
async def test_a_rematch_keeps_everybody_seated(server: Server) -> None:
    ada, ben = await playing(server, "Ada", "Ben", edition="junior")
    first_promise = ada.table["dice"]["commitment"]
    await asyncio.gather(ada.play_on(), ben.play_on())
    await ben.do("rematch")
    await ada.until(lambda me: me.table["status"] == "waiting")
    assert [seat["name"] for seat in ada.table["seats"]] == ["Ada", "Ben"]
    assert ada.table["round"] == 1
    assert ada.table["dice"]["commitment"] != first_promise
    await ada.do("start")
    await asyncio.gather(ada.play_on(), ben.play_on())
    async with httpx.AsyncClient(base_url=server.url) as http:
        games = [
            (await http.get(f"/api/tables/{ada.name}/record?game={game}")).json() for game in (0, 1)
        ]
        missing = await http.get(f"/api/tables/{ada.name}/record?game=2")
    assert games[0]["fair"]["commitment"] == first_promise
    assert games[0]["fair"]["seed"] != games[1]["fair"]["seed"]
    assert missing.json()["code"] == "not_playing"
    await leave(ada, ben)


# --- sent twice, sent late, sent by the wrong one -------------------------------------------------


@scenario
async def test_a_move_sent_twice_is_answered_twice_and_played_once(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover = to_move(clients)
    at = mover.n
    first = await mover.ask("move", id="same", at=at, move="roll")
    second = await mover.ask("move", id="same", at=at, move="roll")
    assert first == second == {"type": "ok", "id": "same", "n": at + 1}
    assert mover.n == at + 2
    await leave(*clients)


@scenario
async def test_a_move_sent_again_after_a_lost_connection_is_played_once(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover = to_move(clients)
    at = mover.n
    await mover.send(f'{{"do": "move", "id": "again", "at": {at}, "move": "roll"}}')
    await mover.drop()
    await not_to_move(clients).until(lambda me: me.n == at + 2)
    await mover.connect()
    assert await mover.ask("move", id="again", at=at, move="roll") == {
        "type": "ok",
        "id": "again",
        "n": at + 1,
    }
    assert mover.n == at + 2
    await leave(*clients)


@scenario
async def test_an_id_belongs_to_the_seat_that_used_it(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover, other = to_move(clients), not_to_move(clients)
    at = mover.n
    await mover.ask("move", id="mine", at=at, move="roll")
    answer = await other.ask("move", id="mine", at=at, move="roll")
    assert answer["code"] == "stale"
    await leave(*clients)


@scenario
async def test_a_stale_move_is_refused_with_the_state_as_it_is(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover = to_move(clients)
    at = mover.n
    await mover.move("roll")
    await mover.until(lambda me: me.n == at + 2)
    answer = await mover.ask("move", at=at, move="roll")
    assert (answer["code"], answer["n"]) == ("stale", at + 2)
    assert answer["state"] == mover.state
    assert answer["table"] == mover.table
    await leave(*clients)


@scenario
async def test_an_emote_makes_no_move_stale(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover, other = to_move(clients), not_to_move(clients)
    at = mover.n
    await other.do("emote", seat=other.you["seats"][0], emote="hurry")
    await mover.until(lambda me: me.n == at + 1)
    assert (await mover.ask("move", at=at, move="roll"))["type"] == "ok"
    await leave(*clients)


@scenario
async def test_whoever_is_not_to_move_is_told_who_is(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    other = not_to_move(clients)
    answer = await other.move("roll")
    assert answer["code"] == "not_your_turn"
    assert to_move(clients).table["seats"][answer["state"]["to_move"]]["name"] in answer["message"]
    await leave(*clients)


@scenario
async def test_a_watcher_cannot_play(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    async with Client(server.url, clients[0].name) as watcher:
        assert (await watcher.move("roll"))["code"] == "no_seat"
        assert await watcher.refused("emote", seat=0, emote="cheer") == "no_seat"
        assert await watcher.refused("rematch") == "no_seat"
        assert await watcher.refused("close") == "not_host"
    await leave(*clients)


@scenario
async def test_illegal_moves_and_dice_of_ones_own_are_refused(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover = to_move(clients)
    before = mover.n
    for word in ("stop", "keep:9", "=11111111", "dance"):
        answer = await mover.move(word)
        assert answer["code"] == "illegal_move", answer
    await mover.move("roll")
    assert (await mover.move("=11111111"))["message"] == "The table rolls the dice. Send roll."
    assert await mover.refused("move", at=mover.n + 5, move="roll") == "bad_message"
    assert mover.n == before + 2
    await leave(*clients)


@scenario
async def test_a_refusal_names_its_request_where_it_can(server: Server) -> None:
    made = await create(server.url)
    async with Client(server.url, made["id"]) as ada:
        answer = await ada.ask("dance", id="step")
        assert (answer["type"], answer["id"], answer["code"]) == ("refused", "step", "bad_message")
        for text in ('{"do": "sit", "id": 7}', "[]", "{", b"\x00"):
            await ada.send(text)
        await ada.until(lambda me: len(me.stray) == 4)
        assert {(a["id"], a["code"]) for a in ada.stray} == {(None, "bad_message")}


@scenario
async def test_nothing_is_done_before_hello(server: Server) -> None:
    made = await create(server.url)
    url = f"{server.url.replace('http', 'ws')}/api/tables/{made['id']}/live"
    async with connect(url) as socket:
        await socket.send('{"do": "ping", "id": "a"}')
        assert json.loads(await socket.recv())["type"] == "pong"
        await socket.send('{"do": "sit", "id": "b", "name": "Ada"}')
        assert json.loads(await socket.recv())["code"] == "hello_first"


# --- races ----------------------------------------------------------------------------------------


@scenario
async def test_two_who_want_the_same_seat(server: Server) -> None:
    made = await create(server.url, seats=2)
    async with Client(server.url, made["id"]) as ada, Client(server.url, made["id"]) as ben:
        answers = await asyncio.gather(
            ada.ask("sit", name="Ada", seat=1), ben.ask("sit", name="Ben", seat=1)
        )
        kinds = sorted(answer["type"] for answer in answers)
        assert kinds == ["refused", "seated"]
        refusal = next(answer for answer in answers if answer["type"] == "refused")
        assert refusal["code"] == "seat_taken"
        assert refusal["table"]["seats"][1]["name"] in ("Ada", "Ben")


@scenario
async def test_more_people_than_seats(server: Server) -> None:
    """Whoever finds a free seat gets one, the others a clear answer."""
    made = await create(server.url, seats=5)
    clients = [Client(server.url, made["id"]) for _ in range(8)]
    for client in clients:
        await client.connect()
    answers = await asyncio.gather(
        *(client.ask("sit", name=f"P{place}") for place, client in enumerate(clients))
    )
    assert sorted(a["seat"] for a in answers if a["type"] == "seated") == [0, 1, 2, 3, 4]
    assert [a["code"] for a in answers if a["type"] == "refused"] == ["table_full"] * 3
    await leave(*clients)


@scenario
async def test_a_double_start_starts_once(server: Server) -> None:
    ada, ben = await seated(server, "Ada", "Ben")
    answers = await asyncio.gather(*(client.ask("start") for client in (ada, ben, ada)))
    assert sorted(answer["type"] for answer in answers) == ["ok", "refused", "refused"]
    assert {a["code"] for a in answers if a["type"] == "refused"} == {"already_started"}
    assert [what["do"] for what in ada.entries.values()].count("started") == 1
    await leave(ada, ben)


@scenario
async def test_two_clients_on_one_seat(server: Server) -> None:
    """Both follow, both may move; of two moves for one position one is played."""
    clients = await playing(server, "Ada", "Ben")
    phone = to_move(clients)
    async with Client(server.url, phone.name, phone.secrets) as tablet:
        assert tablet.you["seats"] == phone.you["seats"]
        at = phone.n
        answers = await asyncio.gather(
            phone.ask("move", at=at, move="roll"), tablet.ask("move", at=at, move="roll")
        )
        assert sorted(answer["type"] for answer in answers) == ["ok", "refused"]
        assert next(a for a in answers if a["type"] == "refused")["code"] == "stale"
        await all_see([phone, tablet], at + 2)
        assert phone.state == tablet.state
    await leave(*clients)


@scenario
async def test_a_seat_taken_with_a_secret_of_ones_own_is_never_lost(server: Server) -> None:
    """The answer was lost; the same request again gives the same seat."""
    made = await create(server.url, seats=2)
    secret = "s" * 32
    async with Client(server.url, made["id"]) as ada:
        await ada.send('{"do": "sit", "id": "x", "name": "Ada", "secret": "' + secret + '"}')
        await ada.until(lambda me: me.table["seats"][0] is not None)
    async with Client(server.url, made["id"]) as again:
        answer = await again.do("sit", name="Ada", secret=secret)
        assert (answer["seat"], answer["secret"]) == (0, secret)
        assert again.table["seats"][1] is None


# --- coming and going -----------------------------------------------------------------------------


@scenario
async def test_who_comes_back_gets_what_was_missed(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover, other = to_move(clients), not_to_move(clients)
    await other.drop()
    seen = other.n
    for _ in range(4):
        await mover.move()
        if not mover.is_to_move:
            break
    welcome = await other.connect()
    assert [event["n"] for event in welcome["missed"]] == [*range(seen + 1, mover.n + 1)]
    assert other.state == mover.state
    await leave(*clients)


@scenario
async def test_who_missed_too_much_gets_a_snapshot(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    ada, ben = clients
    await ben.drop()
    for _ in range(200):
        await ada.do("emote", seat=0, emote="think")
    welcome = await ben.connect()
    assert "missed" not in welcome
    assert ben.n == ada.n
    assert ben.state == ada.state
    await leave(*clients)


@scenario
async def test_a_client_from_the_future_gets_a_snapshot(server: Server) -> None:
    """A database can be restored from a copy of yesterday."""
    made = await create(server.url)
    async with Client(server.url, made["id"]) as ada:
        answer = await ada.ask("hello", last=1000)
        assert "missed" not in answer


@scenario
async def test_a_secret_brings_a_player_back_on_any_device(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    secret = clients[1].secrets[-1]
    await clients[1].drop()
    async with Client(server.url, clients[1].name, ["x" * 32, secret]) as elsewhere:
        assert elsewhere.you == {"seats": [1], "host": False, "may": {"manage": True}}
    await leave(*clients)


@scenario
async def test_a_bot_plays_for_somebody_who_left_until_they_are_back(server: Server) -> None:
    ada, ben = await playing(server, "Ada", "Ben", edition="junior")
    await ada.do("options", patience=1)
    leaver, stayer = (ada, ben) if ada.is_to_move else (ben, ada)
    seat = leaver.you["seats"][0]
    await leaver.drop()
    await stayer.until(lambda me: me.table["seats"][seat].get("away", False))
    await stayer.until(lambda me: "stand_in" in me.table["seats"][seat])
    await stayer.until(lambda me: any(w["do"] == "played" for w in me.entries.values()))
    await leaver.connect()
    await stayer.until(lambda me: "stand_in" not in me.table["seats"][seat])
    assert not stayer.table["seats"][seat].get("away", False)
    await asyncio.gather(ada.play_on(), ben.play_on())
    await leave(ada, ben)


@scenario
async def test_a_short_break_in_the_line_is_nobodys_business(server: Server) -> None:
    ada, ben = await playing(server, "Ada", "Ben")
    await ben.drop()
    await ben.connect()
    await asyncio.sleep(0.5)
    assert "went_away" not in [what["do"] for what in ada.entries.values()]
    await leave(ada, ben)


@scenario
async def test_whoever_leaves_a_game_is_replaced_at_once_and_can_return(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    leaver = not_to_move(clients)
    seat = leaver.you["seats"][0]
    await leaver.do("leave", seat=seat)
    await leaver.until(lambda me: "stand_in" in me.table["seats"][seat])
    await leaver.do("reclaim", seat=seat)
    await leaver.until(lambda me: "stand_in" not in me.table["seats"][seat])
    await leave(*clients)


@scenario
async def test_a_move_takes_the_seat_back_from_the_stand_in(server: Server) -> None:
    """Somebody fell asleep over their tablet, and the host let a bot play for them."""
    ada, ben = await playing(server, "Ada", "Ben")
    await ada.do("pace", pace=10_000)
    sleeper = to_move([ada, ben])
    seat = sleeper.you["seats"][0]
    await ada.do("set_bot", seat=seat, bot="chick")
    await sleeper.until(lambda me: "stand_in" in me.table["seats"][seat])
    assert (await sleeper.move("roll"))["type"] == "ok"
    await sleeper.until(lambda me: "stand_in" not in me.table["seats"][seat])
    await leave(ada, ben)


@scenario
async def test_nobody_plays_at_a_table_that_nobody_looks_at(server: Server) -> None:
    made = await create(server.url, bots=["random", "random"], pace=20)
    async with Client(server.url, made["id"], [made["secret"]]) as host:
        await host.do("start")
        await host.until(lambda me: me.n > 5)
    async with httpx.AsyncClient(base_url=server.url) as http:
        await asyncio.sleep(0.3)
        before = (await http.get(f"/api/tables/{made['id']}")).json()["n"]
        await asyncio.sleep(0.3)
        assert (await http.get(f"/api/tables/{made['id']}")).json()["n"] == before


# --- the lobby ------------------------------------------------------------------------------------


@scenario
async def test_the_host_unseats_somebody_who_is_told(server: Server) -> None:
    ada, ben = await seated(server, "Ada", "Ben")
    await ada.do("leave", seat=1)
    await ben.until(lambda me: me.you["seats"] == [])
    assert ben.table["seats"][1] is None
    assert await ben.refused("name", seat=1, name="Bob") == "no_seat"
    await leave(ada, ben)


@scenario
async def test_a_closed_table_stays_closed_and_shows_its_seed(server: Server) -> None:
    ada, ben = await playing(server, "Ada", "Ben")
    await ada.do("close")
    await ben.until(lambda me: me.table["status"] == "closed")
    assert len(ben.table["dice"]["seed"]) == 64
    assert (await to_move([ada, ben]).move("roll"))["code"] == "closed"
    assert await ada.refused("close") == "closed"
    assert await ada.refused("sit", name="Cleo") == "closed"
    await leave(ada, ben)


@scenario
async def test_undoing_a_keep(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover = to_move(clients)
    await mover.move("roll")
    thrown = mover.state
    await mover.move()
    await mover.until(lambda me: me.state != thrown)
    await clients[0].do("options", undo=False)
    await mover.until(lambda me: me.state is not None and not me.state["undo"])
    await clients[0].do("options", undo=True)
    await mover.until(lambda me: me.state is not None and me.state["undo"])
    await mover.do("undo", at=mover.n)
    await mover.until(lambda me: me.state == thrown)
    assert await mover.refused("undo", at=mover.n) == "cannot_undo"
    await mover.move()
    await leave(*clients)


@scenario
async def test_hints_are_refused_until_there_is_an_advisor(server: Server) -> None:
    clients = await playing(server, "Ada", "Ben")
    mover, other = to_move(clients), not_to_move(clients)
    assert await mover.refused("hint") == "no_hints"
    await clients[0].do("options", hints=True)
    assert await other.refused("hint") == "not_your_turn"
    answer = await mover.ask("hint")
    assert answer["message"] == "This server does not give hints."
    await leave(*clients)


# --- secrets --------------------------------------------------------------------------------------


@scenario
async def test_no_secret_gets_into_logs_records_or_messages(server: Server) -> None:
    ada, ben = await playing(server, "Ada", "Ben", edition="junior")
    await asyncio.gather(ada.play_on(), ben.play_on())
    async with httpx.AsyncClient(base_url=server.url) as http:
        shown = [
            (await http.get(f"/api/tables/{ada.name}{part}")).text
            for part in ("", "/record", "/record.txt", "/replay")
        ]
    log = await server.logged(f"request method=GET path=/api/tables/{ada.name}/replay")
    everything = [log, str(ben.entries), str(ben.table), str(ben.state), *shown]
    for secret in (*ada.secrets, *ben.secrets):
        assert not any(secret in text for text in everything)
    assert not any("hash" in text for text in everything)
    await leave(ada, ben)
