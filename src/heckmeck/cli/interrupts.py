"""Ctrl-C for commands that work and print: the first one counts, and ends what they do in order."""

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

#: Seconds until a Ctrl-C is sent again that came where Python cannot pass it on.
AGAIN: Final = 0.01


@contextlib.contextmanager
def one_interrupt() -> Iterator[None]:
    """Raise the first Ctrl-C as `KeyboardInterrupt` and ignore the next ones.

    What a command saves and reports after it is short, and people press Ctrl-C more than once.
    After the block they are still ignored, if one came, until the process has ended.
    """
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or before is not signal.default_int_handler:
        yield  # nobody to hear it here; or it is ignored, as behind `nohup`, and stays so
        return
    print_ignored = sys.unraisablehook

    def interrupt(_: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    def send_again(ignored: "UnraisableHookArgs") -> None:
        """Lose no Ctrl-C that came in a destructor or in a callback of C code."""
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
