"""A table on a server as known to this client, from all answers so far, and the salt for its dice.

Players need not choose any salt: what matters is that nobody else knows it before all is shown.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from heckmeck import dice, record, rules
from heckmeck.wire import answers, schema, setup, states

Answer: TypeAlias = answers.AnyAnswer | answers.Other


class Happened(NamedTuple):
    """An entry of the table's log, with the events of the rules if it is a move."""

    what: answers.What
    events: tuple[rules.Event, ...] = ()


class Heard(NamedTuple):
    """The news in an answer.

    ``happened`` is in order and without gaps; with ``reset``, earlier entries were missed for good,
    and only the current table is known.
    """

    happened: tuple[Happened, ...] = ()
    reset: bool = False


class RemoteTable:
    """The table after entry ``n``; before the first welcome there is no ``info``."""

    def __init__(self) -> None:
        self.n = -1
        self.info: answers.TableInfo | None = None
        self.state: rules.AnyState | None = None
        #: Whether the last move is a keep that its player can take back.
        self.can_undo = False
        #: Whether the last dice were entered by hand, and can be entered again.
        self.can_correct = False
        self.you = answers.You([], host=False)

    @property
    def my_turn(self) -> bool:
        """Whether a game is in progress and one of this client's seats is to move."""
        playing = self.info is not None and self.info.status is setup.Status.PLAYING
        return playing and self.state is not None and self.state.seat in self.you.seats

    @property
    def can_hurry(self) -> bool:
        """Whether a bot is to move, and this client has a say in how long that may take."""
        if self.info is None or self.info.status is not setup.Status.PLAYING or self.state is None:
            return False
        mover = self.info.seats[self.state.seat]
        return bool(self.you.seats and mover and (mover.bot or mover.stand_in))

    @property
    def stood_in(self) -> list[int]:
        """The seats of this client that a bot plays for."""
        seats = self.info.seats if self.info is not None else ()
        return [seat for seat in self.you.seats if (at := seats[seat]) and at.stand_in]

    @property
    def absent(self) -> int | None:
        """The seat to move, if its player is away and this client may let a bot play for them."""
        if self.info is None or self.info.status is not setup.Status.PLAYING or self.state is None:
            return None
        mover = self.info.seats[self.state.seat]
        is_away = mover is not None and mover.away and not mover.stand_in
        takes_part = self.you.seats or self.you.host
        slow = self.info.setup.tempo is not setup.Tempo.NOW
        return self.state.seat if is_away and takes_part and not slow else None

    def hear(self, answer: Answer) -> Heard:
        """Process an answer of the server; return the news. Raise `BadAnswer` if it is wrong."""
        match answer:
            case answers.Welcome():
                return self._welcomed(answer)
            case answers.Entries():
                heard = self._learn(answer.entries)
                self._now(answer.table, answer.state)
                return heard
            case answers.Refusal():
                return self._refused(answer)
            case answers.YouNow():
                self.you = answer.you
            case _:
                pass
        return Heard()

    def _welcomed(self, welcome: answers.Welcome) -> Heard:
        first = self.info is None
        self.you, self.info = welcome.you, welcome.table
        self._show(welcome.state)
        heard = self._learn(welcome.missed or ())
        missed_some = self.n != welcome.n
        self.n = welcome.n
        return Heard(heard.happened, reset=first or missed_some)

    def _refused(self, refusal: answers.Refusal) -> Heard:
        """Process a refusal, which shows the current state, perhaps ahead of its entries."""
        if refusal.n is None or refusal.n < self.n:
            return Heard()
        reset = refusal.n > self.n
        self.n = refusal.n
        self._now(refusal.table, refusal.state)
        return Heard(reset=reset)

    def _learn(self, entries: Sequence[answers.NumberedEntry]) -> Heard:
        new = [entry for entry in entries if entry.n > self.n]
        if new:
            self.n = new[-1].n
        return Heard(tuple(Happened(entry.what, _events(entry.what)) for entry in new))

    def _now(self, info: answers.TableInfo | None, state: states.GameState | None) -> None:
        self.info = info or self.info
        if self.info is not None and self.info.status is setup.Status.WAITING:
            self._show(None)  # a rematch clears the last game
        elif state is not None:
            self._show(state)

    def _show(self, state: states.GameState | None) -> None:
        self.state = _state(state)
        self.can_undo = state is not None and state.undo
        self.can_correct = state is not None and state.correct


def _state(shown: states.GameState | None) -> rules.AnyState | None:
    """Return the state of the rules; the keys that servers add for clients without rules go."""
    if shown is None:
        return None
    data = msgspec.to_builtins(shown)
    try:
        return record.state_from_json({key: data[key] for key in record.STATE_KEYS})
    except record.BadState as error:
        raise answers.BadAnswer(f"The server's message cannot be read: {error}.") from error


def _events(what: answers.What) -> tuple[rules.Event, ...]:
    if not isinstance(what, answers.Played):
        return ()
    try:
        return tuple(map(schema.event_from_json, what.facts))
    except msgspec.ValidationError as error:
        raise answers.BadAnswer(f"The server's message cannot be read: {error}.") from error


class OwnSalt:
    """The salt that this client promised at its table.

    It promises once for each seat and game, so that two clients with the same seat do not replace
    each other's promises forever: the one that promised last shows its salt.
    """

    def __init__(self) -> None:
        """Start without promises."""
        self._games: set[tuple[int, int]] = set()
        self._salts: dict[str, str] = {}

    def to_promise(self, table: RemoteTable) -> list[tuple[int, str]]:
        """Return the seats that promise salt now, each with its promise."""
        info = table.info
        if info is None or info.status is not setup.Status.WAITING or info.dice.called:
            return []
        seats = [seat for seat in table.you.seats if (info.round, seat) not in self._games]
        self._games.update((info.round, seat) for seat in seats)
        return [(seat, self._new_salt()) for seat in seats]

    def to_show(self, table: RemoteTable) -> list[tuple[int, str]]:
        """Return the seats that show their salt now, each with its salt and only once."""
        info = table.info
        if info is None or info.status is not setup.Status.WAITING or not info.dice.called:
            return []
        promises = {seat: at.promise for seat in table.you.seats if (at := info.seats[seat])}
        return [
            (seat, self._salts.pop(promised))
            for seat, promised in promises.items()
            if promised in self._salts
        ]

    def _new_salt(self) -> str:
        """Return the promise of new salt."""
        salt = dice.new_secret()
        promised = dice.promise(salt)
        self._salts[promised] = salt
        return promised
