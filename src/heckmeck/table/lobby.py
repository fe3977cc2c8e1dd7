"""Before and between games: new tables, seats, names, bots, settings, start and end, presence."""

import unicodedata
from collections.abc import Sequence
from itertools import cycle
from typing import Final, Literal

from msgspec import UNSET
from msgspec.structs import asdict, replace

from heckmeck import dice, rules
from heckmeck.bots import BOTS, Bot
from heckmeck.record import HouseOptions, Record, json_text, write_position
from heckmeck.table import keys, model, permissions, play
from heckmeck.table.play import Steps
from heckmeck.wire import entries as a
from heckmeck.wire.book import MAX_TITLE
from heckmeck.wire.entries import AnyEntry
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.requests import MAX_NAME, MAX_SALT, Options, SetBot
from heckmeck.wire.setup import Setup, Status, Tempo


def tidy_name(text: str) -> str:
    """Return the name without extra spaces; raise `Refused` unless it has 1 to 24 characters."""
    name = _tidy(text)
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Refused(
            Code.BAD_NAME, f"A name must have 1 to {MAX_NAME} printable characters. Choose another."
        )
    return name


def tidy_title(text: str) -> str:
    """Return the name of a book without extra spaces; raise `Refused` if it is not valid."""
    title = _tidy(text)
    if not title or len(title) > MAX_TITLE or not title.isprintable():
        raise Refused(
            Code.BAD_NAME,
            f"The name of a book must have 1 to {MAX_TITLE} printable characters. Choose another.",
        )
    return title


def tidy_salt(text: str) -> str:
    """Return the salt for the dice; raise `Refused` if it has more than 64 characters."""
    salt = _tidy(text)
    if len(salt) > MAX_SALT or not salt.isprintable():
        raise Refused(
            Code.BAD_SALT,
            f"Words for the dice may have up to {MAX_SALT} printable characters. Choose others.",
        )
    return salt


def _tidy(text: str) -> str:
    """Normalise Unicode, collapse spaces and strip the ends."""
    return " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)


#: The bot that plays for people who left.
STAND_IN: Final = "rooster"
#: Settings that may change during a game.
_SOFT: Final = frozenset({"pace", "patience", "hints", "undo"})
#: Settings that may change before a game that continues a record, too.
_BEFORE: Final = _SOFT | {"public", "tempo"}

# --- seats ----------------------------------------------------------------------------------------


def seat_of(table: model.Table, hashed: str) -> int | None:
    """Return the seat whose secret has this hash."""
    return min(keys.who_holds(table, (hashed,)).seats, default=None)


def sit(table: model.Table, name: str, seat: int | None, hashed: str) -> AnyEntry:
    """Take this seat, or the first free one."""
    permissions.open_table(table)
    permissions.waiting(table, "Seats can be taken only before the game begins; you can watch")
    place = _free_seat(table) if seat is None else seat
    permissions.seat_exists(table, place)
    sitter = table.seats[place]
    if sitter is not None:
        is_bot = isinstance(sitter, model.BotSeat)
        way_out = "The host can remove the bot." if is_bot else "Choose a free one, or watch."
        raise Refused(Code.SEAT_TAKEN, f"Seat {place} is taken by {sitter.name}. {way_out}")
    return a.Sat(place, tidy_name(name or (table.names[place] if table.names else "")), hashed)


def _free_seat(table: model.Table) -> int:
    if None not in table.seats:
        raise Refused(
            Code.TABLE_FULL, "All seats are taken. You can watch, or ask the host for another seat."
        )
    return table.seats.index(None)


def leave(table: model.Table, seat: int, who: keys.Who) -> AnyEntry:
    """Give up a seat. During a game a bot plays on; the host may free any seat before and after.

    During a game the host may free the seat of a player who is away: it is a bot's from then on.
    """
    permissions.seat_exists(table, seat)
    permissions.not_called(table, "Seats cannot change now")
    if table.status is Status.PLAYING:
        person = table.person(seat)
        if who.host and person is not None and person.away and seat not in who.seats:
            bot = stand_in_for(table)
            return a.BotSet(seat, bot.name, bot_name(table, seat, bot))
        permissions.own_seat(table, seat, who)
        return a.StoodIn(seat, stand_in_for(table).name)
    if not (who.host and table.person(seat)):
        permissions.own_seat(table, seat, who)
    return a.Left(seat)


def rename(table: model.Table, seat: int, name: str, who: keys.Who) -> AnyEntry:
    """Change one's name."""
    permissions.own_seat(table, seat, who)
    return a.Named(seat, tidy_name(name))


def choose_plate(table: model.Table, seat: int, plate: int, who: keys.Who) -> AnyEntry:
    """Choose a plate that no other person has."""
    permissions.own_seat(table, seat, who)
    permissions.waiting(table, "Plates can be chosen only before the game begins")
    owner = table.plates.index(plate)
    if owner != seat and table.person(owner) is not None:
        raise Refused(
            Code.SEAT_TAKEN, f"{table.name_of(owner)} has this plate. Choose another one."
        )
    return a.PlateChosen(seat, plate)


def promise_salt(table: model.Table, seat: int, promised: str, who: keys.Who) -> AnyEntry:
    """Promise salt for the dice, replacing an earlier promise, or take it back."""
    permissions.own_seat(table, seat, who)
    permissions.waiting(table, "Words for the dice can be promised only before the game begins")
    return a.PromisedSalt(seat, promised)


def mark_kept(table: model.Table, game: int, n: int) -> AnyEntry:
    """Note that a family book knows what entry ``n`` changed about a game."""
    if not any((owed.game, owed.n) == (game, n) for owed in table.owed):
        raise Refused(Code.STALE, "The book has kept this game, or has to keep another ending.")
    return a.Kept(game)


# --- bots -----------------------------------------------------------------------------------------


def set_bot(table: model.Table, request: SetBot, who: keys.Who) -> AnyEntry:
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


def remove_bot(table: model.Table, seat: int, who: keys.Who) -> AnyEntry:
    """Free a bot's seat."""
    permissions.manager(table, who)
    permissions.seat_exists(table, seat)
    permissions.waiting(table, "Bots can be removed only before the game begins")
    if not isinstance(table.seats[seat], model.BotSeat):
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


def bot_name(table: model.Table, seat: int, bot: Bot) -> str:
    """Return the bot's name, numbered if another player at the table has it."""
    others = [sitter for place, sitter in enumerate(table.seats) if place != seat]
    taken = {sitter.name for sitter in others if sitter is not None}
    names = (bot.character, *(f"{bot.character} {number}" for number in range(2, 9)))
    return next(name for name in names if name not in taken)


def stand_in_for(table: model.Table) -> Bot:
    """Return the bot that plays for a player who left: a decent one that decides quickly."""
    return find_bot(STAND_IN, table.setup.edition)


# --- settings -------------------------------------------------------------------------------------


def options(table: model.Table, request: Options, who: keys.Who) -> AnyEntry:
    """Change the given settings; those of the game itself are fixed once it has begun."""
    permissions.host(who, "change its settings")
    given = {
        name: value
        for name, value in asdict(request).items()
        if name != "id" and value is not UNSET
    }
    if not given.keys() <= _SOFT:
        permissions.waiting(
            table, "Game, seats, house rules and tempo can change only before the game begins"
        )
    if not given.keys() <= _BEFORE:
        _may_change_game(table)
    setup = checked_setup(replace(table.setup, **given))
    for seat, sitter in enumerate(table.seats):
        if sitter is not None and seat >= setup.seats:
            raise Refused(
                Code.SEAT_TAKEN, f"{sitter.name} sits on seat {seat}, which would be removed."
            )
        if isinstance(sitter, model.BotSeat):
            find_bot(sitter.bot, setup.edition)
    return a.Changed(setup)


def _may_change_game(table: model.Table) -> None:
    if table.opening:
        raise Refused(
            Code.BAD_SETUP,
            "This table continues a record, so game, seats and house rules cannot change.",
        )


def pace(table: model.Table, milliseconds: int, who: keys.Who) -> AnyEntry:
    """Make bots play faster or slower."""
    permissions.manager(table, who)
    return a.Changed(checked_setup(replace(table.setup, pace=milliseconds)))


def checked_setup(setup: Setup) -> Setup:
    """Return the setup; raise `Refused` if it is not possible."""
    try:
        rules.new_game(setup.edition, setup.seats, setup.first or 0, setup.options.rules())
    except rules.BadSetup as error:
        raise Refused(Code.BAD_SETUP, str(error)) from error
    if setup.own_dice and setup.public:
        raise Refused(
            Code.BAD_SETUP,
            "At a public table the dice are the table's: nobody could check those of strangers.",
        )
    return setup


# --- beginning and end ----------------------------------------------------------------------------


#: The bots that fill free seats, in turn: the first is the easiest.
_FILLERS: Final = ("chick", "rooster", "fox")


def start(
    table: model.Table, empty: Literal["remove", "bots"] | None, who: keys.Who, vault: keys.Vault
) -> Steps:
    """Begin the game; if salt was promised, call for it first.

    ``empty``: remove free seats, or fill them with bots.
    """
    permissions.manager(table, who)
    permissions.waiting(table, "A game can begin only once")
    ready = _without_empty(table) if empty == "remove" else _filled(table) if empty else ()
    return (*ready, *_start(ready[-1].table if ready else table, vault))


def _without_empty(table: model.Table) -> Steps:
    taken = tuple(seat for seat, sitter in enumerate(table.seats) if sitter is not None)
    if len(taken) == len(table.seats):
        return ()
    _may_change_game(table)
    checked_setup(replace(table.setup, seats=len(taken), first=None))
    return (model.after(table, a.Reseated(taken)),)


def _filled(table: model.Table) -> Steps:
    steps: list[model.Step] = []
    bots = cycle(_FILLERS)
    for seat, sitter in enumerate(table.seats):
        if sitter is None:
            bot = find_bot(next(bots), table.setup.edition)
            now = steps[-1].table if steps else table
            steps.append(model.after(now, a.BotSet(seat, bot.name, bot_name(now, seat, bot))))
    return tuple(steps)


def _start(table: model.Table, vault: keys.Vault) -> Steps:
    empty = [str(seat) for seat, sitter in enumerate(table.seats) if sitter is None]
    if empty:
        raise Refused(
            Code.EMPTY_SEATS,
            f"Nobody sits on seat {' and '.join(empty)} yet. Wait for players, add bots, or reduce "
            "the number of seats.",
        )
    return (model.after(table, a.Called()),) if _still_to_show(table) else _begin(table, vault)


def show_salt(table: model.Table, seat: int, salt: str, who: keys.Who, vault: keys.Vault) -> Steps:
    """Show the salt that was promised; with the last of it the game begins."""
    person = permissions.own_seat(table, seat, who)
    if table.called is None:
        raise Refused(Code.BAD_SALT, "Words can be shown only when the table calls for them.")
    if tidy_salt(salt) != salt or dice.promise(salt) != person.promise:
        raise Refused(Code.BAD_SALT, f"These are not the words that seat {seat} promised.")
    shown = model.after(table, a.ShownSalt(seat, salt))
    return (shown,) if _still_to_show(shown.table) else (shown, *_begin(shown.table, vault))


def are_shown(table: model.Table, seat: int, salt: str) -> bool:
    """Whether this salt was shown before; the game may have begun since."""
    if table.match is not None and table.status is Status.PLAYING:
        return table.match.salts[seat : seat + 1] == (salt,)
    person = table.person(seat)
    return person is not None and salt != "" and person.shown_salt == salt


def begin_at_last(table: model.Table, at: int, vault: keys.Vault) -> Steps:
    """Begin without the salt that was not shown in time."""
    if table.called != at:
        raise Refused(Code.ALREADY_STARTED, "The table is not waiting for words.")
    return _begin(table, vault)


def _still_to_show(table: model.Table) -> bool:
    people = (sitter for sitter in table.seats if isinstance(sitter, model.Person))
    return any(person.promise and not person.shown_salt for person in people)


def _begin(table: model.Table, vault: keys.Vault) -> Steps:
    people = [sitter if isinstance(sitter, model.Person) else None for sitter in table.seats]
    return play.start(
        table,
        tuple("" if person is None else person.shown_salt for person in people),
        tuple("" if person is None else person.promise for person in people),
        vault,
    )


def rematch(table: model.Table, who: keys.Who, vault: keys.Vault) -> AnyEntry:
    """Open the table for another game."""
    if not permissions.takes_part(who):
        raise Refused(Code.NO_SEAT, "You are watching. Only players can ask for a rematch.")
    if table.status is not Status.OVER:
        raise Refused(Code.NOT_OVER, "A rematch is possible only after a finished game.")
    return a.Reopened(vault.commitment(table.round + 1))


def close(table: model.Table, who: keys.Who, vault: keys.Vault) -> Steps:
    """Close the table; an abandoned game reveals its seed too."""
    permissions.host(who, "close it")
    closed = model.after(table, a.Closed())
    if table.match is None or table.match.seed is not None:
        return (closed,)
    return closed, model.after(closed.table, play.revealed(table, vault))


# --- presence -------------------------------------------------------------------------------------


def mark_away(table: model.Table, seat: int) -> AnyEntry:
    """Note that no client is connected for a seat."""
    person = table.person(seat)
    if person is None or person.away:
        raise Refused(Code.NOT_YOUR_SEAT, "No player is present in this seat.")
    return a.WentAway(seat)


def plays_themselves(table: model.Table, seat: int, who: keys.Who) -> bool:
    """Whether there is nothing to reclaim: the player is already here."""
    person = permissions.own_seat(table, seat, who)
    return not (person.away or person.stand_in)


def mark_back(table: model.Table, seat: int) -> AnyEntry:
    """Note that a client is connected for a seat again."""
    person = table.person(seat)
    if person is None or not (person.away or person.stand_in):
        raise Refused(Code.NOT_YOUR_SEAT, "No player is away from this seat.")
    return a.CameBack(seat)


def fill_in(table: model.Table, seat: int, who: keys.Who) -> AnyEntry:
    """Let a bot play for a player who is away, at the request of another one."""
    _absent(table, seat, who)
    if table.setup.tempo is not Tempo.NOW:
        raise Refused(
            Code.BAD_SETUP, "At this table everybody has their time. A bot plays when it is over."
        )
    return a.StoodIn(seat, stand_in_for(table).name)


def wait(table: model.Table, seat: int, who: keys.Who) -> AnyEntry:
    """Wait for a player who is away."""
    _absent(table, seat, who)
    return a.Awaited(seat)


def _absent(table: model.Table, seat: int, who: keys.Who) -> None:
    """Check that a player of this table asks about one who is away, for whom no bot plays yet."""
    permissions.playing(table)
    permissions.seat_exists(table, seat)
    if not permissions.takes_part(who):
        raise Refused(Code.NO_SEAT, "You are watching. Only players can decide that.")
    person = table.person(seat)
    if person is None or not person.away or person.stand_in:
        raise Refused(Code.STALE, f"{table.name_of(seat)} is not away from seat {seat}.")


def is_awaited(table: model.Table, seat: int) -> bool:
    """Whether the table waits for this player already."""
    person = table.person(seat)
    return person is not None and person.awaited


def stand_in(table: model.Table, at: int, seat: int) -> AnyEntry:
    """Let a bot play for a player who has been asked to move since entry ``at``, in vain.

    At tempo now the player must be away, and the bot plays until they return. At a slower tempo
    their time is over, and the bot plays this turn.
    """
    match = permissions.playing(table)
    permissions.up_to_date(table, match, at)
    person = table.person(seat)
    is_slow = table.setup.tempo is not Tempo.NOW
    if person is None or person.stand_in or not (is_slow or person.away):
        raise Refused(Code.NOT_YOUR_SEAT, "No player of this seat needs a bot.")
    if (seat, at) != (match.state.seat, match.asked):
        raise Refused(Code.STALE, "The player of this seat has been asked again since.")
    return a.StoodIn(seat, stand_in_for(table).name, once=is_slow)


# --- new tables: the first entries of their logs --------------------------------------------------


def new_table(setup: Setup, bots: Sequence[str], host: str, vault: keys.Vault) -> tuple[str, ...]:
    """Return the log of a table with these bots in its last seats.

    ``host`` is the hash of the host's secret. Raise `Refused` if the table is not possible.
    """
    checked_setup(setup)
    if len(bots) > setup.seats:
        raise Refused(Code.BAD_SETUP, f"{len(bots)} bots do not fit in {setup.seats} seats.")
    steps = [model.begin(a.Created(setup, host, vault.commitment(0)))]
    for seat, name in enumerate(bots, setup.seats - len(bots)):
        bot, table = find_bot(name, setup.edition), steps[-1].table
        steps.append(model.after(table, a.BotSet(seat, bot.name, bot_name(table, seat, bot))))
    return model.texts(steps)


def table_from_record(
    record: Record, moves: int | None, public: bool, host: str, vault: keys.Vault
) -> tuple[str, ...]:
    """Return the log of a table that continues after the first ``moves`` of a checked record.

    Without ``moves``, it continues after all of them.
    A finished game is over at once: it can be reviewed, or followed by a rematch.
    """
    setup = _setup_of(record, public)
    kept = record.moves[:moves]
    record_entry = a.Created(
        setup,
        host,
        vault.commitment(0),
        names=tuple(_name(name, seat) for seat, name in enumerate(record.seats)),
        moves=" ".join(map(rules.word, kept)),
        extra=json_text.dumps({**record.extra}) if len(kept) == len(record.moves) else "",
        position="" if record.position is None else write_position(record.position),
    )
    created = model.begin(record_entry)
    started = play.start(created.table, ("",) * setup.seats, (), vault)
    is_over = started[0].table.status is Status.OVER
    return model.texts((created, *started) if is_over else (created,))


def _name(name: str, seat: int) -> str:
    """Return a name from a record, if it is valid for a person."""
    try:
        return tidy_name(name)
    except Refused:
        return f"Player {seat + 1}"


def _setup_of(record: Record, public: bool) -> Setup:
    return Setup(
        edition=record.edition,
        seats=len(record.seats),
        options=HouseOptions(record.house.flip_always, record.house.flip_returned),
        first=record.first,
        public=public,
    )
