"""Results from the workers: counted as they arrive, with records put in order."""

from typing import TextIO

from heckmeck.arena.chunks import ChunkResult
from heckmeck.arena.tally import Tally


class Collector:
    """Everything played so far."""

    def __init__(self, records: TextIO | None = None) -> None:
        """Start empty; write records to ``records``, if given."""
        self.tally = Tally()
        self._file = records
        self._next = 0
        self._early: dict[int, ChunkResult] = {}

    def take(self, result: ChunkResult) -> None:
        """Count a chunk, and write its records once all earlier ones are written."""
        self.tally += result.tally
        self._early[result.first] = result
        while ready := self._early.pop(self._next, None):
            self._write(ready)
            self._next += ready.count

    def finish(self) -> None:
        """Write records still waiting for chunks that will not arrive."""
        for _, result in sorted(self._early.items()):
            self._write(result)
        self._early.clear()

    def _write(self, result: ChunkResult) -> None:
        if self._file is not None:
            self._file.writelines(f"{line}\n" for line in result.records)
            self._file.flush()
