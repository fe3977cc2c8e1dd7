"""What happens around a game, in every language, in the words of the browser."""

import json
from importlib.resources import files

import pytest

from heckmeck.bots import BOTS
from heckmeck.narration import languages
from heckmeck.narration.messages import Messages
from heckmeck.narration.news import News

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
    "promised_words",
    "called",
    "added_words",
    "bot_set",
    "bot_removed",
    "changed",
    "revealed",
    "played",
]


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
    told = [news.happened(what, "Ada", "worm") for what in HAPPENINGS]
    told += [news.happened("emoted", "Ada", emote) for emote in EMOTES]
    told += [news.waiting(free, can_start=start) for free in (0, 1, 2) for start in (True, False)]
    told += [
        news.waiting(0, can_start=False, others=others) for others in (["Ada"], ["Ada", "Ben"])
    ]
    told += [news.watching(), news.closed(), news.link(first=True), news.link(first=False)]
    told += [news.replay(3, 17, None), news.replay(3, 17, 0.5)]
    for bot in BOTS:
        told += [news.bot(bot, ""), news.about_bot(bot, "")]
    codes = [key.removeprefix("refused.") for key in words(language) if key.startswith("refused.")]
    told += [news.refusal(code, "") for code in codes]
    assert used == {
        *words(language),
        "reconnecting",
        "plain.or",
    }  # the last two are on the table too
    assert all(line and not set("{}") & set(line) for line in told)


@pytest.mark.parametrize("what", SILENT)
def test_what_nobody_needs_to_read(what: str) -> None:
    assert News().happened(what) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_has_words(language: str) -> None:
    for bot in BOTS:
        assert {f"bot.{bot}", f"bot.{bot}.about"} <= set(words(language))


def test_a_newer_servers_words_are_passed_on() -> None:
    assert News("fr").refusal("no_such_seat", "There is no seat 9.") == "There is no seat 9."
    assert News().happened("emoted", "Ada", "wink") == "Ada: wink"


def test_where_a_replay_is() -> None:
    assert News("it").replay(3, 17, 0.5) == "Mossa 3 di 17, 0.5 al secondo"
