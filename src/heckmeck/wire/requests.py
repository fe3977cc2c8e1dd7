"""Requests: every message of a client, distinguished by ``do``, and its requests over HTTP."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from heckmeck.record import Draft, HouseOptions
from heckmeck.wire.coach import TurnSetup, Unit
from heckmeck.wire.setup import Edition, First, NewSetup, Pace, Patience, Seats, Tempo

#: The maximum size of a client's message, in bytes.
MAX_MESSAGE: Final = 4096
#: The maximum length of a name and of the salt for the dice.
MAX_NAME: Final = 24
MAX_SALT: Final = 64
#: The maximum number of secrets in one hello: a table has seven seats and a host.
MAX_SECRETS: Final = 16

Id = Annotated[
    str,
    Meta(pattern="^[A-Za-z0-9_-]{1,36}$", description="chosen by the client; the answer has it"),
]
Seat = Annotated[int, Meta(ge=0, le=6, description="a seat's number, from 0")]
Name = Annotated[str, Meta(max_length=4 * MAX_NAME)]
Salt = Annotated[str, Meta(max_length=4 * MAX_SALT)]
Promise = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", description="a SHA-256, or nothing")]
#: At least 128 bits: 22 characters of base64 have 132.
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22,64}$")]
#: Every plate has a colour and a pattern; there are as many as seats.
Plate = Annotated[int, Meta(ge=1, le=7, description="the number of a plate, from 1")]
BookId = Annotated[str, Meta(pattern="^[a-z-]{1,40}$", description="the id of a family book")]
BotName = Annotated[str, Meta(max_length=40)]
MoveText = Annotated[str, Meta(max_length=24, description="a move in the record notation")]
#: Where a push service takes messages for a browser. It comes from a client: anything may be in it.
Endpoint = Annotated[str, Meta(pattern="^https://[!-~]{1,1000}$")]
PushKey = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,100}={0,2}$")]
EntryNumber = Annotated[int, Meta(ge=-1, description="the number of an entry")]
EmoteName = Literal["cheer", "clap", "cry", "gasp", "hurry", "laugh", "sorry", "think", "worm"]


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A message of a client."""

    id: Id


class Hello(Request, frozen=True, tag="hello"):
    """The first message, also after reconnecting.

    ``last`` is the number of the last entry seen (-1: none), ``secrets`` those of all seats held
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
    """Give up a seat; during a game a bot plays on until the player returns.

    The host can free the seat of another player, during a game that of a player who is away: then
    it is a bot's.
    """

    seat: Seat


class Rename(Request, frozen=True, tag="name"):
    """Change a player's name."""

    seat: Seat
    name: Name


class ChoosePlate(Request, frozen=True, tag="plate"):
    """Choose the colour and pattern of a player's plate."""

    seat: Seat
    plate: Plate


class PromiseSalt(Request, frozen=True, tag="promise_salt"):
    """Promise salt for the dice of the next game: its SHA-256; empty takes a promise back."""

    seat: Seat
    promise: Promise


class ShowSalt(Request, frozen=True, tag="show_salt"):
    """Show the salt that was promised, when the table has called for it."""

    seat: Seat
    salt: Salt


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
    tempo: Tempo | UnsetType = UNSET
    public: bool | UnsetType = UNSET
    own_dice: bool | UnsetType = UNSET


class Start(Request, frozen=True, tag="start", omit_defaults=True):
    """Begin the game. ``empty``: remove seats that are still free, or fill them with bots."""

    empty: Literal["remove", "bots"] | None = None


class Move(Request, frozen=True, tag="move"):
    """Make a move, as of entry ``at``. Sent twice under one id, it is made once.

    Where people roll their own dice, what fell is a move too, ``=1134W``; ``roll`` may be omitted.
    """

    at: EntryNumber
    move: MoveText


class Undo(Request, frozen=True, tag="undo"):
    """Take back a keep before the next roll, if the table allows it.

    Where people roll their own dice, take back what was entered, to enter it again.
    """

    at: EntryNumber


class Rematch(Request, frozen=True, tag="rematch"):
    """Open the table for another game; all players keep their seats."""


class AskHint(Request, frozen=True, tag="hint"):
    """Ask what the legal moves are worth.

    ``unit``: the chance to win, or worms; null is the chance to win if it is known. ``warn``: to be
    warned of a mistake, which needs no permission where everybody else at the table is a bot.
    """

    unit: Unit | None = None
    warn: bool = False


class Emote(Request, frozen=True, tag="emote"):
    """Show an emotion."""

    seat: Seat
    emote: EmoteName


class SetPace(Request, frozen=True, tag="pace"):
    """Make bots play faster or slower."""

    pace: Pace


class Hurry(Request, frozen=True, tag="hurry"):
    """Ask the bot on seat ``turn`` to play the rest of its turn at once.

    It does so as soon as every person who is present has asked for it.
    """

    turn: Seat


class FillIn(Request, frozen=True, tag="fill_in"):
    """Let a bot play for a player who is away, at once, until they return."""

    seat: Seat


class Wait(Request, frozen=True, tag="wait"):
    """Wait for a player who is away, however long that takes."""

    seat: Seat


class Reclaim(Request, frozen=True, tag="reclaim"):
    """Take a seat back from the bot that fills in."""

    seat: Seat


class Subscribe(Request, frozen=True, tag="subscribe"):
    """Send a push message when it is this seat's turn and its player is not connected.

    ``endpoint``, ``p256dh`` and ``auth`` are those of the browser's push subscription;
    ``language`` is that of the message.
    """

    seat: Seat
    endpoint: Endpoint
    p256dh: PushKey
    auth: PushKey
    language: Annotated[str, Meta(pattern="^[a-z]{2}$")] = "en"


class Unsubscribe(Request, frozen=True, tag="unsubscribe"):
    """Send no more push messages there for this seat."""

    seat: Seat
    endpoint: Endpoint


class KeepIn(Request, frozen=True, tag="book"):
    """Keep the games of this table in a family book, the one that is just over too.

    ``secret`` is that of the book. Without a book, games are no longer kept, and the one that is
    just over is taken out.
    """

    book: BookId | None = None
    secret: Secret | None = None


class Close(Request, frozen=True, tag="close"):
    """Close the table for good."""


class Ping(Request, frozen=True, tag="ping"):
    """Check the connection."""


#: Requests about a seat and about the table, each carried out by one entry of the log; and those
#: that may take several.
SeatRequest: TypeAlias = (
    Leave
    | Rename
    | ChoosePlate
    | PromiseSalt
    | SetBot
    | RemoveBot
    | Emote
    | FillIn
    | Wait
    | Reclaim
)
TableRequest: TypeAlias = Options | SetPace | Hurry | Rematch
GameRequest: TypeAlias = Start | ShowSalt | Move | Undo | Close
PushRequest: TypeAlias = Subscribe | Unsubscribe
AnyRequest: TypeAlias = (
    Hello | Sit | SeatRequest | TableRequest | GameRequest | PushRequest | KeepIn | AskHint | Ping
)


# --- over HTTP ------------------------------------------------------------------------------------


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables: the setup, and bots for the last seats."""

    setup: NewSetup
    bots: Annotated[list[BotName], Meta(max_length=7)] = []


class OddsAsked(TurnSetup, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/odds: the description of a turn; see `heckmeck odds --help`."""

    unit: Unit | None = None


class PositionAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/position: a position as text or as a draft, possible or not."""

    text: Annotated[str, Meta(max_length=1000)] | None = None
    draft: Draft | None = None
    unit: Unit | None = None


# --- reading --------------------------------------------------------------------------------------


#: Errors of reading JSON: the last two for deep nesting and for text that is not UTF-8.
UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)

_decoder: Final[msgspec.json.Decoder[AnyRequest]] = msgspec.json.Decoder(AnyRequest)


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
