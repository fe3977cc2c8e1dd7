"""The chance to win as an evaluator, and players who play for it."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from heckmeck.bots import BOTS, player
from heckmeck.bots.exact import Exact
from heckmeck.bulk.rows import Rows, row_rules
from heckmeck.dice import SeededLuck
from heckmeck.record import replay
from heckmeck.rules import (
    EDITIONS,
    AnyState,
    HouseRules,
    apply,
    legal,
    new_game,
    outcome,
    parse,
    word,
)
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.grill import Grill
from heckmeck.rules.moves import STOP
from heckmeck.rules.state import Deciding, Over, RobQuestion
from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import position_of
from heckmeck.solver.small_boards import lay_out, solve_board
from heckmeck.solver.solution import solve_all
from heckmeck.values import value_of_bot
from heckmeck.values.ahead import Deeper, Endgames
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.win import (
    ENDGAME,
    NetworkChances,
    WinChance,
    chances_by,
    networks_of,
    win_chance,
)
from tests.bots.games import bot_game
from tests.bulk.positions import wander
from tests.values.by_the_rules import WinByTheRules
from tests.values.networks import opinionated

#: How far a chance may be off when everything was looked at.
EXACT = 0.0002
TABLES = [(edition, seats) for edition in EDITIONS for seats in (2, 5)]


def win_of(edition: str) -> WinChance:
    return WinChance([opinionated(edition)])


def states_of(edition: str, seats: int, seed: int, words: int) -> Sequence[AnyState]:
    return [step.state for step in replay(bot_game(edition, seats, seed, words=words))]


@pytest.mark.machine
@pytest.mark.parametrize("deeper", [False, True], ids=["champion", "grandmaster"])
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_many_turns_at_once_are_solved_as_each_by_the_rules(
    edition: str, seats: int, deeper: bool
) -> None:
    win = WinChance([opinionated(edition)], deeper=deeper)
    positions = [position_of(state) for state in wander(edition, seats, seed=2, turns=8)]
    for one, other in zip(
        solve_all(positions, win), solve_all(positions, WinByTheRules(win)), strict=True
    ):
        assert (one.solution.roll == other.solution.roll).all()
        assert one.position is other.position


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_chances_are_told_by_seat_and_exact_at_the_end(edition: str, seats: int) -> None:
    states = states_of(edition, seats, seed=4, words=20_000)
    starts = [each for each in states if isinstance(each.phase, Over) or not each.turn.kept]
    chances = win_of(edition).chances(starts[-50:])
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-5)
    end = outcome(starts[-1])
    assert end is not None
    assert chances[-1].tolist() == [
        (seat in end.winners) / len(end.winners) for seat in range(seats)
    ]


def test_chances_turn_with_the_seats() -> None:
    """Who sits where does not matter, only who comes after whom."""
    chances = win_of("junior").chances([new_game("junior", 4), new_game("junior", 4, first=3)])
    assert (np.roll(chances[0], 3) == chances[1]).all()


def endgame_rows(edition: str, seats: int = 2) -> Rows:
    """Return the tables of games with few tiles left."""
    rules = row_rules(edition)
    wandering = wander(edition, seats, seed=3, turns=400)
    states = [each for each in wandering if isinstance(each.phase, Deciding)]
    rows = np.stack([rules.row(each.table, each.seat) for each in states])
    return rows[rules.left(rows) <= ENDGAME]


@pytest.mark.machine
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("edition", EDITIONS)
def test_endgames_are_looked_at_alone_as_in_any_company(edition: str, seats: int) -> None:
    rules, rows = row_rules(edition), endgame_rows(edition, seats)[:8]
    near = NetworkChances(opinionated(edition))
    value = Endgames(near, ENDGAME, inf if (edition, seats) == ("junior", 2) else 2)
    together = value.of(rules, np.concatenate([rows, rows]), seats)
    assert len(rows) > 4
    for number, row in enumerate(rows):
        assert (value.of(rules, row[np.newaxis], seats)[0] == together[number]).all()
        assert (together[number] == together[number + len(rows)]).all()
    assert (together[: len(rows)] != near.of(rules, rows, seats)).any()
    assert together.sum(axis=1) == pytest.approx(1, abs=0.001)


def board_rows(tiles: Sequence[int]) -> tuple[Rows, Floats]:
    """Return all tables of a small board, and the exact chances of the player to move."""
    board, rules = lay_out(tiles), row_rules("classic")
    rows = np.stack([rules.row(position, 0) for position in board.positions])
    return rows, solve_board(board).chance


def test_the_further_an_endgame_is_looked_at_the_nearer_to_perfect_play() -> None:
    """A board with two tiles has only endgames; whatever the network says matters less and less."""
    rows, exact = board_rows([21, 24])
    near = NetworkChances(opinionated("classic"))
    gaps = []
    for turns in (1, 2, 4, 8, inf):
        found = Endgames(near, 2, turns).of(row_rules("classic"), rows, 2)[:, 0]
        gaps.append(np.abs(found - exact).max())
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < EXACT < gaps[-2] < 0.02 < gaps[0]


@pytest.mark.parametrize("tiles", [(22, 25, 30), (21, 22, 35)])
def test_endgames_that_are_looked_at_to_the_end_are_exact(tiles: tuple[int, ...]) -> None:
    """Tiles return to the grill here, and games with the 35 last long."""
    rows, exact = board_rows(tiles)
    few = np.flatnonzero(row_rules("classic").left(rows) <= ENDGAME)[::5]
    near = NetworkChances(opinionated("classic"))
    found = Endgames(near, ENDGAME, inf).of(row_rules("classic"), rows[few], 2)
    assert np.abs(found[:, 0] - exact[few]).max() < EXACT
    assert len(few) > 5


@pytest.mark.parametrize("deeper", [False, True], ids=["champion", "grandmaster"])
def test_in_junior_for_two_champions_look_to_the_end(deeper: bool) -> None:
    """Solving a turn again changes nothing, whatever the network thinks."""
    rules, rows = row_rules("junior"), endgame_rows("junior")[:40]
    value = chances_by(opinionated("junior"), 2, deeper=deeper)
    found = value.of(rules, rows, 2)
    assert np.abs(found - NetworkChances(opinionated("junior")).of(rules, rows, 2)).max() > 0.1
    assert np.abs(Deeper(value).of(rules, rows, 2) - found).max() < EXACT


def test_no_states_no_chances() -> None:
    assert win_of("junior").chances([]).size == 0


def test_house_rules_are_not_covered() -> None:
    win = win_of("classic")
    assert win.covers(new_game("classic", 3).table)
    assert not win.covers(new_game("classic", 3, house=HouseRules(flip_always=True)).table)


@pytest.mark.parametrize("edition", ["deluxe", "junior"])
def test_every_answer_to_a_question_has_a_chance(edition: str) -> None:
    win, asked = win_of(edition), 0
    for seed in range(6):
        for state in states_of(edition, 4, seed, words=300):
            if len(legal(state)) > 1 and "Question" in type(state.phase).__name__:
                asked += 1
                weighed = TurnMemo(win).weigh(state)
                assert {each.move for each in weighed} == {*map(word, legal(state))}
                assert all(0 <= each.worth <= 1 for each in weighed)
    assert asked


def test_many_questions_are_answered_as_each_alone() -> None:
    """At tables of several sizes, to the last bit."""
    win = win_of("deluxe")
    questions = [
        state
        for seats in (2, 3, 4)
        for state in states_of("deluxe", seats, seats, words=400)
        if len(legal(state)) > 1 and "Question" in type(state.phase).__name__
    ]
    asked = [(state, move) for state in questions for move in legal(state)]
    assert len({state.table.seats for state in questions}) > 1
    assert win.answers(asked) == [win.answer(state, move) for state, move in asked]
    best = [parse(TurnMemo(win).weigh(state)[0].move) for state in questions]
    assert TurnMemo(win).best_moves(questions) == best


def robbing(words: str) -> AnyState:
    """Seat 0 of five has no Bratworm, all others have some; the words of its turn follow."""
    state = new_game("deluxe", 5)
    assert isinstance(state.table, DeluxeTable)
    table = replace(state.table, bratworms=(0, 3, 1, 2, 1), supply=0)
    state = replace(state, table=table)
    for text in words.split():
        state = apply(state, parse(text)).state
    return state


@pytest.mark.parametrize("name", ["fox", "champion"])
@pytest.mark.parametrize(
    "words",
    ["roll =11W22334 keep:1", "roll =WWWWWW11 keep:W roll =11 keep:1"],
    ids=["the turn goes on", "the turn is complete"],
)
def test_whom_to_rob_is_chosen_as_weighed(name: str, words: str) -> None:
    state = robbing(words)
    assert isinstance(state.phase, RobQuestion)
    weighed = TurnMemo(value_of_bot(name, "deluxe")).weigh(state)
    assert len(weighed) == 4
    assert word(player(name).choose(state, SeededLuck(0))) == weighed[0].move


def test_who_looks_deeper_robs_whom_the_network_finds_best() -> None:
    """So that a turn at a full table takes no longer than others."""
    win, near = WinChance([opinionated("deluxe")], deeper=True), win_of("deluxe")
    position = position_of(robbing(""))
    assert len(position.tables) == 5
    (solved,) = solve_all([position], win)
    chances = near.chances([replace(robbing(""), table=table) for table in position.tables[1:]])
    best = position.tables[1 + int(chances[:, 0].argmax())]
    assert solved.position.tables == (position.tables[0], best)
    assert [len(each.position.tables) for each in solve_all([position], win.nearer)] == [5]


def test_who_looks_deeper_answers_whom_to_rob_as_the_champion() -> None:
    state = robbing("roll =11W22334 keep:1")
    answers = {player(name).choose(state, SeededLuck(0)) for name in ("champion", "grandmaster")}
    assert len(answers) == 1


def last_tile(own: tuple[int, ...], others: tuple[int, ...]) -> AnyState:
    """Seat 0 has kept 24 points with a worm and may take the last tile, 24."""
    state = new_game("classic", 2)
    for text in ("roll", "=44WWWW12", "keep:W", "roll", "=4123", "keep:4"):
        state = apply(state, parse(text)).state
    assert isinstance(state.table, ClassicTable)
    table = ClassicTable(Grill((24,)), (own, others), state.table.house)
    return replace(state, table=table)


@pytest.mark.parametrize("name", ["champion", "grandmaster"])
def test_who_wins_by_the_last_tile_takes_it(name: str) -> None:
    state = last_tile(own=(36,), others=(33,))
    assert player(name).choose(state, SeededLuck(0)) == STOP


@pytest.mark.parametrize("name", ["champion", "grandmaster"])
def test_who_would_lose_by_the_last_tile_plays_on(name: str) -> None:
    """The fox is glad of the worm; but the game would be over, and lost."""
    state = last_tile(own=(21,), others=(36, 35))
    assert player("fox").choose(state, SeededLuck(0)) == STOP
    assert player(name).choose(state, SeededLuck(0)) != STOP


@pytest.mark.parametrize("edition", EDITIONS)
def test_weights_for_every_table_come_with_the_package(edition: str) -> None:
    win = win_chance(edition)
    assert win is not None
    assert all(win.covers(new_game(edition, seats).table) for seats in EDITIONS[edition].players)
    assert networks_of(edition) is networks_of(edition)


def test_there_is_no_champion_of_an_unknown_game() -> None:
    assert win_chance("chess") is None


def test_one_champion_plays_all_games_at_once() -> None:
    states = [new_game(edition, 3) for edition in EDITIONS]
    states = [apply(state, parse("roll")).state for state in states]
    throws = {"classic": "=11234WWW", "deluxe": "=11234WWW", "barbecue": "=12346WWW"}
    states = [
        apply(state, parse(throws.get(edition, "=WWBCGK"))).state
        for state, edition in zip(states, EDITIONS, strict=True)
    ]
    lucks = [SeededLuck(0)] * len(states)
    together = player("champion").choose_all(states, lucks)
    assert together == [BOTS["champion"].load().choose(state, lucks[0]) for state in states]
    assert all(move in legal(state) for move, state in zip(together, states, strict=True))


def test_house_rules_are_played_all_the_same() -> None:
    house = HouseRules(flip_always=True, flip_returned=True)
    bot = Exact(win_of("deluxe"))
    record = bot_game("deluxe", 5, seed=3, bot=bot, house=house, words=120)
    assert len(record.moves) == 120
