"""Networks: chances, files."""

import io
from pathlib import Path

import numpy as np
import pytest

from heckmeck.bulk.rows import row_rules
from heckmeck.values.features import count_features
from heckmeck.values.features import features as features_of
from heckmeck.values.network import BadWeights, fresh, load, save
from tests.bulk.positions import wander
from tests.values.networks import opinionated


def features(seats: int = 3) -> np.ndarray:
    rules = row_rules("classic")
    rows = np.stack([rules.row(s.table, s.seat) for s in wander("classic", seats, 1, 150)])
    return features_of("classic", rows, 7)


def test_chances_of_those_who_sit_there_add_up_to_one() -> None:
    chances = opinionated("classic").chances(features(), 3)
    assert chances.shape == (150, 3)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert (chances > 0).all()
    assert chances.std(axis=0).min() > 0.01


def test_an_untrained_network_finds_everybody_equal() -> None:
    inputs = count_features("classic", 7)
    chances = fresh("classic", (2, 7), inputs, (16,), seed=0).chances(features(), 3)
    assert chances == pytest.approx(1 / 3, abs=1e-6)


@pytest.mark.machine
def test_a_table_has_the_same_chances_among_any_others() -> None:
    network, shown = opinionated("classic"), features()
    together = network.chances(shown, 3)
    for number in range(150):
        assert (network.chances(shown[[number]], 3)[0] == together[number]).all()
    for size in (2, 7, 63, 64, 65):
        for first in (0, 1, 85):
            part = network.chances(shown[first : first + size], 3)
            assert (part == together[first : first + size]).all()
    assert (network.chances(shown[::-1], 3)[::-1] == together).all()


def test_chances_are_those_of_the_network_up_to_rounding() -> None:
    """Worked out once more by NumPy, in double precision."""
    network, shown = opinionated("classic"), features()
    hidden = shown.astype(np.float64)
    for weight, bias in zip(network.weights[:-1], network.biases[:-1], strict=True):
        hidden = np.maximum(hidden @ weight.astype(np.float64) + bias, 0)
    logits = (hidden @ network.weights[-1].astype(np.float64) + network.biases[-1])[:, :3]
    powers = np.exp(logits)
    wanted = powers / powers.sum(axis=1, keepdims=True)
    assert network.chances(shown, 3) == pytest.approx(wanted, abs=2e-6)


def test_networks_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "junior.npz"
    written = [opinionated("junior"), fresh("junior", (2, 2), 5, (3,), seed=4)]
    save(written, path)
    read = load(path, "junior")
    assert [each.seats for each in read] == [(2, 5), (2, 2)]
    for one, other in zip(written, read, strict=True):
        pairs = zip(one.weights + one.biases, other.weights + other.biases, strict=True)
        assert all((a == b).all() for a, b in pairs)


def test_weights_of_another_edition_are_refused() -> None:
    file = io.BytesIO()
    save([opinionated("junior")], file)
    file.seek(0)
    with pytest.raises(BadWeights, match="has weights for junior, not for classic"):
        load(file, "classic")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 no archive"])
def test_what_is_no_file_of_weights_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(BadWeights, match=r"bad\.npz is not a file of a champion's weights"):
        load(path)


def test_other_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    np.savez(path, allow_pickle=False, something=np.zeros(3))
    with pytest.raises(BadWeights, match="is not a file of a champion's weights"):
        load(path)
