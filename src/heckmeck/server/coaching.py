"""The coach behind the server: hints for a table, odds of a turn, review of a game.

Everything here runs in a thinker's process; what it needs (NumPy, Numba) is imported there only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from heckmeck.coach.turns import TurnSetup
from heckmeck.record import JsonObject, Record, moments, record_to_json
from heckmeck.rules import AnyState, game_at, legal, word
from heckmeck.server.hints import Weighed


def solver_is_there() -> bool:
    """Whether the packages that the solver needs are installed (the extra ``solver``)."""
    return all(find_spec(package) for package in ("numba", "numpy"))


@dataclass(frozen=True, slots=True)
class CoachAdvisor:
    """Weighs moves as `heckmeck advise` does."""

    unit: str = "worms"

    def weigh(self, state: AnyState) -> Sequence[Weighed]:
        """Return every legal move, best first; see `Advisor`."""
        from heckmeck.coach.advice import advise

        return [Weighed(word(move), worth, fail) for move, worth, fail in advise(state).moves]


def odds_of(setup: TurnSetup) -> JsonObject:
    """Return the chances of each number, and the worth of each move on an empty table.

    Raise `BadTurn` with a sentence if there is no such turn.
    """
    from heckmeck.coach.advice import advise
    from heckmeck.coach.odds import odds
    from heckmeck.coach.turns import state_of

    found = odds(setup)
    state = state_of(setup)
    over = game_at(state.table).turn_is_complete(state.turn) or not legal(state)
    advice: JsonObject = {"unit": "worms", "moves": []} if over else advise(state).to_json()
    return {
        "edition": found.edition,
        "at_least": {str(number): chance for number, chance in found.at_least.items()},
        "exactly": {str(number): chance for number, chance in found.exactly.items()},
        **advice,
    }


def review_of(record: Record) -> JsonObject:
    """Return the game moment by moment, and what its decisions cost and its dice brought."""
    from heckmeck.coach.review import review

    return {
        "record": record_to_json(record),
        "moments": [*moments(record)],
        "review": review(record).to_json(),
    }
