"""Whether pictures can be drawn: matplotlib is optional."""

import importlib.util

import click

from heckmeck.installation import to_add


def can_draw() -> bool:
    """Whether matplotlib is installed; does not import it."""
    try:
        return importlib.util.find_spec("matplotlib") is not None
    except (ModuleNotFoundError, ValueError):  # something blocks its import
        return False


def say_if_none(what: str) -> None:
    """Report on standard error that ``what`` not drawn, if matplotlib is missing."""
    if not can_draw():
        click.echo(f"{what} not drawn: that needs matplotlib. {to_add('plots')}", err=True)
