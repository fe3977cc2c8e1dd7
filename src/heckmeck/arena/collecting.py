"""Results as they come in from the workers: counted at once, records put in order."""

from typing import TextIO

from heckmeck.arena.chunks import ChunkResult
from heckmeck.arena.tally import Tally


class Collector:
    """Everything played so far."""

    def __init__(self, records: TextIO | None = None) -> None:
        """Start with nothing; write records, if they are kept, to ``records``."""
        self.tally = Tally()
        self._file = records
        self._next = 0
        self._early: dict[int, ChunkResult] = {}

    def take(self, result: ChunkResult) -> None:
        """Count a chunk, and write its records once all before them are written."""
        self.tally += result.tally
        self._early[result.first] = result
        while ready := self._early.pop(self._next, None):
            self._write(ready)
            self._next += ready.count

    def finish(self) -> None:
        """Write what still waited for chunks that will not come."""
        for _, result in sorted(self._early.items()):
            self._write(result)
        self._early.clear()

    def _write(self, result: ChunkResult) -> None:
        if self._file is not None:
            self._file.writelines(f"{line}\n" for line in result.records)
            self._file.flush()
