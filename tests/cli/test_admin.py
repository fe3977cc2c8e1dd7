"""`heckmeck admin` as hosts type it."""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from heckmeck.cli import COMMANDS
from heckmeck.record import read_record
from heckmeck.server.store import StoredBook, StoredTable, open_store
from heckmeck.table.keys import Vault
from heckmeck.table.lobby import new_table
from heckmeck.table.model import fold, texts
from heckmeck.table.play import start
from heckmeck.table.views import summary
from heckmeck.wire.setup import Setup
from tests.cli.terminal import Shown, Terminal

FOX, HEN = "boka-miru-tela", "dada-dada-dada"


async def make_tables(location: str) -> None:
    """Make a table that waits, and one at which two bots play."""
    store = open_store(location)
    await store.open()
    vault = Vault(bytes(range(32)))
    for name, is_playing in ((FOX, False), (HEN, True)):
        words = new_table(Setup("junior", public=True), ["chick", "chick"], "", vault)
        *_, (table, _) = fold(words)
        if is_playing:
            words += texts(start(table, ("", ""), ("", ""), vault))
            *_, (table, _) = fold(words)
        game = StoredTable.new(name, True, "junior", vault.secret, summary(table), words)
        await store.create(game)
    await store.close()


@pytest.fixture
def database(tmp_path: Path) -> str:
    location = str(tmp_path / "tables.sqlite3")
    asyncio.run(make_tables(location))
    return location


def subcommands() -> Mapping[str, click.Command]:
    group = COMMANDS["admin"].load()
    assert isinstance(group, click.Group)
    return group.commands


@pytest.mark.parametrize("name", subcommands())
def test_every_command_explains_itself_and_takes_the_options_of_all(name: str) -> None:
    command = subcommands()[name]
    options = {opt: param for param in command.params for opt in param.opts}
    assert command.help
    assert "--db" in options
    assert ("--json" in options) is (name != "export")
    assert all(param.help for param in command.params if isinstance(param, click.Option))


def admin(terminal: Terminal, database: str, *args: str, typed: str = "") -> Shown:
    return terminal.run("admin", *args, "--db", database, typed=typed)


def test_tables_are_listed(terminal: Terminal, database: str) -> None:
    shown = admin(terminal, database, "list")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.split()[:6] == ["table", "status", "game", "entries", "last", "players"]
    assert f"{FOX}" in shown.out
    listed = admin(terminal, database, "list", "--json", "--status", "playing").out.splitlines()
    (one,) = map(json.loads, listed)
    assert (one["id"], one["edition"], one["players"]) == (
        HEN,
        "junior",
        ["The chick", "The chick 2"],
    )
    assert admin(terminal, database, "list", "--status", "over").out == "There are no tables.\n"


def test_a_table_is_shown_without_its_secrets(terminal: Terminal, database: str) -> None:
    shown = json.loads(admin(terminal, database, "show", HEN, "--json").out)
    assert shown["status"] == "playing"
    assert "seed" not in shown["dice"]
    assert f"id          {HEN}" in admin(terminal, database, "show", HEN).out
    assert bytes(range(32)).hex() not in json.dumps(shown)


def test_games_are_exported_as_records(terminal: Terminal, database: str) -> None:
    everything = admin(terminal, database, "export").out
    assert admin(terminal, database, "export", HEN).out == everything
    record = read_record(everything.encode())
    assert record.edition == "junior"
    assert admin(terminal, database, "export", FOX) == (0, "", "")


def test_tables_are_closed_and_deleted(terminal: Terminal, database: str) -> None:
    assert admin(terminal, database, "close", FOX, HEN).out == "Closed 2 tables.\n"
    assert json.loads(admin(terminal, database, "close", FOX, "--json").out) == {"closed": []}
    assert json.loads(admin(terminal, database, "show", HEN, "--json").out)["dice"]["seed"]
    asked = admin(terminal, database, "delete", FOX, typed="n\n")
    assert (asked.status, asked.err) == (130, "Delete 1 table for good? [y/N]: ")
    assert admin(terminal, database, "delete", FOX, "--yes").out == "Deleted 1 table.\n"
    unknown = admin(terminal, database, "delete", HEN, FOX, "--yes")
    assert unknown == (
        1,
        "",
        f"heckmeck: There is no table '{FOX}'. 'heckmeck admin list' lists all tables.\n",
    )
    assert HEN in admin(terminal, database, "list").out


def test_tables_are_pruned(terminal: Terminal, database: str) -> None:
    assert admin(terminal, database, "prune").status == 2
    assert admin(terminal, database, "prune", "--keep-days", "0").out == "Deleted 0 tables.\n"
    admin(terminal, database, "close", FOX)
    assert admin(terminal, database, "prune", "--keep-days", "0").out == "Deleted 1 table.\n"
    pruned = admin(terminal, database, "prune", "--keep-abandoned-days", "0", "--json")
    assert json.loads(pruned.out) == {"deleted": 1, "books": 0}


def test_a_name_is_forgotten(terminal: Terminal, database: str) -> None:
    shown = admin(terminal, database, "forget", "The chick 2", "--yes", "--json")
    assert json.loads(shown.out) == {"tables": [FOX, HEN], "books": []}
    assert "The chick 2" not in admin(terminal, database, "list").out


def test_a_backup_is_made_and_restored(terminal: Terminal, database: str, tmp_path: Path) -> None:
    backup, other = str(tmp_path / "monday.backup"), str(tmp_path / "other.sqlite3")
    made = admin(terminal, database, "backup", backup)
    assert (made.status, made.out) == (0, "Saved 2 tables with 7 entries.\n")
    again = admin(terminal, database, "backup", backup)
    assert (again.status, again.out) == (1, "")
    assert "Choose another name, or use --force" in again.err
    restored = json.loads(admin(terminal, other, "restore", backup, "--json").out)
    assert (restored["tables"], restored["gaps"]) == (2, [])
    assert admin(terminal, other, "restore", backup).status == 1
    assert admin(terminal, other, "restore", backup, "--force").status == 0
    assert admin(terminal, other, "list").out == admin(terminal, database, "list").out


@pytest.mark.parametrize("args", [["list"], ["show", FOX], ["backup", "x"], ["prune"]])
def test_a_database_that_is_not_there_is_not_made(
    terminal: Terminal, tmp_path: Path, args: list[str]
) -> None:
    missing = tmp_path / "missing.sqlite3"
    if args == ["prune"]:
        args = [*args, "--keep-days", "1"]
    shown = admin(terminal, str(missing), *args)
    assert shown == (
        1,
        "",
        f"heckmeck: There is no database {missing}. Choose one with --db, as for serve.\n",
    )
    assert not missing.exists()


def test_a_log_that_cannot_be_read(terminal: Terminal, database: str) -> None:
    async def spoil() -> None:
        store = open_store(database)
        await store.open()
        await store.rewrite(FOX, {0: "nonsense"})
        await store.close()

    asyncio.run(spoil())
    for command in ("show", "close", "export"):
        shown = admin(terminal, database, command, FOX)
        assert shown.status == 1
        assert shown.err.startswith("heckmeck: The log of the table cannot be read: 'nonsense'")
    assert admin(terminal, database, "delete", FOX, "--yes").status == 0


def test_books_are_listed_judged_again_and_deleted(terminal: Terminal, database: str) -> None:
    async def make_book() -> None:
        store = open_store(database, beside=True)
        await store.open()
        await store.add_book(StoredBook(FOX, datetime(2026, 1, 2, tzinfo=UTC), "ab12", "Müllers"))
        await store.close()

    assert "There are no books." in admin(terminal, database, "books").out
    asyncio.run(make_book())
    assert "Müllers" in admin(terminal, database, "books").out
    listed = json.loads(admin(terminal, database, "books", "--json").out)
    assert (listed["id"], listed["games"], listed["last"]) == (FOX, 0, None)
    assert "ab12" not in str(listed)
    judged = admin(terminal, database, "judge-books", FOX)
    assert judged.out == "The games of 1 book will be judged again.\n"
    wrong = admin(terminal, database, "delete-books", HEN, "--yes")
    assert (wrong.status, "There is no book" in wrong.err) == (1, True)
    gone = admin(terminal, database, "delete-books", FOX, "--yes")
    assert gone.out == "Deleted 1 book.\n"
