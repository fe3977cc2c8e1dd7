"""Words for the dice: promised first, shown when nobody can change theirs any more."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path

import httpx
import pytest

from heckmeck.cli import main
from heckmeck.dice import FairDice, check_dice, promise
from heckmeck.hosting.autopilot import Timing
from heckmeck.record import read_record
from heckmeck.rules import apply, new_game, parse, word
from heckmeck.table.commands import Begin, Command, SitDown
from heckmeck.table.model import Table
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code
from heckmeck.wire.setup import Setup
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server
from tests.server.tables import (
    HOST,
    VAULT,
    WATCHER,
    again,
    do,
    entries_of,
    follow,
    full,
    player,
    refusal,
)

FIRST = Setup("classic", first=0)


def promised(*words: str) -> Table:
    """A full table where these words were promised, nothing where they are empty."""
    promises = (a.PromisedSalt(seat, promise(text)) for seat, text in enumerate(words) if text)
    return follow(full(Setup("classic", len(words), first=0)), *promises)


def called(*words: str) -> Table:
    """The same after the start: the words are called for."""
    return do(promised(*words), m.Start("x"), HOST)


def test_without_promises_a_game_begins_at_once() -> None:
    started, *_ = entries_of(full(FIRST), m.Start("x"), HOST)
    assert started == a.Started(0, False, ("", ""), ("", ""))


def test_the_game_begins_when_all_have_shown_what_they_promised() -> None:
    table = promised("ada", "ben", "")
    assert entries_of(table, m.Start("x"), HOST) == (a.Called(),)
    table = do(table, m.Start("x"), HOST)
    assert entries_of(table, m.ShowSalt("x", 1, "ben"), player(1)) == (a.ShownSalt(1, "ben"),)
    table = do(table, m.ShowSalt("x", 1, "ben"), player(1))
    shown, started = entries_of(table, m.ShowSalt("x", 0, "ada"), player(0))
    assert shown == a.ShownSalt(0, "ada")
    assert started == a.Started(0, False, ("ada", "ben", ""), (promise("ada"), promise("ben"), ""))


def test_no_words_but_those_promised_are_taken() -> None:
    """Whoever sees the others' words first can do nothing with it."""
    table = do(called("ada", "ben"), m.ShowSalt("x", 0, "ada"), player(0))
    for text in ("bob", "", "ben ", "x" * 65, "a\nb"):
        assert refusal(table, m.ShowSalt("x", 1, text), player(1))[0] is Code.BAD_SALT
    assert refusal(table, m.ShowSalt("x", 1, "ben"), player(0))[0] is Code.NOT_YOUR_SEAT
    odd = called("a\nb", "")
    assert refusal(odd, m.ShowSalt("x", 0, "a\nb"), player(0))[0] is Code.BAD_SALT


CHANGES: list[Command] = [
    m.PromiseSalt("x", 1, promise("other")),
    m.Leave("x", 1),
    SitDown("Eve", None, "hash"),
    m.Options("x", first=1),
]


@pytest.mark.parametrize("command", CHANGES, ids=str)
def test_nothing_changes_between_the_call_and_the_game(command: Command) -> None:
    everything = player(0, 1, host=True)
    assert refusal(called("ada", "ben"), command, everything)[0] is Code.ALREADY_STARTED


def test_words_are_not_shown_before_they_are_called_for() -> None:
    assert refusal(promised("ada", "ben"), m.ShowSalt("x", 0, "ada"), player(0))[0] is (
        Code.BAD_SALT
    )


def test_who_does_not_show_their_words_plays_without_and_everybody_sees_it() -> None:
    table = do(called("ada", "ben"), m.ShowSalt("x", 0, "ada"), player(0))
    assert table.called is not None
    (started,) = entries_of(table, Begin(table.called), WATCHER)
    assert started == a.Started(0, False, ("ada", ""), (promise("ada"), promise("ben")))
    begun = follow(table, started)
    assert begun.called is None
    assert refusal(begun, Begin(table.called), WATCHER)[0] is Code.ALREADY_STARTED
    assert refusal(begun, m.ShowSalt("x", 1, "ben"), player(1))[0] is Code.BAD_SALT


def test_what_is_sent_again_is_done_once() -> None:
    table = called("ada", "ben")
    assert again(table, m.Start("x"), HOST) == table.called
    shown = do(table, m.ShowSalt("x", 0, "ada"), player(0))
    assert again(shown, m.ShowSalt("y", 0, "ada"), player(0)) == shown.n
    begun = do(shown, m.ShowSalt("x", 1, "ben"), player(1))
    assert again(begun, m.ShowSalt("y", 1, "ben"), player(1)) == begun.n


def test_a_promise_can_be_changed_and_taken_back_before_the_call() -> None:
    table = follow(promised("ada", ""), a.PromisedSalt(0, ""))
    assert isinstance(entries_of(table, m.Start("x"), HOST)[0], a.Started)


def test_words_of_an_older_server_that_nobody_promised_are_not_used() -> None:
    table = follow(full(FIRST), a.ShownSalt(1, "chosen last"))
    assert entries_of(table, m.Start("x"), HOST)[0] == a.Started(0, False, ("", ""), ("", ""))


def test_a_host_who_plays_cannot_choose_the_dice() -> None:
    """They know the seed and hear the others' words first; 3,000 tries gave them a throw before.

    Whatever they try to show for their own seat, there is one thing that the table takes.
    """
    table = do(called("ada", "host"), m.ShowSalt("x", 0, "ada"), player(0))
    rolled = apply(new_game("classic", 2), parse("roll")).state
    tries = ("".join(letters) for letters in product("abcdefghijklmn", repeat=3))
    wished = next(
        text
        for text in tries
        if "WWWW" in word(FairDice(VAULT.seed(0), ("ada", text)).throw(rolled, 0))
    )
    assert refusal(table, m.ShowSalt("x", 1, wished), player(1))[0] is Code.BAD_SALT


# --- through a server -----------------------------------------------------------------------------


@asynccontextmanager
async def two_players(server: Server) -> AsyncIterator[tuple[Client, Client]]:
    made = await create(server.url, "junior", first=0)
    async with (
        Client(server.url, made["id"], [made["secret"]]) as ada,
        Client(server.url, made["id"]) as ben,
    ):
        await ada.sit("Ada")
        await ben.sit("Ben")
        await ada.do("promise_salt", seat=0, promise=promise("ada"))
        await ben.do("promise_salt", seat=1, promise=promise("ben"))
        yield ada, ben


@scenario
async def test_everybody_sees_all_promises_before_any_words(server: Server) -> None:
    async with two_players(server) as (ada, ben):
        await ada.do("start")
        for client in (ada, ben):
            await client.until(lambda me: me.table["dice"].get("called", False))
            seats = client.table["seats"]
            assert [seat["promise"] for seat in seats] == [promise("ada"), promise("ben")]
            assert not any("salt" in seat for seat in seats)
        await ben.do("show_salt", seat=1, salt="ben")
        await ada.do("show_salt", seat=0, salt="ada")
        for client in (ada, ben):
            await client.until(lambda me: me.state is not None)
            assert client.table["dice"]["salts"] == ["ada", "ben"]
            assert client.table["dice"]["promises"] == [promise("ada"), promise("ben")]
            assert "called" not in client.table["dice"]


@scenario
async def test_the_game_does_not_wait_for_ever_and_the_record_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timing = {"absence": 5.0, "roll_call": 5.0, "salt": 0.3}
    assert Timing(**timing).salt < Timing().salt
    with Server(tmp_path, timing=timing) as server:
        async with two_players(server) as (ada, ben):
            await ada.do("start")
            await ben.do("show_salt", seat=1, salt="ben")
            await ada.until(lambda me: me.state is not None)
            assert await ada.refused("show_salt", seat=0, salt="ada") == "bad_salt"
            await ada.play_on(1)
            await ada.do("close")
            async with httpx.AsyncClient(base_url=server.url) as http:
                answer = await http.get(f"/api/tables/{ada.name}/record")
    record = tmp_path / "game.json"
    record.write_bytes(answer.content)
    assert check_dice(read_record(answer.content)).not_shown == (0,)
    assert answer.json()["fair"]["words"] == ["", "ben"]
    noted = ada.table["dice"]["commitment"]
    assert main(["verify", "--commitment", noted, str(record)]) == 0
    assert "seat 0 did not show the promised words" in " ".join(capsys.readouterr().out.split())
