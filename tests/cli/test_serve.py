"""`heckmeck serve` as people start it."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from heckmeck.cli import main
from heckmeck.cli.serve import bots_in
from heckmeck.server import run
from heckmeck.server.app import Settings
from heckmeck.server.store import sqlite_file

EVERYWHERE = "0.0.0.0"  # noqa: S104 (what people type)


@contextmanager
def serving(*args: str, data: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running command and the address that it tells."""
    with subprocess.Popen(
        [sys.executable, "-m", "heckmeck", "serve", "--port", "0", "--no-prepare", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"XDG_DATA_HOME": str(data), "PATH": "", "PYTHONUNBUFFERED": "1"},
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"Heckmeck is running at (\S+) \(press Ctrl-C to stop\)\.\n", line)
        assert found, line
        try:
            yield process, found[1]
        finally:
            process.kill()


def get(url: str) -> httpx.Response:
    """Get a page of a server that may still be starting."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return httpx.get(url)
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_needs_nothing_and_ends_cleanly(tmp_path: Path, sign: signal.Signals) -> None:
    with serving("--log", "json", data=tmp_path) as (process, url):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
        assert get(f"{url}healthz").json()["ok"]
        body = {"setup": {"edition": "classic"}}
        assert httpx.post(f"{url}api/tables", json=body).status_code == 201
        process.send_signal(sign)
        assert process.wait(20) == 0
        assert process.stderr is not None
        lines = [json.loads(line) for line in process.stderr.read().splitlines()]
    assert [line["event"] for line in lines] == ["request", "created", "request"]
    assert lines[0]["path"] == "/healthz"
    assert (tmp_path / "heckmeck" / "tables.sqlite3").is_file()


def test_tables_are_still_there_next_time(tmp_path: Path) -> None:
    database = str(tmp_path / "my.sqlite3")
    with serving("--db", database, data=tmp_path) as (_, url):
        get(f"{url}healthz")
        made = httpx.post(f"{url}api/tables", json={"setup": {"edition": "junior"}}).json()
    with serving("--db", database, data=tmp_path) as (_, url):
        assert get(f"{url}api/tables/{made['id']}").json()["table"]["setup"]["edition"] == "junior"


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["serve", *args]) == 1
    shown = capsys.readouterr()
    return shown.err


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        (None, {}),
        ("py:my_bots:Careful", {"Careful": "py:my_bots:Careful"}),
        (
            "Ada=py:m:Bot, champion:runs/best.npz,exec:./bots/mine.py --brave",
            {
                "Ada": "py:m:Bot",
                "best": "champion:runs/best.npz",
                "mine": "exec:./bots/mine.py --brave",
            },
        ),
    ],
)
def test_bots_get_names(text: str | None, bots: dict[str, str]) -> None:
    assert dict(bots_in(text)) == bots


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("py:no_such_module:Bot", "the module no_such_module cannot be imported"),
        ("fox", "fox plays at every table"),
        ("fox=py:m:Bot", "fox is already a bot"),
        ("hal", "There is no bot 'hal'"),
        ("py:m:A,py:n:A", "--bots py:n:A: there is no name for this bot"),
        ("exec:/", "there is no name for this bot"),
    ],
)
def test_bots_that_cannot_play(capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    message = refused(capsys, "--bots", text)
    assert says in message
    assert "Traceback" not in message


def test_several_workers_need_postgresql(capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "--workers", "2", "--db", "tables.sqlite3")
    assert message.startswith("heckmeck: More than one worker needs PostgreSQL: an SQLite")


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        message = refused(capsys, "--port", port, "--db", str(tmp_path / "x"))
    assert f"cannot listen at 127.0.0.1, port {port}: Address already in use" in message
    assert "Choose another --port" in message


def test_an_address_that_is_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "cannot listen at" in refused(capsys, "--host", "999.1.1.1", "--db", str(tmp_path / "x"))


@pytest.mark.parametrize(
    ("database", "says"),
    [
        ("mysql://localhost/x", "A mysql:// address is not supported"),
        ("postgresql://127.0.0.1:1/x?connect_timeout=2", "PostgreSQL"),
    ],
)
def test_a_database_that_is_none(
    capsys: pytest.CaptureFixture[str], database: str, says: str
) -> None:
    message = refused(capsys, "--port", "0", "--db", database)
    assert message.startswith("heckmeck: ")
    assert says in message
    assert "Traceback" not in message


def test_a_file_that_is_no_database(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("worms " * 1000)
    assert str(file) in refused(capsys, "--port", "0", "--db", str(file))


def test_a_damaged_database(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    run.prepare(Settings(str(file)))
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2] + b"\xa5" * (len(content) // 2))
    message = refused(capsys, "--port", "0", "--db", str(file))
    assert message.startswith(f"heckmeck: The database {file} is damaged (")
    assert "'heckmeck admin restore BACKUP --force'" in message
    assert message.count("\n") == 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened in a browser."""
    pages: list[str] = []
    monkeypatch.setattr("webbrowser.open", pages.append)
    return pages


@pytest.fixture
def only_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers are ready, and end."""

    def begin(*args: object) -> None:
        *_, ready = args
        assert callable(ready)
        ready()

    monkeypatch.setattr("heckmeck.server.run.serve", begin)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.usefixtures("only_begin")
def test_the_browser_opens(opened: list[str], tmp_path: Path) -> None:
    assert (
        main(["serve", "--open", "--no-prepare", "--port", "0", "--db", str(tmp_path / "x")]) == 0
    )
    until(lambda: bool(opened))
    assert opened[0].startswith("http://127.0.0.1:")


# --- a second one ---------------------------------------------------------------------------------


def test_a_second_one_opens_the_first(
    opened: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    database = str(tmp_path / "tables")
    with serving("--db", database, data=tmp_path) as (_, url):
        assert main(["serve", "--open", "--db", database]) == 0
        assert opened == [url]
        assert capsys.readouterr().out == f"Heckmeck is already running at {url}; opening it.\n"
        link = tmp_path / "link"
        link.symlink_to(database)
        assert main(["serve", "--open", "--db", str(link)]) == 0
        assert opened == [url, url]


@pytest.mark.parametrize("args", [[], ["--open", "--port", "0"], ["--open", "--host", "::1"]])
def test_a_second_one_that_was_to_be_elsewhere_is_refused(
    opened: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, args: list[str]
) -> None:
    database = str(tmp_path / "tables")
    with serving("--db", database, data=tmp_path) as (_, url):
        message = refused(capsys, *args, "--db", database)
    assert message.startswith(
        f"heckmeck: The tables in {database} are already being served at {url}. "
    )
    assert opened == []


def test_after_a_server_was_killed_the_next_one_serves(tmp_path: Path) -> None:
    for _ in range(2):
        with serving(data=tmp_path) as (process, url):
            assert get(f"{url}healthz").status_code == 200
            process.kill()
            process.wait()


def test_one_that_never_said_where_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sqlite_file, "ADDRESS_SECONDS", 0.0)
    with sqlite_file.claimed(tmp_path / "tables"):
        message = refused(capsys, "--open", "--db", str(tmp_path / "tables"))
    assert "are already being served. Use that server, stop it first" in message


def test_a_claim_that_cannot_be_written_down(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "x.server").mkdir()
    message = refused(capsys, "--db", str(tmp_path / "x"))
    assert (
        message
        == f"heckmeck: {tmp_path / 'x.server'}: Is a directory. Choose another file with --db.\n"
    )


@pytest.mark.usefixtures("only_begin")
def test_without_a_port_the_next_that_is_free_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("heckmeck.cli.serve.DEFAULT_PORT", port)
        monkeypatch.setattr("heckmeck.cli.serve.NEARBY", 1)
        assert main(["serve", "--no-prepare", "--db", str(tmp_path / "x")]) == 0
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", capsys.readouterr().out)
    assert found
    assert int(found[1]) != port


def test_what_is_bound_is_taken_at_once() -> None:
    """Between binding and listening a second server could have bound to the same address."""
    with run.bind(run.Address("127.0.0.1", 0)) as first, pytest.raises(run.CannotListen):
        run.bind(run.Address("127.0.0.1", first.getsockname()[1]))


def test_on_windows_a_port_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lets a server start again at once elsewhere would let a second one in there."""
    monkeypatch.setattr("os.name", "nt")
    with run.bind(run.Address("127.0.0.1", 0)) as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 0


@pytest.mark.parametrize(
    ("host", "own", "here", "elsewhere"),
    [
        ("127.0.0.1", "192.168.1.20", "http://127.0.0.1:80/", None),
        (EVERYWHERE, "192.168.1.20", "http://127.0.0.1:80/", "http://192.168.1.20:80/"),
        (EVERYWHERE, None, "http://127.0.0.1:80/", None),
        ("::", "192.168.1.20", "http://[::1]:80/", "http://192.168.1.20:80/"),
        ("fd00::7", None, "http://[fd00::7]:80/", None),
    ],
)
def test_it_says_where_to_find_it(
    monkeypatch: pytest.MonkeyPatch, host: str, own: str | None, here: str, elsewhere: str | None
) -> None:
    monkeypatch.setattr(run, "_own_address", lambda: own)
    address = run.Address(host, 80)
    assert (address.url, address.network_url) == (here, elsewhere)


def test_others_in_the_network_are_told_the_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("heckmeck.server.run.serve", lambda *_: None)
    monkeypatch.setattr(run, "_own_address", lambda: "192.168.1.20")
    assert main(["serve", "--host", EVERYWHERE, "--port", "0", "--db", str(tmp_path / "x")]) == 0
    assert "On other devices in your network: http://192.168.1.20:" in capsys.readouterr().out


def test_a_server_outlives_whoever_read_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`heckmeck serve | head -1`: a later line finds nobody."""

    def gone(_: str) -> None:
        raise BrokenPipeError

    served: list[str] = []

    def serve(settings: Settings, _: socket.socket, __: int, ready: Callable[[], None]) -> None:
        ready()
        served.append(settings.location)

    monkeypatch.setattr("click.echo", gone)
    monkeypatch.setattr("heckmeck.cli.prepare.start_preparing", lambda: True)
    monkeypatch.setattr(run, "serve", serve)
    location = str(tmp_path / "tables.sqlite3")
    assert main(["serve", "--port", "0", "--db", location]) == 0
    assert served == [location]
