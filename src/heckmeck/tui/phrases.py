"""What a table says beside its log: what stopping would do, moves and chances in a few words."""

from dataclasses import dataclass
from typing import Final, assert_never

from heckmeck.narration import Messages
from heckmeck.narration.messages import messages_in
from heckmeck.rules import AnyState, Bonus, Ending, game_at
from heckmeck.rules import endings as end
from heckmeck.rules.components import BARBECUE_SPOTS, DELUXE_TILES, JUNIOR_TILES

#: Stands before % where a language has a space there.
NO_BREAK: Final = "\u00a0"
#: What every tile and spot there is has printed on it.
WORMS = {**JUNIOR_TILES, **DELUXE_TILES, **BARBECUE_SPOTS}


@dataclass(frozen=True, slots=True)
class StopWords:
    """What stopping would do, and the number on the grill that it is about, if any."""

    title: str
    detail: str
    fails: bool = False
    target: int | None = None


class Phrases:
    """Speaks of one table in one language."""

    def __init__(self, words: Messages, language: str, names: tuple[str, ...]) -> None:
        """Speak of the players called ``names``, by seat."""
        self.words = words
        self._told = messages_in(language)
        self._language = language
        self._names = names

    # --- stopping ---------------------------------------------------------------------------------

    def stop(self, state: AnyState, ending: Ending) -> StopWords:
        """Return what ending the turn now would do."""
        say = self.words.say
        bonus = game_at(state.table).bonus(state.table, state.seat, ending)
        match ending:
            case end.TakeTile(tile):
                detail = self.with_bonus(self._taking(state, tile), bonus)
                return StopWords(say("stop.take", tile=tile), detail, target=tile)
            case end.StealTile(tile, victim):
                detail = say("stop.from", name=self._names[victim], worms=self._worms(tile))
                return StopWords(
                    say("stop.steal", tile=tile), self.with_bonus(detail, bonus), target=tile
                )
            case end.StealHen(tile, victim):
                why = say("stop.hen.why", name=self._names[victim], tile=tile)
                return StopWords(say("stop.hen"), why, target=tile)
            case end.PinchTile(tile, victims):
                return StopWords(
                    say("stop.pinch", tile=tile), self._pinching(tile, victims), target=tile
                )
            case end.OccupySpot(spot):
                return StopWords(say("stop.plate", spot=spot), self._worms(spot), target=spot)
            case end.StealSpot(spot, victim):
                detail = say("stop.plate.from", name=self._names[victim], worms=self._worms(spot))
                return StopWords(say("stop.plate", spot=spot), detail, target=spot)
            case end.CloseSpot(spot):
                why = say("stop.close.why", worms=self._worms(spot))
                return StopWords(say("stop.close", spot=spot), why, target=spot)
            case end.TakeSnail(spot):
                pool = spot is None
                where = say("stop.snail.pool") if pool else say("stop.snail.spot", spot=str(spot))
                return StopWords(say("stop.snail"), where, target=spot)
            case end.EndGame():
                return StopWords(say("stop.end"), say("stop.end.why"))
            case end.Nothing(why):
                harmless = game_at(state.table).dead_throw_counts
                title = say("stop.miss" if harmless else "stop.fails")
                return StopWords(title, say(f"why.{why}"), fails=True)
            case _:
                assert_never(ending)

    def _taking(self, state: AnyState, tile: int) -> str:
        rules, turn = game_at(state.table), state.turn
        worm = rules.dice.worm in turn.kept
        result = rules.result(state.table, state.seat, turn.total, worm)
        detail = self._worms(tile)
        if result is not None and result != tile:
            detail = self.words.say("stop.take.lower", result=result, worms=detail)
        return detail

    def _pinching(self, tile: int, victims: tuple[int, ...]) -> str:
        if len(victims) > 1:
            return self.words.say("stop.pinch.choose")
        name = self._names[victims[0]]
        return self.words.say("stop.from", name=name, worms=self._worms(tile))

    def with_bonus(self, detail: str, bonus: Bonus | None) -> str:
        """Return what an ending does, and what comes with its tile."""
        if bonus is None:
            return detail
        is_bratworm = bonus is Bonus.BRATWORM
        gain = self.words.count("bratworms", 1) if is_bratworm else self.specialist(bonus)
        return self.words.say("stop.and", detail=detail, gain=gain)

    # --- a few words ------------------------------------------------------------------------------

    def _worms(self, number: int) -> str:
        return self.words.count("worms", WORMS[number])

    def specialist(self, specialist: str) -> str:
        """Return what a Specialist is called."""
        return self.words.say(f"specialist.{specialist}")

    def face(self, face: str) -> str:
        """Return what a face is called."""
        return self._told.say(f"face.{face}")

    def listed(self, seats: tuple[int, ...]) -> str:
        """Return the names of these seats: "a, b and c"."""
        return self._told.listed([self._names[seat] for seat in seats])

    def move(self, word: str) -> str:
        """Return a move as a choice among others."""
        kind, _, of = word.partition(":")
        match kind:
            case "keep":
                return self.words.say("move.keep", face=self.face(of))
            case "return":
                return self.words.say("move.return", specialist=self.specialist(of))
            case "rob" | "pinch":
                return self.words.say("move.from", name=self._names[int(of)])
            case "roll" if of:
                return self.words.say("move.golden")
            case _:
                return self.words.say(f"move.{kind}")

    def worth(self, worth: float, unit: str) -> str:
        """Return what a move is worth: a chance to win, or worms."""
        if unit == "win":
            return self._percent(f"{100 * worth:.1f}")
        return self._number(f"{worth:+.2f}")

    def percent(self, chance: float) -> str:
        """Return a chance as whole percents, finer where it is close."""
        close = 0 < chance < 0.095 or 0.985 < chance < 1
        number = f"{100 * chance:.1f}" if close else f"{100 * chance:.0f}"
        return self._percent(number)

    def _percent(self, number: str) -> str:
        return f"{self._number(number)}{'%' if self._language in ('en', 'it') else f'{NO_BREAK}%'}"

    def _number(self, text: str) -> str:
        return text if self._language == "en" else text.replace(".", ",")
