"""`heckmeck engine`."""

import sys

import click

from heckmeck.engine import serve


@click.command()
def engine() -> None:
    """Speak the engine protocol on standard input and output.

    Reads one JSON object per line and answers each with one, until quit or the end of input.
    'heckmeck docs record' describes the protocol.

    \b
    Example:
      $ echo '{"do": "bots"}' | heckmeck engine
    """
    serve(sys.stdin.buffer, sys.stdout.buffer)
