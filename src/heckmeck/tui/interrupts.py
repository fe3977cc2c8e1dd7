"""Ctrl-C at a table: the first one ends the game cleanly, and further ones are ignored.

People who press Ctrl-C often press it twice. The second one must not interrupt what the first one
started: leaving the screen, saying where the game is saved.
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Final

#: The exit status after Ctrl-C, as a shell reports it.
STATUS: Final = 128 + signal.SIGINT


def ignore_interrupts() -> None:
    """Ignore any further Ctrl-C: we are already leaving."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def first_interrupt(do: Callable[[], None]) -> Iterator[None]:
    """Call ``do`` at the first Ctrl-C in the block; further ones are ignored for good.

    If Ctrl-C is already ignored, as in a shell's background, it stays so.
    """

    def first(_: int, __: FrameType | None) -> None:
        ignore_interrupts()
        do()

    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is first:
            signal.signal(signal.SIGINT, before)


def raise_interrupt() -> None:
    """Raise `KeyboardInterrupt`, as Python does by default."""
    raise KeyboardInterrupt


def run_until_interrupted(work: Coroutine[None, None, None]) -> None:
    """Run ``work`` to its end; Ctrl-C cancels it and is raised when it has cleaned up."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(work)
        interrupted = False

        def interrupt() -> None:
            nonlocal interrupted
            interrupted = True
            loop.call_soon_threadsafe(task.cancel)

        with first_interrupt(interrupt):
            try:
                loop.run_until_complete(task)
            except asyncio.CancelledError:
                if not interrupted:
                    raise
    if interrupted:
        raise KeyboardInterrupt
