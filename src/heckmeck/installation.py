"""This installation: how to add a package to it, and the files it keeps for its user.

The right command to add a package depends on the installer: environments of pipx and uv have no
pip, and the system's Python should not be changed with it.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

#: The extra that provides an optional package.
EXTRA_OF: Final = {
    "PIL": "envs",
    "gymnasium": "envs",
    "pettingzoo": "envs",
    "pyspiel": "envs",
    "matplotlib": "plots",
    "pyarrow": "data",
    "psycopg": "postgres",
    "psycopg_pool": "postgres",
    "ray": "ray",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A Python installation that contains heckmeck.

    Attributes:
        executable: Its interpreter.
        prefix: Its environment.
        is_venv: Whether that is a virtual environment.
        active: Whether it is activated in the user's shell, so that plain `pip` is its pip.
        installer: What installed heckmeck, according to its metadata: pip, uv, or nothing.
        managed: Whether the system forbids changing it with pip (PEP 668).
        windows: Whether commands are written for Windows.
    """

    executable: str
    prefix: Path
    is_venv: bool
    active: bool = False
    installer: str = ""
    managed: bool = False
    windows: bool = False

    @classmethod
    def here(cls) -> "Place":
        """Return the running installation."""
        prefix = Path(sys.prefix)
        return cls(
            sys.executable,
            prefix,
            is_venv=sys.prefix != sys.base_prefix,
            active=os.environ.get("VIRTUAL_ENV") == sys.prefix,
            installer=_installer(),
            managed=Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").is_file(),
            windows=os.name == "nt",
        )


def missing(package: str, place: Place | None = None) -> str | None:
    """Return the advice for a missing package; None if heckmeck does not use it."""
    place = place or Place.here()
    extra = EXTRA_OF.get(package)
    if extra is not None:
        return (
            f"this needs a package that is not installed here ({package}). {to_add(extra, place)}"
        )
    if package in {re.sub(r"[^\w].*", "", need) for need in _requirements()}:
        return (
            f"this installation is incomplete: the package {package} is missing. "
            f"{_sentence(place, 'heckmeck', repair=True)}"
        )
    return None


def to_add(extra: str, place: Place | None = None) -> str:
    """Return a sentence that says how to add an extra to this installation."""
    return _sentence(place or Place.here(), f"heckmeck[{extra}]")


def _sentence(place: Place, what: str, *, repair: bool = False) -> str:
    command = _command(place, what, repair)
    written = subprocess.list2cmdline(command) if place.windows else shlex.join(command)
    if _is_the_systems(place):
        return f"This Python belongs to your system and should not be changed; use pipx: {written}"
    return f"{'Repair' if repair else 'Add'} it with: {written}"


def _command(place: Place, what: str, repair: bool) -> list[str]:
    again = ["--force-reinstall"] if repair else []
    reinstall = ["--reinstall"] if repair else []
    if (place.prefix / "pipx_metadata.json").is_file():
        return ["pipx", "install", "--force", what]
    if (place.prefix / "uv-receipt.toml").is_file():
        return ["uv", "tool", "install", *reinstall, what]
    if place.installer == "uv":
        if (place.prefix.parent / "uv.lock").is_file():
            return ["uv", "sync", "--reinstall"] if repair else ["uv", "add", what]
        return ["uv", "pip", "install", *reinstall, "--python", place.executable, what]
    if _is_the_systems(place):
        return ["pipx", "install", what]
    if place.is_venv and place.active:
        return ["pip", "install", *again, what]
    return [place.executable, "-m", "pip", "install", *again, what]


def _is_the_systems(place: Place) -> bool:
    return place.managed and not place.is_venv


def _installer() -> str:
    try:
        return (metadata.distribution("heckmeck").read_text("INSTALLER") or "").strip()
    except metadata.PackageNotFoundError:  # running from source
        return ""


def _requirements() -> list[str]:
    """Return heckmeck's mandatory requirements, from its metadata."""
    try:
        needs = metadata.requires("heckmeck") or []
    except metadata.PackageNotFoundError:
        return []
    return [need for need in needs if "extra ==" not in need]


# --- files ----------------------------------------------------------------------------------------


def data_folder() -> Path:
    """Return our data folder, by the conventions of this system; it may not exist.

    On Windows, ``LOCALAPPDATA`` can move it. On macOS, ``XDG_DATA_HOME`` can move it, unless the
    usual folder exists: it was always used before.
    """
    from platformdirs import user_data_path

    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "heckmeck")
    usual = Path.home() / "Library" / "Application Support" / "heckmeck"
    if sys.platform == "darwin" and usual.is_dir():
        return usual
    return user_data_path("heckmeck", appauthor=False)


def write_safely(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a file atomically, with at most the permissions ``mode``."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
