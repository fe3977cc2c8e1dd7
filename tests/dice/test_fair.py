"""Fair dice: repeatable from seed and salts, unbiased, and checked against every kind of lie."""

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.dice import (
    FairDice,
    FairProof,
    NoProof,
    UnfairDice,
    check_dice,
    commitment,
    count_dice,
    promise,
)
from heckmeck.dice.fair import proof_in
from heckmeck.record import JsonValue, Record, read_record, write_json, write_text
from heckmeck.rules import (
    EDITIONS,
    AnyState,
    apply,
    legal,
    new_game,
    outcome,
    parse,
    stopping,
    throws,
    word,
)
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import ROLL_GOLDEN, STOP, Move, Throw

SEED = bytes(range(32))
SALTS = ("sausage", "", "würfel 🎲")


def rolled(edition: str, seats: int = 2) -> AnyState:
    return apply(new_game(edition, seats), parse("roll")).state


def fair_game(edition: str, seed: bytes = SEED, salts: tuple[str, ...] = ("a", "b")) -> Record:
    """A whole game with fair dice, and its proof."""
    dice = FairDice(seed, salts)
    record = Record(edition, tuple(f"P{seat}" for seat in range(len(salts))), dice.first())
    moves: list[Move] = []
    state, thrown = record.start(), 0
    while outcome(state) is None:
        if throws(state):
            move: Move = dice.throw(state, thrown)
            thrown += 1
        else:
            move = _choice(state)
        moves.append(move)
        state = apply(state, move).state
    proof = FairProof(commitment(seed), salts, seed, drawn=True)
    return replace(record, moves=tuple(moves), extra={"fair": proof.to_json()})


def _choice(state: AnyState) -> Move:
    moves = legal(state)
    if ROLL_GOLDEN in moves:
        return ROLL_GOLDEN
    if STOP in moves and not isinstance(stopping(state), Nothing):
        return STOP
    return next((move for move in reversed(moves) if move != STOP), moves[-1])


def with_proof(record: Record, **changes: JsonValue) -> Record:
    proof = record.extra["fair"]
    assert isinstance(proof, dict)
    changed = {key: value for key, value in {**proof, **changes}.items() if value != "gone"}
    return replace(record, extra={"fair": changed})


# --- the dice -------------------------------------------------------------------------------------


def by_hand(seed: bytes, salts: tuple[str, ...], number: int, dice: int, faces: str) -> str:
    """The same dice, worked out from the description alone."""
    found = ""
    for block in count():
        lines = ["heckmeck fair dice 1", *(text.encode().hex() for text in salts)]
        lines += [f"throw {number}", f"block {block}"]
        message = "".join(f"{line}\n" for line in lines).encode()
        for byte in hmac.new(seed, message, hashlib.sha256).digest():
            if byte < 252 and len(found) < dice:
                found += faces[byte % 6]
        if len(found) == dice:
            return found
    raise AssertionError


@given(st.binary(min_size=1, max_size=64), st.lists(st.text(), min_size=2, max_size=5))
def test_anybody_can_work_them_out(seed: bytes, salts: list[str]) -> None:
    throw = FairDice(seed, tuple(salts)).throw(rolled("classic"), 3)
    found = by_hand(seed, tuple(salts), 3, 8, "12345W")
    assert throw == parse(f"={found}")
    junior = FairDice(seed, tuple(salts)).throw(rolled("junior"), 0)
    assert junior == parse(f"={by_hand(seed, tuple(salts), 0, 6, 'WWBCGK')}")


def test_the_dice_of_a_seed_never_change() -> None:
    """Games are verified years later: these throws hold for ever."""
    dice = FairDice(SEED, SALTS)
    thrown = [word(dice.throw(rolled("classic", 3), number)) for number in range(3)]
    assert thrown == ["=11114455", "=12223455", "=234445WW"]
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_salts_seats_and_numbers_all_count() -> None:
    state = rolled("classic")
    throws = {
        FairDice(seed, salts).throw(state, number)
        for seed in (SEED, SEED[::-1])
        for salts in (("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"), ("a", "b\n"))
        for number in (0, 1)
    }
    assert len(throws) == 20


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_face_falls_as_often_as_it_has_sides(edition: str) -> None:
    """Chi-squared over 16,000 dice; the seed is fixed."""
    state = rolled(edition)
    dice = EDITIONS[edition].dice
    fallen: Counter[str] = Counter()
    for number in range(2000):
        fallen.update(FairDice(SEED, SALTS).throw(state, number).dice)
    total = sum(fallen.values())
    expected = {
        face: total * sides / dice.sides_in_all
        for face, sides in zip(dice.faces, dice.sides, strict=True)
    }
    assert sum((fallen[f] - e) ** 2 / e for f, e in expected.items()) < 25


def test_every_throw_can_fall() -> None:
    state = rolled("deluxe")
    possible = set(throws(state).throws)
    assert all(FairDice(SEED, SALTS).throw(state, number) in possible for number in range(500))


def golden_state() -> AnyState:
    """A throw of eight white dice and the golden one."""
    state = rolled("deluxe")
    return replace(state, turn=replace(state.turn, golden=True))


def test_the_golden_die_is_one_of_them() -> None:
    state = golden_state()
    thrown = [FairDice(SEED, SALTS).throw(state, number) for number in range(2000)]
    faces = Counter(throw.golden for throw in thrown)
    assert faces.keys() == set(GOLDEN_DIE.faces)
    assert 900 < faces["W"] < 1100
    plain = FairDice(SEED, SALTS).throw(rolled("deluxe"), 5)
    assert thrown[5].dice == plain.dice
    assert count_dice(thrown) == 2000 * 9


def test_bytes_that_would_favour_a_face_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([bytes([255, 254, 253, 252] * 8), bytes([251, 0, 6, 1, 255, 2, 3, 4, 5, 7])])
    monkeypatch.setattr("hmac.digest", lambda *_: next(blocks))
    throw = FairDice(SEED, ("", "")).throw(rolled("classic"), 0)
    assert throw == parse(
        "=W1123452"[:1] + "".join("12345W"[n % 6] for n in (251, 0, 6, 1, 2, 3, 4, 5))
    )


@pytest.mark.parametrize("seats", range(2, 8))
def test_who_starts_is_drawn_evenly(seats: int) -> None:
    drawn = Counter(
        FairDice(number.to_bytes(4, "big"), ("",) * seats).first() for number in range(2000)
    )
    assert drawn.keys() == set(range(seats))
    assert sum((n - 2000 / seats) ** 2 / (2000 / seats) for n in drawn.values()) < 30


def test_a_seed_is_not_shown_by_accident() -> None:
    assert "x01" not in repr(FairDice(SEED, SALTS))
    assert "x01" not in repr(FairProof("", SALTS, SEED))


# --- the proof ------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fair_game_is_found_fair(edition: str) -> None:
    record = fair_game(edition)
    fallen = [move for move in record.moves if isinstance(move, Throw)]
    assert [*check_dice(record).throws] == fallen
    assert check_dice(read_record(write_json(record).encode())).throws == tuple(fallen)
    assert check_dice(read_record(write_text(record).encode())).throws == tuple(fallen)


def test_a_golden_die_in_a_game_is_checked_too() -> None:
    for number in range(50):
        record = fair_game("deluxe", number.to_bytes(32, "big"))
        if any(isinstance(move, Throw) and move.golden for move in record.moves):
            check_dice(record)
            return
    raise AssertionError("no game with the golden die")


@given(st.data())
def test_any_other_die_is_found(data: st.DataObject) -> None:
    record = fair_game("junior")
    places = [index for index, move in enumerate(record.moves) if isinstance(move, Throw)]
    index = data.draw(st.sampled_from(places))
    state = record.start()
    for move in record.moves[:index]:
        state = apply(state, move).state
    others = [throw for throw in throws(state).throws if throw != record.moves[index]]
    lie = data.draw(st.sampled_from(others))
    changed = replace(record, moves=(*record.moves[:index], lie))
    with pytest.raises(UnfairDice, match=f"^move {index}: ") as found:
        check_dice(changed)
    assert found.value.index == index


def test_another_seed_another_word_another_start_are_found() -> None:
    record = fair_game("classic")
    other = bytes(32)
    with pytest.raises(UnfairDice, match="not the one promised"):
        check_dice(with_proof(record, seed=other.hex()))
    with pytest.raises(UnfairDice, match=r"should be|was drawn to start"):
        check_dice(with_proof(record, seed=other.hex(), commitment=commitment(other)))
    with pytest.raises(UnfairDice, match=r"should be|was drawn to start"):
        check_dice(with_proof(record, words=["a", "c"]))


def test_who_starts_is_checked_if_it_was_drawn() -> None:
    record = replace(fair_game("classic"), moves=())
    wrong = replace(record, first=1 - record.first)
    with pytest.raises(UnfairDice, match="was drawn to start, not seat"):
        check_dice(wrong)
    assert check_dice(with_proof(wrong, drawn=False)).throws == ()


def test_moves_from_an_imported_record_are_not_promised() -> None:
    record = fair_game("junior")
    start = next(i for i, move in enumerate(record.moves) if isinstance(move, Throw)) + 1
    with pytest.raises(UnfairDice):
        check_dice(with_proof(record, start=start))
    nothing = check_dice(with_proof(record, start=len(record.moves)))
    assert (nothing.throws, nothing.covers_all) == ((), False)
    fallen = tuple(move for move in record.moves if isinstance(move, Throw))
    assert nothing.not_promised == fallen
    assert check_dice(record).covers_all
    assert not check_dice(with_proof(replace(record, moves=()))).covers_all


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"version": 2}, r"Invalid enum value 2 - at `fair\.version`"),
        ({"commitment": 7}, r"Expected `str`, got `int` - at `fair\.commitment`"),
        ({"start": -1}, "start must be the index"),
        ({"start": 10**9}, "start must be the index"),
        ({"drawn": 1}, r"Expected `bool`, got `int` - at `fair\.drawn`"),
        ({"words": ["a"]}, "one text for each of 2 seats"),
        ({"words": ["a", 1]}, r"Expected `str`, got `int` - at `fair\.words\[1\]`"),
        ({"words": ["a", "\ud800"]}, "surrogates not allowed"),
        ({"promises": ["a"]}, "one text for each of 2 seats"),
        ({"promises": None}, r"Expected `array`, got `null` - at `fair\.promises`"),
        ({"seed": "xyz"}, "non-hexadecimal number"),
        ({"seed": 7}, r"Expected `str . null`, got `int` - at `fair\.seed`"),
        ({"seed": "gone"}, "revealed when the game is over"),
    ],
)
def test_a_proof_that_cannot_be_read(changes: dict[str, JsonValue], says: str) -> None:
    with pytest.raises(NoProof, match=says):
        check_dice(with_proof(fair_game("junior"), **changes))


@pytest.mark.parametrize("extra", [{}, {"fair": 7}, {"fair": {}}])
def test_a_record_without_a_proof(extra: dict[str, JsonValue]) -> None:
    with pytest.raises(NoProof):
        check_dice(replace(fair_game("junior"), extra=extra))


# --- promised salts -------------------------------------------------------------------------------


def test_a_promise_is_the_sha256_of_the_salt() -> None:
    assert promise("würfel") == hashlib.sha256("würfel".encode()).hexdigest()


def test_salts_are_those_that_were_promised() -> None:
    record = fair_game("junior")
    assert not check_dice(record).salts_promised  # a record from before there were promises
    kept = with_proof(record, promises=[promise("a"), promise("b")])
    assert (check_dice(kept).salts_promised, check_dice(kept).not_shown) == (True, ())
    for broken in ([promise("a"), promise("c")], ["", promise("b")], ["", ""]):
        with pytest.raises(UnfairDice, match=r"the salt of seat \d is not the one"):
            check_dice(with_proof(record, promises=[*broken]))
    assert check_dice(fair_game("junior", salts=("", ""))).salts_promised


def test_who_did_not_show_their_salt_is_reported() -> None:
    record = with_proof(fair_game("junior", salts=("", "b")), promises=[promise("a"), promise("b")])
    assert check_dice(record).not_shown == (0,)


def test_the_promise_is_the_one_that_was_noted() -> None:
    record = fair_game("junior")
    assert check_dice(record, commitment(SEED).upper()).covers_all
    with pytest.raises(UnfairDice, match="not the one that was noted"):
        check_dice(record, commitment(bytes(32)))


def test_a_proof_with_promises_is_written_and_read() -> None:
    proof = FairProof("c", ("", "b"), SEED, 3, drawn=True, promises=("", "p"))
    record = replace(fair_game("junior"), extra={"fair": proof.to_json()})
    assert proof_in(record) == proof
    assert "promises" not in FairProof("c", ("", "b")).to_json()
