"""A reason in words, and what a failed attempt costs. The pages have the same in TypeScript."""

from collections.abc import Sequence
from typing import TypeVar

from heckmeck.narration.messages import Messages, messages_in
from heckmeck.wire.coach import Both, FailureCost, Outcome, Reason, Unit

T = TypeVar("T")


class Why:
    """Says reasons in one language, to a reader who may be one of the players."""

    def __init__(self, language: str, names: Sequence[str], you: int | None = None) -> None:
        """Speak of the players called ``names``, by seat; ``you`` is the reader's seat."""
        self._reasons: Messages = messages_in(language, "reasons")
        self._told: Messages = messages_in(language)
        self._names, self._you = names, you

    def short(self, reason: Reason, unit: Unit) -> str:
        """Return the reason in one sentence.

        >>> kept = Reason("keep:W", "keep:5", "clear", Both(0.54, 0.5), Both(0.18, 0.29))
        >>> Why("en", ["Ada", "Ben"]).short(kept, "win")
        'Keeping worms fails in 18% of cases instead of 29%.'
        """
        better = self._move(reason.better, against=reason.other)
        if reason.size == "equal":
            other = self._move(reason.other, against=reason.better)
            return self._reasons.say("equal", Better=_capital(better), other=other)
        if reason.sure is not None:
            said = self._sure(reason)
        elif reason.outcome is not None and reason.outcome.kind == "rival":
            said = self._rival(reason, better)
        else:
            said = self._compared(reason, better)
        return said or self._valued(reason, better, unit)

    def __call__(self, reason: Reason, unit: Unit) -> str:
        """Return the reason, whether it matters, and what a failed attempt costs."""
        parts = [self.short(reason, unit)]
        if reason.size == "small":
            parts.append(self._reasons.say("small"))
        cost = reason.cost or FailureCost()
        may_fail = max(reason.fail.better, reason.fail.other) > 0
        if reason.size != "equal" and may_fail and cost != FailureCost():
            parts.append(self.cost(cost))
        return " ".join(parts)

    def warning(self) -> str:
        """Return the title of the question before a mistake."""
        return self._reasons.say("warn.title")

    def warning_answers(self) -> tuple[str, str]:
        """Return the answers to it: to think again, and to make the move."""
        return self._reasons.say("warn.no"), self._reasons.say("warn.yes")

    def repeating(self, move: str) -> str:
        """Return how to make a move all the same where moves are typed."""
        return self._reasons.say("warn.again", move=move)

    # --- the sentence -----------------------------------------------------------------------------

    def _compared(self, reason: Reason, better: str) -> str | None:
        """Return what one move makes likelier than the other; None if there is nothing to see."""
        chance, before = self._both(reason.chance)
        fail, risk = self._both(reason.fail)
        safer = reason.fail.better < reason.fail.other
        blanks = {"Better": _capital(better), "fail": fail, "risk": risk}
        if reason.outcome is None or chance == before:
            return self._reasons.say("fails", **blanks) if safer and fail != risk else None
        blanks |= {"what": self._outcome(reason.outcome), "chance": chance, "before": before}
        if fail != risk:
            return self._reasons.say("brings.less" if safer else "brings.more", **blanks)
        return self._reasons.say(
            "brings.same" if reason.fail.better > 0 else "brings.safe", **blanks
        )

    def _sure(self, reason: Reason) -> str | None:
        """Return what stopping brings, and what rolling may bring instead."""
        assert reason.sure is not None, "one of the moves is to stop"
        stops = reason.better == "stop"
        stop, roll = _placed(stops, reason.better, reason.other)
        _, fail = _placed(stops, reason.fail.better, reason.fail.other)
        _, chance = _placed(stops, *self._both(reason.chance))
        blanks = {
            "Stop": _capital(self._move(stop, roll)),
            "roll": self._move(roll, stop),
            "fail": self._reasons.chance(fail),
        }
        if reason.sure.kind != "nothing":
            blanks["sure"] = self._outcome(reason.sure)
        if reason.outcome is None or chance == self._reasons.chance(0.0):
            if reason.sure.kind == "nothing" or fail == 0.0:
                return None
            return self._reasons.say("sure.only", **blanks)
        blanks |= {"what": self._outcome(reason.outcome), "chance": chance}
        if reason.sure.kind == "nothing":
            return self._reasons.say("sure.nothing", **blanks)
        return self._reasons.say("sure" if fail > 0.0 else "sure.safe", **blanks)

    def _rival(self, reason: Reason, better: str) -> str | None:
        assert reason.outcome is not None, "a player who loses something"
        assert reason.chance is not None, "an outcome has a chance"
        chance = self._reasons.tenths(reason.chance.better)
        before = self._reasons.tenths(reason.chance.other)
        if reason.chance.better > reason.chance.other or chance == before:
            return None
        seat = reason.outcome.seat
        return self._reasons.say(
            "rival.you" if seat == self._you else "rival",
            Better=_capital(better),
            name=self._name(seat),
            chance=chance,
            before=before,
        )

    def _valued(self, reason: Reason, better: str, unit: Unit) -> str:
        """Return the sentence that is always true: what both moves are worth."""
        worths = (reason.worth.better, reason.worth.other)
        if unit == "win":
            chance, before = map(self._reasons.tenths, worths)
        else:
            chance, before = (self._reasons.number(f"{each:+.2f}") for each in worths)
        return self._reasons.say(
            "value.win" if unit == "win" else "value.worms",
            Better=_capital(better),
            chance=chance,
            before=before,
        )

    def _both(self, chances: Both | None) -> tuple[str, str]:
        chances = chances or Both(0.0, 0.0)
        return self._reasons.chance(chances.better), self._reasons.chance(chances.other)

    # --- its parts --------------------------------------------------------------------------------

    def _name(self, seat: int | None) -> str:
        return "" if seat is None else self._names[seat]

    def _move(self, word: str, against: str) -> str:
        """Return a move as the subject of a sentence that compares it ``against`` another."""
        kind, _, of = word.partition(":")
        say, to_you = self._reasons.say, of == str(self._you)
        match kind:
            case "keep":
                return say("move.keep", faces=self._told.say(f"faces.{of}"))
            case "return":
                return say("move.return", specialist=self._told.say(f"specialist.{of}"))
            case "rob":
                return say("move.rob.you" if to_you else "move.rob", name=self._name(int(of)))
            case "pinch":
                return say("move.pinch.you" if to_you else "move.pinch", name=self._name(int(of)))
            case "roll" if of or against == "roll:golden":
                return say("move.golden" if of else "move.plain")
            case _:
                return say(f"move.{kind}")

    def _outcome(self, outcome: Outcome) -> str:
        """Return what a turn can bring, as the object of a sentence."""
        say, seat, number = self._reasons.say, outcome.seat, outcome.number or 0
        name, to_you = self._name(seat), seat is not None and seat == self._you
        match outcome.kind:
            case "specialist":
                return self._told.say(f"specialist.{outcome.specialist}")
            case "steal":
                return say("what.steal.you" if to_you else "what.steal", number=number, name=name)
            case "hen":
                return say("what.hen.you" if to_you else "what.hen", name=name)
            case "pinch" if seat is not None:
                return say(
                    "what.pinch.you" if to_you else "what.pinch.from", number=number, name=name
                )
            case "steal_spot":
                return say(
                    "what.steal_spot.you" if to_you else "what.steal_spot", number=number, name=name
                )
            case kind:
                return say(f"what.{kind}", number=number)

    # --- what a failed attempt costs --------------------------------------------------------------

    def cost(self, cost: FailureCost) -> str:
        """Return what a failed attempt costs."""
        if cost == FailureCost(ends=True):
            return self._reasons.say("cost.ends.only")
        said = self._snail(cost) if cost.snail is not None else self._lost(cost)
        return f"{said} {self._reasons.say('cost.ends')}" if cost.ends else said

    def _snail(self, cost: FailureCost) -> str:
        spot = cost.snail or 0
        if cost.plate is None:
            return self._reasons.say("cost.snail", spot=spot)
        return self._reasons.say(
            "cost.snail.plate.you" if cost.plate == self._you else "cost.snail.plate",
            spot=spot,
            name=self._name(cost.plate),
        )

    def _lost(self, cost: FailureCost) -> str:
        say, tile = self._reasons.say, cost.turned or 0
        lost = [say("cost.tile", number=cost.tile)] if cost.tile is not None else []
        if cost.specialist is not None:
            lost.append(self._told.say(f"specialist.{cost.specialist}"))
        if not lost:
            if cost.turned is None:
                return say("cost.none")
            return say("cost.miss" if cost.miss else "cost.turned", tile=tile)
        return say(
            "cost.lost" if cost.turned is None else "cost.lost.turned",
            what=self._told.listed(lost),
            tile=tile,
        )


def _placed(first: bool, better: T, other: T) -> tuple[T, T]:
    """Return what belongs to one move and to the other, ``first`` if the better is the one."""
    return (better, other) if first else (other, better)


def _capital(text: str) -> str:
    """Return the beginning of a sentence."""
    return text[:1].upper() + text[1:]
