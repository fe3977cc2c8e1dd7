"""Write the results of a benchmark into docs/benchmarks.md, with the machine it ran on.

Every benchmark owns one section, between its two markers::

    <!-- bench:rules -->
    ...
    <!-- /bench:rules -->

`write_section` replaces the text between them and leaves the rest of the page alone. Numbers are
never written by hand.
"""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

How fast heckmeck is, next to other programs in the same run: moves of the rules, solved turns,
moves of the server, writes of the store, starting up, and whole games of bots. Each section is
written by the benchmark it names, see [bench/README.md](../bench/README.md): change the benchmark,
not the numbers.
"""


class ReportError(ValueError):
    """The markers of a page are missing or duplicated."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The machine, the versions and the date of a benchmark."""

    cpu: str
    cores: int
    python: str
    packages: tuple[tuple[str, str], ...]
    date: str
    revision: str

    def markdown(self) -> str:
        """Return the facts as one short paragraph."""
        packages = ", ".join(f"{name} {number}" for name, number in self.packages)
        return "\n".join(
            (
                f"Measured on {self.date} at revision {self.revision}.",
                f"Machine: {self.cpu}, {_cores(self.cores)}.",
                f"{self.python}; {packages or 'no other packages'}.",
            )
        )


def facts(packages: Iterable[str]) -> Facts:
    """Look up this machine's facts and the versions of `packages`, by their names on PyPI."""
    return Facts(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        packages=tuple((name, _version(name)) for name in packages),
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        revision=_revision(),
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; columns of numbers are right-aligned."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    if any(len(row) != len(header) for row in cells):
        raise ReportError(f"Every row needs {len(header)} cells, as many as the header has.")
    rule = ["---:" if _numbers(column) else "---" for column in zip(*cells, strict=True)]
    lines = [list(header), rule or ["---"] * len(header), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_section(name: str, body: str, machine: Facts, page: Path = PAGE) -> None:
    """Put `body` and the machine's facts between the markers of `name`.

    A missing page is created; a missing section is added at the end. Raises `ReportError`, and
    writes nothing, if the markers of `name` are broken.
    """
    text = page.read_text(encoding="utf-8") if page.exists() else HEAD
    text = replace_section(text, name, f"{body}\n\n{machine.markdown()}")
    page.parent.mkdir(parents=True, exist_ok=True)
    fresh = page.with_name(page.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(page)


def replace_section(text: str, name: str, body: str) -> str:
    """Return `text` with `body` between the markers of `name`, added at the end if missing."""
    opening, closing = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    section = f"{opening}\n\n{body.strip()}\n\n{closing}"
    counts = text.count(opening), text.count(closing)
    if counts == (0, 0):
        return f"{text.rstrip()}\n\n{section}\n"
    start, end = text.find(opening), text.find(closing)
    if counts != (1, 1) or end < start:
        raise ReportError(
            f"The page must have {opening} once and {closing} once after it; "
            f"it has them {counts[0]} and {counts[1]} times. Repair the markers and run again."
        )
    return text[:start] + section + text[end + len(closing) :]


def _numbers(column: Sequence[str]) -> bool:
    return all(cell.replace(",", "").replace(".", "", 1).isdecimal() for cell in column)


def _cores(count: int) -> str:
    return "1 core" if count == 1 else f"{count} cores"


def _cpu() -> str:
    """Return the processor's name, as exactly as the system reports it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def _revision() -> str:
    """Return the commit, and whether any file but the page differs from it."""
    try:
        commit = _git("rev-parse", "--short=12", "HEAD")
        changed = _git("status", "--porcelain", "--", ".", f":!{PAGE.relative_to(ROOT)}")
    except (OSError, subprocess.SubprocessError):
        return "unknown (no git commit here)"
    return f"{commit} with uncommitted changes" if changed else commit


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True, timeout=30
    )
    return done.stdout.strip()
