"""Reading and writing records for the commands."""

import contextlib
import errno
import os
import sys
from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path

import click

from heckmeck.cli.errors import UserError
from heckmeck.record import BadRecord, Record, read_record, split_games

STANDARD_INPUT = "-"


game_option = click.option(
    "--game",
    type=click.IntRange(min=1),
    metavar="N",
    help="The N-th game of a file with a game on each line (arena's games.jsonl), from 1.",
)


def load(name: str, game: int | None = None) -> Record:
    """Return the record in the file called ``name`` (``-``: standard input), or a `UserError`.

    In a file of several games ``game`` says which of them, counted from 1.
    """
    with contextlib.closing(games_in(name, game)) as games:
        number, data = next(games)
        others = sum(1 for _ in games)
    if others:
        raise UserError(
            f"{name} holds {others + 1} games. Choose one with --game N, from 1 to {others + 1}."
        )
    try:
        return read_record(data)
    except BadRecord as error:
        raise UserError(f"{title(name, number)}: {error}") from error


def title(name: str, number: int | None) -> str:
    """Return how a game is called when something is said of it: its file, and which one there."""
    return name if number is None else f"{name}: game {number}"


def games_in(name: str, game: int | None = None) -> Generator[tuple[int | None, bytes], None, None]:
    """Yield each game in the file called ``name`` (``-``: standard input), or only one of them.

    Each comes with its number, from 1, unless it is all there is. A file that cannot be read, or
    that does not hold the ``game``, is a `UserError`.
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
                raise UserError(f"{name}: standard input is closed.")
            yield from split_games(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                yield from split_games(file)
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}") from error


def _chosen(name: str, games: Iterator[bytes], game: int) -> bytes:
    count = 0
    for data in games:
        count += 1
        if count == game:
            return data
    there = "one game" if count == 1 else f"{count} games, from 1 to {count}"
    raise UserError(f"{name}: there is no game {game}. The file holds {there}.")


def check_place(path: Path, *, replace: bool) -> None:
    """Raise a `UserError` if `save` could not write there, before there is anything to lose."""
    if path.is_file() and not replace:
        raise UserError(f"{path} is there already. Choose another name, or add --force.")
    if not path.parent.is_dir():
        raise UserError(f"{path}: {os.strerror(errno.ENOENT)}")
    if not os.access(path.parent, os.W_OK):
        raise UserError(f"{path}: {os.strerror(errno.EACCES)}")


def save(path: Path, text: str, *, replace: bool) -> None:
    """Write ``text`` to ``path`` whole or not at all; keep what is there unless ``replace``."""
    if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout
        _write(path, path, text)
        return
    check_place(path, replace=replace)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _write(fresh, path, text)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _write(file: Path, path: Path, text: str) -> None:
    """Write the text into ``file``; what goes wrong is said of ``path``."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
