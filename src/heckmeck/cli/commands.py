"""A click group that imports a command only when it is run, and the error that commands report.

Commands bring heavy layers with them (solver, server, tui); `heckmeck --help` needs none of them.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class UserError(Exception):
    """An error the user can fix: a missing file, a broken record, a bad name.

    The message says what was wrong, where, and what would be right. `heckmeck.cli.main` prints it
    as `heckmeck: message` and exits with status 1. Any other exception is a bug and keeps its
    traceback.
    """


@contextmanager
def reporting(*errors: type[Exception]) -> Iterator[None]:
    """Turn these errors into a `UserError` with the same message."""
    try:
        yield
    except errors as error:
        raise UserError(str(error)) from error


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turn file system errors at or below ``path`` into a `UserError`."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{error.filename or path}: {error.strerror}") from error


class LazyCommand(NamedTuple):
    """A command's location and summary.

    Attributes:
        target: `module:attribute` of a `click.Command`.
        summary: One line for the list of commands, shown without importing the module.
        section: The heading that the command is listed under.
        has_own_interrupts: Whether it handles Ctrl-C itself, as event loops do.
    """

    target: str
    summary: str
    section: str = "More commands"
    has_own_interrupts: bool = False

    def load(self) -> click.Command:
        """Import the command; raise `TypeError` if the target is not one."""
        module, _, attribute = self.target.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.target} must be a click command, not {command!r}")
        return command


class LazyGroup(click.Group):
    """A group over a table of `LazyCommand`, listed in the table's order."""

    def __init__(
        self,
        name: str,
        table: Mapping[str, LazyCommand],
        about: str,
        epilog: str = "",
        welcome: str = "",
    ) -> None:
        """Show ``about`` before the list of commands and ``epilog`` after it.

        ``welcome`` is printed when no command is given.
        """
        super().__init__(
            name,
            help=about,
            epilog=epilog,
            invoke_without_command=bool(welcome),
            subcommand_metavar="COMMAND [ARGS]...",
            context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
        )
        self.table = table
        self.welcome = welcome

    def invoke(self, ctx: click.Context) -> object:
        """Run the named command, or print the welcome if there is none."""
        result: object = super().invoke(ctx)
        if ctx.invoked_subcommand is None:
            click.echo(self.welcome)
        return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the table's order."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name, or None if there is none."""
        entry = self.table.get(cmd_name)
        return entry.load() if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command to run; the error for an unknown name lists all commands."""
        name = args[0]
        if name not in self.table and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"There is no command '{name}'. The commands are: {', '.join(self.table)}.")
        if name in self.table and not self.table[name].has_own_interrupts:
            from heckmeck.interrupts import one_interrupt

            ctx.with_resource(one_interrupt())  # already active while the command is imported
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from their summaries, without importing them."""
        widest = max(map(len, self.table))
        for section in dict.fromkeys(entry.section for entry in self.table.values()):
            with formatter.section(section):
                formatter.write_dl(
                    [
                        (f"{name:<{widest}}", entry.summary)
                        for name, entry in self.table.items()
                        if entry.section == section
                    ]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Return the completions of ``incomplete``, without importing any command."""
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self.table.items()
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)
