"""The state of a game for people: that of records, with what only the rules can add.

Interfaces show what a turn may come to, the worms on each stack and the final count; they know no
rules, so all of it comes with the state.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from heckmeck import record as notation
from heckmeck.rules import (
    AnyGame,
    AnyState,
    Bonus,
    Ending,
    apply,
    bonus,
    dead_chance,
    game_at,
    outcome,
    word,
)
from heckmeck.rules.events import BratwormEarned, BratwormMissing, WhyBratworm
from heckmeck.rules.moves import STOP, Keep, Throw
from heckmeck.rules.outcome import DecidedBy, ScoreItem
from heckmeck.rules.state import Deciding
from heckmeck.rules.turn import Turn, pickable


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


class CountedLine(Struct, frozen=True):
    """One line of a player's final count and the worms it brings."""

    item: ScoreItem
    worms: int


class FinalCount(Struct, frozen=True):
    """The final count; ``sheets`` and ``tie_breaks`` are by seat, ``ranking`` is best first.

    ``tie_breaks`` are the highest tiles, in barbecue the highest spots with a plate; null for a
    player without one, and if nothing breaks a tie.
    """

    sheets: list[list[CountedLine]]
    ranking: list[list[int]]
    decided_by: DecidedBy
    tie_breaks: list[int | None]


class GameState(notation.StateInfo, frozen=True):
    """The state of a game, by the contract in ``docs/record.md``, with additions.

    ``prospects`` are those of the dice kept so far, under ``stop`` (even if the player has to go
    on), and of those with one more face, under the word that keeps it. ``stack_worms`` is the
    number of worms on each player's tiles; empty in barbecue, which has no stacks. ``count`` is
    null until the game is over. ``points`` are those of the kept dice, by face. ``undo``: the last
    move is a keep that its player can take back, if the table's setup allows it. ``correct``: the
    last dice were entered by hand, and can be taken back and entered again.
    """

    prospects: dict[str, Prospect]
    stack_worms: list[int]
    count: FinalCount | None
    points: dict[str, int]
    undo: bool
    correct: bool = False


class Moment(Struct, frozen=True):
    """The game after ``after`` moves, the last of which brought these events."""

    after: int
    move: str | None
    events: list[dict[str, Any]]  # one of many kinds, see `schema`
    state: GameState


def moments(record: notation.Record, first: int = 0) -> Iterator[Moment]:
    """Yield the game after ``first`` moves, then after each further one."""
    known = notation.table_facts(record.start().table)
    if first == 0:
        yield Moment(0, None, [], game_state(record.start(), known=known))
    for step in islice(notation.replay(record), max(first - 1, 0), None):
        known = notation.table_facts(step.state.table, known)
        events = [notation.event_to_json(event) for event in step.events]
        yield Moment(step.index + 1, word(step.move), events, game_state(step.state, known=known))


def game_state(
    state: AnyState,
    *,
    undo: bool = False,
    correct: bool = False,
    known: notation.TableFacts | None = None,
) -> GameState:
    """Return the state with everything that interfaces show of it."""
    facts = notation.table_facts(state.table, known)
    added = (prospects(state), facts.stack_worms, final_count(state), points(state), undo, correct)
    return GameState(*(astuple(notation.state_info(state, facts)) + added))


def prospects(state: AnyState) -> dict[str, Prospect]:
    """Return the results of the turn as it stands, or with each face that can be kept."""
    match state.phase:
        case Deciding() if state.turn.kept:
            now = _prospect(state, state.turn.kept, state.turn.total)
            safe = game_at(state.table).dead_throw_counts
            shown = replace(now, bonus=bonus(state), dead=dead_chance(state), safe=safe)
            return {word(STOP): shown}
        case Throw() as throw:
            keeps = _keeps(game_at(state.table), state.turn, throw)
            return {text: _with(state, keep, then) for text, keep, then in keeps}
        case _:
            return {}


@lru_cache(maxsize=1 << 14)
def _keeps(game: AnyGame, turn: Turn, throw: Throw) -> tuple[tuple[str, Keep, Turn], ...]:
    """Return the keeps that a throw allows: the text of each, and the turn after it."""
    keeps = pickable(turn.kept, throw.dice, throw.golden)
    return tuple((word(keep), keep, game.turn_after(turn, throw, keep)) for keep in keeps)


def _with(state: AnyState, keep: Keep, then: Turn) -> Prospect:
    bratworm = game_at(state.table).double_one_pays and _two_ones_pay(state, keep)
    return _prospect(state, then.kept, then.total, bratworm=bratworm)


def _two_ones_pay(state: AnyState, keep: Keep) -> bool:
    """Whether the keep itself earns a Bratworm; the raven's depends on the ending."""
    earned = BratwormEarned(state.seat, WhyBratworm.DOUBLE_ONE)
    return any(
        event == earned and not isinstance(then, BratwormMissing)  # D14
        for event, then in pairwise(apply(state, keep).events)
    )


def _prospect(state: AnyState, kept: str, total: int, *, bratworm: bool = False) -> Prospect:
    game = game_at(state.table)
    worm = game.dice.worm in kept
    return Prospect(
        total,
        _ending(game.ending(state.table, state.seat, total, worm)),
        game.result(state.table, state.seat, total, worm),
        bratworm,
    )


@lru_cache(maxsize=1 << 12)
def _ending(ending: Ending) -> dict[str, Any]:
    """Return the ending as JSON data, which is only read."""
    return notation.ending_to_json(ending)


def points(state: AnyState) -> dict[str, int]:
    """Return the points of the kept dice, by face."""
    return _points(game_at(state.table), state.turn.kept)


@lru_cache(maxsize=1 << 12)
def _points(game: AnyGame, kept: str) -> dict[str, int]:
    return {face: kept.count(face) * game.dice.points_for(face) for face in dict.fromkeys(kept)}


def final_count(state: AnyState) -> FinalCount | None:
    """Return the final count, or ``None`` if the game is not over."""
    end = outcome(state)
    if end is None:
        return None
    tie_breaks = game_at(state.table).tie_breaks(state.table)
    return FinalCount(
        sheets=[[CountedLine(*line) for line in sheet] for sheet in end.sheets],
        ranking=[[*place] for place in end.ranking],
        decided_by=end.decided_by,
        tie_breaks=[number or None for number in tie_breaks],
    )
