"""The pictures of `heckmeck stats`: given away over time, luck against result, kinds of decisions.

They need the extra ``heckmeck[plots]``.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from heckmeck.arena.estimates import Z95
from heckmeck.arena.report import colour, label, save_picture
from heckmeck.coach.statistics import Appearance, Estimate, estimate, given_away_by

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Into how many parts games are put, in the order played and by luck.
BLOCKS: Final = 12
PARTS_OF_LUCK: Final = 6
Players = Mapping[str, Sequence[Appearance]]


def draw_all(players: Players, directory: Path) -> list[Path]:
    """Draw all pictures as SVG and PNG into ``directory``, and return the SVG files."""
    from matplotlib.figure import Figure

    pictures: dict[str, tuple[str, Callable[[Axes, Players], None]]] = {
        "given_away": ("Given away over time, with 95% intervals", _over_time),
        "luck": ("Luck against result, with 95% intervals", _luck),
        "decisions": ("Given away by kind of decision, with 95% intervals", _decisions),
    }
    directory.mkdir(parents=True, exist_ok=True)
    for name, (title, draw) in pictures.items():
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot(title=title)
        draw(axes, players)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        save_picture(figure, directory / name)
    return [directory / f"{name}.svg" for name in pictures]


def _parted(some: Sequence[Appearance], parts: int) -> list[Sequence[Appearance]]:
    """Return the appearances in parts of nearly the same size."""
    count = min(parts, len(some))
    cuts = [len(some) * number // count for number in range(count + 1)]
    return [some[low:high] for low, high in pairwise(cuts)]


def _points(axes: "Axes", at: Sequence[float], found: Sequence[Estimate | None], name: str) -> None:
    """Draw means with their intervals, in percent; the place of a player sets the colour."""
    shown = [(x, each) for x, each in zip(at, found, strict=True) if each is not None]
    axes.errorbar(
        [x for x, _ in shown],
        [100 * each.mean for _, each in shown],
        yerr=[100 * Z95 * (each.error or 0.0) for _, each in shown],
        marker="o",
        capsize=3,
        label=label(name),
        color=colour(len(axes.containers)),
    )


def _over_time(axes: "Axes", players: Players) -> None:
    for name, some in players.items():
        parts, at, first = _parted(some, BLOCKS), list[float](), 0
        for part in parts:
            at.append(first + (len(part) + 1) / 2)
            first += len(part)
        means = [estimate((each.deal, each.given_away, 1) for each in part) for part in parts]
        _points(axes, at, means, name)
    axes.set_xlabel("games, in the order of the files")
    axes.set_ylabel("points of win chance a game")
    axes.set_ylim(bottom=0)


def _luck(axes: "Axes", players: Players) -> None:
    for name, some in players.items():
        over = sorted((each for each in some if each.result is not None), key=_luck_of)
        if not over:
            continue
        parts = _parted(over, PARTS_OF_LUCK)
        at = [100 * sum(map(_luck_of, part)) / len(part) for part in parts]
        won = [estimate((each.deal, each.result or 0.0, 1) for each in part) for part in parts]
        _points(axes, at, won, name)
    axes.axvline(0, color="grey", linestyle=":")
    axes.set_xlabel("luck in points of win chance")
    axes.set_ylabel("games won in %")


def _luck_of(each: Appearance) -> float:
    return each.luck


def _decisions(axes: "Axes", players: Players) -> None:
    found = {name: given_away_by(some, "decision") for name, some in players.items()}
    kinds = sorted({kind for each in found.values() for kind in each})
    height = 0.8 / max(len(found), 1)
    for place, (name, by_kind) in enumerate(found.items()):
        shown = [(kinds.index(kind), each) for kind, each in by_kind.items()]
        axes.barh(
            [at + (place - (len(found) - 1) / 2) * height for at, _ in shown],
            [100 * each.mean for _, each in shown],
            height,
            xerr=[100 * Z95 * (each.error or 0.0) for _, each in shown],
            capsize=3,
            label=label(name),
            color=colour(place),
        )
    axes.set_yticks(range(len(kinds)), kinds)
    axes.invert_yaxis()
    axes.set_xlabel("points of win chance a game")
