"""Heckmeck am Bratwurmeck: rulings C1 to C10."""

import pytest

from heckmeck.rules import BadSetup
from heckmeck.rules.classic import Classic, ClassicTable
from heckmeck.rules.endings import (
    EndGame,
    Nothing,
    StealTile,
    TakeTile,
    WhyNothing,
)
from heckmeck.rules.events import (
    AttemptFailed,
    DiceFell,
    GameEnded,
    ThrowWasDead,
    TileReturned,
    TileStolen,
    TileTaken,
    TileTurned,
    TurnEnded,
    TurnStarted,
)
from heckmeck.rules.grill import NO_HOUSE_RULES, Grill, HouseRules, Stacks
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine
from heckmeck.rules.turn import Turn
from tests.rules.story import (
    BOTH_FLIPS,
    FLIP_ALWAYS,
    FLIP_RETURNED,
    classic_table,
    given,
    new_story,
)

ALL_TILES = tuple(range(21, 37))
FAILED = AttemptFailed(0, WhyNothing.NO_WORM)

# --- C1, C2: setup --------------------------------------------------------------------------------


def test_c1_sixteen_tiles_lie_face_up_in_one_row() -> None:
    for seats in range(2, 8):
        table = new_story(ClassicTable, seats).table
        assert table.grill == Grill(face_up=ALL_TILES)
        assert table.stacks == ((),) * seats
        assert table.seats == seats


@pytest.mark.parametrize(
    ("stack", "worms"),
    [((21, 22, 23, 24), 4), ((25, 26, 27, 28), 8), ((29, 30, 31, 32), 12), ((33, 34, 35, 36), 16)],
)
def test_c1_worms_by_fours(stack: tuple[int, ...], worms: int) -> None:
    assert given(classic_table(stacks=(stack,))).scores == (worms, 0)
    assert {given(classic_table(stacks=((tile,),))).scores[0] for tile in stack} == {worms // 4}


@pytest.mark.parametrize("seats", [-1, 0, 1, 8])
def test_two_to_seven_can_play(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"classic is for 2 to 7 players, not for {seats}"):
        new_story(ClassicTable, seats)


def test_c2_eight_dice_with_five_numbers_and_a_worm() -> None:
    story = new_story(ClassicTable).play("roll =12345WWW")
    assert story.legal == "keep:1 keep:2 keep:3 keep:4 keep:5 keep:W"
    assert story.turn.hand == 8


@pytest.mark.parametrize(
    ("face", "points"), [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("W", 5)]
)
def test_c2_a_number_counts_itself_and_a_worm_5(face: str, points: int) -> None:
    story = new_story(ClassicTable).play(f"roll =12345W{face}{face} keep:{face}")
    assert story.turn == Turn(hand=5, kept=face * 3, total=3 * points)


# --- C3: stopping ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", ["1", "5555", "W", "WWWWW"])
def test_c3_stop_is_allowed_after_the_first_keep_even_when_it_fails(kept: str) -> None:
    story = given(classic_table(), kept=kept)
    assert story.legal == "roll stop"
    assert story.play("stop").seat == 1


# --- C4 to C7: what a result earns ----------------------------------------------------------------


def test_c4_a_result_takes_the_tile_of_the_same_number() -> None:
    story = given(classic_table(), kept="55WWW")
    assert story.game.stopping(story.state) == TakeTile(25)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileTaken(0, 25, worms=2, result=25),
        TurnStarted(1),
    )
    assert story.table == classic_table(stacks=((25,),))


def test_c4_the_tile_goes_on_top_of_the_own_stack() -> None:
    story = given(classic_table(stacks=((36, 21),)), kept="55WWW").play("stop")
    assert story.table.stacks[0] == (36, 21, 25)


def test_c4_the_grill_comes_before_other_stacks() -> None:
    story = given(classic_table(stacks=((), (24,))), kept="55WWW").play("stop")
    assert story.events[1] == TileTaken(0, 25, worms=2, result=25)


def test_c5_else_the_tile_on_top_of_another_stack_is_stolen() -> None:
    story = given(classic_table(3, stacks=((30,), (21,), (36, 25))), kept="55WWW")
    assert story.game.stopping(story.state) == StealTile(25, victim=2)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileStolen(0, 2, 25, worms=2),
        TurnStarted(1),
    )
    assert story.table == classic_table(3, stacks=((30, 25), (21,), (36,)))


def test_c5_stealing_is_not_optional() -> None:
    # 24 lies on the grill, but 25 is there to be stolen.
    story = given(classic_table(stacks=((), (25,))), kept="55WWW").play("stop")
    assert story.table.stacks == ((25,), ())
    assert 24 in story.table.grill.face_up


def test_c5_a_worm_is_needed_to_steal() -> None:
    story = given(classic_table(stacks=((), (25,))), kept="55555").play("stop")
    assert story.events[1] == FAILED
    assert story.table.stacks == ((), (25,))


def test_c6_else_the_next_lower_tile_is_taken() -> None:
    # 25 is buried, 24 is face down, 23 is on another stack: 22 is the next lower one.
    table = classic_table(stacks=((), (25, 23)), grill=[21, 22, 26, 27])
    story = given(table, kept="55WWW").play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileTaken(0, 22, worms=1, result=25),
        TurnStarted(1),
    )
    assert story.table == classic_table(stacks=((22,), (25, 23)), grill=[21, 26, 27])


def test_c6_the_own_top_tile_does_not_count_as_available() -> None:
    story = given(classic_table(stacks=((25,),)), kept="55WWW").play("stop")
    assert story.events[1] == TileTaken(0, 24, worms=1, result=25)
    assert story.table.stacks[0] == (25, 24)


def test_c6_a_result_above_36_takes_the_highest_tile() -> None:
    story = given(classic_table(), kept="WWWWWWW").play("roll =5 keep:5")  # 40
    assert story.events[2] == TileTaken(0, 36, worms=4, result=40)


def test_c7_nothing_to_take_fails() -> None:
    story = given(classic_table(), kept="WWWW")
    assert story.game.stopping(story.state) == Nothing(WhyNothing.TOO_LOW)

    story = story.play("stop")  # 20

    assert story.events == (
        TurnEnded(0, 20, stopped=True),
        AttemptFailed(0, WhyNothing.TOO_LOW),
        TurnStarted(1),
    )


def test_c7_nothing_lower_on_the_grill_fails_too() -> None:
    story = given(classic_table(grill=[26, 27]), kept="55WWW").play("stop")  # 25
    assert story.events[1] == AttemptFailed(0, WhyNothing.TOO_LOW)


# --- C8: failed attempt ---------------------------------------------------------------------------


def test_c8_the_top_tile_goes_back_and_the_highest_is_turned() -> None:
    story = given(classic_table(stacks=((36, 22), (30,))), kept="WWW").play("roll =WWWWW")

    assert story.events == (
        DiceFell(0, "WWWWW", None),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TileReturned(0, 22),
        TileTurned(35),
        TurnStarted(1),
    )
    rest = [tile for tile in ALL_TILES if tile not in (30, 35, 36)]
    assert story.table == classic_table(stacks=((36,), (30,)), grill=rest)
    assert story.table.grill.face_down == (35,)


def test_c8_a_returned_tile_that_is_the_highest_stays_face_up() -> None:
    story = given(classic_table(stacks=((36,),)), kept="5").play("stop")

    assert story.events == (
        TurnEnded(0, 5, stopped=True),
        FAILED,
        TileReturned(0, 36),
        TurnStarted(1),
    )
    assert story.table == classic_table()


def test_c8_nothing_returned_nothing_turned() -> None:
    story = given(classic_table(), kept="5").play("stop")

    assert story.events == (TurnEnded(0, 5, stopped=True), FAILED, TurnStarted(1))
    assert story.table == classic_table()


def test_c8_a_turned_tile_is_out_for_good() -> None:
    # Given 36 face down and 35 the highest, when a result of 36 is thrown, then it takes 35.
    table = classic_table(grill=range(21, 36))
    story = given(table, kept="1WWWWWWW", hand=0)
    assert story.game.stopping(story.state) == TakeTile(35)


def test_c8_a_tile_returned_to_an_almost_empty_grill_is_the_highest() -> None:
    story = given(classic_table(stacks=((22,), (23,)), grill=[21]), kept="5").play("stop")
    assert story.table.grill.face_up == (21, 22)


# --- C9: the end ----------------------------------------------------------------------------------


def test_c9_the_game_ends_when_no_tile_is_face_up() -> None:
    story = given(classic_table(3, stacks=((22,), (33,)), grill=[25]), kept="55WWW").play("stop")

    outcome = story.outcome
    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileTaken(0, 25, worms=2, result=25),
        GameEnded(outcome),
    )
    assert outcome.reason is EndReason.GRILL_EMPTY
    assert outcome.scores == story.scores == (3, 4, 0)
    assert outcome.sheets[0] == (ScoreLine(ScoreItem.TILES, 3),)
    assert outcome.ranking == ((1,), (0,), (2,))
    assert outcome.decided_by is DecidedBy.SCORE
    assert (story.seat, story.legal) == (0, "")
    assert story.turn == Turn(hand=3, kept="55WWW", total=25)  # the turn stays to be seen


def test_c9_after_the_end_every_word_is_refused() -> None:
    story = given(classic_table(grill=[25]), kept="55WWW").play("stop")
    for text in ("roll", "stop", "=1", "keep:1", "reroll", "bust", "rob:1", "pinch:1"):
        assert "the game is over" in str(story.refuse(text))
    assert len(story.game.throws(story.state)) == 0


@pytest.mark.parametrize(
    ("stacks", "ranking", "decided_by"),
    [
        (((24, 27), (23, 28)), ((1,), (0,)), DecidedBy.HIGHEST_TILE),
        (((26, 25), (36,)), ((1,), (0,)), DecidedBy.HIGHEST_TILE),  # 4 worms each
        (((), (36,), (35,)), ((1,), (2,), (0,)), DecidedBy.HIGHEST_TILE),
        (((36,), (21,), ()), ((0,), (1,), (2,)), DecidedBy.SCORE),
        (((), (), ()), ((0, 1, 2),), DecidedBy.SHARED),  # tied at no tile at all
    ],
)
def test_c9_most_worms_win_and_the_highest_tile_breaks_a_tie(
    stacks: Stacks, ranking: tuple[tuple[int, ...], ...], decided_by: DecidedBy
) -> None:
    table = classic_table(len(stacks), stacks=stacks, grill=[])
    outcome = Classic().final_count(table, EndReason.GRILL_EMPTY)
    assert (outcome.ranking, outcome.decided_by) == (ranking, decided_by)


def test_c9_players_without_a_tile_share_the_win() -> None:
    # Only possible with house rules: the last tile is turned before anybody has one.
    story = given(classic_table(grill=[21], house=FLIP_ALWAYS), kept="5").play("stop")
    assert story.outcome.winners == (0, 1)


# --- C10: house rules -----------------------------------------------------------------------------


def test_c10_both_house_rules_are_off_by_default() -> None:
    assert new_story(ClassicTable).table.house == NO_HOUSE_RULES == HouseRules(False, False)
    assert new_story(ClassicTable, house=BOTH_FLIPS).table.house == BOTH_FLIPS


@pytest.mark.parametrize(
    ("house", "turned"),
    [(NO_HOUSE_RULES, None), (FLIP_ALWAYS, 36), (FLIP_RETURNED, None), (BOTH_FLIPS, 36)],
)
def test_c10_nothing_returned(house: HouseRules, turned: int | None) -> None:
    story = given(classic_table(house=house), kept="5").play("stop")

    assert story.events == (
        TurnEnded(0, 5, stopped=True),
        FAILED,
        *([TileTurned(turned)] if turned else []),
        TurnStarted(1),
    )
    assert story.table.grill.face_down == ((turned,) if turned else ())


@pytest.mark.parametrize(
    ("house", "turned"),
    [(NO_HOUSE_RULES, None), (FLIP_ALWAYS, None), (FLIP_RETURNED, 36), (BOTH_FLIPS, 36)],
)
def test_c10_the_returned_tile_is_the_highest(house: HouseRules, turned: int | None) -> None:
    story = given(classic_table(stacks=((36,),), house=house), kept="5").play("stop")

    assert story.events == (
        TurnEnded(0, 5, stopped=True),
        FAILED,
        TileReturned(0, 36),
        *([TileTurned(turned)] if turned else []),
        TurnStarted(1),
    )
    assert story.table.stacks == ((), ())
    assert story.table.grill.face_down == ((turned,) if turned else ())


@pytest.mark.parametrize("house", [NO_HOUSE_RULES, FLIP_ALWAYS, FLIP_RETURNED, BOTH_FLIPS])
def test_c10_the_returned_tile_is_not_the_highest(house: HouseRules) -> None:
    story = given(classic_table(stacks=((30,),), house=house), kept="5").play("stop")

    assert story.events == (
        TurnEnded(0, 5, stopped=True),
        FAILED,
        TileReturned(0, 30),
        TileTurned(36),
        TurnStarted(1),
    )


def test_c10_flip_always_ends_the_game_with_the_last_tile_turned() -> None:
    table = classic_table(stacks=((), (30,)), grill=[21], house=FLIP_ALWAYS)
    story = given(table, kept="5").play("stop")

    assert story.events == (
        TurnEnded(0, 5, stopped=True),
        FAILED,
        TileTurned(21),
        GameEnded(story.outcome),
    )
    assert story.outcome.winners == (1,)
    assert story.outcome.reason is EndReason.GRILL_EMPTY


def test_c10_flip_always_alone_never_turns_the_last_tile_if_it_was_just_returned() -> None:
    # Given the grill's only other tile is lower, the returned 30 stays up: two tiles go on.
    table = classic_table(stacks=((30,),), grill=[21], house=FLIP_ALWAYS)
    assert given(table, kept="5").play("stop").table.grill.face_up == (21, 30)


def test_c10_flip_returned_makes_a_shorter_game() -> None:
    table = classic_table(stacks=((30,),), grill=[21], house=FLIP_RETURNED)
    story = given(table, kept="5").play("stop")
    assert story.table.grill.face_up == (21,)
    assert 30 in story.table.grill.face_down


# --- the frame ------------------------------------------------------------------------------------


def test_a_classic_turn_has_no_other_endings() -> None:
    story = given(classic_table())
    with pytest.raises(TypeError, match="not an ending of a classic turn"):
        story.game.carry_out(story.state, EndGame(), [])
