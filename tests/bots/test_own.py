"""Bots of one's own in Python: found by name, asked, checked."""

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module, metadata
from importlib.metadata import EntryPoint
from importlib.resources import files
from pathlib import Path

import pytest

from heckmeck import rules
from heckmeck.arena import run
from heckmeck.arena.tournament import BadTournament, Fixture, play_by
from heckmeck.bots import (
    BOTS,
    OURS,
    BotMisbehaved,
    UnknownBot,
    find_bot,
    invite,
    is_outside,
    own,
    player,
)
from heckmeck.bots.in_bulk import in_bulk
from heckmeck.dice import SeededLuck

MODULE = '''
from heckmeck.rules import legal, word

class Last:
    """Chooses the last legal move."""
    def choose(self, state):
        return legal(state)[-1]

class InWords(Last):
    editions = ("junior", "classic")
    def choose(self, state, luck):
        return word(super().choose(state))

class AtOnce(Last):
    def choose_all(self, states, lucks):
        return [self.choose(state) for state in states]

class TooFew(Last):
    def choose_all(self, states, lucks):
        return []

class Wrong(Last):
    def choose(self, state):
        return "rob:5"

class Gibberish(Last):
    def choose(self, state):
        return "castle"

class Breaks(Last):
    def choose(self, state):
        return state.no_such_thing

class OnlyAtOnce:
    def choose_all(self, states):
        return [legal(state)[-1] for state in states]

class Nothing(Last):
    def choose_all(self, states):
        return None

class Leaves(Last):
    def choose(self, state):
        raise SystemExit(3)

class NoBot:
    pass

class NeedsMore(Last):
    def __init__(self, more):
        pass

value = 7
'''


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a module of bots, which is not on Python's path."""
    (tmp_path / "my_bots.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    own.own_player.cache_clear()


STATE = rules.apply(
    rules.apply(rules.new_game("classic", 2), rules.parse("roll")).state, rules.parse("=1234455W")
).state


@pytest.mark.parametrize("name", ["Last", "InWords", "AtOnce", "OnlyAtOnce"])
def test_a_class_plays(name: str) -> None:
    bot = player(f"py:my_bots:{name}", outside=True)
    luck = SeededLuck(1)
    assert bot.choose(STATE, luck) == rules.parse("keep:W")
    assert bot.choose_all([STATE, STATE], [luck, luck]) == [rules.parse("keep:W")] * 2
    assert player(f"py:my_bots:{name}", outside=True) is bot


def test_it_says_which_editions_it_plays() -> None:
    assert find_bot("py:my_bots:InWords", outside=True).editions == ("classic", "junior")
    assert find_bot("py:my_bots:Last", outside=True).editions == tuple(rules.EDITIONS)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Wrong", "'rob:5', which is not legal; legal are keep:1"),
        ("Gibberish", "'castle'"),
        ("Breaks", "raised an error:\n(.|\n)*no_such_thing"),
        ("Leaves", "raised an error:\n(.|\n)*SystemExit: 3"),
    ],
)
def test_misbehaviour_is_reported(name: str, why: str) -> None:
    with pytest.raises(BotMisbehaved, match=why):
        player(f"py:my_bots:{name}", outside=True).choose(STATE, SeededLuck(1))


def test_a_batch_needs_an_answer_for_each_state() -> None:
    with pytest.raises(BotMisbehaved, match="chose 0 moves for 1 states"):
        player("py:my_bots:TooFew", outside=True).choose_all([STATE], [SeededLuck(1)])
    with pytest.raises(BotMisbehaved, match=r"raised an error:\n(.|\n)*not iterable"):
        player("py:my_bots:Nothing", outside=True).choose_all([STATE], [SeededLuck(1)])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("py:", "py:module:Class"),
        ("py:my_bots", "py:module:Class"),
        ("py:no_such_module:Bot", "cannot be imported"),
        ("py:my_bots:Missing", "has no class Missing"),
        ("py:my_bots:value", "has no class value"),
        ("py:my_bots:NoBot", "has no method choose"),
        ("py:my_bots:NeedsMore", "cannot be created"),
        ("champion:missing.npz", "missing.npz"),
        ("champion:my_bots.py", "not a file of a champion's weights"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(name: str, why: str) -> None:
    with pytest.raises(UnknownBot, match=why):
        find_bot(name, outside=True)


def test_names_from_the_network_run_nothing() -> None:
    for name in ("py:my_bots:Last", "champion:my.npz"):
        with pytest.raises(UnknownBot):
            player(name)
    assert "my_bots" not in sys.modules


def test_an_installed_package_offers_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    sys.path.append(str(Path.cwd()))
    offered = EntryPoint("last", "my_bots:Last", own.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [offered] * (group == own.GROUP))
    own._offered.cache_clear()  # noqa: SLF001 (as in a new process)
    try:
        assert is_outside("last")
        assert not is_outside("Ada")
        bot = player("last", outside=True)
        assert bot.choose(STATE, SeededLuck(1)) == rules.parse("keep:W")
    finally:
        own._offered.cache_clear()  # noqa: SLF001


def test_own_weights_play_as_the_champion_with_them() -> None:
    shipped = files("heckmeck.values") / "weights" / "junior.npz"
    with shipped.open("rb") as source, Path("my.npz").open("wb") as copy:
        shutil.copyfileobj(source, copy)
    name = "champion:my.npz"
    assert find_bot(name, outside=True).editions == ("junior",)
    mine, theirs = (
        list(play_by("rules", "junior", [Fixture(0, (bot, "rooster"), 7)], find))
        for bot, find in ((name, lambda each: player(each, outside=True)), ("champion", player))
    )
    assert mine[0].moves == theirs[0].moves
    assert "champion" in BOTS
    with pytest.raises(BotMisbehaved, match="learned junior only"):
        player(name, outside=True).choose(STATE, SeededLuck(1))


@pytest.fixture
def nobody_invited() -> Iterator[None]:
    """The registry as it was."""
    yield
    invite({})


@pytest.mark.usefixtures("nobody_invited")
def test_guests_are_in_the_registry_under_their_names_alone() -> None:
    invite({"Mine": "py:my_bots:Last", "Words": "py:my_bots:InWords"})
    assert [*BOTS][-2:] == ["Mine", "Words"]
    mine = BOTS["Mine"]
    assert (mine.character, mine.about) == ("Mine", "Chooses the last legal move.")
    assert BOTS["Words"].editions == ("classic", "junior")
    assert "my_bots" not in f"{mine.name}{mine.character}{mine.about}"
    assert player("Mine").choose(STATE, SeededLuck(1)) == rules.parse("keep:W")
    assert in_bulk("Mine", player("Mine")).__class__.__name__ == "AtTables"
    with pytest.raises(UnknownBot):
        player("py:my_bots:Last")
    invite({})
    assert tuple(BOTS) == OURS
    with pytest.raises(UnknownBot):
        player("Mine")


@pytest.mark.usefixtures("nobody_invited")
@pytest.mark.parametrize(
    ("name", "bot", "why"),
    [
        ("fox", "py:my_bots:Last", "fox is already a bot"),
        ("Reynard", "fox", "fox plays at every table"),
        ("Mine", "hal", "There is no bot 'hal'"),
        ("Mine", "py:my_bots:Missing", "has no class Missing"),
        ("Mine", "exec:./nobody", "There is no program"),
    ],
)
def test_who_cannot_be_invited(name: str, bot: str, why: str) -> None:
    with pytest.raises(UnknownBot, match=why):
        invite({name: bot})
    assert tuple(BOTS) == OURS


def test_the_arena_is_a_function_and_takes_objects() -> None:
    sys.path.append(str(Path.cwd()))
    module = import_module("my_bots")
    made = [getattr(module, name)() for name in ("Last", "AtOnce", "OnlyAtOnce")]
    found = [
        run(["mine", "random"], edition="junior", games=8, seed=1, players={"mine": each})
        for each in made
    ]
    named = run(["py:my_bots:Last", "random"], edition="junior", games=8, seed=1)
    assert found[0].bots == found[1].bots == found[2].bots
    assert [bot.won for bot in found[0].bots] == [bot.won for bot in named.bots]
    assert sum(bot.won.wins for bot in found[0].bots) == 8
    assert found[0].tournament.seed == 1
    with pytest.raises(UnknownBot, match="mine has no method choose"):
        run(["mine", "random"], games=2, players={"mine": 7})
    with pytest.raises(BadTournament, match="at least two bots"):
        run(["fox"])
