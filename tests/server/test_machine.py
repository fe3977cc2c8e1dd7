"""Many clients do anything in any order to a real server; in the end all agree with the log."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from heckmeck.dice import promise
from heckmeck.rules import EDITIONS
from tests.server.client import Client, Dropped, Message, create
from tests.server.conftest import Count
from tests.server.serving import Server
from tests.server.truth import agreed, sent_with

T = TypeVar("T")

#: What may be answered to a request of each kind, besides that it was done.
LOBBY_REFUSALS = {
    "already_started",
    "closed",
    "empty_seats",
    "no_seat",
    "no_such_seat",
    "not_host",
    "not_over",
    "not_your_seat",
    "seat_taken",
    "table_full",
}
MOVE_REFUSALS = {"closed", "illegal_move", "no_seat", "not_playing", "not_your_turn", "stale"}

clients = st.integers(0, 5)
seats = st.integers(0, 3)


class Tables(RuleBasedStateMachine):
    """One table, up to six clients, and a server that may end at any moment."""

    server: ClassVar[Server]
    done: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clients: list[Client] = []
        self.acknowledged: dict[str, int] = {}
        self.refused: set[str] = set()
        self.sent = 0

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        async def limited() -> T:
            async with asyncio.timeout(120):
                return await work

        return self.loop.run_until_complete(limited())

    # --- what can be done -------------------------------------------------------------------------

    @initialize(
        edition=st.sampled_from([*EDITIONS]),
        count=st.integers(2, 4),
        bots=st.integers(0, 1),
        public=st.booleans(),
    )
    def open(self, edition: str, count: int, bots: int, public: bool) -> None:
        made = self.run(
            create(
                self.server.url,
                edition,
                bots=["random"] * bots,
                seats=count,
                pace=0,
                public=public,
                patience=0,
            )
        )
        self.name = made["id"]
        self.clients = [Client(self.server.url, made["id"], [made["secret"]])]
        self.run(self.clients[0].connect())

    @precondition(lambda self: len(self.clients) < 6)
    @rule()
    def join(self) -> None:
        client = Client(self.server.url, self.name)
        self.run(client.connect())
        self.clients.append(client)

    @rule(who=clients, seat=st.none() | seats)
    def sit(self, who: int, seat: int | None) -> None:
        self.ask(who, "sit", LOBBY_REFUSALS, name=f"P{who}", seat=seat)

    @rule(who=clients, seat=seats)
    def leave(self, who: int, seat: int) -> None:
        self.ask(who, "leave", LOBBY_REFUSALS, seat=seat)

    @rule(who=clients, seat=seats)
    def set_bot(self, who: int, seat: int) -> None:
        self.ask(who, "set_bot", LOBBY_REFUSALS, seat=seat, bot="random")

    @rule(who=clients, seat=seats, words=st.sampled_from(["", "lucky", "würfel"]))
    def promise_salt(self, who: int, seat: int, words: str) -> None:
        promised = promise(words) if words else ""
        self.ask(who, "promise_salt", LOBBY_REFUSALS, seat=seat, promise=promised)

    @rule(who=clients, seat=seats, words=st.sampled_from(["lucky", "würfel"]))
    def show_salt(self, who: int, seat: int, words: str) -> None:
        self.ask(who, "show_salt", LOBBY_REFUSALS | {"bad_salt"}, seat=seat, salt=words)

    @rule(who=clients, seat=seats)
    def emote(self, who: int, seat: int) -> None:
        self.ask(who, "emote", LOBBY_REFUSALS, seat=seat, emote="worm")

    @rule(who=clients)
    def start(self, who: int) -> None:
        self.ask(who, "start", LOBBY_REFUSALS)

    @rule()
    def fill_and_start(self) -> None:
        """Let a game begin more often than chance would."""
        host = self.clients[0]
        if host.is_connected and host.table["status"] == "waiting":
            while None in host.table["seats"]:
                self.ask(0, "sit", {"table_full"}, name="Host")
                self.run(self.settled())
            self.ask(0, "start", {"already_started"})

    @rule(who=clients)
    def rematch(self, who: int) -> None:
        self.ask(who, "rematch", LOBBY_REFUSALS)

    @rule(who=clients, at=st.integers(-4, 0), which=st.integers(0, 99))
    def move(self, who: int, at: int, which: int) -> None:
        """Play anything that is allowed, or is not, perhaps on a table of a while ago.

        ``which`` is drawn before a look at the table: the server's dice are not Hypothesis's.
        """
        client = self.client(who)
        if client is None or client.state is None:
            return
        words = [*client.state["legal"], "roll", "stop", "keep:W"]
        self.play(client, max(client.n + at, -1), words[which % len(words)], times=1)

    @rule(times=st.integers(1, 3))
    def good_move(self, times: int) -> None:
        """The player to move plays, and sends it so many times."""
        for client in self.clients:
            if client.is_connected and client.is_to_move:
                self.play(client, client.n, client.some_word(), times)
                return

    @rule(who=clients)
    def move_into_the_dark(self, who: int) -> None:
        """Send a move, lose the connection, come back and send it again."""
        client = self.client(who)
        if client is not None and client.is_to_move:
            name, at, word = self.new_id(), client.n, client.some_word()

            async def lost() -> None:
                await client.send(f'{{"do": "move", "id": "{name}", "at": {at}, "move": "{word}"}}')
                await client.drop()
                await client.connect()

            self.run(lost())
            self.play(client, at, word, times=1, name=name)

    @rule(who=clients)
    def drop(self, who: int) -> None:
        client = self.client(who)
        if client is not None:
            self.run(client.drop())

    @rule(who=clients)
    def come_back(self, who: int) -> None:
        if who < len(self.clients):
            self.run(self.clients[who].connect())

    @rule(kill=st.booleans())
    def restart(self, kill: bool) -> None:
        self.done["kills" if kill else "stops"] += 1
        if kill:
            self.server.kill()
        else:
            assert self.server.stop() == 0, self.server.log
        self.server.start()
        for client in self.clients:
            self.run(client.drop())

    # --- how it is done ---------------------------------------------------------------------------

    def client(self, who: int) -> Client | None:
        client = self.clients[who] if who < len(self.clients) else None
        return client if client is not None and client.is_connected else None

    def new_id(self) -> str:
        self.sent += 1
        return f"m{self.sent}"

    def ask(self, who: int, do: str, refusals: set[str], **fields: object) -> None:
        client = self.client(who)
        if client is not None:
            answer = self.run(client.ask(do, **fields))
            if answer["type"] == "refused":
                assert answer["code"] in refusals, answer
                assert answer["n"] >= 0

    def play(self, client: Client, at: int, word: str, times: int, name: str | None = None) -> None:
        name = name or self.new_id()
        answers: list[Message] = []
        for _ in range(times):
            try:
                answers.append(self.run(client.ask("move", id=name, at=at, move=word)))
            except Dropped:
                return
        if answers[0]["type"] == "ok":
            assert all(answer == answers[0] for answer in answers), answers
            self.acknowledged[name] = answers[0]["n"]
        else:
            assert answers[0]["code"] in MOVE_REFUSALS, answers[0]
            self.refused.add(name)

    async def settled(self) -> None:
        """Wait until all who are connected know the same."""
        here = [client for client in self.clients if client.is_connected]
        while here:
            newest = max(client.n for client in here)
            for client in here:
                await client.until(lambda me, n=newest: me.n >= n)  # type: ignore[misc]
            await asyncio.sleep(0.02)
            if all(client.n == newest for client in here):
                return

    # --- what must be true ------------------------------------------------------------------------

    @invariant()
    def connected_clients_agree_on_what_they_saw(self) -> None:
        for one in self.clients:
            for other in self.clients:
                both = one.entries.keys() & other.entries.keys()
                assert all(one.entries[n] == other.entries[n] for n in both)

    def teardown(self) -> None:
        try:
            if self.clients:
                self.run(self._compare_with_log())
        finally:
            for client in self.clients:
                self.run(client.drop())
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()

    async def _compare_with_log(self) -> None:
        for client in self.clients:
            await client.connect()
        await self.clients[0].do("pace", pace=10_000)  # bots come to rest
        words = await agreed(self.server.location, self.clients)
        self.done["moves acknowledged"] += len(self.acknowledged)
        for name, n in self.acknowledged.items():
            assert sent_with(words, name) == [n]
        for name in self.refused:
            assert sent_with(words, name) == []


QUICK = settings(
    max_examples=8,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[*HealthCheck],
)


def tables_on(running: Server) -> type[Tables]:
    """The machine for one server."""

    class TablesHere(Tables):
        server = running
        done: ClassVar[Counter[str]] = Counter()

    return TablesHere


def test_clients_and_log_agree_whatever_happens(server: Server) -> None:
    run_state_machine_as_test(tables_on(server), settings=QUICK)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(6))
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_same_for_long(
    kind: str, part: int, request: pytest.FixtureRequest, tmp_path: Path, count: Count
) -> None:
    location = None if kind == "sqlite" else request.getfixturevalue("postgres").fresh()
    long = settings(QUICK, max_examples=10, stateful_step_count=50)
    with Server(tmp_path, location) as server:
        machine = tables_on(server)
        run_state_machine_as_test(seed(part)(machine), settings=long)
    for what, number in machine.done.items():
        count(f"{what} in random sessions on {kind}", number)
