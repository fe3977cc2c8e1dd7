"""A browser's database in memory, and a page that plays."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from heckmeck.hosting.autopilot import Timing
from heckmeck.page.host import PageHost

Told = dict[str, Any]


class Database:
    """Does what web/worker/log.ts does with IndexedDB; one may be shared by several hosts."""

    def __init__(self) -> None:
        self.heads: dict[str, str] = {}
        self.entries: dict[str, list[str]] = {}
        self.fails = False

    async def __call__(self, text: str) -> str:
        asked = json.loads(text)
        await asyncio.sleep(0)  # another tab may be faster
        if self.fails:
            return json.dumps({"outcome": "failed", "why": "QuotaExceededError"})
        return json.dumps(self._do(asked))

    def _do(self, asked: Told) -> Told:
        name = asked["table"]
        if asked["do"] == "create":
            if name in self.heads:
                return {"outcome": "exists"}
            self.heads[name], self.entries[name] = asked["head"], asked["entries"]
            return {"outcome": "done"}
        if name not in self.heads:
            return {"outcome": "missing"}
        log = self.entries[name]
        if asked["do"] == "load":
            return {
                "outcome": "done",
                "head": self.heads[name],
                "entries": log[asked["after"] + 1 :],
            }
        if asked["n"] != len(log):
            return {"outcome": "conflict"}
        log += asked["entries"]
        return {"outcome": "done"}


class Tab:
    """A tab: a host of its own, one line to a table, and what came over it."""

    def __init__(self, database: Database, watch: Callable[[Told], None] = lambda _: None) -> None:
        timing = Timing(absence=0.05, roll_call=0.05)
        self.reviewed: list[float] = []
        self.host = PageHost(database, self._hear, self.reviewed.append, timing)
        self.heard: list[Told] = []
        self.is_open: bool | None = None
        self.state: Told = {}
        self.status = ""
        self.n = -1
        self._watch = watch
        self._task: asyncio.Task[None] | None = None
        self._number = 0

    def _hear(self, line: str, text: str | None) -> None:
        if not text:
            self.is_open = text is not None
            return
        told = json.loads(text)
        self._watch(told)
        self.heard.append(told)
        self.n = max([self.n, told.get("n", -1), *(each["n"] for each in told.get("entries", []))])
        self.state = told.get("state") or self.state
        self.status = (told.get("table") or {}).get("status") or self.status

    async def ask(self, method: str, path: str, body: object = None) -> tuple[bool, str]:
        """Return whether it was granted, and the answer."""
        sent = body if isinstance(body, str) else json.dumps(body)
        head, _, answer = (await self.host.ask(method, path, sent)).partition("\n")
        return head.startswith("ok "), answer

    async def new_table(self, edition: str, bots: list[str], **setup: object) -> Told:
        wanted = {"edition": edition, "seats": 1 + len(bots), "first": 0, "pace": 0, **setup}
        granted, answer = await self.ask("POST", "/api/tables", {"setup": wanted, "bots": bots})
        assert granted, answer
        made: Told = json.loads(answer)
        return made

    async def open(self, table: str, *secrets: str) -> None:
        self._task = asyncio.create_task(self.host.connect("line", table))
        await until(lambda: self.is_open is not None)
        if self.is_open:
            await self.say("hello", last=-1, secrets=[*secrets])

    async def say(self, do: str, **fields: object) -> None:
        self._number += 1
        sent = {"do": do, "id": f"q{self._number}", **fields}
        await self.host.receive("line", json.dumps(sent))

    async def close(self) -> None:
        self.host.disconnect("line")
        if self._task is not None:
            await self._task

    async def play(self, moves: int = 10_000) -> None:
        """Play for seat 0 until the game is over, or for some moves."""
        for _ in range(moves):
            await until(lambda: self.status == "over" or self.is_mine())
            if self.status == "over":
                return
            await self.say("move", at=self.n, move=choice(self.state))

    def is_mine(self) -> bool:
        state = self.state
        return bool(state) and state["to_move"] == 0 and state["awaits"] == "player"


def choice(state: Told) -> str:
    """Return a move that brings a game forward."""
    legal: list[str] = state["legal"]
    stop = state["prospects"].get("stop")
    if "stop" in legal and stop and stop["ending"]["ending"] != "nothing":
        return "stop"
    return "keep:W" if "keep:W" in legal else legal[0]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.001)
