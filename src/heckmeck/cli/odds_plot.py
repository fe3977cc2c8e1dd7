"""The odds of a turn as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

from heckmeck.cli.errors import UserError
from heckmeck.cli.pictures import can_draw
from heckmeck.installation import to_add

if TYPE_CHECKING:
    from heckmeck.coach.odds import Odds

FORMATS = (".svg", ".png")


def check(path: Path) -> None:
    """Raise a `UserError` if no picture can be drawn to ``path``, before anything is solved."""
    if path.suffix not in FORMATS:
        raise UserError(f"{path}: the name of a picture must end in {' or '.join(FORMATS)}.")
    if not can_draw():
        raise UserError(f"--plot needs matplotlib. {to_add('plots')}")


def draw(odds: "Odds", title: str, path: Path) -> None:
    """Draw the odds to ``path``, in the format of its suffix."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    numbers = sorted({*odds.at_least, *odds.exactly})
    for shift, chances, label, colour in (
        (-0.2, odds.at_least, "at least", "#c8641e"),
        (+0.2, odds.exactly, "exactly", "#4f7a3a"),
    ):
        places = [numbers.index(number) + shift for number in chances]
        axes.bar(
            places, [chance * 100 for chance in chances.values()], 0.38, label=label, color=colour
        )
    axes.set_xticks(range(len(numbers)), [str(number) for number in numbers])
    axes.set_ylabel("chance in %")
    axes.set_ylim(0, 100)
    axes.set_title(f"Odds with a worm: {title}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
