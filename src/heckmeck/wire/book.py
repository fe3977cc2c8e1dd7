"""Family books: all games of a group of people, as programs ask for them and read them.

A book is found by its id and opened by its secret, which comes in the header ``Authorization:
Bearer SECRET`` and never in an address. All messages are sent over HTTP.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from heckmeck.wire.requests import Name

#: The maximum length of a book's name.
MAX_TITLE: Final = 40
#: The maximum number of names that one request can change.
MOST_NAMES: Final = 50

Title = Annotated[str, Meta(max_length=4 * MAX_TITLE)]

#: What is worth telling of a game or a season; ``docs/analysis.md`` defines each.
HonourKind: TypeAlias = Literal[
    "steals",
    "robbed",
    "tile",
    "total",
    "run",
    "fails",
    "worms",
    "margin",
    "bratworms",
    "snails",
    "streak",
    "comeback",
    "lucky_roll",
    "unlucky_roll",
    "flawless",
    "against",
]


# --- what is asked --------------------------------------------------------------------------------


class NewBook(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/books; also that of a new name for a book."""

    name: Title


class SameName(Struct, frozen=True, forbid_unknown_fields=True):
    """Show people who played under these names as ``to``; a name as itself is separate again."""

    names: Annotated[list[Name], Meta(min_length=1, max_length=MOST_NAMES)]
    to: Name


# --- what is answered -----------------------------------------------------------------------------


class BookMade(Struct, frozen=True):
    """A new book. Everybody who has the secret can read and change it: keep the link."""

    id: str
    secret: str
    path: str


class GamesAdded(Struct, frozen=True):
    """What became of the games of a file: added, there already, or without room in the book."""

    added: int
    known: int
    left_out: int


class Person(Struct, frozen=True):
    """Somebody in a book, and the names that they played under."""

    name: str
    names: list[str]


class Standing(Struct, frozen=True):
    """A player's row in the standings of an edition; ``bot`` if it is a computer player.

    ``share`` is the mean share of the win, ``place`` the mean place from 1.
    """

    name: str
    bot: str | None
    games: int
    wins: int
    share: float
    worms: int
    place: float


class EditionStandings(Struct, frozen=True):
    """The standings of an edition: people first, then bots, the most wins first."""

    edition: str
    games: int
    rows: list[Standing]


class Mean(Struct, frozen=True):
    """A mean over games, and its standard error (null for a single game)."""

    mean: float
    error: float | None
    count: int


class Form(Struct, frozen=True):
    """The luck and skill of a person over the season, in chances to win.

    ``luck`` and ``given_away`` are means over the games judged, ``even`` is the share of wins with
    even luck. ``course`` has numbers of games, and the sums of luck and of what was given
    away after them.
    """

    name: str
    luck: Mean
    given_away: Mean
    even: Mean
    course: list[tuple[int, float, float]]


class Honour(Struct, frozen=True):
    """The best of its kind in the season; ``edition`` is null if it is the best of all editions.

    ``table`` and ``game`` name the game, ``index`` the number of moves after which it happened.
    """

    kind: HonourKind
    edition: str | None
    name: str
    value: float
    at: str
    table: str
    game: int
    index: int


class BookGame(Struct, frozen=True):
    """A game in the book; ``names``, ``scores`` and ``places`` (from 1) are by seat.

    ``bots`` are by seat, as in a record. ``judged`` is null until luck and skill are known, and
    false if they never will be, because no champion knows the house rules.
    """

    table: str
    game: int
    at: str
    edition: str
    names: list[str]
    bots: dict[str, str]
    scores: list[int]
    places: list[int]
    judged: bool | None


class Book(Struct, frozen=True):
    """A book in a season: the games that ended in it, newest first, and what they add up to.

    ``total`` counts all games of the book, ``since`` is the time of the first. ``waiting`` games
    have not been judged yet. ``more``: only the newest games are listed.
    """

    id: str
    name: str
    created: str
    total: int
    since: str | None
    count: int
    waiting: int
    people: list[Person]
    standings: list[EditionStandings]
    form: list[Form]
    honours: list[Honour]
    games: list[BookGame]
    more: bool
