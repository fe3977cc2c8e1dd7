"""A client of a server's table, for programs that are no browser.

It speaks the protocol of docs/protocol.md: it says hello with the number of the last event that it
knows, comes back by itself after a lost connection, and sends again what was not answered. It
knows no rules and nothing of the server's code: what it needs to know travels over the wire.

`heckmeck.client.connection` needs the package websockets, what is here does not.

>>> read_address("localhost:8000/t/boka-miru-tela").live
'ws://localhost:8000/api/tables/boka-miru-tela/live'
"""

from heckmeck.client.address import BadAddress, TableAddress, is_address, read_address
from heckmeck.client.known_seats import KnownSeats, new_secret
from heckmeck.client.table import Heard, RemoteTable
from heckmeck.client.wire import BadAnswer, Happening, TableInfo, Tips

__all__ = [
    "BadAddress",
    "BadAnswer",
    "Happening",
    "Heard",
    "KnownSeats",
    "RemoteTable",
    "TableAddress",
    "TableInfo",
    "Tips",
    "is_address",
    "new_secret",
    "read_address",
]
