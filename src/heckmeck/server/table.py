"""A table as a value: the result of all entries of its log, in order.

`begin` takes the first entry, `after` every later one. Nothing here reads a clock, draws a number
or waits: the log determines the table.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias, assert_never

from heckmeck.dice_source import FairProof, promise
from heckmeck.record import BadRecord, JsonObject, Record, replay
from heckmeck.record.json_text import loads
from heckmeck.record.record_json import parse_moves
from heckmeck.rules import AnyState, BadSetup, Event, RuleError, apply, new_game, outcome, parse
from heckmeck.rules.moves import Throw
from heckmeck.server import actions as a
from heckmeck.server.actions import AnyAction, BadEntry, Word
from heckmeck.server.setup import Setup
from heckmeck.server.store import Status


@dataclass(frozen=True, slots=True)
class Person:
    """A person at the table.

    ``hash`` is that of their seat's secret. ``promise`` is the SHA-256 of the words that they will
    show, ``words`` are those that they have shown. ``stand_in`` is the bot that plays for them
    until they return.
    """

    name: str
    hash: str
    promise: str = ""
    words: str = ""
    away: bool = False
    stand_in: str | None = None

    @property
    def promised_words(self) -> str:
        """The words that were promised and then shown; empty until both have happened."""
        return self.words if self.promise and promise(self.words) == self.promise else ""


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A bot at the table."""

    name: str
    bot: str


Sitter: TypeAlias = Person | BotSeat | None


@dataclass(frozen=True, slots=True)
class Plays:
    """All words played, with the number of each entry, its seat and its sender's id.

    Rows of plain text and numbers: a server keeps hundreds of thousands of plays in memory, and
    the garbage collector need not traverse them.
    """

    words: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    seats: bytes = b""
    ids: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of words played."""
        return len(self.words)

    def add(self, n: int, seat: int, word: str, sender: str) -> "Plays":
        """Return the plays with one more."""
        return Plays(
            (*self.words, word),
            (*self.numbers, n),
            self.seats + bytes((seat,)),
            (*self.ids, sender),
        )

    def without_last(self) -> "Plays":
        """Return the plays without the last one."""
        return Plays(self.words[:-1], self.numbers[:-1], self.seats[:-1], self.ids[:-1])

    def find(self, sender: str, seats: Collection[int]) -> int | None:
        """Return the number of the entry that one of these seats sent under this id, if any."""
        for number, seat, known in zip(self.numbers, self.seats, self.ids, strict=True):
            if known == sender and seat in seats:
                return number
        return None


@dataclass(frozen=True, slots=True)
class Match:
    """The game on the table.

    ``before`` is the state before the last word, if that can be taken back. ``changed`` is the
    number of the entry that last changed the position. ``imported`` words came with a record;
    ``throws`` counts the throws since.
    """

    state: AnyState
    first: int
    drawn: bool
    words: tuple[str, ...]
    names: tuple[str, ...]
    changed: int
    before: AnyState | None = None
    plays: Plays = Plays()
    imported: int = 0
    throws: int = 0
    seed: str | None = None
    promises: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """The words of the record that a table was made from, their seats, and the resulting state."""

    words: tuple[str, ...] = ()
    seats: bytes = b""
    state: AnyState | None = None

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Table:
    """The state of a table after entry ``n``.

    ``round`` counts the games played here from 0, ``past`` are the plays of the one before:
    the last move of a game may be sent again after a rematch. ``opening`` holds the moves of the
    record that the table was created from, played once when the log is read, so that starting
    is quick. ``names`` are its players and ``extra`` its other keys as JSON. ``called`` is the
    number of the entry that called for the players' words, until the game begins.
    """

    n: int
    setup: Setup
    host: str
    commitment: str
    seats: tuple[Sitter, ...]
    status: Status = Status.WAITING
    round: int = 0
    opening: Opening = Opening()
    names: tuple[str, ...] = ()
    extra: str = ""
    match: Match | None = None
    past: Plays = Plays()
    called: int | None = None

    def person(self, seat: int) -> Person | None:
        """Return the person in this seat, if any."""
        sitter = self.seats[seat] if 0 <= seat < len(self.seats) else None
        return sitter if isinstance(sitter, Person) else None

    def name_of(self, seat: int) -> str:
        """Return the name of the player in this seat."""
        sitter = self.seats[seat]
        if sitter is not None:
            return sitter.name
        return self.names[seat] if self.names else f"Player {seat + 1}"


class Moved(NamedTuple):
    """A word of the game was played by ``seat``, with these events."""

    seat: int
    word: str
    events: tuple[Event, ...]


What: TypeAlias = AnyAction | Moved


class Step(NamedTuple):
    """The table after an entry, and the effect of the entry."""

    table: Table
    what: What


def begin(text: str) -> Step:
    """Open a table with the first entry of its log."""
    action = a.read(text)
    if not isinstance(action, a.Created):
        raise BadEntry(f"{text!r:.80} cannot be the first entry of a log")
    table = Table(
        n=0,
        setup=action.setup,
        host=action.host,
        commitment=action.commitment,
        seats=(None,) * action.setup.seats,
        opening=_opening(action),
        names=action.names,
        extra=action.extra,
    )
    return Step(table, action)


def after(table: Table, text: str) -> Step:
    """Return the table after the next entry; raise `BadEntry` if it cannot follow."""
    entry = a.read(text)
    if isinstance(entry, Word):
        return _play(table, entry)
    return Step(replace(_act(table, entry), n=table.n + 1), entry)


def fold(texts: Iterable[str]) -> Iterator[Step]:
    """Yield the steps of a whole log."""
    table: Table | None = None
    for text in texts:
        step = begin(text) if table is None else after(table, text)
        table = step.table
        yield step


# --- words of the game ----------------------------------------------------------------------------


def _play(table: Table, word: Word) -> Step:
    match = table.match
    if match is None:
        raise BadEntry(f"{word.text!r:.40} was played before the game began")
    try:
        move = parse(word.text)
        state, events = apply(match.state, move)
    except RuleError as error:
        raise BadEntry(str(error)) from error
    n, seat = table.n + 1, match.state.seat
    played = replace(
        match,
        state=state,
        before=match.state,
        plays=match.plays.add(n, seat, word.text, word.id),
        throws=match.throws + isinstance(move, Throw),
        changed=n,
    )
    status = table.status if outcome(state) is None else Status.OVER
    return Step(replace(table, n=n, match=played, status=status), Moved(seat, word.text, events))


def _opening(action: a.Created) -> Opening:
    if not action.moves:
        return Opening()
    setup = action.setup
    if setup.first is None:
        raise BadEntry("a table made from a record must have a starting seat")
    words = tuple(action.moves.split())
    seats = bytearray()
    try:
        record = Record(
            edition=setup.edition,
            seats=("",) * setup.seats,
            first=setup.first,
            house=setup.options.rules(),
            moves=parse_moves(words),
        )
        state = record.start()
        for step in replay(record):
            seats.append(state.seat)
            state = step.state
    except (BadRecord, BadSetup) as error:
        raise BadEntry(str(error)) from error
    return Opening(words, bytes(seats), state)


# --- everything else ------------------------------------------------------------------------------


SeatAction: TypeAlias = (
    a.Sat
    | a.BotSet
    | a.Left
    | a.BotRemoved
    | a.Named
    | a.PromisedWords
    | a.AddedWords
    | a.WentAway
    | a.CameBack
    | a.StoodIn
)


#: Actions that are part of the record of a game in progress.
_NAMING: Final = (a.Named, a.BotSet)


def _act(table: Table, action: AnyAction) -> Table:
    match action:
        case a.Created():
            raise BadEntry("a table can be created only once")
        case a.Changed(setup):
            return replace(table, setup=setup, seats=_resized(table.seats, setup.seats))
        case a.Called():
            return replace(table, called=table.n + 1)
        case a.Started():
            return _started(table, action)
        case a.Undone():
            return replace(table, match=_undone(table))
        case a.Revealed(seed):
            return replace(table, match=replace(_match(table), seed=seed))
        case a.Reopened(promised):
            return _reopened(table, promised)
        case a.Closed():
            return replace(table, status=Status.CLOSED)
        case a.Emoted():
            return table
        case _:
            return _seat_after(table, action)


def _seat_after(table: Table, action: SeatAction) -> Table:
    seat = action.seat
    if not 0 <= seat < len(table.seats):
        raise BadEntry(f"there is no seat {seat}")
    sitter = _sitter_after(table.person(seat), action)
    seats = (*table.seats[:seat], sitter, *table.seats[seat + 1 :])
    match = table.match
    if match is not None and table.status is Status.PLAYING and isinstance(action, _NAMING):
        names = (*match.names[:seat], action.name, *match.names[seat + 1 :])
        match = replace(match, names=names)
    return replace(table, seats=seats, match=match)


def _sitter_after(person: Person | None, action: SeatAction) -> Sitter:
    match action:
        case a.Sat(_, name, hashed):
            return Person(name, hashed)
        case a.BotSet(_, bot, name):
            return BotSeat(name, bot)
        case a.Left() | a.BotRemoved():
            return None
        case _ if person is None:
            raise BadEntry(f"nobody sits on seat {action.seat}")
        case a.Named(_, name):
            return replace(person, name=name)
        case a.PromisedWords(_, promised):
            return replace(person, promise=promised, words="")
        case a.AddedWords(_, words):
            return replace(person, words=words)
        case a.WentAway():
            return replace(person, away=True)
        case a.CameBack():
            return replace(person, away=False, stand_in=None)
        case a.StoodIn(_, bot):
            return replace(person, stand_in=bot)
        case _:
            assert_never(action)


def _match(table: Table) -> Match:
    if table.match is None:
        raise BadEntry("there is no game on the table")
    return table.match


def _resized(seats: tuple[Sitter, ...], count: int) -> tuple[Sitter, ...]:
    return seats[:count] + (None,) * (count - len(seats))


def _started(table: Table, action: a.Started) -> Table:
    n = table.n + 1
    names = tuple(map(table.name_of, range(len(table.seats))))
    opening = table.opening
    state = opening.state
    if state is None:
        setup = table.setup
        state = new_game(setup.edition, len(names), action.first, setup.options.rules())
    match = Match(
        state=state,
        first=action.first,
        drawn=action.drawn,
        words=action.words,
        names=names,
        changed=n,
        plays=Plays(
            words=opening.words,
            numbers=(n,) * len(opening),
            seats=opening.seats,
            ids=("",) * len(opening),
        ),
        imported=len(opening),
        promises=action.promises,
    )
    status = Status.PLAYING if outcome(state) is None else Status.OVER
    return replace(table, match=match, status=status, called=None)


def _undone(table: Table) -> Match:
    match = _match(table)
    if match.before is None:
        raise BadEntry("there is nothing to take back")
    return replace(
        match,
        state=match.before,
        before=None,
        plays=match.plays.without_last(),
        changed=table.n + 1,
    )


def _reopened(table: Table, commitment: str) -> Table:
    seats = tuple(
        replace(sitter, promise="", words="") if isinstance(sitter, Person) else sitter
        for sitter in table.seats
    )
    return replace(
        table,
        status=Status.WAITING,
        seats=seats,
        round=table.round + 1,
        commitment=commitment,
        match=None,
        past=Plays() if table.match is None else table.match.plays,
        opening=Opening(),
        names=(),
        extra="",
    )


# --- records --------------------------------------------------------------------------------------


def record_of(table: Table, match: Match) -> Record:
    """Return the game as a record, with the facts about its dice and its bots."""
    bots = {
        str(seat): sitter.bot
        for seat, sitter in enumerate(table.seats)
        if isinstance(sitter, BotSeat)
    }
    extra: JsonObject = {}
    if len(match.plays) > match.imported or match.imported == 0:
        extra = {"fair": _proof(table, match).to_json(), **({"bots": {**bots}} if bots else {})}
    elif table.extra:
        kept = loads(table.extra)
        extra = kept if isinstance(kept, dict) else {}
    return Record(
        edition=table.setup.edition,
        seats=match.names,
        first=match.first,
        house=table.setup.options.rules(),
        moves=parse_moves(match.plays.words),
        extra=extra,
    )


def _proof(table: Table, match: Match) -> FairProof:
    return FairProof(
        commitment=table.commitment,
        words=match.words,
        seed=None if match.seed is None else bytes.fromhex(match.seed),
        start=match.imported,
        drawn=match.drawn,
        promises=match.promises,
    )
