"""Child processes that end with their parent, however it ends."""

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import wait


def when_parent_ends(act: Callable[[], None]) -> None:
    """Call ``act`` in a thread as soon as the parent of this process is gone.

    Do nothing in a process that was not started by `multiprocessing`.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        act()

    threading.Thread(target=watch, daemon=True).start()
