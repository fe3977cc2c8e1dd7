"""The link to a table, as copied from a browser or typed, and the seats of this device there."""

import json
import re
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from heckmeck.installation import write_safely

_SCHEMES: Final = {"http": "ws", "https": "wss"}
_TABLE: Final = re.compile(r"(?P<before>/.*)?/t/(?P<id>[a-z-]+)/?")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,64}")
_EXAMPLE: Final = "http://localhost:8000/t/boka-miru-tela"


class BadAddress(ValueError):
    """Not a link to a table; the message says what one looks like."""


class TableAddress(NamedTuple):
    """The address of a table.

    ``server`` is the address of its server without a trailing slash; ``secret`` is that of a seat,
    and empty in a link to the table alone.
    """

    server: str
    table: str
    secret: str = ""

    @property
    def page(self) -> str:
        """The address of the table's page, without a secret."""
        return f"{self.server}/t/{self.table}"

    @property
    def live(self) -> str:
        """The address of the table's WebSocket."""
        scheme, _, rest = self.server.partition("://")
        return f"{_SCHEMES[scheme]}://{rest}/api/tables/{self.table}/live"

    @property
    def record(self) -> str:
        """The address of the table's game as a record."""
        return f"{self.server}/api/tables/{self.table}/record.json"


def is_address(text: str) -> bool:
    """Whether ``text`` is meant as a link rather than the name of a file.

    >>> is_address("https://play.example.org/t/boka-miru-tela"), is_address("game.heckmeck.json")
    (True, False)
    """
    return text.lower().startswith(("http://", "https://"))


def read_address(text: str) -> TableAddress:
    """Return the table that a link leads to; raise `BadAddress` if it is not such a link.

    >>> read_address("localhost:8000/t/boka-miru-tela")
    TableAddress(server='http://localhost:8000', table='boka-miru-tela', secret='')
    """
    url = text.strip() if "://" in text else f"http://{text.strip()}"
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port  # raises ValueError for a port out of range
    except ValueError as error:
        raise BadAddress(f"{text!r:.80} is not a link: {error}.") from None
    if parts.scheme not in _SCHEMES or not host:
        raise BadAddress(f"{text!r:.80} is not a link to a table. One looks like {_EXAMPLE}.")
    found = _TABLE.fullmatch(parts.path)
    if found is None:
        raise BadAddress(
            f"{text!r:.80} is not the link of a table, which looks like {_EXAMPLE}. Open the "
            "server in a browser, create a table there, and copy its link."
        )
    if parts.fragment and not _SECRET.fullmatch(parts.fragment):
        raise BadAddress("The part after the # is not a seat's secret. Copy the whole link again.")
    server = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{found['before'] or ''}"
    return TableAddress(server, found["id"], parts.fragment)


#: The number of tables remembered; the least recently used are forgotten first.
MOST_TABLES: Final = 100


class KnownSeats:
    """The secrets of this device's seats, by table.

    Only the user can read the file. An unreadable file counts as empty: one can play without it.
    """

    def __init__(self, path: Path) -> None:
        """Store secrets in the file ``path``, which need not exist yet."""
        self._path = path

    def secrets(self, table: TableAddress) -> tuple[str, ...]:
        """Return the secrets of this device for a table."""
        return tuple(self._read().get(table.page, ()))

    def add(self, table: TableAddress, secret: str) -> None:
        """Remember a secret; raise `OSError` if the file cannot be written."""
        known = self._read()
        secrets = known.pop(table.page, [])
        known[table.page] = [*(each for each in secrets if each != secret), secret]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        latest = dict([*known.items()][-MOST_TABLES:])
        write_safely(self._path, json.dumps(latest, indent=1), 0o600)

    def _read(self) -> dict[str, list[str]]:
        try:
            data: object = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(data, dict):
            return {}
        return {
            str(page): [secret for secret in secrets if isinstance(secret, str)]
            for page, secrets in data.items()
            if isinstance(secrets, list)
        }
