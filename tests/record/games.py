"""Games for tests: the dice and the players are random, and the same for the same seed."""

from dataclasses import dataclass, replace
from random import Random

from heckmeck.record import Record
from heckmeck.rules import (
    EDITIONS,
    NO_HOUSE_RULES,
    AnyState,
    Event,
    HouseRules,
    Move,
    apply,
    legal,
    outcome,
    stopping,
    throws,
    word,
)
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import KEEP, STOP

WORM = KEEP["W"]
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")
#: How often a player stops when that brings something, stops when it does not, and grabs a worm.
CONTENT, RECKLESS, HUNGRY = 0.8, 0.03, 0.5


@dataclass(frozen=True)
class Played:
    """A game that was played: ``states[0]`` is the start, ``states[i + 1]`` is after move ``i``."""

    record: Record
    states: tuple[AnyState, ...]
    events: tuple[tuple[Event, ...], ...]


def play(
    edition: str,
    seats: int,
    seed: int,
    *,
    first: int = 0,
    house: HouseRules = NO_HOUSE_RULES,
    words: int = 10_000,
) -> Played:
    """Play to the end, or until that many words are played."""
    chance = Random(f"{edition} {seats} {seed}")
    record = Record(edition, NAMES[:seats], first, house)
    states = [record.start()]
    moves: list[Move] = []
    events: list[tuple[Event, ...]] = []
    while len(moves) < words and outcome(states[-1]) is None:
        move = _next_move(states[-1], chance)
        state, facts = apply(states[-1], move)
        moves.append(move)
        states.append(state)
        events.append(facts)
    return Played(replace(record, moves=tuple(moves)), tuple(states), tuple(events))


def _next_move(state: AnyState, chance: Random) -> Move:
    choices = sorted(legal(state), key=word)
    if not choices:
        falling = throws(state)
        return falling.at(chance.randrange(falling.total))
    if STOP in choices:
        brings_something = not isinstance(stopping(state), Nothing)
        if chance.random() < (CONTENT if brings_something else RECKLESS):
            return STOP
        choices.remove(STOP)
    if WORM in choices and chance.random() < HUNGRY:
        return WORM
    return chance.choice(choices)


def one_game_each() -> list[Played]:
    """A whole game of every edition, at a full table."""
    return [play(name, game.players[-1], seed=1) for name, game in EDITIONS.items()]
