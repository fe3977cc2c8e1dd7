"""Work for the processes of the thinker: whole games, advice, the odds of a turn, reviews.

A record may have thousands of moves, so even reading one is such work. NumPy and Numba are imported
only in these processes. The server depends only on `Advisor`; without one, hints are refused.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import msgspec

from heckmeck import drawing
from heckmeck import record as notation
from heckmeck.narration.messages import messages_in, table_words
from heckmeck.puzzles import book_of
from heckmeck.record.json_text import dumps, loads
from heckmeck.rules import EDITIONS, AnyState, BadSetup, legal, outcome, scores
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Deciding
from heckmeck.server.live import Memory, remember
from heckmeck.server.store import Page
from heckmeck.table import keys, lobby, model
from heckmeck.wire import answers, book, requests, states
from heckmeck.wire.coach import Advice, ReviewedGame, StudiedPosition, TurnOdds, Unit
from heckmeck.wire.refusals import Code, Refused

if TYPE_CHECKING:
    from heckmeck.coach.season import Played

#: The maximum number of moves in a record sent to the server. Games of people and of decent bots
#: have up to a thousand; only the weakest bots at a full table of deluxe need more than this.
MOST_MOVES: Final = 5_000
#: Moments on one page of a replay.
PAGE: Final = 200

Form: TypeAlias = Literal["json", "txt"]


class Logged(NamedTuple):
    """An earlier game of a table: the table's whole log, and the number of the game."""

    entries: list[str]
    number: int


#: The source of a game: a record sent to the server, or a table, which stands for its current game.
Source: TypeAlias = bytes | Logged | model.Table


def record_at(source: Source) -> notation.Record:
    """Return the game; raise `Refused` if there is none, or if the record is not valid."""
    match source:
        case bytes():
            return _read(source)
        case Logged(entries, number):
            table = {table.round: table for table, _ in model.fold(entries)}.get(number)
            problem = f"There was no game {number} at this table."
        case model.Table():
            table, problem = source, "The game has not begun, so there is no record yet."
    if table is None or table.match is None:
        raise Refused(Code.NOT_PLAYING, problem)
    return model.record_of(table, table.match)


def written(source: Source, form: Form) -> bytes:
    """Return the game as a record."""
    write = notation.write_json if form == "json" else notation.write_text
    return write(record_at(source)).encode()


def replay_page(source: Source, first: int) -> bytes:
    """Return a game from the moment after ``first`` moves on, a page of it, as JSON."""
    record = record_at(source)
    if first > len(record.moves):
        raise Refused(
            Code.BAD_MESSAGE, f"The game has {len(record.moves)} moves, so from cannot be {first}."
        )
    shown = [*islice(states.moments(record, first), PAGE)]
    replayed = answers.Replay(record.seats, len(record.moves), shown, _plates(source))
    return msgspec.json.encode(replayed)


def _plates(source: Source) -> tuple[int, ...]:
    """Return the plates of a table's current game; those of others are not known."""
    return source.plates[: len(source.seats)] if isinstance(source, model.Table) else ()


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


def imported(
    source: Source, moves: int | None, public: bool, host: str, vault: keys.Vault
) -> tuple[tuple[str, ...], Memory]:
    """Return the log of a table that continues after the first ``moves``, or after all; and it.

    ``host`` is the hash of the host's secret.
    """
    record = record_at(source)
    if moves is not None and moves > len(record.moves):
        raise Refused(
            Code.BAD_RECORD, f"The record has {len(record.moves)} moves, so at cannot be {moves}."
        )
    entries = lobby.table_from_record(record, moves, public, host, vault)
    return entries, remember(entries)


def _read(data: bytes) -> notation.Record:
    try:
        return notation.read_record(data, MOST_MOVES)
    except notation.TooManyMoves as error:
        raise _too_long(error.count) from error
    except notation.BadRecord as error:
        raise Refused(Code.BAD_RECORD, f"This is not a valid record: {error}.") from error


def _too_long(moves: int) -> Refused:
    return Refused(
        Code.TOO_LARGE,
        f"Games may have up to {MOST_MOVES} moves here; this one has {moves}. "
        "The heckmeck command accepts longer ones.",
    )


# --- the coach ------------------------------------------------------------------------------------


#: Returns every legal move of a state that awaits a player, best first. ``unit`` selects the chance
#: to win or worms; raises `NoChampion` if it is not available. It must be picklable.
Advisor: TypeAlias = Callable[[AnyState, Unit | None], Advice]


def advice_of(state: AnyState, unit: Unit | None) -> Advice:
    """Return every legal move, as `heckmeck advise` does; see `Advisor`."""
    from heckmeck.coach.advice import advise

    return advise(state, unit)


def odds_of(asked: requests.OddsAsked) -> bytes:
    """Return the total so far, the chance of each number, and every move's value, as JSON.

    The turn is played at an otherwise empty table. Raise `BadTurn` if it is not possible.
    """
    from heckmeck.coach import state_of
    from heckmeck.coach.advice import advise_turn, odds

    found, advice = odds(asked), advise_turn(asked, asked.unit)
    answer = TurnOdds(
        found.edition,
        state_of(asked).turn.total,
        {str(number): chance for number, chance in found.at_least.items()},
        {str(number): chance for number, chance in found.exactly.items()},
        advice.unit,
        advice.moves,
    )
    return msgspec.json.encode(answer)


def position_of(asked: requests.PositionAsked) -> bytes:
    """Return what is wrong with a position, or its state and the values of its moves, as JSON."""
    draft = asked.draft
    try:
        if draft is None:
            draft = notation.read_draft(asked.text or "")
        state = notation.state_of(draft)
    except notation.BadPosition as error:
        text = None if draft is None else notation.write_draft(draft)
        return msgspec.json.encode(StudiedPosition(text, draft, [*error.flaws]))
    except BadSetup as error:
        raise Refused(Code.BAD_SETUP, str(error)) from error
    from heckmeck.coach.advice import advise, odds_at

    begin = notation.decision_at(state)
    odds = odds_at(state) if isinstance(state.phase, Deciding | Throw) else None
    answer = StudiedPosition(
        text=notation.write_position(state),
        draft=notation.draft_of(state),
        flaws=[],
        state=states.game_state(state),
        advice=advise(state, asked.unit) if legal(state) else None,
        at_least={str(number): chance for number, chance in odds.at_least.items()} if odds else {},
        exactly={str(number): chance for number, chance in odds.exactly.items()} if odds else {},
        play=None if begin is None else notation.write_position(begin),
    )
    return msgspec.json.encode(answer)


def review_of(source: Source, unit: Unit | None) -> bytes:
    """Return a game as JSON, with the cost of its decisions and the luck of its dice."""
    from heckmeck.coach.review import review

    record = record_at(source)
    if len(record.moves) > MOST_MOVES:
        raise _too_long(len(record.moves))
    answer = ReviewedGame(
        notation.record_to_json(record),
        [*states.moments(record)],
        review(record, unit),
        _plates(source),
    )
    # A record may contain text that UTF-8 cannot encode.
    return dumps(msgspec.to_builtins(answer)).encode()


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
    data["ended"] = at.isoformat(timespec="seconds")
    return f"{dumps(data)}\n".encode()
