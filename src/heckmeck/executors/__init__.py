"""Executors: work done in this process, in a pool of processes or on a Ray cluster.

An `Executor` takes pieces of work (chunks of a tournament, rounds of self-play) and yields their
results, in any order. Where the work is done does not affect them.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Final, Protocol, TypeVar

from heckmeck.bots.outside import close_outside_players

#: Pieces of work assigned to each worker: the current one and the next.
AHEAD: Final = 2
#: A piece of work that has killed this many workers is not tried again.
MAX_DEATHS: Final = 3

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class WorkersDied(RuntimeError):
    """Workers were killed repeatedly."""


class NoCluster(RuntimeError):
    """There is no Ray cluster at that address."""


class Work(Protocol[R_co]):
    """A piece of work that can be sent to a worker; its text describes it."""

    def run(self) -> R_co:
        """Do the work; the result is the same anywhere and every time."""
        ...


class Executor(Protocol):
    """Runs pieces of work."""

    @property
    def workers(self) -> int:
        """The number of pieces done at once."""
        ...

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work and yield each result as soon as it is available."""
        ...

    def close(self) -> None:
        """Drop work in progress and release all resources; no more work may follow."""
        ...


class Inline:
    """Does the work in this process, one piece at a time."""

    workers = 1

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work in order."""
        return (piece.run() for piece in work)

    def close(self) -> None:
        """End the programs of outside bots."""
        close_outside_players()


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def executor_for(workers: int, ray: str | None = None) -> Executor:
    """Return an executor on this machine, or on the Ray cluster ``ray`` (see `OnRay`)."""
    if ray is not None:
        from heckmeck.executors.ray_cluster import OnRay

        return OnRay(ray, workers)
    from heckmeck.executors.processes import Processes

    return Inline() if workers == 1 else Processes(workers)
