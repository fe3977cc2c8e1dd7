"""Games played side by side, so that bots can decide in all of them at once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from heckmeck.arena.schedule import Fixture
from heckmeck.bots import Player, player
from heckmeck.dice_source import CountedLuck, key_of
from heckmeck.rules import AnyGame, AnyState, Move, game
from heckmeck.rules.state import Over

#: Games side by side. More would use more memory without making the solver faster.
SIDE_BY_SIDE: Final = 256
#: A longer game is abandoned: for example, two bots that never take a tile.
MAX_WORDS: Final = 50_000


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the scores by seat, the seats by place, and the words."""

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
    edition: str, fixtures: Iterable[Fixture], find: Callable[[str], Player] = player
) -> Iterator[Played]:
    """Play these games and yield each as it ends; ``find`` returns players by name."""
    rules = game(edition)
    waiting = iter(fixtures)
    running: list[_Running] = []
    while True:
        free = SIDE_BY_SIDE - len(running)
        running.extend(_start(rules, fixture) for fixture in islice(waiting, free))
        if not running:
            return
        _step(rules, running, find)
        yield from (_finish(rules, each) for each in running if isinstance(each.state.phase, Over))
        running = [each for each in running if not isinstance(each.state.phase, Over)]


def _start(rules: AnyGame, fixture: Fixture) -> _Running:
    state = rules.initial(len(fixture.bots))
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
    if len(each.moves) > MAX_WORDS:
        raise Unfinished(
            f"game {each.fixture.number} ({', '.join(each.fixture.bots)}) does not end: "
            f"{MAX_WORDS} words were played"
        )


def _finish(rules: AnyGame, each: _Running) -> Played:
    outcome = rules.outcome(each.state)
    assert outcome is not None, "only finished games are counted"
    return Played(each.fixture, outcome.scores, outcome.ranking, each.turns, tuple(each.moves))
