"""Answers: every message of the server, distinguished by ``type``, and its answers over HTTP."""

from typing import Any, Final, TypeAlias, cast, get_args

import msgspec
from msgspec import Struct

from heckmeck.wire import coach, refusals, requests, states
from heckmeck.wire.entries import AnyEntry, Unknown
from heckmeck.wire.setup import Setup, Status

#: The version of the protocol, sent in `Welcome`.
PROTOCOL: Final = 3

# --- a table --------------------------------------------------------------------------------------


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """The player in a seat.

    ``bot`` is the bot that owns the seat. ``promise`` is the SHA-256 of the salt that a person
    will show, ``salt`` is what they have shown. ``stand_in`` is the bot that plays for a
    person who is ``away`` or has left. ``awaited``: the others wait for them, however long they
    are away.
    """

    name: str
    bot: str | None = None
    promise: str = ""
    salt: str = ""
    away: bool = False
    stand_in: str | None = None
    awaited: bool = False


class DiceInfo(Struct, frozen=True, omit_defaults=True):
    """The commitment to the table's dice.

    ``called``: the game is about to begin, all promises are final and the salt is to be shown.
    ``promises`` and ``salts``, by seat, are those of the game that has begun.
    """

    commitment: str
    called: bool = False
    promises: tuple[str, ...] | None = None
    salts: tuple[str, ...] | None = None
    seed: str | None = None


class SeriesLine(Struct, frozen=True):
    """What a player has won at a table: games played and won, and worms."""

    name: str
    games: int
    wins: int
    worms: int


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table without its game. ``round`` counts its games; a free seat is null.

    ``names`` are those in the record that the table was created from, ``moves`` is the number of
    its moves. ``series`` are the finished games of the table and its rematches, best player first.
    ``book`` is the id of the family book that keeps them, if any.
    """

    id: str
    status: Status
    round: int
    setup: Setup
    seats: list[SeatInfo | None]
    dice: DiceInfo
    names: tuple[str, ...] = ()
    moves: int = 0
    series: tuple[SeriesLine, ...] = ()
    plates: tuple[int, ...] = ()
    book: str = ""


class Played(Struct, frozen=True, tag_field="do", tag="played"):
    """A move was made; ``facts`` are its events."""

    seat: int
    move: str
    facts: list[dict[str, Any]]  # one of many kinds, see `schema`


What: TypeAlias = AnyEntry | Played | Unknown


class NumberedEntry(Struct, frozen=True):
    """Entry number ``n`` of a table's log."""

    n: int
    what: What


class May(Struct, frozen=True, omit_defaults=True):
    """What a client may do at the table as it is now.

    ``manage``: change bots and their pace. ``set_up``: change the game, its seats and its house
    rules. ``start`` is the number of players the game can begin with: fewer than the table has
    seats if free ones must be removed, null if it cannot begin. ``rematch``: ask for another game.
    ``throw_for``: the seats whose dice it may enter, where people roll their own.
    """

    manage: bool = False
    set_up: bool = False
    start: int | None = None
    rematch: bool = False
    throw_for: tuple[int, ...] = ()


class You(Struct, frozen=True, omit_defaults=True):
    """What this client may do: play these seats, host the table."""

    seats: list[int]
    host: bool
    may: May = May()


class TableNow(Struct, frozen=True, omit_defaults=True):
    """The table after entry ``n``; ``due`` as in `Welcome`."""

    n: int
    table: TableInfo
    state: states.GameState | None = None
    due: str | None = None


# --- answers --------------------------------------------------------------------------------------


class Answer(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """A message of the server."""


class Welcome(Answer, frozen=True, tag="welcome"):
    """The answer to hello: a snapshot of the table after entry ``n``.

    ``missed`` holds the entries after the client's last one; it is missing if there were too many.
    ``due`` is when the time of the player to move is over (UTC); null at tempo now.
    """

    id: str
    protocol: int
    n: int
    you: You
    table: TableInfo
    state: states.GameState | None = None
    missed: list[NumberedEntry] | None = None
    due: str | None = None


class Ok(Answer, frozen=True, tag="ok"):
    """Done, and on disk: entry ``n`` is the (first) one it caused."""

    id: str
    n: int


class Seated(Answer, frozen=True, tag="seated"):
    """You have the seat. Keep the secret: it brings you back, on any device."""

    id: str
    n: int
    seat: int
    secret: str


class Refusal(Answer, frozen=True, tag="refused"):
    """Refused. ``n``, ``table`` and ``state`` are included if they matter.

    ``wait`` is the number of seconds after which to ask again, if known.
    """

    id: str | None
    code: refusals.Code
    message: str
    n: int | None = None
    table: TableInfo | None = None
    state: states.GameState | None = None
    wait: float | None = None


class Entries(Answer, frozen=True, tag="entries"):
    """New entries, in order and without gaps; ``table`` and ``state`` if they changed.

    ``due`` is as in `Welcome`, whether it changed or not.
    """

    entries: list[NumberedEntry]
    table: TableInfo | None = None
    state: states.GameState | None = None
    due: str | None = None


class Countdown(Answer, frozen=True, tag="countdown"):
    """A bot will play for the player to move, who is away, in this time unless they return."""

    seat: int
    seconds: float


class YouNow(Answer, frozen=True, tag="you"):
    """The rights of this client have changed."""

    you: You


class Hint(Answer, frozen=True, tag="hint"):
    """Every legal move and what it is worth, best first, on the table after entry ``n``.

    The rest is as in an `Advice`.
    """

    id: str
    n: int
    unit: str
    moves: list[coach.WeighedMove]
    reasons: list[coach.Reason] = []
    targets: list[coach.Target] = []
    cost: coach.FailureCost | None = None


class Pong(Answer, frozen=True, tag="pong"):
    """The connection works; ``n`` is the number of the table's last entry."""

    id: str
    n: int


AnyAnswer: TypeAlias = Welcome | Ok | Seated | Refusal | Entries | Countdown | YouNow | Hint | Pong


# --- over HTTP ------------------------------------------------------------------------------------


class TableMade(Struct, frozen=True):
    """A new table; the holder of the secret is the host."""

    id: str
    secret: str
    path: str


class ListedTable(Struct, frozen=True):
    """A public table in the list."""

    id: str
    status: Status
    edition: str
    seats: int
    players: list[str]
    created: str


class TableList(Struct, frozen=True):
    """The public tables, newest first."""

    tables: list[ListedTable]


class BotInfo(Struct, frozen=True):
    """A bot to choose."""

    name: str
    level: int
    character: str
    about: str
    editions: tuple[str, ...]


class BotList(Struct, frozen=True):
    """All bots, weakest first."""

    bots: list[BotInfo]


class EditionInfo(Struct, frozen=True):
    """An edition: its numbers of players, its dice, and whether it has house rules."""

    edition: str
    min_players: int
    max_players: int
    dice: int
    faces: str
    house_rules: tuple[str, ...]


class EditionList(Struct, frozen=True):
    """All editions."""

    editions: list[EditionInfo]


class Replay(Struct, frozen=True):
    """A page of a game: its moments from the one asked for on; ``moves`` counts all its moves.

    ``plates`` are the numbers of the players' plates, where they are known.
    """

    names: tuple[str, ...]
    moves: int
    moments: list[states.Moment]
    plates: tuple[int, ...] = ()


class PushInfo(Struct, frozen=True):
    """The public key with which browsers subscribe to push messages; null: there are none."""

    key: str | None


class Health(Struct, frozen=True):
    """The health of the server. ``storage``: tables can be read and written; otherwise not ok."""

    ok: bool
    storage: bool
    version: str
    uptime: float
    tables: dict[str, int]
    live_tables: int
    connections: int


class Ready(Struct, frozen=True):
    """Whether tables can be played right now."""

    ready: bool


class Problem(Struct, frozen=True, tag_field="type", tag="problem", omit_defaults=True):
    """A refused HTTP request; ``wait`` is as in `Refusal`."""

    code: refusals.Code
    message: str
    wait: float | None = None


# --- reading and writing --------------------------------------------------------------------------


class Other(Struct, frozen=True):
    """An answer of a kind that only newer programs know."""

    id: str | None = None


class BadAnswer(ValueError):
    """A message that is not part of the protocol."""


_encoder: Final = msgspec.json.Encoder()


def write(message: Struct) -> str:
    """Return the message as JSON."""
    return _encoder.encode(message).decode()


def read_answer(text: str | bytes) -> AnyAnswer | Other:
    """Return the answer; raise `BadAnswer` if it is not valid.

    Keys, kinds of answers and kinds of entries that only newer servers know are passed over.
    """
    try:
        data = msgspec.json.decode(text, type=dict[str, Any])
        if data["type"] not in _ANSWERS:
            return msgspec.convert(data, Other)
        for entry in (*data.get("entries", ()), *data.get("missed", ())):
            if entry["what"]["do"] not in _ENTRIES:
                entry["what"] = {"do": "unknown"}
        return cast(AnyAnswer, msgspec.convert(data, AnyAnswer))
    except (*requests.UNREADABLE, LookupError, TypeError) as error:
        raise BadAnswer(f"The server's message cannot be read: {error}.") from error


def _tags(union: Any) -> frozenset[str]:  # noqa: ANN401 (a type has none)
    return frozenset(kind.__struct_config__.tag for kind in get_args(union))


_ANSWERS: Final = _tags(AnyAnswer)
_ENTRIES: Final = _tags(What)
