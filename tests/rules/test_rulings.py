"""Every ruling of docs/rulings.md has a test that cites its number, in its name or a comment."""

import re
from itertools import groupby
from pathlib import Path

from tests.rulings import rulings

HERE = Path(__file__).parent


def cited() -> set[str]:
    """The numbers that tests cite: ``def test_d7_...`` or ``# D7``, also ``# D7, D8``."""
    files = [path for path in HERE.glob("test_*.py") if path != Path(__file__)]
    source = "\n".join(path.read_text("utf-8") for path in files)
    names = re.findall(r"^def test_([tcdbj]\d+)_", source, re.MULTILINE)
    comments = " ".join(re.findall(r"# (?!---)(.*)", source))
    return {name.upper() for name in names} | set(re.findall(r"\b[TCDBJ]\d+\b", comments))


def test_the_list_of_rulings_is_read_whole() -> None:
    by_letter = {
        letter: [int(ruling[1:]) for ruling in numbers]
        for letter, numbers in groupby(rulings(), key=lambda ruling: ruling[0])
    }
    assert list(by_letter) == ["T", "C", "D", "B", "J"]
    for letter, numbers in by_letter.items():
        assert numbers == list(range(1, len(numbers) + 1)), f"{letter} has a gap"
    assert len(rulings()) >= 56


def test_every_ruling_has_a_test() -> None:
    missing = [ruling for ruling in rulings() if ruling not in cited()]
    assert not missing, f"no test in {HERE.name}/ cites {', '.join(missing)}"


def test_no_test_cites_a_ruling_that_does_not_exist() -> None:
    unknown = sorted(cited() - set(rulings()))
    assert not unknown, f"docs/rulings.md has no {', '.join(unknown)}"
