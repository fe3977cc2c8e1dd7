"""How many files and connections the system lets this process have."""

import sys
from typing import Final

#: More than anybody needs, and few enough for whatever walks through all of them.
_ENOUGH: Final = 65_536
#: Kept for what is no connection: the database, pages, processes that think.
_RESERVE: Final = 128


def room_for_connections() -> int:
    """Ask the system for as many handles as it gives; return how many connections may have."""
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
    except (OSError, ValueError):  # macOS has a limit below the one that it tells
        return soft
    return wanted
