"""The link to a table, as copied from a browser or typed."""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

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
