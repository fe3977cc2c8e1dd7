"""The cross tables of docs/strength.md, from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bench.pairs import Measured
from bench.report import ROOT, Facts, table, write_section

PAGE: Final = ROOT / "docs" / "strength.md"
HEAD: Final = """# Strength

How strong the bots are, next to each other and next to what other people's programs play like.
Each section is written by the command that it names: change the command, not the numbers.
"""
CHAMPIONS: Final = ("champion", "grandmaster")

ABOUT: Final = """## Cross tables

Written by `python -m bench.strength` (hours; `--quick classic-2` shows a small one in a minute).

A cell is how many of 100 games the bot of the row wins against the bot of the column, a shared win
in equal parts, with its 95 % error bar. Every line-up plays on every seat with the same dice, and
at tables for more than two the two bots sit in turn, so that an equal share is always 50. The error
bars are told from whole deals: luck that evens out between games with the same dice does not count.

`thumb`, `careful` and `expect-…` are what public programs play like, written anew in
`bench/public_bots.py`. `expect-1`, `expect-2` and `expect-n` take the most worms a turn can bring;
a failed attempt costs the worms of the own top tile, and a stolen tile counts 1, 2 or 1 + 1/(n - 1)
times its worms. For two players `expect-n` is `expect-2`, and in classic it is `fox` with any
number: so it is left out there.
"""


def write(name: str, section: str, machine: Facts) -> None:
    """Put a section into the page, which is begun if it is not there yet."""
    if not PAGE.exists():
        PAGE.write_text(HEAD, encoding="utf-8")
    write_section(name, section, machine, PAGE)


def cross_tables(results: Sequence[Measured]) -> str:
    """Return the section: what matters most, then a cross table for each edition and number."""
    kinds = sorted({(row.edition, row.seats) for row in results}, key=_classic_first)
    parts = [ABOUT.strip(), _overview(results, kinds)]
    for edition, seats in kinds:
        rows = [row for row in results if (row.edition, row.seats) == (edition, seats)]
        parts += [f"### {edition}, {seats} players", _cross(rows), _games(rows)]
    return "\n\n".join(part for part in parts if part)


def _classic_first(kind: tuple[str, int]) -> tuple[bool, str, int]:
    return kind[0] != "classic", *kind


def _overview(results: Sequence[Measured], kinds: Sequence[tuple[str, int]]) -> str:
    """Return who came closest to the champion, for each edition and number of players."""
    lines = []
    for edition, seats in kinds:
        duels = [row for row in results if _is_duel(row, edition, seats)]
        if duels:
            closest = min(duels, key=lambda row: row.share)
            ahead = all(row.is_clear for row in duels)
            deeper = [_cell(row) for row in results if _is_deeper(row, edition, seats)]
            lines.append(
                (
                    edition,
                    str(seats),
                    closest.other,
                    _cell(closest),
                    f"{closest.games:,}",
                    "yes" if ahead else "no",
                    *(deeper or [""]),
                )
            )
    if not lines:
        return ""
    header = (
        "edition",
        "players",
        "closest",
        "champion wins",
        "games",
        "ahead of all, clearly",
        "grandmaster against champion",
    )
    return f"The champion and whoever came closest to it:\n\n{table(header, lines)}"


def _is_duel(row: Measured, edition: str, seats: int) -> bool:
    """Whether a row is the champion against a bot that is no champion."""
    here = (row.edition, row.seats) == (edition, seats)
    return here and row.one == "champion" and row.other not in CHAMPIONS


def _is_deeper(row: Measured, edition: str, seats: int) -> bool:
    """Whether a row is the grandmaster against the champion."""
    here = (row.edition, row.seats) == (edition, seats)
    return here and (row.other, row.one) == CHAMPIONS


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
    """Return how many games a cell stands for."""
    counts: dict[str, set[int]] = {}
    for row in rows:
        champions = [name for name in CHAMPIONS if name in (row.one, row.other)]
        counts.setdefault(champions[-1] if champions else "others", set()).add(row.games)
    said = [
        f"{' or '.join(f'{count:,}' for count in sorted(found))} for pairs of the {who}"
        if who != "others"
        else f"{' or '.join(f'{count:,}' for count in sorted(found))} for all others"
        for who, found in sorted(counts.items())
    ]
    turns = sum(row.turns * row.games for row in rows) / sum(row.games for row in rows)
    return f"Games: {', '.join(said)}. A game takes {turns:.0f} turns."


def _cell(row: Measured, *, turned: bool = False) -> str:
    share = 1 - row.share if turned else row.share
    return f"{100 * share:.1f} ± {100 * row.half:.1f}"
