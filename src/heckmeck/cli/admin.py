"""`heckmeck admin`: administration of a server's tables."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Final, TypeVar

import click
import msgspec

from heckmeck.cli import commands, options, printing
from heckmeck.record import JsonObject, record_to_json
from heckmeck.server import admin as tables
from heckmeck.server import store as stores
from heckmeck.server.store import backup as backups
from heckmeck.table import views
from heckmeck.wire import entries, refusals

T = TypeVar("T")
Command = Callable[..., None]

_STATUSES: Final = ("waiting", "playing", "over", "closed")
_COLUMNS: Final = [
    printing.Column("table", "left"),
    printing.Column("status", "left"),
    printing.Column("game", "left"),
    printing.Column("entries"),
    printing.Column("last", "left"),
    printing.Column("players", "left"),
]

database_option = click.option(
    "--db",
    "location",
    metavar="FILE|URL",
    help="Database of the tables, as for heckmeck serve (default: the file in your data folder).",
)
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
names_argument = click.argument("names", metavar="TABLE...", nargs=-1, required=True)


def common_options(command: Command) -> Command:
    """Add the options `--json` and `--db`."""
    return options.json_option("Print JSON.")(database_option(command))


@click.group(subcommand_metavar="COMMAND [ARGS]...")
def admin() -> None:
    """Manage a server's tables: list, export, back up, delete.

    Everything except restore works while the server is running; people at a table that is closed
    or deleted are notified. See 'heckmeck docs hosting' for more.

    \b
    Examples:
      $ heckmeck admin list
      $ heckmeck admin backup monday.backup
      $ heckmeck admin restore monday.backup --force
      $ heckmeck admin prune --keep-days 365
    """


# --- reading --------------------------------------------------------------------------------------


@admin.command("list")
@click.option(
    "--status", type=click.Choice(_STATUSES), help="Only tables with this status (default: all)."
)
@common_options
def list_tables(location: str | None, status: str | None, as_json: bool) -> None:
    """List all tables; with --json one object per line."""

    async def listed(store: stores.Store) -> list[stores.Overview]:
        return [
            overview
            async for overview in tables.tables(store)
            if status is None or overview.row.summary.status == status
        ]

    found = _with_store(location, listed)
    if as_json:
        for overview in found:
            click.echo(json.dumps(_overview(overview)))
    elif found:
        printing.print_table(_COLUMNS, [_cells(overview) for overview in found], at_edge=True)
    else:
        click.echo("There are no tables.")


def _overview(overview: stores.Overview) -> JsonObject:
    row = overview.row
    return {
        "id": row.id,
        "status": str(row.summary.status),
        "edition": row.edition,
        "public": row.public,
        "players": [*views.listed(row.summary.text).players],
        "entries": overview.n + 1,
        "created": row.created.isoformat(timespec="seconds"),
        "last": overview.at.isoformat(timespec="seconds"),
    }


def _cells(overview: stores.Overview) -> list[str]:
    row = overview.row
    return [
        row.id,
        str(row.summary.status),
        row.edition,
        str(overview.n + 1),
        f"{overview.at:%Y-%m-%d %H:%M}",
        ", ".join(views.listed(row.summary.text).players),
    ]


@admin.command()
@click.argument("name", metavar="TABLE")
@common_options
def show(location: str | None, name: str, as_json: bool) -> None:
    """Show a table: its players, its settings, and the commitment to its dice.

    Secrets are not shown: neither those of seats nor seeds that have not been revealed.
    """
    shown = _with_store(location, lambda store: _shown(store, name))
    if as_json:
        click.echo(json.dumps(shown))
        return
    for key, value in shown.items():
        printing.print_line(f"{key:<10}  {value if isinstance(value, str) else json.dumps(value)}")


async def _shown(store: stores.Store, name: str) -> JsonObject:
    stored = await tables.find(store, name)
    info = views.table_view(name, tables.live_table(store, stored).table)
    return {
        **msgspec.to_builtins(info),
        "created": stored.row.created.isoformat(timespec="seconds"),
        "last": stored.entries[-1].at.isoformat(timespec="seconds"),
        "entries": len(stored.entries),
    }


@admin.command()
@click.argument("names", metavar="[TABLE...]", nargs=-1)
@database_option
def export(location: str | None, names: tuple[str, ...]) -> None:
    """Print the records of all games at these tables (default: all tables), one per line.

    All commands that read records accept such a file; --game N chooses one of its games.
    """

    async def exported(store: stores.Store) -> None:
        wanted = names or [overview.row.id async for overview in tables.tables(store)]
        for name in wanted:
            for record in tables.records(await tables.find(store, name)):
                click.echo(json.dumps(record_to_json(record)))

    _with_store(location, exported)


# --- changing -------------------------------------------------------------------------------------


@admin.command()
@names_argument
@common_options
def close(location: str | None, names: tuple[str, ...], as_json: bool) -> None:
    """Close tables for good. Their games can still be viewed."""

    async def closed(store: stores.Store) -> list[str]:
        return [name for name in names if await tables.close(store, name)]

    done = _with_store(location, closed)
    _tell({"closed": [*done]}, f"Closed {_count(len(done), 'table')}.", as_json=as_json)


@admin.command()
@names_argument
@yes_option
@common_options
def delete(location: str | None, names: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete tables and all their games."""

    async def deleted(store: stores.Store) -> None:
        for name in names:
            await tables.find(store, name)
        if not yes:
            click.confirm(f"Delete {_count(len(names), 'table')} for good?", abort=True, err=True)
        for name in names:
            await tables.delete(store, name)

    _with_store(location, deleted)
    _tell({"deleted": [*names]}, f"Deleted {_count(len(names), 'table')}.", as_json=as_json)


@admin.command()
@options.number_option("--keep-days", "As for heckmeck serve.", least=0)
@options.number_option("--keep-abandoned-days", "As for heckmeck serve.", least=0)
@options.number_option("--keep-books-days", "As for heckmeck serve.", least=0)
@common_options
def prune(
    location: str | None,
    keep_days: int | None,
    keep_abandoned_days: int | None,
    keep_books_days: int | None,
    as_json: bool,
) -> None:
    """Delete tables where nothing has happened for N days, and books without a game for N days.

    --keep-days applies to finished and closed tables, --keep-abandoned-days to all others,
    --keep-books-days to family books.
    """
    keep = tables.Keep(keep_days, keep_abandoned_days, keep_books_days)
    if keep == tables.Keep():
        raise click.UsageError(
            "Give at least one of --keep-days, --keep-abandoned-days and --keep-books-days."
        )

    async def pruned(store: stores.Store) -> tuple[int, int]:
        return await tables.prune(store, keep), await tables.prune_books(store, keep)

    gone, books_gone = _with_store(location, pruned)
    told = f"Deleted {_count(gone, 'table')}"
    told += f" and {_count(books_gone, 'book')}." if books_gone else "."
    _tell({"deleted": gone, "books": books_gone}, told, as_json=as_json)


@admin.command()
@click.argument("name", metavar="NAME")
@yes_option
@common_options
def forget(location: str | None, name: str, yes: bool, as_json: bool) -> None:
    """Replace a player's name with "Player 1", "Player 2", ... wherever it is stored.

    NAME is the whole name, exactly as it was shown. Records stay valid, and their dice can still be
    verified. Existing backups and logs are not changed.
    """
    if not yes:
        click.confirm(f"Forget the name {name!r} at all tables?", abort=True, err=True)

    async def forgotten(store: stores.Store) -> tuple[list[str], list[str]]:
        return await tables.forget(store, name), await tables.forget_in_books(store, name)

    found, in_books = _with_store(location, forgotten)
    told = f"Forgot the name at {_count(len(found), 'table')}"
    told += f" and in {_count(len(in_books), 'book')}." if in_books else "."
    _tell({"tables": [*found], "books": [*in_books]}, told, as_json=as_json)


# --- family books ---------------------------------------------------------------------------------

books_argument = click.argument("names", metavar="BOOK...", nargs=-1, required=True)
_BOOK_COLUMNS: Final = [
    printing.Column("book", "left"),
    printing.Column("games"),
    printing.Column("made", "left"),
    printing.Column("last game", "left"),
    printing.Column("name", "left"),
]


@admin.command("books")
@common_options
def list_books(location: str | None, as_json: bool) -> None:
    """List all family books; with --json one object per line. Their links are not known here."""

    async def listed(store: stores.Store) -> list[stores.BookOverview]:
        return [overview async for overview in tables.books(store)]

    found = _with_store(location, listed)
    if as_json:
        for overview in found:
            click.echo(json.dumps(_book(overview)))
    elif found:
        printing.print_table(
            _BOOK_COLUMNS, [_book_cells(overview) for overview in found], at_edge=True
        )
    else:
        click.echo("There are no books.")


def _book(overview: stores.BookOverview) -> JsonObject:
    return {
        "id": overview.book.id,
        "name": overview.book.name,
        "games": overview.games,
        "created": overview.book.created.isoformat(timespec="seconds"),
        "last": overview.last.isoformat(timespec="seconds") if overview.last else None,
    }


def _book_cells(overview: stores.BookOverview) -> list[str]:
    last = f"{overview.last:%Y-%m-%d %H:%M}" if overview.last else ""
    made = f"{overview.book.created:%Y-%m-%d %H:%M}"
    return [overview.book.id, str(overview.games), made, last, overview.book.name]


@admin.command("delete-books")
@books_argument
@yes_option
@common_options
def delete_books(location: str | None, names: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete family books and all games in them. Their tables stay."""

    async def deleted(store: stores.Store) -> None:
        for name in names:
            await tables.find_book(store, name)
        if not yes:
            click.confirm(f"Delete {_count(len(names), 'book')} for good?", abort=True, err=True)
        for name in names:
            await store.delete_book(name)

    _with_store(location, deleted)
    _tell({"deleted": [*names]}, f"Deleted {_count(len(names), 'book')}.", as_json=as_json)


@admin.command("judge-books")
@books_argument
@common_options
def judge_books(location: str | None, names: tuple[str, ...], as_json: bool) -> None:
    """Have the luck and skill in these family books computed again, when each is next opened.

    This is for a new champion: games are judged by the one that was there when they ended.
    """

    async def forgotten(store: stores.Store) -> None:
        for name in names:
            await tables.find_book(store, name)
            await store.unjudge(name)

    _with_store(location, forgotten)
    told = f"The games of {_count(len(names), 'book')} will be judged again."
    _tell({"books": [*names]}, told, as_json=as_json)


# --- backups --------------------------------------------------------------------------------------

force_option = click.option("--force", is_flag=True, help="Replace existing data.")
file_argument = click.argument("file", type=click.Path(path_type=Path))


@admin.command()
@file_argument
@force_option
@common_options
def backup(location: str | None, file: Path, force: bool, as_json: bool) -> None:
    """Write a snapshot of all tables to FILE; the server may be running.

    The file can be restored into SQLite or PostgreSQL. It contains the secrets of the tables: keep
    it as safe as the database.
    """
    found = _in_order(backups.back_up(_location(location), file, force=force))
    _tell_found("Saved", found, as_json=as_json)


@admin.command()
@file_argument
@force_option
@common_options
def restore(location: str | None, file: Path, force: bool, as_json: bool) -> None:
    """Restore a backup into the database; stop the server first.

    FILE is checked before anything is changed, and is restored completely or not at all. With
    --force, the tables now in the database are replaced.
    """
    found = _in_order(backups.restore(file, _location(location), force=force))
    _tell_found("Restored", found, as_json=as_json)


def _tell_found(done: str, found: backups.Found, *, as_json: bool) -> None:
    contents = found.contents
    told = f"{done} {_count(contents.games, 'table')} with {contents.entries} entries"
    told += f" and {_count(contents.books, 'book')}." if contents.books else "."
    result: JsonObject = {
        "made": contents.made,
        "tables": contents.games,
        "entries": contents.entries,
        "books": contents.books,
        "pages": contents.pages,
        "sha256": contents.sha256,
        "gaps": [*found.broken],
    }
    _tell(result, told, as_json=as_json)
    if found.broken:
        names = ", ".join(found.broken)
        printing.print_line(f"heckmeck: the logs of these tables have gaps: {names}", err=True)


# --- shared by all --------------------------------------------------------------------------------


def _location(given: str | None) -> str:
    return str(stores.default_database()) if given is None else given


def _with_store(location: str | None, work: Callable[[stores.Store], Awaitable[T]]) -> T:
    """Run ``work`` on the store; a server may be running."""

    async def work_and_close() -> T:
        store = stores.open_store(_location(location), beside=True)
        try:
            await store.open()
            return await work(store)
        finally:
            await store.close()

    return _in_order(work_and_close())


def _in_order(work: Coroutine[None, None, T]) -> T:
    """Run the work, and turn expected errors into a `UserError`."""
    try:
        return asyncio.run(work)
    except stores.NoSuchTable as error:
        raise commands.UserError(
            f"There is no table {error.table!r}. 'heckmeck admin list' lists all tables."
        ) from error
    except entries.BadEntry as error:
        raise commands.UserError(f"The log of the table cannot be read: {error}.") from error
    except (stores.StoreError, refusals.Refused) as error:
        raise commands.UserError(str(error)) from error


def _tell(result: JsonObject, sentence: str, *, as_json: bool) -> None:
    click.echo(json.dumps(result) if as_json else sentence)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
