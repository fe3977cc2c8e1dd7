"""What a seed decides is what it decided on the machine where the hashes were stored."""

from pathlib import Path

import pytest

from tests.machine.fingerprints import PARTS, STORED, fingerprint


@pytest.mark.machine
@pytest.mark.parametrize("part", PARTS)
def test_results_are_the_stored_ones(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If all that differs was meant to: `python -m tests.machine.fingerprints --write`."""
    monkeypatch.chdir(tmp_path)
    stored = dict(line.split() for line in STORED.read_text(encoding="utf-8").splitlines())
    assert stored.keys() == PARTS.keys()
    assert fingerprint(part) == stored[part]
