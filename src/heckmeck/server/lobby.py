"""Everything at a table except moves: seats, bots, settings, beginning and end."""

from typing import Final

from msgspec import UNSET
from msgspec.structs import asdict

from heckmeck.bots import BOTS, Bot
from heckmeck.dice_source import promise
from heckmeck.rules import BadSetup
from heckmeck.server import actions as a
from heckmeck.server import permissions, play
from heckmeck.server.actions import AnyAction
from heckmeck.server.keys import Vault, Who, is_one_of
from heckmeck.server.messages import Options, SetBot
from heckmeck.server.names import tidy_name, tidy_words
from heckmeck.server.play import Entries
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.setup import Setup, check
from heckmeck.server.store import Status
from heckmeck.server.table import BotSeat, Person, Table, after

#: The bot that plays for people who left.
STAND_IN: Final = "rooster"
#: Settings that may change during a game.
_SOFT: Final = frozenset({"pace", "patience", "hints", "undo"})

# --- seats ----------------------------------------------------------------------------------------


def seat_of(table: Table, hashed: str) -> int | None:
    """Return the seat whose secret has this hash."""
    for seat, sitter in enumerate(table.seats):
        if isinstance(sitter, Person) and is_one_of(sitter.hash, (hashed,)):
            return seat
    return None


def sit(table: Table, name: str, seat: int | None, hashed: str) -> AnyAction:
    """Take this seat, or the first free one."""
    permissions.open_table(table)
    permissions.waiting(table, "Seats can be taken only before the game begins; you can watch")
    place = _free_seat(table) if seat is None else seat
    permissions.seat_exists(table, place)
    sitter = table.seats[place]
    if sitter is not None:
        is_bot = isinstance(sitter, BotSeat)
        way_out = "The host can remove the bot." if is_bot else "Choose a free one, or watch."
        raise Refused(Code.SEAT_TAKEN, f"Seat {place} is taken by {sitter.name}. {way_out}")
    return a.Sat(place, tidy_name(name or (table.names[place] if table.names else "")), hashed)


def _free_seat(table: Table) -> int:
    for seat, sitter in enumerate(table.seats):
        if sitter is None:
            return seat
    raise Refused(
        Code.TABLE_FULL, "All seats are taken. You can watch, or ask the host for another seat."
    )


def leave(table: Table, seat: int, who: Who) -> AnyAction:
    """Give up a seat. During a game a bot plays on; the host may free any seat before and after."""
    permissions.seat_exists(table, seat)
    permissions.not_called(table, "Seats cannot change now")
    if table.status is Status.PLAYING:
        permissions.own_seat(table, seat, who)
        return a.StoodIn(seat, stand_in_for(table).name)
    if not (who.host and table.person(seat)):
        permissions.own_seat(table, seat, who)
    return a.Left(seat)


def rename(table: Table, seat: int, name: str, who: Who) -> AnyAction:
    """Change one's name."""
    permissions.own_seat(table, seat, who)
    return a.Named(seat, tidy_name(name))


def promise_words(table: Table, seat: int, promised: str, who: Who) -> AnyAction:
    """Promise words for the dice, replacing an earlier promise, or take it back."""
    permissions.own_seat(table, seat, who)
    permissions.waiting(table, "Words for the dice can be promised only before the game begins")
    return a.PromisedWords(seat, promised)


# --- bots -----------------------------------------------------------------------------------------


def set_bot(table: Table, request: SetBot, who: Who) -> AnyAction:
    """Put a bot in a seat; during a game the host may let one play for a person."""
    permissions.manager(table, who)
    seat = request.seat
    permissions.seat_exists(table, seat)
    bot = find_bot(request.bot, table.setup.edition)
    if table.person(seat) is not None:
        if table.status is not Status.PLAYING:
            message = f"{table.name_of(seat)} sits on seat {seat}. Choose a free one for the bot."
            raise Refused(Code.SEAT_TAKEN, message)
        permissions.host(who, "let a bot play for another player")
        return a.StoodIn(seat, bot.name)
    if table.status is not Status.PLAYING:
        permissions.waiting(table, "Bots can be added only before the game begins")
    name = bot_name(table, seat, bot) if request.name is None else tidy_name(request.name)
    return a.BotSet(seat, bot.name, name)


def remove_bot(table: Table, seat: int, who: Who) -> AnyAction:
    """Free a bot's seat."""
    permissions.manager(table, who)
    permissions.seat_exists(table, seat)
    permissions.waiting(table, "Bots can be removed only before the game begins")
    if not isinstance(table.seats[seat], BotSeat):
        raise Refused(Code.NO_SUCH_BOT, f"There is no bot on seat {seat}.")
    return a.BotRemoved(seat)


def find_bot(name: str, edition: str) -> Bot:
    """Return the bot; raise `Refused` if there is no such bot for this edition."""
    able = [bot.name for bot in BOTS.values() if edition in bot.editions]
    if name not in able:
        raise Refused(
            Code.NO_SUCH_BOT,
            f"There is no bot {name!r:.40} for {edition}. The bots are {', '.join(able)}.",
        )
    return BOTS[name]


def bot_name(table: Table, seat: int, bot: Bot) -> str:
    """Return the bot's name, numbered if another player at the table has it."""
    others = [sitter for place, sitter in enumerate(table.seats) if place != seat]
    taken = {sitter.name for sitter in others if sitter is not None}
    names = (bot.character, *(f"{bot.character} {number}" for number in range(2, 9)))
    return next(name for name in names if name not in taken)


def stand_in_for(table: Table) -> Bot:
    """Return the bot that plays for a player who left: a decent one that decides quickly."""
    return find_bot(STAND_IN, table.setup.edition)


# --- settings -------------------------------------------------------------------------------------


def options(table: Table, request: Options, who: Who) -> AnyAction:
    """Change the given settings; those of the game itself are fixed once it has begun."""
    permissions.host(who, "change its settings")
    given = {
        name: value
        for name, value in asdict(request).items()
        if name != "id" and value is not UNSET
    }
    if not given.keys() <= _SOFT:
        _may_change_game(table)
    setup = changed_setup(table.setup, given)
    for seat, sitter in enumerate(table.seats):
        if sitter is not None and seat >= setup.seats:
            raise Refused(
                Code.SEAT_TAKEN, f"{sitter.name} sits on seat {seat}, which would be removed."
            )
        if isinstance(sitter, BotSeat):
            find_bot(sitter.bot, setup.edition)
    return a.Changed(setup)


def _may_change_game(table: Table) -> None:
    permissions.waiting(table, "Game, seats and house rules can change only before the game begins")
    if table.opening:
        raise Refused(
            Code.BAD_SETUP,
            "This table continues a record, so game, seats and house rules cannot change.",
        )


def pace(table: Table, milliseconds: int, who: Who) -> AnyAction:
    """Make bots play faster or slower."""
    permissions.manager(table, who)
    return a.Changed(changed_setup(table.setup, {"pace": milliseconds}))


def changed_setup(setup: Setup, given: dict[str, object]) -> Setup:
    """Return the setup with these fields changed; raise `Refused` if it is not possible."""
    changed = Setup(**{**asdict(setup), **given})
    checked_setup(changed)
    return changed


def checked_setup(setup: Setup) -> None:
    """Raise `Refused` if the setup is not possible."""
    try:
        check(setup)
    except BadSetup as error:
        raise Refused(Code.BAD_SETUP, str(error)) from error


# --- beginning and end ----------------------------------------------------------------------------


def start(table: Table, who: Who, vault: Vault) -> Entries:
    """Begin the game; if words were promised, call for them first."""
    permissions.manager(table, who)
    permissions.waiting(table, "A game can begin only once")
    empty = [str(seat) for seat, sitter in enumerate(table.seats) if sitter is None]
    if empty:
        raise Refused(
            Code.EMPTY_SEATS,
            f"Nobody sits on seat {' and '.join(empty)} yet. Wait for players, add bots, or reduce "
            "the number of seats.",
        )
    return (a.Called(),) if _still_to_show(table) else _begin(table, vault)


def show_words(table: Table, seat: int, words: str, who: Who, vault: Vault) -> Entries:
    """Show the words that were promised; with the last ones the game begins."""
    person = permissions.own_seat(table, seat, who)
    if table.called is None:
        raise Refused(Code.BAD_WORDS, "Words can be shown only when the table calls for them.")
    if tidy_words(words) != words or promise(words) != person.promise:
        raise Refused(Code.BAD_WORDS, f"These are not the words that seat {seat} promised.")
    shown = a.AddedWords(seat, words)
    known = after(table, a.write(shown)).table
    return (shown,) if _still_to_show(known) else (shown, *_begin(known, vault))


def are_shown(table: Table, seat: int, words: str) -> bool:
    """Whether these words were shown before; the game may have begun since."""
    if table.match is not None and table.status is Status.PLAYING:
        return table.match.words[seat : seat + 1] == (words,)
    person = table.person(seat)
    return person is not None and words != "" and person.promised_words == words


def begin_at_last(table: Table, at: int, vault: Vault) -> Entries:
    """Begin without the words that were not shown in time."""
    if table.called != at:
        raise Refused(Code.ALREADY_STARTED, "The table is not waiting for words.")
    return _begin(table, vault)


def _still_to_show(table: Table) -> bool:
    people = (sitter for sitter in table.seats if isinstance(sitter, Person))
    return any(person.promise and not person.promised_words for person in people)


def _begin(table: Table, vault: Vault) -> Entries:
    people = [sitter if isinstance(sitter, Person) else None for sitter in table.seats]
    return play.start(
        table,
        tuple("" if person is None else person.promised_words for person in people),
        tuple("" if person is None else person.promise for person in people),
        vault,
    )


def rematch(table: Table, who: Who, vault: Vault) -> AnyAction:
    """Open the table for another game."""
    if not (who.seats or who.host):
        raise Refused(Code.NO_SEAT, "You are watching. Only players can ask for a rematch.")
    if table.status is not Status.OVER:
        raise Refused(Code.NOT_OVER, "A rematch is possible only after a finished game.")
    return a.Reopened(vault.commitment(table.round + 1))


def close(table: Table, who: Who, vault: Vault) -> Entries:
    """Close the table; an abandoned game reveals its seed too."""
    permissions.host(who, "close it")
    if table.match is None or table.match.seed is not None:
        return (a.Closed(),)
    return a.Closed(), play.revealed(table, vault)


# --- presence -------------------------------------------------------------------------------------


def mark_away(table: Table, seat: int) -> AnyAction:
    """Note that no client is connected for a seat."""
    person = table.person(seat)
    if person is None or person.away:
        raise Refused(Code.NOT_YOUR_SEAT, "No player is present in this seat.")
    return a.WentAway(seat)


def plays_themselves(table: Table, seat: int, who: Who) -> bool:
    """Whether there is nothing to reclaim: the player is already here."""
    person = permissions.own_seat(table, seat, who)
    return not (person.away or person.stand_in)


def mark_back(table: Table, seat: int) -> AnyAction:
    """Note that a client is connected for a seat again."""
    person = table.person(seat)
    if person is None or not (person.away or person.stand_in):
        raise Refused(Code.NOT_YOUR_SEAT, "No player is away from this seat.")
    return a.CameBack(seat)


def stand_in(table: Table, at: int, seat: int) -> AnyAction:
    """Let a bot play for a player who is away, at the position of entry ``at``."""
    match = permissions.playing(table)
    permissions.up_to_date(table, match, at)
    person = table.person(seat)
    if person is None or not person.away or person.stand_in:
        raise Refused(Code.NOT_YOUR_SEAT, "No player of this seat needs a bot.")
    return a.StoodIn(seat, stand_in_for(table).name)
