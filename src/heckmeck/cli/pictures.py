"""Pictures are drawn by matplotlib, which may not be there."""

import importlib.util

import click

from heckmeck.installation import to_add


def can_draw() -> bool:
    """Whether matplotlib is installed; finding that out does not import it."""
    try:
        return importlib.util.find_spec("matplotlib") is not None
    except (ModuleNotFoundError, ValueError):  # somebody keeps it from being found
        return False


def say_if_none(what: str) -> None:
    """Say on standard error that ``what`` will not be drawn, if it cannot be."""
    if not can_draw():
        click.echo(f"{what} not drawn: that needs matplotlib. {to_add('plots')}", err=True)
