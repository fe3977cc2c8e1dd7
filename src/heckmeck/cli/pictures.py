"""Pictures are drawn by matplotlib, which may not be there."""

import importlib.util
from typing import Final

import click

#: How to get what draws pictures.
HOW_TO_GET: Final = "pip install 'heckmeck[plots]'"


def can_draw() -> bool:
    """Whether matplotlib is installed; finding that out does not import it."""
    try:
        return importlib.util.find_spec("matplotlib") is not None
    except (ModuleNotFoundError, ValueError):  # somebody keeps it from being found
        return False


def say_if_none(what: str) -> None:
    """Say on standard error that ``what`` will not be drawn, if it cannot be."""
    if not can_draw():
        click.echo(f"{what} not drawn: that needs matplotlib ({HOW_TO_GET}).", err=True)
