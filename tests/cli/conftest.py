"""What the tests of the commands share."""

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    """A terminal in an empty directory of its own."""
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch)
