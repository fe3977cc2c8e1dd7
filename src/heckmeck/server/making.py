"""New tables: the first entries of their logs."""

from collections.abc import Sequence

from heckmeck.record import Record
from heckmeck.record.json_text import dumps
from heckmeck.rules import word
from heckmeck.server import actions as a
from heckmeck.server import lobby, play
from heckmeck.server.keys import Vault
from heckmeck.server.names import tidy_name
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.setup import HouseOptions, Setup
from heckmeck.server.store import Status
from heckmeck.server.table import after, begin


def new_table(setup: Setup, bots: Sequence[str], host: str, vault: Vault) -> tuple[str, ...]:
    """Return the log of a table with these bots in its last seats.

    ``host`` is the hash of the host's secret. Raise `Refused` if the table is not possible.
    """
    lobby.checked_setup(setup)
    if len(bots) > setup.seats:
        raise Refused(Code.BAD_SETUP, f"{len(bots)} bots do not fit in {setup.seats} seats.")
    words = [a.write(a.Created(setup, host, vault.commitment(0)))]
    table = begin(words[0]).table
    for seat, name in enumerate(bots, setup.seats - len(bots)):
        bot = lobby.find_bot(name, setup.edition)
        words.append(a.write(a.BotSet(seat, bot.name, lobby.bot_name(table, seat, bot))))
        table = after(table, words[-1]).table
    return tuple(words)


def table_from_record(
    record: Record, moves: int, setup: Setup, host: str, vault: Vault
) -> tuple[str, ...]:
    """Return the log of a table that continues after the first ``moves`` of a checked record.

    A finished game is over at once: it can be reviewed, or followed by a rematch.
    """
    created = a.Created(
        setup,
        host,
        vault.commitment(0),
        names=tuple(_name(name, seat) for seat, name in enumerate(record.seats)),
        moves=" ".join(map(word, record.moves[:moves])),
        extra=dumps({**record.extra}) if moves == len(record.moves) else "",
    )
    table = begin(a.write(created)).table
    started = play.start(table, ("",) * setup.seats, (), vault)
    if after(table, a.write(started[0])).table.status is Status.OVER:
        return a.write_all([created, *started])
    return (a.write(created),)


def _name(name: str, seat: int) -> str:
    """Return a name from a record, if it is valid for a person."""
    try:
        return tidy_name(name)
    except Refused:
        return f"Player {seat + 1}"


def setup_of(record: Record, public: bool) -> Setup:
    """Return the setup of the table of a record."""
    return Setup(
        edition=record.edition,
        seats=len(record.seats),
        options=HouseOptions(record.house.flip_always, record.house.flip_returned),
        first=record.first,
        public=public,
    )
