"""A game in this process, with its bots and its dice, and the file it is saved to.

The luck of every move has its own seed, derived from the game's seed and the number of the move. So
a resumed game has the dice it would have had anyway, and taking back a keep does not change the
dice.

A game is saved after every move, atomically, so that neither Ctrl-C nor a closed window nor
`kill -9` loses any of it. The file is a record like any other; the players and the seed of the dice
are in its key ``play``, which other programs ignore.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from heckmeck import record as records
from heckmeck.bots import Player
from heckmeck.dice import Seed, SeededLuck
from heckmeck.installation import data_folder, write_safely
from heckmeck.record import BadRecord, History, JsonObject, Record
from heckmeck.rules import AnyState, Event, Move, outcome, throws
from heckmeck.rules.moves import Keep, Roll, Throw
from heckmeck.rules.state import Deciding


class Game:
    """A game in progress that is saved after every move."""

    def __init__(
        self,
        history: History,
        bots: Mapping[int, Player],
        seed: Seed,
        path: Path | None = None,
        *,
        is_ours: bool = False,
        own_dice: bool = False,
    ) -> None:
        """Seat ``bots`` at the table of ``history``; every other seat is a person's.

        ``own_dice``: people roll real dice, for bots too, and enter what fell.

        The game is saved to ``path``, if there is one, now and after every change; ``is_ours`` says
        that the file is in our own folder. Raise `CannotSave` if it cannot be saved.
        """
        self._history = history
        self.seed = seed
        self.bots = bots
        self.path = path
        self.is_ours = is_ours
        self.own_dice = own_dice
        self.save()

    def save(self) -> None:
        """Save the game as it is."""
        if self.path is not None:
            write_game(self.path, self.record)

    @property
    def state(self) -> AnyState:
        """The current state."""
        return self._history.state

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._history.record

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return outcome(self.state) is not None

    @property
    def bot(self) -> Player | None:
        """The bot that is to move, if any."""
        return self.bots.get(self.state.seat)

    @property
    def you(self) -> int | None:
        """The reader's seat; None where several people share this screen, or only bots play."""
        people = [seat for seat in range(len(self.record.seats)) if seat not in self.bots]
        return people[0] if len(people) == 1 else None

    @property
    def can_put_back(self) -> bool:
        """Whether a person may still take back the last keep: until the next throw."""
        moves = self.record.moves
        kept = bool(moves) and isinstance(moves[-1], Keep)
        return kept and isinstance(self.state.phase, Deciding) and bool(self.state.turn.kept)

    @property
    def entered_since(self) -> int:
        """The number of moves since the state in which dice were entered, if nobody has decided.

        A dead throw passes the dice on, and a bot may have rolled them since.
        """
        moves = self.record.moves
        if not self.own_dice or not moves:
            return 0
        if isinstance(moves[-1], Throw):
            return 1
        began = isinstance(moves[-1], Roll) and not self.state.turn.kept and self.bot is not None
        return 2 if began and len(moves) > 1 and isinstance(moves[-2], Throw) else 0

    def play(self, move: Move) -> tuple[Event, ...]:
        """Play and save a move, and return its events; raise `BadRecord` if it is illegal."""
        events = self._history.play([move])
        self.save()
        return events

    def put_back(self) -> None:
        """Take back the last keep, or the dice entered last."""
        self._history.undo(self.entered_since or 1)
        self.save()

    def fall(self) -> Move:
        """Return what the dice in the air show."""
        return self._luck("dice").throw(throws(self.state))

    def chosen(self) -> Move:
        """Return the move of the bot to move. This may take a while."""
        assert self.bot is not None
        return self.bot.choose(self.state, self._luck("bots"))

    def _luck(self, of: str) -> SeededLuck:
        return SeededLuck(f"{of} {self.seed} {len(self._history)}")


#: The record's top-level key with what is needed to resume.
KEY: Final = "play"
SUFFIX: Final = ".heckmeck.json"


class CannotSave(Exception):
    """A game cannot be saved; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The players: a name for each seat as in ``--players``, and the seed of the dice.

    ``own_dice``: the dice are the players' own, and the seed is only that of the bots.
    """

    players: tuple[str, ...]
    seed: str
    own_dice: bool = False

    def in_record(self) -> JsonObject:
        """Return what a record stores about them, under its key."""
        own: JsonObject = {"own_dice": True} if self.own_dice else {}
        return {KEY: {"players": [*self.players], "seed": self.seed, **own}}


def seated_in(record: Record) -> Seated | None:
    """Return the players of the record, if it was saved by this program."""
    data = record.extra.get(KEY)
    if not isinstance(data, dict):
        return None
    players, seed = data.get("players"), data.get("seed")
    if not isinstance(players, list) or not isinstance(seed, str):
        return None
    if len(players) != len(record.seats) or not all(isinstance(name, str) for name in players):
        return None
    return Seated(tuple(map(str, players)), seed, data.get("own_dice") is True)


def write_game(path: Path, record: Record) -> None:
    """Save the record atomically; raise `CannotSave` if it cannot be saved."""
    try:
        write_safely(path, records.write_json(record))
    except OSError as error:
        raise CannotSave(f"{path}: {error.strerror}") from error


def games_folder() -> Path:
    """Return the folder of the games played here."""
    return data_folder() / "games"


def new_path(folder: Path, edition: str, now: datetime) -> Path:
    """Create the folder if need be, and return the path of a new file in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotSave(f"{folder}: {error.strerror}") from error
    stem = f"{now:%Y-%m-%d-%H%M%S}-{edition}"
    names = (f"{stem}{f'-{number}' if number else ''}{SUFFIX}" for number in range(1000))
    return next(path for path in (folder / name for name in names) if not path.exists())


def latest_unfinished(folder: Path) -> Path | None:
    """Return the latest unfinished game; broken files are ignored."""
    return next((path for path in _newest_first(folder) if _goes_on(path)), None)


def _newest_first(folder: Path) -> Sequence[Path]:
    files = [path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
    return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def _goes_on(path: Path) -> bool:
    try:
        return outcome(records.final_state(records.read_record(path.read_bytes()))) is None
    except (BadRecord, OSError):
        return False
