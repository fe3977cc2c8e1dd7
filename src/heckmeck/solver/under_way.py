"""Whether something is being compiled, for interfaces that wait for it.

Separate from `heckmeck.solver.compiling`, so that asking does not import Numba.
"""

import threading

_lock = threading.Lock()
_depth = 0


def begin() -> None:
    """Note that a compilation has started."""
    _change(1)


def end() -> None:
    """Note that it has finished."""
    _change(-1)


def is_compiling() -> bool:
    """Whether something is being compiled in this process."""
    return _depth > 0


def _change(by: int) -> None:
    global _depth  # noqa: PLW0603 (there is one process)
    with _lock:
        _depth += by
