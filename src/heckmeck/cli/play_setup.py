"""Setting up a game: a new one, a resumed one or a rematch, with its players and its file."""

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

from heckmeck.bots import BOTS, Player, UnknownBot, player
from heckmeck.bots.outside import is_outside
from heckmeck.cli.errors import UserError
from heckmeck.cli.files import load
from heckmeck.dice_source import SeededLuck, fresh_seed
from heckmeck.record import History, Record
from heckmeck.rules import BadSetup, HouseRules, outcome
from heckmeck.tui.game import Game, nowhere
from heckmeck.tui.saved import (
    KEY,
    Seated,
    games_folder,
    latest_unfinished,
    new_path,
    seated_in,
    write,
)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as the options describe it."""

    edition: str
    players: str
    first: int | None
    seed: str | None
    house: HouseRules


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game ready to be started or continued.

    ``path`` is the file it is saved to, if any; ``is_ours`` says whether it is in our own folder.
    """

    history: History
    seated: Seated
    bots: dict[int, Player]
    path: Path | None
    is_ours: bool = False

    @property
    def seed(self) -> str:
        """The seed of the dice and the bots."""
        return self.seated.seed

    def game(self) -> Game:
        """Return the game, which saves every move; raise `CannotSave` if it cannot."""
        path = self.path
        if path is None:
            return Game(self.history, self.bots, self.seed, nowhere)
        return Game(self.history, self.bots, self.seed, lambda record: write(path, record))


def anew(new: NewGame, path: Path | None, *, keep: bool) -> Prepared:
    """Set up a new game; with ``keep`` it is saved even without a path."""
    if path is not None and path.exists():
        raise UserError(f"{path} already exists. Choose another name for the record.")
    seed = new.seed or str(fresh_seed())
    players = tuple(name.strip() for name in new.players.split(","))
    first = SeededLuck(f"first {seed}").below(len(players)) if new.first is None else new.first
    seated = Seated(players, seed)
    extra = {KEY: seated.to_json()}
    record = Record(new.edition, _seat_names(players), first, new.house, extra=extra)
    history = _set_table(record)
    prepared = Prepared(history, seated, _bots(players), path)
    return _in_our_folder(prepared) if path is None and keep else prepared


def again(before: Prepared) -> Prepared:
    """Set up a rematch of the same players; the next seat starts."""
    record = before.history.record
    seated = Seated(before.seated.players, str(fresh_seed()))
    first = (record.first + 1) % len(record.seats)
    fresh = replace(record, first=first, moves=(), extra={KEY: seated.to_json()})
    prepared = Prepared(History(fresh), seated, before.bots, None)
    return prepared if before.path is None else _in_our_folder(prepared)


def _in_our_folder(prepared: Prepared) -> Prepared:
    now = datetime.now().astimezone()
    path = new_path(games_folder(), prepared.history.record.edition, now)
    return replace(prepared, path=path, is_ours=True)


# --- going on -------------------------------------------------------------------------------------


def resumed(path: Path | None, players: str | None) -> Prepared:
    """Return the unfinished game, with its own players or with ``players`` in their seats."""
    is_ours = path is None
    path = path or latest_unfinished(games_folder())
    if path is None:
        raise UserError("There is no unfinished game. Start one with: heckmeck play")
    record = load(str(path))
    history = History(record)
    if outcome(history.state) is not None:
        raise UserError(f"{path}: this game is over. Replay it with: heckmeck replay {path}")
    seated = seated_in(record) or Seated(record.seats, str(fresh_seed()))
    if players is None:
        _refuse_programs(seated, path)
    else:
        seated = Seated(_as_many(players, record), seated.seed)
    extra = {**record.extra, KEY: seated.to_json()}
    history = History(replace(record, extra=extra))
    return Prepared(history, seated, _bots(seated.players), path, is_ours)


def _as_many(players: str, record: Record) -> tuple[str, ...]:
    names = tuple(name.strip() for name in players.split(","))
    if len(names) != len(record.seats):
        raise UserError(
            f"--players has {len(names)} names, but this game has {len(record.seats)} seats: "
            f"{', '.join(record.seats)}."
        )
    return names


def _refuse_programs(seated: Seated, path: Path) -> None:
    """Refuse to run a program merely because a file names it."""
    if any(map(is_outside, seated.players)):
        raise UserError(
            f"{path}: some seats are played by programs. To run them again, pass --players "
            f'"{",".join(seated.players)}"'
        )


# --- seats ----------------------------------------------------------------------------------------


def _set_table(record: Record) -> History:
    try:
        return History(record)
    except BadSetup as error:
        raise UserError(str(error)) from error


def _bots(names: tuple[str, ...]) -> dict[int, Player]:
    try:
        return {
            seat: player(name, outside=True)
            for seat, name in enumerate(names)
            if name in BOTS or is_outside(name)
        }
    except UnknownBot as error:
        raise UserError(str(error)) from error


def _seat_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names with duplicates numbered: two bots may be of one kind."""
    if "" in names:
        raise UserError("--players has an empty name. Write the names as in --players me,fox.")
    seats: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in count(1))
        candidates = numbered if names.count(name) > 1 else iter([name])
        seats.append(
            next(each for each in candidates if each not in {*names, *seats} or each == name)
        )
    return tuple(seats)
