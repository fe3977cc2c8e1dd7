"""Deferring Ctrl-C until a critical block has finished."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def held_interrupts() -> Iterator[None]:
    """Defer a Ctrl-C during the block until its end.

    Only the main thread receives Ctrl-C: in any other, this does nothing.
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
        signal.raise_signal(signal.SIGINT)  # not an exception: an outer block may defer it too


@contextlib.contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Defer Ctrl-C; processes started in the block ignore it while they start."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
