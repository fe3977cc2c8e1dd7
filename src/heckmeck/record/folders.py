"""The default folder for a user's games."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return our data folder, by the conventions of this system; it may not exist."""
    return _of_all_programs(environment, platform) / "heckmeck"


def _of_all_programs(environment: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        given = environment.get("LOCALAPPDATA", "")
        return Path(given) if given else Path.home() / "AppData" / "Local"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    given = environment.get("XDG_DATA_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"
