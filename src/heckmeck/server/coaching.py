"""The coach on the server: hints for a table, odds of a turn, review of a game.

Everything here runs in a worker process of the thinker; only there are NumPy and Numba imported.
"""

from dataclasses import dataclass

from heckmeck.coach import TurnSetup, Unit
from heckmeck.record import JsonObject, moments, record_to_json
from heckmeck.record.json_text import dumps
from heckmeck.rules import AnyState, word
from heckmeck.server.hints import Hints, Weighed
from heckmeck.server.reading import Source, short_record_at
from heckmeck.server.states import state_for_pages


@dataclass(frozen=True, slots=True)
class CoachAdvisor:
    """Weighs moves as `heckmeck advise` does."""

    def weigh(self, state: AnyState, unit: Unit | None) -> Hints:
        """Return every legal move, best first; see `Advisor`."""
        from heckmeck.coach.advice import advise

        advice = advise(state, unit)
        return Hints(advice.unit, [Weighed(word(move), *worth) for move, *worth in advice.moves])


def odds_of(setup: TurnSetup, unit: Unit | None) -> bytes:
    """Return the total so far, the chance of each number, and every move's worth, as JSON.

    The turn is played at an otherwise empty table. Raise `BadTurn` if it is not possible.
    """
    from heckmeck.coach.advice import advise_turn
    from heckmeck.coach.odds import odds
    from heckmeck.coach.turns import state_of

    found = odds(setup)
    answer: JsonObject = {
        "edition": found.edition,
        "total": state_of(setup).turn.total,
        "at_least": {str(number): chance for number, chance in found.at_least.items()},
        "exactly": {str(number): chance for number, chance in found.exactly.items()},
        **advise_turn(setup, unit).to_json(),
    }
    return dumps(answer).encode()


def review_of(source: Source, unit: Unit | None) -> bytes:
    """Return a game as JSON, with the cost of its decisions and the luck of its dice."""
    from heckmeck.coach.review import review

    record = short_record_at(source)
    answer: JsonObject = {
        "record": record_to_json(record),
        "moments": [*moments(record, state_for_pages)],
        "review": review(record, unit).to_json(),
    }
    return dumps(answer).encode()
