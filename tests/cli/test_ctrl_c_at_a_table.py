"""Ctrl-C, pressed as people press it: two or three times, at any moment of a game."""

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from heckmeck.interrupts import first_interrupt
from heckmeck.record import read_record
from tests.cli.tables import make_table
from tests.server.serving import Server
from tests.tui.terminal import RealTerminal, terminal

OPENING = str(Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt")
PLAY = ("play", "--players", "Ada,Ben", "--first", "0", "--seed", "7")
#: Seconds between one Ctrl-C and the next: too fast to be two, and while the program leaves.
GAPS = (0.0, 0.05)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


def press_thrice(shown: RealTerminal, gap: float) -> None:
    """Press Ctrl-C three times; the program leaves with its status and not a word about errors."""
    for _ in range(3):
        shown.type("\x03")
        time.sleep(gap)
    assert shown.end() == 130, shown.text()
    written = shown.written.decode()
    for word in ("Traceback", "Exception", "KeyboardInterrupt", "Fatal", "Error"):
        assert word not in written, shown.text()


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["table", "plain"])
def test_play_at_a_question(tmp_path: Path, plain: tuple[str, ...], gap: float) -> None:
    with terminal(tmp_path, *PLAY, *plain, "--record", "game") as shown:
        shown.wait_for("Roll 8|roll .r. >")
        shown.type("r\n" if plain else "r")
        shown.wait_for("keep:W|│ W │")
        press_thrice(shown, gap)
        assert "The record is in game." in shown.text()
    assert len(read_record((tmp_path / "game").read_bytes()).moves) == 2


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["table", "plain"])
def test_play_while_bots_think(tmp_path: Path, plain: tuple[str, ...], gap: float) -> None:
    """The program that plays takes for ever."""
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nwhile read -r line; do sleep 1000; done\n")
    bot.chmod(0o755)
    players = ("--players", f"exec:{bot},Ada", "--first", "0")
    with terminal(tmp_path, "play", *players, *plain, "--record", "game") as shown:
        shown.wait_for(r"is thinking|starts\.")
        press_thrice(shown, gap)
        assert "The record is in game." in shown.text()
    assert (tmp_path / "game").exists()


@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["table", "plain"])
def test_join_in_the_waiting_room(server: Server, tmp_path: Path, plain: tuple[str, ...]) -> None:
    link = make_table(server, "classic", seats=2)
    with terminal(tmp_path, "join", link, "--name", "Ada", *plain) as shown:
        shown.wait_for("1 seat is still free")
        press_thrice(shown, 0.05)
        assert "Continue with: heckmeck join" in re.sub(r"\s+", " ", shown.text())


@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["table", "plain"])
def test_join_while_the_server_is_away(tmp_path: Path, plain: tuple[str, ...]) -> None:
    with Server(tmp_path / "server") as server:
        link = make_table(server, "classic", "chick")
        with terminal(tmp_path, "join", link, "--name", "Ada", *plain) as shown:
            shown.wait_for("Start|start >")
            server.kill()
            shown.wait_for("Reconnecting")
            press_thrice(shown, 0.05)
            assert "Continue with: heckmeck join" in re.sub(r"\s+", " ", shown.text())


@pytest.mark.parametrize("how", [(), ("--plain",), ("--json",)], ids=["table", "plain", "json"])
def test_watch_a_table(server: Server, tmp_path: Path, how: tuple[str, ...]) -> None:
    link = make_table(server, "classic", "chick")
    with terminal(tmp_path, "watch", link, *how) as shown:
        shown.wait_for("1 seat is still free|connected")
        press_thrice(shown, 0.05)


@pytest.mark.parametrize("how", [(), ("--plain",), ("--json",)], ids=["table", "plain", "json"])
def test_watch_a_record(tmp_path: Path, how: tuple[str, ...]) -> None:
    with terminal(tmp_path, "watch", OPENING, "--speed", "0.25", *how) as shown:
        shown.wait_for("Ada starts|connected")
        press_thrice(shown, 0.05)


def test_a_signal_leaves_the_table_as_the_key_does(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY) as shown:
        shown.wait_for("Roll 8")
        shown.send(signal.SIGINT)
        shown.send(signal.SIGINT)
        assert shown.end() == 130
        assert "The game is saved in" in shown.text()
        assert "Traceback" not in shown.text()


# --- the mechanism --------------------------------------------------------------------------------


@pytest.fixture
def usual_interrupts() -> Iterator[None]:
    """Ctrl-C works after the test as before it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def raise_interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.usefixtures("usual_interrupts")
def test_later_interrupts_are_ignored_for_good() -> None:
    with pytest.raises(KeyboardInterrupt), first_interrupt(raise_interrupt):
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("usual_interrupts")
def test_without_an_interrupt_all_is_as_before() -> None:
    with first_interrupt(raise_interrupt):
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("usual_interrupts")
def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with first_interrupt(raise_interrupt):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
