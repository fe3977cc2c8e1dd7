"""A season: many games of the same people, from their standings to the honours worth telling.

`facts_of` and `judge` look at one game and keep little of it; everything else adds up what they
found. ``docs/analysis.md`` defines the figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from heckmeck.coach import statistics
from heckmeck.record import BadRecord, Record, replay
from heckmeck.rules import events as e
from heckmeck.rules import outcome
from heckmeck.rules.outcome import Outcome
from heckmeck.wire import book
from heckmeck.wire.book import HonourKind

if TYPE_CHECKING:
    from heckmeck.coach.review import Judged


class Feat(Struct, frozen=True, array_like=True):
    """Something that a seat did in a game, ``index`` moves having been made."""

    kind: HonourKind
    seat: int
    value: float
    index: int


class Facts(Struct, frozen=True):
    """All that a season needs of a finished game. ``bots`` are by seat, as in a record."""

    edition: str
    names: list[str]
    bots: dict[str, str]
    scores: list[int]
    places: list[int]
    feats: list[Feat]

    @property
    def shares(self) -> list[float]:
        """The shares of the win by seat."""
        winners = self.places.count(1)
        return [(place == 1) / winners for place in self.places]


class SeatFigures(Struct, frozen=True, array_like=True):
    """The figures of a seat; see `statistics.Performance`."""

    given_away: float
    luck: float
    counted: int
    counted_loss: float


class Judgement(Struct, frozen=True):
    """A game judged by its chances to win; without seats if no champion knows its rules."""

    evaluator: str = ""
    seats: list[SeatFigures] = []
    feats: list[Feat] = []


class Played(NamedTuple):
    """A game of a season: where and when it was played, and what is known of it so far."""

    table: str
    game: int
    at: str
    facts: Facts
    judged: Judgement | None


# --- one game -------------------------------------------------------------------------------------


def facts_of(record: Record) -> Facts:
    """Return what a season needs of a game; raise `BadRecord` if it is not over."""
    end = outcome(record.end)
    if end is None:
        raise BadRecord("the game is not over")
    bots = record.extra.get("bots")
    return Facts(
        edition=record.edition,
        names=[*record.seats],
        bots={seat: str(bot) for seat, bot in bots.items()} if isinstance(bots, dict) else {},
        scores=[*end.scores],
        places=_places(end),
        feats=[*feats_in(record), *_final_feats(end, len(record.moves))],
    )


def feats_in(record: Record) -> list[Feat]:
    """Return what everybody has done in a game, over or not."""
    tally = _Tally()
    for step in replay(record):
        for event in step.events:
            tally.note(event, step.index + 1)
    return [*tally.feats()]


def _places(end: Outcome) -> list[int]:
    places = [0] * len(end.sheets)
    ahead = 0
    for seats in end.ranking:
        for seat in seats:
            places[seat] = ahead + 1
        ahead += len(seats)
    return places


def _final_feats(end: Outcome, moves: int) -> Iterator[Feat]:
    """Yield what is known only at the end."""
    for seat, score in enumerate(end.scores):
        yield Feat("worms", seat, score, moves)
    if len(end.winners) == 1:
        best, second = sorted(end.scores, reverse=True)[:2]
        yield Feat("margin", end.winners[0], best - second, moves)


@dataclass(slots=True)
class _Tally:
    """What the seats have done so far: for every kind the value, and the moves until then."""

    best: dict[tuple[HonourKind, int], tuple[float, int]] = field(default_factory=dict)
    runs: dict[int, int] = field(default_factory=dict)
    ended: tuple[int, int, int] | None = None
    """The seat, the total and the moves of a turn that has ended, unless it failed."""

    def note(self, event: e.Event, index: int) -> None:
        match event:
            case e.TileStolen(thief, victim, tile):
                self._more("steals", thief, index)
                self._more("robbed", victim, index)
                self._most("tile", thief, tile, index)
            case e.PlateReplaced(thief, victim):
                self._more("steals", thief, index)
                self._more("robbed", victim, index)
            case e.TileTaken(seat, tile):
                self._most("tile", seat, tile, index)
            case e.BratwormTaken(seat) | e.BratwormRobbed(seat):
                self._more("bratworms", seat, index)
            case e.SnailTaken(seat):
                self._more("snails", seat, index)
            case e.TurnEnded(seat, total):
                self.ended = (seat, total, index)
            case e.AttemptFailed(seat) | e.MissedOut(seat):
                self._more("fails", seat, index)
                self.runs[seat] = 0
                self.ended = None
            case e.TurnStarted() | e.GameEnded():
                self._close_turn()
            case _:
                pass

    def _close_turn(self) -> None:
        if self.ended is None:
            return
        seat, total, index = self.ended
        self.ended = None
        self.runs[seat] = self.runs.get(seat, 0) + 1
        self._most("run", seat, self.runs[seat], index)
        self._most("total", seat, total, index)

    def _more(self, kind: HonourKind, seat: int, index: int) -> None:
        value, _ = self.best.get((kind, seat), (0, 0))
        self.best[kind, seat] = value + 1, index

    def _most(self, kind: HonourKind, seat: int, value: float, index: int) -> None:
        if value > self.best.get((kind, seat), (0, 0))[0]:
            self.best[kind, seat] = value, index

    def feats(self) -> Iterator[Feat]:
        """Yield the best of each kind and seat."""
        for (kind, seat), (value, index) in self.best.items():
            yield Feat(kind, seat, value, index)


#: A game without a mistake is worth telling only if this many decisions counted.
_DECISIONS: Final = 10


def judge(record: Record) -> Judgement:
    """Return the luck and skill in a finished game, if a champion knows its rules.

    Raise `BadRecord` if it breaks a rule.
    """
    (judged,) = statistics.judged_games([record])
    return Judgement() if judged is None else judgement(judged)


def judgement(judged: "Judged") -> Judgement:
    """Return the luck and skill in a game that is judged."""
    return Judgement(
        judged.value.name,
        [_figures(judged, seat) for seat in range(judged.seats)],
        [*_rolls(judged), *_wins(judged)],
    )


def _figures(judged: "Judged", seat: int) -> SeatFigures:
    totals = judged.totals(seat)
    own = [number for number in judged.decisions if judged.seat(number) == seat]
    lost = fsum(judged.loss(number) for number in own if judged.counted(number))
    return SeatFigures(totals.given_away, totals.luck, totals.counted, lost)


def _rolls(judged: "Judged") -> Iterator[Feat]:
    """Yield every player's luckiest and unluckiest roll."""
    for seat in range(judged.seats):
        lucks = [
            (
                float(judged.changes[number].after[seat] - judged.changes[number].before[seat]),
                number,
            )
            for number in judged.throws
            if judged.seat(number) == seat
        ]
        if lucks:
            (most, lucky), (least, unlucky) = max(lucks), min(lucks)
            yield Feat("lucky_roll", seat, most, lucky + 1)
            yield Feat("unlucky_roll", seat, least, unlucky + 1)


def _wins(judged: "Judged") -> Iterator[Feat]:
    """Yield from how far behind and against which luck a game was won; and flawless games."""
    end = outcome(judged.end)
    moves = len(judged.changes)
    for seat in range(judged.seats):
        totals = judged.totals(seat)
        if totals.counted >= _DECISIONS:
            yield Feat("flawless", seat, totals.given_away, moves)
        if end is not None and seat in end.winners:
            chances = [(float(change.after[seat]), at) for at, change in enumerate(judged.changes)]
            least, at = min(chances)
            yield Feat("comeback", seat, least, at + 1)
            yield Feat("against", seat, totals.luck, moves)


# --- many games -----------------------------------------------------------------------------------


#: What people are called, by the names they played under; others are called what they called
#: themselves.
Names = Mapping[str, str]
#: The number of points on the course of a season.
_POINTS: Final = 60


def people_in(games: Sequence[Played], names: Names) -> list[book.Person]:
    """Return everybody who played, without bots, each with all names they used."""
    people: dict[str, dict[str, None]] = {}
    for _, facts, seat in _seats(games):
        if str(seat) not in facts.bots:
            own = facts.names[seat]
            people.setdefault(names.get(own, own), {})[own] = None
    return [book.Person(name, sorted(own)) for name, own in sorted(people.items())]


def _seats(games: Sequence[Played]) -> Iterator[tuple[Played, Facts, int]]:
    for game in games:
        for seat in range(len(game.facts.names)):
            yield game, game.facts, seat


def _name(facts: Facts, seat: int, names: Names) -> str:
    own = facts.names[seat]
    return names.get(own, own)


def standings(games: Sequence[Played], names: Names) -> list[book.EditionStandings]:
    """Return the standings by edition, the one played most first."""
    editions: dict[str, list[Played]] = {}
    for game in games:
        editions.setdefault(game.facts.edition, []).append(game)
    found = sorted(editions.items(), key=lambda item: -len(item[1]))
    return [
        book.EditionStandings(edition, len(some), _rows(some, names)) for edition, some in found
    ]


def _rows(games: Sequence[Played], names: Names) -> list[book.Standing]:
    seats: dict[tuple[str | None, str], list[tuple[Facts, int]]] = {}
    for _, facts, seat in _seats(games):
        bot = facts.bots.get(str(seat))
        who = (bot, bot) if bot is not None else (None, _name(facts, seat, names))
        seats.setdefault(who, []).append((facts, seat))
    rows = [_row(name, bot, some) for (bot, name), some in seats.items()]
    return sorted(rows, key=lambda row: (row.bot is not None, -row.wins, -row.share, row.place))


def _row(name: str, bot: str | None, some: Sequence[tuple[Facts, int]]) -> book.Standing:
    places = [facts.places[seat] for facts, seat in some]
    return book.Standing(
        name=name,
        bot=bot,
        games=len(some),
        wins=places.count(1),
        share=fsum(facts.shares[seat] for facts, seat in some) / len(some),
        worms=sum(facts.scores[seat] for facts, seat in some),
        place=sum(places) / len(some),
    )


@dataclass(frozen=True, slots=True)
class _Performance:
    """A person in a judged game: a `statistics.Performance`, and the number of the game."""

    number: int
    deal: object
    seats: int
    given_away: float
    luck: float
    counted: int
    counted_loss: float
    result: float


def form(games: Sequence[Played], names: Names) -> list[book.Form]:
    """Return the luck and skill of all people in games that are judged, oldest first."""
    found: dict[str, list[_Performance]] = {}
    for number, game in enumerate(games, start=1):
        facts = game.facts
        for seat, figures in enumerate(game.judged.seats if game.judged else ()):
            if str(seat) not in facts.bots:
                performance = _Performance(
                    number,
                    (game.table, game.game),
                    len(facts.names),
                    figures.given_away,
                    figures.luck,
                    figures.counted,
                    figures.counted_loss,
                    facts.shares[seat],
                )
                found.setdefault(_name(facts, seat, names), []).append(performance)
    return [_form(name, some) for name, some in sorted(found.items())]


def _form(name: str, some: Sequence[_Performance]) -> book.Form:
    summary = statistics.summary(some)
    assert summary.adjusted is not None, "all games are over"
    means = (summary.luck, summary.given_away, summary.adjusted)
    luck, given_away, even = (book.Mean(each.mean, each.error, each.count) for each in means)
    return book.Form(name, luck, given_away, even, _course(some))


def _course(some: Sequence[_Performance]) -> list[tuple[int, float, float]]:
    luck = given_away = 0.0
    course = []
    for each in some:
        luck += each.luck
        given_away += each.given_away
        course.append((each.number, luck, given_away))
    every = -(-len(course) // _POINTS)
    return course[-1::-every][::-1]


# --- honours --------------------------------------------------------------------------------------


class _Rule(NamedTuple):
    """What makes a feat an honour: at least ``least``, or, if ``lower``, at most that."""

    least: float
    by_edition: bool = True
    lower: bool = False

    def admits(self, value: float) -> bool:
        return value <= self.least if self.lower else value >= self.least

    def beats(self, value: float, other: float) -> bool:
        return value < other if self.lower else value > other


RULES: Final[dict[HonourKind, _Rule]] = {
    "steals": _Rule(2),
    "robbed": _Rule(2),
    "tile": _Rule(1),
    "total": _Rule(1),
    "run": _Rule(3),
    "fails": _Rule(2),
    "worms": _Rule(2),
    "margin": _Rule(2),
    "bratworms": _Rule(2),
    "snails": _Rule(2),
    "streak": _Rule(2, by_edition=False),
    "comeback": _Rule(0.25, by_edition=False, lower=True),
    "lucky_roll": _Rule(0.05, by_edition=False),
    "unlucky_roll": _Rule(-0.05, by_edition=False, lower=True),
    "flawless": _Rule(0.05, by_edition=False, lower=True),
    "against": _Rule(-0.02, by_edition=False, lower=True),
}


def honours(games: Sequence[Played], names: Names) -> list[book.Honour]:
    """Return the best of each kind, in the order of `RULES`; of equals, who was first.

    ``games`` are in the order in which they ended. Bots have no honours.
    """
    best: dict[tuple[HonourKind, str | None], book.Honour] = {}
    for game in games:
        feats = (*game.facts.feats, *(game.judged.feats if game.judged else ()))
        for feat in feats:
            if str(feat.seat) not in game.facts.bots:
                _compare(best, _honour(game, feat, names))
    for streak in _streaks(games, names):
        _compare(best, streak)
    order = [*RULES]
    return sorted(best.values(), key=lambda each: (order.index(each.kind), each.edition or ""))


def _honour(game: Played, feat: Feat, names: Names) -> book.Honour:
    edition = game.facts.edition if RULES[feat.kind].by_edition else None
    name = _name(game.facts, feat.seat, names)
    where = (game.at, game.table, game.game, feat.index)
    return book.Honour(feat.kind, edition, name, feat.value, *where)


def _compare(best: dict[tuple[HonourKind, str | None], book.Honour], new: book.Honour) -> None:
    rule, old = RULES[new.kind], best.get((new.kind, new.edition))
    if rule.admits(new.value) and (old is None or rule.beats(new.value, old.value)):
        best[new.kind, new.edition] = new


def _streaks(games: Sequence[Played], names: Names) -> Iterator[book.Honour]:
    """Yield how often somebody has won in a row of their own games, in all editions."""
    won: dict[str, int] = {}
    for game, facts, seat in _seats(games):
        if str(seat) in facts.bots:
            continue
        name = _name(facts, seat, names)
        won[name] = won.get(name, 0) + 1 if facts.places[seat] == 1 else 0
        yield book.Honour("streak", None, name, won[name], game.at, game.table, game.game, 0)
