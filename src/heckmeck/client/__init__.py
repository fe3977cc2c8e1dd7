"""A client for tables on a server, for programs that are not browsers.

It speaks the protocol of docs/protocol.md, in the messages of `heckmeck.wire`: it says hello with
the number of the last entry it knows, reconnects automatically, and resends requests that were not
answered.

`heckmeck.client.connection` needs the package websockets; this package does not.

>>> from heckmeck.client.address import read_address
>>> read_address("localhost:8000/t/boka-miru-tela").live
'ws://localhost:8000/api/tables/boka-miru-tela/live'
"""
