"""Whether something is being compiled just now, for interfaces that wait for it.

Apart from `heckmeck.solver.compiling`, so that asking brings no Numba with it.
"""

import threading

_lock = threading.Lock()
_depth = 0


def begin() -> None:
    """Note that something begins to be compiled."""
    _change(1)


def end() -> None:
    """Note that it is done."""
    _change(-1)


def is_compiling() -> bool:
    """Whether something is being compiled in this process."""
    return _depth > 0


def _change(by: int) -> None:
    global _depth  # noqa: PLW0603 (there is one process)
    with _lock:
        _depth += by
