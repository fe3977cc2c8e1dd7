"""A file of games is read a line at a time, however large it is."""

import io
from itertools import islice
from pathlib import Path

import pytest

from heckmeck.record import MAX_BYTES, forms, read_record, split_games, write_json, write_text
from heckmeck.record.forms import record_to_json
from heckmeck.record.json_text import dumps

GAME = read_record(b"edition: classic\nseats: Ada, Ben\n\nroll =11234WWW keep:W\n")
LINE = dumps(record_to_json(GAME)).encode()


def split(data: bytes) -> list[bytes]:
    return [*split_games(io.BytesIO(data))]


@pytest.mark.parametrize("write", [write_json, write_text])
@pytest.mark.parametrize("before", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_either_form_is_one_game(write: type, before: bytes) -> None:
    data = before + write(GAME).encode()
    assert split(data) == [data]


@pytest.mark.parametrize("data", [b"", b"\n", b"{", b"{}", b"\xff\xfe", b"{}\n]", b"\0" * 99])
def test_what_is_no_record_is_handed_on_as_it_is(data: bytes) -> None:
    assert split(data) == [data]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n  \n"])
@pytest.mark.parametrize("start", [b"", b"\n", b"\xef\xbb\xbf"])
def test_json_lines_are_many(start: bytes, end: bytes) -> None:
    games = split(start + (LINE + end) * 3)
    assert [read_record(game) for game in games] == [GAME] * 3
    assert len(split(start + end.join([LINE] * 3))) == 3


def test_one_line_is_one_game() -> None:
    assert [read_record(game) for game in split(LINE + b"\n")] == [GAME]


def test_a_line_that_was_cut_off_is_a_game_too() -> None:
    """As after a full disk; `read_record` says what is wrong with it."""
    assert split(LINE + b"\n" + LINE[:30]) == [LINE + b"\n", LINE[:30]]


class Endless(io.BytesIO):
    """Lines without end; gives no more of them than it is asked for."""

    def __init__(self, line: bytes) -> None:
        super().__init__()
        self._line = line
        self._block = line * (100_000 // len(line) + 1)
        self.given = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0, "all of it"
        start = self.given % len(self._line)
        data = self._block[start : start + size]
        while len(data) < size:
            data += self._block[(start + len(data)) % len(self._line) :][: size - len(data)]
        self.given += len(data)
        return data

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0, "all of it"
        if b"\n" not in self._line:
            return self.read(size)
        start = self.given % len(self._line)
        return self.read(min(self._line.index(b"\n") + 1 - start, size))


def test_a_file_without_end_is_read_as_far_as_needed() -> None:
    file = Endless(LINE + b"\n")
    games = [*islice(split_games(file), 100)]
    assert games == [LINE + b"\n"] * 100
    assert file.given == 100 * (len(LINE) + 1)


@pytest.mark.parametrize("line", [b"x" * 1000, b"\0", b'{"x": "' + b"y" * 1000])
def test_no_more_is_kept_than_a_record_may_have(line: bytes) -> None:
    """One byte more, by which `read_record` knows that it is too much."""
    (data,) = split_games(Endless(line))
    assert len(data) == MAX_BYTES + 1


def test_blank_lines_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Millions of them would take half a minute, so the limit is lower here."""
    monkeypatch.setattr(forms, "MAX_BYTES", 10_000)
    (data,) = split_games(Endless(b"\n"))
    assert len(data) == 10_001


def test_a_line_that_is_too_long_is_one_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with path.open("wb") as file:
        file.write(LINE + b"\n{")
        file.write(b" " * (3 * MAX_BYTES))
        file.write(b"}\n" + LINE + b"\n")
    with path.open("rb") as file:
        sizes = [len(game) for game in split_games(file)]
    assert sizes == [len(LINE) + 1, MAX_BYTES + 1, len(LINE) + 1]
