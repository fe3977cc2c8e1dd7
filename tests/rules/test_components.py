"""What is in each box, against what the rulebooks and rulings say in words."""

from heckmeck.rules.components import (
    APPLE_WORMS,
    BARBECUE_DICE,
    BARBECUE_PLAYERS,
    BARBECUE_SPOTS,
    BRATWORMS,
    CANNED_WORM_POINTS,
    CLASSIC_PLAYERS,
    CLASSIC_TILES,
    DELUXE_PLAYERS,
    DELUXE_TILES,
    GOLDEN_DIE,
    JUNIOR_COPIES,
    JUNIOR_DICE,
    JUNIOR_PLAYERS,
    JUNIOR_TILES,
    NUMBER_DICE,
    PLATES_EACH,
    SMALL_TILES,
    SNAIL_WORMS,
    SNAILS,
    SPECIALISTS_AT_START,
    Specialist,
)

BY_FOURS = {
    **dict.fromkeys((21, 22, 23, 24), 1),
    **dict.fromkeys((25, 26, 27, 28), 2),
    **dict.fromkeys((29, 30, 31, 32), 3),
    **dict.fromkeys((33, 34, 35, 36), 4),
}


def test_tiles() -> None:
    assert CLASSIC_TILES == BY_FOURS  # C1
    assert sum(CLASSIC_TILES.values()) == 40
    assert SMALL_TILES == (11, 13)
    assert DELUXE_TILES == {11: 1, 13: 1} | BY_FOURS  # D1
    assert list(DELUXE_TILES) == sorted(DELUXE_TILES)


def test_spots() -> None:
    # B1
    assert list(BARBECUE_SPOTS) == list(range(23, 37))
    assert all(worms == BY_FOURS[spot] for spot, worms in BARBECUE_SPOTS.items())


def test_junior_tiles() -> None:
    # J1
    assert JUNIOR_TILES == {4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 4}
    assert len(JUNIOR_TILES) * JUNIOR_COPIES == 12


def test_specialists() -> None:
    assert set(SPECIALISTS_AT_START.values()) == set(Specialist)  # D2: each of them once
    assert len(SPECIALISTS_AT_START) == 6
    assert list(SPECIALISTS_AT_START) == sorted(SPECIALISTS_AT_START)
    assert set(SPECIALISTS_AT_START) <= set(DELUXE_TILES)
    assert sorted(Specialist) == list(Specialist)  # listed by name


def test_dice() -> None:
    assert (NUMBER_DICE.faces, NUMBER_DICE.count) == ("12345W", 8)  # C2
    assert NUMBER_DICE.points == (1, 2, 3, 4, 5, 5)
    assert (BARBECUE_DICE.faces, BARBECUE_DICE.count) == ("1234W6", 8)  # B2
    assert BARBECUE_DICE.points == (1, 2, 3, 4, 5, 6)
    assert (JUNIOR_DICE.faces, JUNIOR_DICE.count) == ("WBCGK", 6)  # J1
    assert JUNIOR_DICE.points == (1, 2, 1, 1, 1)
    assert JUNIOR_DICE.sides == (2, 1, 1, 1, 1)
    assert (GOLDEN_DIE.faces, GOLDEN_DIE.sides, GOLDEN_DIE.count) == ("1W", (3, 3), 1)  # D11
    for face in GOLDEN_DIE.faces:
        assert GOLDEN_DIE.points_for(face) == NUMBER_DICE.points_for(face)
    assert {dice.worm for dice in (NUMBER_DICE, BARBECUE_DICE, JUNIOR_DICE, GOLDEN_DIE)} == {"W"}


def test_counts() -> None:
    assert (BRATWORMS, APPLE_WORMS, CANNED_WORM_POINTS) == (7, 3, 5)
    assert (SNAILS, SNAIL_WORMS, PLATES_EACH) == (12, 3, 10)


def test_players() -> None:
    assert list(CLASSIC_PLAYERS) == list(DELUXE_PLAYERS) == [2, 3, 4, 5, 6, 7]
    assert list(BARBECUE_PLAYERS) == list(JUNIOR_PLAYERS) == [2, 3, 4, 5]
