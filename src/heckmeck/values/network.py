"""The network: a small multilayer perceptron from a table to every player's chance to win.

It uses single precision. The last layer gives a number for every player, and the softmax over the
players at the table gives the chances.

Layers are summed in a fixed order. Matrix libraries add in an order that depends on the processor,
on the number of rows and on a row's place among them, so a table's chances would depend on the
machine and on the other tables. Here every sum goes through a row's inputs from first to last. The
processor vectorises over outputs, which are separate sums; nothing is reassociated or fused, so the
result is the same to the last bit everywhere. Inputs that are 0 are skipped: most are, which makes
this as fast as a library that multiplies them all.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from heckmeck import arithmetic
from heckmeck.bulk.rows import Floats32
from heckmeck.dice.arrays import Generator, generator
from heckmeck.solver.compiling import compiled, compiled_lean
from heckmeck.solver.kernel import Ints

#: The format version of weight files.
FORMAT: Final = 1
#: The number of uniform numbers summed for a nearly normal one: their variance is 1.
UNIFORMS: Final = 12

_exp = compiled(arithmetic.exp)


class BadWeights(ValueError):
    """Not a file of weights, or one of another edition or version."""


# ------------------------------------------------------------------------------ layers


@compiled
def layer(inputs: Floats32, weight: Floats32, bias: Floats32, rectify: bool) -> Floats32:
    """Return [row, output]: ``bias + inputs @ weight``, clipped at 0 if ``rectify``."""
    rows, width = inputs.shape
    outputs = np.empty((rows, weight.shape[1]), np.float32)
    active = np.empty(width + 1, np.int64)
    for row in range(rows):
        out = outputs[row]
        for i in range(len(out)):
            out[i] = bias[i]
        add_products(inputs[row], active, find_active(inputs[row], active), weight, out)
        if rectify:
            for i in range(len(out)):
                out[i] = max(out[i], np.float32(0.0))
    return outputs


@compiled_lean
def find_active(inputs: Floats32, active: Ints) -> int:
    """Write the indices of a row's non-zero inputs; return their number."""
    count = 0
    for place in range(len(inputs)):
        active[count] = place
        count += inputs[place] != 0.0
    return count


@compiled_lean
def add_products(
    inputs: Floats32, active: Ints, count: int, weight: Floats32, out: Floats32
) -> None:
    """Add to ``out`` each active input times its weights, in order.

    Four at a time save three in four loads and stores; the order of the additions is the same.
    """
    fours = count - count % 4
    for at in range(0, fours, 4):
        a, b, c, d = active[at], active[at + 1], active[at + 2], active[at + 3]
        by_a, by_b, by_c, by_d = inputs[a], inputs[b], inputs[c], inputs[d]
        for i in range(len(out)):
            sum_b = (out[i] + by_a * weight[a, i]) + by_b * weight[b, i]
            out[i] = (sum_b + by_c * weight[c, i]) + by_d * weight[d, i]
    for at in range(fours, count):
        a = active[at]
        by_a = inputs[a]
        for i in range(len(out)):
            out[i] += by_a * weight[a, i]


@compiled
def softmax(logits: Floats32, seats: int) -> Floats32:
    """Return [row, player]: the chances of the first ``seats`` players; minus infinity gives 0."""
    rows = len(logits)
    chances = np.empty((rows, seats), np.float32)
    powers = np.empty(seats)
    for row in range(rows):
        highest = logits[row, 0]
        for player in range(1, seats):
            highest = max(highest, logits[row, player])
        total = 0.0
        for player in range(seats):
            powers[player] = _exp(float(logits[row, player]) - float(highest))
            total += powers[player]
        for player in range(seats):
            chances[row, player] = powers[player] / total
    return chances


# ------------------------------------------------------------------------------ networks


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
        """The maximum number of players."""
        return self.seats[1]

    def chances(self, features: Floats32, seats: int) -> Floats32:
        """Return [table, player]: the chances to win of the ``seats`` players.

        A table's chances are the same to the last bit in any batch and on any processor.
        """
        hidden = features
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = layer(hidden, weight, bias, True)
        return softmax(layer(hidden, self.weights[-1], self.biases[-1], False), seats)


def fresh(
    edition: str, seats: tuple[int, int], inputs: int, hidden: Sequence[int], seed: int
) -> Network:
    """Return an untrained network, which gives all players equal chances."""
    rng = generator(seed)
    sizes = [inputs, *hidden, seats[1]]
    weights: list[Floats32] = []
    for before, after in pairwise(sizes):
        # Few features of a table are active at once, so the first layer starts larger.
        scale = np.sqrt(2.0 / (before if weights else min(before, 64)))
        weights.append((_nearly_normal(rng, (before, after)) * scale).astype(np.float32))
    weights[-1][:] = 0.0
    biases = [np.zeros(size, np.float32) for size in sizes[1:]]
    return Network(edition, seats, tuple(weights), tuple(biases))


def _nearly_normal(rng: Generator, size: tuple[int, int]) -> NDArray[np.float64]:
    """Draw from a nearly normal distribution, using only additions.

    NumPy's own normal numbers use the C library's logarithm, whose last bit depends on the
    processor.
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


def hash_of(networks: Sequence[Network]) -> str:
    """Return a short hash of all weights, which names them in reports."""
    digest = hashlib.sha256()
    for network in networks:
        digest.update(f"{network.edition} {network.seats}".encode())
        for array in (*network.weights, *network.biases):
            digest.update(f" {array.shape}".encode())
            digest.update(np.ascontiguousarray(array, dtype="<f4").tobytes())
    return digest.hexdigest()[:12]


def load(file: Path | IO[bytes], edition: str | None = None) -> list[Network]:
    """Read the networks of a file; raise `BadWeights` if it has none for ``edition``."""
    # NumPy would leave a file open that turns out not to be an archive.
    data = io.BytesIO(file.read_bytes()) if isinstance(file, Path) else file
    try:
        with np.load(data, allow_pickle=False) as arrays:
            version, found = int(arrays["format"]), str(arrays["edition"])
            networks = [
                _read(arrays, found, number, (int(fewest), int(most)))
                for number, (fewest, most) in enumerate(arrays["seats"])
            ]
    except (BadZipFile, KeyError, ValueError, EOFError) as error:
        raise BadWeights(f"{file} is not a file of a champion's weights: {error}") from error
    if version != FORMAT:
        raise BadWeights(f"{file} has the format {version}; this program reads {FORMAT}.")
    if edition is not None and found != edition:
        raise BadWeights(f"{file} has weights for {found}, not for {edition}.")
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
