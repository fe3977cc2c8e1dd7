"""Whatever is sent: one answer a line, no other output, and no change unless the answer is ok."""

import io
import json

from hypothesis import example, given
from hypothesis import strategies as st

from heckmeck.record import JsonObject, JsonValue, record_to_json
from heckmeck.rules import EDITIONS
from tests.bots.games import bot_game
from tests.engine.talk import as_line, at, list_at, serve_bytes

PROBE = as_line({"do": "record"})
NEW: JsonObject = {"do": "new", "edition": "deluxe", "seats": 3, "seed": 1}

# --- values: what the fields should hold, and everything else -------------------------------------

TEXTS = st.text(st.characters() | st.sampled_from("\ud800\udcff\0\n{}"), max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
ANYTHING: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
WORDS = st.sampled_from(
    [
        *("roll", "roll:golden", "stop", "reroll", "bust", "rob:1", "return:hen", "pinch:1"),
        *(f"keep:{face}" for face in "12345W6BCGK"),
        *("=11234WWW", "=12455", "=1", "=WWBCGK", "=+1", "=1134W+W", "=", "fry"),
    ]
)
RECORDS = [record_to_json(bot_game(edition, words=30)) for edition in EDITIONS]
FIELDS: dict[str, st.SearchStrategy[JsonValue]] = {
    "do": st.sampled_from(
        ["new", "play", "throw", "state", "record", "load", "undo", "bots", "choose", "advise"]
    ),
    "edition": st.sampled_from(list(EDITIONS)),
    "seats": st.integers(2, 5) | st.lists(TEXTS, min_size=2, max_size=5),
    "first": st.integers(0, 4),
    "options": st.dictionaries(st.sampled_from(["flip_always", "flip_returned"]), st.booleans()),
    "seed": st.integers() | TEXTS | st.none(),
    "moves": st.lists(WORDS, max_size=3),
    "record": st.sampled_from(RECORDS),
    "count": st.integers(0, 3),
    "bot": st.just("random"),
    "id": ANYTHING,
}
NEEDED: dict[str, tuple[str, ...]] = {
    "new": ("edition", "seats"),
    "play": ("moves",),
    "load": ("record",),
    "choose": ("bot",),
}


@st.composite
def requests(draw: st.DrawFn) -> JsonObject:
    """A request with the fields it needs, of which some may be of a wrong kind, and others."""
    name = draw(FIELDS["do"])
    assert isinstance(name, str)
    others = draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=3))
    data: JsonObject = {"do": name}
    for field in sorted(others | set(NEEDED.get(name, ()))):
        data[field] = draw(st.one_of(FIELDS[field], FIELDS[field], FIELDS[field], ANYTHING))
    return data


@st.composite
def spoilt_lines(draw: st.DrawFn) -> bytes:
    """A good line with some of its bytes cut out, put in or changed."""
    line = bytearray(json.dumps(draw(requests())).encode("ascii"))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(line)))
        length = draw(st.integers(0, 3))
        line[start : start + length] = draw(st.binary(max_size=3))
    return bytes(line)


LINES = st.one_of(
    requests().map(lambda data: json.dumps(data).encode("ascii")),
    spoilt_lines(),
    ANYTHING.map(lambda data: json.dumps(data).encode("ascii")),
    st.binary(max_size=60),
).map(lambda line: line.replace(b"\n", b" "))


# --- properties -----------------------------------------------------------------------------------


@given(st.lists(LINES, min_size=1, max_size=12), st.booleans())
@example([b'{"do": "new", "edition": "classic", "seats": 2, "seed": "\\ud800"}'], True)
@example([b'{"do": "load", "record": {}, "seed": "\\ud800"}'], True)
def test_no_line_kills_the_engine_or_changes_the_game_unless_it_is_ok(
    lines: list[bytes], begun: bool
) -> None:
    start = as_line(NEW) if begun else b""
    sent = start + PROBE + b"".join(line + b"\n" + PROBE for line in lines)
    answers = serve_bytes(sent)[begun:]
    assert len(answers) == 1 + 2 * len(lines)
    before = answers[0]
    for line, answer, after in zip(lines, answers[1::2], answers[2::2], strict=True):
        if answer["ok"] is not True:
            assert after == before, f"{line!r} was refused and changed the game"
        else:
            assert is_what_was_asked(json.loads(line), before, after), line
        before = after


def is_what_was_asked(request: JsonObject, before: JsonObject, after: JsonObject) -> bool:
    """Whether an answered request did to the record what it should."""
    if request["do"] in ("state", "record", "bots", "choose", "advise"):
        return after == before
    moves = list_at(after, "record", "moves")
    match request["do"]:
        case "new":
            return moves == []
        case "load":
            return at(after, "record", "edition") == at(request, "record", "edition")
        case "throw":
            return moves[:-1] == list_at(before, "record", "moves")
        case "play":
            known, more = list_at(before, "record", "moves"), list_at(request, "moves")
            return moves[: len(known)] == known and len(moves) == len(known) + len(more)
        case "undo":
            known = list_at(before, "record", "moves")
            return (
                len(known) - len(moves) == request.get("count", 1) and moves == known[: len(moves)]
            )
        case _:
            return False


@given(st.binary(max_size=400))
def test_any_bytes_get_one_answer_a_line(data: bytes) -> None:
    answers = serve_bytes(data)
    assert len(answers) == len(list(io.BytesIO(data)))
    assert all(at(answer, "ok") is False for answer in answers)


@given(requests())
def test_an_id_always_comes_back(request: JsonObject) -> None:
    (answer,) = serve_bytes(as_line(request))
    assert ("id" in answer) is ("id" in request)
    assert repr(answer.get("id")) == repr(request.get("id"))


@given(
    st.sampled_from(list(EDITIONS)),
    st.integers(2, 5),
    st.integers(0, 200),
    st.lists(requests(), max_size=5),
)
def test_every_record_the_engine_shows_can_be_loaded_again(
    edition: str, seats: int, seed: int, asked: list[JsonObject]
) -> None:
    """From the middle of a game, where more requests are answered than at its start."""
    game = record_to_json(bot_game(edition, seats, seed, words=60))
    load: JsonObject = {"do": "load", "record": game}
    shown = serve_bytes(b"".join(map(as_line, [load, *asked])) + PROBE)[-1]
    again = serve_bytes(as_line({"do": "load", "record": shown["record"]}) + PROBE)
    assert again[0]["ok"] is True
    assert again[1] == shown
