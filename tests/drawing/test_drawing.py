"""Tables as pictures: every piece that is there, once, from our own drawings."""

import re
from xml.etree.ElementTree import fromstring

import pytest

from heckmeck.bots import player
from heckmeck.drawing import Player, picture, players_of, symbols_in, title_of, whole
from heckmeck.record import replay
from heckmeck.rules import EDITIONS, AnyState, outcome
from tests.bots.games import bot_game

PLATES = (1, 4, 3, 5, 2, 6, 7)
SVG = "{http://www.w3.org/2000/svg}"


def states_of(edition: str, players: int) -> list[AnyState]:
    record = bot_game(edition, players, seed=5, bot=player("chick"))
    return [record.start(), *(step.state for step in replay(record))]


def seated(count: int) -> list[Player]:
    return players_of(["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil"][:count], PLATES, "en")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_moment_of_a_game_can_be_drawn_at_every_table(edition: str) -> None:
    fewest, most = EDITIONS[edition].players[0], EDITIONS[edition].players[-1]
    for count in (fewest, most):
        states = states_of(edition, count)
        for state in (*states[::15], states[-1]):
            tree = fromstring(whole(picture(state, seated(count), "A title")))  # noqa: S314
            defined = {symbol.get("id") for symbol in tree.iter(f"{SVG}symbol")}
            used = {str(use.get("href")).removeprefix("#") for use in tree.iter(f"{SVG}use")}
            assert used == defined
            texts = [text.text for text in tree.iter(f"{SVG}text")]
            assert {"Ada", "Ben", "A title"} <= set(texts)


def test_the_grill_shows_each_tile_where_it_is() -> None:
    """The tiles on the grill face up and face down, and the top tile of each stack."""
    state = states_of("classic", 3)[60]
    drawn = picture(state, seated(3), "")
    stacks = state.table.stacks  # type: ignore[union-attr]
    grill = state.table.grill  # type: ignore[union-attr]
    fronts = len(re.findall('href="#tile"', drawn))
    assert fronts == len(grill.face_up) + sum(1 for stack in stacks if stack)
    assert len(re.findall('href="#tile-back"', drawn)) == len(grill.face_down)


def test_the_end_shows_the_winner_first_with_the_hat() -> None:
    state = states_of("classic", 3)[-1]
    names = ["Ada", "Ben", "Cleo"]
    end = outcome(state)
    assert end is not None
    (best,) = end.winners
    drawn = picture(state, seated(3), "")
    found = re.findall(r">(Ada|Ben|Cleo)<", drawn)
    assert found[0] == names[best]
    assert drawn.count('href="#chef"') == 1
    assert title_of(state, names, "de") == f"{names[best]} hat gewonnen"


def test_names_are_only_text_and_our_font_can_write_them() -> None:
    names = ["<b>&amp;", "Łukasz", "Злата", "山田", "\u202eevil"]
    drawn = players_of(names, PLATES, "fr")
    assert [each.name for each in drawn] == ["<b>&amp;", "Łukasz", "Злата", "Joueur 4", "Joueur 5"]
    state = EDITIONS["classic"].initial(5)
    tree = fromstring(whole(picture(state, drawn, "</text><script>")))  # noqa: S314
    assert not [*tree.iter(f"{SVG}script")]


def test_only_what_is_used_comes_along() -> None:
    assert symbols_in('<use href="#pip"/>').startswith('<symbol id="pip"')
    assert symbols_in("nothing") == ""
