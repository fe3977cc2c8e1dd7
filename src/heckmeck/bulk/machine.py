"""The turn of all editions on rows, compiled: what may be done, and what it does.

This is `heckmeck.rules.game` for thousands of games at once; what differs between the editions is
in `tiles`, `barbecue` and `junior`. Numbers like ``T2`` are rulings: see ``docs/rulings.md``.

A game is a row (its table, see `heckmeck.bulk.rows`), a turn, its luck, some counts, and the words
that were played, which are kept in blocks so that memory grows only with what was played.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heckmeck.bulk import actions, barbecue, junior, tiles
from heckmeck.bulk import rows as shared
from heckmeck.bulk.rows import (
    ABOUT,
    DECIDING,
    FAILURE,
    FALLING,
    MOST_SEATS,
    OVER,
    PINCH,
    RETURN,
    ROB,
    ROB_FOR_RAVEN,
    THROWN,
    Bools,
    Floats32,
    Ints,
    Rows,
)
from heckmeck.dice.arrays import below, mixed
from heckmeck.rules import game
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.rules.turn import chances
from heckmeck.solver.compiling import compiled_lean, inlined

Words = NDArray[np.int16]
Keys = NDArray[np.uint64]

# ------------------------------------------------------------------------------ what a turn holds

FACES: Final = 6

#: The columns of a turn.
SEAT: Final = 0
PHASE: Final = 1
#: What a question is about: a Specialist, or a tile of junior; the reason why a game is over.
SUBJECT: Final = 2
#: White dice in hand.
HAND: Final = 3
#: The golden die is in hand.
GOLDEN: Final = 4
WEASEL_USED: Final = 5
TOTAL: Final = 6
#: The face of the golden die, if it was thrown; otherwise -1.
GOLDEN_SHOWS: Final = 7
#: The number of kept dice of each face, the golden die included.
KEPT: Final = 8
#: The number of white dice of each face in the throw on the table.
SHOWN: Final = KEPT + FACES
TURN_WIDTH: Final = SHOWN + FACES

#: The columns of the luck: where the stream of the turn is, and the key of the deal.
STREAM: Final = 0
DEALT: Final = 1

#: The columns of the counts: the deal, the turns and the words played, the first and last block.
DEAL: Final = 0
TURNS: Final = 1
PLAYED: Final = 2
FIRST_BLOCK: Final = 3
LAST_BLOCK: Final = 4
COUNTS: Final = 5

#: Words in a block.
BLOCK: Final = 64
#: Words are actions; `VICTIM` + seat for ``rob`` and ``pinch``; or throws: `THROW` + number * 3,
#: plus 1 or 2 if the golden die shows the first or the second of its faces.
VICTIM: Final = 32
THROW: Final = 64

TILES: Final = 0
BARBECUE: Final = 1
JUNIOR: Final = 2

#: What a step pays to each seat: its share of the win, its worms at the end, or the worms won and
#: lost in the turns that ended.
PAY_WIN: Final = 0
PAY_WORMS: Final = 1
PAY_SWING: Final = 2

#: How many places of the list of throws can be found without a search.
_GUIDE_BITS: Final = 10
_GUIDES: Final = 1 << _GUIDE_BITS


class Box(NamedTuple):
    """What an edition has in its box, as numbers, and every throw of its dice."""

    kind: int
    seats: int
    dice: int
    faces: int
    worm: int
    points: Ints
    all_faces_end_turn: bool
    dead_throw_counts: bool
    double_one_pays: bool
    golden_faces: Ints
    first_victim: int
    """The action of robbing or pinching from the next player."""
    ways: Keys
    """[dice]: the number of ways in which that many dice can fall."""
    first: Ints
    """[dice]: the number of their first throw."""
    shown: Rows
    """[throw, face]: the dice that show it."""
    before: Ints
    """[throw]: the ways to throw one of those before it, of the same dice."""
    shift: Ints
    """[dice]: a place in the guide is a number of ways without that many bits."""
    guide: Ints
    """[dice, place]: the throw at the first number of ways with that place."""


class Count(NamedTuple):
    """The worms of all players, their tie-breaks, and their shares of the win."""

    scores: Ints
    breaks: Ints
    shares: Floats32


def new_count() -> Count:
    """Return working memory for a count."""
    return Count(
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(MOST_SEATS, np.float32),
    )


class Batch(NamedTuple):
    """Games side by side."""

    rows: Rows
    turns: Rows
    luck: Keys
    counts: Ints
    blocks: Words
    """[block, place]: the words played."""
    after: Ints
    """[block]: the next block of the same game, or the next free one; -1 for none."""
    free: Ints
    """The first free block, and the number of free blocks."""
    standing: Ints
    """[game, seat]: the scores when the turn began, if they are needed."""
    rewards: Floats32
    legal: Bools
    counting: Count
    """Working memory for a count."""


@cache
def box_of(edition: str, seats: int) -> Box:
    """Return the box of an edition."""
    rules = game(edition)
    rules.initial(seats)
    dice = rules.dice
    first, shown, before, ways, shift = [0], [], [], [], []
    guide = np.zeros((dice.count + 1, _GUIDES), np.int64)
    for count in range(dice.count + 1):
        fall = chances(dice, count)
        shown += [[throw.dice.count(face) for face in dice.faces] for throw in fall.throws]
        before += [0, *fall.cumulative[:-1]]
        ways.append(fall.total)
        shift.append(max(fall.total.bit_length() - _GUIDE_BITS, 0))
        places = np.minimum(np.arange(_GUIDES) << shift[-1], fall.total - 1)
        guide[count] = first[-1] + np.searchsorted(fall.cumulative, places, side="right")
        first.append(len(shown))
    return Box(
        kind={"barbecue": BARBECUE, "junior": JUNIOR}.get(edition, TILES),
        seats=seats,
        dice=dice.count,
        faces=len(dice.faces),
        worm=dice.faces.index(dice.worm),
        points=np.array(dice.points, np.int64),
        all_faces_end_turn=rules.all_faces_end_turn,
        dead_throw_counts=rules.dead_throw_counts,
        double_one_pays=rules.double_one_pays,
        golden_faces=np.array([max(dice.faces.find(face), 0) for face in GOLDEN_DIE.faces]),
        first_victim=actions.PINCH if edition == "junior" else actions.ROB,
        ways=np.array(ways, np.uint64),
        first=np.array(first, np.int64),
        shown=np.array(shown, np.int8),
        before=np.array(before, np.int64),
        shift=np.array(shift, np.int64),
        guide=guide,
    )


_mixed = compiled_lean(mixed)
_below = compiled_lean(below)

# ------------------------------------------------------------------------------ the editions


@inlined
def ending_of(box: Box, row: Rows, total: int, worm: bool) -> int:
    """Return the ending of player 0's turn with this total, with or without a worm."""
    if box.kind == TILES:
        return tiles.ending_of(row, tiles.result_of(row, total, worm))
    if not worm:
        return FAILURE  # T4
    return barbecue.ending_of(row, total) if box.kind == BARBECUE else junior.ending_of(row, total)


@inlined
def carry_out(box: Box, row: Rows, ending: int) -> int:
    """Carry out an ending of player 0's turn; return the phase after it, or the question."""
    if box.kind == TILES:
        return tiles.carry_out(row, ending)
    return (
        barbecue.carry_out(row, ending) if box.kind == BARBECUE else junior.carry_out(row, ending)
    )


@inlined
def answer(box: Box, row: Rows, question: int, choice: int) -> int:
    """Answer a question that an ending led to; return the phase after it."""
    if box.kind == TILES:
        return tiles.answer(row, question, choice)
    return junior.answer(row, choice)


@compiled_lean
def count_worms(box: Box, row: Rows, scores: Ints, breaks: Ints) -> None:
    """Count the worms and the tie-breaks of all players of a row."""
    if box.kind == TILES:
        tiles.count_worms(row, scores, breaks)
    elif box.kind == BARBECUE:
        barbecue.count_worms(row, scores, breaks)
    else:
        junior.count_worms(row, scores)


@compiled_lean
def is_candidate(row: Rows, turn: Rows, player: int) -> bool:
    """Whether a player can be chosen in the question that is open: to be robbed, or pinched."""
    if turn[PHASE] == PINCH:
        return bool(junior.top_of(row, player) == turn[SUBJECT])
    return tiles.is_robbable(row, player)


@inlined
def has_weasel(box: Box, row: Rows, turn: Rows) -> bool:
    """Whether the player can throw the dice again (D10)."""
    return bool(
        box.kind == TILES
        and row[tiles.WHERE + tiles.WEASEL] == tiles.HELD
        and not turn[WEASEL_USED]
    )


@inlined
def has_golden_die(box: Box, row: Rows) -> bool:
    """Whether the player can add the golden die to the first throw (D11)."""
    return bool(box.kind == TILES and row[tiles.WHERE + tiles.GOLDEN] == tiles.HELD)


# ------------------------------------------------------------------------------ what is legal


@inlined
def list_legal(box: Box, row: Rows, turn: Rows, mask: Bools) -> tuple[int, int]:
    """Fill in which actions are legal; return their number and the last of them."""
    for action in range(len(mask)):
        mask[action] = False
    phase = turn[PHASE]
    if phase == THROWN:
        return _list_keeps(box, row, turn, mask)
    if phase == DECIDING:
        return _list_decisions(box, row, turn, mask)
    count, last = 0, -1
    if phase == RETURN:
        for specialist in (tiles.held_by(row, 0), int(np.int64(turn[SUBJECT]))):
            count, last = count + 1, return_action(specialist)
            mask[last] = True
    elif phase in (ROB, ROB_FOR_RAVEN, PINCH):
        for player in range(1, box.seats):
            if is_candidate(row, turn, player):
                count, last = count + 1, box.first_victim + player - 1
                mask[last] = True
    return count, last


@compiled_lean
def return_action(specialist: int) -> int:
    """Return the action of returning a Specialist."""
    return actions.RETURN + specialist - (1 if specialist > tiles.RAVEN else 0)


@compiled_lean
def returned_by(action: int) -> int:
    """Return the Specialist that an action returns."""
    specialist = action - actions.RETURN
    return specialist + (1 if specialist >= tiles.RAVEN else 0)


@inlined
def _list_keeps(box: Box, row: Rows, turn: Rows, mask: Bools) -> tuple[int, int]:
    """Each face that was thrown and not kept before (T2); the weasel (D10)."""
    count, last = 0, -1
    for face in range(box.faces):
        # Without a branch, which would often be predicted wrongly.
        may = ((turn[SHOWN + face] > 0) | (turn[GOLDEN_SHOWS] == face)) & (turn[KEPT + face] == 0)
        mask[actions.KEEP + face] = may
        count += may
        last = actions.KEEP + face if may else last
    if has_weasel(box, row, turn):
        if not count:
            mask[actions.BUST] = True
            count = 1
        count, last = count + 1, actions.REROLL
        mask[last] = True
    return count, last


@inlined
def _list_decisions(box: Box, row: Rows, turn: Rows, mask: Bools) -> tuple[int, int]:
    """To throw (T1, D11), or to stop (T3, B3)."""
    count, last = 1, actions.ROLL
    mask[last] = True
    if turn[HAND] == box.dice and not turn[TOTAL]:
        if has_golden_die(box, row):
            count, last = 2, actions.ROLL_GOLDEN
            mask[last] = True
    elif box.kind != BARBECUE or earned(box, row, turn) != FAILURE:
        count, last = 2, actions.STOP
        mask[last] = True
    return count, last


@inlined
def earned(box: Box, row: Rows, turn: Rows) -> int:
    """Return the ending of the turn with the dice kept so far."""
    return ending_of(box, row, int(np.int64(turn[TOTAL])), turn[KEPT + box.worm] > 0)


# ------------------------------------------------------------------------------ what is played


@inlined
def note(b: Batch, i: int, word: int) -> None:
    """Write down a word; there must be a free block."""
    counts = b.counts[i]
    place = counts[PLAYED] % BLOCK
    if place == 0:
        block = b.free[0]
        b.free[0] = b.after[block]
        b.free[1] -= 1
        b.after[block] = -1
        if counts[PLAYED]:
            b.after[counts[LAST_BLOCK]] = block
        else:
            counts[FIRST_BLOCK] = block
        counts[LAST_BLOCK] = block
    b.blocks[counts[LAST_BLOCK], place] = word
    counts[PLAYED] += 1


#: What an action or a throw leads to: the turn goes on; it ends with the dice kept so far; an
#: ending; or `SETTLED` plus the phase or question after an answer.
GOES_ON: Final = -3
EARNED: Final = -2
SETTLED: Final = 1024


@inlined
def play(box: Box, b: Batch, i: int, action: int, pay: int) -> None:
    """Play a legal action in a game."""
    row, turn = b.rows[i], b.turns[i]
    phase = turn[PHASE]
    victim = action - box.first_victim + 1
    asked = phase not in (THROWN, DECIDING, RETURN)
    note(b, i, VICTIM + (turn[SEAT] + victim) % box.seats if asked else action)
    if phase == THROWN:
        ended = _of_throw(box, row, turn, action)
    elif phase == DECIDING:
        ended = EARNED if action == actions.STOP else GOES_ON
        if action != actions.STOP:
            turn[GOLDEN] |= action == actions.ROLL_GOLDEN
            turn[PHASE] = FALLING
    elif phase == RETURN:
        question = RETURN + ABOUT * int(np.int64(turn[SUBJECT]))
        ended = SETTLED + answer(box, row, question, returned_by(action))
    elif phase == ROB:
        tiles.take_bratworm(row, victim)
        turn[PHASE] = DECIDING
        ended = EARNED if _is_complete(box, turn) else GOES_ON
    else:
        ended = SETTLED + answer(box, row, int(np.int64(phase)), victim)
    _conclude(box, b, i, ended, pay)


@inlined
def _of_throw(box: Box, row: Rows, turn: Rows, action: int) -> int:
    """Throw again (D10), give up, or keep; return what that leads to."""
    if action >= actions.KEEP + FACES:
        if action == actions.BUST:
            return FAILURE
        turn[WEASEL_USED] = 1
        turn[PHASE] = FALLING
        return GOES_ON
    return _keep(box, row, turn, action - actions.KEEP)


@inlined
def throw(box: Box, b: Batch, i: int, pay: int) -> None:
    """Let the dice in the air fall."""
    turn = b.turns[i]
    hand = turn[HAND]
    ways = box.ways[hand]
    stream = b.luck[i]
    golden = -1
    if turn[GOLDEN]:
        drawn = int(np.int64(_below(stream, ways * np.uint64(6))))
        number = _throw_at(box, hand, drawn // 6)
        golden = 1 if drawn - 6 * box.before[number] >= 3 * _ways_of(box, hand, number) else 0
    else:
        number = _throw_at(box, hand, int(np.int64(_below(stream, ways))))
    fall(box, b, i, number, golden, pay)


@inlined
def _throw_at(box: Box, hand: int, position: int) -> int:
    """Return the throw at a position among all ways in which the dice can fall."""
    number = box.guide[hand, position >> box.shift[hand]]
    last = box.first[hand + 1] - 1
    while number < last and box.before[number + 1] <= position:
        number += 1
    return int(number)


@inlined
def _ways_of(box: Box, hand: int, number: int) -> int:
    last = number + 1 == box.first[hand + 1]
    end = np.int64(box.ways[hand]) if last else box.before[number + 1]
    return int(end - box.before[number])


@inlined
def fall(box: Box, b: Batch, i: int, number: int, golden: int, pay: int) -> None:
    """Let the dice fall in this way; a throw of only kept faces is dead (T5)."""
    row, turn = b.rows[i], b.turns[i]
    note(b, i, THROW + number * 3 + golden + 1)
    alive = False
    for face in range(box.faces):
        count = box.shown[number, face]
        turn[SHOWN + face] = count
        alive |= (count > 0) & (turn[KEPT + face] == 0)
    turn[GOLDEN_SHOWS] = -1
    if golden >= 0:
        face = box.golden_faces[golden]
        turn[GOLDEN_SHOWS] = face
        alive |= turn[KEPT + face] == 0
    turn[PHASE] = THROWN
    if not alive and not has_weasel(box, row, turn):
        _conclude(box, b, i, EARNED if box.dead_throw_counts else FAILURE, pay)


@inlined
def _keep(box: Box, row: Rows, turn: Rows, face: int) -> int:
    """Set aside all dice of a face (T2); two 1s at once earn a Bratworm (D13)."""
    white = turn[SHOWN + face]
    golden = turn[GOLDEN_SHOWS] == face
    count = white + golden
    turn[KEPT + face] = count
    turn[TOTAL] += count * box.points[face]
    turn[HAND] -= white
    if golden:
        turn[GOLDEN] = 0
    _clear_throw(turn)
    turn[PHASE] = DECIDING
    if box.double_one_pays and face == 0 and count > 1:
        if row[tiles.SUPPLY] > 0:  # D14
            tiles.take_bratworm(row, 0)
        else:
            victims = tiles.count_victims(row)
            if victims > 1:
                turn[PHASE] = ROB
                return GOES_ON
            if victims:
                tiles.take_bratworm(row, tiles.first_victim(row))
    return EARNED if _is_complete(box, turn) else GOES_ON


@inlined
def _clear_throw(turn: Rows) -> None:
    turn[GOLDEN_SHOWS] = -1
    for face in range(FACES):
        turn[SHOWN + face] = 0


@inlined
def _is_complete(box: Box, turn: Rows) -> bool:
    """Whether the turn ends without a decision (T6, J2)."""
    complete = not turn[HAND] and not turn[GOLDEN]
    if box.all_faces_end_turn and not complete:
        complete = True
        for face in range(box.faces):
            complete &= turn[KEPT + face] > 0
    return complete


@inlined
def _conclude(box: Box, b: Batch, i: int, ended: int, pay: int) -> None:
    """End the turn if it ends."""
    if ended == GOES_ON:
        return
    row = b.rows[i]
    if ended >= SETTLED:
        question = ended - SETTLED
    else:
        ending = earned(box, row, b.turns[i]) if ended == EARNED else ended
        question = carry_out(box, row, ending)
    _settle(box, b, i, question, pay)


@inlined
def _settle(box: Box, b: Batch, i: int, question: int, pay: int) -> None:
    """Ask the question, or pass the dice on, or end the game."""
    turn = b.turns[i]
    phase = question % ABOUT
    _clear_throw(turn)
    if phase == DECIDING:
        if pay == PAY_SWING:
            _pay_swing(box, b, i)
        pass_on(box, b, i)
        return
    turn[PHASE] = phase
    turn[SUBJECT] = question // ABOUT
    if phase == OVER:
        _pay_at_end(box, b, i, pay)


@inlined
def pass_on(box: Box, b: Batch, i: int) -> None:
    """Pass the dice to the next player (T8)."""
    row = b.rows[i]
    if box.kind == TILES:
        tiles.turn_on(row)
    elif box.kind == BARBECUE:
        barbecue.turn_on(row)
    else:
        junior.turn_on(row)
    b.counts[i, TURNS] += 1
    seat = int(np.int64(b.turns[i, SEAT])) + 1
    begin_turn(box, b, i, 0 if seat == box.seats else seat)


@inlined
def begin_turn(box: Box, b: Batch, i: int, seat: int) -> None:
    """Give a player the dice, and the turn its luck."""
    turn = b.turns[i]
    for column in range(TURN_WIDTH):
        turn[column] = 0
    turn[SEAT] = seat
    turn[HAND] = box.dice
    turn[GOLDEN_SHOWS] = -1
    key = _mixed(b.luck[i, DEALT] ^ _mixed(np.uint64(seat)))
    b.luck[i, STREAM] = _mixed(key ^ _mixed(np.uint64(b.counts[i, TURNS])))


# ------------------------------------------------------------------------------ rewards


@compiled_lean
def scores_by_seat(box: Box, row: Rows, seat: int, count: Count, by_seat: Ints) -> None:
    """Fill in the scores by seat of a row where it is ``seat``'s turn."""
    count_worms(box, row, count.scores, count.breaks)
    for player in range(box.seats):
        by_seat[(seat + player) % box.seats] = count.scores[player]


@compiled_lean
def shares_by_seat(box: Box, row: Rows, seat: int, count: Count, by_seat: Floats32) -> None:
    """Fill in the shares of the win by seat, as if the game ended now."""
    count_worms(box, row, count.scores, count.breaks)
    shared.share_win(count.scores, count.breaks, box.seats, count.shares)
    for player in range(box.seats):
        by_seat[(seat + player) % box.seats] = count.shares[player]


@compiled_lean
def _pay_at_end(box: Box, b: Batch, i: int, pay: int) -> None:
    if pay == PAY_SWING:
        _pay_swing(box, b, i)
    elif pay == PAY_WIN:
        shares_by_seat(box, b.rows[i], b.turns[i, SEAT], b.counting, b.rewards[i])
    else:
        scores_by_seat(box, b.rows[i], b.turns[i, SEAT], b.counting, b.standing[i])
        for seat in range(box.seats):
            b.rewards[i, seat] = b.standing[i, seat]


@compiled_lean
def _pay_swing(box: Box, b: Batch, i: int) -> None:
    """Pay the worms won and lost since the turn began."""
    standing, rewards = b.standing[i], b.rewards[i]
    for seat in range(box.seats):
        rewards[seat] -= standing[seat]
    scores_by_seat(box, b.rows[i], b.turns[i, SEAT], b.counting, standing)
    for seat in range(box.seats):
        rewards[seat] += standing[seat]


# ------------------------------------------------------------------------------ games


#: With fewer free blocks, no word is played.
AT_ONCE: Final = 2


@inlined
def _advance(box: Box, b: Batch, i: int, action: int, pay: int) -> bool:
    """Play an action, unless it is -1; see `advance`."""
    row, turn, mask = b.rows[i], b.turns[i], b.legal[i]
    while b.free[1] >= AT_ONCE:
        if turn[PHASE] == FALLING:
            throw(box, b, i, pay)
            continue
        if action < 0:
            count, action = list_legal(box, row, turn, mask)
            if count != 1:
                return True
        play(box, b, i, action, pay)
        action = -1
    return False


@compiled_lean
def advance(box: Box, b: Batch, i: int, action: int, pay: int) -> bool:
    """Play an action; then throw dice and play forced moves, up to a decision or the end.

    There must be free blocks. Return False if there are none left: call `go_to_decision` when there
    are.
    """
    return _advance(box, b, i, action, pay)


@compiled_lean
def go_to_decision(box: Box, b: Batch, i: int, pay: int) -> bool:
    """Throw dice and play forced moves; see `advance`."""
    return advance(box, b, i, -1, pay)


@compiled_lean
def start(box: Box, b: Batch, i: int, row: Rows, seat: int, seed: np.uint64) -> None:
    """Set up a game: this row, the first player, and the dice of its deal; forget its words."""
    shared.copy_row(row, b.rows[i])
    if b.counts[i, PLAYED]:
        b.after[b.counts[i, LAST_BLOCK]] = b.free[0]
        b.free[0] = b.counts[i, FIRST_BLOCK]
        b.free[1] += (b.counts[i, PLAYED] + BLOCK - 1) // BLOCK
    b.counts[i, PLAYED] = 0
    b.counts[i, TURNS] = 1
    deal = _mixed(_mixed(_mixed(seed)) ^ _mixed(np.uint64(b.counts[i, DEAL])))
    b.luck[i, DEALT] = _mixed(_mixed(deal))
    scores_by_seat(box, row, seat, b.counting, b.standing[i])
    begin_turn(box, b, i, seat)


@compiled_lean
def find_illegal(b: Batch, chosen: Ints) -> int:
    """Return the first running game whose action is not legal, or -1."""
    most = b.legal.shape[1]
    for i in range(len(chosen)):
        action = chosen[i]
        if b.turns[i, PHASE] != OVER and not (0 <= action < most and b.legal[i, action]):
            return i
    return -1


class Resets(NamedTuple):
    """How finished games begin again: the row of a new game, its first player, and the seed.

    ``when`` is 0 for never, 1 for the step after the end, 2 for the step of the end.
    """

    when: int
    row: Rows
    seat: int
    seed: np.uint64
    ended: Bools
    """[game]: the game ended in this step."""
    last: Rows
    """[game, column]: the row and turn at the end, if it begins again in the same step."""


NEVER: Final = 0
NEXT_STEP: Final = 1
SAME_STEP: Final = 2


@compiled_lean
def step(box: Box, b: Batch, chosen: Ints, first: int, pay: int, again: Resets) -> int:
    """Play an action in each game from ``first``; return the number of games done.

    If that is not all of them, there were no free blocks left, and the action of that game is
    played, but not all that follows from it: call `go_to_decision` for it, and then this for the
    rest.
    """
    for i in range(first, len(chosen)):
        for seat in range(box.seats):
            b.rewards[i, seat] = 0.0
        again.ended[i] = False
        if b.turns[i, PHASE] == OVER:
            if again.when == NEXT_STEP:
                renew(box, b, i, again)
                if not go_to_decision(box, b, i, pay):
                    return i
            continue
        if b.free[1] < AT_ONCE:
            return -1 - i
        if not _advance(box, b, i, chosen[i], pay):
            return i
        if b.turns[i, PHASE] == OVER and not finish(box, b, i, pay, again):
            return i
    return len(chosen)


@compiled_lean
def finish(box: Box, b: Batch, i: int, pay: int, again: Resets) -> bool:
    """Note that a game is over, and begin the next if that is asked for; False if out of blocks."""
    if b.turns[i, PHASE] == OVER:
        again.ended[i] = True
        if again.when == SAME_STEP:
            width = b.rows.shape[1]
            shared.copy_row(b.rows[i], again.last[i])
            for column in range(TURN_WIDTH):
                again.last[i, width + column] = b.turns[i, column]
            renew(box, b, i, again)
            return go_to_decision(box, b, i, pay)
    return True


@compiled_lean
def renew(box: Box, b: Batch, i: int, again: Resets) -> None:
    """Begin the next game in the place of one that is over, with the dice of the next deal."""
    b.counts[i, DEAL] += len(b.rows)
    start(box, b, i, again.row, again.seat, again.seed)
