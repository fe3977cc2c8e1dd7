"""The house stays as it was rebuilt: full modules, few imports, short functions (decision 11)."""

import ast
import io
import statistics
import tokenize
from dataclasses import dataclass
from pathlib import Path

import pytest

import heckmeck

_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True)
class House:
    """Counts of all modules together; lines are of code and docstrings."""

    modules: int
    lines: int
    imports: int
    functions: list[int]


@pytest.fixture(scope="module")
def house() -> House:
    files = [*Path(heckmeck.__file__).parent.rglob("*.py")]
    sources = [path.read_text("utf-8") for path in files]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    return House(
        modules=len(files),
        lines=sum(map(_lines, sources)),
        imports=sum(
            _height(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)
        ),
        functions=[
            _height(node)
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ],
    )


def _lines(source: str) -> int:
    """Return the lines that hold code: a string or a call may take several."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    held = (range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in _LAYOUT)
    return len(set[int]().union(*held))


def _height(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_modules_are_few_and_full(house: House) -> None:
    # 97 before the rebuild.
    assert house.lines / house.modules > 150


def test_imports_are_a_small_part(house: House) -> None:
    # 10.7% before the rebuild.
    assert house.imports / house.lines < 0.09


def test_functions_are_short(house: House) -> None:
    # 6, 8.1 and 49 before the rebuild.
    assert statistics.median(house.functions) <= 7
    assert statistics.mean(house.functions) < 9
    assert max(house.functions) <= 60
