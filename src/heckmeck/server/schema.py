"""The protocol as JSON Schema, for generating types in other languages.

msgspec generates most of it. The events of the rules and the tables of the four games are plain
JSON inside our messages; here they get types too, derived from the classes of the rules.
"""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache, reduce
from operator import or_
from typing import Any, Final, TypeAlias, cast, get_args, get_type_hints

import msgspec
from msgspec import Struct

from heckmeck.record import event_name, name_of
from heckmeck.rules import Ending, Event, Specialist
from heckmeck.rules.events import GameEnded
from heckmeck.rules.outcome import DecidedBy, EndReason
from heckmeck.server import messages as m

Schema: TypeAlias = dict[str, Any]

_REF: Final = "#/$defs/{name}"


class GrillTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of classic and junior."""

    grill: list[int]
    face_down: list[int]
    stacks: list[list[int]]


class DeluxeTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of deluxe."""

    grill: list[int]
    face_down: list[int]
    stacks: list[list[int]]
    on_grill: dict[str, Specialist]
    held: list[Specialist | None]
    bratworms: list[int]
    supply: int


class BarbecueTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of barbecue: a spot holds plates, by seat, or the word snail."""

    spots: dict[str, list[int | str]]
    pool: int
    snails: list[int]
    worms: list[int]
    plates: list[int]


TABLES: Final = {
    "classic": GrillTable,
    "junior": GrillTable,
    "deluxe": DeluxeTable,
    "barbecue": BarbecueTable,
}


class GameEndedFact(Struct, frozen=True, tag_field="event", tag="game_ended"):
    """The game is over."""

    reason: EndReason
    scores: list[int]
    sheets: list[dict[str, int]]
    ranking: list[list[int]]
    decided_by: DecidedBy


@cache
def fact_types() -> dict[str, type[Struct]]:
    """Return the type of each event of the rules as JSON, by name."""
    types: dict[str, type[Struct]] = {}
    for kind in get_args(Event):
        name = event_name(cast(Event, kind.__new__(kind)))
        types[name] = GameEndedFact if kind is GameEnded else _tagged_type(kind, "event", name)
    return types


@cache
def ending_types() -> tuple[type[Struct], ...]:
    """Return the type of each way to end a turn as JSON."""
    return tuple(_tagged_type(kind, "ending", name_of(kind)) for kind in get_args(Ending))


def _tagged_type(kind: type, tag: str, name: str) -> type[Struct]:
    hints = get_type_hints(kind)
    return msgspec.defstruct(
        kind.__name__,
        [(field.name, hints[field.name]) for field in fields(kind)],
        namespace={"__doc__": kind.__doc__},
        tag_field=tag,
        tag=name,
        frozen=True,
        forbid_unknown_fields=True,
    )


def any_of(types: Iterable[type[Struct]]) -> Any:  # noqa: ANN401 (a type has none)
    """Return the union of these types."""
    return reduce(or_, cast("Iterable[Any]", types))


_HTTP: Final = (
    m.NewTable,
    m.OddsAsked,
    m.TableMade,
    m.TableNow,
    m.TableList,
    m.BotList,
    m.EditionList,
    m.Replay,
    m.Health,
    m.Ready,
    m.Problem,
)


@cache
def schema() -> Schema:
    """Return the schema: ``Request``, ``Answer``, ``Fact`` and the HTTP messages in ``$defs``."""
    unions: dict[str, Any] = {
        "Request": m.AnyRequest,
        "Answer": m.AnyAnswer,
        "Fact": any_of(fact_types().values()),
        "Ending": any_of(ending_types()),
    }
    tables = (GrillTable, DeluxeTable, BarbecueTable)
    schemas, defs = msgspec.json.schema_components(
        [*unions.values(), *tables, *_HTTP], ref_template=_REF
    )
    defs.update(zip(unions, schemas, strict=False))
    for name in ("Played", "ReplayStep"):
        defs[name]["properties"]["facts"]["items"] = {"$ref": _REF.format(name="Fact")}
    defs["Prospect"]["properties"]["ending"] = {"$ref": _REF.format(name="Ending")}
    defs["GameState"]["properties"]["table"] = {
        "anyOf": [{"$ref": _REF.format(name=table.__name__)} for table in tables]
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "heckmeck, protocol 1",
        "$defs": dict(sorted(defs.items())),
    }
