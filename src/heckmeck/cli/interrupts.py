"""Ctrl-C for commands that compute and print: the first one ends them cleanly."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

#: Seconds until a Ctrl-C is sent again that arrived where Python cannot raise it.
AGAIN: Final = 0.01


@contextlib.contextmanager
def one_interrupt() -> Iterator[None]:
    """Raise the first Ctrl-C as `KeyboardInterrupt` and ignore further ones.

    Saving and reporting after an interrupt is quick, and people press Ctrl-C more than once. If
    there was one, further ones are ignored until the process ends, even after the block.
    """
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or before is not signal.default_int_handler:
        yield  # no signals in this thread; or ignored, as under `nohup`, and it stays so
        return
    print_ignored = sys.unraisablehook

    def interrupt(_: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    def send_again(ignored: "UnraisableHookArgs") -> None:
        """Resend a Ctrl-C that arrived in a destructor or a callback from C code."""
        if ignored.exc_type is not KeyboardInterrupt:
            print_ignored(ignored)
            return
        signal.signal(signal.SIGINT, interrupt)
        threading.Timer(AGAIN, os.kill, (os.getpid(), signal.SIGINT)).start()

    signal.signal(signal.SIGINT, interrupt)
    sys.unraisablehook = send_again
    try:
        yield
    finally:
        sys.unraisablehook = print_ignored
        if signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, before)
