"""A tournament: everything that its result depends on, all of its games by number, and its play.

A line-up is played once in every rotation of its seats with the same dice, so that neither the
seat nor luck favours any bot; then the next line-up is played, and after the last one all of them
again with new dice. Games are played side by side, so that bots can decide in all of them at once.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Final, Literal, TypeAlias

from heckmeck.bots import Player, UnknownBot, find_bot, player
from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.dice import CountedLuck, key_of
from heckmeck.rules import (
    NO_HOUSE_RULES,
    AnyGame,
    AnyState,
    HouseRules,
    Move,
    game,
    outcome,
)
from heckmeck.rules.state import Over


class BadTournament(ValueError):
    """A tournament that is not possible."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: the bots by seat, and the key of its dice."""

    number: int
    bots: tuple[str, ...]
    dice: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """A number of games among bots; a bot that is named twice counts as one with two seats.

    The same values give the same games, with any number of workers. ``move_seconds`` is the time
    limit per move of outside programs.
    """

    edition: str
    bots: tuple[str, ...]
    seats: int
    games: int
    seed: int
    move_seconds: float = MOVE_SECONDS

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, each named once."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def line_ups(self) -> list[tuple[str, ...]]:
        """Every choice of bots for a table; with fewer bots than seats, bots take several seats."""
        if len(self.bots) >= self.seats:
            return list(combinations(self.bots, self.seats))
        count = len(self.bots)
        return [
            tuple(self.bots[(first + seat) % count] for seat in range(self.seats))
            for first in range(count)
        ]

    @property
    def round_games(self) -> int:
        """The number of games after which all bots have met in all seats equally often."""
        return self.seats * len(self.line_ups)

    def fixtures(self, first: int, count: int) -> Iterator[Fixture]:
        """Yield ``count`` games, starting with the number ``first``."""
        line_ups = self.line_ups
        for number in range(first, first + count):
            deal, rotation = divmod(number, self.seats)
            line_up = line_ups[deal % len(line_ups)]
            bots = line_up[rotation:] + line_up[:rotation]
            yield Fixture(number, bots, key_of(self.seed, deal))

    def check(self, players: Container[str] = ()) -> None:
        """Raise `BadTournament`, or `BadSetup` for edition or seats, if it cannot be played.

        ``players`` are names that need not be those of bots.
        """
        game(self.edition).initial(self.seats)
        if self.games < 1:
            raise BadTournament(f"A tournament must have at least one game, not {self.games}.")
        if not self.move_seconds > 0:
            raise BadTournament("The time limit per move must be more than 0 seconds.")
        if len(self.bots) < 2:
            raise BadTournament(
                "A tournament needs at least two bots. To let one play against itself, name it "
                "twice: fox,fox."
            )
        for name in self.names:
            if name not in players:
                self._check_bot(name)

    def _check_bot(self, name: str) -> None:
        try:
            bot = find_bot(name, outside=True)
        except UnknownBot as error:
            raise BadTournament(str(error)) from error
        if self.edition not in bot.editions:
            raise BadTournament(f"{name} does not play {self.edition}.")


# --- games side by side ---------------------------------------------------------------------------


#: Games side by side. More would use more memory without making the solver faster.
SIDE_BY_SIDE: Final = 256
#: A longer game is abandoned: for example, two bots that never take a tile.
MAX_MOVES: Final = 50_000


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game: the scores by seat, the seats by place, and the moves, throws included."""

    fixture: Fixture
    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    turns: int
    moves: tuple[Move, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return self.ranking[0]


class Unfinished(RuntimeError):
    """A game that does not end."""


@dataclass(slots=True)
class _Running:
    """A game in progress."""

    fixture: Fixture
    state: AnyState
    luck: CountedLuck
    turns: int = 1
    moves: list[Move] = field(default_factory=list)


def play(
    edition: str,
    fixtures: Iterable[Fixture],
    find: Callable[[str], Player] = player,
    start: Callable[[Fixture], AnyState] | None = None,
) -> Iterator[GameResult]:
    """Play these games by the rules and yield each as it ends; ``find`` returns players by name.

    ``start`` returns the state that a game is played on from; by default it begins.
    """
    rules = game(edition)
    waiting = iter(fixtures)
    running: list[_Running] = []
    while True:
        free = SIDE_BY_SIDE - len(running)
        running.extend(_start(rules, fixture, start) for fixture in islice(waiting, free))
        if not running:
            return
        _step(rules, running, find)
        yield from (_finish(rules, each) for each in running if isinstance(each.state.phase, Over))
        running = [each for each in running if not isinstance(each.state.phase, Over)]


def _unfinished(fixture: Fixture) -> Unfinished:
    return Unfinished(
        f"game {fixture.number} ({', '.join(fixture.bots)}) does not end: "
        f"{MAX_MOVES} moves were played"
    )


def _start(
    rules: AnyGame, fixture: Fixture, start: Callable[[Fixture], AnyState] | None
) -> _Running:
    state = rules.initial(len(fixture.bots)) if start is None else start(fixture)
    return _Running(fixture, state, _luck(fixture, state.seat, 1))


def _luck(fixture: Fixture, seat: int, turn: int) -> CountedLuck:
    """Return the luck of one turn: the same for any player in that seat with the same dice."""
    return CountedLuck(key_of(fixture.dice, seat, turn))


def _step(rules: AnyGame, running: list[_Running], find: Callable[[str], Player]) -> None:
    """Advance every game to its next decision, and make it."""
    by_player: dict[str, list[_Running]] = {}
    for each in running:
        _go_to_decision(rules, each)
        if not isinstance(each.state.phase, Over):
            by_player.setdefault(each.fixture.bots[each.state.seat], []).append(each)
    for name, tables in by_player.items():
        states, lucks = [each.state for each in tables], [each.luck for each in tables]
        for each, move in zip(tables, find(name).choose_all(states, lucks), strict=True):
            _apply(rules, each, move)


def _go_to_decision(rules: AnyGame, each: _Running) -> None:
    """Throw dice and play forced moves, up to a decision or the end."""
    while True:
        moves = rules.legal(each.state)
        if len(moves) == 1:
            _apply(rules, each, moves[0])
        elif moves or isinstance(each.state.phase, Over):
            return
        else:
            _apply(rules, each, each.luck.throw(rules.throws(each.state)))


def _apply(rules: AnyGame, each: _Running, move: Move) -> None:
    seat = each.state.seat
    each.state, _ = rules.apply(each.state, move)
    each.moves.append(move)
    if each.state.seat != seat:
        each.turns += 1
        each.luck = _luck(each.fixture, each.state.seat, each.turns)
    if len(each.moves) > MAX_MOVES:
        raise _unfinished(each.fixture)


def _finish(rules: AnyGame, each: _Running) -> GameResult:
    outcome = rules.outcome(each.state)
    assert outcome is not None, "only finished games are counted"
    return GameResult(each.fixture, outcome.scores, outcome.ranking, each.turns, tuple(each.moves))


# --- games in bulk --------------------------------------------------------------------------------


#: Which engine plays the games: the compiled one, or the rules.
Engine: TypeAlias = Literal["bulk", "rules"]
#: Games side by side in bulk.
IN_BULK: Final = 1024


def play_by(
    engine: Engine,
    edition: str,
    fixtures: Iterable[Fixture],
    find: Callable[[str], Player] = player,
    start: Callable[[Fixture], AnyState] | None = None,
) -> Iterator[GameResult]:
    """Play these games as `play` does; with both engines they are the same, word for word.

    In bulk, players of the registry are compiled, and others are shown the states of their games;
    the states that ``start`` returns must have the same house rules.
    """
    if engine == "rules":
        yield from play(edition, fixtures, find, start)
        return
    waiting = iter(fixtures)
    while some := list(islice(waiting, IN_BULK)):
        yield from _play_in_bulk(edition, some, find, start)


def _play_in_bulk(
    edition: str,
    fixtures: Sequence[Fixture],
    find: Callable[[str], Player],
    start: Callable[[Fixture], AnyState] | None,
) -> Iterator[GameResult]:
    import numpy as np

    from heckmeck.bots.in_bulk import in_bulk
    from heckmeck.bulk.games import Games

    states = [] if start is None else [start(fixture) for fixture in fixtures]
    begin = game(edition).initial(len(fixtures[0].bots), 0, _house_of(states))
    games = Games.with_dice(begin, [fixture.dice for fixture in fixtures], states)
    names = sorted({name for fixture in fixtures for name in fixture.bots})
    players = [in_bulk(name, find(name)) for name in names]
    bots = np.array([[names.index(name) for name in fixture.bots] for fixture in fixtures])
    everyone = np.arange(len(fixtures))
    while not games.over.all():
        for place, each in enumerate(players):
            games.make_room()
            games.go_to_decisions()
            to_move = bots[everyone, games.to_move] == place
            each.play(games, np.flatnonzero(to_move & ~games.over))
        longest = int(games.words_played.argmax())
        if games.words_played[longest] > MAX_MOVES:
            raise _unfinished(fixtures[longest])
    for number, fixture in enumerate(fixtures):
        result = outcome(games.state(number))
        assert result is not None, "only finished games are counted"
        turns = int(games.turns_played[number])
        moves = games.moves(number)
        yield GameResult(fixture, result.scores, result.ranking, turns, moves)


def _house_of(states: Sequence[AnyState]) -> HouseRules:
    """Return the house rules of these games, by default none."""
    return states[0].table.house if states else NO_HOUSE_RULES
