"""Tables where people roll real dice: whole games, who may enter what, corrections, the record."""

import pytest
from msgspec.structs import replace

from heckmeck.dice import SeededLuck, check_dice
from heckmeck.rules import EDITIONS, legal, throws, word
from heckmeck.rules.moves import Throw
from heckmeck.table import commands, keys, lobby, model, permissions, play, views
from heckmeck.wire import requests
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.setup import Setup, Status

VAULT = keys.Vault(b"v" * 32)


class Table:
    """A table with its log, two people on seats 0 and 1, and perhaps a bot on seat 2."""

    def __init__(self, edition: str = "classic", bots: tuple[str, ...] = ()) -> None:
        setup = Setup(edition, 2 + len(bots), first=0, own_dice=True)
        self.log = [*lobby.new_table(setup, bots, keys.hash_of("host"), VAULT)]
        *_, (self.table, _) = model.fold(self.log)
        for seat in (0, 1):
            self.do(commands.SitDown("Ada" if seat == 0 else "Ben", seat, keys.hash_of(f"{seat}")))
        self.do(requests.Start("s"), "host")

    def do(self, command: commands.Command, *secrets: str) -> play.Steps | commands.Already:
        who = keys.who_holds(self.table, map(keys.hash_of, secrets))
        done = commands.decide(self.table, command, who, VAULT)
        if not isinstance(done, commands.Already):
            self.table = done[-1].table
            self.log.extend(model.texts(done))
        return done

    def move(self, text: str, *secrets: str) -> play.Steps | commands.Already:
        return self.do(requests.Move(f"m{self.table.n}", self.table.n, text), *secrets)

    def undo(self, *secrets: str) -> None:
        self.do(requests.Undo("u", self.table.n), *secrets)

    def refused(self, text: str, *secrets: str) -> Refused:
        before = self.table
        with pytest.raises(Refused) as refused:
            self.move(text, *secrets)
        assert self.table == before
        return refused.value

    @property
    def match(self) -> model.Match:
        assert self.table.match is not None
        return self.table.match

    def moves(self) -> tuple[str, ...]:
        return self.match.plays.moves

    def can_correct(self) -> bool:
        state = views.table_state(self.table)
        return state is not None and state.correct


def play_on(table: Table, luck: SeededLuck) -> None:
    """Make a sensible move, or enter dice, for the seat to move; correct some entries at once."""
    state = table.match.state
    secret = "host" if table.table.person(state.seat) is None else str(state.seat)
    if throws(state):
        table.move(word(luck.throw(throws(state))), secret)
        if luck.below(4) == 0 and table.can_correct():
            table.undo("host")
            assert throws(table.match.state)
            assert table.match.state == state
            table.move(word(luck.throw(throws(state))), secret)
        return
    moves = [word(move) for move in legal(state)]
    shown = views.table_state(table.table)
    stop = shown.prospects.get("stop") if shown else None
    pays = stop is not None and stop.ending["ending"] != "nothing"
    move = "stop" if pays and "stop" in moves else moves[-1] if moves[-1] != "stop" else moves[0]
    if play.bot_to_move(table.table):
        table.do(commands.BotMove(table.table.n, move))
    else:
        table.move(move, secret)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game_of_every_edition(edition: str) -> None:
    table = Table(edition, ("random",))
    luck = SeededLuck(f"own dice {edition}")
    while table.table.status is Status.PLAYING:
        play_on(table, luck)
    *_, (again, _) = model.fold(table.log)
    assert again == table.table
    record = model.record_of(table.table, table.match)
    checked = check_dice(record)
    assert checked.own_dice
    assert checked.throws == ()
    assert len(checked.not_promised) == sum(isinstance(move, Throw) for move in record.moves)


def test_what_fell_implies_the_roll() -> None:
    table = Table()
    table.move("=W1342WW5", "0")  # in any order
    assert table.moves() == ("roll", "=12345WWW")
    table.move("keep:W", "0")
    table.move("=12345", "0")
    assert table.moves()[-3:] == ("keep:W", "roll", "=12345")


def test_the_golden_die_comes_with_its_face() -> None:
    table = Table("deluxe")
    for move in ("=112555WW", "keep:W", "=112555", "keep:5", "=112", "keep:1", "stop"):
        table.move(move, "0")  # 27, with the golden die
    table.move("=11111111", "1")
    table.move("keep:1", "1")
    table.move("=11112222+W", "0")
    assert table.moves()[-2:] == ("roll:golden", "=11112222+W")
    table.move("keep:1", "0")
    assert table.refused("=2222", "0").code is Code.ILLEGAL_MOVE  # it is still in hand
    table.move("=2222+1", "0")
    assert table.moves()[-2:] == ("roll", "=2222+1")


LIES = {
    "=1234567": "no die has the face '7'",
    "=1234": "8 white dice",
    "=111222333": "8 white dice",
    "=12345WW6": "8 white dice",  # a face of another edition
    "=12345WWW+W": "8 white dice",  # nobody has the golden die
    "=": "is not a roll",
    "=12345WWW+": "is not a roll",
}


@pytest.mark.parametrize("lie", LIES)
def test_dice_that_cannot_fall_are_refused(lie: str) -> None:
    table = Table()
    refused = table.refused(lie, "0")
    assert refused.code is Code.ILLEGAL_MOVE
    assert LIES[lie] in str(refused)
    assert table.moves() == ()  # nor was the roll played


def test_dice_are_entered_once_and_in_turn() -> None:
    table = Table()
    assert table.refused("=12345WWW", "1").code is Code.NOT_YOUR_TURN
    assert table.refused("=12345WWW").code is Code.NO_SEAT
    table.move("=12345WWW", "0")
    again = table.refused("=WWWWWWWW", "0")
    assert again.code is Code.ILLEGAL_MOVE
    assert "has to be kept first" in str(again)


def test_a_table_that_rolls_takes_no_dice() -> None:
    table = Table()
    setup = Setup("classic", 2, first=0)
    table.table = replace(table.table, setup=setup)
    refused = table.refused("=12345WWW", "0")
    assert str(refused) == "The table rolls the dice. Send roll."


def test_the_host_enters_anybodys_dice_but_decides_for_nobody() -> None:
    table = Table()
    table.move("=12345WWW", "host")
    assert table.refused("keep:W", "host").code is Code.NO_SEAT
    table.move("keep:W", "0")
    assert table.refused("=12345", "host").code is Code.NO_SEAT  # Ada may want to stop
    table.move("roll", "0")
    table.move("=12345", "host")
    assert table.moves()[-2:] == ("roll", "=12345")


def test_players_enter_the_dice_of_bots_when_these_roll() -> None:
    table = Table(bots=("random",))
    for seat in (0, 1):
        table.move("=11111111", f"{seat}")
        table.move("keep:1", f"{seat}")
    assert table.refused("=12345WWW", "0").code is Code.NOT_YOUR_TURN  # it has not rolled yet
    assert play.bot_to_move(table.table) == "random"
    table.do(commands.BotMove(table.table.n, "roll"))
    assert play.bot_to_move(table.table) is None
    table.move("=12345WWW", "1")
    assert play.bot_to_move(table.table) == "random"


def test_rights_are_listed() -> None:
    table = Table(bots=("random",)).table
    assert permissions.may(table, keys.Who(frozenset(), host=True)).throw_for == (0, 1, 2)
    assert permissions.may(table, keys.Who(frozenset({1}), host=False)).throw_for == (1, 2)
    assert permissions.may(table, keys.NOBODY).throw_for == ()


def test_a_repeated_request_enters_dice_once() -> None:
    table = Table()
    request = requests.Move("same", table.table.n, "=12345WWW")
    first = table.do(request, "host")
    assert not isinstance(first, commands.Already)
    assert table.do(request, "host") == commands.Already(first[0].table.n)
    assert table.moves() == ("roll", "=12345WWW")


# --- corrections ----------------------------------------------------------------------------------


def test_a_mistyped_throw_is_corrected_before_the_keep() -> None:
    table = Table()
    table.move("=12345WWW", "0")
    assert table.can_correct()
    with pytest.raises(Refused):
        table.undo("1")
    table.undo("0")
    assert table.moves() == ("roll",)
    assert not table.can_correct()
    table.move("=12344WWW", "0")
    assert table.moves() == ("roll", "=12344WWW")


def test_a_keep_is_taken_back_first_then_the_throw() -> None:
    table = Table()
    table.move("=12345WWW", "0")
    table.move("keep:W", "0")
    assert not table.can_correct()
    table.undo("0")
    table.undo("0")
    assert table.moves() == ("roll",)


def test_a_dead_throw_is_corrected_although_a_bot_has_rolled_since() -> None:
    table = Table(bots=("random",))
    table.move("=11111111", "0")
    table.move("keep:1", "0")
    table.move("=2222222W", "1")
    table.move("keep:W", "1")
    table.move("=WWWWWWW", "1")  # dead
    assert table.match.state.seat == 2
    table.do(commands.BotMove(table.table.n, "roll"))
    assert table.can_correct()
    table.undo("1")
    assert (table.match.state.seat, table.match.state.turn.kept) == (1, "W")
    assert throws(table.match.state)
    table.move("=2222222", "1")
    assert table.moves()[-1] == "=2222222"


def test_a_throw_that_ended_the_game_by_mistake_is_corrected() -> None:
    table = Table("junior")
    luck = SeededLuck("the end 2")
    while table.table.status is Status.PLAYING:
        before = table.match.state
        play_on(table, luck)
    assert table.moves()[-1].startswith("=")  # a dead throw counts in junior
    over = table.match
    assert over.seed is not None
    assert table.can_correct()
    table.undo("host")
    assert (table.table.status, table.match.state, table.match.seed) == (
        Status.PLAYING,
        before,
        None,
    )
    *_, (again, _) = model.fold(table.log)
    assert again == table.table


def test_nothing_is_corrected_after_the_next_roll() -> None:
    table = Table()
    table.move("=12345WWW", "0")
    table.move("keep:W", "0")
    table.move("roll", "0")
    assert not table.can_correct()
    with pytest.raises(Refused) as refused:
        table.undo("0")
    assert refused.value.code is Code.CANNOT_UNDO


# --- the setup ------------------------------------------------------------------------------------


def test_the_dice_of_a_public_table_are_its_own() -> None:
    with pytest.raises(Refused) as refused:
        lobby.new_table(Setup("classic", own_dice=True, public=True), (), "", VAULT)
    assert refused.value.code is Code.BAD_SETUP


def test_who_rolls_is_settled_once_the_game_has_begun() -> None:
    table = Table()
    with pytest.raises(Refused) as refused:
        table.do(requests.Options("o", own_dice=False), "host")
    assert refused.value.code is Code.ALREADY_STARTED
