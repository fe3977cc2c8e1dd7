"""The log of a server's table, in the reader's language."""

from typing import Final

from heckmeck.client import Happening, RemoteTable
from heckmeck.narration import Narrator
from heckmeck.narration.news import News
from heckmeck.tui.telling import tell

#: Lines that are kept for a look back.
MOST_LINES: Final = 500


class ServerLog:
    """Tells what happens at a table, of players who may have left meanwhile."""

    def __init__(self, language: str) -> None:
        """Tell in ``language``."""
        self._language = language
        self._news = News(language)
        self._names: dict[int, str] = {}
        self._lines: list[str] = []

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines so far, as far back as they are kept."""
        return tuple(self._lines)

    def tell(
        self, happened: tuple[Happening, ...], table: RemoteTable, you: int | None = None
    ) -> tuple[str, ...]:
        """Return the new lines; ``table`` is as it is after all that happened.

        ``you`` is the reader's seat. What happened there before they sat down was somebody else.
        """
        seats = table.info.seats if table.info is not None else ()
        self._names.update({at: seat.name for at, seat in enumerate(seats) if seat is not None})
        sat = [at for at, each in enumerate(happened) if each.do == "sat" and each.seat == you]
        here = sat[-1] if sat else 0
        told = tuple(
            line
            for at, each in enumerate(happened)
            for line in self._told(each, table, you if at >= here else None)
        )
        self._lines = [*self._lines, *told][-MOST_LINES:]
        return told

    def _told(self, happening: Happening, table: RemoteTable, you: int | None) -> tuple[str, ...]:
        if happening.events:
            count = len(table.info.seats) if table.info is not None else 0
            names = [self._names.get(seat, "") for seat in range(count)]
            return tell(Narrator(names, self._language, you), happening.events)
        seat = happening.seat
        if seat is None and table.state is not None:
            seat = table.state.seat  # who took dice back is to move
        name = "" if seat is None else self._names.get(seat, "")
        if happening.do == "sat":
            name = happening.text
        line = self._news.happened(
            happening.do, name, happening.text, you=seat is not None and seat == you
        )
        return () if line is None else (line,)
