"""The values of the ends of a turn, in the kernel's format."""

from collections.abc import Sequence

import numpy as np

from heckmeck.rules.endings import Nothing
from heckmeck.solver.positions import FAILURE, Evaluator, Position, endings_at
from heckmeck.solver.solution import Worths


def worths_of(position: Position, evaluator: Evaluator) -> Worths:
    """Return the values of all ends of the turn, layer by layer, in the kernel's format."""
    size = (len(position.tables), 2, position.shape.totals)
    stop, fail = np.empty(size), np.empty(size[0])
    may_stop = np.ones(size, dtype=np.bool_) if position.game.stop_must_earn else None
    for layer, table in enumerate(position.tables):
        without, with_worm = endings_at(position, layer)
        endings = [FAILURE, *without, *with_worm]
        worths = np.array(evaluator.endings(position.start, table, position.seat, endings))
        fail[layer], stop[layer] = worths[0], worths[1:].reshape(size[1:])
        if may_stop is not None:
            earns = [not isinstance(ending, Nothing) for ending in endings[1:]]
            may_stop[layer] = np.array(earns).reshape(size[1:])
    return Worths(stop, fail, may_stop)


def stacked(worths: Sequence[Worths]) -> Worths:
    """Combine the values of many positions of one kind into one batch."""
    limits = [worth.may_stop for worth in worths if worth.may_stop is not None]
    return Worths(
        np.stack([worth.stop for worth in worths]),
        np.stack([worth.fail for worth in worths]),
        np.stack(limits) if limits else None,
    )
