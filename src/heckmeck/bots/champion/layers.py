"""The layers of a network, summed in a fixed order.

Matrix libraries add in an order that depends on the processor, on the number of rows and on a row's
place among them, so a table's chances would depend on the machine and on the other tables. Here
every sum goes through a row's inputs from first to last. The processor vectorises over outputs,
which are separate sums; nothing is reassociated or fused, so the result is the same to the last bit
everywhere. Inputs that are 0 are skipped: most are, which makes this as fast as a library that
multiplies them all.
"""

from __future__ import annotations

import numpy as np

from heckmeck import arithmetic
from heckmeck.bots.champion.model import Floats32, Ints
from heckmeck.solver.kernel import compiled

exp = compiled(arithmetic.exp)


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


@compiled
def find_active(inputs: Floats32, active: Ints) -> int:
    """Write the indices of a row's non-zero inputs; return their number."""
    count = 0
    for place in range(len(inputs)):
        active[count] = place
        count += inputs[place] != 0.0
    return count


@compiled
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
            powers[player] = exp(float(logits[row, player]) - float(highest))
            total += powers[player]
        for player in range(seats):
            chances[row, player] = powers[player] / total
    return chances
