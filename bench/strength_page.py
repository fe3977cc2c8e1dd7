"""The summary and the cross tables of docs/strength.md, from the measured results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bench.pairs import Measured
from bench.report import ROOT, facts, table, write_section
from heckmeck.bots import BOTS
from heckmeck.rules import EDITIONS

PAGE: Final = ROOT / "docs" / "strength.md"
HEAD: Final = """# Strength

How strong the bots are, measured against each other, against bots like those of public programs,
and against perfect play. Each section is written by the command it names: change the command, not
the numbers.
"""
CHAMPIONS: Final = ("champion", "grandmaster")

SUMMARY: Final = """## Which bot is how strong

Games out of 100 that each bot wins against `fox` at a table for two, strongest bot first, with 95%
error bars. 50 means equal strength.
"""

CLOSEST: Final = """The champion against the opponent that comes closest to it, at every table size
measured. "Clearly ahead" means that the champion beats every other bot by more than the error bar.
"""

ABOUT: Final = """## How this was measured

Written by `python -m bench.strength` (takes hours; `--quick classic-2` prints a small table in a
minute).

A cell is the number of games out of 100 that the bot of the row wins against the bot of the column,
with its 95% error bar; a shared win counts in equal parts. Every line-up plays in every seat with
the same dice. At tables for more than two, the two bots take alternate seats, so that an equal
share is always 50. Error bars are computed from whole deals: luck that cancels out between games
with the same dice does not count.

`thumb`, `careful` and `expect-…` play like public programs, reimplemented in
`bench/public_bots.py`. `expect-1`, `expect-2` and `expect-n` maximise the worms of the turn; a
failed attempt costs the worms of their own top tile, and a stolen tile counts 1, 2 or 1 + 1/(n - 1)
times its worms. For two players `expect-n` equals `expect-2`, and in classic it equals `fox` at any
table, so it is left out there.

## Cross tables
"""
#: The bot that the others are compared with in the summary.
REFERENCE: Final = "fox"


def write(name: str, section: str) -> None:
    """Put a section into the page, which is created if it does not exist."""
    if not PAGE.exists():
        PAGE.write_text(HEAD, encoding="utf-8")
    write_section(name, section, facts(("heckmeck", "numba", "numpy")), PAGE)


def cross_tables(results: Sequence[Measured]) -> str:
    """Return the section: a summary, the method, then a cross table for each kind of table."""
    kinds = sorted({(row.edition, row.seats) for row in results}, key=_classic_first)
    parts = [_summary(results), _overview(results, kinds), ABOUT.strip()]
    for edition, seats in kinds:
        rows = [row for row in results if (row.edition, row.seats) == (edition, seats)]
        parts += [f"### {edition}, {seats} players", _cross(rows), _games(rows)]
    return "\n\n".join(part for part in parts if part)


def _classic_first(kind: tuple[str, int]) -> tuple[bool, str, int]:
    return kind[0] != "classic", *kind


def _summary(results: Sequence[Measured]) -> str:
    """Return what each bot of the registry wins against the reference, at tables for two."""
    editions = [name for name in EDITIONS if any(row.edition == name for row in results)]
    lines = [
        [name, *(_against_reference(results, name, edition) for edition in editions)]
        for name in reversed([*BOTS])
    ]
    measured = [line for line in lines if any(line[1:])]
    return f"{SUMMARY}\n{table(['bot', *editions], measured)}"


def _against_reference(results: Sequence[Measured], name: str, edition: str) -> str:
    """Return the cell of a bot against the reference; empty if the pair was not measured."""
    if name == REFERENCE:
        return "50"
    for row in results:
        if (row.edition, row.seats) == (edition, 2) and {row.one, row.other} == {name, REFERENCE}:
            return _cell(row, turned=row.other == name)
    return ""


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
        "clearly ahead of all",
        "grandmaster against champion",
    )
    return f"{CLOSEST}\n{table(header, lines)}"


def _is_duel(row: Measured, edition: str, seats: int) -> bool:
    """Whether a row is the champion against another kind of bot."""
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
    """Return the number of games behind a cell."""
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
