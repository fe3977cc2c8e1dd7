"""The turns of the four editions, derived from their rules."""

from functools import cache

from heckmeck.rules import AnyGame
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.solver.tables import TurnShape


@cache
def shape_of(game: AnyGame) -> TurnShape:
    """Return the shape of a game's turns."""
    dice = game.dice
    golden = dict(zip(GOLDEN_DIE.faces, GOLDEN_DIE.sides, strict=True))
    return TurnShape(
        faces=dice.faces,
        weights=dice.sides,
        points=dice.points,
        worm=dice.faces.index(dice.worm),
        dice=dice.count,
        golden_weights=(
            tuple(golden.get(face, 0) for face in dice.faces) if game.has_golden_die else None
        ),
        ones=dice.faces.index("1") if game.double_one_pays else None,
        dead_is_stop=game.dead_throw_counts,
        all_faces_end=game.all_faces_end_turn,
    )
