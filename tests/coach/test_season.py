"""Seasons: standings, luck and skill, and honours, from games that are known move by move."""

import pytest

from heckmeck.bots import player
from heckmeck.coach import season
from heckmeck.coach.season import Facts, Feat, Judgement, Played, SeatFigures
from heckmeck.coach.statistics import summary
from heckmeck.record import BadRecord, Record
from heckmeck.record.forms import parse_moves
from heckmeck.rules import HouseRules, outcome
from heckmeck.wire.book import HonourKind
from tests.bots.games import bot_game
from tests.coach.test_statistics import everybody_in

EDITIONS = ("classic", "deluxe", "barbecue", "junior")


def game(
    number: int,
    names: str,
    places: list[int],
    *feats: Feat,
    edition: str = "classic",
    judged: Judgement | None = None,
) -> Played:
    """A game of these people, who share no place but the first."""
    facts = Facts(edition, names.split(), {}, [9 - place for place in places], places, [*feats])
    return Played("fox", number, f"2026-05-{number:02}", facts, judged)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_facts_of_a_game_are_those_of_its_end(edition: str) -> None:
    record = bot_game(edition, 3, seed=2, bot=player("rooster"))
    facts, end = season.facts_of(record), outcome(record.end)
    assert end is not None
    assert facts.scores == [*end.scores]
    assert [seat for seat, place in enumerate(facts.places) if place == 1] == [*end.winners]
    assert facts.shares == [*end.shares]
    worms = {feat.seat: feat.value for feat in facts.feats if feat.kind == "worms"}
    assert worms == dict(enumerate(end.scores))
    stolen = sum(feat.value for feat in facts.feats if feat.kind == "steals")
    assert stolen == sum(feat.value for feat in facts.feats if feat.kind == "robbed")
    assert all(0 < feat.index <= len(record.moves) for feat in facts.feats)
    with pytest.raises(BadRecord, match="not over"):
        season.facts_of(record.first_moves(len(record.moves) - 1))


def test_a_story_is_told_as_it_happened() -> None:
    """Ada takes a tile and fails; in another game, Ben steals hers."""
    turns = {
        "ada 25": "roll =1115555W keep:5 roll =111W keep:W stop",
        "ben 23": "roll =1124444W keep:4 roll =112W keep:W roll =112 keep:1 stop",
    }
    record = _record(turns["ada 25"], turns["ben 23"])
    tally = {(feat.kind, feat.seat): feat for feat in season.feats_in(record)}
    assert tally["tile", 0].value == 25
    assert tally["total", 0].value == 25
    assert tally["run", 0].value == 1
    assert ("fails", 0) not in tally
    failed = _record(turns["ada 25"], turns["ben 23"], "roll =11111111 keep:1")
    tally = {(feat.kind, feat.seat): feat for feat in season.feats_in(failed)}
    assert tally["fails", 0].value == 1
    assert tally["run", 0].value == 1
    stolen = _record(turns["ben 23"], turns["ben 23"])
    tally = {(feat.kind, feat.seat): feat for feat in season.feats_in(stolen)}
    assert (tally["steals", 1].value, tally["robbed", 0].value) == (1, 1)
    assert tally["steals", 1].index == len(stolen.moves)


def _record(*turns: str) -> Record:
    return Record("classic", ("Ada", "Ben"), moves=parse_moves(" ".join(turns).split()))


def test_standings_are_by_edition_and_bots_are_apart() -> None:
    games = [
        game(1, "Ada Ben", [1, 2]),
        game(2, "Ben Omi", [1, 1]),
        game(3, "Ada Ben", [2, 1], edition="junior"),
        Played(
            "hen",
            0,
            "",
            Facts("classic", ["Ada", "The fox"], {"1": "fox"}, [3, 5], [2, 1], []),
            None,
        ),
    ]
    classic, junior = season.standings(games, {"Omi": "Ada"})
    assert (classic.edition, classic.games, junior.games) == ("classic", 3, 1)
    rows = [(row.name, row.bot, row.games, row.wins, row.worms) for row in classic.rows]
    assert rows == [("Ada", None, 3, 2, 19), ("Ben", None, 2, 1, 15), ("fox", "fox", 1, 1, 5)]
    assert [row.share for row in classic.rows] == [pytest.approx(0.5), 0.25, 1]
    assert [row.place for row in classic.rows] == [pytest.approx(4 / 3), 1.5, 1]
    people = season.people_in(games, {"Omi": "Ada"})
    assert [(each.name, each.names) for each in people] == [
        ("Ada", ["Ada", "Omi"]),
        ("Ben", ["Ben"]),
    ]


def test_an_honour_is_the_best_and_of_equals_the_first() -> None:
    low = Judgement("x", [SeatFigures(0, 0, 0, 0)] * 2, [Feat("comeback", 0, 0.1, 7)])
    lower = Judgement("x", [SeatFigures(0, 0, 0, 0)] * 2, [Feat("comeback", 1, 0.02, 9)])
    games = [
        game(1, "Ada Ben", [1, 2], Feat("steals", 0, 3, 5), Feat("fails", 1, 1, 8), judged=low),
        game(2, "Ada Ben", [1, 2], Feat("steals", 1, 3, 6), judged=lower),
        game(3, "Ada Ben", [2, 1], Feat("steals", 1, 4, 2), edition="junior"),
    ]
    found = {(each.kind, each.edition): each for each in season.honours(games, {"Ben": "Benno"})}
    assert {*found} == {
        ("steals", "classic"),
        ("steals", "junior"),
        ("comeback", None),
        ("streak", None),
    }
    assert (found["steals", "classic"].name, found["steals", "classic"].game) == ("Ada", 1)
    assert found["steals", "junior"].name == "Benno"
    assert (found["comeback", None].value, found["comeback", None].index) == (0.02, 9)
    assert (found["streak", None].name, found["streak", None].value) == ("Ada", 2)


@pytest.mark.parametrize("kind", season.RULES)
def test_bots_have_no_honours(kind: HonourKind) -> None:
    value = -0.5 if season.RULES[kind].lower else 99
    facts = Facts("classic", ["Ada", "F"], {"1": "fox"}, [0, 9], [2, 1], [Feat(kind, 1, value, 1)])
    assert season.honours([Played("t", 0, "", facts, None)], {}) == []


@pytest.mark.parametrize("edition", ["junior", "classic"])
def test_form_has_the_figures_of_the_statistics(edition: str) -> None:
    records = [bot_game(edition, 2, seed=seed, bot=player("chick")) for seed in range(3)]
    games = [
        Played("fox", number, "", season.facts_of(record), season.judge(record))
        for number, record in enumerate(records)
    ]
    own = [each for each in everybody_in(*records) if each.player == "Ada"]
    whole, form = summary(own), season.form(games, {})[0]
    assert form.luck.mean == pytest.approx(whole.luck.mean)
    assert form.luck.error == pytest.approx(whole.luck.error)
    assert form.given_away.mean == pytest.approx(whole.given_away.mean)
    assert whole.adjusted is not None
    assert form.even.mean == pytest.approx(whole.adjusted.mean)
    games_played, luck, given_away = form.course[-1]
    assert games_played == 3
    assert luck == pytest.approx(3 * form.luck.mean)
    assert given_away == pytest.approx(3 * form.given_away.mean)
    kinds = {feat.kind for each in games if each.judged for feat in each.judged.feats}
    assert kinds >= {"lucky_roll", "unlucky_roll", "comeback", "against"}


def test_a_game_with_house_rules_counts_but_is_not_judged() -> None:
    record = bot_game("classic", 2, seed=1, bot=player("chick"))
    house = Record("classic", record.seats, house=HouseRules(flip_always=True))
    assert season.judge(house) == Judgement()
    games = [game(1, "Ada Ben", [1, 2], judged=Judgement())]
    assert season.form(games, {}) == []
    assert season.standings(games, {})[0].games == 1


def test_a_long_season_has_a_short_course() -> None:
    judged = Judgement("x", [SeatFigures(0.1, 0.01, 3, 0.1), SeatFigures(0.1, -0.01, 3, 0.1)])
    games = [game(number, "Ada Ben", [1, 2], judged=judged) for number in range(500)]
    ada, _ = season.form(games, {})
    assert len(ada.course) <= 60
    assert ada.course[-1][0] == 500
    assert ada.course[-1][1] == pytest.approx(5)
