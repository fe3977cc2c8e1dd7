"""Runs the examples of README.md, docs/ and the docstrings as tests.

- ```` ```python ```` blocks: plain code, or a session with `>>>` whose answers must be right.
- ```` ```console ```` blocks: lines starting with `$ ` are run, see `tests/support/console.py`.
- Blocks of any other language (`sh`, `text`, `json`) are only shown.

The examples of one document run in its order, share their names, and start in a fresh directory
that holds a copy of `docs/examples/`.
"""

import contextlib
import doctest
import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

from tests.support.console import run_console_block

ROOT = Path(__file__).parent

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts a background job with Ctrl-C ignored, and the programs that the tests start and
    # interrupt would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
# As heckmeck.cli does it: NumPy would start threads that nobody needs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Whether something had to be compiled depends on what ran before: no command tells of it here.
os.environ.setdefault("HECKMECK_COMPILING", "quiet")
EXAMPLES = Path("docs", "examples")


@pytest.fixture(scope="module")
def fresh_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The directory that the examples of one document run in."""
    fresh = tmp_path_factory.mktemp("examples")
    if (ROOT / EXAMPLES).is_dir():
        shutil.copytree(ROOT / EXAMPLES, fresh / EXAMPLES)
    with contextlib.chdir(fresh):
        yield fresh


documents = Sybil(
    name="documents",
    pattern="*.md",
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS),
        CodeBlockParser("console", run_console_block),
    ],
    fixtures=["fresh_directory"],
)

docstrings = Sybil(
    name="docstrings",
    path="src",
    pattern="*.py",
    parsers=[DocTestParser(doctest.ELLIPSIS)],
)

pytest_collect_file = (documents + docstrings).pytest()


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """No test may leave Ctrl-C to a handler of its own: the next one would wait for it for ever."""
    yield
    left = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    assert left is signal.default_int_handler, f"Ctrl-C was left to {left}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much all tests did together, as far as they count it."""
    sums: Counter[str] = Counter()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, value in report.user_properties:
                if name == "counted" and report.when == "call":
                    what, number = value
                    sums[what] += number
    if sums:
        terminalreporter.section("what the tests did")
    for what, number in sorted(sums.items()):
        terminalreporter.line(f"{number:,} {what}")
