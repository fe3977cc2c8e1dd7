"""A table, a turn, its choices and an ending in a few lines of plain text."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from heckmeck.cli.plain_lines import TIED
from heckmeck.narration import Messages
from heckmeck.narration.messages import messages_in, table_words
from heckmeck.rules import AnyState, Ending, bonus, game_at, scores, stopping
from heckmeck.rules import endings as end
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import BARBECUE_SPOTS
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.junior import JuniorTable
from heckmeck.tui.phrases import Phrases
from heckmeck.tui.source import Hints


class PlainWords:
    """Describes one table, in one language."""

    def __init__(self, names: Sequence[str], language: str = "en", you: int | None = None) -> None:
        """Speak of the players called ``names``, by seat, to the one on seat ``you``."""
        told = messages_in(language)
        reader = told.say("you.first")
        self._names = [reader if at == you else name for at, name in enumerate(names)]
        self._words: Messages = table_words(language)
        self._phrases = Phrases(self._words, language, tuple(names))

    # --- the table --------------------------------------------------------------------------------

    def table(self, state: AnyState) -> str:
        """Return the table as text: the grill first, then a line for each player."""
        table = state.table
        say = self._words.say
        match table:
            case ClassicTable() | JuniorTable():
                lines = [self._grill(table.grill.face_up)]
                about = [self._stack(stack) for stack in table.stacks]
            case DeluxeTable():
                lines = [self._deluxe_grill(table), say("plain.supply", count=table.supply)]
                about = [self._deluxe_player(table, seat) for seat in range(table.seats)]
            case BarbecueTable():
                lines = [self._board(table), say("plain.pool", count=table.pool)]
                about = [self._barbecue_player(table, seat) for seat in range(table.seats)]
            case _:
                assert_never(table)
        for name, score, what in zip(self._names, scores(state), about, strict=True):
            lines.append("  " + say("colon", what=name, how=f"{score} ({what})"))
        return "\n".join(lines)

    def _grill(self, items: Iterable[object]) -> str:
        row = " ".join(map(str, items)) or self._words.say("plain.nothing")
        return self._words.say("plain.grill", row=row)

    def _stack(self, stack: tuple[int, ...]) -> str:
        if not stack:
            return self._words.say("plain.no_stack")
        return self._words.say("plain.stack", tile=stack[-1], count=len(stack))

    def _deluxe_grill(self, table: DeluxeTable) -> str:
        standing = dict(table.on_grill)
        return self._grill(
            f"{tile}({self._specialist(standing[tile])})" if tile in standing else tile
            for tile in table.grill.face_up
        )

    def _deluxe_player(self, table: DeluxeTable, seat: int) -> str:
        held = table.held[seat]
        parts = [
            self._stack(table.stacks[seat]),
            self._words.count("plain.bratworms", table.bratworms[seat]),
        ]
        if held is not None:
            parts.append(self._words.say("plain.holds", specialist=self._specialist(held)))
        return ", ".join(parts)

    def _specialist(self, name: str) -> str:
        return self._words.say(f"specialist.{name}")

    def _barbecue_player(self, table: BarbecueTable, seat: int) -> str:
        return ", ".join(
            (
                self._words.count("worms", table.worms[seat]),
                self._words.count("plain.snails", table.snails[seat]),
                self._words.count("plain.plates", table.plates[seat]),
            )
        )

    def _board(self, table: BarbecueTable) -> str:
        return self._grill(self._spot(table, number) for number in BARBECUE_SPOTS)

    def _spot(self, table: BarbecueTable, number: int) -> str:
        spot = table.spot(number)
        if spot.snail:
            return f"{number}({self._words.say('plain.snail')})"
        if not spot.plates:
            return str(number)
        return f"{number}({'+'.join(self._names[seat] for seat in spot.plates)})"

    # --- the turn ---------------------------------------------------------------------------------

    def turn(self, state: AnyState) -> str:
        """Return what is kept, its total, and whether a worm is among it."""
        turn = state.turn
        rules = game_at(state.table)
        result = rules.result(state.table, state.seat, turn.total, rules.dice.worm in turn.kept)
        hand = str(turn.hand)
        if turn.golden:
            hand = self._words.say("plain.and_golden", hand=hand)
        return self._words.say(
            "plain.kept",
            dice=" ".join(turn.kept),
            total=turn.total,
            worm=self._words.say("plain.no_worm" if result is None else "plain.worm"),
            hand=hand,
        )

    def stopping(self, state: AnyState) -> str:
        """Return what stopping now would do, and what would come with the tile."""
        return self._phrases.with_bonus(self.ending(stopping(state)), bonus(state))

    def hints(self, hints: Hints) -> str:
        """Return what each move is worth, in a line."""
        worth = (self._phrases.worth(hint.worth, hints.unit) for hint in hints.moves)
        moves = ", ".join(
            f"{hint.word}{TIED}{number}" for hint, number in zip(hints.moves, worth, strict=True)
        )
        return self._words.say(
            "plain.hints.win" if hints.unit == "win" else "plain.hints.worms", moves=moves
        )

    def choices(self, state: AnyState, moves: Iterable[str]) -> list[tuple[str, str]]:
        """Return the words on offer, each with what it does."""
        return [
            (word, self.stopping(state) if word == "stop" else self._phrases.move(word))
            for word in moves
        ]

    def ending(self, ending: Ending) -> str:
        """Return what ending a turn like this does."""
        say = self._words.say
        match ending:
            case end.TakeTile(tile):
                return say("plain.take", tile=tile)
            case end.StealTile(tile, victim):
                return say("plain.take_from", tile=tile, name=self._names[victim])
            case end.StealHen(tile, victim):
                return say("plain.hen", tile=tile, name=self._names[victim])
            case end.PinchTile(tile, victims):
                return say("plain.pinch", tile=tile, names=self._one_of(victims))
            case end.OccupySpot(spot):
                return say("plain.plate", spot=spot)
            case end.StealSpot(spot, victim):
                return say("plain.plate_from", spot=spot, name=self._names[victim])
            case end.CloseSpot(spot):
                return say("plain.close", spot=spot)
            case end.TakeSnail(spot):
                pool = spot is None
                return say("plain.snail_pool") if pool else say("plain.snail_spot", spot=str(spot))
            case end.EndGame():
                return say("plain.end")
            case end.Nothing(why):
                return say("plain.brings_nothing", why=say(f"plain.why.{why}"))
            case _:
                assert_never(ending)

    def _one_of(self, seats: tuple[int, ...]) -> str:
        *first, last = (self._names[seat] for seat in seats)
        if not first:
            return last
        return self._words.say("plain.or", first=", ".join(first), last=last)
