"""Many tests at once: corrected p-values, and letters for groups of runs that do not differ significantly.

Holm and the step-down maximum control the family-wise error, the probability of any false rejection; Benjamini and
Hochberg, and Benjamini and Yekutieli, control the expected share of false rejections among all rejections.

Two runs share a letter if and only if they are not significantly different. The groups are the largest sets in which
no two runs differ: the maximal cliques of that graph (Bron and Kerbosch 1973, with pivots), which is also the result
of inserting and absorbing columns of letters (Piepho 2004). "Not significantly different" is not transitive, so
groups overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints

Correction = Literal["holm", "bh", "by", "maxt", "none"]

CONTROLS: dict[str, str] = {
    "holm": "the probability of any false positive, whatever the dependence between pairs (Holm 1979)",
    "bh": "the expected share of false positives among significant pairs; proven for positively dependent tests, which "
    "tests of all pairs of runs are only approximately (Benjamini and Hochberg 1995)",
    "by": "the expected share of false positives among significant pairs, whatever the dependence between pairs "
    "(Benjamini and Yekutieli 2001)",
    "maxt": "the probability of any false positive, by the step-down maximum over shared replicates (Westfall and "
    "Young 1993); exactly if the runs' scores are jointly symmetric, otherwise asymptotically",
    "none": "nothing: one in twenty pairs that do not differ is expected to be significant at the 5% level",
}
"""What each correction controls."""
MOST_GROUPS = 1000
"""The most groups of runs that are told."""
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def corrected(p: Floats, correction: Correction) -> Floats:
    """Corrected p-values (pairs,); NaN is not a test and is not counted."""
    asked = ~np.isnan(p)
    result = np.full(p.shape, np.nan)
    match correction:
        case "holm":
            result[asked] = holm(p[asked])
        case "bh":
            result[asked] = benjamini_hochberg(p[asked])
        case "by":
            result[asked] = np.minimum(benjamini_hochberg(p[asked]) * _harmonic(int(asked.sum())), 1.0)
        case "none":
            result[asked] = p[asked]
        case "maxt":
            raise ValueError("the step-down maximum is of statistics, not of p-values")
    return result


def error_after(p: Floats, error: Floats, correction: Correction) -> Floats:
    """The Monte-Carlo error of corrected p-values: how far they move if every p is one standard error off.

    A correction multiplies the errors along with the p-values, and errors of p-values from shared replicates correlate.
    """
    after = corrected(p, correction)
    ends = (corrected(np.clip(p + sign * error, 0.0, 1.0), correction) for sign in (-1, 1))
    return np.maximum(*(np.abs(end - after) for end in ends))


def holm(p: Floats) -> Floats:
    """The smallest p times their number, the next times one less, and so on, made monotone."""
    order = np.argsort(p, kind="stable")
    raised = p[order] * np.arange(len(p), 0, -1)
    result = np.empty_like(p)
    result[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return result


def benjamini_hochberg(p: Floats) -> Floats:
    """Each p times their number divided by its rank, made monotone."""
    order = np.argsort(-p, kind="stable")
    raised = p[order] * len(p) / np.arange(len(p), 0, -1)
    result = np.empty_like(p)
    result[order] = np.minimum(np.minimum.accumulate(raised), 1.0)
    return result


def _harmonic(number: int) -> float:
    return float((1.0 / np.arange(1, number + 1)).sum())


class StepDown:
    """The step-down maximum: each statistic is compared with the maximum of those that are not larger than it.

    Statistics must be non-negative and on one scale. Replicates are added in blocks, since all of them for all pairs
    would not fit into memory.
    """

    def __init__(self, observed: Floats) -> None:
        self._order = np.argsort(observed, kind="stable")  # from the smallest, so that maxima accumulate
        self._observed = observed[self._order] * (1 - 1e-9)
        self._counts = np.zeros(len(observed), dtype=np.int64)
        self._replicates = 0

    def add(self, null: Floats) -> None:
        """Add statistics (replicates, pairs) drawn under the null hypothesis."""
        largest = np.maximum.accumulate(null[:, self._order], axis=1)
        # An undefined replicate counts as extreme.
        self._counts += (~(largest < self._observed)).sum(axis=0)
        self._replicates += len(null)

    def p(self) -> Floats:
        """Corrected p-values, never smaller than those of larger statistics."""
        p = (1 + self._counts) / (1 + self._replicates)
        result = np.empty_like(p)
        result[self._order] = np.maximum.accumulate(p[::-1])[::-1]
        return result


def groups(different: Bools, most: int = MOST_GROUPS) -> list[list[int]] | None:
    """The maximal sets of runs in which no two differ, by their first runs; None if there are more than `most`."""
    number = len(different)
    alike = [sum(1 << b for b in range(number) if b != a and not different[a, b]) for a in range(number)]
    found: list[list[int]] = []
    if not number:
        return found
    for clique in _cliques(alike, (1 << number) - 1):
        found.append(clique)
        if len(found) > most:
            return None
    return sorted(found)


def groups_of(pairing: tuple[Ints, Ints], p: Floats, alpha: float, order: Ints) -> list[list[int]] | None:
    """Groups of runs of which no two differ significantly, best first; None if there are too many.

    Two runs that were not tested against each other share no group, and a run that was not tested at all is in none.
    """
    apart = np.ones((len(order), len(order)), dtype=bool)
    apart[pairing] = ~(p > alpha + EXACT_TOLERANCE)
    tested = np.unique(np.array(pairing)[:, ~np.isnan(p)])
    order = order[np.isin(order, tested)]
    found = groups((apart & apart.T)[np.ix_(order, order)], MOST_GROUPS)
    return None if found is None else [[int(order[place]) for place in group] for group in found]


def possible_ranks(better: Ints, worse: Ints, number: int) -> list[tuple[int, int]]:
    """The ranks that each run could hold: below all that are significantly better, above all significantly worse."""
    best, worst = 1 + np.bincount(worse, minlength=number), number - np.bincount(better, minlength=number)
    return list(zip(best.tolist(), worst.tolist(), strict=True))


def _cliques(alike: Sequence[int], everyone: int) -> Iterator[list[int]]:
    """Maximal cliques, with sets of runs as bits of an integer; a stack of (chosen, candidates, excluded) replaces
    recursion."""
    stack = [(0, everyone, 0)]
    while stack:
        chosen, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            yield list(_places(chosen))
            continue
        pivot = max(_places(candidates | excluded), key=lambda one: (alike[one] & candidates).bit_count())
        for one in _places(candidates & ~alike[pivot]):
            stack.append((chosen | 1 << one, candidates & alike[one], excluded & alike[one]))
            candidates &= ~(1 << one)
            excluded |= 1 << one


def _places(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def letters(members: Sequence[Sequence[int]], number: int) -> list[str]:
    """The letters of each run, one per group it belongs to; after fifty-two groups, letters with subscripts."""
    return ["".join(_letter(place) for place, group in enumerate(members) if run in group) for run in range(number)]


def _letter(place: int) -> str:
    round_, letter = divmod(place, len(ALPHABET))
    return ALPHABET[letter] + (str(round_).translate(SUBSCRIPTS) if round_ else "")
