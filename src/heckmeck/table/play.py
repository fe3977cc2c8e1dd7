"""Moves: one made, the dice that it calls for, and the end of a game."""

from typing import Final, TypeAlias

from msgspec import Struct

from heckmeck.rules import AnyState, Move, RuleError, legal, moves, parse, throws
from heckmeck.rules.state import Deciding
from heckmeck.table import permissions
from heckmeck.table.keys import Vault, Who
from heckmeck.table.model import BotSeat, Match, Person, Step, Table, after
from heckmeck.table.model import play as played
from heckmeck.wire import entries, requests, setup
from heckmeck.wire import entries as a
from heckmeck.wire.refusals import Code, Refused

#: Entries to write, each with the table after it.
Steps: TypeAlias = tuple[Step, ...]


def played_before(table: Table, request: requests.Move, who: Who) -> int | None:
    """Return the number of the entry that this request made earlier, if it was repeated.

    Only a request from before the last change can have been played: playing is a change.
    """
    match = table.match
    seats = who.seats | permissions.throws_for(table, who)
    if match is None:
        return table.past.find(request.id, seats)
    if request.at >= match.changed:
        return None
    again = match.plays.find(request.id, seats)
    return table.past.find(request.id, seats) if again is None else again


def move(table: Table, request: requests.Move, who: Who, vault: Vault) -> Steps:
    """Make a move for the seat to move. Its player is present, and plays for themselves.

    The move comes first: a repeated request is answered with the same number.
    """
    match = permissions.playing(table)
    permissions.up_to_date(table, match, request.at)
    seat, made = match.state.seat, _parsed(request.move)
    if isinstance(made, moves.Throw):
        steps = _enter(table, match, made, request.id, who, vault)
    else:
        permissions.to_move(table, match, who)
        steps = _play(table, match, made, request.id, vault)
    person = table.person(seat)
    if person and seat in who.seats and (person.away or person.stand_in):
        steps += (after(steps[-1].table, a.CameBack(seat)),)
    return steps


def _enter(
    table: Table, match: Match, throw: moves.Throw, sender: str, who: Who, vault: Vault
) -> Steps:
    """Play the dice that somebody rolled at the table, and the roll itself if it was not played.

    Nobody decides for another player to roll once there is a choice.
    """
    permissions.to_throw(table, match.state.seat, who)
    if throws(match.state):
        return _play(table, match, throw, sender, vault)
    if match.state.turn.kept or bot_to_move(table) is not None:
        permissions.to_move(table, match, who)
    golden = throw.golden is not None and moves.ROLL_GOLDEN in legal(match.state)
    rolled = _play(table, match, moves.ROLL_GOLDEN if golden else moves.ROLL, sender, vault)
    rolled_match = permissions.playing(rolled[-1].table)
    return (*rolled, *_play(rolled[-1].table, rolled_match, throw, sender, vault))


def bot_move(table: Table, at: int, text: str, vault: Vault) -> Steps:
    """Make the move that a bot chose for the position of entry ``at``."""
    match = permissions.playing(table)
    permissions.up_to_date(table, match, at)
    if bot_to_move(table) is None:
        raise Refused(Code.NOT_YOUR_TURN, "No bot is to move.")
    return _play(table, match, _parsed(text), "", vault)


def bot_to_move(table: Table) -> str | None:
    """Return the bot that plays the seat to move, if one does and its dice are not awaited."""
    if table.match is None or table.status is not setup.Status.PLAYING:
        return None
    if throws(table.match.state):
        return None
    sitter = table.seats[table.match.state.seat]
    match sitter:
        case BotSeat():
            return sitter.bot
        case Person():
            return sitter.stand_in
        case None:
            return None


#: How long a bot takes before the first throw of its turn, so that everybody sees how the turn
#: before ended, and before another throw, compared with the time it looks at a throw.
_FIRST: Final = 2.0
_AGAIN: Final = 0.4


def leisure(state: AnyState) -> float:
    """Return how long a bot takes for this decision, as a multiple of its pace."""
    if not isinstance(state.phase, Deciding):
        return 1.0
    return _AGAIN if state.turn.kept else _FIRST


def pause(table: Table) -> int:
    """Return how many milliseconds the bot to move takes for its decision."""
    match = table.match
    if match is None or is_hurried(table, match):
        return 0
    return round(table.setup.pace * leisure(match.state))


def is_hurried(table: Table, match: Match) -> bool:
    """Whether everybody who is present has seen enough of this turn."""
    present = {
        seat
        for seat, sitter in enumerate(table.seats)
        if isinstance(sitter, Person) and not (sitter.away or sitter.stand_in)
    }
    return bool(match.hurried) and present <= {*match.hurried}


def hurry(table: Table, turn: int, who: Who) -> entries.AnyEntry:
    """Note that the sender has seen enough of the bot's turn."""
    match = permissions.playing(table)
    if not who.seats:
        raise Refused(Code.NO_SEAT, "You are watching. Only players can hurry a bot.")
    if match.state.seat != turn or bot_to_move(table) is None:
        raise Refused(Code.STALE, f"No bot is playing on seat {turn} any more.")
    return a.Hurried(tuple(sorted(who.seats)))


def hurried_before(table: Table, turn: int, who: Who) -> int | None:
    """Return the number of the last entry if the sender has asked for this already."""
    match = table.match
    if match is None or match.state.seat != turn or not who.seats:
        return None
    return table.n if who.seats <= {*match.hurried} else None


class Wait(Struct, frozen=True):
    """The server has to act ``seconds`` after entry ``n``, even if nobody is connected then."""

    n: int
    seconds: int


def wait(table: Table) -> Wait | None:
    """Return what the server itself has to do at a table, if anything: a family book comes first.

    Then the next turn is waited for as if it had just begun (`turn_wait`).
    """
    return Wait(table.owed[0].n, 0) if table.owed else turn_wait(table)


def turn_wait(table: Table) -> Wait | None:
    """Return what the server itself has to do in the game at a slow table, if anything.

    At tempo now, a table moves only while somebody is connected.
    """
    seconds = table.setup.tempo.seconds
    if seconds is None:
        return None
    if table.called is not None and table.status is setup.Status.WAITING:
        return Wait(table.called, 0)
    match = table.match
    if match is None or table.status is not setup.Status.PLAYING:
        return None
    return Wait(match.asked, seconds if bot_to_move(table) is None else 0)


def start(table: Table, salts: tuple[str, ...], promises: tuple[str, ...], vault: Vault) -> Steps:
    """Begin the game, and roll dice that the last move of a record called for."""
    dice = vault.dice(table.round, salts)
    first = table.setup.first
    started = a.Started(dice.first() if first is None else first, first is None, salts, promises)
    step = after(table, started)
    return (step,) if step.table.status is setup.Status.OVER else _dice_and_end(step, vault)


def undo(table: Table, at: int, who: Who) -> Steps:
    """Take back the last keep, or the dice that were entered last, even if they ended the game."""
    if table.match is not None and can_correct(table, table.match):
        return _correct(table, table.match, at, who)
    match = permissions.playing(table)
    permissions.up_to_date(table, match, at)
    if not table.setup.undo:
        raise Refused(Code.CANNOT_UNDO, "Keeps cannot be taken back at this table.")
    permissions.to_move(table, match, who)
    if not can_undo(match):
        raise Refused(
            Code.CANNOT_UNDO, "Only your own keep can be taken back, and only before the next roll."
        )
    return (after(table, a.Undone()),)


def _correct(table: Table, match: Match, at: int, who: Who) -> Steps:
    """Take back the dice entered last, and the roll that a bot began its turn with since."""
    permissions.up_to_date(table, match, at)
    permissions.to_throw(table, match.before[0].seat, who)
    steps = [after(table, a.Undone())]
    for _ in match.before[1:]:
        steps.append(after(steps[-1].table, a.Undone()))
    return tuple(steps)


def can_undo(match: Match) -> bool:
    """Whether the last move is a keep of the player to move, which can be taken back."""
    return bool(match.before) and isinstance(match.before[-1].phase, moves.Throw)


def can_correct(table: Table, match: Match) -> bool:
    """Whether the last dice were entered by hand, and nothing was decided since."""
    if table.status not in (setup.Status.PLAYING, setup.Status.OVER):
        return False
    return bool(match.before) and not can_undo(match)


def revealed(table: Table, vault: Vault) -> entries.AnyEntry:
    """Reveal the seed of the game's dice."""
    return a.Revealed(vault.seed(table.round).hex())


def _parsed(text: str) -> Move:
    try:
        return parse(text)
    except RuleError as error:
        raise Refused(Code.ILLEGAL_MOVE, str(error)) from error


def _play(table: Table, match: Match, move: Move, sender: str, vault: Vault) -> Steps:
    """Make the move, throw the dice that fall because of it, and reveal the seed at the end."""
    try:
        step = played(table, match, move, sender)
    except RuleError as error:
        raise Refused(Code.ILLEGAL_MOVE, str(error)) from error
    return _dice_and_end(step, vault)


def _dice_and_end(step: Step, vault: Vault) -> Steps:
    steps = [step]
    table, match = step.table, step.table.match
    if match is not None and throws(match.state) and not table.setup.own_dice:
        throw = vault.dice(table.round, match.salts).throw(match.state, match.throws)
        steps.append(played(table, match, throw))
        table = steps[-1].table
    if table.status is setup.Status.OVER:
        steps.append(after(table, revealed(table, vault)))
    return tuple(steps)
