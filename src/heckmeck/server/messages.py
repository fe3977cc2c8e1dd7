"""The protocol: every message in either direction as a typed struct.

Clients send a `Request`, distinguished by ``do``; the server sends an `Answer`, distinguished by
``type``. The JSON Schema of both is served at ``/api/schema``, and ``docs/protocol.md`` describes
them.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from heckmeck.coach import Unit
from heckmeck.rules import Bonus
from heckmeck.rules.outcome import DecidedBy, ScoreItem
from heckmeck.server.actions import AnyAction
from heckmeck.server.frames import text_frame
from heckmeck.server.refusals import Code
from heckmeck.server.setup import (
    Edition,
    First,
    HouseOptions,
    Pace,
    Patience,
    Seats,
    Setup,
)
from heckmeck.server.store import Status

#: The version of the protocol, sent in `Welcome`.
PROTOCOL: Final = 2
#: The maximum size of a client's message, in bytes.
MAX_MESSAGE: Final = 4096
#: The maximum length of a name and of the words for the dice.
MAX_NAME: Final = 24
MAX_WORDS: Final = 64
#: The maximum number of secrets in one hello: a table has seven seats and a host.
MAX_SECRETS: Final = 16

Id = Annotated[
    str,
    Meta(pattern="^[A-Za-z0-9_-]{1,36}$", description="chosen by the client; the answer has it"),
]
Seat = Annotated[int, Meta(ge=0, le=6, description="a seat's number, from 0")]
Name = Annotated[str, Meta(max_length=4 * MAX_NAME)]
Words = Annotated[str, Meta(max_length=4 * MAX_WORDS)]
Promise = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", description="a SHA-256, or nothing")]
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22,64}$")]
BotName = Annotated[str, Meta(max_length=40)]
GameWord = Annotated[str, Meta(max_length=24, description="a move in the record notation")]
EntryNumber = Annotated[int, Meta(ge=-1, description="the number of an event")]
EmoteName = Literal["cheer", "clap", "cry", "gasp", "hurry", "laugh", "sorry", "think", "worm"]


# --- from the client ------------------------------------------------------------------------------


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A message of a client."""

    id: Id


class Hello(Request, frozen=True, tag="hello"):
    """The first message, also after reconnecting.

    ``last`` is the number of the last event seen (-1: none), ``secrets`` those of all seats held
    on this device, and the host's.
    """

    last: EntryNumber = -1
    secrets: Annotated[list[Secret], Meta(max_length=MAX_SECRETS)] = []


class Sit(Request, frozen=True, tag="sit"):
    """Take a seat: this one, or any free one.

    A client that chooses the secret itself can send the same request again and is safe against
    losing the answer; otherwise the server creates a secret.
    """

    name: Name = ""
    seat: Seat | None = None
    secret: Secret | None = None


class Leave(Request, frozen=True, tag="leave"):
    """Give up a seat; during a game a bot plays on until the player returns."""

    seat: Seat


class Rename(Request, frozen=True, tag="name"):
    """Change a player's name."""

    seat: Seat
    name: Name


class PromiseWords(Request, frozen=True, tag="promise_words"):
    """Promise words for the dice of the next game: their SHA-256; empty takes a promise back."""

    seat: Seat
    promise: Promise


class ShowWords(Request, frozen=True, tag="show_words"):
    """Show the words that were promised, when the table has called for them."""

    seat: Seat
    words: Words


class SetBot(Request, frozen=True, tag="set_bot"):
    """Put a bot in a free seat, or in place of another bot or, as the host, of a player."""

    seat: Seat
    bot: BotName
    name: Name | None = None


class RemoveBot(Request, frozen=True, tag="remove_bot"):
    """Free a bot's seat."""

    seat: Seat


class Options(Request, frozen=True, tag="options", omit_defaults=True):
    """Change the setup of the table; omitted values stay as they are."""

    edition: Edition | UnsetType = UNSET
    seats: Seats | UnsetType = UNSET
    options: HouseOptions | UnsetType = UNSET
    first: First | UnsetType | None = UNSET
    pace: Pace | UnsetType = UNSET
    patience: Patience | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    undo: bool | UnsetType = UNSET


class Start(Request, frozen=True, tag="start"):
    """Begin the game."""


class MoveRequest(Request, frozen=True, tag="move"):
    """Play a word, as of event ``at``. Sent twice under one id, it is played once."""

    at: EntryNumber
    word: GameWord


class Undo(Request, frozen=True, tag="undo"):
    """Take back a keep before the next roll, if the table allows it."""

    at: EntryNumber


class Rematch(Request, frozen=True, tag="rematch"):
    """Open the table for another game; all players keep their seats."""


class AskHint(Request, frozen=True, tag="hint"):
    """Ask what the legal moves are worth.

    ``unit``: the chance to win, or worms; null is the chance to win if it is known.
    """

    unit: Unit | None = None


class Emote(Request, frozen=True, tag="emote"):
    """Show an emotion."""

    seat: Seat
    emote: EmoteName


class SetPace(Request, frozen=True, tag="pace"):
    """Make bots play faster or slower."""

    pace: Pace


class Reclaim(Request, frozen=True, tag="reclaim"):
    """Take a seat back from the bot that fills in."""

    seat: Seat


class Close(Request, frozen=True, tag="close"):
    """Close the table for good."""


class Ping(Request, frozen=True, tag="ping"):
    """Check the connection."""


AnyRequest: TypeAlias = (
    Hello
    | Sit
    | Leave
    | Rename
    | PromiseWords
    | ShowWords
    | SetBot
    | RemoveBot
    | Options
    | Start
    | MoveRequest
    | Undo
    | Rematch
    | AskHint
    | Emote
    | SetPace
    | Reclaim
    | Close
    | Ping
)


# --- what both sides talk about -------------------------------------------------------------------


class TurnInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The turn in progress, by the contract in ``docs/record.md``."""

    kept: str
    total: int
    hand: int
    golden: bool
    roll: str | None
    golden_roll: str | None
    weasel_used: bool


class Prospect(Struct, frozen=True, omit_defaults=True):
    """A possible result of the turn with these dice kept: the total, and what ending would do.

    ``result`` is the number that counts, null without a worm. When the player decides, ``bonus``
    is what would come with the tile (deluxe): a Specialist, or ``bratworm``; ``dead`` is the chance
    that the next roll is dead, and ``safe`` whether that costs nothing.
    """

    total: int
    ending: dict[str, Any]  # one of many kinds, see `schema`
    result: int | None = None
    bratworm: bool = False
    bonus: Bonus | None = None
    dead: float | None = None
    safe: bool = False


class CountedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a player's final count and the worms it brings."""

    item: ScoreItem
    worms: int


class FinalCount(Struct, frozen=True, forbid_unknown_fields=True):
    """The final count; ``sheets`` and ``tie_breaks`` are by seat, ``ranking`` is best first.

    ``tie_breaks`` are the highest tiles, in barbecue the highest spots with a plate; null for a
    player without one, and if nothing breaks a tie.
    """

    sheets: list[list[CountedLine]]
    ranking: list[list[int]]
    decided_by: DecidedBy
    tie_breaks: list[int | None]


class GameState(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a game, by the contract in ``docs/record.md``, with additions.

    ``prospects`` are those of the dice kept so far, under ``stop`` (even if the player has to go
    on), and of those with one more face, under the word that keeps it. ``stack_worms`` is the
    number of worms on each player's tiles; empty in barbecue, which has no stacks. ``count`` is
    null until the game is over.
    """

    edition: str
    seats: int
    options: HouseOptions
    to_move: int
    awaits: Literal["player", "dice", "nobody"]
    legal: list[str]
    turn: TurnInfo
    table: dict[str, Any]  # one of four kinds, see `schema`
    scores: list[int]
    over: bool
    winners: list[int]
    prospects: dict[str, Prospect]
    stack_worms: list[int]
    count: FinalCount | None


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """The player in a seat.

    ``bot`` is the bot that owns the seat. ``promise`` is the SHA-256 of the words that a person
    will show, ``words`` are those already shown. ``stand_in`` is the bot that plays for a
    person who is ``away`` or has left.
    """

    name: str
    bot: str | None = None
    promise: str = ""
    words: str = ""
    away: bool = False
    stand_in: str | None = None


class DiceInfo(Struct, frozen=True, omit_defaults=True):
    """The commitment to the table's dice.

    ``called``: the game is about to begin, all promises are final and the words are to be shown.
    ``promises`` and ``words``, by seat, are those of the game that has begun.
    """

    commitment: str
    called: bool = False
    promises: tuple[str, ...] | None = None
    words: tuple[str, ...] | None = None
    seed: str | None = None


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table without its game. ``round`` counts its games; a free seat is null.

    ``names`` are those in the record that the table was created from, ``moves`` is the number of
    its moves.
    """

    id: str
    status: Status
    round: int
    setup: Setup
    seats: list[SeatInfo | None]
    dice: DiceInfo
    names: tuple[str, ...] = ()
    moves: int = 0


class Played(Struct, frozen=True, tag_field="do", tag="played"):
    """A word of the game was played; ``facts`` are its events."""

    seat: int
    word: str
    facts: list[dict[str, Any]]  # one of many kinds, see `schema`


class Happening(Struct, frozen=True):
    """Event number ``n`` of a table."""

    n: int
    what: AnyAction | Played


class You(Struct, frozen=True):
    """What this client may do: play these seats, host the table."""

    seats: list[int]
    host: bool


class Advice(Struct, frozen=True, omit_defaults=True):
    """The worth of a move, and the chance that the turn then fails."""

    move: str
    worth: float
    fail: float | None = None


# --- from the server ------------------------------------------------------------------------------


class Answer(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """A message of the server."""


class Welcome(Answer, frozen=True, tag="welcome"):
    """The answer to hello: a snapshot of the table after event ``n``.

    ``missed`` holds the events after the client's last one; it is missing if there were too many.
    """

    id: str
    protocol: int
    n: int
    you: You
    table: TableInfo
    state: GameState | None = None
    missed: list[Happening] | None = None


class Ok(Answer, frozen=True, tag="ok"):
    """Done, and on disk: event ``n`` is the (first) one it caused."""

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
    code: Code
    message: str
    n: int | None = None
    table: TableInfo | None = None
    state: GameState | None = None
    wait: float | None = None


class Events(Answer, frozen=True, tag="events"):
    """Events, in order and without gaps; ``table`` and ``state`` are included if they changed."""

    events: list[Happening]
    table: TableInfo | None = None
    state: GameState | None = None


class YouNow(Answer, frozen=True, tag="you"):
    """The rights of this client have changed."""

    you: You


class Hint(Answer, frozen=True, tag="hint"):
    """Every legal move and what it is worth, best first, on the table after event ``n``."""

    id: str
    n: int
    unit: str
    moves: list[Advice]


class Pong(Answer, frozen=True, tag="pong"):
    """The connection works; ``n`` is the number of the table's last event."""

    id: str
    n: int


AnyAnswer: TypeAlias = Welcome | Ok | Seated | Refusal | Events | YouNow | Hint | Pong


# --- over HTTP ------------------------------------------------------------------------------------


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables: the setup, and bots for the last seats."""

    setup: Setup
    bots: Annotated[list[BotName], Meta(max_length=7)] = []


class OddsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/odds: the description of a turn; see `heckmeck odds --help`."""

    edition: str
    holding: Literal["canned", "golden", "weasel"] | None = None
    kept: Annotated[str, Meta(max_length=9)] = ""
    hand: Annotated[int, Meta(ge=0, le=9)] | None = None
    roll: Annotated[str, Meta(max_length=12)] | None = None
    unit: Unit | None = None


class TableMade(Struct, frozen=True):
    """A new table; the holder of the secret is the host."""

    id: str
    secret: str
    path: str


class TableNow(Struct, frozen=True, omit_defaults=True):
    """The table after event ``n``."""

    n: int
    table: TableInfo
    state: GameState | None = None


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


class ReplayStep(Struct, frozen=True):
    """One move of a game, its events, and the state after it."""

    word: str
    facts: list[dict[str, Any]]
    state: GameState


class Replay(Struct, frozen=True):
    """A page of a game, move by move: its moves from number ``first`` on.

    ``moves`` is how many moves the game has, ``start`` the state before the page's first one.
    """

    names: tuple[str, ...]
    moves: int
    first: int
    start: GameState
    steps: list[ReplayStep]


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

    code: Code
    message: str
    wait: float | None = None


_decoder: Final[msgspec.json.Decoder[AnyRequest]] = msgspec.json.Decoder(AnyRequest)
_encoder: Final = msgspec.json.Encoder()


#: Errors of reading JSON: the last two for deep nesting and for text that is not UTF-8.
UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


def read_request(text: str | bytes) -> AnyRequest:
    """Return the request; raise one of `UNREADABLE` if it is not valid."""
    return _decoder.decode(text)


class _OnlyId(Struct):
    id: Id | None = None


_id_decoder: Final = msgspec.json.Decoder(_OnlyId)


def id_in(text: str | bytes) -> str | None:
    """Return the id of a message that is not a valid request, if it has one."""
    try:
        return _id_decoder.decode(text).id
    except UNREADABLE:
        return None


def write(message: Struct) -> str:
    """Return the message as JSON."""
    return _encoder.encode(message).decode()


def frame(message: Answer) -> bytes:
    """Return the message as a WebSocket frame: made once, however many it is sent to."""
    return text_frame(_encoder.encode(message))
