"""Talking to an engine: inside this process, or over bytes as `heckmeck engine` does."""

import io
import json

from heckmeck.engine import Engine, serve
from heckmeck.record import JsonObject, JsonValue


class Talk:
    """A conversation with an engine of our own."""

    def __init__(self) -> None:
        self.engine = Engine()

    def send(self, do: str, **fields: JsonValue) -> JsonObject:
        """Send a request and return the whole answer."""
        return self.engine.answer({"do": do, **fields})

    def ask(self, do: str, **fields: JsonValue) -> JsonObject:
        """Send a request that must be answered, and return the answer without its ``ok``."""
        answer = self.send(do, **fields)
        assert answer.pop("ok") is True, answer
        return answer

    def refusal(self, do: str, **fields: JsonValue) -> JsonObject:
        """Send a request that must be refused without a trace, and return the error."""
        return self.refusal_of({"do": do, **fields})

    def refusal_of(self, data: JsonValue) -> JsonObject:
        before = self.game()
        answer = self.engine.answer(data)
        assert self.game() == before, "a refused request has changed the game"
        assert answer.pop("ok") is False
        (error,) = answer.values()
        assert isinstance(error, dict)
        assert list(answer) == ["error"]
        return error

    def game(self) -> tuple[JsonObject, JsonObject]:
        """All that can be seen of the game: its state and its record."""
        return self.engine.answer({"do": "state"}), self.engine.answer({"do": "record"})


def serve_bytes(requests: bytes) -> list[JsonObject]:
    """Return what is answered to these bytes, after checking that it is a JSON object a line."""
    answers = io.BytesIO()
    serve(io.BytesIO(requests), answers)
    return read_answers(answers.getvalue())


def read_answers(answers: bytes) -> list[JsonObject]:
    assert not answers or answers.endswith(b"\n")
    return [read_answer(line) for line in answers.splitlines()]


def read_answer(line: bytes) -> JsonObject:
    """Read one answer, which has to have one of the two shapes of the contract."""
    answer: JsonValue = json.loads(line.decode("ascii"))
    assert isinstance(answer, dict)
    if answer["ok"] is not True:
        assert answer["ok"] is False
        assert set(answer) <= {"id", "ok", "error"}
        error = answer["error"]
        assert isinstance(error, dict)
        assert {"code", "message"} <= set(error) <= {"code", "message", "index"}
    return answer


def as_line(data: JsonValue) -> bytes:
    """Return a request as it is sent."""
    return json.dumps(data).encode("ascii") + b"\n"


def at(data: JsonValue, *path: str | int) -> JsonValue:
    """Return what lies at the end of the path."""
    for step in path:
        if isinstance(step, int):
            assert isinstance(data, list)
            data = data[step]
        else:
            assert isinstance(data, dict)
            data = data[step]
    return data


def text_at(data: JsonValue, *path: str | int) -> str:
    value = at(data, *path)
    assert isinstance(value, str)
    return value


def list_at(data: JsonValue, *path: str | int) -> list[JsonValue]:
    value = at(data, *path)
    assert isinstance(value, list)
    return value
