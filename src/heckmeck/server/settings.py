"""What the host of a server can choose. Plain values, so that workers can be given them."""

from dataclasses import dataclass, field
from pathlib import Path

from heckmeck.record.folders import data_folder
from heckmeck.server.autopilot import Timing
from heckmeck.server.coaching import CoachAdvisor
from heckmeck.server.hints import Advisor
from heckmeck.server.limits import Limits
from heckmeck.server.logs import LogForm, LogLevel
from heckmeck.server.retention import Keep


def web_folder() -> Path | None:
    """Return where the built web pages are, None in a checkout where they were not built."""
    folder = Path(__file__).parent.parent / "web_dist"
    return folder if (folder / "index.html").is_file() else None


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs. ``origins`` are those of pages besides its own that may connect."""

    location: str = field(repr=False)  # a URL may hold a password
    log: LogForm = "text"
    log_level: LogLevel = "info"
    origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    timing: Timing = field(default_factory=Timing)
    thinkers: int = 1
    advisor: Advisor | None = field(default_factory=CoachAdvisor)
    keep: Keep = field(default_factory=Keep)
    web: Path | None = field(default_factory=web_folder)


def default_database() -> Path:
    """Return the SQLite file in the user's data folder."""
    return data_folder() / "tables.sqlite3"
