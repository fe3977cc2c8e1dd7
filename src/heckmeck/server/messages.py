"""The wire: every message in either direction as a typed struct.

Clients send a `Request`, told apart by ``do``; the server sends an `Answer`, told apart by
``type``. The JSON Schema of both is served at ``/api/schema``, and ``docs/protocol.md`` tells
the story.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from heckmeck.coach import Unit
from heckmeck.rules import Bonus
from heckmeck.rules.outcome import DecidedBy, ScoreItem
from heckmeck.server.actions import AnyAction
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

#: The protocol's version, told in `Welcome`.
PROTOCOL: Final = 1
#: Bytes of one message from a client, at most.
MAX_MESSAGE: Final = 4096
#: Letters of a name and of the words for the dice, at most.
MAX_NAME: Final = 24
MAX_WORDS: Final = 64
#: Secrets in one hello, at most: a table has seven seats and a host.
MAX_SECRETS: Final = 16

Id = Annotated[
    str,
    Meta(pattern="^[A-Za-z0-9_-]{1,36}$", description="chosen by the client; the answer has it"),
]
Seat = Annotated[int, Meta(ge=0, le=6, description="a seat's number, from 0")]
Name = Annotated[str, Meta(max_length=4 * MAX_NAME)]
Words = Annotated[str, Meta(max_length=4 * MAX_WORDS)]
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22,64}$")]
BotName = Annotated[str, Meta(max_length=40)]
GameWord = Annotated[str, Meta(max_length=24, description="a move in the record notation")]
EntryNumber = Annotated[int, Meta(ge=-1, description="the number of an event")]
EmoteName = Literal["cheer", "clap", "cry", "gasp", "hurry", "laugh", "sorry", "think", "worm"]


# --- from the client ------------------------------------------------------------------------------


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """What a client sends."""

    id: Id


class Hello(Request, frozen=True, tag="hello"):
    """The first message, also after a reconnection.

    ``last`` is the number of the last event seen (-1: none), ``secrets`` those of all seats held
    on this device, and the host's.
    """

    last: EntryNumber = -1
    secrets: Annotated[list[Secret], Meta(max_length=MAX_SECRETS)] = []


class Sit(Request, frozen=True, tag="sit"):
    """Take a seat: this one, or any free one.

    A client that brings a secret of its own can send the same request again and is safe from
    losing the answer; otherwise the server makes a secret.
    """

    name: Name = ""
    seat: Seat | None = None
    secret: Secret | None = None


class Leave(Request, frozen=True, tag="leave"):
    """Give up a seat; during a game a bot plays on until the player comes back."""

    seat: Seat


class Rename(Request, frozen=True, tag="name"):
    """Change a player's name."""

    seat: Seat
    name: Name


class AddWords(Request, frozen=True, tag="add_words"):
    """Choose the words that are mixed into the dice of this seat's next game."""

    seat: Seat
    words: Words


class SetBot(Request, frozen=True, tag="set_bot"):
    """Put a bot on a free seat, or in the place of a bot, or, as the host, of a player."""

    seat: Seat
    bot: BotName
    name: Name | None = None


class RemoveBot(Request, frozen=True, tag="remove_bot"):
    """Free a bot's seat."""

    seat: Seat


class Options(Request, frozen=True, tag="options", omit_defaults=True):
    """Set the table up differently: what is not given stays."""

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
    """Play a word, seen from event ``at``. Sent twice under one id it is played once."""

    at: EntryNumber
    word: GameWord


class Undo(Request, frozen=True, tag="undo"):
    """Take back a keep before the next throw, if the table allows it."""

    at: EntryNumber


class Rematch(Request, frozen=True, tag="rematch"):
    """Open the table for another game; everybody keeps their seat."""


class AskHint(Request, frozen=True, tag="hint"):
    """Ask what the moves of the player to move are worth.

    ``unit``: the chance to win, or worms; null is the chance to win where it is known.
    """

    unit: Unit | None = None


class Emote(Request, frozen=True, tag="emote"):
    """Show everybody how a player feels."""

    seat: Seat
    emote: EmoteName


class SetPace(Request, frozen=True, tag="pace"):
    """Let bots play faster or slower."""

    pace: Pace


class Reclaim(Request, frozen=True, tag="reclaim"):
    """Take a seat back from the bot that stands in."""

    seat: Seat


class Close(Request, frozen=True, tag="close"):
    """Close the table for good."""


class Ping(Request, frozen=True, tag="ping"):
    """Ask whether the server is there."""


AnyRequest: TypeAlias = (
    Hello
    | Sit
    | Leave
    | Rename
    | AddWords
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
    """The turn under way, by the contract in ``docs/record.md``."""

    kept: str
    total: int
    hand: int
    golden: bool
    roll: str | None
    golden_roll: str | None
    weasel_used: bool


class Prospect(Struct, frozen=True, omit_defaults=True):
    """What a turn would be with these dice set aside: its total, and what ending it would do.

    ``result`` is the number that counts, null without a worm. Where the player decides, ``bonus``
    is what would come with the tile (deluxe): a Specialist, or ``bratworm``; ``dead`` is the chance
    that the next throw is dead, and ``safe`` whether that costs nothing.
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
    """How a game ended; ``sheets`` and ``tie_breaks`` are by seat, ``ranking`` from the best on.

    ``tie_breaks`` are the highest tiles, in barbecue the highest spots with a plate; null for a
    player without one, and where nothing breaks a tie.
    """

    sheets: list[list[CountedLine]]
    ranking: list[list[int]]
    decided_by: DecidedBy
    tie_breaks: list[int | None]


class GameState(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a game, by the contract in ``docs/record.md``, and what else the rules know.

    ``prospects`` are those of the dice set aside so far, under ``stop`` (even where the player has
    to go on), and of those with a face more, under the word that keeps it. ``stack_worms`` is, by
    seat, how many worms are on the tiles there; empty in barbecue, which has no stacks. ``count``
    is null until the game is over.
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
    """Who sits on a seat.

    ``bot`` names the bot whose seat it is. ``stand_in`` names the bot that plays for a person who
    is ``away`` or has left.
    """

    name: str
    bot: str | None = None
    words: str = ""
    away: bool = False
    stand_in: str | None = None


class DiceInfo(Struct, frozen=True, omit_defaults=True):
    """What the table promises about its dice; ``words`` are final once the game has begun."""

    commitment: str
    words: tuple[str, ...] | None = None
    seed: str | None = None


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table without its game. ``round`` counts its games; a free seat is null.

    ``names`` are those in the record that the table was made from, ``moves`` how many moves it
    brought.
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
    """A word of the game was played; ``facts`` is all that happened because of it."""

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
    """What a move is worth, and how likely the turn fails after it."""

    move: str
    worth: float
    fail: float | None = None


# --- from the server ------------------------------------------------------------------------------


class Answer(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """What the server sends."""


class Welcome(Answer, frozen=True, tag="welcome"):
    """The answer to hello: the table as it is after event ``n``.

    ``missed`` holds the events after the client's last one; without it they were too many, and
    the snapshot has to do.
    """

    id: str
    protocol: int
    n: int
    you: You
    table: TableInfo
    state: GameState | None = None
    missed: list[Happening] | None = None


class Ok(Answer, frozen=True, tag="ok"):
    """Done, and on disk: event ``n`` is the (first) one that it made."""

    id: str
    n: int


class Seated(Answer, frozen=True, tag="seated"):
    """You have the seat. Keep the secret: it brings you back, on any device."""

    id: str
    n: int
    seat: int
    secret: str


class Refusal(Answer, frozen=True, tag="refused"):
    """Not done. ``n``, ``table`` and ``state`` tell how things stand, where that matters."""

    id: str | None
    code: Code
    message: str
    n: int | None = None
    table: TableInfo | None = None
    state: GameState | None = None


class Events(Answer, frozen=True, tag="events"):
    """What happened, in order, without a gap. ``table`` and ``state`` are there if they changed."""

    events: list[Happening]
    table: TableInfo | None = None
    state: GameState | None = None


class YouNow(Answer, frozen=True, tag="you"):
    """What this client may do has changed."""

    you: You


class Hint(Answer, frozen=True, tag="hint"):
    """Every legal move and what it is worth, best first, on the table after event ``n``."""

    id: str
    n: int
    unit: str
    moves: list[Advice]


class Pong(Answer, frozen=True, tag="pong"):
    """The server is there; ``n`` is the number of the table's last event."""

    id: str
    n: int


AnyAnswer: TypeAlias = Welcome | Ok | Seated | Refusal | Events | YouNow | Hint | Pong


# --- over HTTP ------------------------------------------------------------------------------------


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """What POST /api/tables takes: the setup, and bots for the last seats."""

    setup: Setup
    bots: Annotated[list[BotName], Meta(max_length=7)] = []


class OddsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What POST /api/odds takes: a turn as somebody describes it; see `heckmeck odds --help`."""

    edition: str
    holding: Literal["canned", "golden", "weasel"] | None = None
    kept: Annotated[str, Meta(max_length=9)] = ""
    hand: Annotated[int, Meta(ge=0, le=9)] | None = None
    roll: Annotated[str, Meta(max_length=12)] | None = None
    unit: Unit | None = None


class TableMade(Struct, frozen=True):
    """A new table; the secret makes its holder the host."""

    id: str
    secret: str
    path: str


class TableNow(Struct, frozen=True, omit_defaults=True):
    """A table as it is after event ``n``."""

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
    """An edition: how many can play, with which dice, and whether it has house rules."""

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
    """One move of a game, what happened, and the state after it."""

    word: str
    facts: list[dict[str, Any]]
    state: GameState


class Replay(Struct, frozen=True):
    """A game from its first state, move by move."""

    names: tuple[str, ...]
    start: GameState
    steps: list[ReplayStep]


class Health(Struct, frozen=True):
    """How the server is. ``storage``: its tables can be read and written; without, it is not ok."""

    ok: bool
    storage: bool
    version: str
    uptime: float
    tables: dict[str, int]
    live_tables: int
    connections: int


class Ready(Struct, frozen=True):
    """Whether tables can be played at just now."""

    ready: bool


class Problem(Struct, frozen=True, tag_field="type", tag="problem"):
    """An HTTP request that was refused."""

    code: Code
    message: str


_decoder: Final[msgspec.json.Decoder[AnyRequest]] = msgspec.json.Decoder(AnyRequest)
_encoder: Final = msgspec.json.Encoder()


def read_request(text: str | bytes) -> AnyRequest:
    """Return the request; raise `msgspec.MsgspecError` if it is none."""
    return _decoder.decode(text)


class _OnlyId(Struct):
    id: Id | None = None


_id_decoder: Final = msgspec.json.Decoder(_OnlyId)


def id_in(text: str | bytes) -> str | None:
    """Return the id of a message that is no request, if it has one."""
    try:
        return _id_decoder.decode(text).id
    except msgspec.MsgspecError:
        return None


def write(message: Struct) -> str:
    """Return the message as JSON."""
    return _encoder.encode(message).decode()
