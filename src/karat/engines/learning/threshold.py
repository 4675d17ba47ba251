"""One threshold, learnt by an exact sweep of all cuts between neighbouring scores, and how sure an answer by it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.labels import Codes

EVEN = 0.5
UNDER = float(np.nextafter(EVEN, 0.0))
"""The most confidence in entailment that a pair not answered entailment can have."""


def confidence(
    scores: Floats,
    threshold: Floats | float,
    lowest: float = 0.0,
    highest: float = 1.0,
) -> Floats:
    """How sure entailment is: ½ at the threshold, 0 at the lowest score, 1 at the highest, straight in between.

    Never falls as the score grows, and is ½ or more exactly where entailment is answered, so a run can be cut by it.
    """
    scores, threshold = np.broadcast_arrays(np.asarray(scores, np.float64), np.asarray(threshold, np.float64))
    up, down = highest - threshold, threshold - lowest
    # Clipped before it is divided: a threshold may lie all but at an end, and then shares of it overflow.
    above = np.divide(np.clip(scores - threshold, 0.0, up), up, out=np.ones(scores.shape), where=up > 0)
    below = np.divide(np.clip(scores - lowest, 0.0, down), down, out=np.zeros(scores.shape), where=down > 0)
    return np.where(scores >= threshold, EVEN + above / 2, np.minimum(below / 2, UNDER))


ENTAILMENT_CODE, UNKNOWN_CODE, CONTRADICTION_CODE = 0, 1, 2
"""The codes of the labels."""


def accuracies(accepted: Bools, entailed: Bools) -> Floats:
    """The share of every row of answers (…, pairs) that is right, true where entailment is answered."""
    return (accepted == entailed).sum(axis=-1) / np.maximum(accepted.shape[-1], 1)


FEWEST_IN_GROUP = 50
"""A group with fewer training pairs has no threshold of its own: the error of one learnt from 50 is some 7 points."""


class Threshold(msgspec.Struct, frozen=True):
    """Entailment is answered from this score on; some groups of pairs may have a threshold of their own."""

    everywhere: float
    value: float
    """The share of the training pairs that it answers right."""
    goal: Literal["accuracy"] = "accuracy"
    groups: dict[str, float] = {}

    def of(self, groups: Sequence[str] | None, pairs: int) -> Floats:
        """The threshold that each pair is held to: its group's, or the one for all where its group has none."""
        if groups is None or not self.groups:
            return np.full(pairs, self.everywhere)
        return np.array([self.groups.get(group, self.everywhere) for group in groups], dtype=np.float64)

    def decide(self, scores: Floats, groups: Sequence[str] | None = None) -> Codes:
        """Two-way codes: entailment where the score reaches the threshold."""
        return np.where(scores >= self.of(groups, len(scores)), ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)


def learn(scores: Floats, codes: Codes, groups: Sequence[str] | None = None, least: int = FEWEST_IN_GROUP) -> Threshold:
    """The best threshold for all pairs and, where groups are named, one more for each that is large enough."""
    thresholds, values = sweep(scores, codes)
    own: dict[str, float] = {}
    names = np.array([] if groups is None else groups, dtype=np.str_)
    for name in np.unique(names).tolist():
        members = names == name
        if members.sum() >= least:
            own[name] = float(sweep(scores[members], codes[members])[0])
    return Threshold(float(thresholds), float(values), groups=own)


def sweep(scores: Floats, codes: Codes) -> tuple[Floats, Floats]:
    """The best threshold and its value for every row of scores (…, pairs), each row swept by itself."""
    order, ordered = _sorted(scores)
    return sweep_sorted(ordered, (codes == ENTAILMENT_CODE)[order])


def cross_validated(scores: Floats, codes: Codes, folds: Ints) -> Floats:
    """The accuracy over all pairs of every row (…, pairs), each decided by a threshold its own fold had no part in."""
    order, ordered = _sorted(scores)
    entailed, fold = (codes == ENTAILMENT_CODE)[order], folds[order]
    accepted = np.zeros(ordered.shape, dtype=bool)
    for held_out in np.unique(folds).tolist():
        others = fold != held_out
        shape = (*ordered.shape[:-1], int((folds != held_out).sum()))
        # Sorted rows stay sorted when a fold is taken out of them, and each row loses equally many.
        learnt = sweep_sorted(ordered[others].reshape(shape), entailed[others].reshape(shape))[0]
        accepted |= ~others & (ordered >= learnt[..., None])
    return accuracies(accepted, entailed)


def sweep_sorted(scores: Floats, entailed: Bools) -> tuple[Floats, Floats]:
    """The sweep of rows whose scores already ascend; `entailed` is in the order of its row."""
    cuts = between(scores)
    values = np.where(distinct(scores), cut_values(entailed), -np.inf)
    best = values.max(axis=-1)
    chosen = plateau(values == best[..., None], values > -np.inf, cuts)
    return np.take_along_axis(cuts, chosen[..., None], axis=-1)[..., 0], best


def cut_values(entailed: Bools) -> Floats:
    """The accuracy of each of pairs + 1 cuts through an ascending row: all above a cut are answered entailment."""
    below = np.zeros((*entailed.shape[:-1], entailed.shape[-1] + 1))
    np.cumsum(entailed, axis=-1, out=below[..., 1:])
    others_below = np.arange(below.shape[-1]) - below
    right = below[..., -1:] - below + others_below
    return right / max(entailed.shape[-1], 1)


def distinct(scores: Floats) -> Bools:
    """Which cuts through an ascending row part unequal scores; those before the first and after the last do."""
    parts = np.ones((*scores.shape[:-1], scores.shape[-1] + 1), dtype=bool)
    np.less(scores[..., :-1], scores[..., 1:], out=parts[..., 1:-1])
    return parts


def between(scores: Floats) -> Floats:
    """The thresholds of the cuts through an ascending row: midpoints, and a whole range beyond either end.

    A threshold is never above the score over it and always above the score under it, however close the two are. The
    ends are finite, since a model is JSON.
    """
    if scores.shape[-1] == 0:
        return np.zeros((*scores.shape[:-1], 1))
    first, last = scores[..., :1], scores[..., -1:]
    span = np.where(last > first, last - first, 1.0)
    lower, upper = scores[..., :-1], scores[..., 1:]
    middle = lower / 2 + upper / 2
    inside = np.where((middle > lower) & (middle <= upper), middle, upper)
    over = np.maximum(last + span, np.nextafter(last, np.inf))
    return np.concatenate([first - span, inside, over], axis=-1)


def plateau(best: Bools, allowed: Bools, cuts: Floats) -> Ints:
    """The cut to take in each row (…, cuts) of equally good ones: the centre of the longest run of neighbours.

    Neighbours are counted among allowed cuts only. Of runs equally long the one that spans most is taken, from the cut
    before it to the cut after it; of those the lowest. A run of even length gives its lower centre.
    """
    shape, width = best.shape[:-1], best.shape[-1]
    places = np.flatnonzero(allowed)
    row, good, cut = places // width, best.reshape(-1)[places], cuts.reshape(-1)[places]
    joined = np.zeros(len(places) + 1, dtype=bool)
    joined[1:-1] = good[1:] & good[:-1] & (row[1:] == row[:-1])
    starts = np.flatnonzero(good & ~joined[:-1])
    ends = np.flatnonzero(good & ~joined[1:])
    before = np.maximum(starts - 1, np.searchsorted(row, row[starts]))
    after = np.minimum(ends + 1, np.searchsorted(row, row[ends], side="right") - 1)
    ranked = np.lexsort((starts, cut[before] - cut[after], starts - ends, row[starts]))
    _, first = np.unique(row[starts][ranked], return_index=True)
    run = ranked[first]
    return (places[(starts[run] + ends[run]) // 2] % width).reshape(shape)


def _sorted(scores: Floats) -> tuple[Ints, Floats]:
    if not np.isfinite(scores).all():
        raise ValueError("scores must be finite: leave out the pairs that have none")
    order = np.argsort(scores, axis=-1)  # in whatever order equal scores come: no cut parts them
    return order, np.take_along_axis(scores, order, axis=-1)


BEST_KEPT = 15
"""How many of the best thresholds the most stable one is chosen from."""
ALL_KEPT_UP_TO = 25
"""Up to so many candidates all are kept."""


def learn_first_best(scores: Floats, codes: Codes) -> Threshold:
    """The first best distance of the sorted training distances, as the Excitement platform sweeps.

    Faithful to it in two oddities: pairs of equal distance are counted one by one in their given order, so the value
    may be one that no threshold reaches; and where answering no entailment at all is best, the threshold is distance 0.
    """
    order = np.argsort(-scores, kind="stable")
    values = cut_values((codes == ENTAILMENT_CODE)[order[::-1]])[::-1]
    best = int(np.argmax(values))
    return Threshold(float(scores[order[best - 1]]) if best else 0.0, float(values[best]))


def learn_stable(scores: Floats, codes: Codes, folds: Ints) -> Threshold:
    """Of the best training scores, the one whose accuracy differs least from fold to fold, as EDITS 3 means to choose.

    Its candidates are the training scores themselves, and a pair must be beyond one to be entailed. Equally stable
    candidates go by value, then by the smaller distance.
    """
    candidates, entailed = np.unique(scores)[::-1], codes == ENTAILMENT_CODE
    accepted = scores > candidates[:, None]
    values = accuracies(accepted, entailed)
    kept = np.argsort(-values, kind="stable")[: BEST_KEPT if len(values) > ALL_KEPT_UP_TO else None]
    parts = [accuracies(accepted[kept][:, folds == fold], entailed[folds == fold]) for fold in np.unique(folds)]
    instability = spread(np.array(parts))
    # Sums of equal differences may differ in the last bits.
    chosen = kept[int(np.argmax(instability <= instability.min() + 1e-12))]
    return Threshold(float(np.nextafter(candidates[chosen], np.inf)), float(values[chosen]))


def spread(values: Floats) -> Floats:
    """The sum of |a − b| over all pairs of values along the first axis."""
    rank = np.arange(len(values), dtype=np.float64)
    return np.tensordot(2 * rank - len(values) + 1, np.sort(values, axis=0), axes=1)
