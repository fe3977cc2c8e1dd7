"""A position that somebody sets up, possible or not: its pieces, and everything wrong with it.

The pieces are counted, and the rules say what can come next (`Game.phases`), so no rule is restated
here. What the box leaves over is not part of a draft: the supply of Bratworms, the pool of snails,
the plates in hand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Final, Literal, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import asdict

from heckmeck.record.state_json import SNAIL, HouseOptions, options_of
from heckmeck.rules import (
    AnyGame,
    AnyState,
    HouseRules,
    MalformedMove,
    Specialist,
    Table,
    barbecue,
    classic,
    components,
    deluxe,
    game,
    game_at,
    junior,
    parse,
    word,
)
from heckmeck.rules.dice import in_face_order
from heckmeck.rules.grill import Grill
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import (
    DECIDING,
    FALLING,
    Deciding,
    Falling,
    Over,
    Phase,
    PinchQuestion,
    ReturnQuestion,
    RobQuestion,
    State,
)
from heckmeck.rules.turn import Turn

Count = Annotated[int, Meta(ge=0, le=999)]
#: More than any box has, and few enough to read at once.
Number = Annotated[int, Meta(ge=0, le=99)]
Tiles = Annotated[tuple[Number, ...], Meta(max_length=40)]
Plates = Annotated[int, Meta(ge=0, le=8)]  # of this seat
Content = Annotated[tuple[Plates | Literal["snail"], ...], Meta(max_length=9)]
#: A roll, or a word with what it is about.
_NEXT: Final = r"^(=[1-6WBCGK]*(\+[1-6WBCGK])?|[a-z]+(:[a-z_]+)?)$"


class PlayerDraft(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a player has: a stack, bottom to top; a Specialist; Bratworms; worms and snails."""

    stack: Tiles = ()
    holds: Specialist | None = None
    bratworms: Count = 0
    worms: Count = 0
    snails: Count = 0


class Draft(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position as it is set up; ``docs/record.md`` describes its text form.

    ``on_grill`` lists the Specialists by tile, and ``spots`` plates by seat, or the word snail, by
    spot. ``golden`` says where the golden die is in this turn: in hand, kept, or not in it.
    ``next`` is what comes next: ``decide``, ``dice`` (they are in the air), the roll on the table
    as in a record (``=1134W``), ``rob``, ``return:hen`` (the Specialist just received), ``pinch``
    or ``over``. A Bratworm earned with the raven's tile is ``rob:raven``, one for two 1s
    ``rob:ones``; a reason may follow in ``over:pool_empty``. Without these, what the rules assume.
    """

    edition: Annotated[str, Meta(max_length=24)]
    players: Annotated[tuple[PlayerDraft, ...], Meta(max_length=9)]
    to_move: Count = 0
    options: HouseOptions = HouseOptions()
    grill: Tiles = ()
    face_down: Tiles = ()
    on_grill: Annotated[dict[Number, Specialist], Meta(max_length=40)] = {}
    spots: Annotated[dict[Number, Content], Meta(max_length=40)] = {}
    kept: Annotated[str, Meta(pattern="^[1-6WBCGK]{0,20}$")] = ""
    golden: Literal["hand", "kept"] | None = None
    weasel_used: bool = False
    next: Annotated[str, Meta(pattern=_NEXT, max_length=24)] = "decide"


# --- what can be wrong ----------------------------------------------------------------------------

#: Where a tile can be: on the grill, face down there, or on the stack of a seat.
Place: TypeAlias = int | Literal["grill", "face_down"]

FlawCode: TypeAlias = Literal[
    "text",
    "players",
    "to_move",
    "house_rules",
    "foreign",
    "no_such_tile",
    "tile_twice",
    "too_many_tiles",
    "tiles_missing",
    "cannot_stand",
    "specialist_twice",
    "raven_held",
    "bratworms",
    "no_such_spot",
    "bad_spot",
    "plates",
    "snails",
    "worms",
    "no_such_face",
    "too_many_dice",
    "golden_face",
    "no_golden",
    "no_weasel",
    "too_early",
    "roll",
    "golden_roll",
    "dead_roll",
    "turn_ended",
    "game_over",
    "not_over",
    "no_rob",
    "no_return",
    "no_pinch",
]


class Flaw(Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong with a position, and where.

    ``count`` is how many there are, and ``box`` how many there can be, from ``least`` on. ``at`` is
    the character of a text, counting from 1, and ``text`` what was expected or found there.
    """

    code: FlawCode
    tiles: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()
    spot: int | None = None
    seat: int | None = None
    who: Specialist | None = None
    count: int | None = None
    least: int | None = None
    box: int | None = None
    at: int | None = None
    text: str | None = None

    def __str__(self) -> str:
        """Return a sentence that says what is wrong."""
        blanks = asdict(self)
        blanks["tiles"] = ", ".join(map(str, self.tiles))
        blanks["places"] = " and ".join(map(_place, self.places))
        return _SENTENCES[self.code].format_map(blanks)


def _place(place: Place) -> str:
    match place:
        case "grill":
            return "on the grill"
        case "face_down":
            return "face down on the grill"
        case _:
            return f"in the stack of seat {place}"


_SENTENCES: Final[dict[FlawCode, str]] = {
    "text": "Character {at}: {text}.",
    "players": "{text} is for {least} to {box} players, not for {count}.",
    "to_move": "It is the turn of seat {seat}, but the seats are 0 to {box}.",
    "house_rules": "{text} has no house rules.",
    "foreign": "{text}.",
    "no_such_tile": "There is no tile {tiles} in this box.",
    "tile_twice": "The {tiles} is both {places}.",
    "too_many_tiles": "There are {count} tiles {tiles}, the box has {box}.",
    "tiles_missing": "Nobody has these tiles, and they are not on the grill: {tiles}.",
    "cannot_stand": "The {who} stands on the {tiles}, which is not face up on the grill.",
    "specialist_twice": "The {who} is in two places.",
    "raven_held": "Seat {seat} holds the raven, which goes to no player.",
    "bratworms": "There are {count} Bratworms, the box has {box}.",
    "no_such_spot": "There is no spot {spot} on the board.",
    "bad_spot": "On spot {spot} there can be a snail, or one or two plates of one player.",
    "plates": "Seat {seat} has {count} plates on the board, the box has {box} for each player.",
    "snails": "There are {count} snails, the box has {box}.",
    "worms": "Seat {seat} has {count} worms, but its plates on the board brought {least}.",
    "no_such_face": "No die here shows {text!r}.",
    "too_many_dice": "{count} dice are kept, but there are {box}.",
    "golden_face": "The golden die is kept, but no kept die shows one of its faces.",
    "no_golden": "The golden die is in this turn, but seat {seat} does not hold it.",
    "no_weasel": "The weasel was used in this turn, but seat {seat} does not hold it.",
    "too_early": "No die is kept, so neither golden die nor weasel can be in this turn.",
    "roll": "{count} dice are rolled, but {box} are in hand.",
    "golden_roll": "The golden die must be rolled exactly when it is in hand.",
    "dead_roll": "All of these faces are kept, so this roll is dead and the turn has ended.",
    "turn_ended": "Nothing is left to roll, so the turn has ended.",
    "game_over": "No tile is face up on the grill, so the game is over.",
    "not_over": "The game cannot be over here.",
    "no_rob": "There is no choice whom to rob here.",
    "no_return": "There is no choice between these Specialists here.",
    "no_pinch": "There is no choice whom to pinch the tile from here.",
}


class BadPosition(ValueError):
    """A position that is not possible, or text that does not describe one."""

    def __init__(self, *flaws: Flaw) -> None:
        """Say everything that is wrong."""
        self.flaws = flaws
        super().__init__(" ".join(map(str, flaws)))


# --- from a draft to a state ----------------------------------------------------------------------


def state_of(draft: Draft) -> AnyState:
    """Return the state that is set up; raise `BadPosition` with all flaws that are found.

    An unknown edition is a `BadSetup`.
    """
    table, turn = pieces_of(draft)
    phase = _phase(draft, game_at(table), table, turn)
    return State(table, draft.to_move, turn, phase)


def pieces_of(draft: Draft) -> tuple[Table, Turn]:
    """Return the table and the turn; raise `BadPosition` unless the box has these pieces."""
    rules = game(draft.edition)
    _refuse(_setup_flaws(draft, rules))
    start: AnyState = rules.initial(len(draft.players), 0, draft.options.rules())
    if isinstance(start.table, barbecue.BarbecueTable):
        _refuse((*_board_flaws(draft), *_dice_flaws(draft, rules)))
        table: Table = _board(draft)
    else:
        _refuse((*_grill_flaws(draft, start.table), *_dice_flaws(draft, rules)))
        table = _tiles(draft, start.table)
    kept = in_face_order(draft.kept)
    total = sum(map(rules.dice.points_for, kept))
    hand = rules.dice.count + (draft.golden == "kept") - len(kept)
    return table, Turn(hand, kept, total, draft.golden == "hand", draft.weasel_used)


def _refuse(flaws: Iterable[Flaw]) -> None:
    found = tuple(flaws)
    if found:
        raise BadPosition(*found)


#: The fields that only some editions have, and what they hold.
_OWN: Final = {
    "grill": "tiles",
    "face_down": "tiles",
    "stack": "tiles",
    "on_grill": "Specialists",
    "holds": "Specialists",
    "bratworms": "Bratworms",
    "golden": "golden die",
    "weasel_used": "weasel",
    "spots": "board",
    "worms": "worms to collect",
    "snails": "snails",
}
_TILED: Final = frozenset({"grill", "face_down", "stack"})
_BOARD: Final = frozenset({"spots", "worms", "snails"})
_HAS: Final = {
    "classic": _TILED,
    "junior": _TILED,
    "deluxe": frozenset(_OWN) - _BOARD,
    "barbecue": _BOARD,
}


def _setup_flaws(draft: Draft, rules: AnyGame) -> Iterator[Flaw]:
    count, most = len(draft.players), rules.players[-1]
    if count not in rules.players:
        yield Flaw("players", text=rules.edition, count=count, least=rules.players[0], box=most)
    elif draft.to_move >= count:
        yield Flaw("to_move", seat=draft.to_move, box=count - 1)
    if draft.options.rules() != HouseRules() and not rules.has_house_rules:
        yield Flaw("house_rules", text=rules.edition)
    foreign = _OWN.keys() - _HAS[rules.edition]
    parts = (draft, *draft.players)
    used = {_OWN[name] for name in foreign for part in parts if getattr(part, name, None)}
    yield from (Flaw("foreign", text=f"{rules.edition} has no {what}") for what in sorted(used))


def _grill_flaws(draft: Draft, start: "Tiled") -> Iterator[Flaw]:
    yield from _tile_flaws(draft, Counter(start.grill.face_up))
    if isinstance(start, deluxe.DeluxeTable):
        yield from _specialist_flaws(draft)
        count = sum(player.bratworms for player in draft.players)
        if count > components.BRATWORMS:
            yield Flaw("bratworms", count=count, box=components.BRATWORMS)


Tiled: TypeAlias = classic.ClassicTable | deluxe.DeluxeTable | junior.JuniorTable


def _tile_flaws(draft: Draft, box: Counter[int]) -> Iterator[Flaw]:
    places: dict[int, list[Place]] = {}
    rows: list[tuple[Place, tuple[int, ...]]] = [
        ("grill", draft.grill),
        ("face_down", draft.face_down),
        *((seat, player.stack) for seat, player in enumerate(draft.players)),
    ]
    for place, tiles in rows:
        for tile in tiles:
            places.setdefault(tile, []).append(place)
    for tile, where in sorted(places.items()):
        if tile not in box:
            yield Flaw("no_such_tile", tiles=(tile,))
        elif len(where) > box[tile]:
            yield _too_many(tile, where, box[tile])
    missing = sorted(tile for tile in box for _ in range(box[tile] - len(places.get(tile, ()))))
    if missing:
        yield Flaw("tiles_missing", tiles=tuple(missing))


def _too_many(tile: int, where: list[Place], box: int) -> Flaw:
    if box == 1 and len(where) == len({*where}):
        return Flaw("tile_twice", tiles=(tile,), places=tuple(where))
    return Flaw("too_many_tiles", tiles=(tile,), count=len(where), box=box)


def _specialist_flaws(draft: Draft) -> Iterator[Flaw]:
    for tile, who in sorted(draft.on_grill.items()):
        if tile not in draft.grill:
            yield Flaw("cannot_stand", who=who, tiles=(tile,))
    held = [player.holds for player in draft.players]
    count = Counter((*draft.on_grill.values(), *held))
    yield from (Flaw("specialist_twice", who=who) for who in Specialist if count[who] > 1)
    if Specialist.RAVEN in held:
        yield Flaw("raven_held", seat=held.index(Specialist.RAVEN))


def _board_flaws(draft: Draft) -> Iterator[Flaw]:
    seats = range(len(draft.players))
    for number, content in sorted(draft.spots.items()):
        if number not in components.BARBECUE_SPOTS:
            yield Flaw("no_such_spot", spot=number)
        elif content != (SNAIL,) and content not in [(at,) * n for at in seats for n in (1, 2)]:
            yield Flaw("bad_spot", spot=number)
    snails = _snails(draft)
    if snails > components.SNAILS:
        yield Flaw("snails", count=snails, box=components.SNAILS)
    for seat, player in enumerate(draft.players):
        spots = _spots_of(draft, seat)
        brought = sum(components.BARBECUE_SPOTS.get(number, 0) for number in spots)
        if len(spots) > components.PLATES_EACH:
            yield Flaw("plates", seat=seat, count=len(spots), box=components.PLATES_EACH)
        if player.worms < brought:  # B5 to B7
            yield Flaw("worms", seat=seat, count=player.worms, least=brought)


def _snails(draft: Draft) -> int:
    return sum(player.snails for player in draft.players) + sum(
        content == (SNAIL,) for content in draft.spots.values()
    )


def _spots_of(draft: Draft, seat: int) -> list[int]:
    """Return the spots with a plate of this seat; one with two plates is listed twice."""
    return [number for number, content in draft.spots.items() for who in content if who == seat]


def _dice_flaws(draft: Draft, rules: AnyGame) -> Iterator[Flaw]:
    strange = sorted({*draft.kept} - {*rules.dice.faces})
    count, most = len(draft.kept), rules.dice.count + (draft.golden == "kept")
    if strange:
        yield Flaw("no_such_face", text=strange[0])
    elif draft.golden == "kept" and not {*draft.kept} & {*components.GOLDEN_DIE.faces}:
        yield Flaw("golden_face")
    if count > most:
        yield Flaw("too_many_dice", count=count, box=most)


def _tiles(draft: Draft, start: Tiled) -> Tiled:
    grill = Grill(tuple(sorted(draft.grill)), tuple(sorted(draft.face_down)))
    stacks = tuple(player.stack for player in draft.players)
    if not isinstance(start, deluxe.DeluxeTable):
        return replace(start, grill=grill, stacks=stacks)
    bratworms = tuple(player.bratworms for player in draft.players)
    return replace(
        start,
        grill=grill,
        stacks=stacks,
        on_grill=tuple(sorted(draft.on_grill.items())),
        held=tuple(player.holds for player in draft.players),
        bratworms=bratworms,
        supply=components.BRATWORMS - sum(bratworms),
    )


def _board(draft: Draft) -> barbecue.BarbecueTable:
    seats = range(len(draft.players))
    return barbecue.BarbecueTable(
        spots=tuple(_spot(draft.spots.get(number, ())) for number in components.BARBECUE_SPOTS),
        pool=components.SNAILS - _snails(draft),
        snails=tuple(player.snails for player in draft.players),
        worms=tuple(player.worms for player in draft.players),
        plates=tuple(components.PLATES_EACH - len(_spots_of(draft, seat)) for seat in seats),
    )


def _spot(content: Content) -> barbecue.Spot:
    if content == (SNAIL,):
        return barbecue.WITH_SNAIL
    return barbecue.Spot(tuple(map(int, content)))


# --- what comes next ------------------------------------------------------------------------------


def _phase(draft: Draft, rules: AnyGame, table: Table, turn: Turn) -> Phase:
    phases = [*rules.phases(table, draft.to_move, turn)]
    if draft.next.startswith("=") and FALLING in phases:
        return _thrown(draft, rules, table, turn)
    found = next((phase for phase in phases if draft.next in words_of(phase)), None)
    if found is None:
        raise BadPosition(_why_not(draft, rules, table, turn))
    return found


def _thrown(draft: Draft, rules: AnyGame, table: Table, turn: Turn) -> Throw:
    falling: AnyState = State(table, draft.to_move, turn, FALLING)
    throw = read_throw(draft.next, rules)
    if len(throw.dice) != turn.hand:
        raise BadPosition(Flaw("roll", count=len(throw.dice), box=turn.hand))
    if throw not in rules.throws(falling).throws:
        raise BadPosition(Flaw("golden_roll"))
    if not rules.legal(replace(falling, phase=throw)):
        raise BadPosition(Flaw("dead_roll"))
    return throw


def read_throw(text: str, rules: AnyGame) -> Throw:
    """Return a roll of the edition's dice, written as in a record."""
    try:
        throw = parse(text)
    except MalformedMove:
        throw = None
    strange = sorted({*text} - {*rules.dice.faces, *"=+"})
    if strange or not isinstance(throw, Throw):
        raise BadPosition(Flaw("no_such_face", text=strange[0] if strange else text))
    return throw


def _why_not(draft: Draft, rules: AnyGame, table: Table, turn: Turn) -> Flaw:
    """Return why what should come next cannot come next."""
    seat, what = draft.to_move, draft.next.partition(":")[0]
    if what == "over":
        return Flaw("not_over")
    if not rules.help_is_held(table, seat, turn):
        has_golden = draft.players[seat].holds is Specialist.GOLDEN
        wrong = draft.golden is not None and not has_golden
        return Flaw("no_golden" if wrong else "no_weasel", seat=seat)
    if rules.is_over(table):
        return Flaw("game_over")
    match what:
        case "rob":
            return Flaw("no_rob")
        case "return":
            return Flaw("no_return")
        case "pinch":
            return Flaw("no_pinch")
        case _ if rules.turn_is_complete(turn):
            return Flaw("turn_ended")
        case "decide":
            return Flaw("too_early")
        case _:
            return Flaw("foreign", text=f"nothing is called {what!r:.40} in a position")


def words_of(phase: Phase) -> tuple[str, ...]:
    """Return how this is called in a draft, shortest first; the last one is unmistakable."""
    match phase:
        case Deciding():
            return ("decide",)
        case Falling():
            return ("dice",)
        case Throw():
            return (word(phase),)
        case RobQuestion(_, for_raven):
            return ("rob", "rob:raven" if for_raven else "rob:ones")
        case ReturnQuestion(_, received):
            return (f"return:{received}",)
        case PinchQuestion():
            return ("pinch",)
        case Over(reason):
            return ("over", f"over:{reason}")
        case _:
            assert_never(phase)


def decision_at(state: AnyState) -> AnyState | None:
    """Return where a game can be continued from: dice in the air are taken back; None if over."""
    if isinstance(state.phase, Over):
        return None
    if not isinstance(state.phase, Falling):
        return state
    fresh = game_at(state.table).dice.count
    turn = state.turn if state.turn.kept else Turn(fresh)
    return State(state.table, state.seat, turn, DECIDING)


# --- from a state to a draft ----------------------------------------------------------------------


def draft_of(state: AnyState) -> Draft:
    """Return the position of a state."""
    table, turn = state.table, state.turn
    dice = game_at(table).dice.count
    in_hand: Literal["hand", "kept"] | None = "hand" if turn.golden else None
    return Draft(
        edition=game_at(table).edition,
        players=tuple(_player(table, seat) for seat in range(table.seats)),
        to_move=state.seat,
        options=options_of(table.house),
        grill=() if isinstance(table, barbecue.BarbecueTable) else table.grill.face_up,
        face_down=() if isinstance(table, barbecue.BarbecueTable) else table.grill.face_down,
        on_grill=dict(table.on_grill) if isinstance(table, deluxe.DeluxeTable) else {},
        spots=_contents(table) if isinstance(table, barbecue.BarbecueTable) else {},
        kept=turn.kept,
        golden="kept" if len(turn.kept) + turn.hand > dice else in_hand,
        weasel_used=turn.weasel_used,
        next=_next(state),
    )


def _player(table: Table, seat: int) -> PlayerDraft:
    match table:
        case barbecue.BarbecueTable():
            return PlayerDraft(worms=table.worms[seat], snails=table.snails[seat])
        case deluxe.DeluxeTable():
            return PlayerDraft(table.stacks[seat], table.held[seat], table.bratworms[seat])
        case _:
            return PlayerDraft(table.stacks[seat])


def _contents(table: barbecue.BarbecueTable) -> dict[int, Content]:
    spots = {number: table.spot(number) for number in components.BARBECUE_SPOTS}
    return {number: _content(spot) for number, spot in spots.items() if not spot.is_empty}


def _content(spot: barbecue.Spot) -> Content:
    return ("snail",) if spot.snail else spot.plates


def _next(state: AnyState) -> str:
    """Return the shortest word that the rules read as this phase."""
    words = words_of(state.phase)
    phases = game_at(state.table).phases(state.table, state.seat, state.turn)
    first = next((phase for phase in phases if words[0] in words_of(phase)), state.phase)
    return words[0] if first == state.phase else words[-1]
