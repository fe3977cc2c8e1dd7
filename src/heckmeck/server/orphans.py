"""Processes that end when the one that started them does, however that ends."""

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import wait


def when_parent_ends(act: Callable[[], None]) -> None:
    """Call ``act`` in a thread as soon as the process that started this one is gone.

    Do nothing in a process that was not started by `multiprocessing`.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        act()

    threading.Thread(target=watch, daemon=True).start()
