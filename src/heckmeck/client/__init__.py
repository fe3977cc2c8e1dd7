"""A client for tables on a server, for programs that are not browsers.

It speaks the protocol of docs/protocol.md: it says hello with the number of the last event it
knows, reconnects automatically, and resends requests that were not answered. It knows no rules and
shares no code with the server: everything it needs is sent by the server.

`heckmeck.client.connection` needs the package websockets; this package does not.

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
