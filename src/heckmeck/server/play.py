"""Moves: the log entries for a word, the dice and the end of a game."""

from typing import TypeAlias

from heckmeck.rules import AnyState, RuleError, apply, outcome, parse, throws, word
from heckmeck.rules.moves import Keep, Throw
from heckmeck.server import actions as a
from heckmeck.server import permissions
from heckmeck.server.actions import AnyAction, Word
from heckmeck.server.keys import Vault, Who
from heckmeck.server.messages import MoveRequest
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.store import Status
from heckmeck.server.table import BotSeat, Match, Person, Table, after

Entries: TypeAlias = tuple[AnyAction | Word, ...]


def played_before(table: Table, request: MoveRequest, who: Who) -> int | None:
    """Return the number of the entry that this request made earlier, if it was repeated.

    Only a request from before the last change can have been played: playing is a change.
    """
    match = table.match
    if match is None:
        return table.past.find(request.id, who.seats)
    if request.at >= match.changed:
        return None
    again = match.plays.find(request.id, who.seats)
    return table.past.find(request.id, who.seats) if again is None else again


def move(table: Table, request: MoveRequest, who: Who, vault: Vault) -> Entries:
    """Play a word for the seat to move. Its player is present, and plays for themselves.

    The word comes first: a repeated request is answered with the same number.
    """
    match = permissions.playing(table)
    permissions.up_to_date(table, match, request.at)
    seat = permissions.to_move(table, match, who)
    person = table.person(seat)
    back = (a.CameBack(seat),) if person and (person.away or person.stand_in) else ()
    return *_play(table, match, Word(request.word, request.id), vault), *back


def bot_move(table: Table, at: int, text: str, vault: Vault) -> Entries:
    """Play the word that a bot chose for the position of entry ``at``."""
    match = permissions.playing(table)
    permissions.up_to_date(table, match, at)
    if bot_to_move(table) is None:
        raise Refused(Code.NOT_YOUR_TURN, "No bot is to move.")
    return _play(table, match, Word(text), vault)


def bot_to_move(table: Table) -> str | None:
    """Return the bot that plays the seat to move, if one does."""
    if table.match is None or table.status is not Status.PLAYING:
        return None
    sitter = table.seats[table.match.state.seat]
    match sitter:
        case BotSeat():
            return sitter.bot
        case Person():
            return sitter.stand_in
        case None:
            return None


def start(table: Table, words: tuple[str, ...], promises: tuple[str, ...], vault: Vault) -> Entries:
    """Begin the game, and roll dice that the last move of a record called for."""
    dice = vault.dice(table.round, words)
    first = table.setup.first
    started = a.Started(dice.first() if first is None else first, first is None, words, promises)
    begun = after(table, a.write(started)).table
    if begun.match is None or begun.status is Status.OVER:
        return (started,)
    return started, *_dice_and_end(begun, begun.match, begun.match.state, vault)


def undo(table: Table, at: int, who: Who) -> AnyAction:
    """Take back the last keep."""
    match = permissions.playing(table)
    permissions.up_to_date(table, match, at)
    if not table.setup.undo:
        raise Refused(Code.CANNOT_UNDO, "Keeps cannot be taken back at this table.")
    seat = permissions.to_move(table, match, who)
    if match.before is None or not _is_own_keep(match, seat):
        raise Refused(
            Code.CANNOT_UNDO, "Only your own keep can be taken back, and only before the next roll."
        )
    return a.Undone()


def _is_own_keep(match: Match, seat: int) -> bool:
    plays = match.plays
    return len(plays) > 0 and plays.seats[-1] == seat and isinstance(parse(plays.words[-1]), Keep)


def revealed(table: Table, vault: Vault) -> AnyAction:
    """Reveal the seed of the game's dice."""
    return a.Revealed(vault.seed(table.round).hex())


def _play(table: Table, match: Match, played: Word, vault: Vault) -> Entries:
    """Return the word, the dice that fall because of it, and the seed if the game is over."""
    try:
        move = parse(played.text)
        if isinstance(move, Throw):
            raise Refused(Code.ILLEGAL_MOVE, "The table rolls the dice. Send roll.")
        state = apply(match.state, move).state
    except RuleError as error:
        raise Refused(Code.ILLEGAL_MOVE, str(error)) from error
    return Word(word(move), played.id), *_dice_and_end(table, match, state, vault)


def _dice_and_end(table: Table, match: Match, state: AnyState, vault: Vault) -> Entries:
    entries: list[AnyAction | Word] = []
    if throws(state):
        throw = vault.dice(table.round, match.words).throw(state, match.throws)
        entries.append(Word(word(throw)))
        state = apply(state, throw).state
    if outcome(state) is not None:
        entries.append(revealed(table, vault))
    return tuple(entries)
