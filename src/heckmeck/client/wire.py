"""The messages of a server, as values. The server's own types are at its `/api/schema`.

Only what a terminal shows is read; unknown keys and kinds of messages are ignored, so that games on
a newer server are still possible.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from heckmeck.client.facts import event_from_json
from heckmeck.record import (
    STATE_KEYS,
    BadJson,
    BadState,
    JsonObject,
    JsonValue,
    state_from_json,
)
from heckmeck.record.json_text import loads
from heckmeck.record.reader import Reader
from heckmeck.rules import AnyState, Event

#: The version of the protocol that this client speaks.
PROTOCOL: Final = 2
#: The largest number that means anything in a message.
_MOST: Final = 1e9


class BadAnswer(ValueError):
    """A message that is not part of the protocol."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The player in a seat. ``bot``: the bot that owns it; ``stand_in``: the one filling in.

    ``promise`` is the SHA-256 of their words for the dice.
    """

    name: str
    bot: str = ""
    away: bool = False
    stand_in: str = ""
    promise: str = ""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table without its game. ``status`` is waiting, playing, over or closed.

    ``round`` counts its games. ``called``: the game is about to begin, and words are to be shown.
    """

    id: str
    status: str
    edition: str
    seats: tuple[SeatInfo | None, ...]
    public: bool
    hints: bool
    undo: bool
    pace: int
    round: int = 0
    called: bool = False


@dataclass(frozen=True, slots=True)
class You:
    """What this client may do: play these seats, host the table."""

    seats: tuple[int, ...] = ()
    host: bool = False


@dataclass(frozen=True, slots=True)
class Happening:
    """Event number ``n`` of a table.

    ``do`` is its kind; ``seat`` the player concerned, if any; ``text`` the word played, the name
    taken or the emote shown; ``events`` are those of the rules.
    """

    n: int
    do: str
    seat: int | None = None
    text: str = ""
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Tip:
    """The worth of a move, given as its word, and the chance that the turn then fails."""

    word: str
    worth: float
    fail: float | None = None


# --- the messages ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    """The table after event ``n``; ``missed`` is None if there were too many events."""

    id: str
    n: int
    protocol: int
    you: You
    table: TableInfo
    state: AnyState | None
    missed: tuple[Happening, ...] | None


@dataclass(frozen=True, slots=True)
class Events:
    """New events; table and state are included if they changed."""

    events: tuple[Happening, ...]
    table: TableInfo | None
    state: AnyState | None


@dataclass(frozen=True, slots=True)
class Ok:
    """The request is done, and on disk."""

    id: str
    n: int


@dataclass(frozen=True, slots=True)
class Seated:
    """The client has the seat."""

    id: str
    n: int
    seat: int
    secret: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The request is refused; table and state are included if they matter."""

    id: str
    code: str
    message: str
    n: int | None
    table: TableInfo | None
    state: AnyState | None
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class YouNow:
    """The rights of this client have changed."""

    you: You


@dataclass(frozen=True, slots=True)
class Tips:
    """Every legal move on the table after event ``n``, best first."""

    id: str
    n: int
    unit: str
    moves: tuple[Tip, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """A message this client can ignore; still an answer if it has an id."""

    id: str


Answer: TypeAlias = Welcome | Events | Ok | Seated | Refusal | YouNow | Tips | Other


def read_answer(text: str | bytes) -> Answer:
    """Return the message; raise `BadAnswer` if it is not valid."""
    try:
        data = loads(text if isinstance(text, str) else text.decode())
        return _answer(_Message(_object(data)))
    except (BadJson, BadState, UnicodeDecodeError) as error:
        raise BadAnswer(f"The server's message cannot be read: {error}.") from error


def read_problem(body: bytes) -> tuple[str, str, float | None] | None:
    """Return code, message and wait of a refusal over HTTP; None if it is not of this protocol."""
    try:
        message = _Message(_object(loads(body.decode())))
        return message.text("code"), message.text("message"), message.real_or_none("wait")
    except (BadJson, BadState, UnicodeDecodeError):
        return None


class _Message(Reader):
    """A message with optional keys."""

    __slots__ = ()

    def text_or(self, key: str) -> str:
        """Return the text at ``key``, empty if there is none."""
        return self.text(key) if self.data.get(key) is not None else ""

    def flag(self, key: str) -> bool:
        """Return the boolean at ``key``, false if there is none."""
        return self.boolean(key) if key in self.data else False

    def number_or_none(self, key: str) -> int | None:
        """Return the whole number at ``key``, if there is one."""
        return self.integer(key) if self.data.get(key) is not None else None

    def real(self, key: str) -> float:
        """Return the number at ``key``."""
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadState(f"{self.path}{key} must be a number")
        if not abs(value) <= _MOST:  # JSON has larger ones than floats
            raise BadState(f"{self.path}{key} is too large")
        return float(value)

    def real_or_none(self, key: str) -> float | None:
        """Return the number at ``key``, if there is one."""
        return self.real(key) if self.data.get(key) is not None else None

    def part(self, key: str) -> "_Message":
        """Return the object at ``key``."""
        return _Message(self.object(key).data, f"{self.path}{key}.")

    def parts(self, key: str) -> list["_Message"]:
        """Return the objects in the list at ``key``."""
        return [_Message(_object(item), f"{self.path}{key}.") for item in self.items(key)]

    def state(self) -> AnyState | None:
        """Return the state of the game, if the message has one."""
        data = self.data.get("state")
        if isinstance(data, dict):
            # A server may add keys, for clients without rules.
            data = {name: value for name, value in data.items() if name in STATE_KEYS}
        return None if data is None else state_from_json(data)

    def table(self) -> TableInfo | None:
        """Return the table, if the message has one."""
        return _table(self.part("table")) if self.data.get("table") is not None else None


def _object(data: JsonValue) -> JsonObject:
    if not isinstance(data, dict):
        raise BadState("a message must be a JSON object")
    return data


def _answer(message: _Message) -> Answer:
    match message.text("type"):
        case "welcome":
            return _welcome(message)
        case "events":
            events = tuple(map(_happening, message.parts("events")))
            return Events(events, message.table(), message.state())
        case "ok":
            return Ok(message.text("id"), message.integer("n"))
        case "seated":
            return Seated(
                message.text("id"),
                message.integer("n"),
                message.integer("seat"),
                message.text("secret"),
            )
        case "refused":
            return Refusal(
                message.text_or("id"),
                message.text("code"),
                message.text("message"),
                message.number_or_none("n"),
                message.table(),
                message.state(),
                message.real_or_none("wait"),
            )
        case "you":
            return YouNow(_you(message.part("you")))
        case "hint":
            moves = tuple(map(_tip, message.parts("moves")))
            return Tips(message.text("id"), message.integer("n"), message.text("unit"), moves)
        case _:
            return Other(message.text_or("id"))


def _welcome(message: _Message) -> Welcome:
    missed = message.data.get("missed")
    return Welcome(
        id=message.text("id"),
        n=message.integer("n"),
        protocol=message.integer("protocol"),
        you=_you(message.part("you")),
        table=_table(message.part("table")),
        state=message.state(),
        missed=None if missed is None else tuple(map(_happening, message.parts("missed"))),
    )


def _you(message: _Message) -> You:
    return You(message.integers("seats"), message.boolean("host"))


def _table(message: _Message) -> TableInfo:
    setup = message.part("setup")
    return TableInfo(
        id=message.text("id"),
        status=message.text("status"),
        edition=setup.text("edition"),
        seats=tuple(map(_seat, message.items("seats"))),
        public=setup.boolean("public"),
        hints=setup.boolean("hints"),
        undo=setup.boolean("undo"),
        pace=setup.integer("pace"),
        round=message.integer("round"),
        called=message.part("dice").flag("called"),
    )


def _seat(data: JsonValue) -> SeatInfo | None:
    if data is None:
        return None
    seat = _Message(_object(data), "table.seats.")
    return SeatInfo(
        seat.text("name"),
        seat.text_or("bot"),
        seat.flag("away"),
        seat.text_or("stand_in"),
        seat.text_or("promise"),
    )


def _happening(message: _Message) -> Happening:
    n, what = message.integer("n"), message.part("what")
    do = what.text("do")
    match do:
        case "played":
            events = tuple(map(event_from_json, what.items("facts")))
            return Happening(n, do, what.integer("seat"), what.text("word"), events)
        case "started":
            return Happening(n, do, what.integer("first"))
        case "sat" | "named" | "bot_set":
            return Happening(n, do, what.integer("seat"), what.text("name"))
        case "emoted":
            return Happening(n, do, what.integer("seat"), what.text("emote"))
        case _:
            return Happening(n, do, what.number_or_none("seat"))


def _tip(message: _Message) -> Tip:
    worth, fail = message.real("worth"), message.real_or_none("fail")
    return Tip(message.text("move"), worth, fail)
