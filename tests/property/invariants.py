"""What is true of every state of every game."""

from collections import Counter

from heckmeck import rules
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    BARBECUE_SPOTS,
    BRATWORMS,
    CLASSIC_TILES,
    DELUXE_TILES,
    JUNIOR_COPIES,
    JUNIOR_TILES,
    PLATES_EACH,
    SNAILS,
    Specialist,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import in_face_order
from heckmeck.rules.grill import Grill, Stacks, top
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import (
    Deciding,
    Falling,
    Over,
    PinchQuestion,
    ReturnQuestion,
    RobQuestion,
)

JUNIOR_BOX = [tile for tile in JUNIOR_TILES for _ in range(JUNIOR_COPIES)]


def check(state: rules.AnyState) -> None:
    """Fail if anything is wrong with this state."""
    check_turn(state)
    check_phase(state)
    match state.table:
        case ClassicTable(grill, stacks):
            check_tiles(grill, stacks, list(CLASSIC_TILES))
        case JuniorTable(grill, stacks):
            check_tiles(grill, stacks, JUNIOR_BOX)
        case DeluxeTable() as table:
            check_tiles(table.grill, table.stacks, list(DELUXE_TILES))
            check_specialists(state, table)
        case BarbecueTable() as table:
            check_board(table)
    assert rules.scores(state) == counted_again(state.table)


def check_turn(state: rules.AnyState) -> None:
    turn, dice = state.turn, rules.game_at(state.table).dice
    assert turn.kept == in_face_order(turn.kept)
    assert turn.total == sum(map(dice.points_for, turn.kept))
    golden_kept = len(turn.kept) + turn.hand - dice.count
    assert golden_kept in ((0, 1) if isinstance(state.table, DeluxeTable) else (0,))
    assert not (golden_kept and turn.golden)
    assert 0 <= state.seat < state.table.seats


def check_phase(state: rules.AnyState) -> None:
    """Each phase shows what it should, and exactly the player or the dice or nobody is awaited."""
    game, turn = rules.game_at(state.table), state.turn
    match state.phase:
        case Deciding():
            assert turn.dice_left
            assert not turn.kept or not game.turn_is_complete(turn)
        case Throw(dice, golden):
            assert len(dice) == turn.hand
            assert (golden is not None) == turn.golden
        case RobQuestion(victims):
            assert len(victims) > 1
            assert isinstance(state.table, DeluxeTable)
            assert state.table.supply == 0
        case PinchQuestion(tile, victims):
            assert len(victims) > 1
            assert isinstance(state.table, JuniorTable)
            assert {top(state.table.stacks[victim]) for victim in victims} == {tile}
        case _:
            assert isinstance(state.phase, Falling | ReturnQuestion | Over)
    legal = rules.legal(state)
    assert len(set(legal)) == len(legal)
    assert bool(legal) != isinstance(state.phase, Falling | Over)
    assert bool(rules.throws(state)) == isinstance(state.phase, Falling)
    assert (rules.outcome(state) is not None) == isinstance(state.phase, Over)


def check_tiles(grill: Grill, stacks: Stacks, box: list[int]) -> None:
    """No tile is lost or doubled."""
    assert list(grill.face_up) == sorted(grill.face_up)
    assert list(grill.face_down) == sorted(grill.face_down)
    on_stacks = [tile for stack in stacks for tile in stack]
    assert sorted([*grill.face_up, *grill.face_down, *on_stacks]) == sorted(box)


def check_specialists(state: rules.AnyState, table: DeluxeTable) -> None:
    """Nobody holds two, no tile carries two, nobody is in two places, nobody has the raven."""
    tiles = [tile for tile, _ in table.on_grill]
    assert tiles == sorted(set(tiles))
    assert set(tiles) <= set(table.grill.face_up)
    assert Specialist.RAVEN not in table.held
    assert max(Counter(where_specialists_are(state)).values(), default=1) == 1
    assert min(table.bratworms) >= 0
    assert table.supply >= 0
    assert sum(table.bratworms) + table.supply == BRATWORMS


def where_specialists_are(state: rules.AnyState) -> list[Specialist]:
    """All in the game: on the grill, held, and in the air while a question is open."""
    assert isinstance(state.table, DeluxeTable)
    standing = [specialist for _, specialist in state.table.on_grill]
    held = [specialist for specialist in state.table.held if specialist is not None]
    match state.phase:
        case ReturnQuestion(_, received):
            return [*standing, *held, received]
        case RobQuestion(for_raven=True):
            return [*standing, *held, Specialist.RAVEN]
        case _:
            return [*standing, *held]


def check_board(table: BarbecueTable) -> None:
    """No plate and no snail is lost; every plate's worms are still there to be stolen (B6)."""
    for seat in range(table.seats):
        on_board = {
            number: table.spot(number).plates.count(seat)
            for number in BARBECUE_SPOTS
            if seat in table.spot(number).plates
        }
        assert table.plates[seat] + sum(on_board.values()) == PLATES_EACH
        assert table.plates[seat] >= 0
        assert table.worms[seat] >= sum(
            BARBECUE_SPOTS[n] * plates for n, plates in on_board.items()
        )
    for spot in table.spots:
        assert len(set(spot.plates)) <= 1
        assert len(spot.plates) <= 2
        assert not (spot.snail and spot.plates)
    assert table.pool >= 0
    assert min(table.snails) >= 0
    assert table.pool + sum(table.snails) + sum(spot.snail for spot in table.spots) == SNAILS


def counted_again(table: rules.Table) -> tuple[int, ...]:
    """The scores, counted piece by piece."""
    match table:
        case ClassicTable(_, stacks):
            return tuple(sum((tile - 17) // 4 for tile in stack) for stack in stacks)
        case JuniorTable(_, stacks):
            worms = {4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 4}
            return tuple(sum(worms[tile] for tile in stack) for stack in stacks)
        case DeluxeTable():
            return tuple(
                sum(max(1, (tile - 17) // 4) for tile in table.stacks[seat])
                + table.bratworms[seat]
                + (3 if table.held[seat] is Specialist.APPLE else 0)
                for seat in range(table.seats)
            )
        case BarbecueTable():
            return tuple(table.worms[seat] + 3 * table.snails[seat] for seat in range(table.seats))
