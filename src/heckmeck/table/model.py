"""A table as a value: the result of all entries of its log, in order.

`begin` takes the first entry, `after` every later one. Nothing here reads a clock, draws a number
or waits: the log determines the table. Values are structs because these are quick to copy.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from heckmeck import rules
from heckmeck.dice import FairProof, promise
from heckmeck.record import (
    BadPosition,
    BadRecord,
    JsonObject,
    Record,
    forms,
    json_text,
    read_position,
    replay,
)
from heckmeck.rules.moves import Keep, Roll, Throw
from heckmeck.rules.state import Falling
from heckmeck.wire import entries as a
from heckmeck.wire.entries import AnyEntry, BadEntry, LoggedMove
from heckmeck.wire.setup import Setup, Status


class Person(Struct, frozen=True):
    """A person at the table.

    ``hash`` is that of their seat's secret. ``promise`` is the SHA-256 of the salt that they will
    show, ``salt`` is what they have shown. ``stand_in`` is the bot that plays for them
    until they return; ``once``: at most to the end of the turn. ``awaited``: the others wait for
    them instead, however long they are away.
    """

    name: str
    hash: str
    promise: str = ""
    salt: str = ""
    away: bool = False
    stand_in: str | None = None
    once: bool = False
    awaited: bool = False

    @property
    def shown_salt(self) -> str:
        """The salt that was promised and then shown; empty until both have happened."""
        return self.salt if self.promise and promise(self.salt) == self.promise else ""


class BotSeat(Struct, frozen=True):
    """A bot at the table."""

    name: str
    bot: str


Sitter: TypeAlias = Person | BotSeat | None


class Play(NamedTuple):
    """A move that was made: the number of its entry, its seat, and its sender's id."""

    n: int
    seat: int
    move: str
    id: str


class Plays(Struct, frozen=True):
    """All moves made.

    One text with a line per move: it grows with every move, and a server keeps hundreds of
    thousands of plays in memory, so it must be quick to copy and nothing to the garbage collector.
    """

    text: str = ""

    def __len__(self) -> int:
        """Return the number of moves made."""
        return self.text.count("\n")

    def __iter__(self) -> Iterator[Play]:
        """Yield the moves in order."""
        return map(_read_play, self.text.splitlines())

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves."""
        return tuple([play.move for play in self])

    def add(self, n: int, seat: int, move: str, sender: str) -> "Plays":
        """Return the plays with one more."""
        return Plays(f"{self.text}{n} {seat} {move} {sender}\n")

    def without_last(self) -> "Plays":
        """Return the plays without the last one."""
        return Plays(self.text[: self.text.rfind("\n", 0, -1) + 1])

    def find(self, sender: str, seats: Collection[int]) -> int | None:
        """Return the number of the entry that one of these seats sent under this id, if any."""
        if f" {sender}\n" not in self.text:
            return None
        return next((play.n for play in self if play.id == sender and play.seat in seats), None)


def _read_play(line: str) -> Play:
    n, seat, move, sender = line.split(" ")
    return Play(int(n), int(seat), move, sender)


class Match(Struct, frozen=True):
    """The game on the table.

    ``before`` are the states before the last moves that can be taken back: a keep, after which its
    player is still to move; where people roll their own dice, also what fell and the roll that
    began the next turn. ``changed`` is the number of the entry that last changed the position,
    ``asked`` that of the entry since which the player to move, or the bot that plays for them, is
    asked to move. ``imported`` moves came with a record; ``throws`` counts the throws since.
    ``hurried`` are the seats whose players want the bot's turn to be over. ``series`` is the score
    of the table before this game.
    """

    state: rules.AnyState
    first: int
    drawn: bool
    salts: tuple[str, ...]
    names: tuple[str, ...]
    changed: int
    asked: int
    before: tuple[rules.AnyState, ...] = ()
    plays: Plays = Plays()
    imported: int = 0
    throws: int = 0
    seed: str | None = None
    promises: tuple[str, ...] = ()
    hurried: tuple[int, ...] = ()
    series: "tuple[SeriesScore, ...]" = ()


class Opening(Struct, frozen=True):
    """The moves of the record that a table was made from, their seats, and the resulting state.

    ``position`` is the one that the record began with, if any.
    """

    moves: tuple[str, ...] = ()
    seats: bytes = b""
    state: rules.AnyState | None = None
    position: rules.AnyState | None = None

    def __bool__(self) -> bool:
        """Whether the table was made from a record."""
        return self.state is not None

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self.moves)

    def plays(self, n: int) -> Plays:
        """Return the moves as if they had been made by entry ``n``."""
        rows = zip(self.seats, self.moves, strict=True)
        return Plays("".join([f"{n} {seat} {move} \n" for seat, move in rows]))


class SeriesScore(Struct, frozen=True):
    """What a player has won in the games at a table; ``key`` is the same in all of them."""

    key: str
    name: str
    games: int = 0
    wins: int = 0
    worms: int = 0


class Owed(Struct, frozen=True):
    """A game that a family book has to keep, or to drop if ``book`` is empty, since entry ``n``."""

    game: int
    n: int
    book: str


#: The plates by seat as they are given out: neighbours differ most.
PLATES: Final = (1, 4, 3, 5, 2, 6, 7)


class Table(Struct, frozen=True):
    """The state of a table after entry ``n``.

    ``round`` counts the games played here from 0, ``past`` are the plays of the one before:
    the last move of a game may be sent again after a rematch. ``opening`` holds the moves of the
    record that the table was created from, played once when the log is read, so that starting
    is quick. ``names`` are its players and ``extra`` its other keys as JSON. ``called`` is the
    number of the entry that called for the players' salt, until the game begins. ``series`` counts
    the games that were finished here. ``plates`` are the numbers of the plates by seat, no two
    alike. ``book`` is the family book that keeps the games, ``owed`` are the games that it
    has yet to keep or to drop.
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
    series: tuple[SeriesScore, ...] = ()
    plates: tuple[int, ...] = PLATES
    book: str = ""
    owed: tuple[Owed, ...] = ()

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
    """A move was made by ``seat``, with these events; ``id`` is the sender's."""

    seat: int
    move: str
    events: tuple[rules.Event, ...]
    id: str = ""


What: TypeAlias = AnyEntry | Moved


class Step(NamedTuple):
    """The table after an entry, and the effect of the entry."""

    table: Table
    what: What

    @property
    def text(self) -> str:
        """The entry in the log."""
        what = self.what
        return a.write(LoggedMove(what.move, what.id) if isinstance(what, Moved) else what)


def texts(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the entries of these steps as they are in the log."""
    return tuple(step.text for step in steps)


def begin(action: AnyEntry | LoggedMove) -> Step:
    """Open a table with the first entry of its log."""
    if not isinstance(action, a.Created):
        raise BadEntry(f"{a.write(action)!r:.80} cannot be the first entry of a log")
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


def after(table: Table, entry: AnyEntry | LoggedMove) -> Step:
    """Return the table after the next entry; raise `BadEntry` if it cannot follow."""
    if isinstance(entry, LoggedMove):
        return _replayed(table, entry)
    return Step(replace(_act(table, entry), n=table.n + 1), entry)


def fold(texts: Iterable[str]) -> Iterator[Step]:
    """Yield the steps of a whole log."""
    table: Table | None = None
    for text in texts:
        entry = a.read(text)
        step = begin(entry) if table is None else after(table, entry)
        table = step.table
        yield step


# --- moves ----------------------------------------------------------------------------------------


def _replayed(table: Table, played: LoggedMove) -> Step:
    if table.match is None:
        raise BadEntry(f"{played.text!r:.40} was played before the game began")
    try:
        return play(table, table.match, rules.parse(played.text), played.id)
    except rules.RuleError as error:
        raise BadEntry(str(error)) from error


def play(table: Table, match: Match, move: rules.Move, sender: str = "") -> Step:
    """Play a move in the game on the table; raise `RuleError` if it is not legal."""
    state, events = rules.apply(match.state, move)
    n, seat, text = table.n + 1, match.state.seat, rules.word(move)
    played = replace(
        match,
        state=state,
        before=_way_back(table, match, move, state),
        plays=match.plays.add(n, seat, text, sender),
        throws=match.throws + isinstance(move, Throw),
        changed=n,
        hurried=match.hurried if state.seat == seat else (),
        asked=n,
    )
    status = table.status if rules.outcome(state) is None else Status.OVER
    goes_on = state.seat == seat and status is not Status.OVER
    seats = table.seats if goes_on else _relieved(table.seats, seat)
    series = _series_after(table, played) if status is Status.OVER else table.series
    owed = _owing(table, n, table.book) if status is Status.OVER and table.book else table.owed
    after = replace(table, n=n, match=played, status=status, seats=seats, series=series, owed=owed)
    return Step(after, Moved(seat, text, events, sender))


def _owing(table: Table, n: int, book: str) -> tuple[Owed, ...]:
    """Return what is owed after entry ``n``, which concerns the game on the table."""
    others = [owed for owed in table.owed if owed.game != table.round]
    return (*others, Owed(table.round, n, book))


def _series_after(table: Table, match: Match) -> tuple[SeriesScore, ...]:
    """Return the series with the game that has just ended: the most wins first, then worms.

    A game that has ended before, by dice that were corrected since, counts once. A person is known
    by their seat's secret, a bot by its name.
    """
    end = rules.outcome(match.state)
    if end is None:
        return table.series
    scores = {score.key: score for score in match.series}
    for seat, (name, worms) in enumerate(zip(match.names, end.scores, strict=True)):
        person = table.person(seat)
        key = person.hash if person else name
        old = scores.get(key, SeriesScore(key, name))
        wins = old.wins + (seat in end.winners)
        scores[key] = SeriesScore(key, name, old.games + 1, wins, old.worms + worms)
    return tuple(sorted(scores.values(), key=lambda score: (-score.wins, -score.worms)))


def _relieved(seats: tuple[Sitter, ...], seat: int) -> tuple[Sitter, ...]:
    """Return the seats after the turn of ``seat``: a bot that played only that turn has gone."""
    person = seats[seat]
    if not (isinstance(person, Person) and person.once):
        return seats
    return (*seats[:seat], replace(person, stand_in=None, once=False), *seats[seat + 1 :])


def _way_back(
    table: Table, match: Match, move: rules.Move, state: rules.AnyState
) -> tuple[rules.AnyState, ...]:
    """Return the states that can be returned to after this move led to ``state``."""
    own_dice = table.setup.own_dice
    match move:
        case Keep() if state.seat == match.state.seat:
            return (*match.before, match.state) if own_dice else (match.state,)
        case Throw() if own_dice:
            return (match.state,)
        case Roll() if match.before and not match.state.turn.kept:  # a bot was quick
            return (*match.before, match.state)
        case _:
            return ()


def _opening(action: a.Created) -> Opening:
    if not action.moves and not action.position:
        return Opening()
    setup = action.setup
    if setup.first is None:
        raise BadEntry("a table made from a record must have a starting seat")
    moves = tuple(action.moves.split())
    seats = bytearray()
    try:
        position = read_position(action.position) if action.position else None
        record = Record(
            edition=setup.edition,
            seats=("",) * setup.seats,
            first=setup.first,
            house=setup.options.rules(),
            moves=forms.parse_moves(moves),
            position=position,
        )
        state = record.start()
        for step in replay(record):
            seats.append(state.seat)
            state = step.state
    except (BadPosition, BadRecord, rules.BadSetup) as error:
        raise BadEntry(str(error)) from error
    return Opening(moves, bytes(seats), state, position)


# --- everything else ------------------------------------------------------------------------------


#: Actions that are part of the record of a game in progress.
_NAMING: Final = (a.Named, a.BotSet)
#: Actions after which somebody else plays a seat.
_ASKING: Final = (a.BotSet, a.CameBack, a.StoodIn)


def _act(table: Table, action: AnyEntry) -> Table:
    match action:
        case a.Created():
            raise BadEntry("a table can be created only once")
        case a.Changed() | a.Reseated() | a.PlateChosen():
            return _set_up(table, action)
        case a.Called():
            return replace(table, called=table.n + 1)
        case a.Started():
            return _started(table, action)
        case a.Undone():
            drops = table.book and table.status is Status.OVER
            owed = _owing(table, table.n + 1, "") if drops else table.owed
            match, playing = _undone(table), Status.PLAYING
            return replace(table, match=match, status=playing, series=match.series, owed=owed)
        case a.Hurried(seats):
            match = _match(table)
            hurried = tuple(sorted({*match.hurried, *seats}))
            return replace(table, match=replace(match, hurried=hurried))
        case a.Revealed(seed):
            return replace(table, match=replace(_match(table), seed=seed))
        case a.Reopened(promised):
            return _reopened(table, promised)
        case a.Closed():
            return replace(table, status=Status.CLOSED)
        case a.Booked() | a.Kept():
            return _booked(table, action)
        case a.Emoted():
            return table
        case _:
            return _seat_after(table, action)


def _seat_after(table: Table, action: a.SeatEntry) -> Table:
    seat = action.seat
    if not 0 <= seat < len(table.seats):
        raise BadEntry(f"there is no seat {seat}")
    sitter = _sitter_after(table.person(seat), action)
    seats = (*table.seats[:seat], sitter, *table.seats[seat + 1 :])
    match = table.match
    if match is not None and table.status is Status.PLAYING and isinstance(action, _NAMING):
        names = (*match.names[:seat], action.name, *match.names[seat + 1 :])
        match = replace(match, names=names)
    if match is not None and seat == match.state.seat and isinstance(action, _ASKING):
        match = replace(match, asked=table.n + 1)
    return replace(table, seats=seats, match=match)


def _sitter_after(person: Person | None, action: a.SeatEntry) -> Sitter:
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
        case a.PromisedSalt(_, promised):
            return replace(person, promise=promised, salt="")
        case a.ShownSalt(_, salt):
            return replace(person, salt=salt)
        case a.WentAway():
            return replace(person, away=True)
        case a.CameBack():
            return replace(person, away=False, stand_in=None, once=False, awaited=False)
        case a.Awaited():
            return replace(person, awaited=True)
        case a.StoodIn(_, bot, once):
            return replace(person, stand_in=bot, once=once, awaited=False)
        case _:
            assert_never(action)


def _match(table: Table) -> Match:
    if table.match is None:
        raise BadEntry("there is no game on the table")
    return table.match


def _set_up(table: Table, action: a.Changed | a.Reseated | a.PlateChosen) -> Table:
    match action:
        case a.Changed(setup):
            return replace(table, setup=setup, seats=_resized(table.seats, setup.seats))
        case a.Reseated(order):
            return _reseated(table, order)
        case a.PlateChosen(seat, plate):
            return replace(table, plates=_swapped(table, seat, plate))


def _booked(table: Table, action: a.Booked | a.Kept) -> Table:
    match action:
        case a.Booked(book):
            owed = _owing(table, table.n + 1, book) if was_played(table) else table.owed
            return replace(table, book=book, owed=owed)
        case a.Kept(game):
            owed = tuple(each for each in table.owed if each.game != game)
            return replace(table, owed=owed, match=_waited_for(table))


def _waited_for(table: Table) -> Match | None:
    """Return the game; at a slow table, the player to move is asked by this entry."""
    match = table.match
    if match is None or table.status is not Status.PLAYING or table.setup.tempo.seconds is None:
        return match
    return replace(match, asked=table.n + 1)


def was_played(table: Table) -> bool:
    """Whether the game on the table is over and was played here, not only in a record."""
    match = table.match
    is_over = match is not None and rules.outcome(match.state) is not None
    return match is not None and is_over and len(match.plays) > match.imported


def _resized(seats: tuple[Sitter, ...], count: int) -> tuple[Sitter, ...]:
    return seats[:count] + (None,) * (count - len(seats))


def _reseated(table: Table, order: tuple[int, ...]) -> Table:
    if len({*order} & {*range(len(table.seats))}) != len(order):
        raise BadEntry(f"{order} are not seats of this table")
    first = table.setup.first
    setup = replace(
        table.setup,
        seats=len(order),
        first=order.index(first) if first is not None and first in order else None,
    )
    left = [plate for seat, plate in enumerate(table.plates) if seat not in order]
    return replace(
        table,
        setup=setup,
        seats=tuple(table.seats[seat] for seat in order),
        plates=(*(table.plates[seat] for seat in order), *left),
    )


def _swapped(table: Table, seat: int, plate: int) -> tuple[int, ...]:
    if plate not in table.plates or not 0 <= seat < len(table.seats):
        raise BadEntry(f"there is no plate {plate} for seat {seat}")
    had = table.plates[seat]
    return tuple({had: plate, plate: had}.get(each, each) for each in table.plates)


def _started(table: Table, action: a.Started) -> Table:
    n = table.n + 1
    names = tuple(map(table.name_of, range(len(table.seats))))
    opening = table.opening
    state = opening.state
    if state is None:
        setup = table.setup
        state = rules.new_game(setup.edition, len(names), action.first, setup.options.rules())
    match = Match(
        state=state,
        first=action.first,
        drawn=action.drawn,
        salts=action.salts,
        names=names,
        changed=n,
        asked=n,
        plays=opening.plays(n),
        imported=len(opening),
        promises=action.promises,
        series=table.series,
    )
    status = Status.PLAYING if rules.outcome(state) is None else Status.OVER
    return replace(table, match=match, status=status, called=None)


def _undone(table: Table) -> Match:
    match = _match(table)
    if not match.before:
        raise BadEntry("there is nothing to take back")
    *before, state = match.before
    return replace(
        match,
        state=state,
        before=tuple(before),
        plays=match.plays.without_last(),
        throws=match.throws - isinstance(state.phase, Falling),
        changed=table.n + 1,
        asked=table.n + 1,
        seed=None,
    )


def _reopened(table: Table, commitment: str) -> Table:
    seats = tuple(
        replace(sitter, promise="", salt="") if isinstance(sitter, Person) else sitter
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
        kept = json_text.loads(table.extra)
        extra = kept if isinstance(kept, dict) else {}
    return Record(
        edition=table.setup.edition,
        seats=match.names,
        first=match.first,
        house=table.setup.options.rules(),
        moves=forms.parse_moves(match.plays.moves),
        extra=extra,
        position=table.opening.position,
    )


def _proof(table: Table, match: Match) -> FairProof:
    return FairProof(
        commitment=table.commitment,
        salts=match.salts,
        seed=None if match.seed is None else bytes.fromhex(match.seed),
        start=len(match.plays) if table.setup.own_dice else match.imported,
        drawn=match.drawn,
        promises=match.promises,
        own_dice=table.setup.own_dice,
    )
