"""Bots of your own in Python: a class, one that an installed package offers, or own weights.

``py:module:Class``
    An object of that class. It has ``choose(state)``, which returns a legal move or its word, or
    ``choose_all(states)``, which answers for many tables at once, or both; each may take luck too.
``name``
    The same, if an installed package offers it as an entry point of the group ``heckmeck.bots``.
``champion:FILE``
    The champion with the weights of a file that ``heckmeck train`` wrote.

``docs/bots.md`` shows how to write one.
"""

import inspect
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from heckmeck.bots.outside import BotMisbehaved, UnknownBot
from heckmeck.dice import Luck
from heckmeck.rules import EDITIONS, AnyState, MalformedMove, Move, game_at, legal, parse, word

CLASS: Final = "py:"
WEIGHTS: Final = "champion:"
GROUP: Final = "heckmeck.bots"


class OwnPlayer:
    """A player made by somebody else: what it returns is checked, what it raises is reported."""

    def __init__(self, name: str, made: Any) -> None:  # noqa: ANN401 (anything can be made)
        """Ask ``made`` for moves; raise `UnknownBot` if it cannot choose."""
        self._name = name
        self._one, self._many = _method(made, "choose"), _method(made, "choose_all")
        if self._one is None and self._many is None:
            raise UnknownBot(
                f"{name} has no method choose(state) or choose_all(states). A bot needs one."
            )

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Ask for a move; raise `BotMisbehaved` if it is not legal."""
        one = self._one
        if one is None:
            return self.choose_all([state], [luck])[0]
        return self._checked(state, self._asked(lambda: one(state, luck)))

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Ask for many tables at once, if the player can answer that."""
        many = self._many
        if many is None:
            return [self.choose(state, luck) for state, luck in zip(states, lucks, strict=True)]
        moves: list[object] = self._asked(lambda: list(many(states, lucks)))
        if len(moves) != len(states):
            raise BotMisbehaved(f"{self._name} chose {len(moves)} moves for {len(states)} states.")
        return [self._checked(state, move) for state, move in zip(states, moves, strict=True)]

    def _asked(self, question: Callable[[], Any]) -> Any:  # noqa: ANN401 (checked afterwards)
        try:
            return question()
        except (Exception, SystemExit) as error:
            said = "".join(traceback.format_exception(error))
            raise BotMisbehaved(f"{self._name} raised an error:\n{said}") from error

    def _checked(self, state: AnyState, chosen: object) -> Move:
        moves = legal(state)
        try:
            move = parse(chosen) if isinstance(chosen, str) else chosen
        except MalformedMove as error:
            raise BotMisbehaved(f"{self._name} chose {chosen!r:.40}: {error}") from error
        for each in moves:
            if each == move:
                return each
        raise BotMisbehaved(
            f"{self._name} chose {chosen!r:.60}, which is not legal; "
            f"legal are {', '.join(map(word, moves))}."
        )


def _method(made: Any, name: str) -> Callable[[Any, Any], Any] | None:  # noqa: ANN401 (anything)
    """Return a method that takes states and luck, whether it asks for luck or not."""
    found = getattr(made, name, None)
    if not callable(found):
        return None
    takes_luck = len(inspect.signature(found).parameters) > 1
    return found if takes_luck else lambda what, _: found(what)


class OwnChampion:
    """The champion with weights of one's own, for the edition they were trained for."""

    def __init__(self, name: str) -> None:
        """Load the weights; raise `UnknownBot` if the file has none."""
        from heckmeck.bots.exact import Exact
        from heckmeck.bulk.turns import prepare
        from heckmeck.values.network import BadWeights, load
        from heckmeck.values.win import WinChance

        path = Path(name.removeprefix(WEIGHTS)).expanduser()
        try:
            networks = load(path)
        except (OSError, BadWeights) as error:
            raise UnknownBot(f"{name}: {error}") from error
        self.edition = networks[0].edition
        self._name = name
        self._exact = Exact(WinChance(networks))
        prepare(self.edition)

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose the best move."""
        return self.choose_all([state], [luck])[0]

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose the best move for each table."""
        for state in states:
            if game_at(state.table).edition != self.edition:
                raise BotMisbehaved(f"{self._name} has learned {self.edition} only.")
        return self._exact.choose_all(states, lucks)


def is_own(name: str) -> bool:
    """Whether a name is that of a bot of one's own; see the module."""
    return name.startswith((CLASS, WEIGHTS)) or name in _offered()


def editions_of(name: str) -> tuple[str, ...]:
    """Return the editions that a bot of one's own plays: all, if it does not say."""
    if name.startswith(WEIGHTS):
        found = own_player(name)
        assert isinstance(found, OwnChampion), "weights make champions"
        return (found.edition,)
    said = getattr(_class_of(name), "editions", EDITIONS)
    return tuple(edition for edition in EDITIONS if edition in said)


def about(name: str) -> str:
    """Return what a class says about itself in the first line of its docstring, or nothing."""
    said = "" if name.startswith(WEIGHTS) else _class_of(name).__doc__ or ""
    return said.strip().partition("\n")[0]


@cache
def own_player(name: str) -> OwnPlayer | OwnChampion:
    """Return the player of that name, created once per process; raise `UnknownBot` if none."""
    if name.startswith(WEIGHTS):
        return OwnChampion(name)
    made = _class_of(name)
    try:
        return OwnPlayer(name, made())
    except UnknownBot:
        raise
    except Exception as error:
        raise UnknownBot(f"{name} cannot be created: {error!r}.") from error


@cache
def _offered() -> dict[str, Callable[[], Any]]:
    """Return what installed packages offer, by name."""
    from importlib.metadata import entry_points  # loads sockets, which a table does without

    return {each.name: each.load for each in entry_points(group=GROUP)}


def _class_of(name: str) -> Any:  # noqa: ANN401 (anything can be named)
    if not name.startswith(CLASS):
        return _offered()[name]()
    module, _, attribute = name.removeprefix(CLASS).partition(":")
    if not module or not attribute:
        raise UnknownBot(f"{name!r:.80} is not of the form {CLASS}module:Class.")
    here = os.getcwd()  # noqa: PTH109 (entries of sys.path are text)
    if here not in sys.path:
        sys.path.append(here)  # as with `python -m`; after everything that is installed
    try:
        found = getattr(import_module(module), attribute, None)
    except Exception as error:
        raise UnknownBot(f"{name}: the module {module} cannot be imported: {error!r}.") from error
    if not callable(found):
        raise UnknownBot(f"{name}: the module {module} has no class {attribute}.")
    return found
