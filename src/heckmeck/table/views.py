"""Tables and games as clients see them."""

from typing import cast

import msgspec

from heckmeck.record import TableFacts, event_to_json
from heckmeck.table import keys, model, permissions, play
from heckmeck.wire import answers as m
from heckmeck.wire import entries, setup, states


def table_state(table: model.Table, known: TableFacts | None = None) -> states.GameState | None:
    """Return the state of the game on the table, if there is one."""
    match = table.match
    if match is None:
        return None
    undo = table.setup.undo and play.can_undo(match)
    correct = play.can_correct(table, match)
    return states.game_state(match.state, undo=undo, correct=correct, known=known)


def table_view(name: str, table: model.Table) -> m.TableInfo:
    """Return the table without its game."""
    match = table.match
    return m.TableInfo(
        id=name,
        status=table.status,
        round=table.round,
        setup=table.setup,
        seats=[*map(_seat_view, table.seats)],
        dice=m.DiceInfo(
            commitment=table.commitment,
            called=table.called is not None,
            promises=None if match is None or not match.promises else match.promises,
            salts=None if match is None else match.salts,
            seed=None if match is None else match.seed,
        ),
        names=table.names,
        moves=len(table.opening),
        series=tuple(
            m.SeriesLine(score.name, score.games, score.wins, score.worms) for score in table.series
        ),
        plates=table.plates[: len(table.seats)],
        book=table.book,
    )


def _seat_view(sitter: model.Sitter) -> m.SeatInfo | None:
    match sitter:
        case None:
            return None
        case model.BotSeat(name, bot):
            return m.SeatInfo(name, bot=bot)
        case model.Person():
            return m.SeatInfo(
                sitter.name,
                promise=sitter.promise,
                salt=sitter.shown_salt,
                away=sitter.away,
                stand_in=sitter.stand_in,
                awaited=sitter.awaited,
            )


def entry(n: int, what: model.What) -> m.NumberedEntry:
    """Return entry number ``n``."""
    if isinstance(what, model.Moved):
        return m.NumberedEntry(
            n, m.Played(what.seat, what.move, [*map(event_to_json, what.events)])
        )
    return m.NumberedEntry(n, entries.shown(what))


def written(n: int, what: model.What) -> m.NumberedEntry:
    """Return entry number ``n`` as JSON: it is encoded once and sent to many."""
    return cast(m.NumberedEntry, msgspec.Raw(msgspec.json.encode(entry(n, what))))


def you(table: model.Table, who: keys.Who) -> m.You:
    """Return the rights of a client."""
    return m.You(sorted(who.seats), who.host, permissions.may(table, who))


class Summary(msgspec.Struct, frozen=True):
    """A table in lists: its status, the text of `Listed`, and what the server has to do there.

    ``public`` and ``edition`` are None if they do not change.
    """

    status: setup.Status
    text: str
    wait: play.Wait | None = None
    public: bool | None = None
    edition: str | None = None


class Listed(msgspec.Struct, frozen=True):
    """What lists show of a table."""

    seats: int
    players: list[str]


def summary(table: model.Table) -> Summary:
    """Return the summary of the table for lists."""
    players = [sitter.name for sitter in table.seats if sitter is not None]
    text = listed_text(Listed(len(table.seats), players))
    settings = table.setup
    return Summary(table.status, text, play.wait(table), settings.public, settings.edition)


def listed_text(listed: Listed) -> str:
    """Return the summary's text."""
    return msgspec.json.encode(listed).decode()


def listed(text: str) -> Listed:
    """Read the summary's text."""
    return msgspec.json.decode(text, type=Listed)
