"""A table on a server from the view of one reader, and its log in the reader's language."""

from dataclasses import dataclass, field
from typing import Final

from heckmeck import narration, rules
from heckmeck.client.table import Happened, RemoteTable
from heckmeck.tui.source import Seat, View, Wish
from heckmeck.wire import answers, coach, entries, setup

#: Paces of bots in milliseconds, from slow to fast.
PACES: Final = (1800, 900, 320, 120, 40)


@dataclass(slots=True)
class Situation:
    """What is known about the table and this reader.

    ``hints_wanted``: hints are shown where the table has them. ``warn_wanted``: the reader wants to
    be warned of mistakes, where everybody else is a bot. Both need ``advice``.
    """

    table: RemoteTable = field(default_factory=RemoteTable)
    connected: bool = False
    advice: coach.Advice | None = None
    hints_wanted: bool = True
    warn_wanted: bool = False

    @property
    def info(self) -> answers.TableInfo | None:
        """The table without its game, once it is known."""
        return self.table.info

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed for good."""
        return self.info is not None and self.info.status is setup.Status.CLOSED

    @property
    def weighs(self) -> bool:
        """Whether there is a choice for which this reader may get advice, and wants it."""
        return (self.hints_on or self.warns) and len(self.moves()) > 1

    @property
    def hints_on(self) -> bool:
        """Whether hints are shown."""
        return self.info is not None and self.info.setup.hints and self.hints_wanted

    @property
    def warns(self) -> bool:
        """Whether to warn of mistakes: only where no other person plays."""
        return self.warn_wanted and len(self.table.you.seats) == 1 and self.only_bots_beside

    @property
    def only_bots_beside(self) -> bool:
        """Whether every seat is a bot's or this reader's."""
        seats = self.info.seats if self.info is not None else ()
        mine = self.table.you.seats
        return all(seat and (seat.bot or at in mine) for at, seat in enumerate(seats))

    def moves(self) -> tuple[str, ...]:
        """Return the moves that this reader may make now."""
        state = self.table.state
        if state is None or not self.connected or not self.table.my_turn:
            return ()
        return tuple(rules.word(move) for move in rules.legal(state))

    @property
    def throw(self) -> bool:
        """Whether this reader enters the dice in the air."""
        state = self.table.state
        if state is None or not self.connected or not rules.throws(state):
            return False
        return state.seat in self.table.you.may.throw_for

    def wishes(self) -> frozenset[Wish]:
        """Return the reader's wishes that are available now."""
        info, you = self.info, self.table.you
        if info is None or not self.connected:
            return frozenset()
        match info.status:
            # Somebody has to start the game; it does not just wait for salt to be shown.
            case setup.Status.WAITING if you.may.start is not None and not info.dice.called:
                return frozenset({Wish.START})
            case setup.Status.PLAYING:
                return self._wishes_while_playing(info)
            case setup.Status.OVER if you.seats or you.host:
                return frozenset({Wish.REMATCH})
            case _:
                return frozenset()

    def _wishes_while_playing(self, info: answers.TableInfo) -> frozenset[Wish]:
        you = self.table.you
        wishes: set[Wish] = set()
        if self.table.can_hurry and not self.throw:
            wishes.add(Wish.HURRY)
        if you.seats:
            wishes.add(Wish.RECLAIM if self.table.stood_in else Wish.BOT)
        if self.table.absent is not None:
            wishes.add(Wish.FILL_IN)
        entered = self.table.can_correct and bool(you.may.throw_for)
        if entered or (self.table.can_undo and self.moves()):
            wishes.add(Wish.UNDO)
        if you.host or (info.setup.hints and you.seats):
            wishes.add(Wish.HINTS)
        if you.may.manage and any(seat and seat.bot for seat in info.seats):
            wishes |= {Wish.FASTER, Wish.SLOWER}
        return frozenset(wishes)

    def other_pace(self, wish: Wish) -> int:
        """Return the next pace for bots, faster or slower."""
        now = self.info.setup.pace if self.info is not None else PACES[2]
        if wish is Wish.FASTER:
            return next((pace for pace in PACES if pace < now), PACES[-1])
        return next((pace for pace in reversed(PACES) if pace > now), PACES[0])

    def view(self, news: narration.News, record: str) -> View:
        """Return what a screen shows; ``record`` is where the game is written down."""
        info = self.info
        assert info is not None, "nothing is shown before the first welcome"
        return View(
            info.setup.edition,
            tuple(self._seat(info, at) for at in range(len(info.seats))),
            self.table.state,
            moves=self.moves(),
            throw=self.throw,
            wishes=self.wishes(),
            hints=self.advice if self.hints_on else None,
            hints_on=self.hints_on,
            weighed=self.advice if self.warns else None,
            weighing=self.weighs and self.advice is None,
            connected=self.connected,
            note=self._note(info, news),
            record=record if self.table.state is not None else "",
        )

    def _seat(self, info: answers.TableInfo, at: int) -> Seat:
        seat = info.seats[at]
        if seat is None:
            return Seat("")
        return Seat(
            seat.name,
            mine=at in self.table.you.seats,
            bot=bool(seat.bot),
            away=seat.away or bool(seat.stand_in),
        )

    def _note(self, info: answers.TableInfo, news: narration.News) -> str:
        if not self.connected:
            return news.reconnecting()
        if info.status is setup.Status.CLOSED:
            return news.closed()
        if info.status is setup.Status.WAITING:
            people = [seat.name for seat in info.seats if seat is not None and not seat.bot]
            return news.waiting(
                info.seats.count(None),
                can_start=self.table.you.may.manage,
                others=() if info.setup.public else people,
            )
        return "" if self.table.you.seats else news.watching()


#: Lines that are kept for a look back.
MOST_LINES: Final = 500


class ServerLog:
    """Describes what happens at a table, also about players who have left since."""

    def __init__(self, language: str) -> None:
        """Write in ``language``."""
        self._language = language
        self._news = narration.News(language)
        self._names: dict[int, str] = {}
        self._lines: list[str] = []

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines so far, as far back as they are kept."""
        return tuple(self._lines)

    def add(
        self, happened: tuple[Happened, ...], table: RemoteTable, you: int | None = None
    ) -> tuple[str, ...]:
        """Return the new lines; ``table`` is as it is after all that happened.

        ``you`` is the reader's seat. What happened there before they sat down was somebody else.
        """
        seats = table.info.seats if table.info is not None else ()
        self._names.update({at: seat.name for at, seat in enumerate(seats) if seat is not None})
        sat = [
            at
            for at, (what, _) in enumerate(happened)
            if isinstance(what, entries.Sat) and what.seat == you
        ]
        here = sat[-1] if sat else 0
        new = tuple(
            line
            for at, each in enumerate(happened)
            for line in self._line(each, table, you if at >= here else None)
        )
        self._lines = [*self._lines, *new][-MOST_LINES:]
        return new

    def _line(self, happened: Happened, table: RemoteTable, you: int | None) -> tuple[str, ...]:
        what, events = happened
        if events:
            count = len(table.info.seats) if table.info is not None else 0
            names = [self._names.get(seat, "") for seat in range(count)]
            return narration.Narrator(names, self._language, you).lines(events)
        seat = _seat(what)
        if seat is None and table.state is not None:
            seat = table.state.seat  # who took dice back is to move
        name = "" if seat is None else self._names.get(seat, "")
        if isinstance(what, entries.Sat):
            name = what.name
        emote = what.emote if isinstance(what, entries.Emoted) else ""
        line = self._news.happened(
            str(what.__struct_config__.tag), name, emote, you=seat is not None and seat == you
        )
        return () if line is None else (line,)


def _seat(what: answers.What) -> int | None:
    """Return the seat that an entry is about, if any."""
    return what.first if isinstance(what, entries.Started) else getattr(what, "seat", None)
