"""`heckmeck review`: text, data, and a page that needs nothing else."""

import json
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec import to_builtins

from heckmeck.bots import player
from heckmeck.cli import main
from heckmeck.coach.review import review
from heckmeck.coach.why import Why
from heckmeck.record import Record, record_to_json, write_json
from heckmeck.record.json_text import dumps
from heckmeck.rules import EDITIONS, HouseRules, parse
from tests.bots.games import bot_game


def saved(record: Record, folder: Path) -> str:
    path = folder / "game.heckmeck.json"
    path.write_text(write_json(record), encoding="utf-8")
    return str(path)


def named(record: Record, *names: str) -> Record:
    return Record(record.edition, names, moves=record.moves)


@pytest.fixture
def junior() -> Record:
    return bot_game("junior", 2, seed=12, bot=player("chick"))


def test_a_review_in_words(
    junior: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = review(junior)
    assert main(["review", saved(junior, tmp_path)]) == 0
    text = capsys.readouterr().out
    assert f"judged by {judged.evaluator}." in text
    assert re.search(r"Ada gave away \d+ points? of win chance", text)
    first = next(each for each in judged.decisions if each.mark)
    assert re.search(rf"{first.move} +{first.choices[0].move} +{100 * first.loss:.1f}", text)
    assert first.reason is not None
    said = Why("en", junior.seats).short(first.reason, judged.unit)
    assert f"{first.index}: {said}" in " ".join(text.split())


def test_the_page_explains_every_mistake(junior: Record, tmp_path: Path) -> None:
    page, judged = tmp_path / "page.html", review(junior)
    assert main(["review", saved(junior, tmp_path), "--html", str(page), "--language", "it"]) == 0
    text, why = page.read_text(encoding="utf-8"), Why("it", junior.seats)
    for each in judged.decisions:
        if each.mark and each.reason is not None:
            assert escape(why(each.reason, judged.unit)) in text


def test_one_player_in_another_language(
    junior: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", saved(junior, tmp_path), "--seat", "Ben", "--language", "nl"]) == 0
    text = capsys.readouterr().out
    assert "Ben gaf" in text
    assert "Ada gaf" not in text
    assert main(["review", saved(junior, tmp_path), "--seat", "Eve"]) == 1
    assert "nobody is called that. The players are Ada, Ben." in capsys.readouterr().err


def test_many_games_as_data(
    junior: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = bot_game("classic", 2, words=30)
    games = tmp_path / "games.jsonl"
    games.write_text("".join(f"{dumps(record_to_json(each))}\n" for each in (junior, other)))
    assert main(["review", str(games), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for data, record in zip(found, (junior, other), strict=True):
        assert data.pop("edition") == record.edition
        assert data.pop("seats") == [*record.seats]
        assert data == to_builtins(review(record))
    page = tmp_path / "page.html"
    assert main(["review", str(games), "--html", str(page)]) == 1
    assert "has several games: choose one with --game N." in capsys.readouterr().err


def test_house_rules_are_judged_in_worms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = Record(
        "classic", ("Ada", "Ben"), house=HouseRules(flip_always=True), moves=(parse("roll"),)
    )
    assert main(["review", saved(house, tmp_path)]) == 0
    assert "In worms, judged by worms." in capsys.readouterr().out
    assert main(["review", saved(house, tmp_path), "--unit", "win"]) == 1
    assert "No champion has learned classic with these rules" in capsys.readouterr().err


class Tags(HTMLParser):
    """Notes every tag, its attributes and the text; open and closed tags must match."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("path", "circle") and self._open[-1] != tag:
            return
        assert self._open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_page_that_needs_nothing_else(
    edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names are only text; nothing is loaded; every mistake has its picture."""
    record = bot_game(edition, 2, seed=3, bot=player("chick"), words=250)
    record = named(record, "<script>alert(1)</script>", "B&B")
    page = tmp_path / "page.html"
    assert main(["review", saved(record, tmp_path), "--html", str(page)]) == 0
    capsys.readouterr()
    tags = Tags()
    tags.feed(page.read_text(encoding="utf-8"))
    assert "script" not in tags.seen
    assert "<script>alert(1)</script>" in tags.text
    assert not {name for name, _ in tags.attributes} & {"src", "onclick"}
    links = [value or "" for name, value in tags.attributes if name == "href"]
    drawn = {f"#{value}" for name, value in tags.attributes if name == "id"}
    assert set(links) <= drawn
    wrong = [each.index for each in review(record).decisions if each.mark]
    assert tags.seen.count("article") == len(wrong) > 0
    mistakes = {link for link in links if link.startswith("#move-")}
    assert {f"#move-{index}" for index in wrong} == mistakes
