"""A table on a server as known to this client, from all messages so far."""

from dataclasses import dataclass

from heckmeck.client.wire import (
    Answer,
    Events,
    Happening,
    Refusal,
    TableInfo,
    Welcome,
    You,
    YouNow,
)
from heckmeck.rules import AnyState


@dataclass(frozen=True, slots=True)
class Heard:
    """The news in an answer.

    ``happened`` is in order and without gaps; with ``anew``, earlier events were missed for good,
    and only the current table is known.
    """

    happened: tuple[Happening, ...] = ()
    anew: bool = False


class RemoteTable:
    """The table after event ``n``; before the first welcome there is no ``info``."""

    def __init__(self) -> None:
        self.n = -1
        self.info: TableInfo | None = None
        self.state: AnyState | None = None
        self.you = You()

    @property
    def my_turn(self) -> bool:
        """Whether a game is in progress and one of this client's seats is to move."""
        playing = self.info is not None and self.info.status == "playing"
        return playing and self.state is not None and self.state.seat in self.you.seats

    def hear(self, answer: Answer) -> Heard:
        """Process a message of the server; return the news."""
        match answer:
            case Welcome():
                return self._welcomed(answer)
            case Events():
                heard = self._learn(answer.events)
                self._now(answer.table, answer.state)
                return heard
            case Refusal():
                return self._refused(answer)
            case YouNow():
                self.you = answer.you
            case _:
                pass
        return Heard()

    def _welcomed(self, welcome: Welcome) -> Heard:
        first = self.info is None
        self.you, self.info, self.state = welcome.you, welcome.table, welcome.state
        heard = Heard() if welcome.missed is None else self._learn(welcome.missed)
        missed_some = self.n != welcome.n
        self.n = welcome.n
        return Heard(heard.happened, anew=first or missed_some)

    def _refused(self, refusal: Refusal) -> Heard:
        """Process a refusal, which shows the current state, perhaps ahead of its events."""
        if refusal.n is None or refusal.n < self.n:
            return Heard()
        anew = refusal.n > self.n
        self.n = refusal.n
        self._now(refusal.table, refusal.state)
        return Heard(anew=anew)

    def _learn(self, happened: tuple[Happening, ...]) -> Heard:
        new = tuple(event for event in happened if event.n > self.n)
        if new:
            self.n = new[-1].n
        return Heard(new)

    def _now(self, info: TableInfo | None, state: AnyState | None) -> None:
        self.info = info or self.info
        self.state = state or self.state
        if self.info is not None and self.info.status == "waiting":
            self.state = None  # a rematch clears the last game
