"""`heckmeck join` and `heckmeck watch` in a real terminal."""

import asyncio
import re
import signal
from pathlib import Path

from tests.cli.tables import make_table
from tests.server.client import create
from tests.server.serving import Server
from tests.tui.terminal import terminal

OPENING = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"


def test_join_with_a_restart_in_the_middle(tmp_path: Path) -> None:
    with Server(tmp_path / "server") as server:
        link = make_table(server, "classic", "chick")
        with terminal(tmp_path, "join", link, "--name", "Ada") as shown:
            shown.wait_for("Start")
            shown.type("\r")
            shown.wait_for("Roll 8")
            server.kill()
            shown.wait_for("Reconnecting")
            server.start()
            shown.wait_for(r"Your turn\s*\n")  # and no note beside it
            shown.type("r")
            shown.wait_for("│ [1-5W] │")
            shown.type("q")
            assert shown.end() == 0
            flat = re.sub(r"\s", "", shown.text())
            assert f"Continuewith:heckmeckjoin{link}" in flat
        with terminal(tmp_path, "join", link) as shown:
            shown.wait_for("│ [1-5W] │")  # the same seat, the same throw
            shown.send(signal.SIGTERM)
            assert shown.end() == 128 + signal.SIGTERM


def test_join_where_there_is_nothing(tmp_path: Path) -> None:
    with terminal(tmp_path, "join", "http://127.0.0.1:9/t/boka-miru-tela") as shown:
        assert shown.end() == 1
        assert "heckmeck: No server answers at http://127.0.0.1:9" in shown.text()


def test_watch_a_table(tmp_path: Path) -> None:
    with Server(tmp_path / "server") as server:
        link = make_table(server, "deluxe", "chick")
        with terminal(tmp_path, "watch", link, "--language", "de") as shown:
            shown.wait_for("1 Platz ist noch frei")
            shown.type("q")
            assert shown.end() == 0


def test_watch_a_record(tmp_path: Path) -> None:
    with terminal(tmp_path, "watch", str(OPENING), "--speed", "0.25") as shown:
        shown.wait_for("Move 0 of 17, 0.25 per second")
        shown.type("\x1b[C\x1b[C")  # right, right
        shown.wait_for("Move 3 of 17")
        shown.wait_for("= 15  worm")
        shown.type("\x1b[D")  # left
        shown.wait_for("Move 2 of 17")
        shown.type("\x1b[F")  # end
        shown.wait_for("Move 17 of 17")
        shown.type("q")
        assert shown.end() == 0


def test_enter_hurries_a_bot_line_by_line(tmp_path: Path) -> None:
    """The bot would take minutes over its turn."""
    with Server(tmp_path / "server") as server:
        made = asyncio.run(create(server.url, "classic", ["chick"], seats=2, pace=10_000, first=1))
        link = f"{server.url}/t/{made['id']}#{made['secret']}"
        with terminal(tmp_path, "join", link, "--name", "Ada", "--plain") as shown:
            shown.wait_for("start >")
            shown.type("start\r")
            shown.wait_for("Press Enter to skip the rest")
            shown.type("\r")
            shown.wait_for(r"roll \[r\] >")
            shown.type("r\r")  # the line that was asked for last is the answer
            shown.wait_for("You roll")
            shown.type("q\r")
            assert shown.end() == 0
