"""The network: a small multilayer perceptron from a table to everybody's chance to win.

Plain NumPy in single precision. The last layer gives every player a number, and the softmax of the
numbers of those who sit at the table is the chances.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Final
from zipfile import BadZipFile

import numpy as np

from heckmeck.bots.champion.model import Floats32

FORMAT: Final = 1
"""The version of the weights' files."""
BLOCK: Final = 64
"""Tables whose chances are worked out at once."""


class BadWeights(ValueError):
    """This is no file of weights, or one of another edition or version."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network for tables of ``seats[0]`` to ``seats[1]`` players of an edition."""

    edition: str
    seats: tuple[int, int]
    weights: tuple[Floats32, ...]
    """[input, output] of each layer."""
    biases: tuple[Floats32, ...]

    @property
    def most_seats(self) -> int:
        """For how many players at most."""
        return self.seats[1]

    def chances(self, features: Floats32, seats: int) -> Floats32:
        """Return [table, player]: the chances to win of the ``seats`` players there are.

        A table's chances are the same to the last bit among any others: libraries for matrices
        add up in an order that depends on the size, so the size is always the same.
        """
        count = len(features)
        padded = np.zeros((-(-count // BLOCK) * BLOCK, features.shape[1]), np.float32)
        padded[:count] = features
        parts = [
            self.quick_chances(padded[first : first + BLOCK], seats)
            for first in range(0, len(padded), BLOCK)
        ]
        return np.concatenate(parts)[:count]

    def quick_chances(self, features: Floats32, seats: int) -> Floats32:
        """Return the same up to rounding, in one go: for training."""
        hidden = features
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = hidden @ weight
            hidden += bias
            np.maximum(hidden, 0.0, out=hidden)
        logits = hidden @ self.weights[-1][:, :seats]
        logits += self.biases[-1][:seats]
        logits -= logits.max(axis=1, keepdims=True)
        chances: Floats32 = np.exp(logits, out=logits)
        chances /= chances.sum(axis=1, keepdims=True)
        return chances


def fresh(
    edition: str, seats: tuple[int, int], inputs: int, hidden: Sequence[int], seed: int
) -> Network:
    """Return an untrained network: it finds all players' chances equal."""
    rng = np.random.default_rng(seed)
    sizes = [inputs, *hidden, seats[1]]
    weights: list[Floats32] = []
    for before, after in pairwise(sizes):
        # A table shows few of its features at once, so the first layer starts larger.
        scale = np.sqrt(2.0 / (before if weights else min(before, 64)))
        weights.append((rng.standard_normal((before, after)) * scale).astype(np.float32))
    weights[-1][:] = 0.0
    biases = [np.zeros(size, np.float32) for size in sizes[1:]]
    return Network(edition, seats, tuple(weights), tuple(biases))


def save(networks: Sequence[Network], file: Path | IO[bytes]) -> None:
    """Write the networks of an edition into one file."""
    arrays: dict[str, np.ndarray] = {
        "format": np.array(FORMAT),
        "edition": np.array(networks[0].edition),
        "seats": np.array([network.seats for network in networks]),
    }
    for number, network in enumerate(networks):
        for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
            arrays[f"weight_{number}_{layer}"] = weight
            arrays[f"bias_{number}_{layer}"] = bias
    np.savez_compressed(file, allow_pickle=False, **arrays)


def load(file: Path | IO[bytes], edition: str | None = None) -> list[Network]:
    """Read the networks of a file; raise `BadWeights` where it is none for ``edition``."""
    # NumPy would leave a file open that turns out to be no archive.
    data = io.BytesIO(file.read_bytes()) if isinstance(file, Path) else file
    try:
        with np.load(data, allow_pickle=False) as arrays:
            version, found = int(arrays["format"]), str(arrays["edition"])
            networks = [
                _read(arrays, found, number, (int(fewest), int(most)))
                for number, (fewest, most) in enumerate(arrays["seats"])
            ]
    except (BadZipFile, KeyError, ValueError, EOFError) as error:
        raise BadWeights(f"{file} is no file of a champion's weights: {error}") from error
    if version != FORMAT:
        raise BadWeights(f"{file} has the format {version}; this program knows {FORMAT}.")
    if edition is not None and found != edition:
        raise BadWeights(f"{file} holds weights for {found}, not for {edition}.")
    return networks


def _read(
    arrays: np.lib.npyio.NpzFile, edition: str, number: int, seats: tuple[int, int]
) -> Network:
    layers = sum(name.startswith(f"weight_{number}_") for name in arrays.files)
    return Network(
        edition,
        seats,
        tuple(arrays[f"weight_{number}_{layer}"].astype(np.float32) for layer in range(layers)),
        tuple(arrays[f"bias_{number}_{layer}"].astype(np.float32) for layer in range(layers)),
    )
