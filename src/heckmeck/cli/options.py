"""Options that several commands share, and options that can also be set in a file."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.cli.commands import UserError
from heckmeck.narration import languages
from heckmeck.rules import EDITIONS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., object])

#: The variables that may hold the user's language; the first that is set counts.
LANGUAGE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_PREFIX: Final = "HECKMECK_"


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of the environment if it is supported, otherwise English.

    >>> language_of({"LANG": "de_CH.UTF-8"})
    'de'
    """
    settings = (environment.get(name, "") for name in LANGUAGE_VARIABLES)
    setting = next(filter(None, settings), "")
    language = re.split(r"[^a-z]", setting.lower())[0]
    return language if language in languages() else "en"


language_option = click.option(
    "--language",
    type=click.Choice(list(languages())),
    default=lambda: language_of(os.environ),
    show_default=False,
    help="Language of the text (default: your system's, from LC_ALL or LANG, otherwise English).",
)
warn_option = click.option(
    "--warn",
    is_flag=True,
    help="Ask before a move that loses 5 points of win chance or more, and say why; for one person "
    "against bots.",
)
plain_option = click.option(
    "--plain",
    is_flag=True,
    help="Play line by line, for screen readers and scripts (the default outside a terminal).",
)
theme_option = click.option(
    "--theme",
    type=click.Choice(["auto", "dark", "light"]),
    default="auto",
    help="Colour theme; auto follows the terminal. NO_COLOR is respected.",
)
ray_option = click.option(
    "--ray",
    metavar="auto|local|ADDRESS",
    help="Play on a Ray cluster: auto finds one, local starts one here, ADDRESS names one "
    "(default: no cluster).",
)


position_option = click.option(
    "--position",
    metavar="TEXT",
    help="Position on one line, as heckmeck position and the editor of the browser table show it, "
    "instead of a record (default: none).",
)


def edition_option(about: str) -> Callable[[Command], Command]:
    """Return the option `--edition`; ``about`` is its help."""
    return click.option(
        "--edition", type=click.Choice(list(EDITIONS)), default="classic", help=about
    )


def json_option(about: str) -> Callable[[Command], Command]:
    """Return the option `--json`; ``about`` is its help."""
    return click.option("--json", "as_json", is_flag=True, help=about)


def number_option(
    name: str,
    about: str,
    *,
    least: int = 1,
    most: int | None = None,
    default: int | None = None,
    show_default: str | None = None,
) -> Callable[[Command], Command]:
    """Return an option for a whole number from ``least`` to ``most``; ``about`` is its help."""
    kind = click.IntRange(least, most)
    return click.option(
        name, type=kind, metavar="N", default=default, show_default=show_default, help=about
    )


def move_seconds_option(of: str) -> Callable[[Command], Command]:
    """Return the option `--move-seconds`, for the bots that ``of`` names."""
    return click.option(
        "--move-seconds",
        type=float,
        default=MOVE_SECONDS,
        metavar="SECONDS",
        callback=_time_limit,
        help=f"Time limit per move for {of}.",
    )


def _time_limit(_: click.Context, __: click.Parameter, seconds: float) -> float:
    if not seconds > 0:
        raise click.BadParameter("The time limit per move must be more than 0 seconds.")
    return seconds


# --- completion of names --------------------------------------------------------------------------


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


# --- options in a file ----------------------------------------------------------------------------


def configurable(command: click.Command) -> click.Command:
    """Let every option of ``command`` also be set by the environment or a file.

    An option --some-name is read from HECKMECK_SOME_NAME, and from `some-name` in the file given
    with --config. The command line takes precedence over the environment, and that over the file.
    """
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            parameter.envvar = variable_of(parameter)
    config = click.Option(
        ["--config"],
        type=click.Path(path_type=Path),
        metavar="FILE",
        envvar=f"{_PREFIX}CONFIG",
        is_eager=True,
        expose_value=False,
        callback=_read,
        help="TOML file with options, such as port = 8080 (default: none). Every option can also "
        f"be set by an environment variable, such as {_PREFIX}PORT.",
    )
    command.params.append(config)
    return command


def variable_of(option: click.Option) -> str:
    """Return the environment variable of an option."""
    return _PREFIX + name_of(option).upper().replace("-", "_")


def name_of(option: click.Option) -> str:
    """Return the name of an option in a file: its long form without the dashes."""
    return next(name for name in option.opts if name.startswith("--")).removeprefix("--")


def _read(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Use the file's values as defaults."""
    if path is None:
        return
    options = {
        name_of(parameter): parameter
        for parameter in context.command.params
        if isinstance(parameter, click.Option) and parameter.name not in ("config", "help")
    }
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path} is not a TOML file: {error}.") from error
    unknown = values.keys() - options.keys()
    if unknown:
        raise UserError(
            f"{path}: {', '.join(sorted(unknown))} is not an option of this command. Its options "
            f"are {', '.join(sorted(options))}."
        )
    context.default_map = {
        options[name].name or name: _checked(path, name, value, options[name])
        for name, value in values.items()
    }


def _checked(path: Path, name: str, value: object, option: click.Option) -> object:
    """Return a value for click: a list if the option can be repeated, otherwise a single value."""
    is_list = isinstance(value, list)
    parts = value if isinstance(value, list) else [value]
    plain = all(isinstance(part, str | int | float | bool) for part in parts)
    fits = isinstance(value, bool) if option.is_flag else not isinstance(value, bool)
    if not plain or is_list != option.multiple or not fits:
        wanted = "true or false" if option.is_flag else "a list" if option.multiple else "one value"
        raise UserError(f"{path}: {name} takes {wanted}.")
    return value if option.is_flag else list(map(str, parts)) if is_list else str(value)
