"""Bots that are programs of their own, good ones and bad ones."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from heckmeck.bots import BotMisbehaved, UnknownBot, find_bot, player
from heckmeck.bots.outside import (
    MAX_LINE,
    OutsidePlayer,
    Program,
    close_outside_players,
    command_of,
)
from heckmeck.dice import SeededLuck
from heckmeck.record import final_state
from heckmeck.rules import EDITIONS, AnyState, apply, legal, new_game, outcome, parse, word
from tests.bots.games import bot_game
from tests.bots.programs import GOOD, bot_name, is_running, wait_for_end

LUCK = SeededLuck(0)
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mybot.py"


@pytest.fixture(autouse=True)
def no_program_is_left() -> Iterator[None]:
    yield
    close_outside_players()


def after_a_throw() -> AnyState:
    state = new_game("classic", 2)
    for text in ("roll", "=11234WWW"):
        state = apply(state, parse(text)).state
    return state


# --- good ones ------------------------------------------------------------------------------------


def test_it_is_asked_with_the_state_and_its_answer_is_played(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    body = f'open({str(asked)!r}, "w").write(line); say(id=question["id"], move="keep:W")'
    bot = OutsidePlayer(bot_name(tmp_path, body))
    assert word(bot.choose(after_a_throw(), LUCK)) == "keep:W"
    text = asked.read_text()
    assert text.startswith('{"do": "choose", "state": {"edition": "classic", ')
    assert text.endswith('"seat": 0, "id": 1}\n')
    bot.close()


def test_one_program_answers_all_questions(tmp_path: Path) -> None:
    body = """
        assert question["id"] == number
        say(id=number, move=legal[number % len(legal)])
    """
    bot = OutsidePlayer(bot_name(tmp_path, body))
    state = after_a_throw()
    words = [word(move) for move in bot.choose_all([state] * 3, [LUCK] * 3)]
    assert words == ["keep:2", "keep:3", "keep:4"]
    assert word(bot.choose(state, LUCK)) == "keep:W"
    bot.close()


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_example_of_the_docs_plays_every_game(edition: str) -> None:
    bot = OutsidePlayer(f"exec:{sys.executable} {EXAMPLE}")
    record = bot_game(edition, 3, seed=1, bot=bot)
    assert outcome(final_state(record)) is not None
    bot.close()


def test_the_registry_knows_programs_only_for_who_asks_for_them(tmp_path: Path) -> None:
    name = bot_name(tmp_path)
    bot = find_bot(name, outside=True)
    assert (bot.name, bot.editions) == (name, tuple(EDITIONS))
    assert player(name, outside=True) is player(name, outside=True)
    for look_up in (find_bot, player):
        with pytest.raises(UnknownBot, match="There is no bot 'exec:"):
            look_up(name)


def test_the_registry_finds_its_own_bots_as_before() -> None:
    assert find_bot("fox", outside=True) is find_bot("fox")
    assert player("chick", outside=True) is player("chick")
    with pytest.raises(UnknownBot, match=r"Your own is py:module:Class or exec:\./mybot\."):
        find_bot("grandma", outside=True)


def test_what_the_registry_loads_plays(tmp_path: Path) -> None:
    bot = find_bot(bot_name(tmp_path), outside=True).load()
    assert word(bot.choose(after_a_throw(), LUCK)) == "keep:1"
    assert isinstance(bot, OutsidePlayer)
    bot.close()


# --- names ----------------------------------------------------------------------------------------


def test_a_name_is_split_as_a_shell_would() -> None:
    assert command_of("exec:sh -c 'exit 3'") == ["sh", "-c", "exit 3"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("exec:", r"exec: needs a program, such as exec:\./mybot"),
        ("exec:   ", "exec: needs a program"),
        ("exec:./no-such-bot --fast", r"There is no program '\./no-such-bot' to run"),
        ("exec:sh -c 'exit", "is not a command: No closing quotation"),
    ],
)
def test_a_name_that_is_no_command_is_refused(name: str, message: str) -> None:
    with pytest.raises(UnknownBot, match=message):
        find_bot(name, outside=True)


# --- bad ones -------------------------------------------------------------------------------------

BAD = {
    "no JSON": ("print('hello', flush=True)", "answered 'hello': not JSON: Expecting value"),
    "no UTF-8": ("os.write(1, bytes([255, 10]))", "byte 0 is not UTF-8 text"),
    "no object": ("print([1], flush=True)", r"answered '\[1\]', which is not a JSON object"),
    "no id": ("say(move=legal[0])", "but the question's id was 1"),
    "a wrong id": ("say(id=7, move=legal[0])", "but the question's id was 1"),
    "an id of another type": ("say(id=True, move=legal[0])", "but the question's id was 1"),
    "no move": ("say(id=1)", "whose move is not text"),
    "a move that is no text": ("say(id=1, move=4)", "whose move is not text"),
    "a word that is no move": ("say(id=1, move='hop')", "chose 'hop', which is not a move"),
    "an illegal move": (
        "say(id=1, move='stop')",
        "chose 'stop', which is not legal here; legal are keep:1, keep:2, keep:3, keep:4, keep:W",
    ),
    "dice of its own": ("say(id=1, move='=WWWWWWWW')", "chose '=WWWWWWWW', which is not legal"),
    "an end": ("sys.exit(3)", "ended with exit status 3 instead of answering"),
    "a violent end": (
        "os.kill(os.getpid(), signal.SIGKILL)",
        "was ended by SIGKILL instead of answering",
    ),
    "an error": (
        "raise RuntimeError('no idea')",
        r"ended with exit status 1 .*standard error:\n(.|\n)*RuntimeError: no idea$",
    ),
    "a closed output": ("os.close(1); time.sleep(60)", "closed its standard output"),
    "too long a line": (
        f"os.write(1, b'x' * {MAX_LINE // 2}); os.write(1, b'x' * {MAX_LINE}); time.sleep(60)",
        f"a line of more than {MAX_LINE} bytes",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bot_that_misbehaves_is_named_and_ended(tmp_path: Path, kind: str) -> None:
    body, message = BAD[kind]
    name = bot_name(tmp_path, f'open(sys.argv[0] + ".pid", "w").write(str(os.getpid()))\n{body}')
    bot = OutsidePlayer(name)
    with pytest.raises(BotMisbehaved, match=message) as caught:
        bot.choose(after_a_throw(), LUCK)
    assert str(caught.value).startswith(f"{name} ")
    wait_for_end(int((tmp_path / "bot.py.pid").read_text()))


def test_a_program_that_cannot_be_started_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(BotMisbehaved, match=r"does not start: No such file or directory\.$"):
        OutsidePlayer(f"exec:{broken}").choose(after_a_throw(), LUCK)


def test_a_bot_that_thinks_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    """The first move has time to start the program; the second has not."""
    body = f"""
        if number == 2:
            time.sleep(600)
        import subprocess
        child = subprocess.Popen(["sleep", "600"])
        open(sys.argv[0] + ".pid", "w").write(str(child.pid))
        {GOOD}
    """
    bot = OutsidePlayer(bot_name(tmp_path, body), seconds=2)
    bot.choose(after_a_throw(), LUCK)
    with pytest.raises(BotMisbehaved, match=r"did not answer within 2 s\.$"):
        bot.choose(after_a_throw(), LUCK)
    wait_for_end(int((tmp_path / "bot.py.pid").read_text()))


def test_a_bot_that_does_not_listen_cannot_hold_us_up(tmp_path: Path) -> None:
    """It answers without reading; its input fills up, which counts as thinking."""
    script = tmp_path / "deaf.py"
    script.write_text(
        "import json, time\n"
        "for number in range(1, 10_000):\n"
        '    print(json.dumps({"id": number, "move": "keep:W"}), flush=True)\n'
        "time.sleep(600)\n"
    )
    bot = OutsidePlayer(f"exec:{sys.executable} {script}", seconds=0.3)
    state = after_a_throw()
    with pytest.raises(BotMisbehaved, match=r"did not answer within 0\.3 s"):
        bot.choose_all([state] * 5_000, [LUCK] * 5_000)


def test_a_bot_that_misbehaved_is_started_afresh(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    body = f"""
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w")
            sys.exit(1)
        {GOOD}
    """
    bot = OutsidePlayer(bot_name(tmp_path, body))
    with pytest.raises(BotMisbehaved):
        bot.choose(after_a_throw(), LUCK)
    assert bot.choose(after_a_throw(), LUCK) in legal(after_a_throw())
    bot.close()


def test_after_ctrl_c_no_old_answer_is_taken_for_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = OutsidePlayer(bot_name(tmp_path))
    bot.choose(after_a_throw(), LUCK)

    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Program, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bot.choose(after_a_throw(), LUCK)
    assert word(bot.choose(after_a_throw(), LUCK)) == "keep:1"
    bot.close()


# --- the end --------------------------------------------------------------------------------------


def test_closing_ends_a_program_that_waits(tmp_path: Path) -> None:
    """It sees the end of its input and ends by itself, with time to tidy up."""
    end = tmp_path / "end"
    name = bot_name(tmp_path)
    with (tmp_path / "bot.py").open("a") as script:
        script.write(f'\nopen({str(end)!r}, "w").write("bye")\n')
    bot = OutsidePlayer(name)
    bot.choose(after_a_throw(), LUCK)
    assert bot.close() == ""
    assert end.read_text() == "bye"


def test_closing_ends_a_program_that_ignores_the_end_of_its_input(tmp_path: Path) -> None:
    name = bot_name(tmp_path, f'open(sys.argv[0] + ".pid", "w").write(str(os.getpid()))\n{GOOD}')
    with (tmp_path / "bot.py").open("a") as script:
        script.write("\ntime.sleep(600)\n")
    bot = OutsidePlayer(name)
    bot.choose(after_a_throw(), LUCK)
    pid = int((tmp_path / "bot.py.pid").read_text())
    assert is_running(pid)
    bot.close()
    wait_for_end(pid)


def test_closing_twice_is_no_harm(tmp_path: Path) -> None:
    bot = OutsidePlayer(bot_name(tmp_path))
    bot.choose(after_a_throw(), LUCK)
    bot.close()
    assert bot.close() == ""


def test_a_program_ends_with_the_process_that_used_it(tmp_path: Path) -> None:
    body = f"""
        open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
        {GOOD}
    """
    name = bot_name(tmp_path, body)
    code = (
        "from heckmeck.bots import player\n"
        "from heckmeck.dice import SeededLuck\n"
        "from heckmeck.rules import new_game\n"
        f"bot = player({name!r}, outside=True)\n"
        "bot.choose(new_game('classic', 2), SeededLuck(1))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    wait_for_end(int((tmp_path / "pid").read_text()))


def test_the_example_of_the_docs_can_be_run_by_its_name() -> None:
    assert os.access(EXAMPLE, os.X_OK)
    assert EXAMPLE.read_text().startswith("#!/usr/bin/env python3\n")
