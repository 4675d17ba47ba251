"""Sign flips: the distribution of a sum of differences if each were equally likely to have the opposite sign.

In the simulation all pairs of runs share the flips, so that one matrix product serves all of them. The exact
distribution is computed from its characteristic function.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints, Singles
from karat.kernels.counting import EXACT_SINGLE

CELLS_AT_A_TIME = 1 << 22
"""Array cells held in memory at a time."""


def random_signs(units: int, replicates: int, random: np.random.Generator) -> Singles:
    """+1 or −1 with equal probability (replicates, units), drawn as single bits."""
    bits = random.integers(0, 256, size=(replicates, -(-units // 8)), dtype=np.uint8)
    signs = np.unpackbits(bits, axis=1, count=units).astype(np.float32)
    signs *= 2
    signs -= 1
    return signs


def flipped_sums(values: NDArray[Any], signs: Singles) -> NDArray[Any]:
    """Σ s·x of every row under every row of signs (rows, replicates); integers stay integers."""
    if not np.issubdtype(values.dtype, np.integer):
        return values @ signs.T.astype(np.float64)
    # The minimum over runs cancels in every difference; without it the sums are smaller.
    values = values - values.min(axis=0)
    largest = float(values.sum(axis=1).max(initial=0))
    if largest < EXACT_SINGLE:
        sums = values.astype(np.float32) @ signs.T
        return sums.astype(np.int16 if 2 * largest < 1 << 15 else np.int32)
    return np.rint(values.astype(np.float64) @ signs.T).astype(np.int64)


def count_extreme(sums: NDArray[Any], first: Ints, second: Ints, observed: NDArray[Any]) -> Ints:
    """For each pair of rows, in how many replicates their sums differ by at least `observed`."""
    counts = np.zeros(len(first), dtype=np.int64)
    for row in np.unique(first):
        here = np.flatnonzero(first == row)
        apart = np.abs(sums[second[here]] - sums[row])
        counts[here] = (apart >= observed[here, None]).sum(axis=1)
    return counts


def flip_tail(steps: Ints, counts: Ints, observed: Ints) -> Floats:
    """P(|Σ ±d| ≥ |observed|) over all sign flips, for each row of `counts` (rows, steps) of differences by size.

    The sum is Σ v·(2·Bin(n_v, ½) − n_v). After exponential tilting, which moves its mean to the observed value, the
    probabilities there are of order 1/√n however far out in the tail they lie, and the Fourier transform of the
    characteristic function gives them to almost full precision. The tilt is undone at the end.
    """
    observed = np.abs(observed)
    tilt = _tilt(steps, counts, observed.astype(np.float64))
    span = counts @ steps
    p = np.ones(len(counts))
    size = 1 << int(max(span.max(initial=0), 1)).bit_length()
    rows = max(1, CELLS_AT_A_TIME // size)
    wanted = np.flatnonzero(observed > 0)
    for start in range(0, len(wanted), rows):
        here = wanted[start : start + rows]
        p[here] = 2 * _upper_tail(steps, counts[here], observed[here], span[here], tilt[here], size)
    return np.minimum(p, 1.0)


def _tilt(steps: Ints, counts: Ints, observed: Floats) -> Floats:
    """θ for which Σ n·v·tanh(vθ) is near the observed sum; Newton's method from 0 stays below, as tanh is concave."""
    theta = np.zeros(len(counts))
    weights = counts * steps
    most = weights.sum(axis=-1)
    target = np.minimum(observed, most * (1 - 1e-9))
    for _ in range(30):
        slope = np.tanh(theta[:, None] * steps)
        below = target - (weights * slope).sum(axis=-1)
        curve = (weights * steps * (1 - slope**2)).sum(axis=-1)
        move = np.where(curve > 0, below / np.where(curve > 0, curve, 1), 0.0)
        theta = theta + np.clip(move, 0, None)
        if (np.abs(below) <= 1e-3 * np.sqrt(np.maximum(curve, 1))).all():
            break
    return theta


def _upper_tail(steps: Ints, counts: Ints, observed: Ints, span: Ints, tilt: Floats, size: int) -> Floats:
    """P(Σ v·B_v ≥ (span + observed)/2) for B_v ~ Bin(n_v, ½), summed over the upper tail in steps of one."""
    angles = 2 * np.pi * np.arange(size // 2 + 1) / size
    log_transform = np.zeros((len(counts), len(angles)), dtype=np.complex128)
    log_mass = np.zeros(len(counts))
    for step, number in zip(steps, counts.T, strict=True):
        if not number.any():
            continue
        odds = 2 * tilt * step
        chance = 1 / (1 + np.exp(-odds))
        log_mass += number * (np.logaddexp(0, odds) - np.log(2))
        with np.errstate(divide="ignore"):  # a characteristic function may be 0
            log_transform += number[:, None] * np.log(
                1 - chance[:, None] + chance[:, None] * np.exp(-1j * angles * step)
            )
    tilted = np.maximum(np.fft.irfft(np.exp(log_transform), size, axis=-1), 0.0)
    places = np.arange(size)
    from_here = (span + observed) // 2
    beyond = places - from_here[:, None]
    with np.errstate(over="ignore"):
        back = np.where(beyond >= 0, np.exp(-2 * tilt[:, None] * np.maximum(beyond, 0)), 0.0)
    return (tilted * back).sum(axis=-1) * np.exp(log_mass - 2 * tilt * from_here)
