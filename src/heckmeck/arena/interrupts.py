"""Ctrl-C at a bad moment: noticed, but not before the moment is over."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def held_interrupts() -> Iterator[None]:
    """Finish the block whatever happens; a Ctrl-C during it counts at its end.

    Only the main thread hears Ctrl-C: in any other nothing is held.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = False

    def remember(_: int, __: FrameType | None) -> None:
        nonlocal came
        came = True

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(
            signal.SIGINT
        )  # not an exception: a block around this one may hold it, too


@contextlib.contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C wait; processes started meanwhile do not hear it while they wake up."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
