"""A table on a server from the view of one reader."""

from dataclasses import dataclass, field
from typing import Final

from heckmeck.client import Happening, RemoteTable, TableInfo
from heckmeck.narration.news import News
from heckmeck.rules import legal, word
from heckmeck.tui.source import Hints, Seat, View, Wish

#: Milliseconds that bots take for a decision, from slow to fast.
PACES: Final = (3600, 1800, 900, 300, 100)


@dataclass(slots=True)
class Situation:
    """What is known about the table and this reader.

    ``kept``: the last word was a keep, which may be taken back. ``hints_wanted``: hints are shown
    where the table has them.
    """

    table: RemoteTable = field(default_factory=RemoteTable)
    connected: bool = False
    kept: bool = False
    hints: Hints | None = None
    hints_wanted: bool = True

    @property
    def info(self) -> TableInfo | None:
        """The table without its game, once it is known."""
        return self.table.info

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed for good."""
        return self.info is not None and self.info.status == "closed"

    @property
    def weighs(self) -> bool:
        """Whether there is a choice for which this reader may get hints."""
        allowed = self.info is not None and self.info.hints
        return allowed and self.hints_wanted and len(self.moves()) > 1

    @property
    def only_bots_beside(self) -> bool:
        """Whether every seat is a bot's or this reader's."""
        seats = self.info.seats if self.info is not None else ()
        mine = self.table.you.seats
        return all(seat and (seat.bot or at in mine) for at, seat in enumerate(seats))

    def follow(self, happened: tuple[Happening, ...], *, anew: bool) -> None:
        """Notice whether the last word was a keep."""
        words = [each.text for each in happened if each.do == "played"]
        if words:
            self.kept = words[-1].startswith("keep:")
        if any(each.do in ("undone", "started") for each in happened) or (anew and not words):
            self.kept = False

    def moves(self) -> tuple[str, ...]:
        """Return the words that this reader may play now."""
        state = self.table.state
        if state is None or not self.connected or not self.table.my_turn:
            return ()
        return tuple(word(move) for move in legal(state))

    def wishes(self) -> frozenset[Wish]:
        """Return the reader's wishes that are available now."""
        info, you = self.info, self.table.you
        if info is None or not self.connected:
            return frozenset()
        match info.status:
            case "waiting" if self._can_start(info):
                return frozenset({Wish.START})
            case "playing":
                return self._wishes_while_playing(info)
            case "over" if you.seats or you.host:
                return frozenset({Wish.REMATCH})
            case _:
                return frozenset()

    def _can_start(self, info: TableInfo) -> bool:
        """Whether the game waits for somebody to start it, and not just for words to be shown."""
        return None not in info.seats and not info.called and self._may_manage(info)

    def _wishes_while_playing(self, info: TableInfo) -> frozenset[Wish]:
        you = self.table.you
        wishes: set[Wish] = set()
        if self.kept and info.undo and "roll" in self.moves():
            wishes.add(Wish.UNDO)
        if you.host or (info.hints and you.seats):
            wishes.add(Wish.HINTS)
        if self._may_manage(info) and any(seat and seat.bot for seat in info.seats):
            wishes |= {Wish.FASTER, Wish.SLOWER}
        return frozenset(wishes)

    def _may_manage(self, info: TableInfo) -> bool:
        you = self.table.you
        return you.host or (bool(you.seats) and not info.public)

    def other_pace(self, wish: Wish) -> int:
        """Return the next pace for bots, faster or slower."""
        now = self.info.pace if self.info is not None else PACES[2]
        if wish is Wish.FASTER:
            return next((pace for pace in PACES if pace < now), PACES[-1])
        return next((pace for pace in reversed(PACES) if pace > now), PACES[0])

    def view(self, info: TableInfo, news: News, record: str) -> View:
        """Return what a screen shows; ``record`` is where the game is written down."""
        return View(
            info.edition,
            tuple(self._seat(info, at) for at in range(len(info.seats))),
            self.table.state,
            moves=self.moves(),
            wishes=self.wishes(),
            hints=self.hints,
            hints_on=info.hints and self.hints_wanted,
            connected=self.connected,
            note=self._note(info, news),
            record=record if self.table.state is not None else "",
        )

    def _seat(self, info: TableInfo, at: int) -> Seat:
        seat = info.seats[at]
        if seat is None:
            return Seat("")
        return Seat(
            seat.name,
            mine=at in self.table.you.seats,
            bot=bool(seat.bot),
            away=seat.away or bool(seat.stand_in),
        )

    def _note(self, info: TableInfo, news: News) -> str:
        if not self.connected:
            return news.link(first=False)
        if info.status == "closed":
            return news.closed()
        if info.status == "waiting":
            people = [seat.name for seat in info.seats if seat is not None and not seat.bot]
            return news.waiting(
                info.seats.count(None),
                can_start=self._may_manage(info),
                others=() if info.public else people,
            )
        return "" if self.table.you.seats else news.watching()
