"""Counts and sums over units: contingency tables, resamples, sign flips, pairs of runs, segments; and quotients.

The number of units where the key is g and the response is l is a population count: one bit per unit for "key is g",
one for "response is l", and the set bits of their conjunction, sixty-four units at a time. Sums over units for every
pair of runs are one matrix product, and exact where the scores are multiples of one step. Sign flips give the
distribution of a sum of differences if each were equally likely to have the opposite sign: simulated with flips shared
by all pairs of runs, or exactly, from the characteristic function.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import EXACT_TOLERANCE, Bools, Bytes, Floats, Int32s, Ints, Singles

EXACT_SINGLE = 1 << 24
"""Integers below this are exact in single precision, which multiplies twice as fast."""
FINEST_PARTS = 1000
"""The smallest step tried is 1 / FINEST_PARTS."""
MOST_DISTINCT = 4000
"""Scores with more distinct values than this are treated as real numbers."""
LARGEST_EXACT = float(1 << 30)
CELLS_AT_A_TIME = 1 << 18
"""Cells expanded at a time: expanded they take eight times the memory, and should fit into the processor's cache."""
COUNTER_BITS = 63
FREQUENCIES_AT_A_TIME = 1 << 22
"""Cells of characteristic functions held in memory at a time."""


def _bits(codes: Bytes, code: int) -> NDArray[np.uint64]:
    """One bit per unit along the last axis, set if the unit has this code; padded with zeros."""
    packed = np.packbits(codes == code, axis=-1)
    padding = -packed.shape[-1] % 8
    if padding:
        packed = np.concatenate([packed, np.zeros((*packed.shape[:-1], padding), np.uint8)], axis=-1)
    return packed.view(np.uint64)


def contingency(key: Bytes, responses: Bytes, rows: int, columns: int) -> Ints:
    """Counts (…, rows, columns) of key × response; leading axes broadcast, and negative codes are not counted."""
    given = [_bits(responses, code) for code in range(columns)]
    shape = np.broadcast_shapes(key.shape[:-1], responses.shape[:-1])
    counts = np.empty((*shape, rows, columns), dtype=np.int64)
    for row in range(rows):
        wanted = _bits(key, row)
        for column in range(columns):
            counts[..., row, column] = np.bitwise_count(wanted & given[column]).sum(axis=-1, dtype=np.int64)
    return counts


def resampled_weights(units: int, replicates: int, random: np.random.Generator) -> Floats:
    """How often each unit is drawn (replicates, units) when `units` of them are drawn with replacement."""
    drawn = random.integers(0, units, size=(replicates, units))
    drawn += np.arange(replicates)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=replicates * units).reshape(replicates, units).astype(np.float64)


def resampled_contingency(
    key: Bytes, responses: Bytes, weights: Floats, rows: int, columns: int, own: Floats | float = 1.0
) -> Floats:
    """Sums (…, runs, rows, columns) under weights (…, units) shared by all runs, as one matrix product.

    `responses` is (runs, units), and so are `own`, the weights of each run. For a bootstrap, the replicates are a
    leading axis of the weights.
    """
    runs, units = responses.shape
    cells = np.zeros((runs * rows * columns, units))
    cell = (np.arange(runs)[:, None] * rows + key) * columns + responses
    run, unit = np.nonzero((key >= 0) & (responses >= 0))
    cells[cell[run, unit], unit] = np.broadcast_to(own, responses.shape)[run, unit]
    return (weights @ cells.T).reshape(*weights.shape[:-1], runs, rows, columns)


def weighted_contingency(key: Bytes, responses: Bytes, weights: Floats, rows: int, columns: int) -> Floats:
    """Sums (runs, rows, columns) under weights (runs, units) that differ between runs."""
    runs, _ = responses.shape
    cell = (np.arange(runs)[:, None] * rows + key) * columns + responses
    counted = (key >= 0) & (responses >= 0)
    sums = np.bincount(cell[counted], weights[counted], minlength=runs * rows * columns).astype(np.float64)
    return sums.reshape(runs, rows, columns)


def gram(values: NDArray[Any]) -> NDArray[Any]:
    """X·Xᵀ of the rows, in single precision if the values are integers and every sum is exact in it."""
    whole = values.dtype == bool or np.issubdtype(values.dtype, np.integer)
    if whole and float(np.abs(values).max(initial=0)) ** 2 * values.shape[-1] < EXACT_SINGLE:
        single = values.astype(np.float32)
        return single @ single.T
    double = values.astype(np.float64, copy=False)
    return double @ double.T


def wins(right: Bools) -> Int32s:
    """The number of units on which run a is right and run b is wrong (runs, runs), from one product."""
    both = gram(right).astype(np.int32)
    return np.diagonal(both)[:, None] - both


def squared_distances(values: Floats) -> Floats:
    """Σ(x_a − x_b)² for every two rows; exactly 0 for identical rows.

    Columns are centred first, because the difference of large squares would cancel. Where it still cancels down to
    rounding error, the two rows are subtracted directly.
    """
    centred = values - values.mean(axis=0)
    product = gram(centred)
    squares = np.diagonal(product)
    sums = squares[:, None] + squares
    distances = np.maximum(sums - 2 * product, 0.0)
    for a, b in np.argwhere(np.triu(distances <= 1e-9 * sums, 1)):
        distances[a, b] = distances[b, a] = ((values[a] - values[b]) ** 2).sum()
    np.fill_diagonal(distances, 0.0)
    return distances


def as_lattice(values: Floats) -> tuple[Ints, float] | None:
    """The values as integer multiples of the largest common step, and that step; None if there is no such step.

    Values may differ from the multiple by the rounding error of a decimal fraction. NaN becomes 0.
    """
    different = np.unique(values[~np.isnan(values)])
    if len(different) > MOST_DISTINCT or (len(different) and np.abs(different).max() * FINEST_PARTS > LARGEST_EXACT):
        return None
    for parts in range(1, FINEST_PARTS + 1):
        scaled = different * parts
        whole = np.rint(scaled)
        if (np.abs(scaled - whole) <= EXACT_TOLERANCE * np.abs(scaled)).all():
            largest = max(int(np.gcd.reduce(whole.astype(np.int64))) if len(whole) else 1, 1)
            return np.rint(np.nan_to_num(values) * parts).astype(np.int64) // largest, largest / parts
    return None


def segment_counts(codes: NDArray[np.uint8], table: Bools, ends: Ints) -> Floats:
    """How often codes with each trait occur in each segment: (traits, rows, segments).

    `codes` is (rows, cells); `table` (codes, traits) says which traits a code has; a segment runs from the end of the
    previous one to its own end, and may be empty.
    """
    starts, filled, at = _segments(ends)
    counts = np.zeros((table.shape[1], len(codes), len(ends)))
    if not filled.any():
        return counts
    # Several traits share one integer, as many counters as fit, so that one pass over the cells counts all of them.
    width = int((ends - starts).max()).bit_length()
    together = max(1, COUNTER_BITS // width)
    had = np.flatnonzero(table.any(axis=0)).tolist()
    step = max(1, CELLS_AT_A_TIME // codes.shape[1])
    for first in range(0, len(had), together):
        traits = had[first : first + together]
        counter = np.int32 if width * len(traits) < 32 else np.int64
        packed = table[:, traits].astype(counter) @ (2 ** (width * np.arange(len(traits)))).astype(counter)
        for row in range(0, len(codes), step):
            cells = np.take(packed, codes[row : row + step])
            sums = np.add.reduceat(cells, starts[filled], axis=-1, dtype=counter)
            for place, trait in enumerate(traits):
                counts[trait][row : row + step, at] = (sums >> (width * place)) & ((1 << width) - 1)
    return counts


def segment_sums(codes: NDArray[np.uint8], table: Bools, weights: Floats, ends: Ints) -> Floats:
    """The sum in each segment of the weights (cells,) of cells whose codes have a trait: (traits, rows, segments)."""
    starts, filled, at = _segments(ends)
    sums = np.zeros((table.shape[1], len(codes), len(ends)))
    if not filled.any():
        return sums
    step = max(1, CELLS_AT_A_TIME // codes.shape[1])
    for trait in range(table.shape[1]):
        has = table[:, trait].astype(np.float64)
        for row in range(0, len(codes), step):
            weighed = has.take(codes[row : row + step]) * weights
            sums[trait][row : row + step, at] = np.add.reduceat(weighed, starts[filled], axis=-1)
    return sums


def _segments(ends: Ints) -> tuple[Ints, Bools, slice | Ints]:
    """Where segments start, which are not empty, and the indices of those."""
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    filled = ends > starts
    return starts, filled, slice(None) if filled.all() else np.flatnonzero(filled)


def divide(above: Floats, below: Floats) -> Floats:
    """above / below, NaN where `below` is 0."""
    defined = below != 0
    return np.where(defined, above / np.where(defined, below, 1), np.nan)[()]


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
    rows = max(1, FREQUENCIES_AT_A_TIME // size)
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


def row_hashes(start: int, rows: int) -> Floats:
    """A random whole number below 2³² for each of some rows, always the same for a row (Steele, Lea and Flood 2014)."""
    mixed = np.arange(start + 1, start + rows + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed >> np.uint64(32)).astype(np.float64)
