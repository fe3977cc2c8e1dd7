"""A real server in a process of its own, that can be stopped, killed and started again.

As a program it serves with the settings in its argument, so that tests can be less patient and
more generous than a host would be.
"""

import asyncio
import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.hosting.autopilot import Timing
from heckmeck.server import monitoring
from heckmeck.server.app import Settings
from heckmeck.server.limits import Limits, Rate
from heckmeck.server.run import Address, bind, prepare, serve
from heckmeck.server.security import LOOPBACK
from heckmeck.server.store import sqlite_file
from tests.server.advisors import Slow

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
MANY = Rate(100_000, 100_000)
GENEROUS = Limits(
    messages=MANY,
    changes=MANY,
    pages=MANY,
    requests=MANY,
    heavy=MANY,
    hints=MANY,
    tables=MANY,
    books=MANY,
    sockets=10_000,
    connections=10_000,
)
IMPATIENT = Timing(absence=0.2, roll_call=0.2, salt=1.0)


def free_port() -> int:
    """Return a port that nobody uses."""
    with bind(Address(HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Server:
    """A server with its database at ``location`` and its log in ``folder``."""

    def __init__(self, folder: Path, location: str | None = None, **options: object) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.location = location or str(folder / "tables.sqlite3")
        self.port = free_port()
        self._options = {"location": self.location, "port": self.port, **options}
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://{HOST}:{self.port}"

    @property
    def log(self) -> str:
        """Everything that it has logged, in all its lives."""
        return self._log.read_text(encoding="utf-8")

    async def logged(self, event: str) -> str:
        """Wait until it has logged this, which a thread does in its own time; return the log."""
        async with asyncio.timeout(20):
            while f" {event}" not in self.log:
                await asyncio.sleep(0.02)
        return self.log

    @property
    def pid(self) -> int:
        """The process that was started last."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> "Server":
        """Start it, and return when it answers."""
        self.launch()
        self.wait()
        return self

    def launch(self) -> None:
        """Start it, and return at once."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.serving", json.dumps(self._options)],
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )

    def wait(self) -> None:
        """Return when it answers."""
        import httpx  # not in the server's own process, which starts hundreds of times

        deadline = time.monotonic() + 60
        while True:
            assert self._process is not None
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            with suppress(httpx.TransportError):
                httpx.get(f"{self.url}/healthz", timeout=10)
                return
            time.sleep(0.02)

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; return its exit status."""
        assert self._process is not None
        self._process.send_signal(sign)
        return self._process.wait(30)

    def kill(self) -> None:
        """End it as if the power had failed."""
        self.stop(signal.SIGKILL)

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()


def _limits(options: dict[str, Any]) -> Limits:
    """Read what `dataclasses.asdict` made of limits."""
    read: Any = {
        name: Rate(**value) if isinstance(value, dict) else value for name, value in options.items()
    }
    return Limits(**read)


def _wait_at_most(seconds: float) -> None:
    """Do not wait as long as usual for a database that does not answer."""
    from heckmeck.server.store import postgres_link

    vars(postgres_link).update(
        PATIENCE_SECONDS=seconds,
        SHORT_PATIENCE_SECONDS=seconds / 2,
        STATEMENT_SECONDS=seconds / 2,
    )
    vars(sqlite_file).update(PATIENCE_SECONDS=seconds)
    vars(monitoring).update(TRY_SECONDS=0.1)


def main() -> None:
    """Serve with the options in the first argument."""
    options = json.loads(sys.argv[1])
    if "patience" in options:
        _wait_at_most(options["patience"])
    settings = Settings(
        options["location"],
        limits=_limits(options["limits"]) if "limits" in options else GENEROUS,
        timing=Timing(**options["timing"]) if "timing" in options else IMPATIENT,
        log=options.get("log", "text"),
        origins=tuple(options.get("origins", ())),
        proxies=tuple(options.get("proxies", LOOPBACK)),
        root=options.get("root", ""),
        metrics=tuple(options.get("metrics", ())),
        log_level=options.get("log_level", "info"),
        web=Path(options["web"]) if "web" in options else None,
        advisor=Slow(0) if "advisor" in options else None,
        bots=tuple((name, bot) for name, bot in options.get("bots", {}).items()),
        move_seconds=options.get("move_seconds", MOVE_SECONDS),
    )
    prepare(settings)
    with bind(Address(HOST, options["port"])) as listener:
        serve(settings, listener, options.get("workers", 1))


if __name__ == "__main__":
    main()
