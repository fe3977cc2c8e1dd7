"""What bots and coach say of positions and games: run by CPython here, and in a page's Python."""

import json

import msgspec

from heckmeck import bots
from heckmeck.coach.advice import advise, odds_at
from heckmeck.coach.review import review
from heckmeck.dice import SeededLuck
from heckmeck.record import read_draft, read_record, state_of
from heckmeck.rules import word
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Deciding


def answers(question: str) -> str:
    """Return everything that is asked of positions and records (a list of each), as JSON."""
    positions, records = json.loads(question)
    found = [*map(about_position, positions), *map(about_game, records)]
    return json.dumps(msgspec.to_builtins(found))


def about_position(text: str) -> dict[str, object]:
    """Return the moves of the bots that solve turns, the advice in both units, and the odds."""
    state = state_of(read_draft(text))
    said: dict[str, object] = {
        name: word(bots.player(name).choose(state, SeededLuck(0))) for name in ("fox", "champion")
    }
    said |= {unit: advise(state, unit) for unit in ("worms", "win")}
    if isinstance(state.phase, Deciding | Throw):
        odds = odds_at(state)
        said["odds"] = [[*odds.at_least.values()], [*odds.exactly.values()]]
    return said


def about_game(record: str) -> object:
    """Return the review of a game, and how often it said how much is done."""
    done: list[float] = []
    return [review(read_record(record.encode()), progress=done.append), len(done)]
