"""Work for the processes of the thinker that only a server has: pictures and family books.

The rest of it is in `heckmeck.hosting.games`. NumPy and Numba are imported only in these processes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from heckmeck import drawing
from heckmeck import record as notation
from heckmeck.hosting.games import Logged, read_record, record_at
from heckmeck.narration.messages import messages_in, table_words
from heckmeck.puzzles import book_of
from heckmeck.record.json_text import dumps, loads
from heckmeck.rules import EDITIONS, AnyState, outcome, scores
from heckmeck.server.store import Page
from heckmeck.table import lobby, model
from heckmeck.wire import book
from heckmeck.wire.refusals import Code, Refused

if TYPE_CHECKING:
    from heckmeck.coach.season import Played


def drawn(
    table: model.Table,
    players: Sequence[drawing.Player],
    at: int | None,
    language: str,
    fonts: Sequence[str],
) -> bytes:
    """Return a table as a PNG, after ``at`` moves of its game or as it is now.

    Before a game, the table is drawn as it will be laid. Without a renderer, return b"".
    """
    state = _state_at(table, at)
    title = drawing.title_of(state, [player.name for player in players], language)
    if table.match is None:
        edition = table.setup.edition
        title = table_words(language).say(f"edition.{edition}")
    return _png(drawing.picture(state, players, title), fonts)


def drawn_puzzle(edition: str, day: date, language: str, fonts: Sequence[str]) -> bytes:
    """Return the puzzle of a day as a PNG; without a renderer, b""."""
    book, study = book_of(edition), messages_in(language, "study")
    players = drawing.players_of(book.names, model.PLATES, language)
    state = book.position(book.of_day(day))
    seated = players[: len(scores(state))]
    return _png(drawing.picture(state, seated, study.say("puzzle.ask")), fonts)


def _png(body: str, fonts: Sequence[str]) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        return b""
    svg = drawing.whole(body)
    return svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[*fonts])


def _state_at(table: model.Table, at: int | None) -> AnyState:
    if table.match is None:
        return EDITIONS[table.setup.edition].initial(len(table.seats))
    if at is None:
        return table.match.state
    record = model.record_of(table, table.match)
    after = (step.state for step in notation.replay(record))
    return next(islice(chain([record.start()], after), at, None), table.match.state)


# --- family books ---------------------------------------------------------------------------------


class Shelf(NamedTuple):
    """A book without its pages; ``edition`` selects the games that luck and honours are of."""

    id: str
    name: str
    created: datetime
    people: Mapping[str, str]
    edition: str | None


#: The judgement of a game that nobody can judge.
NOT_JUDGED: Final = "{}"
#: Games listed at first.
_LISTED: Final = 50


def page_of(source: Logged) -> tuple[str, str]:
    """Return a finished game for a book: its record, and the facts about it, both as JSON."""
    from heckmeck.coach.season import facts_of

    record = record_at(source)
    if outcome(record.end) is None:
        raise Refused(Code.STALE, "The game is not over any more.")
    return dumps(notation.record_to_json(record)), _text(facts_of(record))


class Handed(NamedTuple):
    """A finished game that somebody adds to a book, as JSON, and when it ended, if that is known.

    ``key`` is the same for the same game, whatever its players are called.
    """

    key: str
    record: str
    facts: str
    at: datetime | None


def handed_pages(lines: bytes, known: Sequence[str]) -> tuple[list[Handed], int]:
    """Return the games of an exported book that are new, and the number of those that are not.

    ``known`` are the facts about the games in the book. Raise `Refused` if a line is not the record
    of a finished game.
    """
    seen = {_key(facts) for facts in known if facts}
    new: dict[str, Handed] = {}
    repeated = 0
    for number, line in enumerate(lines.splitlines(), start=1):
        try:
            handed = _handed(line)
        except Refused as refused:
            raise Refused(refused.code, f"Line {number}: {refused}") from refused
        if handed.key in seen or handed.key in new:
            repeated += 1
        else:
            new[handed.key] = handed
    return [*new.values()], repeated


def _handed(line: bytes) -> Handed:
    from heckmeck.coach.season import facts_of

    record = read_record(line)
    if outcome(record.end) is None:
        raise Refused(Code.BAD_RECORD, "A book keeps finished games, but this one is not over.")
    for name in record.seats:
        lobby.tidy_name(name)
    facts, ended = _text(facts_of(record)), record.extra.get("ended")
    try:
        at = None if ended is None else datetime.fromisoformat(str(ended))
    except ValueError as error:
        raise Refused(
            Code.BAD_RECORD, f"This is not a valid record: ended is {ended!r:.40}, not a time."
        ) from error
    at = at if at is None or at.tzinfo else at.replace(tzinfo=UTC)
    return Handed(_key(facts), dumps(notation.record_to_json(record)), facts, at)


def _key(facts: str) -> str:
    """Return what tells a game from others: everything that happened in it, not who played."""
    from heckmeck.coach.season import Facts

    read = msgspec.json.decode(facts, type=Facts)
    told = msgspec.json.encode(replace(read, names=[], bots={}))
    return hashlib.sha256(told).hexdigest()[:32]


def facts_text(record: bytes) -> str:
    """Return the facts of a game in a book, as JSON."""
    from heckmeck.coach.season import facts_of

    return _text(facts_of(notation.read_record(record)))


def judged_page(record: bytes) -> tuple[str, str]:
    """Return the facts and the judgement of a game in a book, as JSON."""
    from heckmeck.coach.season import facts_of, judge

    try:
        read = notation.read_record(record)
        return _text(facts_of(read)), _text(judge(read))
    except notation.BadRecord as error:
        raise Refused(Code.BAD_RECORD, f"A page of a book is not valid: {error}.") from error


def _text(data: msgspec.Struct) -> str:
    return msgspec.json.encode(data).decode()


def book_view(
    shelf: Shelf,
    pages: Sequence[Page],
    since: datetime | None,
    until: datetime | None,
    all_games: bool,
) -> bytes:
    """Return a book as JSON; ``pages`` are in order, without records."""
    from heckmeck.coach import season

    facts_in = msgspec.json.Decoder(season.Facts)
    judged_in = msgspec.json.Decoder(season.Judgement)
    games = [
        season.Played(
            page.game,
            page.number,
            page.at.isoformat(timespec="seconds"),
            facts_in.decode(page.facts),
            judged_in.decode(page.judged) if page.judged else None,
        )
        for page in pages
        if page.facts and (since is None or page.at >= since) and (until is None or page.at < until)
    ]
    some = [game for game in games if shelf.edition in (None, game.facts.edition)]
    names = shelf.people
    view = book.Book(
        id=shelf.id,
        name=shelf.name,
        created=shelf.created.isoformat(timespec="seconds"),
        total=len(pages),
        since=pages[0].at.isoformat(timespec="seconds") if pages else None,
        count=len(games),
        waiting=sum(page.judged is None for page in pages),
        people=season.people_in(games, names),
        standings=season.standings(games, names),
        form=season.form(some, names),
        honours=season.honours(some, names),
        games=[_listed(game, names) for game in some[: None if all_games else -_LISTED - 1 : -1]],
        more=not all_games and len(some) > _LISTED,
    )
    return msgspec.json.encode(view)


def _listed(game: "Played", names: Mapping[str, str]) -> book.BookGame:
    facts, judged = game.facts, game.judged
    return book.BookGame(
        table=game.table,
        game=game.game,
        at=game.at,
        edition=facts.edition,
        names=[
            name if str(seat) in facts.bots else names.get(name, name)
            for seat, name in enumerate(facts.names)
        ],
        bots=facts.bots,
        scores=facts.scores,
        places=facts.places,
        judged=None if judged is None else bool(judged.seats),
    )


def exported(record: str, at: datetime, names: Mapping[str, str]) -> bytes:
    """Return a line with a record, the time when it ended, and the names that people have."""
    data = loads(record)
    assert isinstance(data, dict), "a record is an object"
    seats = data["seats"]
    assert isinstance(seats, list), "a record has seats"
    data["seats"] = [names.get(str(name), name) for name in seats]
    # Exact, so that games that ended within a second keep their order in another book.
    data["ended"] = at.isoformat(timespec="microseconds")
    return f"{dumps(data)}\n".encode()
