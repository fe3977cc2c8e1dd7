"""Ctrl-C at a bad moment: noticed, but not before the moment is over."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def held_interrupts() -> Iterator[None]:
    """Finish the block whatever happens; a Ctrl-C during it is raised at its end."""
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
        raise KeyboardInterrupt
