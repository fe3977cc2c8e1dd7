"""What players see in bulk: everything that is public, counted from the player to move."""

import numpy as np
import pytest

from heckmeck import bulk
from heckmeck.bulk.games import Games
from heckmeck.bulk.observations import layout, spread
from heckmeck.rules import EDITIONS, AnyState, scores
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.grill import GrillTable

TABLES = [(edition, seats) for edition, game in EDITIONS.items() for seats in (2, game.players[-1])]


def played(edition: str, seats: int, steps: int) -> Games:
    games = bulk.new_games(edition, seats, 40, seed=2)
    key = np.array([4], np.uint64)
    for _ in range(steps):
        games.step(games.random_actions(key))
    return games


def by_name(games: Games, number: int) -> dict[str, int]:
    names = []
    for column in layout(games.edition, games.seats):
        name, _, rest = column.name.partition(":")
        names.append(f"{name} above" if "above" in rest else name)
    return dict(zip(names, games.compact_observations()[number].tolist(), strict=True))


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_every_column_is_in_its_range_and_has_its_features(edition: str, seats: int) -> None:
    columns, how = layout(edition, seats), spread(edition, seats)
    for steps in (0, 30, 200):
        games = played(edition, seats, steps)
        seen, shown = games.compact_observations(), games.observations()
        assert seen.dtype == np.int8
        assert shown.dtype == np.float32
        assert shown.shape == (40, how.features)
        at = 0
        for place, column in enumerate(columns):
            numbers = seen[:, place].astype(int)
            assert column.lowest <= numbers.min() <= numbers.max() <= column.highest, column
            features = shown[:, at : at + column.features]
            if column.one_hot:
                assert (features.argmax(axis=1) == numbers - column.lowest).all()
                assert (features.sum(axis=1) == 1).all()
            else:
                assert features[:, 0] == pytest.approx(numbers / column.highest)
            at += column.features


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_stacks_are_seen_in_full_order(edition: str, seats: int) -> None:
    games = played(edition, seats, 60)
    for number in range(len(games)):
        state, seen = games.state(number), by_name(games, number)
        assert [seen[f"score of player {p}"] for p in range(seats)] == [
            scores(state)[(state.seat + p) % seats] for p in range(seats)
        ]
        if isinstance(state.table, GrillTable):
            check_stacks(state, state.table, seen)
        if isinstance(state.table, DeluxeTable):
            assert seen["Bratworms in the supply"] == state.table.supply


def check_stacks(state: AnyState, table: GrillTable, seen: dict[str, int]) -> None:
    tiles = {
        name: where
        for name, where in seen.items()
        if name.startswith("tile ") and not name.endswith("above")
    }
    assert sum(where == 0 for where in tiles.values()) == len(table.grill.face_up)
    assert sum(where == -1 for where in tiles.values()) == len(table.grill.face_down)
    for player in range(table.seats):
        stack = table.stacks[(state.seat + player) % table.seats]
        mine = sorted(
            (seen[f"{name} above"], int(name.split()[1].rstrip("ab")))
            for name, where in tiles.items()
            if where == 1 + player
        )
        assert [tile for _, tile in mine] == list(reversed(stack))
