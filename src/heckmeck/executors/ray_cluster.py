"""An executor on a Ray cluster, for work that outgrows one machine.

Needs the extra ``heckmeck[ray]`` on this and every other machine of the cluster.
"""

import logging
import os
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar, cast

import ray
from ray.exceptions import RayTaskError, WorkerCrashedError

from heckmeck.executors import AHEAD, MAX_DEATHS, NoCluster, Work, WorkersDied

#: Start Ray on this machine, for this run.
LOCAL: Final = "local"
#: Use the cluster that this machine belongs to.
AUTO: Final = "auto"
KNOCK_SECONDS: Final = 10.0

R = TypeVar("R")


class OnRay:
    """Does the work as Ray tasks; Ray repeats the work of a lost worker or machine."""

    def __init__(self, where: str, workers: int) -> None:
        """Connect to ``where``: ``local`` (with ``workers``), ``auto`` or a cluster's address.

        Raise `NoCluster` if there is none.
        """
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            _connect(where, workers)
        self.workers = max(_cores(), 1)
        self._run = ray.remote(_run).options(num_cpus=1, max_retries=MAX_DEATHS)

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work; raise `WorkersDied` if a piece of it keeps killing its worker."""
        waiting = iter(work)
        running: dict[ray.ObjectRef[object], Work[R]] = {}
        while True:
            for piece in islice(waiting, AHEAD * self.workers - len(running)):
                running[self._run.remote(piece)] = piece
            if not running:
                return
            for done in ray.wait([*running], num_returns=1)[0]:
                yield _result(done, running.pop(done))

    def close(self) -> None:
        """Leave the cluster; work in progress there is dropped."""
        if self._is_ours:
            ray.shutdown()


def _cores() -> int:
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return int(resources.get("CPU", 1))


def _connect(where: str, workers: int) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # do not send usage statistics
    is_local = where == LOCAL
    try:
        if where not in (LOCAL, AUTO):
            _knock(where)
        ray.init(
            address=where,
            num_cpus=workers if is_local else None,
            include_dashboard=False if is_local else None,
            logging_level=logging.ERROR,
            log_to_driver=False,
        )
    except (OSError, ValueError, RuntimeError) as error:
        why = str(error).rstrip(".")
        raise NoCluster(
            f"There is no Ray cluster at {where!r}: {why}. Start one with `ray start --head`, "
            f"or use --ray {LOCAL}."
        ) from error


def _knock(address: str) -> None:
    """Raise `OSError` or `ValueError` if nothing listens there: Ray would try for ten minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()


def _run(work: Work[object]) -> object:
    """Do a piece of work; Ray does not type its result."""
    return work.run()


def _result(done: "ray.ObjectRef[object]", piece: Work[R]) -> R:
    try:
        return cast("R", ray.get(done))
    except RayTaskError as error:
        raise error.cause from error  # the original error of the worker
    except WorkerCrashedError as error:
        raise WorkersDied(
            f"Ray workers were killed {MAX_DEATHS + 1} times while playing {piece}. "
            "The machines may be short of memory."
        ) from error
