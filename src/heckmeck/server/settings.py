"""The settings of a server: plain values, so that they can be sent to workers."""

from dataclasses import dataclass, field
from pathlib import Path

from heckmeck.record.folders import data_folder
from heckmeck.server.autopilot import Timing
from heckmeck.server.coaching import CoachAdvisor
from heckmeck.server.hints import Advisor
from heckmeck.server.limits import Limits
from heckmeck.server.logs import LogForm, LogLevel
from heckmeck.server.proxy import LOOPBACK
from heckmeck.server.retention import Keep


def web_folder() -> Path | None:
    """Return the folder of the built web pages; None in a checkout without them."""
    folder = Path(__file__).parent.parent / "web_dist"
    return folder if (folder / "index.html").is_file() else None


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server.

    ``origins`` are those of other pages that may connect, ``hosts`` are names of the server in
    addition to those of `security.Names`. ``proxies`` are the addresses and networks that are
    trusted to report a client's address. ``root`` is the path of the site on its
    host, "" for the top level. ``metrics`` are the networks that may read them.
    """

    location: str = field(repr=False)  # a URL may contain a password
    log: LogForm = "text"
    log_level: LogLevel = "info"
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = LOOPBACK
    root: str = ""
    metrics: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    timing: Timing = field(default_factory=Timing)
    thinkers: int = 1
    advisor: Advisor | None = field(default_factory=CoachAdvisor)
    keep: Keep = field(default_factory=Keep)
    web: Path | None = field(default_factory=web_folder)


def default_database() -> Path:
    """Return the SQLite file in the user's data folder."""
    return data_folder() / "tables.sqlite3"
