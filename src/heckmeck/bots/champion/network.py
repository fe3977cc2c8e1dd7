"""The network: a small multilayer perceptron from a table to everybody's chance to win.

In single precision. The last layer gives every player a number, and the softmax of the numbers of
those who sit at the table is the chances.
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
from numpy.typing import NDArray

from heckmeck.bots.champion.layers import layer, softmax
from heckmeck.bots.champion.model import Floats32

FORMAT: Final = 1
"""The version of the weights' files."""
UNIFORMS: Final = 12
"""How many uniform numbers are added up for one that is as good as normal: their variance is 1."""


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

        A table's chances are the same to the last bit among any others, and on any processor.
        """
        hidden = features
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = layer(hidden, weight, bias, True)
        return softmax(layer(hidden, self.weights[-1], self.biases[-1], False), seats)


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
        weights.append((_nearly_normal(rng, (before, after)) * scale).astype(np.float32))
    weights[-1][:] = 0.0
    biases = [np.zeros(size, np.float32) for size in sizes[1:]]
    return Network(edition, seats, tuple(weights), tuple(biases))


def _nearly_normal(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float64]:
    """Draw from nearly the normal distribution, by additions alone.

    NumPy's own normal numbers are made with the C library's logarithm, whose last bit depends on
    the processor.
    """
    drawn = np.zeros(size)
    for _ in range(UNIFORMS):
        drawn += rng.random(size)
    return drawn - UNIFORMS / 2


def save(networks: Sequence[Network], file: Path | IO[bytes]) -> None:
    """Write the networks of an edition into one file."""
    arrays: dict[str, np.ndarray] = {
        "format": np.array(FORMAT),
        "edition": np.array(networks[0].edition),
        "seats": np.array([network.seats for network in networks]),
    }
    for number, network in enumerate(networks):
        for place, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
            arrays[f"weight_{number}_{place}"] = weight
            arrays[f"bias_{number}_{place}"] = bias
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
        tuple(arrays[f"weight_{number}_{place}"].astype(np.float32) for place in range(layers)),
        tuple(arrays[f"bias_{number}_{place}"].astype(np.float32) for place in range(layers)),
    )
