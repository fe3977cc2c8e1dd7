"""The exact solution of a turn, for any values of its endings.

This package defines positions and `Evaluator`; `heckmeck.solver.solved` solves turns and imports
NumPy and Numba, so import it where it is used.

>>> from heckmeck import rules
>>> from heckmeck.bots.worms import WormSwing
>>> from heckmeck.solver.solved import weigh
>>> state = rules.new_game("classic", 2)
>>> for text in ("roll", "=1124445W"):
...     state, _ = rules.apply(state, rules.parse(text))
>>> best = weigh(state, WormSwing())[0]
>>> rules.word(best.move), round(best.worth, 7)
('keep:4', 1.5035075)
"""

from heckmeck.solver.positions import Evaluator, Position, after, endings_at, position_of

__all__ = ["Evaluator", "Position", "after", "endings_at", "position_of"]
