"""The limit on open files and connections of this process."""

import sys
from typing import Final

#: More than any server needs, and few enough for code that iterates over all handles.
_ENOUGH: Final = 65_536
#: Reserved for other files: the database, pages, worker processes.
_RESERVE: Final = 128


def room_for_connections() -> int:
    """Raise the limit on open files as far as possible; return how many connections it allows."""
    handles = _handles()
    return handles - min(_RESERVE, handles // 4)


def _handles() -> int:
    if sys.platform == "win32":
        return _ENOUGH
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _ENOUGH if soft == resource.RLIM_INFINITY else min(soft, _ENOUGH)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # macOS enforces a lower limit than it reports
        return soft
    return wanted
