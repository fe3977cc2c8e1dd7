"""Any position of any game: tables as Hypothesis strategies, and paths through the rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from hypothesis import assume
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.rules.barbecue import EMPTY, WITH_SNAIL, BarbecueTable, Spot
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
from heckmeck.rules.grill import Grill, Stacks
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.state import DECIDING, Falling, Over, State
from heckmeck.rules.turn import Turn

HOUSE_RULES = st.builds(rules.HouseRules, st.booleans(), st.booleans())
CHOICES = st.integers(1, 30).flatmap(
    lambda n: st.lists(st.integers(0, 5000), min_size=n, max_size=n)
)


@st.composite
def set_ups(draw: st.DrawFn, edition: str) -> rules.AnyState:
    """A game about to begin: any number of players, anybody first, any house rules."""
    game = rules.game(edition)
    seats = draw(st.sampled_from(game.players))
    house = draw(HOUSE_RULES) if game.has_house_rules else rules.NO_HOUSE_RULES
    return rules.new_game(edition, seats, draw(st.integers(0, seats - 1)), house)


@st.composite
def positions(draw: st.DrawFn, edition: str) -> rules.AnyState:
    """A player about to throw or to stop, at any table that the pieces allow."""
    game = rules.game(edition)
    seats = draw(st.sampled_from(game.players))
    table = draw(_TABLES[edition](seats))
    seat = draw(st.integers(0, seats - 1))
    size = draw(st.integers(0, game.dice.count - 1))
    faces = st.sampled_from(game.dice.faces + game.dice.worm * 2)  # most turns have a worm
    kept = draw(st.lists(faces, min_size=size, max_size=size))
    total = sum(map(game.dice.points_for, kept))
    turn = Turn(game.dice.count - len(kept), in_face_order("".join(kept)), total)
    assume(not kept or not game.turn_is_complete(turn))
    return State(table, seat, turn, DECIDING)


def path(
    state: rules.AnyState, choices: Iterable[int]
) -> Iterator[tuple[rules.AnyState, rules.Move, rules.Transition[rules.Table]]]:
    """Yield each state, the move chosen there, and what it led to; ends with the game."""
    for choice in choices:
        moves = possible(state)
        if not moves:
            return
        move = moves[choice % len(moves)]
        after = rules.apply(state, move)
        yield state, move, after
        state = after.state


def possible(state: rules.AnyState) -> Sequence[rules.Move]:
    """The moves that may come next, the dice's included."""
    return rules.throws(state).throws if isinstance(state.phase, Falling) else rules.legal(state)


def is_over(state: rules.AnyState) -> bool:
    return isinstance(state.phase, Over)


# --- tables ---------------------------------------------------------------------------------------


@st.composite
def _grills(draw: st.DrawFn, tiles: Sequence[int], seats: int) -> tuple[Grill, Stacks]:
    """Deal the tiles out: face up, face down, or on a stack."""
    up: list[int] = []
    down: list[int] = []
    stacks: list[list[int]] = [[] for _ in range(seats)]
    for tile in draw(st.permutations(tiles)):
        draw(st.sampled_from([up, up, down, *stacks])).append(tile)
    assume(up)
    return Grill(tuple(sorted(up)), tuple(sorted(down))), tuple(map(tuple, stacks))


@st.composite
def _classic_tables(draw: st.DrawFn, seats: int) -> ClassicTable:
    grill, stacks = draw(_grills(list(CLASSIC_TILES), seats))
    return ClassicTable(grill, stacks, draw(HOUSE_RULES))


@st.composite
def _junior_tables(draw: st.DrawFn, seats: int) -> JuniorTable:
    tiles = [tile for tile in JUNIOR_TILES for _ in range(JUNIOR_COPIES)]
    return JuniorTable(*draw(_grills(tiles, seats)))


@st.composite
def _deluxe_tables(draw: st.DrawFn, seats: int) -> DeluxeTable:
    grill, stacks = draw(_grills(list(DELUXE_TILES), seats))
    on_grill: dict[int, Specialist] = {}
    held: list[Specialist | None] = [None] * seats
    for specialist in Specialist:
        tiles = [tile for tile in grill.face_up if tile not in on_grill]
        hands = [seat for seat in range(seats) if held[seat] is None]
        places: list[tuple[str, int]] = [("out", 0), *(("grill", tile) for tile in tiles)]
        if specialist is not Specialist.RAVEN:
            places += [("held", seat) for seat in hands]
        match draw(st.sampled_from(places)):
            case ("grill", tile):
                on_grill[tile] = specialist
            case ("held", seat):
                held[seat] = specialist
    takers = st.integers(0 if draw(st.booleans()) else 1, seats)  # 0 is the supply
    shares = draw(st.lists(takers, min_size=BRATWORMS, max_size=BRATWORMS))
    return DeluxeTable(
        grill=grill,
        stacks=stacks,
        on_grill=tuple(sorted(on_grill.items())),
        held=tuple(held),
        bratworms=tuple(shares.count(seat + 1) for seat in range(seats)),
        supply=shares.count(0),
        house=draw(HOUSE_RULES),
    )


@st.composite
def _barbecue_tables(draw: st.DrawFn, seats: int) -> BarbecueTable:
    plates = [PLATES_EACH] * seats
    worms = [draw(st.integers(0, 3)) for _ in range(seats)]
    pool = SNAILS
    spots: list[Spot] = []
    for number in BARBECUE_SPOTS:
        choices = [EMPTY, WITH_SNAIL] if pool else [EMPTY]
        for seat in range(seats):
            choices += [Spot((seat,) * count) for count in (1, 2) if plates[seat] >= count]
        spot = draw(st.sampled_from(choices))
        spots.append(spot)
        pool -= spot.snail
        for owner in spot.plates:
            plates[owner] -= 1
            worms[owner] += BARBECUE_SPOTS[number]
    snails = [0] * seats
    for seat in range(seats):
        snails[seat] = draw(st.integers(0, pool) | st.just(pool))
        pool -= snails[seat]
    return BarbecueTable(tuple(spots), pool, tuple(snails), tuple(worms), tuple(plates))


_TABLES: dict[str, Callable[[int], st.SearchStrategy[rules.Table]]] = {
    "classic": _classic_tables,
    "deluxe": _deluxe_tables,
    "barbecue": _barbecue_tables,
    "junior": _junior_tables,
}
