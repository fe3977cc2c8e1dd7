"""Networks for tests: made from a seed, as good as untrained, but with an opinion on everything."""

from functools import cache

import numpy as np

from heckmeck.rules import EDITIONS
from heckmeck.values.features import count_features
from heckmeck.values.network import Network, fresh


@cache
def opinionated(edition: str) -> Network:
    """A network for all numbers of players, whose chances differ from table to table."""
    most = max(EDITIONS[edition].players)
    network = fresh(edition, (2, most), count_features(edition, most), (16, 8), seed=1)
    rng = np.random.default_rng(2)
    last = (1.5 * rng.standard_normal(network.weights[-1].shape)).astype(np.float32)
    return Network(edition, network.seats, (*network.weights[:-1], last), network.biases)
