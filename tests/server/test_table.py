"""The fold: a table is what its log says."""

from dataclasses import replace

import pytest

from heckmeck.dice import check_dice, promise
from heckmeck.record import final_state, record_to_json
from heckmeck.record.forms import parse_moves
from heckmeck.rules import outcome, word
from heckmeck.table.lobby import new_table, table_from_record
from heckmeck.table.model import BotSeat, Person, Plays, after, begin, fold, record_of
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.entries import BadEntry, LoggedMove
from heckmeck.wire.setup import Setup, Status
from tests.record.games import play
from tests.server.tables import (
    HOST,
    HOST_HASH,
    VAULT,
    do,
    follow,
    full,
    move,
    new,
    played_out,
    player,
    playing,
)

ACTIONS: list[a.AnyEntry] = [
    a.Created(Setup("deluxe", 3), "hash", "promise", ("Ada",), "roll", '{"x": 1}'),
    a.Sat(0, "Ada", "hash"),
    a.Left(0),
    a.Named(0, "Ädä"),
    a.PromisedSalt(0, "promise"),
    a.Called(),
    a.ShownSalt(0, "sausage"),
    a.BotSet(1, "random", "The egg"),
    a.BotRemoved(1),
    a.Changed(Setup("junior")),
    a.Started(1, drawn=True, salts=("a", "")),
    a.WentAway(0),
    a.CameBack(0),
    a.StoodIn(0, "chick"),
    a.Undone(),
    a.Emoted(0, "worm"),
    a.Revealed("00"),
    a.Reopened("promise"),
    a.Closed(),
]


@pytest.mark.parametrize(
    "entry", [*ACTIONS, LoggedMove("roll"), LoggedMove("keep:4", "k3j9")], ids=str
)
def test_every_entry_can_be_read_back(entry: a.AnyEntry | LoggedMove) -> None:
    assert a.read(a.write(entry)) == entry


def test_words_of_the_game_stand_in_the_log_as_they_are() -> None:
    assert a.write(LoggedMove("=11234WWW")) == "=11234WWW"
    assert a.write(LoggedMove("keep:4", "k3j9")) == "keep:4 k3j9"


def test_what_is_shown_of_an_action_holds_no_hash() -> None:
    for action in ACTIONS:
        assert "hash" not in a.write(a.shown(action))


@pytest.mark.parametrize(
    "text",
    [
        "roll",
        "{}",
        '{"do": "danced"}',
        '{"do": "sat", "seat": 0, "name": "Ada"}',
        '{"do": "created"}',
        "{",
    ],
)
def test_a_log_begins_with_its_creation(text: str) -> None:
    with pytest.raises(BadEntry):
        begin(a.read(text))


@pytest.mark.parametrize(
    "entry",
    [
        LoggedMove("roll"),
        a.Created(Setup("classic")),
        a.Sat(2, "Cleo", ""),
        a.Sat(-1, "Cleo", ""),
        a.Named(1, "Ben"),
        a.WentAway(1),
        a.Undone(),
        a.Revealed("00"),
    ],
    ids=str,
)
def test_what_cannot_follow_is_refused(entry: a.AnyEntry | LoggedMove) -> None:
    with pytest.raises(BadEntry):
        follow(new(), entry)


def test_moves_that_break_the_rules_are_no_log() -> None:
    with pytest.raises(BadEntry, match="not allowed"):
        follow(playing(), LoggedMove("stop"))
    with pytest.raises(BadEntry, match="is not a move"):
        follow(playing(), LoggedMove("dance"))
    with pytest.raises(BadEntry, match="take back"):
        follow(playing(), a.Undone())


def test_seats_fill_and_empty() -> None:
    table = new(
        Setup("classic", 3),
        a.Sat(1, "Ben", "hash"),
        a.BotSet(2, "chick", "The chick"),
        a.PromisedSalt(1, "promise"),
        a.ShownSalt(1, "lucky"),
        a.Named(1, "Benno"),
    )
    assert table.seats == (
        None,
        Person("Benno", "hash", "promise", "lucky"),
        BotSeat("The chick", "chick"),
    )
    assert [table.name_of(seat) for seat in range(3)] == ["Player 1", "Benno", "The chick"]
    table = follow(table, a.Left(1), a.BotRemoved(2))
    assert table.seats == (None, None, None)


def test_presence() -> None:
    table = follow(full(), a.WentAway(0), a.StoodIn(0, "chick"))
    person = table.person(0)
    assert person is not None
    assert (person.away, person.stand_in) == (True, "chick")
    assert follow(table, a.CameBack(0)).person(0) == full().person(0)


def test_seats_are_added_and_taken_away() -> None:
    table = follow(full(), a.Changed(Setup("classic", 4)))
    assert [sitter is None for sitter in table.seats] == [False, False, True, True]
    assert follow(table, a.Changed(Setup("classic", 2))).seats == full().seats


def test_a_word_changes_the_position_and_nothing_else_does() -> None:
    table = playing()
    assert table.match is not None
    assert table.match.changed == table.n
    rolled = move(table, "roll", "id1")
    assert rolled.match is not None
    assert rolled.match.changed == rolled.n == table.n + 2
    assert rolled.match.plays.find("id1", {0}) == table.n + 1
    emoted = follow(rolled, a.Emoted(0, "worm"), a.WentAway(1), a.Named(1, "Bob"))
    assert emoted.match is not None
    assert emoted.match.changed == rolled.n
    assert emoted.n == rolled.n + 3


def test_undoing_brings_back_the_state_and_forgets_the_word() -> None:
    rolled = move(playing(), "roll")
    assert rolled.match is not None
    keep = rolled.match.plays.moves[-1][-1]
    kept = move(rolled, f"keep:{keep}")
    undone = do(kept, m.Undo("x", kept.n), player(0))
    assert undone.match is not None
    assert undone.match.state == rolled.match.state
    assert undone.match.plays == rolled.match.plays
    assert undone.match.changed == undone.n


@pytest.mark.parametrize("edition", ["classic", "deluxe", "barbecue", "junior"])
def test_a_game_ends_with_its_seed_and_a_record_that_can_be_verified(edition: str) -> None:
    table = played_out(playing(Setup(edition, 3)))
    assert table.status is Status.OVER
    assert table.match is not None
    assert table.match.seed == VAULT.seed(0).hex()
    record = record_of(table, table.match)
    assert outcome(final_state(record)) is not None
    assert len(check_dice(record).throws) == table.match.throws


def test_a_rematch_starts_afresh_and_remembers_what_was_played() -> None:
    over = played_out(playing(Setup("junior", first=0)))
    table = do(follow(over, a.WentAway(1)), m.Rematch("x"), player(0))
    assert table.status is Status.WAITING
    assert table.match is None
    assert (table.round, table.commitment) == (1, VAULT.commitment(1))
    assert [sitter and sitter.name for sitter in table.seats] == ["Ada", "Ben"]
    assert over.match is not None
    assert table.past == over.match.plays


def test_words_are_chosen_for_one_game() -> None:
    promised = promise("lucky")
    table = follow(full(Setup("junior", first=0)), a.PromisedSalt(0, promised))
    called = do(table, m.Start("x"), HOST)
    over = played_out(do(called, m.ShowSalt("x", 0, "lucky"), player(0)))
    assert over.match is not None
    assert (over.match.salts, over.match.promises) == (("lucky", ""), (promised, ""))
    person = do(over, m.Rematch("x"), HOST).person(0)
    assert person is not None
    assert (person.promise, person.salt) == ("", "")


def test_the_record_has_the_names_of_those_who_played() -> None:
    table = follow(playing(), a.Named(1, "Benno"))
    assert table.match is not None
    assert record_of(table, table.match).seats == ("Ada", "Benno")
    over = played_out(playing(Setup("junior")))
    left = follow(over, a.Left(1), a.Named(0, "Zoe"))
    assert left.match is not None
    assert record_of(left, left.match).seats == ("Ada", "Ben")


def test_a_record_names_the_bots() -> None:
    words = new_table(Setup("junior", 2, first=0), ["chick"], HOST_HASH, VAULT)
    *_, (table, _) = fold(words)
    table = do(follow(table, a.Sat(0, "Ada", "")), m.Start("x"), HOST)
    assert table.match is not None
    assert record_of(table, table.match).extra["bots"] == {"1": "chick"}


def test_the_commitment_is_in_the_record_before_the_seed_is() -> None:
    table = playing()
    assert table.match is not None
    fair = record_to_json(record_of(table, table.match))["fair"]
    assert isinstance(fair, dict)
    assert fair["commitment"] == VAULT.commitment(0)
    assert "seed" not in fair


def test_a_table_made_from_a_record_goes_on_where_it_ended() -> None:
    record = play("classic", 2, seed=3, words=60).record
    words = table_from_record(record, 60, False, HOST_HASH, VAULT)
    *_, (table, _) = fold(words)
    assert table.status is Status.WAITING
    assert table.opening.moves == tuple(map(word, record.moves))
    begun = do(follow(table, a.Sat(0, "Ada", ""), a.Sat(1, "Ben", "")), m.Start("x"), HOST)
    assert begun.match is not None
    assert begun.match.imported == 60
    moves = parse_moves(begun.match.plays.moves)
    assert begun.match.state == final_state(replace(record, moves=moves))
    over = played_out(begun)
    assert over.match is not None
    assert check_dice(record_of(over, over.match)).throws


def test_folding_a_log_in_one_go_or_entry_by_entry_is_the_same() -> None:
    over = played_out(playing(Setup("deluxe")))
    log = [a.write(a.Created(Setup("deluxe"), HOST_HASH, VAULT.commitment(0)))]
    table = begin(a.read(log[0])).table
    for entry in (a.Sat(0, "Ada", ""), a.Sat(1, "Ben", "")):
        log.append(a.write(entry))
        table = after(table, entry).table
    assert over.match is not None
    log.append(a.write(a.Started(over.match.first, over.match.drawn, over.match.salts)))
    log += over.match.plays.moves
    *_, (folded, _) = fold(log)
    assert folded.match is not None
    assert folded.match.state == over.match.state


def test_plays_are_found_by_id_and_seat() -> None:
    plays = Plays().add(7, 1, "roll", "a").add(8, 1, "=1", "").add(9, 0, "roll", "a")
    assert plays.find("a", {1}) == 7
    assert plays.find("a", {0}) == 9
    assert plays.find("a", set()) is None
    assert plays.find("b", {0, 1}) is None
    assert len(plays.without_last()) == 2
