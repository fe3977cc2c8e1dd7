"""Everything that programs say to each other, once, as msgspec structs.

Requests, answers, log entries and HTTP bodies of tables on a server. Server, client and the
pages' TypeScript types (by way of `heckmeck.wire.schema`) all use these. ``docs/protocol.md``
describes them.
"""
