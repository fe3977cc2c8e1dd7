"""The option ``--language``."""

import os
import re
from collections.abc import Mapping
from typing import Final

import click

from heckmeck.narration import languages

DEFAULT: Final = "en"
#: The variables that may hold the user's language; the first that is set counts.
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of the environment if it is supported, otherwise English.

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
    help="Language of the text (default: your system's, from LC_ALL or LANG, otherwise English).",
)
