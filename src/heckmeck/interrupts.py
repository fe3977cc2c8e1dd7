"""Ctrl-C: the first one ends a game or a command cleanly, and further ones are ignored.

People who press Ctrl-C often press it twice. The second one must not interrupt what the first one
started: leaving the screen, saying where the game is saved. Critical blocks defer it to their end.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


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


def run_until_interrupted(work: Coroutine[None, None, None]) -> None:
    """Run ``work`` to its end; Ctrl-C cancels it and is raised when it has cleaned up."""
    import asyncio

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


# --- deferred -------------------------------------------------------------------------------------


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
