"""What is said at a table apart from its log: pieces, moves, chances, what stopping would do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from heckmeck.narration.messages import Messages, messages_in, table_words
from heckmeck.rules import AnyState, Bonus, Ending
from heckmeck.rules import endings as end
from heckmeck.rules.components import BARBECUE_SPOTS, DELUXE_TILES, JUNIOR_TILES

#: The worms on every tile and every spot.
WORMS: Final = {**JUNIOR_TILES, **DELUXE_TILES, **BARBECUE_SPOTS}


@dataclass(frozen=True, slots=True)
class StopWords:
    """What stopping would do; ``target`` is the number of the tile or spot concerned, if any."""

    title: str
    detail: str
    fails: bool = False
    target: int | None = None

    def __str__(self) -> str:
        return f"{self.title} ({self.detail})"


class Phrases:
    """Speaks of one table in one language, in the few words of a button or a prompt."""

    def __init__(self, language: str, names: Sequence[str]) -> None:
        """Speak of the players called ``names``, by seat."""
        self.language, self.names = language, names
        self.words: Messages = table_words(language)
        self._told = messages_in(language)

    def specialist(self, specialist: str) -> str:
        """Return what a Specialist is called."""
        return self.words.say(f"specialist.{specialist}")

    def face(self, face: str) -> str:
        """Return what a face is called."""
        return self._told.say(f"face.{face}")

    def enter(self, state: AnyState, seat: int | None = None) -> str:
        """Return the request to roll real dice and enter what fell, perhaps for another seat."""
        dice = self.words.count("dice", state.turn.hand + state.turn.golden)
        if seat is None:
            return self.words.say("throw.enter", dice=dice)
        return self.words.say("throw.enter.for", dice=dice, name=self.names[seat])

    def listed(self, seats: tuple[int, ...]) -> str:
        """Return the names of these seats: "a, b and c"."""
        return self._told.listed([self.names[seat] for seat in seats])

    def move(self, word: str) -> str:
        """Return a move as a choice among others."""
        kind, _, of = word.partition(":")
        match kind:
            case "keep":
                return self.words.say("move.keep", face=self.face(of))
            case "return":
                return self.words.say("move.return", specialist=self.specialist(of))
            case "rob" | "pinch":
                return self.words.say("move.from", name=self.names[int(of)])
            case "roll" if of:
                return self.words.say("move.golden")
            case _:
                return self.words.say(f"move.{kind}")

    def value(self, value: float, unit: str) -> str:
        """Return the value of a move: a chance to win, or worms."""
        if unit == "win":
            return self.words.tenths(value)
        return self.words.number(f"{value:+.2f}")

    def percent(self, chance: float) -> str:
        """Return a chance as whole percents, finer where it is close."""
        return self.words.chance(chance)

    # --- what stopping would do -------------------------------------------------------------------

    def stop(
        self, ending: Ending, result: int | None, bonus: Bonus | None, *, harmless: bool
    ) -> StopWords:
        """Return what stopping would do.

        ``result`` is the number reached, ``bonus`` what comes with the tile, and ``harmless``
        whether a failed attempt costs nothing.
        """
        say = self.words.say
        match ending:
            case end.TakeTile(tile):
                detail = self._with(bonus, self._taking(tile, result))
                return StopWords(say("stop.take", tile=tile), detail, target=tile)
            case end.StealTile(tile, victim):
                detail = self._with(bonus, self._from(victim, tile))
                return StopWords(say("stop.steal", tile=tile), detail, target=tile)
            case end.StealHen(tile, victim):
                why = say("stop.hen.why", name=self.names[victim], tile=tile)
                return StopWords(say("stop.hen"), why, target=tile)
            case end.PinchTile(tile, victims):
                chosen = len(victims) > 1
                detail = say("stop.pinch.choose") if chosen else self._from(victims[0], tile)
                return StopWords(say("stop.pinch", tile=tile), detail, target=tile)
            case end.Nothing(why):
                title = say("stop.miss" if harmless else "stop.fails")
                return StopWords(title, say(f"why.{why}"), fails=True)
            case _:
                return self._barbecue(ending)

    def _barbecue(
        self, ending: end.OccupySpot | end.StealSpot | end.CloseSpot | end.TakeSnail | end.EndGame
    ) -> StopWords:
        say = self.words.say
        match ending:
            case end.OccupySpot(spot):
                return StopWords(say("stop.plate", spot=spot), self._worms(spot), target=spot)
            case end.StealSpot(spot, victim):
                detail = say("stop.plate.from", name=self.names[victim], worms=self._worms(spot))
                return StopWords(say("stop.plate", spot=spot), detail, target=spot)
            case end.CloseSpot(spot):
                why = say("stop.close.why", worms=self._worms(spot))
                return StopWords(say("stop.close", spot=spot), why, target=spot)
            case end.TakeSnail(from_spot):
                pool = from_spot is None
                where = say("stop.snail.pool" if pool else "stop.snail.spot", spot=from_spot or "")
                return StopWords(say("stop.snail"), where, target=from_spot)
            case end.EndGame():
                return StopWords(say("stop.end"), say("stop.end.why"))
            case _:
                assert_never(ending)

    def _taking(self, tile: int, result: int | None) -> str:
        worms = self._worms(tile)
        if result is None or result == tile:
            return worms
        return self.words.say("stop.take.lower", result=result, worms=worms)

    def _from(self, victim: int, tile: int) -> str:
        return self.words.say("stop.from", name=self.names[victim], worms=self._worms(tile))

    def _with(self, bonus: Bonus | None, detail: str) -> str:
        """Return ``detail`` with what comes with the tile."""
        if bonus is None:
            return detail
        is_worm = bonus is Bonus.BRATWORM
        gain = self.words.count("bratworms", 1) if is_worm else self.specialist(bonus)
        return self.words.say("stop.and", detail=detail, gain=gain)

    def _worms(self, number: int) -> str:
        return self.words.count("worms", WORMS[number])
