"""The coach behind the server: hints for a table, odds of a turn, review of a game.

Everything here runs in the process of a thinker; NumPy and Numba are imported only there.
"""

from dataclasses import dataclass

from heckmeck.coach import TurnSetup, Unit
from heckmeck.record import JsonObject, Record, moments, record_to_json
from heckmeck.rules import AnyState, word
from heckmeck.server.hints import Hints, Weighed
from heckmeck.server.states import state_for_pages


@dataclass(frozen=True, slots=True)
class CoachAdvisor:
    """Weighs moves as `heckmeck advise` does."""

    def weigh(self, state: AnyState, unit: Unit | None) -> Hints:
        """Return every legal move, best first; see `Advisor`."""
        from heckmeck.coach.advice import advise

        advice = advise(state, unit)
        return Hints(advice.unit, [Weighed(word(move), *worth) for move, *worth in advice.moves])


def odds_of(setup: TurnSetup, unit: Unit | None) -> JsonObject:
    """Return the total so far, the chances of each number, and every move's worth.

    The table is empty otherwise. Raise `BadTurn` if the turn is not possible.
    """
    from heckmeck.coach.advice import advise_turn
    from heckmeck.coach.odds import odds
    from heckmeck.coach.turns import state_of

    found = odds(setup)
    return {
        "edition": found.edition,
        "total": state_of(setup).turn.total,
        "at_least": {str(number): chance for number, chance in found.at_least.items()},
        "exactly": {str(number): chance for number, chance in found.exactly.items()},
        **advise_turn(setup, unit).to_json(),
    }


def review_of(record: Record, unit: Unit | None) -> JsonObject:
    """Return the game move by move, with the cost of its decisions and the luck of its dice."""
    from heckmeck.coach.review import review

    return {
        "record": record_to_json(record),
        "moments": [*moments(record, state_for_pages)],
        "review": review(record, unit).to_json(),
    }
