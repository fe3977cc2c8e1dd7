"""Every error of the engine protocol. After each the game is exactly as before.

`Talk.refusal` compares state and record before and after the request.
"""

import pytest

from heckmeck.record import JsonObject, JsonValue
from heckmeck.wire.engine import Code
from tests.engine.talk import Talk, as_line, list_at, serve_bytes, text_at


def in_mid_turn() -> Talk:
    talk = Talk()
    talk.ask("new", edition="classic", seats=["Ada", "Ben"], seed=7)
    talk.ask("play", moves=["roll", "=11234WWW", "keep:W"])
    return talk


def with_dice_awaited() -> Talk:
    talk = in_mid_turn()
    talk.ask("play", moves=["roll"])
    return talk


@pytest.fixture(params=[Talk, in_mid_turn, with_dice_awaited])
def talk(request: pytest.FixtureRequest) -> Talk:
    """An engine without a game, in the middle of a turn, and while dice are in the air."""
    begin = request.param
    talk = begin()
    assert isinstance(talk, Talk)
    return talk


def test_these_are_the_codes_of_the_contract() -> None:
    assert [str(code) for code in Code] == [
        "bad_json",
        "bad_request",
        "no_game",
        "illegal_move",
        "bad_record",
        "unknown_bot",
    ]


# --- bad_request ----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, 7, "seven", [1]], ids=repr)
def test_a_request_is_an_object(talk: Talk, data: JsonValue) -> None:
    error = talk.refusal_of(data)
    assert error == {"code": "bad_request", "message": "A request must be a JSON object."}


@pytest.mark.parametrize("name", [None, True, 7, ["new"]], ids=repr)
def test_a_request_says_what_to_do(talk: Talk, name: JsonValue) -> None:
    error = talk.refusal_of({"do": name})
    assert error == {"code": "bad_request", "message": "do is required and must be text."}
    assert talk.refusal_of({}) == error


@pytest.mark.parametrize("name", ["", "New", "game", " new", "\ud800", "__init__", "is_done"])
def test_an_unknown_request_is_answered_with_those_there_are(talk: Talk, name: str) -> None:
    error = talk.refusal(name)
    assert error["code"] == "bad_request"
    assert text_at(error, "message").endswith(
        "The requests are new, play, throw, state, record, load, undo, bots, choose, advise, quit."
    )


def test_a_name_of_a_million_letters_is_cut_short_in_the_message(talk: Talk) -> None:
    assert len(text_at(talk.refusal("x" * 1_000_000), "message")) < 500


GOOD_NEW: JsonObject = {"edition": "classic", "seats": 2, "first": 0, "options": {}, "seed": 7}
BAD_FIELDS: dict[str, list[JsonValue]] = {
    "edition": [7, "", "Classic", "chess", "\ud800"],
    "seats": [None, True, -1, 0, 1, 8, 99, 100, 10**300, [], ["Ada"], ["Ada", 7]],
    "first": [None, True, 1.5, -1, 2, 10**300],
    "options": [None, [], {"flip": True}, {"\ud800": True}, {"flip_always": 1}],
    "seed": [True, 1.5, []],
}


@pytest.mark.parametrize(
    ("field", "value"),
    [(field, value) for field, values in BAD_FIELDS.items() for value in values],
    ids=lambda part: repr(part)[:20],
)
def test_new_refuses_a_bad_field_and_says_why(talk: Talk, field: str, value: JsonValue) -> None:
    error = talk.refusal("new", **{**GOOD_NEW, field: value})
    assert error["code"] == "bad_request"
    assert list(error) == ["code", "message"]
    assert text_at(error, "message").endswith(".")


def test_the_good_request_is_good() -> None:
    """So the field that is changed above is what is wrong."""
    assert Talk().send("new", **GOOD_NEW)["ok"] is True


@pytest.mark.parametrize("field", ["edition", "seats"])
def test_new_needs_an_edition_and_seats(talk: Talk, field: str) -> None:
    fields = {key: value for key, value in GOOD_NEW.items() if key != field}
    assert talk.refusal("new", **fields)["code"] == "bad_request"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"edition": "chess"}, "There is no edition 'chess'. The editions are classic, deluxe, "),
        ({"seats": 8}, "classic is for 2 to 7 players, not for 8."),
        ({"edition": "junior", "seats": 6}, "junior is for 2 to 5 players, not for 6."),
        ({"first": 2}, "first must be a seat from 0 to 1, not 2."),
        ({"first": -1}, "This new is not valid: Expected `int` >= 0 - at `$.first`."),
        ({"seats": ["Ada", None]}, "This new is not valid: Expected `str`, got `null` - at "),
        (
            {"options": {"flip": True}},
            "This new is not valid: Object contains unknown ",
        ),
        ({"options": {"flip_always": 1}}, "This new is not valid: Expected `bool`, got `int`"),
        ({"edition": "junior", "options": {"flip_always": True}}, "junior has no house rules."),
    ],
)
def test_new_says_what_is_wrong(fields: JsonObject, message: str) -> None:
    error = Talk().refusal("new", **{**GOOD_NEW, **fields})
    assert text_at(error, "message").startswith(message)


@pytest.mark.parametrize("moves", [None, "roll", ["roll", 1]], ids=repr)
def test_play_needs_a_list_of_words(moves: JsonValue) -> None:
    talk = in_mid_turn()
    assert talk.refusal("play", moves=moves)["code"] == "bad_request"
    assert talk.refusal("play")["code"] == "bad_request"


def test_throw_needs_dice_in_the_air() -> None:
    error = in_mid_turn().refusal("throw")
    assert error == {"code": "bad_request", "message": "No dice are to be rolled now."}


@pytest.mark.parametrize("request_name", ["choose", "advise"])
def test_choose_and_advise_need_a_player_to_be_awaited(request_name: str) -> None:
    error = with_dice_awaited().refusal(request_name, bot="random")
    assert error == {"code": "bad_request", "message": "No player has to decide now."}


@pytest.mark.parametrize("request_name", ["throw", "choose", "advise"])
def test_nobody_is_awaited_when_the_game_is_over(request_name: str) -> None:
    talk = Talk()
    talk.ask("new", edition="junior", seats=2, seed=1)
    while list_at(talk.ask("state"), "state", "winners") == []:
        talk.ask("play", moves=["roll"])
        legal = list_at(talk.ask("throw"), "state", "legal")
        talk.ask("play", moves=[legal[0], "stop"])
    assert talk.refusal(request_name, bot="random")["code"] == "bad_request"


@pytest.mark.parametrize("count", [None, True, 1.5, -1], ids=repr)
def test_undo_needs_a_number_of_words(count: JsonValue) -> None:
    assert in_mid_turn().refusal("undo", count=count)["code"] == "bad_request"


@pytest.mark.parametrize("count", [4, 1000, 10**300])
def test_undo_takes_back_no_more_words_than_were_played(count: int) -> None:
    error = in_mid_turn().refusal("undo", count=count)
    assert error["code"] == "bad_request"
    assert error["message"] == f"{count} moves cannot be taken back: only 3 were played."


@pytest.mark.parametrize("bot", [None, 7], ids=repr)
def test_choose_needs_the_name_of_a_bot(bot: JsonValue) -> None:
    talk = in_mid_turn()
    assert talk.refusal("choose", bot=bot)["code"] == "bad_request"
    assert talk.refusal("choose")["code"] == "bad_request"


# --- no_game --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_name", ["play", "throw", "state", "record", "undo", "choose", "advise"]
)
def test_without_a_game_there_is_nothing_to_answer_about(request_name: str) -> None:
    error = Talk().refusal(request_name, moves=[], bot="random")
    assert error == {
        "code": "no_game",
        "message": "There is no game: send new or load first.",
    }


# --- illegal_move ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "index"),
    [
        (["keep:W"], 0),
        (["fry"], 0),
        (["roll", "fry"], 1),
        (["roll", "=12455", "keep:W"], 2),
        (["roll", "=12455", "keep:5", "stop", "stop"], 4),
        (["roll", "=1245"], 1),
        (["roll", "=1245B"], 1),
        (["roll", "=12456"], 1),
        (["roll", "="], 1),
        (["roll:golden"], 0),
        (["rob:1"], 0),
        (["\ud800"], 0),
        (["Roll"], 0),
        (["roll "], 0),
        ([""], 0),
    ],
    ids=repr,
)
def test_a_bad_word_plays_none_of_the_list(moves: list[JsonValue], index: int) -> None:
    error = in_mid_turn().refusal("play", moves=moves)
    assert list(error) == ["code", "message", "index"]
    assert error["code"] == "illegal_move"
    assert error["index"] == index
    assert text_at(error, "message").startswith(f"move {index}: ")


def test_an_illegal_move_is_answered_with_what_would_be_legal() -> None:
    error = in_mid_turn().refusal("play", moves=["roll", "=12455", "keep:W"])
    assert error["message"] == (
        "move 2: keep:W is not allowed: W was already kept this turn. "
        "Legal here: keep:1, keep:2, keep:4, keep:5."
    )


def test_the_last_of_many_words_can_spoil_them_all() -> None:
    turns = ["roll", "=11111111", "keep:1"] * 2000
    talk = Talk()
    talk.ask("new", edition="classic", seats=2)
    assert talk.refusal("play", moves=[*turns, "stop"])["index"] == len(turns)


def test_a_game_that_has_all_the_words_it_may_have_takes_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = with_dice_awaited()
    monkeypatch.setattr("heckmeck.record.record.MAX_MOVES", 4)
    assert talk.refusal("play", moves=["=12455"])["index"] == 0
    talk.refusal("throw")
    monkeypatch.undo()
    assert talk.ask("throw") == with_dice_awaited().ask("throw")


# --- bad_record -----------------------------------------------------------------------------------

GOOD_RECORD: JsonObject = {
    "heckmeck": 1,
    "edition": "classic",
    "seats": ["Ada", "Ben"],
    "first": 0,
    "options": {},
    "moves": ["roll", "=11234WWW", "keep:W"],
}
BAD_RECORDS: list[JsonValue] = [
    None,
    7,
    {},
    {**GOOD_RECORD, "heckmeck": 2},
    {**GOOD_RECORD, "edition": "chess"},
    {**GOOD_RECORD, "seats": ["Ada", 7]},
    {**GOOD_RECORD, "moves": ["roll", 1]},
    {**GOOD_RECORD, "result": {}},
]


@pytest.mark.parametrize("record", BAD_RECORDS, ids=lambda record: repr(record)[-30:])
def test_load_refuses_a_bad_record(talk: Talk, record: JsonValue) -> None:
    error = talk.refusal("load", record=record)
    assert list(error) == ["code", "message"]
    assert error["code"] == "bad_record"


def test_the_good_record_is_good() -> None:
    assert Talk().send("load", record=GOOD_RECORD)["ok"] is True


def test_load_needs_a_record(talk: Talk) -> None:
    assert talk.refusal("load")["code"] == "bad_record"


@pytest.mark.parametrize(
    ("moves", "index"),
    [
        (["stop"], 0),
        (["roll", "=11234WWW", "keep:5"], 2),
        (["roll", "=11234WWW", "keep:W", "fry"], 3),
        (["roll", "=1123"], 1),
    ],
)
def test_load_says_which_move_is_bad(talk: Talk, moves: list[JsonValue], index: int) -> None:
    error = talk.refusal("load", record={**GOOD_RECORD, "moves": moves})
    assert list(error) == ["code", "message", "index"]
    assert error["code"] == "bad_record"
    assert error["index"] == index


@pytest.mark.parametrize("seed", BAD_FIELDS["seed"], ids=repr)
def test_load_refuses_a_bad_seed(talk: Talk, seed: JsonValue) -> None:
    assert talk.refusal("load", record=GOOD_RECORD, seed=seed)["code"] == "bad_request"


# --- unknown_bot ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["", "Random", "grandma", "\ud800"])
def test_an_unknown_bot(bot: str) -> None:
    error = in_mid_turn().refusal("choose", bot=bot)
    assert error["code"] == "unknown_bot"
    assert "The bots are random" in text_at(error, "message")


# --- and after all of them ------------------------------------------------------------------------


def test_errors_do_not_disturb_dice_or_bots() -> None:
    mistakes: list[JsonValue] = [
        7,
        {"do": "fry"},
        {"do": "new", "edition": "classic", "seats": 99, "seed": 1},
        {"do": "load", "record": {}, "seed": 1},
        {"do": "play", "moves": ["roll", "fry"]},
        {"do": "undo", "count": 10**6},
        {"do": "choose", "bot": "grandma"},
    ]

    def game(spoilt: list[JsonValue]) -> list[JsonValue]:
        talk, told = Talk(), []
        talk.ask("new", edition="junior", seats=2, seed=3)
        for _ in range(5):
            for mistake in spoilt:
                talk.refusal_of(mistake)
            talk.ask("play", moves=["roll"])
            told.append(talk.ask("throw")["move"])
            told.append(talk.ask("choose", bot="random")["move"])
            talk.ask("play", moves=[told[-1], "stop"])
        return told

    assert game(mistakes) == game([])


def test_the_engine_goes_on_after_every_error() -> None:
    lines = [b"\xff\n", b"{\n", as_line(7), as_line({}), as_line({"do": "state"})]
    answers = serve_bytes(b"".join(lines) + as_line({"do": "bots"}))
    assert [answer["ok"] for answer in answers] == [False] * 5 + [True]
