"""The exact solution of a turn, for any values of its endings.

This package defines positions and `Value`; `heckmeck.solver.solution` solves turns and imports
NumPy and Numba, so import it where it is used.
"""

from heckmeck.solver.positions import Position, Value, after, endings_at, position_of

__all__ = ["Position", "Value", "after", "endings_at", "position_of"]
