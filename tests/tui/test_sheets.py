"""The score at the end: all of it can be read in the smallest window."""

import re
from itertools import product

import pytest
from rich.cells import cell_len

from heckmeck.narration import Phrases, languages, table_words
from heckmeck.rules import EDITIONS, Outcome, game_at, new_game
from heckmeck.rules.outcome import EndReason
from heckmeck.tui.sheets import EndSheet, KeysSheet, end_text
from heckmeck.tui.source import Seat, View, Wish
from tests.server.scenario import scenario
from tests.tui.positions import classic_start
from tests.tui.tables import SMALL, Table

LANGUAGES = list(languages())
#: As long as names can be, and no two badges alike.
NAMES = tuple(f"{letter}-{'abcdefghijklmnopqrstuv'}" for letter in "AABBCCD")
PATH = "/home/somebody/.local/share/heckmeck/games/2026-11-17-201500-barbecue.heckmeck.json"
#: What stays of the smallest window inside of a sheet's frame.
ROOM = SMALL[0] - 8


def ended(edition: str, seats: int, *, shared: bool) -> tuple[View, Outcome]:
    """A game that is over: everybody shares the win, or the last player has it."""
    state = new_game(edition, seats)
    tied = game_at(state.table).final_count(state.table, EndReason.GRILL_EMPTY)
    last = tuple((seat,) for seat in reversed(range(seats)))
    end = tied if shared else Outcome(tied.reason, tied.sheets, last, tied.decided_by)
    sitting = tuple(Seat(name) for name in NAMES[:seats])
    wishes = frozenset({Wish.REMATCH})
    return View(edition, sitting, state, wishes=wishes, record=PATH), end


def words_of(text: str) -> set[str]:
    return set(re.sub(r"[\u00a0▐,]", " ", text).split())


ENDS = [
    (edition, seats, shared)
    for edition, game in EDITIONS.items()
    for seats, shared in product((2, max(game.players)), (True, False))
]


@pytest.mark.parametrize("width", [ROOM, 60])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "seats", "shared"), ENDS)
def test_nothing_of_the_score_is_cut(
    edition: str, seats: int, shared: bool, language: str, width: int
) -> None:
    view, end = ended(edition, seats, shared=shared)
    phrases = Phrases(language, view.names)
    text = end_text(view, end, phrases, width).plain
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    for name in view.names:
        assert name in text
    for line in end.sheets[0]:
        assert words_of(table_words(language).say(f"item.{line.item}")) <= words_of(text)
    assert PATH in re.sub(r"\s", "", text)
    scores = re.findall(r"(?m)(?:\s+\d+)+$", text)
    assert len(scores) == seats


@pytest.mark.parametrize("language", LANGUAGES)
@scenario
async def test_the_whole_score_can_be_seen_at_80_by_24(language: str) -> None:
    """By scrolling where it must be; the keys stay."""
    table = Table(classic_start(), language=language)
    async with table.opened() as pilot:
        for edition, seats, shared in ENDS:
            view, end = ended(edition, seats, shared=shared)
            phrases = Phrases(language, view.names)
            table.app.push_screen(EndSheet(view, end, phrases))
            await pilot.pause()
            seen = table.text()
            assert f"N {table_words(language).say('end.rematch')}" in seen
            await pilot.press("end")
            await pilot.pause()
            seen += table.text()
            assert f"N {table_words(language).say('end.rematch')}" in seen
            for name in view.names:
                assert name in seen
            assert "heckmeck.json" in re.sub(r"[\s▌▐]", "", seen)
            await pilot.press("escape")
            await pilot.pause()


@pytest.mark.parametrize("language", LANGUAGES)
@scenario
async def test_all_keys_can_be_seen_at_80_by_24(language: str) -> None:
    table = Table(classic_start(), language=language)
    async with table.opened() as pilot:
        view = View("deluxe", (Seat("Ada"), Seat("Ben")), None, wishes=frozenset({Wish.PLAY}))
        phrases = Phrases(language, view.names)
        table.app.push_screen(KeysSheet(view, phrases))
        await pilot.pause()
        seen = table.text()
        await pilot.press("end")
        await pilot.pause()
        seen += table.text()
    say = table_words(language).say
    for text in ("key.roll", "key.pace", "key.play", "key.leave", "review.first", "review.last"):
        assert words_of(say(text)) <= words_of(seen)
    assert "heckmeck rules deluxe" in seen
