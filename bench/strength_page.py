"""The first part of docs/strength.md and its cross tables, from the measured results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bench.pairs import Measured
from bench.report import ROOT, facts, table, write_section
from heckmeck.arena.estimates import Rating, rate
from heckmeck.bots import BOTS
from heckmeck.rules import EDITIONS

PAGE: Final = ROOT / "docs" / "strength.md"
IMAGES: Final = ROOT / "docs" / "images"
HEAD: Final = """# Strength

How strong the bots are, measured against each other, against bots like those of public programs,
and against perfect play. Each section is written by the command it names: change the command, not
the numbers.
"""
CHAMPIONS: Final = ("champion", "grandmaster")
#: The bot that the others are compared with.
REFERENCE: Final = "fox"

LEVELS: Final = {
    "grandmaster": "Thinks a turn further than the champion. You will hardly notice: where the two "
    "are equally strong is said above.",
    "champion": "Knows when a safe small tile wins the game and when only a risk does. If you win "
    "against it as often as it wins against you, you play nearly perfectly.",
    "fox": "Never miscounts the odds, but does not look at the score: it takes the same risks when "
    "it leads and when it trails. Watch the score in the last turns, and you can beat it.",
    "rooster": "Plays as a sound family player does: a worm early, no needless risks. You beat it "
    "once you know which rolls are worth a risk.",
    "chick": "Plays like somebody in a first game: takes the most points, stops as soon as it can. "
    "A few games are enough to beat it most of the time.",
    "random": "Rolls and keeps anything. It loses to everybody; it is there for tests.",
}

ABOUT: Final = """## How this was measured

Written by `python -m bench.strength` (about 40 minutes on one core; `--quick classic-2` prints a
small table in a minute).

Shares are luck-adjusted: the luck of every roll, as the champion's network sees it, is taken out
of the results, which does not change their mean but makes a few hundred games as telling as
thousands (`heckmeck arena --adjusted`). A pair plays until the standard error of its share is at
most one point (half a point for pairs of grandmaster, champion and `fox` at tables for two), or for
2,000 games. Every line-up plays in every seat with the same dice; at tables for four, the two bots
take alternate seats, so that an equal share is always 50. A shared win counts in equal parts.

Ratings are on the scale of chess (Elo): 100 points more mean 64 games out of 100. They are fitted
to the shares of the table for two, without `random`, with `fox` at 1500.

`thumb`, `careful` and `expect-…` play like public programs, reimplemented in
`bench/public_bots.py`. `expect-1` and `expect-2` maximise the worms of the turn; a failed attempt
costs the worms of their own top tile, and a stolen tile counts once or twice its worms.

## Appendix: cross tables

A cell is the number of games out of 100 that the bot of the row wins against the bot of the column,
with its 95% error bar. Public bots were measured against champion and `fox` only.
"""


def write(name: str, section: str) -> None:
    """Put a section into the page, which is created if it does not exist."""
    if not PAGE.exists():
        PAGE.write_text(HEAD, encoding="utf-8")
    write_section(name, section, facts(("heckmeck", "numba", "numpy")), PAGE)


def page(results: Sequence[Measured]) -> str:
    """Return the section: ratings, sentences, levels; then the method and the cross tables."""
    kinds = list(dict.fromkeys((row.edition, row.seats) for row in results))
    parts = [_ratings(results), _sentences(results), _levels(results), ABOUT.strip()]
    for edition, seats in kinds:
        rows = [row for row in results if (row.edition, row.seats) == (edition, seats)]
        parts += [f"### {edition}, {seats} players", _cross(rows), _games(rows)]
    return "\n\n".join(part for part in parts if part)


# ------------------------------------------------------------------------------ ratings


def ratings(results: Iterable[Measured], edition: str) -> list[Rating]:
    """Rate the bots of an edition by their games for two, strongest first; `fox` has 1500.

    A share with its error counts like as many games as would have that error.
    """
    rows = [
        row
        for row in results
        if (row.edition, row.seats) == (edition, 2) and "random" not in (row.one, row.other)
    ]
    ahead: dict[tuple[str, str], float] = {}
    for row in rows:
        share = min(max(row.share, 0.001), 0.999)
        games = share * (1 - share) / max(row.error, 1e-4) ** 2
        ahead[row.one, row.other] = share * games
        ahead[row.other, row.one] = (1 - share) * games
    found = rate(list(dict.fromkeys(name for names in ahead for name in names)), ahead)
    zero = next((each.rating for each in found if each.name == REFERENCE), 1500.0)
    shifted = [each._replace(rating=each.rating - zero + 1500) for each in found]
    return sorted(shifted, key=lambda each: -each.rating)


def _ratings(results: Sequence[Measured]) -> str:
    lines = ["## Which bot is how strong"]
    for edition in EDITIONS:
        if found := ratings(results, edition):
            said = ", ".join(f"{each.name} {each.rating:.0f}" for each in found)
            lines.append(f"![{edition}: {said}](images/strength-{edition}.svg)")
    return "\n\n".join(lines)


def draw(results: Sequence[Measured]) -> None:
    """Draw the ratings of every edition with their error bars; needs matplotlib."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    for edition in EDITIONS:
        found = ratings(results, edition)
        if not found:
            continue
        figure = Figure(figsize=(7, 0.9 + 0.28 * len(found)), layout="constrained")
        axes = figure.add_subplot(title=f"{edition}, games for two")
        for place, each in enumerate(reversed(found)):
            low, high = each.interval
            colour = "#a4442b" if each.name in BOTS else "#8a8a8a"
            errors = [[each.rating - low], [high - each.rating]]
            axes.errorbar(each.rating, place, xerr=errors, fmt="o", color=colour, capsize=3)
            axes.annotate(
                f"{each.rating:.0f}", (high, place), (6, 0), textcoords="offset points", va="center"
            )
        axes.set_yticks(range(len(found)), [each.name for each in reversed(found)])
        axes.axvline(1500, color="grey", linestyle=":", linewidth=1)
        axes.margins(x=0.12)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel("rating (fox: 1500; grey: like public programs)")
        # Without a date and with fixed ids, the same results give the same file.
        with rc_context({"svg.hashsalt": edition}):
            figure.savefig(IMAGES / f"strength-{edition}.svg", metadata={"Date": None})


# ------------------------------------------------------------------------------ in words


def _share(
    results: Iterable[Measured], table_of: tuple[str, int], one: str, other: str
) -> Measured | None:
    """Return the result of a pair; None if it was not measured."""
    for row in results:
        if (row.edition, row.seats) == table_of and (row.one, row.other) == (one, other):
            return row
    return None


def _sentences(results: Sequence[Measured]) -> str:
    """Return what the results mean, in five sentences."""
    kinds = list(dict.fromkeys((row.edition, row.seats) for row in results))
    for_two = [kind for kind in kinds if kind[1] == 2]

    def shares(one: str, other: str) -> str:
        found = [(kind, _share(results, kind, one, other)) for kind in for_two]
        said = [f"{_cell(row)} in {kind[0]}" for kind, row in found if row is not None]
        return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))

    said = [
        f"Out of 100 games for two, the champion wins {shares('champion', 'fox')} against `fox`.",
        f"`fox` wins {shares('fox', 'rooster')} against `rooster`, which plays by rules of thumb.",
        f"`rooster` wins {shares('rooster', 'chick')} against `chick`, a beginner.",
        _about_public(results),
        _about_grandmaster(results, kinds),
    ]
    return "\n\n".join(each for each in said if each)


def _about_public(results: Sequence[Measured]) -> str:
    """Return whether the champion is ahead of all bots that play like public programs."""
    duels = [row for row in results if row.one == "champion" and row.other not in BOTS]
    if not duels:
        return ""
    closest = min(duels, key=lambda row: row.share)
    ahead = "all" if all(row.is_clear for row in duels) else "not all"
    return (
        f"The champion is clearly ahead of {ahead} bots that play like public programs; "
        f"`{closest.other}` in {closest.edition} comes closest, with {_cell(closest, turned=True)}."
    )


def _about_grandmaster(results: Sequence[Measured], kinds: Sequence[tuple[str, int]]) -> str:
    """Return where the grandmaster is stronger than the champion, and where it is not."""
    clear: list[str] = []
    equal: list[str] = []
    for kind in kinds:
        row = _share(results, kind, "grandmaster", "champion")
        if row is not None:
            said = f"{kind[0]} for {'two' if kind[1] == 2 else 'four'} ({_cell(row)})"
            (clear if row.is_clear else equal).append(said)
    if not clear and not equal:
        return ""
    stronger = f"in {', '.join(clear)}" if clear else "nowhere"
    rest = f"; it is **no stronger** in {', '.join(equal)}" if equal else ""
    return f"The grandmaster is measurably stronger than the champion {stronger}{rest}."


def _levels(results: Sequence[Measured]) -> str:
    """Return what each level is like to play against, and what it wins against the reference."""
    editions = [name for name in EDITIONS if any(row.edition == name for row in results)]
    lines = [
        [name, about, *(_against_reference(results, name, edition) for edition in editions)]
        for name, about in LEVELS.items()
    ]
    wins = "The last columns are the games out of 100 that it wins against `fox`, two players."
    header = ["bot", "what it is like to play against", *editions]
    return f"### The levels\n\n{wins}\n\n{table(header, lines)}"


def _against_reference(results: Sequence[Measured], name: str, edition: str) -> str:
    """Return the cell of a bot against the reference; empty if the pair was not measured."""
    if name == REFERENCE:
        return "50"
    one = _share(results, (edition, 2), name, REFERENCE)
    other = _share(results, (edition, 2), REFERENCE, name)
    if one is not None:
        return _cell(one)
    return "" if other is None else _cell(other, turned=True)


# ------------------------------------------------------------------------------ cross tables


def _cross(rows: Sequence[Measured]) -> str:
    cells = {(row.one, row.other): _cell(row) for row in rows}
    cells |= {(row.other, row.one): _cell(row, turned=True) for row in rows}
    won: dict[str, list[float]] = {}
    for row in rows:
        won.setdefault(row.one, []).append(row.share)
        won.setdefault(row.other, []).append(1 - row.share)
    order = sorted(won, key=lambda name: -sum(won[name]) / len(won[name]))
    lines = [[f"**{name}**", *(cells.get((name, other), "") for other in order)] for name in order]
    return table(["", *order], lines)


def _games(rows: Sequence[Measured]) -> str:
    """Return the number of games behind a cell."""
    fewest, most = min(row.games for row in rows), max(row.games for row in rows)
    turns = sum(row.turns * row.games for row in rows) / sum(row.games for row in rows)
    return f"{fewest:,} to {most:,} games a pair. A game takes {turns:.0f} turns."


def _cell(row: Measured, *, turned: bool = False) -> str:
    # A luck-adjusted share can exceed its bounds by its error.
    share = min(max(1 - row.share if turned else row.share, 0.0), 1.0)
    return f"{100 * share:.1f} ± {100 * row.half:.1f}"
