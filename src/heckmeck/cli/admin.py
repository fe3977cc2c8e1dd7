"""`heckmeck admin`: administration of a server's tables."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.printing import Column, print_line, print_table

if TYPE_CHECKING:
    from heckmeck.record import JsonObject
    from heckmeck.server.store import Overview, Store
    from heckmeck.server.store.backup import Found

T = TypeVar("T")
Command = Callable[..., None]

_STATUSES: Final = ("waiting", "playing", "over", "closed")
_COLUMNS: Final = [
    Column("table", "left"),
    Column("status", "left"),
    Column("game", "left"),
    Column("entries"),
    Column("last", "left"),
    Column("players", "left"),
]

database_option = click.option(
    "--db",
    "location",
    metavar="FILE|URL",
    help="Database of the tables, as for heckmeck serve (default: the file in your data folder).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
names_argument = click.argument("names", metavar="TABLE...", nargs=-1, required=True)


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
@json_option
@database_option
def list_tables(location: str | None, status: str | None, as_json: bool) -> None:
    """List all tables; with --json one object per line."""
    from heckmeck.server import admin as tables

    async def listed(store: "Store") -> list["Overview"]:
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
        print_table(_COLUMNS, [_cells(overview) for overview in found], at_edge=True)
    else:
        click.echo("There are no tables.")


def _overview(overview: "Overview") -> "JsonObject":
    from heckmeck.server.views import listed

    row = overview.row
    return {
        "id": row.id,
        "status": str(row.summary.status),
        "edition": row.edition,
        "public": row.public,
        "players": [*listed(row.summary.text).players],
        "entries": overview.n + 1,
        "created": row.created.isoformat(timespec="seconds"),
        "last": overview.at.isoformat(timespec="seconds"),
    }


def _cells(overview: "Overview") -> list[str]:
    from heckmeck.server.views import listed

    row = overview.row
    return [
        row.id,
        str(row.summary.status),
        row.edition,
        str(overview.n + 1),
        f"{overview.at:%Y-%m-%d %H:%M}",
        ", ".join(listed(row.summary.text).players),
    ]


@admin.command()
@click.argument("name", metavar="TABLE")
@json_option
@database_option
def show(location: str | None, name: str, as_json: bool) -> None:
    """Show a table: its players, its settings, and the commitment to its dice.

    Secrets are not shown: neither those of seats nor seeds that have not been revealed.
    """
    shown = _with_store(location, lambda store: _shown(store, name))
    if as_json:
        click.echo(json.dumps(shown))
        return
    for key, value in shown.items():
        print_line(f"{key:<10}  {value if isinstance(value, str) else json.dumps(value)}")


async def _shown(store: "Store", name: str) -> "JsonObject":
    import msgspec

    from heckmeck.server import admin as tables
    from heckmeck.server import views

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

    async def exported(store: "Store") -> None:
        from heckmeck.record import record_to_json
        from heckmeck.server import admin as tables

        wanted = names or [overview.row.id async for overview in tables.tables(store)]
        for name in wanted:
            for record in tables.records(await tables.find(store, name)):
                click.echo(json.dumps(record_to_json(record)))

    _with_store(location, exported)


# --- changing -------------------------------------------------------------------------------------


@admin.command()
@names_argument
@json_option
@database_option
def close(location: str | None, names: tuple[str, ...], as_json: bool) -> None:
    """Close tables for good. Their games can still be viewed."""
    from heckmeck.server import admin as tables

    async def closed(store: "Store") -> list[str]:
        return [name for name in names if await tables.close(store, name)]

    done = _with_store(location, closed)
    _tell({"closed": [*done]}, f"Closed {_count(len(done), 'table')}.", as_json=as_json)


@admin.command()
@names_argument
@yes_option
@json_option
@database_option
def delete(location: str | None, names: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete tables and all their games."""
    from heckmeck.server import admin as tables

    async def deleted(store: "Store") -> None:
        for name in names:
            await tables.find(store, name)
        if not yes:
            click.confirm(f"Delete {_count(len(names), 'table')} for good?", abort=True, err=True)
        for name in names:
            await tables.delete(store, name)

    _with_store(location, deleted)
    _tell({"deleted": [*names]}, f"Deleted {_count(len(names), 'table')}.", as_json=as_json)


@admin.command()
@click.option("--keep-days", metavar="N", type=click.IntRange(0), help="As for heckmeck serve.")
@click.option(
    "--keep-abandoned-days", metavar="N", type=click.IntRange(0), help="As for heckmeck serve."
)
@json_option
@database_option
def prune(
    location: str | None, keep_days: int | None, keep_abandoned_days: int | None, as_json: bool
) -> None:
    """Delete tables where nothing has happened for N days.

    --keep-days applies to finished and closed tables, --keep-abandoned-days to all others.
    """
    from heckmeck.server import retention

    keep = retention.Keep(keep_days, keep_abandoned_days)
    if keep == retention.Keep():
        raise click.UsageError("Give --keep-days, --keep-abandoned-days, or both.")
    gone = _with_store(location, lambda store: retention.prune(store, keep))
    _tell({"deleted": gone}, f"Deleted {_count(gone, 'table')}.", as_json=as_json)


@admin.command()
@click.argument("name", metavar="NAME")
@yes_option
@json_option
@database_option
def forget(location: str | None, name: str, yes: bool, as_json: bool) -> None:
    """Replace a player's name with "Player 1", "Player 2", ... wherever it is stored.

    NAME is the whole name, exactly as it was shown. Records stay valid, and their dice can still be
    verified. Existing backups and logs are not changed.
    """
    from heckmeck.server import forgetting

    if not yes:
        click.confirm(f"Forget the name {name!r} at all tables?", abort=True, err=True)
    found = _with_store(location, lambda store: forgetting.forget(store, name))
    told = f"Forgot the name at {_count(len(found), 'table')}."
    _tell({"tables": [*found]}, told, as_json=as_json)


# --- backups --------------------------------------------------------------------------------------

force_option = click.option("--force", is_flag=True, help="Replace existing data.")
file_argument = click.argument("file", type=click.Path(path_type=Path))


@admin.command()
@file_argument
@force_option
@json_option
@database_option
def backup(location: str | None, file: Path, force: bool, as_json: bool) -> None:
    """Write a snapshot of all tables to FILE; the server may be running.

    The file can be restored into SQLite or PostgreSQL. It contains the secrets of the tables: keep
    it as safe as the database.
    """
    from heckmeck.server.store.backup import back_up

    found = _in_order(back_up(_location(location), file, force=force))
    _tell_found("Saved", found, as_json=as_json)


@admin.command()
@file_argument
@force_option
@json_option
@database_option
def restore(location: str | None, file: Path, force: bool, as_json: bool) -> None:
    """Restore a backup into the database; stop the server first.

    FILE is checked before anything is changed, and is restored completely or not at all. With
    --force, the tables now in the database are replaced.
    """
    from heckmeck.server.store.backup import restore as restored

    found = _in_order(restored(file, _location(location), force=force))
    _tell_found("Restored", found, as_json=as_json)


def _tell_found(done: str, found: "Found", *, as_json: bool) -> None:
    contents = found.contents
    told = f"{done} {_count(contents.games, 'table')} with {contents.entries} entries."
    _tell(
        {
            "made": contents.made,
            "tables": contents.games,
            "entries": contents.entries,
            "sha256": contents.sha256,
            "gaps": [*found.broken],
        },
        told,
        as_json=as_json,
    )
    if found.broken:
        names = ", ".join(found.broken)
        print_line(f"heckmeck: the logs of these tables have gaps: {names}", err=True)


# --- shared by all --------------------------------------------------------------------------------


def _location(given: str | None) -> str:
    from heckmeck.server.settings import default_database

    return str(default_database()) if given is None else given


def _with_store(location: str | None, work: "Callable[[Store], Awaitable[T]]") -> T:
    """Run ``work`` on the store; a server may be running."""
    from heckmeck.server.store import open_store

    async def work_and_close() -> T:
        store = open_store(_location(location), beside=True)
        try:
            await store.open()
            return await work(store)
        finally:
            await store.close()

    return _in_order(work_and_close())


def _in_order(work: Coroutine[None, None, T]) -> T:
    """Run the work, and turn expected errors into a `UserError`."""
    from heckmeck.server.actions import BadEntry
    from heckmeck.server.refusals import Refused
    from heckmeck.server.store import NoSuchGame, StoreError

    try:
        return asyncio.run(work)
    except NoSuchGame as error:
        raise UserError(
            f"There is no table {error.game!r}. 'heckmeck admin list' lists all tables."
        ) from error
    except BadEntry as error:
        raise UserError(f"The log of the table cannot be read: {error}.") from error
    except (StoreError, Refused) as error:
        raise UserError(str(error)) from error


def _tell(result: "JsonObject", sentence: str, *, as_json: bool) -> None:
    click.echo(json.dumps(result) if as_json else sentence)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
