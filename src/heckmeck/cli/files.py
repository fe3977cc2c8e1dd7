"""Reading and writing records for the commands."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Generator, Iterator
from itertools import chain
from pathlib import Path
from typing import TypeVar

from heckmeck import installation, record
from heckmeck.cli import commands, options

STANDARD_INPUT = "-"

Command = TypeVar("Command", bound=Callable[..., object])


def _game_option(default: str) -> Callable[[Command], Command]:
    return options.number_option(
        "--game",
        "Game N, counting from 1, of a file with one game per line, such as games.jsonl of "
        f"arena (default: {default}).",
    )


#: For commands that read a single game, and for those that read all of them.
game_option = _game_option("the only game")
games_option = _game_option("every game")


def load(name: str, game: int | None = None) -> record.Record:
    """Return the record in the file ``name`` (``-`` is standard input), or raise a `UserError`.

    ``game`` is the number of the game in a file of several, counting from 1.
    """
    with contextlib.closing(games_in(name, game)) as games:
        number, data = next(games)
        others = sum(1 for _ in games)
    if others:
        raise commands.UserError(
            f"{name} has {others + 1} games. Choose one with --game N, from 1 to {others + 1}."
        )
    try:
        return record.read_record(data)
    except record.BadRecord as error:
        raise commands.UserError(f"{title(name, number)}: {error}") from error


def title(name: str, number: int | None) -> str:
    """Return how messages refer to a game: by its file, and its number if there are several."""
    return name if number is None else f"{name}: game {number}"


def games_in(name: str, game: int | None = None) -> Generator[tuple[int | None, bytes], None, None]:
    """Yield the number and the data of each game in a file, or only those of ``game``.

    ``name`` ``-`` is standard input. Numbers count from 1; a single game has None. A file that
    cannot be read, or that has no such ``game``, is a `UserError`.
    """
    with contextlib.closing(_all_games(name)) as games:
        if game is not None:
            yield game, _chosen(name, games, game)
            return
        first, second = next(games), next(games, None)
        if second is None:
            yield None, first
        else:
            yield from enumerate(chain([first, second], games), start=1)


def _all_games(name: str) -> Generator[bytes, None, None]:
    try:
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise commands.UserError(f"{name}: standard input is closed.")
            yield from record.split_games(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                yield from record.split_games(file)
    except OSError as error:
        raise commands.UserError(f"{name}: {error.strerror}") from error


def _chosen(name: str, games: Iterator[bytes], game: int) -> bytes:
    count = 0
    for data in games:
        count += 1
        if count == game:
            return data
    there = "one game" if count == 1 else f"{count} games, from 1 to {count}"
    raise commands.UserError(f"{name}: there is no game {game}. The file has {there}.")


def check_place(path: Path, *, replace: bool) -> None:
    """Raise a `UserError` if `save` could not write to ``path``."""
    if path.is_file() and not replace:
        raise commands.UserError(f"{path} already exists. Choose another name, or add --force.")
    if not path.parent.is_dir():
        raise commands.UserError(f"{path}: {os.strerror(errno.ENOENT)}")
    if not os.access(path.parent, os.W_OK):
        raise commands.UserError(f"{path}: {os.strerror(errno.EACCES)}")


def save(path: Path, text: str, *, replace: bool) -> None:
    """Write ``text`` to ``path`` atomically; an existing file is kept unless ``replace``."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            check_place(path, replace=replace)
            installation.write_safely(path, text)
    except OSError as error:
        raise commands.UserError(f"{path}: {error.strerror}") from error
