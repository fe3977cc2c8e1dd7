"""A tournament in pictures. Needs the extra ``heckmeck[plots]``."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from heckmeck.arena.summary import Summary
from heckmeck.arena.tally import Tally

FORMATS: Final = ("svg", "png")
#: Colours that colour-blind people can distinguish; bots are also named.
COLOURS: Final = ("#c8641e", "#3f6f8f", "#4f7a3a", "#d9a441", "#7a4f8a", "#8a5a44", "#555555")
#: The maximum number of bars for the lengths of games.
MOST_BARS: Final = 60


def draw_all(summary: Summary, tally: Tally, directory: Path) -> list[tuple[str, str]]:
    """Draw the pictures as SVG and PNG into ``directory``; return titles and SVG files."""
    pictures: dict[str, tuple[str, Callable[[Axes], None]]] = {
        "win_shares": ("Win shares with 95% intervals", lambda axes: _wins(axes, summary)),
        "scores": ("Final scores", lambda axes: _scores(axes, summary, tally)),
        "length": ("Length of a game", lambda axes: _length(axes, tally)),
    }
    for name, (title, draw) in pictures.items():
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot(title=title)
        draw(axes)
        axes.spines[["top", "right"]].set_visible(False)
        _save(figure, directory / name)
    return [(title, f"{name}.svg") for name, (title, _) in pictures.items()]


def _save(figure: Figure, path: Path) -> None:
    # Without date and random names, the same tournament gives the same files.
    with rc_context({"svg.hashsalt": path.name}):
        for form in FORMATS:
            metadata = {"Date": None} if form == "svg" else {"Software": None}
            figure.savefig(path.with_suffix(f".{form}"), dpi=150, metadata=metadata)


def _wins(axes: Axes, summary: Summary) -> None:
    for place, bot in enumerate(summary.bots):
        share, (low, high) = bot.won.share, bot.won.interval
        axes.barh(place, 100 * share, color=_colour(place), alpha=0.85)
        axes.errorbar(
            100 * share,
            place,
            xerr=([100 * (share - low)], [100 * (high - share)]),
            color="black",
            capsize=4,
        )
    axes.axvline(100 / len(summary.seats), color="grey", linestyle=":")
    axes.set_yticks(range(len(summary.bots)), [_short(bot.name) for bot in summary.bots])
    axes.invert_yaxis()
    axes.set_xlabel("games won in %; dotted: an equal share")


def _scores(axes: Axes, summary: Summary, tally: Tally) -> None:
    every = {score for _, score in tally.scores}
    scores = range(min(every) - 1, max(every) + 2)
    for place, bot in enumerate(summary.bots):
        shares = [100 * tally.scores[bot.name, score] / bot.won.games for score in scores]
        axes.step(scores, shares, where="mid", color=_colour(place), label=_short(bot.name))
        axes.axvline(bot.mean_score, color=_colour(place), linestyle=":")
    axes.set_xlabel("worms at the end; dotted: the mean")
    axes.set_ylabel("% of games")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


def _length(axes: Axes, tally: Tally) -> None:
    lengths = sorted(tally.turns)
    width = -(-(lengths[-1] - lengths[0] + 1) // MOST_BARS)
    bars = Counter[int]()
    for length in lengths:  # in order, independent of the order of the workers
        bars[(length - lengths[0]) // width] += tally.turns[length]
    axes.bar(
        [lengths[0] + width * (bar + 0.5) - 0.5 for bar in bars],
        [100 * games / tally.games for games in bars.values()],
        width,
        color=_colour(1),
    )
    axes.set_xlabel("turns")
    axes.set_ylabel("% of games")


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _short(name: str) -> str:
    """Return the name as a label: shortened, and with dollar signs escaped."""
    return (name if len(name) <= 24 else f"{name[:23]}…").replace("$", r"\$")
