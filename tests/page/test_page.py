"""Tables in a page: whole games, kept before they are shown, in one tab or several."""

import asyncio
import json
import subprocess
import sys

import pytest

from heckmeck import bots
from heckmeck.record import read_record, replay, write_json
from heckmeck.rules import EDITIONS, outcome
from tests.bots.games import bot_game
from tests.page.database import Database, Tab, Told, until
from tests.server.scenario import scenario

BOTS = ["random", "chick", "rooster"]
#: What the Python of a browser does not have.
FORBIDDEN = ("numba", "numpy", "starlette", "uvicorn", "websockets", "psycopg", "prometheus_client")


@pytest.mark.parametrize("edition", EDITIONS)
@scenario
async def test_a_game_is_played_to_its_end_and_every_entry_is_kept_first(edition: str) -> None:
    database = Database()

    def is_kept(told: Told) -> None:
        for entry in told.get("entries", []):
            assert entry["n"] < len(database.entries[name])

    tab = Tab(database, is_kept)
    made = await tab.new_table(edition, BOTS)
    name = made["id"]
    await tab.open(name, made["secret"])
    await tab.say("sit", name="Ana", seat=0)
    await tab.say("start")
    await tab.play()
    granted, record = await tab.ask("GET", f"/api/tables/{name}/record.json")
    assert granted
    *_, last = replay(read_record(record.encode()))
    assert outcome(last.state) is not None
    await tab.close()


@scenario
async def test_a_killed_tab_loses_nothing() -> None:
    database = Database()
    first = Tab(database)
    made = await first.new_table("classic", ["rooster"])
    await first.open(made["id"], made["secret"])
    await first.say("sit", name="Ana", seat=0, secret="s" * 32)
    await first.say("start")
    await first.play(5)
    await until(first.is_mine)
    shown = first.state
    again = Tab(database)  # nobody said goodbye
    await again.open(made["id"], made["secret"], "s" * 32)
    assert again.state == shown
    assert again.heard[-1]["you"]["seats"] == [0]
    await again.play()
    assert again.status == "over"
    await again.close()
    await first.close()


@scenario
async def test_two_tabs_at_one_table_see_the_same_game() -> None:
    database = Database()
    one, other = Tab(database), Tab(database)
    made = await one.new_table("junior", BOTS)
    name = made["id"]
    await one.open(name, made["secret"])
    await one.say("sit", name="Ana", seat=0, secret="s" * 32)
    await one.say("start")
    await other.open(name, made["secret"], "s" * 32)

    async def follow() -> None:  # what a browser does when a tab has written
        while one.status != "over":
            for tab in (one, other):
                await tab.host.notice(name, len(database.entries[name]) - 1)
            await asyncio.sleep(0)

    following = asyncio.create_task(follow())
    await asyncio.gather(one.play(), other.play())
    await following
    await other.host.notice(name, None)
    numbers = [json.loads(entry)["n"] for entry in database.entries[name]]
    assert numbers == [*range(len(numbers))]
    assert one.state == other.state
    await one.close()
    await other.close()


@scenario
async def test_what_cannot_be_kept_is_not_shown() -> None:
    database = Database()
    tab = Tab(database)
    made = await tab.new_table("classic", ["chick"])
    await tab.open(made["id"], made["secret"])
    await tab.say("sit", name="Ana", seat=0)
    await tab.say("start")
    before = tab.n
    database.fails = True
    await tab.say("move", at=tab.n, move="roll")
    assert tab.heard[-1]["code"] == "unavailable"
    assert tab.n == before
    granted, answer = await tab.ask("POST", "/api/tables", {"setup": {"edition": "junior"}})
    assert not granted
    assert json.loads(answer)["code"] == "unavailable"
    database.fails = False
    await tab.say("move", at=tab.n, move="roll")
    await until(lambda: tab.n > before)
    await tab.close()


@scenario
async def test_a_game_goes_on_elsewhere_as_a_record() -> None:
    here, there = Tab(Database()), Tab(Database())
    made = await here.new_table("deluxe", ["chick"])
    await here.open(made["id"], made["secret"])
    await here.say("sit", name="Ana", seat=0)
    await here.say("start")
    await here.play(3)
    _, record = await here.ask("GET", f"/api/tables/{made['id']}/record.txt")
    granted, answer = await there.ask("POST", "/api/records", record)
    assert granted, answer
    _, now = await there.ask("GET", f"/api/tables/{json.loads(answer)['id']}")
    assert json.loads(now)["table"]["names"] == ["Ana", "The chick"]
    _, replayed = await there.ask("GET", f"/api/tables/{made['id']}/replay")
    assert json.loads(replayed)["code"] == "no_such_table"
    await here.close()


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/api/tables/boka-miru-tela", "", "no_such_table"),
        ("GET", "/api/tables/here-boka-miru-tela", "", "no_such_table"),
        ("GET", "/api/books/x", "", "no_such_page"),
        ("POST", "/api/tables", "{}", "bad_message"),
        ("POST", "/api/records", "nonsense", "bad_record"),
        ("POST", "/api/records?at=x", "{}", "bad_message"),
        ("POST", "/api/position", "{}", "bad_message"),
        ("DELETE", "/api/tables/x", "", "no_such_table"),
    ],
)
def test_what_is_not_here_says_so(method: str, path: str, body: str, code: str) -> None:
    granted, answer = asyncio.run(Tab(Database()).ask(method, path, body))
    assert not granted
    assert json.loads(answer)["code"] == code


@scenario
async def test_a_line_to_no_table_is_closed() -> None:
    tab = Tab(Database())
    await tab.open("here-boka-miru-tela")
    assert tab.is_open is False


@scenario
async def test_what_only_a_server_can_do_is_refused() -> None:
    tab = Tab(Database())
    made = await tab.new_table("classic", ["chick"])
    await tab.open(made["id"], made["secret"])
    await tab.say("book", book="boka")
    assert tab.heard[-1]["code"] == "unavailable"
    await tab.close()


def test_a_page_needs_nothing_that_a_browser_does_not_have() -> None:
    program = f"""
import sys
class Forbid:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {FORBIDDEN}:
            raise ImportError(f"a page imports {{name}}")
sys.meta_path.insert(0, Forbid())
sys.path[:] = {sys.path!r}
from tests.page import test_page
test_page.test_a_game_is_played_to_its_end_and_every_entry_is_kept_first("classic")
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("", "")


@scenario
async def test_a_review_in_the_page_says_how_much_of_it_is_done() -> None:
    record = write_json(bot_game("junior", 2, seed=1, words=30))
    tab = Tab(Database())
    granted, answer = await tab.ask("POST", "/api/review?unit=worms", record)
    assert granted
    assert tab.reviewed[0] == 0.0
    assert tab.reviewed[-1] == 1.0
    assert len(tab.reviewed) == 1 + len(json.loads(answer)["review"]["decisions"])


@scenario
async def test_bots_are_loaded_when_their_table_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, player = list[str](), bots.player

    def recorded(name: str) -> bots.Player:
        asked.append(name)
        return player(name)

    monkeypatch.setattr(bots, "player", recorded)
    await Tab(Database()).new_table("junior", ["rooster", "chick", "rooster"])
    await until(lambda: asked == ["chick", "rooster"])
