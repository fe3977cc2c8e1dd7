"""Tables without a server: what they are, what may be done at them, how clients see them.

Needs the standard library and msgspec only: no clock, disk, network or threads. A server adds
these, and anything else that can run Python and keep a log can add its own.
"""
