"""The influence of units on Krippendorff's alpha for numbers or many ranks, in memory linear in the ballots."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Integers, Ints
from karat.kernels.coincidence import centred, middle_ranks, spreads


def ordinal_numbers(unit: Integers, code: Integers, times: Ints) -> Floats:
    """Each ballot's middle rank among units with two or more ballots; ordinal distances are their differences.

    `times` says how many units each of these stands for.
    """
    paired = np.bincount(unit, minlength=len(times))[unit] >= 2
    given = np.bincount(code[paired], times[unit[paired]], minlength=int(code.max(initial=0)) + 1)
    return middle_ranks(given.astype(np.float64))[code]


def alpha_error(influence: Floats, times: Ints | None = None) -> float:
    """The standard error of alpha by the delta method; NaN if there are fewer than two units.

    `times` says how many units have each influence; by default one.
    """
    count = len(influence) if times is None else int(times.sum())
    squares = (influence**2).sum() if times is None else times @ influence**2
    return float(np.sqrt(squares / (count * (count - 1)))) if count > 1 else float("nan")


def alpha_influence(unit: Integers, numbers: Floats, units: int, ranked: bool, times: Ints | None = None) -> Floats:
    """The influence of each unit with two ballots or more; if `ranked`, the ranks themselves change with the units.

    alpha = 1 − (n−1)·A/B, with A the squared differences within units and B those between all ballots. A unit changes
    both by its own contribution and by raising the ranks above it; the latter is a sum over values from the highest
    down. `times` says how many units each of these stands for; by default one.
    """
    kept = np.bincount(unit, minlength=units)[unit] >= 2
    those, inverse = np.unique(unit[kept], return_inverse=True)
    unit, numbers = inverse.astype(np.int64), numbers[kept]
    times = np.ones(len(those), dtype=np.int64) if times is None else times[those]
    count = int(times.sum())
    if count < 2:
        return np.full(len(those), np.nan)
    numbers = centred(unit, numbers, times)
    rows = spreads(unit, numbers, len(those), times)
    within, ballots, first, second = rows.T
    total, squares = times @ ballots, times @ second
    inside, at_large = times @ within, 2 * total * squares
    if not at_large > 0:
        return np.full(len(those), np.nan)
    # The numbers are centred, so Σx = 0 and B = 2·n·Σx².
    moves_inside, moves_at_large = within, 2 * (ballots * squares + total * second)
    if ranked:
        own = (first / ballots)[unit]
        slopes = np.stack([4 * (ballots / (ballots - 1))[unit] * (numbers - own), 4 * total * numbers])
        inside_too, at_large_too = (_through_ranks(unit, numbers, slope, times) for slope in slopes)
        moves_inside, moves_at_large = moves_inside + inside_too, moves_at_large + at_large_too
    moves = -(
        ballots * inside / at_large + (total - 1) * (moves_inside / at_large - inside * moves_at_large / at_large**2)
    )
    return np.asarray(count * (moves - times @ moves / count))


def _through_ranks(unit: Integers, numbers: Floats, slope: Floats, times: Ints) -> Floats:
    """The effect on a sum of one more unit through the ranks: those above its ballots rise by 1, its own by ½."""
    values, which = np.unique(numbers, return_inverse=True)
    steps = np.bincount(which, slope * times[unit], minlength=len(values))
    above = np.cumsum(steps[::-1])[::-1] - steps / 2
    moved: Floats = np.bincount(unit, above[which], minlength=len(times)).astype(np.float64)
    return moved
