"""The editions as a whole: the one registry, and what each says about itself in data."""

import pytest

from heckmeck import rules
from heckmeck.rules.events import BratwormEarned, DiceKept, TurnEnded
from tests.rules.story import (
    FLIP_ALWAYS,
    GOLDEN,
    Story,
    barbecue_table,
    classic_table,
    deluxe_table,
    given,
    junior_table,
)

TABLES: dict[str, rules.Table] = {
    "classic": classic_table(),
    "deluxe": deluxe_table(held=(GOLDEN, None)),
    "barbecue": barbecue_table(),
    "junior": junior_table(),
}
EVERY_EDITION = pytest.mark.parametrize("edition", TABLES)


def story_of(edition: str, kept: str = "") -> Story[rules.Table]:
    return given(TABLES[edition], kept=kept)


def test_there_are_four_editions() -> None:
    assert list(rules.EDITIONS) == list(TABLES)
    for edition, table in TABLES.items():
        assert rules.game(edition).edition == edition
        assert rules.game_at(table) is rules.game(edition)
        assert type(rules.new_game(edition, 2).table) is type(table)


@EVERY_EDITION
def test_the_package_asks_the_game_at_the_table(edition: str) -> None:
    game, state = rules.game(edition), story_of(edition, kept="WWW").state
    thrown = rules.apply(state, rules.parse("roll")).state
    assert rules.apply(state, rules.parse("roll")) == game.apply(state, rules.parse("roll"))
    assert rules.legal(state) == game.legal(state) != ()
    assert rules.throws(thrown) is game.throws(thrown)
    assert rules.scores(state) == game.scores(state) == (0, 0)
    assert rules.stopping(state) == game.stopping(state)
    assert rules.dead_chance(state) == game.dead_chance(state) > 0
    assert rules.outcome(state) is game.outcome(state) is None


@EVERY_EDITION
def test_house_rules_are_for_those_who_have_them(edition: str) -> None:
    game = rules.game(edition)
    assert game.has_house_rules == (edition in ("classic", "deluxe"))
    if game.has_house_rules:
        assert rules.new_game(edition, 2, house=FLIP_ALWAYS) != rules.new_game(edition, 2)
    else:
        with pytest.raises(rules.BadSetup, match=f"{edition} has no house rules"):
            rules.new_game(edition, 2, house=FLIP_ALWAYS)


@EVERY_EDITION
def test_the_golden_die_is_where_an_edition_has_one(edition: str) -> None:
    # D11
    assert rules.game(edition).has_golden_die == ("roll:golden" in story_of(edition).legal)


@pytest.mark.parametrize("edition", ["classic", "deluxe", "barbecue"])
def test_a_double_1_pays_where_an_edition_says_so(edition: str) -> None:
    # D13
    events = story_of(edition).play("roll =11222244 keep:1").events
    pays = any(isinstance(event, BratwormEarned) for event in events)
    assert rules.game(edition).double_one_pays == pays


@EVERY_EDITION
def test_a_stop_must_earn_something_where_an_edition_says_so(edition: str) -> None:
    # C3, B3
    face = "B" if edition == "junior" else "1"
    must_earn = "stop" not in story_of(edition, kept=face).legal
    assert rules.game(edition).stop_must_earn == must_earn


@EVERY_EDITION
def test_all_faces_end_the_turn_where_an_edition_says_so(edition: str) -> None:
    # T7, J2
    game = rules.game(edition)
    others, last = game.dice.faces[:-1], game.dice.faces[-1]
    story = story_of(edition, kept=others)
    throw = last + others[0] * (story.turn.hand - 1)
    events = story.play(f"roll ={throw} keep:{last}").events
    assert isinstance(events[0], DiceKept)
    assert game.all_faces_end_turn == any(isinstance(event, TurnEnded) for event in events)


@EVERY_EDITION
def test_a_dead_throw_counts_where_an_edition_says_so(edition: str) -> None:
    # T5, J3
    story = story_of(edition, kept="WW")
    events = story.play("roll =" + "W" * story.turn.hand).events
    counts = any(isinstance(event, TurnEnded) for event in events)
    assert rules.game(edition).dead_throw_counts == counts


def test_only_deluxe_gives_something_with_a_tile() -> None:
    """D9: a Specialist comes with its tile; in the other games tiles come alone."""
    kept = "roll =1WWWWW22 keep:W"  # 25
    bonuses = {}
    for edition in ("classic", "deluxe"):
        state = rules.new_game(edition, 2)
        for text in kept.split():
            state = rules.apply(state, rules.parse(text)).state
        bonuses[edition] = rules.bonus(state)
    assert bonuses == {"classic": None, "deluxe": rules.Bonus.WEASEL}
