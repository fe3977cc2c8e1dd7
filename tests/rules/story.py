"""Tests as little stories: given a table, when these words are played, then this is true.

    story = given(classic_table(2, stacks=((), (25,))), kept="55WWW").play("stop")
    assert story.events == (TurnEnded(0, 25, stopped=True), TileStolen(0, 1, 25, worms=2), ...)
    assert story.table.stacks == ((25,), ())

A table's builder deals out what the story does not mention, so that every table is complete:
tiles named nowhere lie face up, or face down when the story says what is face up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from heckmeck.rules import Table, game_at, new_game
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
from heckmeck.rules.events import Event, GameEnded
from heckmeck.rules.game import Game
from heckmeck.rules.grill import NO_HOUSE_RULES, Grill, HouseRules, Stacks
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.moves import IllegalMove, parse, word
from heckmeck.rules.outcome import Outcome
from heckmeck.rules.state import DECIDING, Phase, State
from heckmeck.rules.turn import Turn

TableT = TypeVar("TableT", bound=Table)

APPLE = Specialist.APPLE
CANNED = Specialist.CANNED
GOLDEN = Specialist.GOLDEN
HEN = Specialist.HEN
RAVEN = Specialist.RAVEN
WEASEL = Specialist.WEASEL

FLIP_ALWAYS = HouseRules(flip_always=True)
FLIP_RETURNED = HouseRules(flip_returned=True)
BOTH_FLIPS = HouseRules(flip_always=True, flip_returned=True)

SNAIL = "snail"


@dataclass(frozen=True)
class Story(Generic[TableT]):
    """A game at one moment, and what the last word brought about."""

    game: Game[TableT]
    state: State[TableT]
    events: tuple[Event, ...] = ()

    @property
    def table(self) -> TableT:
        return self.state.table

    @property
    def turn(self) -> Turn:
        return self.state.turn

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def seat(self) -> int:
        return self.state.seat

    @property
    def legal(self) -> str:
        """The words that may be played now, with spaces between."""
        return " ".join(map(word, self.game.legal(self.state)))

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores(self.state)

    @property
    def outcome(self) -> Outcome:
        """How the game ended, which the last event must have told as well."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None, f"the game is not over; legal now: {self.legal}"
        assert self.events[-1] == GameEnded(outcome)
        return outcome

    @property
    def is_over(self) -> bool:
        return self.game.outcome(self.state) is not None

    def play(self, words: str) -> "Story[TableT]":
        """Play these words; the error of a bad one says which of them it was."""
        story = self
        for number, text in enumerate(words.split(), start=1):
            story = story._play_one(text, f"word {number} of the story {words!r}")
        return story

    def _play_one(self, text: str, where: str) -> "Story[TableT]":
        try:
            return Story(self.game, *self.game.apply(self.state, parse(text)))
        except IllegalMove as error:
            error.add_note(where)
            raise

    def refuse(self, text: str) -> IllegalMove:
        """Return the error that a word meets; fail if it is played after all."""
        before = repr(self.state)
        try:
            after = self.game.apply(self.state, parse(text)).state
        except IllegalMove as error:
            assert repr(self.state) == before
            return error
        raise AssertionError(f"{text} was played and led to {after}")


def new_story(
    edition: type[TableT], seats: int = 2, first: int = 0, house: HouseRules = NO_HOUSE_RULES
) -> Story[TableT]:
    """Begin a game; the edition is named by its kind of table."""
    name = edition.__name__.removesuffix("Table").lower()
    state = new_game(name, seats, first, house)
    assert isinstance(state.table, edition)
    return given(state.table, seat=first)


def given(
    table: TableT,
    *,
    seat: int = 0,
    kept: str = "",
    hand: int | None = None,
    golden: bool = False,
    weasel_used: bool = False,
) -> Story[TableT]:
    """Begin in the middle of ``seat``'s turn with these dice kept.

    ``hand`` is worked out unless the golden die is among the kept dice.
    """
    game: Game[TableT] = game_at(table)
    total = sum(map(game.dice.points_for, kept))
    left = game.dice.count - len(kept) if hand is None else hand
    turn = Turn(left, in_face_order(kept), total, golden, weasel_used)
    return Story(game, State(table, seat, turn, DECIDING))


def classic_table(
    seats: int = 2,
    *,
    stacks: Stacks = (),
    grill: Iterable[int] | None = None,
    house: HouseRules = NO_HOUSE_RULES,
) -> ClassicTable:
    """Set a table; ``stacks`` may leave out the last seats."""
    return ClassicTable(_grill(CLASSIC_TILES, stacks, grill), _padded(stacks, seats, ()), house)


def deluxe_table(
    seats: int = 2,
    *,
    stacks: Stacks = (),
    grill: Iterable[int] | None = None,
    on_grill: Mapping[int, Specialist] | None = None,
    held: Sequence[Specialist | None] = (),
    bratworms: Sequence[int] = (),
    house: HouseRules = NO_HOUSE_RULES,
) -> DeluxeTable:
    """Set a table; Specialists named nowhere are out of the game, Bratworms are in the supply."""
    standing = tuple(sorted((on_grill or {}).items()))
    row = _grill(DELUXE_TILES, stacks, grill)
    assert all(tile in row.face_up for tile, _ in standing), "Specialists stand on face-up tiles"
    return DeluxeTable(
        grill=row,
        stacks=_padded(stacks, seats, ()),
        on_grill=standing,
        held=_padded(held, seats, None),
        bratworms=_padded(bratworms, seats, 0),
        supply=BRATWORMS - sum(bratworms),
        house=house,
    )


def barbecue_table(
    seats: int = 2,
    *,
    spots: Mapping[int, Sequence[int] | str] | None = None,
    snails: Sequence[int] = (),
    worms: Sequence[int] | None = None,
    plates: Sequence[int] | None = None,
    pool: int | None = None,
) -> BarbecueTable:
    """Set a table; ``spots`` says whose plates lie where, or `SNAIL`.

    Unless told, players have the worms their plates brought, and all other plates in hand.
    """
    named = spots or {}
    board = tuple(_spot(named.get(number, ())) for number in BARBECUE_SPOTS)
    on_board = [owner for spot in board for owner in spot.plates]
    brought = [
        sum(
            BARBECUE_SPOTS[number] * spot.plates.count(seat)
            for number, spot in zip(BARBECUE_SPOTS, board, strict=True)
        )
        for seat in range(seats)
    ]
    in_pool = SNAILS - sum(spot.snail for spot in board) - sum(snails)
    return BarbecueTable(
        spots=board,
        pool=in_pool if pool is None else pool,
        snails=_padded(snails, seats, 0),
        worms=tuple(brought if worms is None else worms),
        plates=tuple(
            (PLATES_EACH - on_board.count(seat) for seat in range(seats))
            if plates is None
            else plates
        ),
    )


def junior_table(
    seats: int = 2, *, stacks: Stacks = (), grill: Iterable[int] | None = None
) -> JuniorTable:
    """Set a table; there are two tiles of each number."""
    tiles = [tile for tile in JUNIOR_TILES for _ in range(JUNIOR_COPIES)]
    return JuniorTable(_grill(tiles, stacks, grill), _padded(stacks, seats, ()))


ItemT = TypeVar("ItemT")


def _padded(named: Sequence[ItemT], seats: int, rest: ItemT) -> tuple[ItemT, ...]:
    assert len(named) <= seats, f"{named} is more than {seats} seats"
    return (*named, *[rest] * (seats - len(named)))


def _grill(tiles: Iterable[int], stacks: Stacks, face_up: Iterable[int] | None) -> Grill:
    rest = list(tiles)
    for tile in (tile for stack in stacks for tile in stack):
        rest.remove(tile)
    if face_up is None:
        return Grill(tuple(rest))
    up = tuple(sorted(face_up))
    for tile in up:
        rest.remove(tile)
    return Grill(up, tuple(rest))


def _spot(content: Sequence[int] | str) -> Spot:
    if isinstance(content, str):
        assert content == SNAIL
        return WITH_SNAIL
    return Spot(tuple(content)) if content else EMPTY
