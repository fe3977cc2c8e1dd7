"""Hands that play at a table."""

import asyncio

from textual.pilot import Pilot

from heckmeck.record import final_state
from heckmeck.rules import legal, outcome, word
from heckmeck.rules.moves import Throw
from heckmeck.tui.sheets import EndSheet
from tests.tui.tables import Table

#: The dice of short games, where games can be long.
SEEDS = {"barbecue": "1242"}

KEYS = {"roll": "r", "roll:golden": "g", "stop": "s", "reroll": "a", "bust": "s"}


def key_for(words: list[str], chosen: str) -> str:
    """The key that plays a word, where these are on offer."""
    kind, _, of = chosen.partition(":")
    if kind == "keep":
        return of.lower()
    return KEYS.get(chosen) or str(words.index(chosen) + 1)


def hasty(table: Table) -> str:
    """What somebody plays who wants to go home: the fewest throws, and failing is no harm."""
    words = words_now(table)
    throw = table.game.state.phase
    if isinstance(throw, Throw):
        dice = throw.dice + (throw.golden or "")
        return max(words, key=lambda each: dice.count(each.removeprefix("keep:")))
    # In barbecue a failed attempt brings the end nearer, and elsewhere stopping at once does.
    return "stop" if "stop" in words and table.record.edition != "barbecue" else words[0]


def words_now(table: Table) -> list[str]:
    return [word(move) for move in legal(table.game.state)]


async def until_my_turn(pilot: Pilot[None], table: Table) -> bool:
    """Wait until a person is to move; False when the game is over."""
    for _ in range(2000):
        game = table.game
        if game.is_over:
            await pilot.pause()
            return False
        if game.bot is None and legal(game.state):
            return True
        await asyncio.sleep(0)
    raise AssertionError("the game stands still")


async def play_out(pilot: Pilot[None], table: Table) -> None:
    """Play to the end by keys."""
    while await until_my_turn(pilot, table):
        words = words_now(table)
        chosen = hasty(table)
        before = len(table.game.record.moves)
        await pilot.press(key_for(words, chosen))
        assert len(table.game.record.moves) > before, f"{chosen} was not played"


def assert_over(table: Table) -> None:
    record = table.game.record
    end = outcome(final_state(record))
    assert end is not None
    assert isinstance(table.app.screen, EndSheet)
    shown = table.text()
    assert all(name in shown for name in record.seats)
    assert "games/today.heckmeck.json" in shown
