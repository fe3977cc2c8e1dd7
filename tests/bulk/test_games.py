"""Games in bulk are games by the rules: their records, replayed word by word, come to the same."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from heckmeck import bulk
from heckmeck.bots import player
from heckmeck.bulk import machine
from heckmeck.bulk.games import Games, IllegalAction
from heckmeck.dice import CountedLuck, SeededLuck, key_of
from heckmeck.record import record_from_json
from heckmeck.record.state_json import state_to_json
from heckmeck.rules import (
    EDITIONS,
    NO_HOUSE_RULES,
    AnyState,
    BadSetup,
    HouseRules,
    Move,
    apply,
    game,
    legal,
    new_game,
    outcome,
    parse,
    scores,
    throws,
    word,
)
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Over
from heckmeck.rules.turn import chances

HOUSES = [HouseRules(*flips) for flips in product((False, True), repeat=2)]
TABLES = [
    (edition, seats, house)
    for edition, rules in EDITIONS.items()
    for seats in rules.players
    for house in (HOUSES if rules.has_house_rules else [NO_HOUSE_RULES])
]
SOME = [("classic", 2), ("deluxe", 3), ("barbecue", 2), ("junior", 5)]
CONFORMANCE = Path(__file__).parent.parent / "data" / "conformance.jsonl"


class Follower:
    """Follows a game of a batch by the rules."""

    def __init__(self, games: Games, number: int) -> None:
        self._games, self._number, self._seen = games, number, 0
        self.state = new_game(games.edition, games.seats, games.first, games.house)

    def follow(self) -> None:
        """The words since the last time are legal, forced where they should be, and lead here."""
        games, number = self._games, self._number
        for count, move in enumerate(games.moves(number)[self._seen :]):
            if count and not isinstance(move, Throw):
                assert len(legal(self.state)) == 1, "only forced moves follow a decision"
            self.state = apply(self.state, move).state
            self._seen += 1
        assert games.state(number) == self.state
        wanted = {games.action(number, move) for move in legal(self.state)}
        assert set(np.flatnonzero(games.legal[number]).tolist()) == wanted
        assert games.to_move[number] == self.state.seat
        assert games.scores()[number].tolist() == list(scores(self.state))
        assert games.over[number] == isinstance(self.state.phase, Over)
        assert games.over[number] or len(wanted) > 1


def follow_all(
    games: Games, choose: Callable[[Games], np.ndarray], steps: int, *, followed: int
) -> None:
    """Play, and follow some of the games word by word."""
    followers = [Follower(games, number) for number in range(followed)]
    for _ in range(steps):
        for each in followers:
            each.follow()
        if games.over.all():
            break
        games.step(choose(games))
    for number, each in enumerate(followers):
        each.follow()
        result = outcome(each.state)
        if result is not None:
            assert games.shares()[number].tolist() == pytest.approx(result.shares)
            assert games.record(number).end == each.state


def at_random(seed: int) -> Callable[[Games], np.ndarray]:
    key = np.array([seed], np.uint64)
    return lambda games: games.random_actions(key)


def by_bot(name: str) -> Callable[[Games], np.ndarray]:
    """Choose as a bot of the registry does, in terms of the rules."""
    bot = player(name)

    def choose(games: Games) -> np.ndarray:
        chosen = np.zeros(len(games), np.int64)
        running = np.flatnonzero(~games.over).tolist()
        states = [games.state(number) for number in running]
        moves = bot.choose_all(states, [SeededLuck(0)] * len(states))
        for number, move in zip(running, moves, strict=True):
            chosen[number] = games.action(number, move)
        return chosen

    return choose


@pytest.mark.parametrize(("edition", "seats", "house"), TABLES, ids=str)
def test_random_games_are_played_by_the_rules(edition: str, seats: int, house: HouseRules) -> None:
    games = bulk.new_games(edition, seats, 24, seed=seats, house=house, first=seats - 1)
    follow_all(games, at_random(seats), 150, followed=2)


@pytest.mark.parametrize("bot", ["fox", "champion"])
@pytest.mark.parametrize(("edition", "seats"), SOME)
def test_games_of_good_bots_are_played_by_the_rules(edition: str, seats: int, bot: str) -> None:
    games = bulk.new_games(edition, seats, 2, seed=4)
    follow_all(games, by_bot(bot), 40, followed=2)


@pytest.mark.soak
@pytest.mark.parametrize("bot", ["random", "fox", "champion"])
@pytest.mark.parametrize(("edition", "seats", "house"), TABLES, ids=str)
def test_many_games_are_played_by_the_rules(
    edition: str, seats: int, house: HouseRules, bot: str
) -> None:
    """About a hundred thousand words each: millions in all."""
    games = bulk.new_games(edition, seats, 40, seed=99, house=house)
    choose = at_random(99) if bot == "random" else by_bot(bot)
    follow_all(games, choose, 6000, followed=40)


@pytest.mark.parametrize("edition", EDITIONS)
def test_finished_games_have_the_result_of_their_records(edition: str) -> None:
    games = bulk.new_games(edition, 3, 12, seed=11)
    choose = at_random(5)
    while not games.over.all():
        games.step(choose(games))
    for number in range(len(games)):
        record = games.record(number)
        assert record.end == games.state(number)
        result = outcome(record.end)
        assert result is not None
        assert games.scores()[number].tolist() == list(result.scores)


def test_the_conformance_file_is_followed() -> None:
    """The same whole games with which the rules are tested, throw by throw."""
    for line in CONFORMANCE.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        record = record_from_json(case["record"])
        games = Games(record.edition, record.start(), 0, [0])
        checks = {check["after"]: check["state"] for check in case["checks"]}
        for count, move in enumerate([None, *record.moves]):
            if move is not None:
                play_word(games, move)
            if count in checks:
                assert state_to_json(games.state(0)) == checks[count]


def play_word(games: Games, move: Move) -> None:
    """Play a word in the first game, throws as they are scripted."""
    if games.batch.free[1] < 4:
        games.reserve(64)
    if not isinstance(move, Throw):
        machine.play(games.box, games.batch, 0, games.action(0, move), 0)
        return
    dice = game(games.edition).dice
    thrown = [each.dice for n in range(dice.count + 1) for each in chances(dice, n).throws]
    number = thrown.index(move.dice)
    golden = -1 if move.golden is None else "1W".index(move.golden)
    machine.fall(games.box, games.batch, 0, number, golden, 0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_dice_are_those_of_the_arena(edition: str) -> None:
    """The seed, the deal, the seat and the turn determine them, as `CountedLuck` has it."""
    seed, deals = 2**64 - 5, [3, 12345, 3]
    games = bulk.new_games(edition, 2, 3, seed=seed, deals=deals)
    for _ in range(200):
        games.step(games.legal.argmax(axis=1))
    for number, deal in enumerate(deals):
        state, turn = new_game(edition, 2), 1
        luck = CountedLuck(key_of(key_of(seed, deal), 0, 1))
        for move in games.moves(number):
            if isinstance(move, Throw):
                assert luck.throw(throws(state)) == move
            seat, state = state.seat, apply(state, move).state
            if state.seat != seat:
                turn += 1
                luck = CountedLuck(key_of(key_of(seed, deal), state.seat, turn))
    assert games.moves(0) == games.moves(2) != games.moves(1)


# ------------------------------------------------------------------------------ interface


def test_an_illegal_action_is_refused_and_nothing_is_changed() -> None:
    games = bulk.new_games("deluxe", 3, 5, seed=1)
    before = [games.state(number) for number in range(5)]
    chosen = games.legal.argmax(axis=1)
    chosen[3] = games.words.index("rob:2")
    with pytest.raises(IllegalAction, match=r"rob:2 is not allowed in game 3\. Legal there: keep"):
        games.step(chosen)
    chosen[3] = 99
    with pytest.raises(IllegalAction, match="Action 99 is not allowed in game 3"):
        games.step(chosen)
    with pytest.raises(ValueError, match="step needs 5 actions"):
        games.step(chosen[:2])
    assert [games.state(number) for number in range(5)] == before
    assert all(len(games.moves(number)) == 2 for number in range(5))


def test_impossible_batches_are_refused() -> None:
    with pytest.raises(BadSetup):
        bulk.new_games("junior", 6, 1, seed=0)
    with pytest.raises(BadSetup):
        bulk.new_games("barbecue", 2, 1, seed=0, house=HouseRules(True))
    with pytest.raises(BadSetup, match="rewards must be one of win, worms, swing"):
        bulk.new_games("classic", 2, 1, seed=0, rewards="money")  # type: ignore[arg-type]
    with pytest.raises(BadSetup, match="games_at needs"):
        bulk.games_at([], seed=0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rewards_are_the_win_the_worms_or_their_swings(edition: str) -> None:
    paid: dict[str, np.ndarray] = {}
    for rewards in ("win", "worms", "swing"):
        games = bulk.new_games(edition, 3, 30, seed=8, rewards=rewards)
        total = np.zeros((30, 3))
        choose = at_random(1)
        while not games.over.all():
            running = ~games.over
            games.step(choose(games))
            assert (games.rewards[~running] == 0).all()
            assert rewards == "swing" or (games.rewards[~games.ended] == 0).all()
            total += games.rewards
        paid[rewards] = total
        final = games.scores()
    assert paid["win"].sum(axis=1) == pytest.approx(np.ones(30))
    assert (paid["worms"] == final).all()
    assert (paid["swing"] == final).all()


def test_games_begin_again_as_gymnasium_defines_it() -> None:
    next_step = bulk.new_games("junior", 2, 8, seed=5, autoreset="next_step")
    same_step = bulk.new_games("junior", 2, 8, seed=5, autoreset="same_step")
    again = 0
    for _ in range(300):
        was_over = next_step.over
        next_step.step(next_step.legal.argmax(axis=1))
        assert not next_step.over[was_over].any()
        assert (next_step.rewards[was_over] == 0).all()
        assert (next_step.words_played[was_over] == 2).all()
        same_step.step(same_step.legal.argmax(axis=1))
        assert not same_step.over.any()
        assert same_step.rewards[same_step.ended].sum() == same_step.ended.sum()
        again += int(same_step.ended.sum())
        last = same_step.last_observations()[same_step.ended]
        assert (last.sum(axis=1) > 0).all()
    assert again > 8
    assert set(next_step.deals.tolist()) - set(range(8))
    fresh = bulk.new_games("junior", 2, 1, seed=5, deals=[int(same_step.deals[0])])
    count = int(same_step.words_played[0])
    while fresh.words_played[0] < count:
        fresh.step(fresh.legal.argmax(axis=1))
    assert fresh.moves(0) == same_step.moves(0)


def test_games_that_are_over_wait_for_a_reset() -> None:
    games = bulk.new_games("junior", 2, 4, seed=5)
    while not games.over.all():
        games.step(games.legal.argmax(axis=1))
    assert not games.legal.any()
    games.step(np.zeros(4, np.int64))
    assert not games.rewards.any()
    games.reset(np.array([True, False, False, False]))
    assert games.over.tolist() == [False, True, True, True]
    assert games.deals.tolist() == [4, 1, 2, 3]


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_continue_from_any_state(edition: str) -> None:
    """Also with a throw on the table, and in a question."""
    seen = {
        state
        for seed in range(3)
        for state in wandering(edition, 4, seed)
        if not isinstance(state.phase, Over)
    }
    states = list(seen)
    games = bulk.games_at(states, seed=3)
    for number, state in enumerate(states):
        now = state
        for move in games.moves(number):
            now = apply(now, move).state
        assert games.state(number) == now
    with pytest.raises(ValueError, match="began in the middle"):
        games.record(0)


def wandering(edition: str, seats: int, seed: int) -> list[AnyState]:
    games = bulk.new_games(edition, seats, 1, seed=seed)
    choose = at_random(seed)
    while not games.over[0] and games.words_played[0] < 800:
        games.step(choose(games))
    states, state = [], new_game(edition, seats)
    for move in games.moves(0):
        states.append(state)
        state = apply(state, move).state
    return states


def test_words_of_actions_are_moves() -> None:
    for edition, rules in EDITIONS.items():
        for seats in rules.players:
            words = bulk.action_words(edition, seats)
            assert len(set(words)) == len(words)
            assert [word(parse(each)) for each in words] == list(words)
    assert bulk.action_words("deluxe", 2)[-2:] == ("return:weasel", "rob:1")


def test_a_batch_of_a_hundred_thousand_games_is_small() -> None:
    games = bulk.new_games("deluxe", 7, 1000, seed=1)
    for _ in range(50):
        games.step(games.legal.argmax(axis=1))
    size = sum(array.nbytes for array in games.batch if isinstance(array, np.ndarray))
    assert size * 100 < 2**30
