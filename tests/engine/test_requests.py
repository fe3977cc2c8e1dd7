"""Every request of the engine protocol, in the order of the contract, with its exact answer."""

import pytest

from heckmeck.bots import BOTS
from heckmeck.record import JsonObject, JsonValue, record_from_json, record_to_json
from heckmeck.rules import EDITIONS
from tests.bots.games import bot_game
from tests.engine.talk import Talk, as_line, at, list_at, serve_bytes, text_at

FRESH_TURN: JsonObject = {
    "kept": "",
    "total": 0,
    "hand": 8,
    "golden": False,
    "roll": None,
    "golden_roll": None,
    "weasel_used": False,
}
CLASSIC_TABLE: JsonObject = {"grill": [*range(21, 37)], "face_down": [], "stacks": [[], []]}
START_TABLES: dict[str, JsonObject] = {
    "classic": CLASSIC_TABLE,
    "deluxe": {
        "grill": [11, 13, *range(21, 37)],
        "face_down": [],
        "stacks": [[], []],
        "on_grill": {
            "11": "canned",
            "21": "hen",
            "23": "raven",
            "25": "weasel",
            "27": "golden",
            "29": "apple",
        },
        "held": [None, None],
        "bratworms": [0, 0],
        "supply": 7,
    },
    "barbecue": {"spots": {}, "pool": 12, "snails": [0, 0], "worms": [0, 0], "plates": [10, 10]},
    "junior": {
        "grill": [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9],
        "face_down": [],
        "stacks": [[], []],
    },
}


def start_state(edition: str) -> JsonObject:
    return {
        "edition": edition,
        "seats": 2,
        "options": {},
        "to_move": 0,
        "awaits": "player",
        "legal": ["roll"],
        "turn": {**FRESH_TURN, "hand": 6 if edition == "junior" else 8},
        "table": START_TABLES[edition],
        "scores": [0, 0],
        "over": False,
        "winners": [],
    }


def after_roll() -> JsonObject:
    return {**start_state("classic"), "awaits": "dice", "legal": []}


def after_throw() -> JsonObject:
    return {
        **start_state("classic"),
        "legal": ["keep:1", "keep:2", "keep:3", "keep:4", "keep:W"],
        "turn": {**FRESH_TURN, "roll": "11234WWW"},
    }


def after_keep() -> JsonObject:
    return {
        **start_state("classic"),
        "legal": ["roll", "stop"],
        "turn": {**FRESH_TURN, "kept": "WWW", "total": 15, "hand": 5},
    }


TURN = ["roll", "=11234WWW", "keep:W", "roll", "=12455", "keep:5", "stop"]


def after_turn() -> JsonObject:
    return {
        **start_state("classic"),
        "to_move": 1,
        "table": {
            "grill": [tile for tile in range(21, 37) if tile != 25],
            "face_down": [],
            "stacks": [[25], []],
        },
        "scores": [2, 0],
    }


@pytest.fixture
def talk() -> Talk:
    """An engine at which a classic game of two has begun."""
    talk = Talk()
    talk.ask("new", edition="classic", seats=2, seed=7)
    return talk


def finished(edition: str) -> JsonObject:
    return record_to_json(bot_game(edition, 2, seed=3))


# --- new ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_new_sets_the_table_of_each_edition(edition: str) -> None:
    answer = Talk().send("new", edition=edition, seats=2)
    assert answer == {"ok": True, "state": start_state(edition)}


def test_new_with_a_number_of_seats_gives_names_of_its_own(talk: Talk) -> None:
    talk.ask("new", edition="barbecue", seats=3)
    assert at(talk.ask("record"), "record", "seats") == ["Player 1", "Player 2", "Player 3"]


def test_new_with_names_keeps_them_whatever_they_are(talk: Talk) -> None:
    names: list[JsonValue] = ["", "Ada, \u00c4da", "\ud800", "Ada, \u00c4da", "\n"]
    state = at(talk.ask("new", edition="junior", seats=names), "state")
    assert at(state, "seats") == 5
    assert at(talk.ask("record"), "record", "seats") == names


def test_new_takes_the_seat_that_starts_and_house_rules(talk: Talk) -> None:
    options: JsonObject = {"flip_always": True, "flip_returned": False}
    answer = talk.ask("new", edition="deluxe", seats=4, first=3, options=options)
    assert at(answer, "state", "to_move") == 3
    assert at(answer, "state", "options") == {"flip_always": True}
    record = talk.ask("record")
    assert at(record, "record", "first") == 3
    assert at(record, "record", "options") == {"flip_always": True}


@pytest.mark.parametrize(
    ("edition", "seats"),
    [(edition, seats) for edition, game in EDITIONS.items() for seats in game.players],
)
def test_new_sets_a_table_for_every_number_of_players(edition: str, seats: int) -> None:
    answer = Talk().ask("new", edition=edition, seats=seats)
    assert at(answer, "state", "scores") == [0] * seats


def test_new_replaces_the_game_that_was_there(talk: Talk) -> None:
    talk.ask("play", moves=["roll"])
    assert talk.ask("new", edition="junior", seats=2) == {"state": start_state("junior")}
    assert at(talk.ask("record"), "record", "moves") == []


# --- play -----------------------------------------------------------------------------------------


def test_play_answers_with_the_state_after_the_last_word(talk: Talk) -> None:
    assert talk.send("play", moves=["roll"]) == {"ok": True, "state": after_roll()}
    assert talk.send("play", moves=["=11234WWW"]) == {"ok": True, "state": after_throw()}
    assert talk.send("play", moves=["keep:W"]) == {"ok": True, "state": after_keep()}


def test_play_plays_a_whole_turn_at_once(talk: Talk) -> None:
    assert talk.send("play", moves=[*TURN]) == {"ok": True, "state": after_turn()}


def test_play_of_nothing_changes_nothing(talk: Talk) -> None:
    assert talk.ask("play", moves=[]) == {"state": start_state("classic")}
    assert at(talk.ask("record"), "record", "moves") == []


def test_play_takes_dice_in_any_order_and_writes_them_in_face_order(talk: Talk) -> None:
    assert talk.ask("play", moves=["roll", "=W1W23W14"]) == {"state": after_throw()}
    assert at(talk.ask("record"), "record", "moves") == ["roll", "=11234WWW"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_play_takes_a_whole_game(edition: str) -> None:
    record, talk = finished(edition), Talk()
    talk.ask("new", edition=edition, seats=record["seats"])
    state = at(talk.ask("play", moves=record["moves"]), "state")
    assert at(state, "over") is True
    assert at(state, "awaits") == "nobody"
    assert at(state, "winners") == at(record, "result", "winners")
    assert talk.ask("record") == {"record": record}


# --- throw ----------------------------------------------------------------------------------------


def test_throw_says_what_fell_and_the_state_after_it(talk: Talk) -> None:
    talk.ask("play", moves=["roll"])
    answer = talk.send("throw")
    assert list(answer) == ["ok", "move", "state"]
    dice = text_at(answer, "move").removeprefix("=")
    assert at(answer, "state", "turn", "roll") == dice
    assert at(answer, "state", "legal") == [f"keep:{face}" for face in sorted(set(dice))]
    assert at(talk.ask("record"), "record", "moves") == ["roll", answer["move"]]


def test_throw_is_the_same_as_playing_its_move(talk: Talk) -> None:
    talk.ask("play", moves=["roll"])
    answer, other = talk.ask("throw"), Talk()
    other.ask("new", edition="classic", seats=2)
    assert other.ask("play", moves=["roll", answer["move"]]) == {"state": answer["state"]}


def throws(seed: JsonValue, turns: int = 12) -> list[JsonValue]:
    """The first throws of that many turns; every turn keeps the first face and stops."""
    talk, fallen = Talk(), []
    talk.ask("new", edition="classic", seats=2, **({} if seed is None else {"seed": seed}))
    for _ in range(turns):
        talk.ask("play", moves=["roll"])
        answer = talk.ask("throw")
        fallen.append(answer["move"])
        talk.ask("play", moves=[list_at(answer, "state", "legal")[0], "stop"])
    return fallen


@pytest.mark.parametrize("seed", [0, 7, -1, 2**70, "", "7", "Würmer", "\ud800"])
def test_a_seed_makes_throws_repeatable(seed: int | str) -> None:
    assert throws(seed) == throws(seed)
    assert throws(seed) != throws("another")


def test_without_a_seed_every_game_has_its_own_dice() -> None:
    """Twelve equal throws of eight dice do not happen by chance."""
    assert throws(None) != throws(None)


# --- state and record -----------------------------------------------------------------------------


def test_state_shows_the_state(talk: Talk) -> None:
    assert talk.send("state") == {"ok": True, "state": start_state("classic")}
    played = talk.ask("play", moves=[*TURN[:5]])
    assert talk.ask("state") == played


def test_record_of_an_unfinished_game_has_no_result(talk: Talk) -> None:
    talk.ask("play", moves=[*TURN])
    assert talk.send("record") == {
        "ok": True,
        "record": {
            "heckmeck": 1,
            "edition": "classic",
            "seats": ["Player 1", "Player 2"],
            "first": 0,
            "options": {},
            "moves": TURN,
        },
    }


# --- load -----------------------------------------------------------------------------------------


def test_load_of_an_unfinished_game_goes_on_where_it_was_left(talk: Talk) -> None:
    record: JsonObject = {
        "heckmeck": 1,
        "edition": "classic",
        "seats": ["Ada", "Ben"],
        "moves": [*TURN[:3]],
    }
    assert talk.send("load", record=record) == {"ok": True, "state": after_keep()}
    assert talk.ask("play", moves=[*TURN[3:]]) == {"state": after_turn()}


def test_load_before_any_game() -> None:
    talk = Talk()
    record: JsonObject = {"heckmeck": 1, "edition": "classic", "seats": ["A", "B"], "moves": []}
    assert talk.send("load", record=record) == {"ok": True, "state": start_state("classic")}
    talk.ask("play", moves=["roll"])
    assert text_at(talk.ask("throw"), "move").startswith("=")


@pytest.mark.parametrize("edition", EDITIONS)
def test_load_of_a_finished_game_shows_its_end_and_takes_no_more_words(edition: str) -> None:
    talk, record = Talk(), finished(edition)
    state = at(talk.ask("load", record=record), "state")
    assert at(state, "over") is True
    assert at(state, "scores") == at(record, "result", "scores")
    assert talk.refusal("play", moves=["roll"])["code"] == "illegal_move"
    assert talk.ask("record") == {"record": record}


def test_load_keeps_keys_that_are_not_ours(talk: Talk) -> None:
    record: JsonObject = {
        "heckmeck": 1,
        "edition": "classic",
        "seats": ["Ada", "Ben"],
        "first": 1,
        "options": {"flip_returned": True},
        "moves": ["roll"],
        "date": "2018-05-01",
        "proof": {"seeds": [1, None, "\ud800"]},
    }
    talk.ask("load", record=record)
    assert talk.ask("record") == {"record": record}


# --- undo -----------------------------------------------------------------------------------------


def test_undo_takes_back_one_word_unless_told(talk: Talk) -> None:
    talk.ask("play", moves=[*TURN[:3]])
    assert talk.send("undo") == {"ok": True, "state": after_throw()}


def test_undo_takes_back_dice_too(talk: Talk) -> None:
    talk.ask("play", moves=[*TURN[:2]])
    assert talk.ask("undo", count=1) == {"state": after_roll()}
    assert talk.ask("undo", count=1) == {"state": start_state("classic")}


@pytest.mark.parametrize("count", range(len(TURN) + 1))
def test_undo_leaves_the_game_as_it_was_so_many_words_ago(talk: Talk, count: int) -> None:
    earlier = Talk()
    earlier.ask("new", edition="classic", seats=2)
    earlier.ask("play", moves=[*TURN[: len(TURN) - count]])
    talk.ask("play", moves=[*TURN])
    assert talk.ask("undo", count=count) == earlier.ask("state")
    assert talk.game() == earlier.game()


@pytest.mark.parametrize("edition", EDITIONS)
def test_undo_reopens_a_finished_game(edition: str) -> None:
    talk, record = Talk(), finished(edition)
    end = talk.ask("load", record=record)
    state = at(talk.ask("undo"), "state")
    assert at(state, "over") is False
    record_now = at(talk.ask("record"), "record")
    assert isinstance(record_now, dict)
    assert "result" not in record_now
    assert talk.ask("play", moves=[list_at(record, "moves")[-1]]) == end


def test_undo_of_a_loaded_game_reaches_back_to_its_start(talk: Talk) -> None:
    record = finished("junior")
    talk.ask("load", record=record)
    answer = talk.ask("undo", count=len(list_at(record, "moves")))
    assert answer == {"state": start_state("junior")}


# --- bots and choose ------------------------------------------------------------------------------


def test_bots_are_listed_without_a_game() -> None:
    assert Talk().send("bots") == {
        "ok": True,
        "bots": [
            {"name": bot.name, "editions": list(bot.editions), "about": bot.about}
            for bot in BOTS.values()
        ],
    }


@pytest.mark.parametrize("bot", BOTS)
def test_choose_answers_with_a_legal_move_and_plays_nothing(talk: Talk, bot: str) -> None:
    talk.ask("play", moves=[*TURN[:2]])
    before = talk.game()
    answer = talk.send("choose", bot=bot)
    assert list(answer) == ["ok", "move"]
    assert answer["move"] in list_at(before[0], "state", "legal")
    assert talk.game() == before


def test_choose_does_not_disturb_the_dice() -> None:
    def game(questions: int) -> list[JsonValue]:
        talk, fallen = Talk(), []
        talk.ask("new", edition="classic", seats=2, seed=5)
        for _ in range(10):
            for _ in range(questions):
                talk.ask("choose", bot="random")
            talk.ask("play", moves=["roll"])
            answer = talk.ask("throw")
            fallen.append(answer["move"])
            for _ in range(questions):
                talk.ask("choose", bot="random")
            talk.ask("play", moves=[list_at(answer, "state", "legal")[0], "stop"])
        return fallen

    assert game(questions=0) == game(questions=3)


def test_a_seed_makes_bots_repeatable_too() -> None:
    def choices() -> list[JsonValue]:
        talk = Talk()
        talk.ask("new", edition="classic", seats=2, seed="grill")
        talk.ask("play", moves=["roll", "=11234WWW"])
        return [talk.ask("choose", bot="random")["move"] for _ in range(20)]

    assert choices() == choices()
    assert len(set(map(str, choices()))) > 1


# --- advise and quit ------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_advise_weighs_each_legal_move_best_first_and_plays_nothing(edition: str) -> None:
    talk = Talk()
    talk.ask("load", record=record_to_json(bot_game(edition, words=2)))
    before = talk.game()
    answer = talk.ask("advise")
    assert set(answer) == {"moves", "unit"}
    assert answer["unit"] in ("worms", "win")
    advice = list_at(answer, "moves")
    assert sorted(text_at(each, "move") for each in advice) == list_at(before[0], "state", "legal")
    worths = [number_at(each, "worth") for each in advice]
    assert worths == sorted(worths, reverse=True)
    assert all(0 <= number_at(each, "fail") <= 1 for each in advice)
    assert talk.game() == before


def test_advise_in_the_unit_that_is_asked_for() -> None:
    talk = Talk()
    talk.ask("new", edition="classic", seats=2, options={"flip_always": True})
    assert talk.ask("advise", unit="worms")["unit"] == "worms"
    assert talk.ask("advise")["unit"] == "worms", "no champion knows house rules"
    for unit in ("win", "plates", 1):
        assert talk.refusal("advise", unit=unit)["code"] == "bad_request"


def number_at(data: JsonValue, key: str) -> float:
    value = at(data, key)
    assert isinstance(value, int | float)
    return value


def test_quit_is_answered_and_ends_the_engine() -> None:
    requests = as_line({"do": "quit", "id": 1}) + as_line({"do": "bots", "id": 2})
    assert serve_bytes(requests) == [{"id": 1, "ok": True}]


# --- id -------------------------------------------------------------------------------------------

IDS: list[JsonValue] = [
    0,
    -1,
    10**300,
    1.5,
    -0.0,
    "",
    "7",
    "Würmer\n",
    "\ud800",
    "\udcff\ud800",
    None,
    True,
    False,
    [],
    {},
    [1, [None, {"id": "\ud800"}]],
    {"": {"do": "quit"}, "ok": False, "error": 1},
]


def test_the_ids_are_of_every_kind_that_json_has() -> None:
    assert {type(value) for value in IDS} == {bool, int, float, str, list, dict, type(None)}


@pytest.mark.parametrize("identity", IDS, ids=repr)
def test_an_id_comes_back_with_a_result_and_with_an_error(identity: JsonValue) -> None:
    requests = [{"do": "bots", "id": identity}, {"id": identity}, {"do": "state", "id": identity}]
    answers = serve_bytes(b"".join(map(as_line, requests)))
    assert [answer["ok"] for answer in answers] == [True, False, False]
    for answer in answers:
        assert repr(answer["id"]) == repr(identity)


def test_without_an_id_none_comes_back() -> None:
    answers = serve_bytes(as_line({"do": "bots"}) + as_line({"do": "nothing"}))
    assert not any("id" in answer for answer in answers)


def test_the_record_of_an_engine_is_one_that_can_be_read(talk: Talk) -> None:
    talk.ask("play", moves=[*TURN])
    record = at(talk.ask("record"), "record")
    assert record_to_json(record_from_json(record)) == record
