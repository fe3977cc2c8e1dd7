"""The protocol as JSON Schema, for generating types in other languages; and events from JSON.

msgspec generates most of it. The events of the rules (facts), the ways to end a turn and the tables
of the four games are plain JSON inside our messages; here they get types too, derived from the
classes of the rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Final, TypeAlias, cast, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from heckmeck.record import name_of, state_reading
from heckmeck.rules import Ending, Event, Outcome, events
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine
from heckmeck.wire import answers as m
from heckmeck.wire import book, coach, requests

_Place: TypeAlias = Annotated[list[int], Meta(min_length=1)]
_EVENTS: Final[Mapping[str, type]] = {name_of(kind): kind for kind in get_args(Event)}


class GameEndedFact(Struct, frozen=True, tag_field="event", tag="game_ended"):
    """The game is over."""

    reason: EndReason
    scores: list[int]
    sheets: list[dict[ScoreItem, int]]
    ranking: Annotated[list[_Place], Meta(min_length=1)]
    decided_by: DecidedBy

    def event(self) -> events.GameEnded:
        """Return the event of the rules."""
        sheets = [tuple(ScoreLine(*line) for line in sheet.items()) for sheet in self.sheets]
        ranking = tuple(map(tuple, self.ranking))
        return events.GameEnded(Outcome(self.reason, tuple(sheets), ranking, self.decided_by))


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Return the event in a fact; raise `msgspec.ValidationError` if it is not valid.

    >>> event_from_json({"event": "tile_returned", "seat": 1, "tile": 24})
    TileReturned(seat=1, tile=24)
    """
    kind = _EVENTS.get(data.get("event", ""))
    if kind is None:
        raise msgspec.ValidationError(f"There is no event {data.get('event')!r:.40}")
    if kind is events.GameEnded:
        return msgspec.convert(data, GameEndedFact).event()
    return cast(Event, msgspec.convert(data, kind))


@cache
def fact_types() -> dict[str, type[Struct]]:
    """Return the type of each event of the rules as JSON, by name."""
    types = {name: _tagged_type(kind, "event") for name, kind in _EVENTS.items()}
    return {**types, "game_ended": GameEndedFact}


@cache
def ending_types() -> tuple[type[Struct], ...]:
    """Return the type of each way to end a turn as JSON."""
    return tuple(_tagged_type(kind, "ending") for kind in get_args(Ending))


def _tagged_type(kind: type, tag: str) -> type[Struct]:
    hints = get_type_hints(kind)
    return msgspec.defstruct(
        kind.__name__,
        [(field.name, hints[field.name]) for field in fields(kind)],
        namespace={"__doc__": kind.__doc__},
        tag_field=tag,
        tag=name_of(kind),
        frozen=True,
        forbid_unknown_fields=True,
    )


def any_of(types: Iterable[type[Struct]]) -> Any:  # noqa: ANN401 (a type has none)
    """Return the union of these types."""
    return reduce(or_, cast("Iterable[Any]", types))


# --- all of it ------------------------------------------------------------------------------------


Schema: TypeAlias = dict[str, Any]

_REF: Final = "#/$defs/{name}"


_HTTP: Final = (
    requests.NewTable,
    requests.OddsAsked,
    requests.PositionAsked,
    m.TableMade,
    m.TableNow,
    m.TableList,
    m.BotList,
    m.PushInfo,
    m.EditionList,
    m.Replay,
    m.Health,
    m.Ready,
    m.Problem,
    coach.TurnOdds,
    coach.StudiedPosition,
    coach.ReviewedGame,
    book.NewBook,
    book.SameName,
    book.BookMade,
    book.GamesAdded,
    book.Book,
)


@cache
def schema() -> Schema:
    """Return the schema: ``Request``, ``Answer``, ``Fact`` and the HTTP messages in ``$defs``."""
    unions: dict[str, Any] = {
        "Request": requests.AnyRequest,
        "Answer": m.AnyAnswer,
        "Fact": any_of(fact_types().values()),
        "Ending": any_of(ending_types()),
    }
    tables = tuple(dict.fromkeys(state_reading.TABLES.values()))
    schemas, defs = msgspec.json.schema_components(
        [*unions.values(), *tables, *_HTTP], ref_template=_REF
    )
    defs.update(zip(unions, schemas, strict=False))
    for name, key in (("Played", "facts"), ("Moment", "events")):
        defs[name]["properties"][key]["items"] = {"$ref": _REF.format(name="Fact")}
    defs["Prospect"]["properties"]["ending"] = {"$ref": _REF.format(name="Ending")}
    defs["GameState"]["properties"]["table"] = {
        "anyOf": [{"$ref": _REF.format(name=table.__name__)} for table in tables]
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"heckmeck, protocol {m.PROTOCOL}",
        "$defs": dict(sorted(defs.items())),
    }
