"""Tables and games as clients see them."""

from collections.abc import Iterable
from typing import cast

import msgspec

from heckmeck.record import event_to_json
from heckmeck.rules import AnyState, Event
from heckmeck.server import messages as m
from heckmeck.server.actions import shown
from heckmeck.server.keys import Who
from heckmeck.server.states import state_for_pages
from heckmeck.server.store import Summary
from heckmeck.server.table import BotSeat, Moved, Person, Sitter, Table, What


def state_view(state: AnyState) -> m.GameState:
    """Return the state of a game, with additions from the rules."""
    return msgspec.convert(state_for_pages(state), m.GameState)


def table_state(table: Table) -> m.GameState | None:
    """Return the state of the game on the table, if there is one."""
    return None if table.match is None else state_view(table.match.state)


def table_view(name: str, table: Table) -> m.TableInfo:
    """Return the table without its game."""
    match = table.match
    return m.TableInfo(
        id=name,
        status=table.status,
        round=table.round,
        setup=table.setup,
        seats=[*map(_seat_view, table.seats)],
        dice=m.DiceInfo(
            commitment=table.commitment,
            called=table.called is not None,
            promises=None if match is None or not match.promises else match.promises,
            words=None if match is None else match.words,
            seed=None if match is None else match.seed,
        ),
        names=table.names,
        moves=len(table.opening),
    )


def _seat_view(sitter: Sitter) -> m.SeatInfo | None:
    match sitter:
        case None:
            return None
        case BotSeat(name, bot):
            return m.SeatInfo(name, bot=bot)
        case Person():
            return m.SeatInfo(
                sitter.name,
                promise=sitter.promise,
                words=sitter.promised_words,
                away=sitter.away,
                stand_in=sitter.stand_in,
            )


def happening(n: int, what: What) -> m.Happening:
    """Return event number ``n``."""
    if isinstance(what, Moved):
        return m.Happening(n, m.Played(what.seat, what.word, facts(what.events)))
    return m.Happening(n, shown(what))


def written(n: int, what: What) -> m.Happening:
    """Return event number ``n`` as JSON: it is encoded once and sent to many."""
    return cast(m.Happening, msgspec.Raw(msgspec.json.encode(happening(n, what))))


def facts(events: Iterable[Event]) -> list[dict[str, object]]:
    """Return the rules' events as JSON."""
    return [{**event_to_json(event)} for event in events]


def you(who: Who) -> m.You:
    """Return the rights of a client."""
    return m.You(sorted(who.seats), who.host)


def summary(table: Table) -> Summary:
    """Return the summary of the table for lists."""
    shown_in_lists = Listed(
        seats=len(table.seats),
        players=[sitter.name for sitter in table.seats if sitter is not None],
    )
    return Summary(table.status, m.write(shown_in_lists))


class Listed(msgspec.Struct, frozen=True):
    """The summary's text."""

    seats: int
    players: list[str]


def listed(text: str) -> Listed:
    """Read the summary's text."""
    return msgspec.json.decode(text, type=Listed)
