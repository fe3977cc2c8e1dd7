"""What happens around a game, in every language, in the words of the browser."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from heckmeck.bots import BOTS
from heckmeck.narration import News, languages
from heckmeck.narration.messages import Messages
from heckmeck.wire.refusals import Code

NEWS = files("heckmeck.narration") / "news"
LANGUAGES = [*languages()]
EMOTES = ("cheer", "clap", "cry", "gasp", "hurry", "laugh", "sorry", "think", "worm")
HAPPENINGS = [
    "started",
    "sat",
    "left",
    "went_away",
    "came_back",
    "stood_in",
    "emoted",
    "reopened",
    "closed",
    "undone",
]
SILENT = [
    "created",
    "named",
    "promised_salt",
    "called",
    "shown_salt",
    "bot_set",
    "bot_removed",
    "changed",
    "revealed",
    "played",
]

#: Every code that something can be refused with, wherever it is written.
SOURCE = Path(__file__).parents[2]
CODES = {
    *Code,
    *re.findall(
        r"(?:TurnedAway|super\(\).__init__)\(\s*\"([a-z_]+)\"",
        (SOURCE / "src/heckmeck/client/connection.py").read_text(encoding="utf-8"),
    ),
    *(
        code
        for path in (SOURCE / "src/heckmeck/tui").glob("*.py")
        for code in re.findall(r"refusal\(\"([a-z_]+)\"", path.read_text(encoding="utf-8"))
    ),
    *(
        code
        for path in (SOURCE / "web/src").rglob("*.ts")
        for code in re.findall(
            r"(?:new Refused\(|\bcode: )'([a-z_]+)'", path.read_text(encoding="utf-8")
        )
    ),
}


def words(language: str) -> dict[str, str]:
    told: dict[str, str] = json.loads((NEWS / f"{language}.json").read_text(encoding="utf-8"))
    return told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_keys_of_english(language: str) -> None:
    assert [*words(language)] == [*words("en")]
    assert all(words(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_used(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    say = Messages.say

    def say_and_note(self: Messages, key: str, **blanks: str | int) -> str:
        used.add(key)
        return say(self, key, **blanks)

    monkeypatch.setattr(Messages, "say", say_and_note)
    news = News(language)
    told = [
        news.happened(what, "Ada", "worm", you=you) for what in HAPPENINGS for you in (False, True)
    ]
    told += [news.happened("emoted", "Ada", emote) for emote in EMOTES]
    told += [news.waiting(free, can_start=start) for free in (0, 1, 2) for start in (True, False)]
    told += [
        news.waiting(0, can_start=False, others=others) for others in (["Ada"], ["Ada", "Ben"])
    ]
    told += [news.watching(), news.closed(), news.reconnecting()]
    told += [news.replay(3, 17, None), news.replay(3, 17, 0.5)]
    for bot in BOTS:
        told += [news.bot(bot, ""), news.about_bot(bot, "")]
    told.append(news.about_bot("a bot that the host brought", ""))
    told += [
        news.refusal(code, "", wait, address="x", why="y")
        for code in CODES
        for wait in (None, 0.2, 3.5)
    ]
    assert used == {
        *words(language),
        "reconnecting",
        "plain.or",
    }  # the last two are on the table too
    assert all(line and not set("{}") & set(line) for line in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words_in_every_language(language: str) -> None:
    """Whatever the server, the client and the pages can refuse is told in the reader's words."""
    assert [code for code in CODES if f"refused.{code}" not in words(language)] == []


def test_the_refusals_are_found_in_the_source() -> None:
    assert {"stale", "too_long", "offline", "unreachable", "no_table_there", "version"} <= CODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_happens_to_the_reader_is_told_without_their_name(language: str) -> None:
    for what in HAPPENINGS:
        told = News(language).happened(what, "Qwertz", "worm", you=True)
        assert told is not None
        assert "Qwertz" not in told


def test_a_limit_says_how_long_it_lasts() -> None:
    assert News().refusal("too_fast", "", 0.1) == "That was too fast. Try again in 1 second."
    assert News("de").refusal("too_many", "", 41.2) == (
        "Zu viele neue Tische. Nimm einen, den du schon hast, oder öffne in 42 Sekunden noch einen."
    )
    assert News().refusal("too_fast", "") == "That was too fast. Wait a moment and try again."
    assert News().refusal("closed", "", 3.0) == "This table is closed. Open a new one."


def test_where_nobody_answers_is_told() -> None:
    told = News("it").refusal("unreachable", "", address="http://localhost:1", why="Nein")
    assert told.startswith("Nessun server risponde all’indirizzo http://localhost:1 (Nein). ")


@pytest.mark.parametrize("what", SILENT)
def test_what_nobody_needs_to_read(what: str) -> None:
    assert News().happened(what) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_has_words(language: str) -> None:
    for bot in BOTS:
        assert {f"bot.{bot}", f"bot.{bot}.about"} <= set(words(language))


def test_a_newer_servers_words_are_passed_on() -> None:
    assert News("fr").refusal("too_sunny", "It is too sunny.", 3.0) == "It is too sunny."
    assert News().happened("emoted", "Ada", "wink") == "Ada: wink"


def test_where_a_replay_is() -> None:
    assert News("it").replay(3, 17, 0.5) == "Mossa 3 di 17, 0.5 al secondo"
