"""Options that can also be set by environment variables and in a TOML file."""

import tomllib
from pathlib import Path
from typing import Final

import click

from heckmeck.cli.errors import UserError

_PREFIX: Final = "HECKMECK_"


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
