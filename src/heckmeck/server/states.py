"""The state of a game for pages: that of records, with additions from the rules."""

import msgspec

from heckmeck.record import JsonObject, state_to_json
from heckmeck.rules import AnyState, game_at, outcome
from heckmeck.rules.outcome import ScoreItem
from heckmeck.server.messages import CountedLine, FinalCount
from heckmeck.server.prospects import prospects


def state_for_pages(state: AnyState) -> JsonObject:
    """Return the state of a game by the contract of `GameState`."""
    return {
        **state_to_json(state),
        "prospects": msgspec.to_builtins(prospects(state)),
        "stack_worms": stack_worms(state),
        "count": msgspec.to_builtins(final_count(state)),
    }


def stack_worms(state: AnyState) -> list[int]:
    """Return the worms on each player's stack of tiles; empty in a game without stacks."""
    sheets = game_at(state.table).score_sheets(state.table)
    return [worms for sheet in sheets for item, worms in sheet if item is ScoreItem.TILES]


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
