"""The option ``--language`` of the commands that tell a game."""

import os
import re
from collections.abc import Mapping
from typing import Final

import click

from heckmeck.narration import languages

DEFAULT: Final = "en"
#: Where a system says its user's language; the first that says anything counts.
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of the environment if it is one of ours, else English.

    >>> language_of({"LANG": "de_CH.UTF-8"})
    'de'
    """
    settings = (environment.get(name, "") for name in VARIABLES)
    setting = next(filter(None, settings), "")
    language = re.split(r"[^a-z]", setting.lower())[0]
    return language if language in languages() else DEFAULT


language_option = click.option(
    "--language",
    type=click.Choice(list(languages())),
    default=lambda: language_of(os.environ),
    help="The language of the sentences; by default your system's (LC_ALL or LANG), or English.",
)
