"""Shell completion of names, in addition to what click completes itself."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def bot_names(_: click.Context, __: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Complete the last name of a comma-separated list of bots."""
    return _names(incomplete, ())


def player_names(_: click.Context, __: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Complete the last name of a comma-separated list of players: bots, or ``me``."""
    return _names(incomplete, ("me",))


def _names(incomplete: str, others: tuple[str, ...]) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    from heckmeck.bots import BOTS

    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{name}")
        for name in (*others, *BOTS)
        if name.startswith(last)
    ]
