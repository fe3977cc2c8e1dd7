"""Somebody who sees the table once and from then on only hears what happened.

If the onlooker's picture of the table always is the table, then events tell everything: an
interface can animate and narrate a game without ever looking at states.
"""

from bisect import insort
from dataclasses import dataclass, field
from functools import singledispatchmethod

from heckmeck.rules import AnyState
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.components import BARBECUE_SPOTS, Specialist
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import FACE_ORDER
from heckmeck.rules.events import (
    AttemptFailed,
    BratwormEarned,
    BratwormMissing,
    BratwormRobbed,
    BratwormTaken,
    CannedWormOpened,
    DiceCast,
    DiceFell,
    DiceKept,
    Event,
    GameEnded,
    MissedOut,
    PinchAsked,
    PlatePlaced,
    PlateReplaced,
    PlateReturned,
    ReturnAsked,
    RobAsked,
    SnailPlaced,
    SnailTaken,
    SpecialistMoved,
    SpecialistReturned,
    SpecialistStolen,
    SpecialistTaken,
    SpotClosed,
    ThrowWasDead,
    TileGuarded,
    TileReturned,
    TileStolen,
    TileTaken,
    TileTurned,
    TurnEnded,
    TurnStarted,
    WeaselUsed,
)
from heckmeck.rules.grill import Grill
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Falling, Over, ReturnQuestion, RobQuestion
from heckmeck.rules.turn import Turn

SNAIL = -1  # among the owners of plates on a spot


@dataclass
class Picture:
    """All there is to see at any table. What an edition does not have stays empty."""

    seat: int
    awaits: str
    kept: list[str]
    total: int
    hand: int
    golden: bool
    weasel_used: bool
    throw: Throw | None
    face_up: list[int] = field(default_factory=list)
    face_down: list[int] = field(default_factory=list)
    stacks: list[list[int]] = field(default_factory=list)
    on_grill: dict[int, Specialist] = field(default_factory=dict)
    held: list[Specialist | None] = field(default_factory=list)
    in_the_air: Specialist | None = None
    bratworms: list[int] = field(default_factory=list)
    supply: int = 0
    spots: dict[int, list[int]] = field(default_factory=dict)
    pool: int = 0
    snails: list[int] = field(default_factory=list)
    worms: list[int] = field(default_factory=list)
    plates: list[int] = field(default_factory=list)


def picture_of(state: AnyState) -> Picture:
    """What a look at the table shows."""
    turn, phase, table = state.turn, state.phase, state.table
    picture = Picture(
        seat=state.seat,
        awaits=_awaits(state),
        kept=list(turn.kept),
        total=turn.total,
        hand=turn.hand,
        golden=turn.golden,
        weasel_used=turn.weasel_used,
        throw=phase if isinstance(phase, Throw) else None,
    )
    if isinstance(table, BarbecueTable):
        _add_board(picture, table)
    else:
        _add_grill(picture, table.grill, table.stacks)
    if isinstance(table, DeluxeTable):
        _add_specialists(picture, table)
    match phase:
        case ReturnQuestion(_, received):
            picture.in_the_air = received
        case RobQuestion(for_raven=True):
            picture.in_the_air = Specialist.RAVEN
    return picture


def _awaits(state: AnyState) -> str:
    if isinstance(state.phase, Over):
        return "nobody"
    return "dice" if isinstance(state.phase, Falling) else "player"


def _add_grill(picture: Picture, grill: Grill, stacks: tuple[tuple[int, ...], ...]) -> None:
    picture.face_up = list(grill.face_up)
    picture.face_down = list(grill.face_down)
    picture.stacks = list(map(list, stacks))


def _add_specialists(picture: Picture, table: DeluxeTable) -> None:
    picture.on_grill = dict(table.on_grill)
    picture.held = list(table.held)
    picture.bratworms = list(table.bratworms)
    picture.supply = table.supply


def _add_board(picture: Picture, table: BarbecueTable) -> None:
    for number in BARBECUE_SPOTS:
        spot = table.spot(number)
        if not spot.is_empty:
            picture.spots[number] = [SNAIL] if spot.snail else list(spot.plates)
    picture.pool = table.pool
    picture.snails = list(table.snails)
    picture.worms = list(table.worms)
    picture.plates = list(table.plates)


class Onlooker:
    """Draws the picture on from the events alone."""

    def __init__(self, state: AnyState, fresh_turn: Turn) -> None:
        self.picture = picture_of(state)
        self.fresh_turn = fresh_turn

    def hear(self, events: tuple[Event, ...]) -> Picture:
        """Return the picture after all these events."""
        for event in events:
            self._hear(event)
        return self.picture

    @singledispatchmethod
    def _hear(self, event: Event) -> None:
        raise TypeError(f"never heard of {event}")

    # --- the turn ---------------------------------------------------------------------------------

    @_hear.register
    def _(self, event: TurnStarted) -> None:
        turn = self.fresh_turn
        self.picture.seat = event.seat
        self.picture.kept, self.picture.total = list(turn.kept), turn.total
        self.picture.hand, self.picture.golden = turn.hand, turn.golden
        self.picture.weasel_used = turn.weasel_used

    @_hear.register
    def _(self, event: DiceCast) -> None:
        assert event.seat == self.picture.seat
        assert event.dice == self.picture.hand
        self.picture.golden = event.golden
        self.picture.throw = None
        self.picture.awaits = "dice"

    @_hear.register
    def _(self, event: DiceFell) -> None:
        assert event.seat == self.picture.seat
        self.picture.throw = Throw(event.dice, event.golden)
        self.picture.awaits = "player"

    @_hear.register
    def _(self, event: WeaselUsed) -> None:
        assert event.seat == self.picture.seat
        self.picture.weasel_used = True

    @_hear.register
    def _(self, event: DiceKept) -> None:
        assert event.seat == self.picture.seat
        self.picture.kept = sorted(
            self.picture.kept + [event.face] * event.count, key=FACE_ORDER.index
        )
        self.picture.total = event.total
        self.picture.golden = self.picture.golden and not event.golden
        self.picture.hand = event.left - self.picture.golden
        self.picture.throw = None

    @_hear.register
    def _(self, event: TurnEnded | AttemptFailed) -> None:
        assert event.seat == self.picture.seat
        self.picture.throw = None

    @_hear.register
    def _(self, event: GameEnded) -> None:
        assert event.outcome.winners
        self.picture.awaits = "nobody"

    @_hear.register
    def _(
        self,
        event: ThrowWasDead
        | MissedOut
        | CannedWormOpened
        | BratwormEarned
        | BratwormMissing
        | RobAsked
        | PinchAsked
        | ReturnAsked,
    ) -> None:
        assert event.seat == self.picture.seat

    # --- tiles ------------------------------------------------------------------------------------

    @_hear.register
    def _(self, event: TileTaken) -> None:
        self.picture.face_up.remove(event.tile)
        self.picture.stacks[event.seat].append(event.tile)
        self.picture.in_the_air = self.picture.on_grill.pop(event.tile, None)

    @_hear.register
    def _(self, event: TileStolen) -> None:
        assert self.picture.stacks[event.victim].pop() == event.tile
        self.picture.stacks[event.thief].append(event.tile)

    @_hear.register
    def _(self, event: TileReturned) -> None:
        assert self.picture.stacks[event.seat].pop() == event.tile
        insort(self.picture.face_up, event.tile)

    @_hear.register
    def _(self, event: TileTurned) -> None:
        self.picture.face_up.remove(event.tile)
        insort(self.picture.face_down, event.tile)

    @_hear.register
    def _(self, event: TileGuarded) -> None:
        assert self.picture.stacks[event.seat][-1] == event.tile
        assert self.picture.held[event.seat] is Specialist.HEN

    # --- Specialists and Bratworms ----------------------------------------------------------------

    @_hear.register
    def _(self, event: SpecialistTaken) -> None:
        assert self.picture.in_the_air is event.specialist
        self._give(event.seat, event.specialist)

    @_hear.register
    def _(self, event: SpecialistStolen) -> None:
        assert self.picture.held[event.victim] is event.specialist
        self.picture.held[event.victim] = None
        self._give(event.thief, event.specialist)

    def _give(self, seat: int, specialist: Specialist) -> None:
        """Whoever holds one already has the second one in the air until one goes back."""
        if self.picture.held[seat] is None:
            self.picture.held[seat], self.picture.in_the_air = specialist, None
        else:
            self.picture.in_the_air = specialist

    @_hear.register
    def _(self, event: SpecialistReturned) -> None:
        if self.picture.held[event.seat] is event.specialist:
            self.picture.held[event.seat] = self.picture.in_the_air
        else:
            assert self.picture.in_the_air is event.specialist
        self.picture.in_the_air = None
        self._stand(event.specialist, event.tile)

    @_hear.register
    def _(self, event: SpecialistMoved) -> None:
        if self.picture.in_the_air is event.specialist:
            self.picture.in_the_air = None
        else:
            assert self.picture.on_grill.pop(event.tile) is event.specialist
        self._stand(event.specialist, event.to)

    def _stand(self, specialist: Specialist, tile: int | None) -> None:
        if tile is not None:
            assert tile not in self.picture.on_grill
            self.picture.on_grill[tile] = specialist

    @_hear.register
    def _(self, event: BratwormTaken) -> None:
        self.picture.bratworms[event.seat] += 1
        self.picture.supply -= 1
        assert self.picture.supply == event.supply

    @_hear.register
    def _(self, event: BratwormRobbed) -> None:
        self.picture.bratworms[event.victim] -= 1
        self.picture.bratworms[event.thief] += 1

    # --- barbecue ---------------------------------------------------------------------------------

    @_hear.register
    def _(self, event: PlatePlaced) -> None:
        assert event.spot not in self.picture.spots
        self._earn(event.seat, event.worms)
        self._put_plate(event.seat, event.spot)

    @_hear.register
    def _(self, event: SpotClosed) -> None:
        assert self.picture.spots[event.spot] == [event.seat]
        self._earn(event.seat, event.worms)
        self._put_plate(event.seat, event.spot)

    @_hear.register
    def _(self, event: PlateReplaced) -> None:
        assert self.picture.spots.pop(event.spot) == [event.victim]
        self.picture.plates[event.victim] += 1
        self._earn(event.victim, -event.worms)
        self._earn(event.thief, event.worms)
        self._put_plate(event.thief, event.spot)

    def _earn(self, seat: int, worms: int) -> None:
        self.picture.worms[seat] += worms

    def _put_plate(self, seat: int, spot: int) -> None:
        self.picture.plates[seat] -= 1
        self.picture.spots.setdefault(spot, []).append(seat)

    @_hear.register
    def _(self, event: SnailTaken) -> None:
        if event.spot is None:
            self.picture.pool -= 1
        else:
            assert self.picture.spots.pop(event.spot) == [SNAIL]
        self.picture.snails[event.seat] += 1

    @_hear.register
    def _(self, event: SnailPlaced) -> None:
        assert event.spot not in self.picture.spots
        self.picture.spots[event.spot] = [SNAIL]
        self.picture.pool -= 1
        assert self.picture.pool == event.pool

    @_hear.register
    def _(self, event: PlateReturned) -> None:
        assert self.picture.spots.pop(event.spot) == [event.seat]
        self.picture.plates[event.seat] += 1
