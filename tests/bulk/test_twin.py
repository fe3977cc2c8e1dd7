"""Whole games by the rules, followed on rows: state by state, in every edition.

The short form follows a game of each kind; the long one (`./check --soak`) follows hundreds, and
compares every ending of every turn in them.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from heckmeck.bots import player
from heckmeck.bulk.rows import row_rules
from heckmeck.record import Record, replay
from heckmeck.rules import EDITIONS, NO_HOUSE_RULES, AnyState, HouseRules, game_at, scores
from heckmeck.rules.events import BratwormRobbed, BratwormTaken, DiceKept, TurnEnded
from heckmeck.rules.state import Deciding, Over
from heckmeck.solver.positions import position_of
from heckmeck.solver.tables import totals_of
from tests.bots.games import bot_game
from tests.bulk.test_endings import check_turn, shares_of

HOUSES = [HouseRules(*flips) for flips in product((False, True), repeat=2)]
TABLES = [
    (edition, seats, house)
    for edition, game in EDITIONS.items()
    for seats in game.players
    for house in (HOUSES if game.has_house_rules else [NO_HOUSE_RULES])
]
BOTS = ("random", "fox", "champion")
#: Enough for most games of two players; random ones take thousands of words.
WORDS = 1500


class TurnPlayed(NamedTuple):
    """A turn of a game: the states before and after it, and how it ended."""

    before: AnyState
    after: AnyState
    end: int
    """0: a failed attempt; then each total without a worm, and each with one."""
    bratworm: bool
    """A double 1 brought a Bratworm."""


def turns_of(record: Record) -> Iterator[TurnPlayed]:
    before = record.start()
    end, worm, bratworm = 0, False, False
    game, totals = game_at(before.table), totals_of(game_at(before.table))
    for step in replay(record):
        for event in step.events:
            match event:
                case DiceKept(face=face):
                    worm = worm or face == game.dice.worm
                case TurnEnded(total=total):
                    end = 1 + worm * totals + total
                case BratwormTaken() | BratwormRobbed():
                    bratworm = bratworm or not end  # after the end it is the raven's
                case _:
                    pass
        state = step.state
        if isinstance(state.phase, Over) or (
            isinstance(state.phase, Deciding) and not state.turn.kept
        ):
            yield TurnPlayed(before, state, end, bratworm)
            before, end, worm, bratworm = state, 0, False, False


def follow(turn: TurnPlayed) -> None:
    """The turn as it was played is one that the rows know, with the same table after it."""
    before, after, seats = turn.before, turn.after, turn.before.table.seats
    game = game_at(before.table)
    rules = row_rules(game.edition)
    row = rules.row(before.table, before.seat)
    assert tuple(rules.scores(row[np.newaxis])[0, :seats]) == tuple(
        scores(before)[(before.seat + place) % seats] for place in range(seats)
    )
    ((kind, _),) = rules.kinds(row[np.newaxis])
    assert kind == position_of(before).kind
    layers = rules.layers(row[np.newaxis], kind)
    branches = rules.branches(layers, totals_of(game))
    possible = range(1, kind.layers) if turn.bratworm else [0]
    numbers = {int(branches.ending[0, layer, turn.end]) for layer in possible}
    places = [at for n in numbers for at in range(branches.first[n], branches.first[n + 1])]
    wanted = rules.row(after.table, (before.seat + 1) % seats)
    (at, *_) = (at for at in places if (branches.rows[at] == wanted).all())
    assert branches.over[at] == isinstance(after.phase, Over)
    if branches.over[at]:
        assert branches.shares[at, :seats] == pytest.approx(shares_of(after))


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("edition", "seats", "house"), TABLES, ids=str)
def test_a_game_is_the_same_on_rows(edition: str, seats: int, house: HouseRules, bot: str) -> None:
    record = bot_game(edition, seats, seats, bot=player(bot), house=house, words=WORDS // seats)
    turns = list(turns_of(record))
    assert turns
    for turn in turns:
        follow(turn)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("edition", "seats", "house"), TABLES, ids=str)
def test_many_games_are_the_same_on_rows_in_every_ending(
    edition: str, seats: int, house: HouseRules, bot: str, seed: int
) -> None:
    record = bot_game(edition, seats, 1000 + seed, bot=player(bot), house=house)
    rules = row_rules(edition)
    for turn in turns_of(record):
        follow(turn)
        check_turn(rules, turn.before)


def test_games_come_to_every_kind_of_end() -> None:
    """What is followed above has failures, ends by stopping, double 1s and finished games."""
    record = bot_game("deluxe", 2, 2, bot=player("fox"), words=WORDS)
    turns = list(turns_of(record))
    assert any(turn.end == 0 for turn in turns)
    assert any(turn.end for turn in turns)
    assert any(turn.bratworm for turn in turns)
    assert isinstance(turns[-1].after.phase, Over)
