"""Decisions: what each request does, who may ask for it, and how it is refused."""

import pytest
from msgspec.structs import replace

from heckmeck.dice import promise
from heckmeck.record import HouseOptions
from heckmeck.rules import AnyState, legal, word
from heckmeck.table.commands import (
    MAX_ENTRIES,
    BotMove,
    Command,
    MarkAway,
    MarkBack,
    SitDown,
    StandIn,
)
from heckmeck.table.keys import Who, hash_of
from heckmeck.table.lobby import STAND_IN
from heckmeck.table.model import Table, begin, fold
from heckmeck.table.play import pause
from heckmeck.table.views import table_state
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code
from heckmeck.wire.setup import Setup, Status, Tempo
from tests.server.tables import (
    HOST,
    VAULT,
    WATCHER,
    again,
    do,
    entries_of,
    follow,
    full,
    move,
    new,
    played_out,
    player,
    playing,
    refusal,
    secret,
)

PUBLIC = Setup("classic", public=True)
CLOSED = follow(full(), a.Closed())


# --- sitting down ---------------------------------------------------------------------------------


def test_a_free_seat_is_taken() -> None:
    assert entries_of(new(), SitDown("Ada", None, "h"), WATCHER) == (a.Sat(0, "Ada", "h"),)
    assert entries_of(new(), SitDown("Ada", 1, "h"), WATCHER) == (a.Sat(1, "Ada", "h"),)


@pytest.mark.parametrize(
    ("table", "seat", "code"),
    [
        (full(), None, Code.TABLE_FULL),
        (full(), 0, Code.SEAT_TAKEN),
        (new(None, a.BotSet(0, "random", "The egg")), 0, Code.SEAT_TAKEN),
        (new(), 2, Code.NO_SUCH_SEAT),
        (playing(), 0, Code.ALREADY_STARTED),
        (CLOSED, 0, Code.CLOSED),
    ],
)
def test_a_seat_that_cannot_be_taken(table: Table, seat: int | None, code: Code) -> None:
    assert refusal(table, SitDown("Zoe", seat, "h"), WATCHER)[0] is code


def test_whoever_has_the_seat_already_has_it() -> None:
    assert again(playing(), SitDown("Ada", None, hash_of(secret(1))), WATCHER) == playing().n


@pytest.mark.parametrize(
    "name", ["", " ", "x" * 25, "a\nb", "a\tb", "\x00", "\u202e", "\u2028", "\ufeff"]
)
def test_a_name_is_short_and_printable(name: str) -> None:
    assert refusal(new(), SitDown(name, None, "h"), WATCHER)[0] is Code.BAD_NAME


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("  Ada ", "Ada"), ("A  da", "A da"), ("e\u0301", "é"), ("🐔", "🐔"), ("x" * 24, "x" * 24)],
)
def test_names_are_tidied(typed: str, kept: str) -> None:
    assert entries_of(new(), SitDown(typed, 0, "h"), WATCHER) == (a.Sat(0, kept, "h"),)


# --- one's own seat -------------------------------------------------------------------------------

OWN: list[Command] = [
    m.Rename("x", 0, "Zoe"),
    m.PromiseSalt("x", 0, promise("lucky")),
    m.ShowSalt("x", 0, "lucky"),
    m.Emote("x", 0, "worm"),
    m.Leave("x", 0),
    m.Reclaim("x", 0),
]


@pytest.mark.parametrize("command", OWN, ids=str)
def test_a_seat_belongs_to_whoever_holds_it(command: Command) -> None:
    assert refusal(full(), command, WATCHER)[0] is Code.NO_SEAT
    assert refusal(full(), command, player(1))[0] is Code.NOT_YOUR_SEAT
    assert refusal(new(), command, WATCHER)[0] is Code.NO_SEAT


def test_players_do_what_they_like_with_their_seat() -> None:
    assert entries_of(full(), m.Rename("x", 0, " Zoe"), player(0)) == (a.Named(0, "Zoe"),)
    promised = promise("lucky")
    assert entries_of(full(), m.PromiseSalt("x", 0, promised), player(0)) == (
        a.PromisedSalt(0, promised),
    )
    assert entries_of(full(), m.Emote("x", 0, "worm"), player(0)) == (a.Emoted(0, "worm"),)
    assert entries_of(full(), m.Leave("x", 0), player(0)) == (a.Left(0),)


def test_who_leaves_a_game_gets_a_stand_in() -> None:
    assert entries_of(playing(), m.Leave("x", 0), player(0)) == (a.StoodIn(0, STAND_IN),)


def test_the_host_frees_seats_but_not_during_a_game() -> None:
    assert entries_of(full(), m.Leave("x", 1), HOST) == (a.Left(1),)
    assert refusal(playing(), m.Leave("x", 1), HOST)[0] is Code.NO_SEAT
    assert refusal(new(), m.Leave("x", 1), HOST)[0] is Code.NO_SEAT


def test_reclaiming() -> None:
    away = follow(playing(), a.WentAway(0), a.StoodIn(0, "chick"))
    assert entries_of(away, m.Reclaim("x", 0), player(0)) == (a.CameBack(0),)
    assert again(playing(), m.Reclaim("x", 0), player(0)) == playing().n


# --- bots -----------------------------------------------------------------------------------------


def test_bots_come_and_go() -> None:
    table = do(new(Setup("classic", 3)), m.SetBot("x", 1, "chick"), HOST)
    assert entries_of(table, m.SetBot("x", 2, "chick"), HOST) == (
        a.BotSet(2, "chick", "The chick 2"),
    )
    assert entries_of(table, m.SetBot("x", 1, "chick"), HOST) == (
        a.BotSet(1, "chick", "The chick"),
    )
    assert entries_of(table, m.SetBot("x", 1, "random", "Eggbert"), HOST) == (
        a.BotSet(1, "random", "Eggbert"),
    )
    assert entries_of(table, m.RemoveBot("x", 1), HOST) == (a.BotRemoved(1),)
    assert refusal(table, m.RemoveBot("x", 0), HOST)[0] is Code.NO_SUCH_BOT


def test_an_unknown_bot_is_refused_with_those_there_are() -> None:
    code, message = refusal(new(), m.SetBot("x", 0, "hal"), HOST)
    assert code is Code.NO_SUCH_BOT
    assert "The bots are random, chick" in message


def test_a_bot_takes_no_seat_from_a_person_unless_the_host_wants_it_in_a_game() -> None:
    assert refusal(full(), m.SetBot("x", 0, "chick"), HOST)[0] is Code.SEAT_TAKEN
    assert entries_of(playing(), m.SetBot("x", 1, "chick"), HOST) == (a.StoodIn(1, "chick"),)
    assert refusal(playing(), m.SetBot("x", 1, "chick"), player(0))[0] is Code.NOT_HOST


def test_a_bot_is_exchanged_in_a_game_but_not_after_it() -> None:
    table = new(Setup("junior", first=0), a.Sat(0, "Ada", "h"), a.BotSet(1, "random", "The egg"))
    begun = do(table, m.Start("x"), HOST)
    assert entries_of(begun, m.SetBot("x", 1, "chick"), HOST) == (
        a.BotSet(1, "chick", "The chick"),
    )
    assert refusal(begun, m.RemoveBot("x", 1), HOST)[0] is Code.ALREADY_STARTED


# --- who may manage the table ---------------------------------------------------------------------

MANAGED: list[Command] = [
    m.SetBot("x", 1, "chick"),
    m.RemoveBot("x", 1),
    m.SetPace("x", 100),
    m.Start("x"),
]


@pytest.mark.parametrize("command", MANAGED, ids=str)
def test_among_friends_everybody_seated_manages(command: Command) -> None:
    table = new(None, a.Sat(0, "Ada", "h"), a.BotSet(1, "random", "The egg"))
    assert entries_of(table, command, player(0))
    assert entries_of(table, command, HOST)
    assert refusal(table, command, WATCHER)[0] is Code.NOT_HOST


@pytest.mark.parametrize("command", MANAGED, ids=str)
def test_at_a_public_table_only_the_host_manages(command: Command) -> None:
    table = new(PUBLIC, a.Sat(0, "Ada", "h"), a.BotSet(1, "random", "The egg"))
    assert refusal(table, command, player(0))[0] is Code.NOT_HOST
    assert entries_of(table, command, HOST)


@pytest.mark.parametrize("command", [m.Options("x", pace=1), m.Close("x")], ids=str)
def test_only_the_host_changes_and_closes(command: Command) -> None:
    assert refusal(full(), command, player(0))[0] is Code.NOT_HOST
    assert entries_of(full(), command, HOST)


# --- settings -------------------------------------------------------------------------------------


def test_what_is_not_given_stays() -> None:
    setup = Setup("classic", 2, HouseOptions(flip_always=True), first=1, pace=5)
    (changed,) = entries_of(new(setup), m.Options("x", hints=True, first=None), HOST)
    assert changed == a.Changed(
        Setup("classic", 2, HouseOptions(flip_always=True), first=None, pace=5, hints=True)
    )


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (m.Options("x", edition="poker"), Code.BAD_SETUP),
        (m.Options("x", edition="junior", options=HouseOptions(True)), Code.BAD_SETUP),
        (m.Options("x", first=2), Code.BAD_SETUP),
        (m.Options("x", seats=3, edition="barbecue", first=3), Code.BAD_SETUP),
    ],
    ids=str,
)
def test_a_setup_that_cannot_be_is_refused(options: m.Options, code: Code) -> None:
    assert refusal(new(), options, HOST)[0] is code


def test_no_seat_goes_away_under_somebody() -> None:
    table = new(Setup("classic", 3), a.Sat(2, "Cleo", "h"))
    code, message = refusal(table, m.Options("x", seats=2), HOST)
    assert code is Code.SEAT_TAKEN
    assert "Cleo" in message


def test_during_a_game_only_manners_change() -> None:
    assert entries_of(playing(), m.Options("x", pace=1, patience=9, hints=True, undo=False), HOST)
    for options in (m.Options("x", seats=3), m.Options("x", edition="deluxe")):
        assert refusal(playing(), options, HOST)[0] is Code.ALREADY_STARTED


# --- beginning and end ----------------------------------------------------------------------------


def test_a_game_begins_when_all_seats_are_taken() -> None:
    code, message = refusal(new(Setup("classic", 3), a.Sat(1, "B", "h")), m.Start("x"), HOST)
    assert code is Code.EMPTY_SEATS
    assert "seat 0 and 2" in message
    assert refusal(playing(), m.Start("x"), HOST)[0] is Code.ALREADY_STARTED


def test_who_starts_is_chosen_or_drawn_with_the_dice() -> None:
    (chosen,) = entries_of(full(Setup("classic", first=1)), m.Start("x"), HOST)
    assert chosen == a.Started(1, drawn=False, salts=("", ""), promises=("", ""))
    (drawn,) = entries_of(full(), m.Start("x"), HOST)
    first = VAULT.dice(0, ("", "")).first()
    assert drawn == a.Started(first, drawn=True, salts=("", ""), promises=("", ""))


def test_a_rematch_comes_after_a_game() -> None:
    over = played_out(playing(Setup("junior")))
    assert refusal(playing(), m.Rematch("x"), player(0))[0] is Code.NOT_OVER
    assert refusal(over, m.Rematch("x"), WATCHER)[0] is Code.NO_SEAT
    assert entries_of(over, m.Rematch("x"), player(1)) == (a.Reopened(VAULT.commitment(1)),)
    assert refusal(over, m.Start("x"), HOST)[0] is Code.ALREADY_STARTED


def test_closing_shows_the_seed_of_a_game_under_way_only() -> None:
    assert entries_of(full(), m.Close("x"), HOST) == (a.Closed(),)
    assert entries_of(playing(), m.Close("x"), HOST) == (
        a.Closed(),
        a.Revealed(VAULT.seed(0).hex()),
    )
    over = played_out(playing(Setup("junior")))
    assert entries_of(over, m.Close("x"), HOST) == (a.Closed(),)


EVERYTHING: list[Command] = [
    *OWN[:-1],
    *MANAGED,
    m.Options("x", pace=1),
    m.Close("x"),
    m.Rematch("x"),
    m.Move("x", 3, "roll"),
    m.Undo("x", 3),
    m.Hurry("x", 0),
    m.FillIn("x", 0),
    m.Wait("x", 0),
    BotMove(3, "roll"),
    MarkAway(0),
    MarkBack(0),
    StandIn(3, 0),
]


@pytest.mark.parametrize("command", EVERYTHING, ids=str)
def test_nothing_happens_at_a_closed_table(command: Command) -> None:
    assert refusal(CLOSED, command, player(0, host=True))[0] is Code.CLOSED


def test_a_log_does_not_grow_for_ever() -> None:
    old = replace(full(), n=MAX_ENTRIES)
    assert refusal(old, m.Emote("x", 0, "worm"), player(0))[0] is Code.TOO_LONG


# --- moves ----------------------------------------------------------------------------------------


def with_bots(*people: int, seats: int = 4) -> Table:
    """A game at which these seats are people's and the last one's bot is to move."""
    setup = Setup("classic", seats, first=seats - 1)
    sitters: list[a.AnyEntry] = [
        a.Sat(seat, f"Player {seat}", hash_of(secret(seat)))
        if seat in people
        else a.BotSet(seat, "random", f"Bot {seat}")
        for seat in range(seats)
    ]
    return do(new(setup, *sitters), m.Start("x"), HOST)


def test_no_two_plates_are_alike() -> None:
    table = new(None, a.Sat(0, "Ada", "a"), a.BotSet(1, "random", "The egg"))
    assert table.plates[:2] == (1, 4)
    chosen = do(table, m.ChoosePlate("x", 0, 4), player(0))
    assert chosen.plates[:2] == (4, 1), "a bot takes what is left"
    assert sorted(do(chosen, m.ChoosePlate("x", 0, 7), player(0)).plates) == [*range(1, 8)]
    ben = full()
    assert refusal(ben, m.ChoosePlate("x", 0, 4), player(0))[0] is Code.SEAT_TAKEN
    assert refusal(ben, m.ChoosePlate("x", 0, 7), player(1))[0] is Code.NOT_YOUR_SEAT
    assert refusal(playing(), m.ChoosePlate("x", 0, 7), player(0))[0] is Code.ALREADY_STARTED


def test_a_plate_stays_with_its_seat_when_free_ones_go() -> None:
    table = new(Setup("classic", 4), a.Sat(1, "Ada", "a"), a.Sat(3, "Ben", "b"))
    begun = do(do(table, m.ChoosePlate("x", 3, 7), player(3)), m.Start("x", "remove"), player(1))
    assert begun.plates[:2] == (4, 7)
    assert len({*begun.plates}) == 7


AWAY = follow(playing(), a.WentAway(0))


def test_others_need_not_wait_for_somebody_who_is_away() -> None:
    assert entries_of(AWAY, m.FillIn("x", 0), player(1)) == (a.StoodIn(0, STAND_IN),)
    assert entries_of(AWAY, m.FillIn("x", 0), HOST) == (a.StoodIn(0, STAND_IN),)
    waiting = do(AWAY, m.Wait("x", 0), player(1))
    assert again(waiting, m.Wait("y", 0), player(1)) == waiting.n
    for after_all in (m.FillIn("x", 0), m.Reclaim("x", 0)):
        person = do(waiting, after_all, player(0, 1)).person(0)
        assert person is not None
        assert not person.awaited


@pytest.mark.parametrize("ask", [m.FillIn, m.Wait])
@pytest.mark.parametrize(
    ("table", "seat", "who", "code"),
    [
        (AWAY, 0, WATCHER, Code.NO_SEAT),
        (AWAY, 1, player(0), Code.STALE),
        (AWAY, 2, player(1), Code.NO_SUCH_SEAT),
        (follow(AWAY, a.StoodIn(0, STAND_IN)), 0, player(1), Code.STALE),
        (full(), 0, player(1), Code.NOT_PLAYING),
    ],
)
def test_who_is_there_is_not_played_for(
    ask: type[m.FillIn | m.Wait], table: Table, seat: int, who: Who, code: Code
) -> None:
    assert refusal(table, ask("x", seat), who)[0] is code


def test_nobody_is_replaced_before_their_time_is_over() -> None:
    slow = follow(playing(Setup("classic", first=0, tempo=Tempo.DAYS)), a.WentAway(0))
    assert refusal(slow, m.FillIn("x", 0), player(1))[0] is Code.BAD_SETUP


def test_the_host_frees_the_seat_of_somebody_who_is_away() -> None:
    assert entries_of(AWAY, m.Leave("x", 0), player(1, host=True)) == (
        a.BotSet(0, STAND_IN, "The rooster"),
    )
    assert refusal(AWAY, m.Leave("x", 0), player(1))[0] is Code.NOT_YOUR_SEAT
    assert refusal(playing(), m.Leave("x", 0), player(1, host=True))[0] is Code.NOT_YOUR_SEAT


def test_a_game_begins_with_those_who_are_there() -> None:
    table = new(Setup("classic", 5, first=3), a.Sat(1, "Ada", "a"), a.Sat(3, "Ben", "b"))
    begun = do(table, m.Start("x", "remove"), player(1))
    assert [sitter and sitter.name for sitter in begun.seats] == ["Ada", "Ben"]
    assert (begun.setup.seats, begun.setup.first) == (2, 1)
    assert state_of(begun).seat == 1
    assert refusal(table, m.Start("x"), player(1))[0] is Code.EMPTY_SEATS


def test_bots_fill_the_free_seats() -> None:
    table = new(Setup("deluxe", 6), a.Sat(1, "Ada", "a"), a.BotSet(2, "chick", "The chick"))
    begun = do(table, m.Start("x", "bots"), player(1))
    assert [sitter and sitter.name for sitter in begun.seats] == [
        "The chick 2", "Ada", "The chick", "The rooster", "The fox", "The chick 3",
    ]  # fmt: skip
    assert begun.status is Status.PLAYING


def test_one_player_alone_cannot_begin() -> None:
    alone = new(Setup("classic", 3), a.Sat(0, "Ada", "a"))
    assert refusal(alone, m.Start("x", "remove"), player(0))[0] is Code.BAD_SETUP
    assert refusal(alone, m.Start("x", "bots"), WATCHER)[0] is Code.NOT_HOST


def test_seats_of_a_record_are_not_removed() -> None:
    created = a.Created(Setup("classic", 3, first=0), moves="roll =11234WWW keep:W")
    table = follow(begin(created).table, a.Sat(0, "Ada", "a"), a.Sat(1, "Ben", "b"))
    assert refusal(table, m.Start("x", "remove"), player(0))[0] is Code.BAD_SETUP
    assert do(table, m.Start("x", "bots"), player(0)).status is Status.PLAYING


def state_of(table: Table) -> AnyState:
    """The state of the game on the table."""
    assert table.match is not None
    return table.match.state


def test_bots_give_everybody_time_to_look() -> None:
    table = with_bots(0)
    assert table.setup.pace == 320
    assert pause(table) == 640
    thrown = do(table, BotMove(table.n, "roll"), WATCHER)
    assert pause(thrown) == 320
    keep = word(legal(state_of(thrown))[0])
    assert pause(do(thrown, BotMove(thrown.n, keep), WATCHER)) == 128


def test_a_table_of_an_older_server_keeps_its_pace() -> None:
    log = (
        '{"do":"created","setup":{"edition":"classic","seats":2,"options":{},"first":0,'
        '"public":false,"pace":900,"patience":60,"hints":false,"undo":true}}'
    )
    *_, (table, _) = fold([log])
    assert table.setup.pace == 900


def test_a_player_alone_with_bots_hurries_them() -> None:
    table = with_bots(0)
    hurried = do(table, m.Hurry("x", 3), player(0))
    assert pause(hurried) == 0
    assert again(hurried, m.Hurry("y", 3), player(0)) == hurried.n


def test_a_bot_hurries_when_everybody_who_is_there_has_asked() -> None:
    table = follow(with_bots(0, 1, 2), a.WentAway(2))
    ada = do(table, m.Hurry("x", 3), player(0))
    assert pause(ada) == pause(table) > 0
    assert pause(do(ada, m.Hurry("x", 3), player(1))) == 0
    assert pause(do(table, m.Hurry("x", 3), player(0, 1))) == 0, "one device, two players"
    assert pause(follow(ada, a.CameBack(2))) > 0


def test_the_next_bot_takes_its_time_again() -> None:
    table = do(with_bots(1, 2), m.Hurry("x", 3), player(1, 2))
    state = state_of(table)
    while state.seat == 3:
        assert pause(table) == 0
        table = do(table, BotMove(table.n, word(legal(state)[-1])), WATCHER)
        state = state_of(table)
    assert pause(table) > 0


@pytest.mark.parametrize(
    ("table", "turn", "who", "code"),
    [
        (with_bots(0), 3, WATCHER, Code.NO_SEAT),
        (with_bots(0), 3, HOST, Code.NO_SEAT),
        (with_bots(0), 2, player(0), Code.STALE),
        (playing(), 0, player(1), Code.STALE),
        (full(), 0, player(0), Code.NOT_PLAYING),
    ],
)
def test_who_cannot_hurry(table: Table, turn: int, who: Who, code: Code) -> None:
    assert refusal(table, m.Hurry("x", turn), who)[0] is code


def test_the_table_throws_the_dice_at_once() -> None:
    table = playing()
    roll, dice = entries_of(table, m.Move("k1", table.n, "roll"), player(0))
    assert roll == a.LoggedMove("roll", "k1")
    assert isinstance(dice, a.LoggedMove)
    assert dice.text[0] == "="
    assert dice.id == ""


@pytest.mark.parametrize(
    ("who", "at", "word", "code"),
    [
        (WATCHER, 3, "roll", Code.NO_SEAT),
        (HOST, 3, "roll", Code.NO_SEAT),
        (player(1), 3, "roll", Code.NOT_YOUR_TURN),
        (player(0), 2, "roll", Code.STALE),
        (player(0), -1, "roll", Code.STALE),
        (player(0), 4, "roll", Code.BAD_MESSAGE),
        (player(0), 3, "stop", Code.ILLEGAL_MOVE),
        (player(0), 3, "dance", Code.ILLEGAL_MOVE),
        (player(0), 3, "=11111111", Code.ILLEGAL_MOVE),
    ],
)
def test_moves_that_are_refused(who: Who, at: int, word: str, code: Code) -> None:
    table = playing()
    assert table.n == 3
    assert refusal(table, m.Move("x", at, word), who)[0] is code


def test_before_and_after_a_game_nobody_moves() -> None:
    assert refusal(full(), m.Move("x", 2, "roll"), player(0))[0] is Code.NOT_PLAYING
    over = played_out(playing(Setup("junior")))
    assert refusal(over, m.Move("new", over.n, "roll"), player(0))[0] is Code.NOT_PLAYING


def test_a_move_sent_again_is_recognised_as_long_as_it_can_be_sent() -> None:
    table = move(playing(Setup("junior", first=0)), "roll", "first")
    request = m.Move("first", 3, "roll")
    assert again(table, request, player(0)) == 4
    over = played_out(table)
    assert again(over, request, player(0)) == 4
    reopened = do(over, m.Rematch("x"), HOST)
    assert again(reopened, request, player(0)) == 4
    assert again(do(reopened, m.Start("x"), HOST), request, player(0)) == 4
    assert refusal(table, request, player(1))[0] is Code.STALE


def test_the_dice_depend_on_the_words_and_on_the_round() -> None:
    thrown = set()
    for words in ("unlucky", "lucky"):
        table = do(
            follow(full(Setup("classic", first=0)), a.PromisedSalt(0, promise(words))),
            m.Start("x"),
            HOST,
        )
        table = do(table, m.ShowSalt("x", 0, words), player(0))
        thrown.add(entries_of(table, m.Move("x", table.n, "roll"), player(0))[1])
    assert len(thrown) == 2


# --- undo -----------------------------------------------------------------------------------------


def kept() -> Table:
    rolled = move(playing(), "roll")
    assert rolled.match is not None
    return move(rolled, f"keep:{rolled.match.plays.moves[-1][-1]}")


def test_a_keep_can_be_taken_back_until_the_next_throw() -> None:
    table = kept()
    assert entries_of(table, m.Undo("x", table.n), player(0)) == (a.Undone(),)
    assert refusal(table, m.Undo("x", table.n - 1), player(0))[0] is Code.STALE
    assert refusal(table, m.Undo("x", table.n), player(1))[0] is Code.NOT_YOUR_TURN
    gone_on = move(table, "roll")
    if gone_on.match is not None and gone_on.match.state.seat == 0:
        assert refusal(gone_on, m.Undo("x", gone_on.n), player(0))[0] is Code.CANNOT_UNDO


def test_a_throw_can_never_be_taken_back() -> None:
    rolled = move(playing(), "roll")
    assert refusal(rolled, m.Undo("x", rolled.n), player(0))[0] is Code.CANNOT_UNDO
    assert refusal(playing(), m.Undo("x", 3), player(0))[0] is Code.CANNOT_UNDO


def test_players_are_told_whether_a_keep_can_be_taken_back() -> None:
    rolled = move(playing(), "roll")
    told = [table_state(table) for table in (playing(), rolled, kept())]
    assert [state is not None and state.undo for state in told] == [False, False, True]


def test_a_table_may_forbid_it() -> None:
    table = do(kept(), m.Options("x", undo=False), HOST)
    assert refusal(table, m.Undo("x", table.n), player(0))[0] is Code.CANNOT_UNDO


# --- bots and people who are away -----------------------------------------------------------------


def test_bots_move_only_their_own_seats() -> None:
    assert refusal(playing(), BotMove(3, "roll"), WATCHER)[0] is Code.NOT_YOUR_TURN
    stood_in = follow(playing(), a.StoodIn(0, "chick"))
    assert entries_of(stood_in, BotMove(3, "roll"), WATCHER)[0] == a.LoggedMove("roll")
    assert refusal(stood_in, BotMove(2, "roll"), WATCHER)[0] is Code.STALE


def test_whoever_moves_is_back() -> None:
    table = follow(playing(), a.WentAway(0), a.StoodIn(0, "chick"))
    entries = entries_of(table, m.Move("x", table.n, "roll"), player(0))
    assert (entries[0], entries[-1]) == (a.LoggedMove("roll", "x"), a.CameBack(0))
    table = follow(table, *entries)
    assert again(table, m.Move("x", 5, "roll"), player(0)) == 6


def test_presence_is_noted_once() -> None:
    away = follow(playing(), a.WentAway(0))
    assert entries_of(playing(), MarkAway(0), WATCHER) == (a.WentAway(0),)
    assert entries_of(away, MarkBack(0), WATCHER) == (a.CameBack(0),)
    assert refusal(away, MarkAway(0), WATCHER)
    assert refusal(playing(), MarkBack(0), WATCHER)
    assert refusal(new(), MarkAway(0), WATCHER)


def test_a_stand_in_plays_only_for_somebody_who_is_away() -> None:
    away = follow(playing(), a.WentAway(0))
    assert entries_of(away, StandIn(3, 0), WATCHER) == (a.StoodIn(0, STAND_IN),)
    assert refusal(playing(), StandIn(3, 0), WATCHER)
    assert refusal(follow(away, a.StoodIn(0, "chick")), StandIn(3, 0), WATCHER)
    assert refusal(follow(away, a.CameBack(0)), StandIn(3, 0), WATCHER)


def test_a_rematch_keeps_bots_and_stand_ins() -> None:
    over = follow(played_out(playing(Setup("junior"))), a.WentAway(1), a.StoodIn(1, "chick"))
    table = do(over, m.Rematch("x"), player(0))
    assert table.status is Status.WAITING
    person = table.person(1)
    assert person is not None
    assert person.stand_in == "chick"
