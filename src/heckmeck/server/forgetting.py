"""Erasing a person's name from stored tables.

Dice do not depend on names, so records stay valid and their dice can still be verified. The words
that a player chose for the dice are kept, because the dice were derived from them.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from heckmeck.record import JsonValue
from heckmeck.record.json_text import dumps, loads
from heckmeck.server import actions as a
from heckmeck.server import messages as m
from heckmeck.server import views
from heckmeck.server.actions import AnyAction, BadEntry, Word
from heckmeck.server.admin import find, live_table, tables
from heckmeck.server.store import Overview, Status, Store, StoredGame, Summary

#: A table written to within this time may be open on a server.
_LATELY: Final = timedelta(days=1)
#: The key of a record that holds the proof of its dice.
_PROOF: Final = "fair"


def neutral(seat: int) -> str:
    """Return the name that replaces a forgotten one."""
    return f"Player {seat + 1}"


async def forget(store: Store, name: str) -> list[str]:
    """Replace a person's name with a neutral one everywhere; return the tables that had it."""
    return [
        overview.row.id
        async for overview in tables(store)
        if await _forget_at(store, overview, name)
    ]


async def _forget_at(store: Store, overview: Overview, name: str) -> bool:
    stored = await store.load(overview.row.id)
    if stored is None or not _has(stored, name):
        return False
    if overview.at > datetime.now(UTC) - _LATELY:
        await _rename_who_is_there(store, stored, name)
        stored = await find(store, stored.row.id)
    words = {entry.n: without(entry.word, name) for entry in stored.entries}
    changed = {entry.n: words[entry.n] for entry in stored.entries if words[entry.n] != entry.word}
    await store.rewrite(stored.row.id, changed, _summary_without(stored.row.summary, name))
    return True


def _has(stored: StoredGame, name: str) -> bool:
    return _summary_without(stored.row.summary, name) is not None or any(
        without(entry.word, name) != entry.word for entry in stored.entries
    )


async def _rename_who_is_there(store: Store, stored: StoredGame, name: str) -> None:
    """Rename seated players by a log entry, so that servers with the table open notice."""
    try:
        live = live_table(store, stored)
    except BadEntry:
        return  # no server has it open
    if live.table.status is Status.CLOSED:
        return
    for seat in range(len(live.table.seats)):
        person = live.table.person(seat)
        if person is not None and person.name == name:
            await live.run(m.Rename("admin", seat, neutral(seat)), [person.hash])


def _summary_without(summary: Summary, name: str) -> Summary | None:
    """Return the summary without the name, or None if it does not contain it."""
    listed = views.listed(summary.text)
    if name not in listed.players:
        return None
    players = [neutral(at) if who == name else who for at, who in enumerate(listed.players)]
    return Summary(summary.status, m.write(replace(listed, players=players)))


def without(text: str, name: str) -> str:
    """Return a log entry without the name; an unreadable entry is returned unchanged."""
    try:
        entry = a.read(text)
    except BadEntry:
        return text
    if isinstance(entry, Word):
        return text
    changed = _action_without(entry, name)
    return text if changed == entry else a.write(changed)


def _action_without(action: AnyAction, name: str) -> AnyAction:
    match action:
        case a.Sat() | a.Named() | a.BotSet() if action.name == name:
            return replace(action, name=neutral(action.seat))
        case a.Created():
            names = tuple(
                neutral(seat) if who == name else who for seat, who in enumerate(action.names)
            )
            return replace(action, names=names, extra=_extra_without(action.extra, name))
        case _:
            return action


def _extra_without(extra: str, name: str) -> str:
    """Return a record's other keys without the name; the proof of the dice is unchanged."""
    kept = loads(extra) if extra else None
    if not isinstance(kept, dict):
        return extra
    changed = {
        key: value if key == _PROOF else _value_without(value, name) for key, value in kept.items()
    }
    return extra if changed == kept else dumps(changed)


def _value_without(value: JsonValue, name: str) -> JsonValue:
    match value:
        case str():
            return "Player" if value == name else value
        case list():
            return [_value_without(item, name) for item in value]
        case dict():
            return {key: _value_without(item, name) for key, item in value.items()}
        case _:
            return value
