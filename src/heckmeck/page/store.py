"""The logs of tables in a browser: what Python asks its database, one request at a time."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

import msgspec

from heckmeck.hosting.log import (
    Conflict,
    Entry,
    NoSuchTable,
    StoredTable,
    StoreUnavailable,
    TableExists,
    is_text,
    stamped,
)
from heckmeck.table.views import Summary


class Create(msgspec.Struct, frozen=True, tag_field="do", tag="create"):
    """Write a new table, ``head``, and its first entries, all or nothing."""

    table: str
    head: str
    entries: list[str]


class Load(msgspec.Struct, frozen=True, tag_field="do", tag="load"):
    """Read a table, and its entries after number ``after``."""

    table: str
    after: int


class Append(msgspec.Struct, frozen=True, tag_field="do", tag="append"):
    """Write the entries of a table from number ``n`` on, if that is its next; all or nothing."""

    table: str
    n: int
    entries: list[str]


Request: TypeAlias = Create | Load | Append


class Answer(msgspec.Struct, frozen=True):
    """How it went; ``head`` and ``entries`` are what was read, ``why`` is the reason of a failure.

    When a write is ``done``, it is on disk.
    """

    outcome: Literal["done", "exists", "missing", "conflict", "failed"]
    head: str = ""
    entries: list[str] = []
    why: str = ""


#: The browser's database: takes a `Request` as JSON, and returns an `Answer` as JSON.
Database: TypeAlias = Callable[[str], Awaitable[str]]

_answers: Final = msgspec.json.Decoder(Answer)
_heads: Final = msgspec.json.Decoder(StoredTable)
_entries: Final = msgspec.json.Decoder(Entry)


class BrowserLog:
    """The logs of all tables of this browser (`log.Log`).

    Each tab has a host of its own. The numbers of entries keep them in step, as they do the
    workers of a server.
    """

    def __init__(self, database: Database) -> None:
        """Keep them in the browser's database."""
        self._database = database

    async def create(self, table: StoredTable) -> None:
        """Write a new table and its first entries."""
        head = _text(replace(table, entries=()))
        answer = await self._ask(Create(table.row.id, head, [*map(_text, table.entries)]))
        if answer.outcome == "exists":
            raise TableExists(table.row.id)

    async def load(self, table: str) -> StoredTable | None:
        """Return a table with all its entries, or None."""
        answer = await self._ask(Load(table, -1))
        if answer.outcome == "missing":
            return None
        head = _heads.decode(answer.head)
        return replace(head, entries=tuple(map(_entries.decode, answer.entries)))

    async def entries(self, table: str, after: int) -> list[Entry]:
        """Return the entries with numbers above ``after``."""
        return [*map(_entries.decode, (await self._ask(Load(table, after))).entries)]

    async def append(
        self, table: str, n: int, texts: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """Write the next entries. Nobody lists these tables, so the summary is not kept."""
        entries = stamped(n, texts)
        answer = await self._ask(Append(table, n, [*map(_text, entries)]))
        if answer.outcome == "conflict":
            raise Conflict(table, n)
        if answer.outcome == "missing":
            raise NoSuchTable(table)
        return entries

    async def _ask(self, request: Request) -> Answer:
        if not is_text(request.table):
            return Answer("missing")
        answer = _answers.decode(await self._database(_text(request)))
        if answer.outcome == "failed":
            raise StoreUnavailable(f"The browser's database failed: {answer.why}")
        return answer


def _text(data: Request | StoredTable | Entry) -> str:
    return msgspec.json.encode(data).decode()
