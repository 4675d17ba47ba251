"""Tests: of slices of single runs, of two runs on a slice, and of pairs that share a T; corrected for selection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import NAN, Bools, Floats, Ints
from karat.data.decomposition import Decomposition
from karat.labels import Codes
from karat.statistics.intervals import wilson
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import EXACT_WORK, Paired, exact_randomisation, exact_work, paired_t
from karat.statistics.scattering import Stratum, tails
from karat.statistics.slice_difference import weaker_over_clusters
from karat.studies.diagnose.groups import Groups, Tally, texts_of
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import Consistency, Contest, IntervalOrNone


@dataclass(frozen=True, eq=False)
class SliceTests:
    """p-values (rows, groups), plain and corrected; NaN if not tested."""

    weaker: Floats
    weaker_corrected: Floats
    index: Floats
    index_corrected: Floats

    @property
    def slices(self) -> int:
        """The number of slices tested, over all runs."""
        return int((~np.isnan(self.weaker)).sum())

    def indices(self, at: int) -> int:
        """The number of indices in the same family as that of a group."""
        return int((~np.isnan(self.index[:, :1] if at == 0 else self.index[:, 1:])).sum())


def verdicts(
    runs: Floats, groups: Groups, texts: Ints, parts: Tally, index: Floats, asked: DiagnoseParameters
) -> SliceTests:
    """Test runs (runs, units); baselines, whose rows come after them, and small groups are not tested.

    A slice is tested against the run's right answers being spread at random over all its pairs. If pairs share a text
    (texts of the monothematic units), p is at least that of a t test over texts. All slices of all runs are one family,
    and the indices of all runs over all pairs another; the first finding about a run selects from both, so each gets
    half of the level. The indices of categories and judgments, which are in the tables only, are a third family.
    """
    weaker, index = np.full(index.shape, np.nan), index.copy()
    right, n = (np.rint(side[..., 0, :]).astype(int) for side in (parts.right, parts.n))
    units = groups.mono[0]
    shared = int(texts.max()) + 1 < len(texts)
    for at in range(1, n.shape[0]):  # the first group is all pairs
        if n[at] >= asked.small:
            weaker[: len(runs), at] = [tails([(n[0], (row[0], n[at]))], row[at])[0] for row in right[: len(runs)]]
            inside = groups.mono[at][units]
            if shared and not inside.all():
                weaker[: len(runs), at] = np.maximum(
                    weaker[: len(runs), at], weaker_over_clusters(runs[:, units], inside, texts)
                )
    index[len(runs) :] = np.nan
    index[:, groups.phenomena] = np.nan
    halves = 1 if np.isnan(index).all() or asked.correction == "none" else 2
    index_corrected = np.full(index.shape, np.nan)
    index_corrected[:, 0] = np.minimum(halves * corrected(index[:, 0], asked.correction), 1.0)
    index_corrected[:, 1:] = corrected(index[:, 1:].ravel(), asked.correction).reshape(index[:, 1:].shape)
    weaker_corrected = np.minimum(halves * corrected(weaker.ravel(), asked.correction), 1.0).reshape(weaker.shape)
    return SliceTests(weaker, weaker_corrected, index, index_corrected)


def contests(
    groups: Groups, texts: Ints, runs: tuple[str, ...], right: Floats, asked: DiagnoseParameters
) -> tuple[list[Contest], list[Contest]]:
    """Tests on every phenomenon, and on every category, of at least `small` pairs.

    Readers look at the clearest difference, so all tests are one family for the correction. Answers are exchanged on
    whole texts (of the monothematic units); if no two pairs of a slice share a text, this is McNemar's test.
    """
    sizes = groups.mono.sum(axis=1)
    parts = [range(part.start, part.stop) for part in (groups.phenomena, groups.categories)]
    units = np.flatnonzero(groups.mono[0])
    several = [len(np.unique(texts[chosen[units]])) > 1 for chosen in groups.mono]  # a single text cannot be tested
    tested = [[at for at in part if sizes[at] >= asked.small and several[at]] for part in parts]
    slices = [at for part in tested for at in part]
    first, second = np.triu_indices(len(runs), 1)
    if not len(first) or not slices:
        return [], []
    # On how many units one run is right and the other wrong (slices, runs, runs).
    won = np.rint([(right * groups.mono[at]) @ (1 - right).T for at in slices]).astype(np.int64)
    only_a, only_b = won[:, first, second], won[:, second, first]
    p = np.stack([_p(right[:, units], groups.mono[at][units], texts, (first, second)) for at in slices])
    after = corrected(p.ravel(), asked.correction).reshape(p.shape)
    made = [
        Contest(
            name=groups.names[at],
            a=runs[first[pair]],
            b=runs[second[pair]],
            n=int(sizes[at]),
            difference=float((only_a[row, pair] - only_b[row, pair]) / sizes[at]),
            only_a=int(only_a[row, pair]),
            only_b=int(only_b[row, pair]),
            p=float(p[row, pair]),
            p_corrected=float(after[row, pair]),
            different=bool(after[row, pair] <= asked.alpha),
        )
        for row, at in enumerate(slices)
        for pair in range(len(first))
    ]
    edge = len(tested[0]) * len(first)
    return made[:edge], made[edge:]


def _p(right: Floats, inside: Bools, texts: Ints, pairing: tuple[Ints, Ints]) -> Floats:
    """p of every two runs on one slice, over all exchanges of whole texts, or by t over texts if there are too many."""
    text = np.unique(texts[inside], return_inverse=True)[1]
    paired = Paired.of(right[:, inside], *pairing, text if text.max() + 1 < len(text) else None)
    return exact_randomisation(paired) if exact_work(paired) <= EXACT_WORK else paired_t(paired)


def consistencies(
    decomposition: Decomposition, names: tuple[str, ...], key: Codes, right: Floats, asked: DiagnoseParameters
) -> list[Consistency]:
    """One row per run; empty if no two pairs share a T."""
    units = np.flatnonzero(decomposition.mono)
    group = texts_of(decomposition, units)
    shared = np.bincount(group)[group] > 1
    units, group = units[shared], np.unique(group[shared], return_inverse=True)[1]
    if not len(units):
        return []
    sizes, counts = np.bincount(group), by_label(group, key[units])
    mixed = (counts > 0).sum(axis=1) > 1
    rows = [by_label(group, key[units], row) for row in right[:, units]]
    wholes = [(row == counts).all(axis=1) for row in rows]
    strata = [right_by_label(counts[mixed], row[mixed]) for row in rows]
    p = np.full(len(names), NAN)
    if mixed.any():
        p[:] = [tails(each, int(whole[mixed].sum()))[0] for each, whole in zip(strata, wholes, strict=True)]
    after = corrected(p, asked.correction)
    made = []
    for at, (name, row, whole) in enumerate(zip(names, rows, wholes, strict=True)):
        share, interval = _share(whole, asked.interval)
        mixed_share, mixed_interval = _share(whole[mixed], asked.interval)
        made.append(
            Consistency(
                run=name,
                groups=len(sizes),
                pairs=len(units),
                consistent=int(whole.sum()),
                share=share,
                interval=interval,
                expected=float(expected_consistent(sizes, int(row.sum())).mean()),
                mixed=int(mixed.sum()),
                mixed_share=mixed_share,
                mixed_interval=mixed_interval,
                mixed_expected=expected_together(strata[at]) / int(mixed.sum()) if mixed.any() else NAN,
                p=float(p[at]),
                p_corrected=float(after[at]),
                traded=bool(after[at] <= asked.alpha) if mixed.any() else None,
            )
        )
    return made


def _share(whole: Bools, level: float) -> tuple[float, IntervalOrNone]:
    """The share of groups that are right throughout, with Wilson's interval; undefined if there are no groups."""
    if not len(whole):
        return NAN, None
    low, high = wilson(whole.mean(), np.asarray(float(len(whole))), level)
    return float(whole.mean()), (float(low), float(high))


def by_label(group: Ints, labels: Codes, counted: Floats | None = None) -> Ints:
    """The number of units, or the sum of `counted`, by group and label (groups, labels)."""
    size = int(labels.max()) + 1
    cells = np.bincount(group * size + labels, counted, minlength=(int(group.max()) + 1) * size)
    return np.rint(cells).astype(np.int64).reshape(-1, size)


def right_by_label(counts: Ints, right: Ints) -> list[Stratum]:
    """For groups with the same labels: how many there are, and how many are right on all pairs of each label.

    If right answers on one label are independent of those on another, the groups that are right on each are spread at
    random within a stratum. Sizes are not mixed in a stratum, since large groups are seldom right throughout.
    """
    kinds, kind = np.unique(counts, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    whole = right == counts
    return [
        (int((kind == at).sum()), whole[kind == at][:, held > 0].sum(axis=0).tolist()) for at, held in enumerate(kinds)
    ]


def expected_together(strata: list[Stratum]) -> float:
    """The expected number of groups right throughout if right answers on different labels are independent."""
    return float(sum(number * np.prod([size / number for size in sizes]) for number, sizes in strata))


def expected_consistent(sizes: Ints, right: int) -> Floats:
    """The probability of each group to be right throughout if the right answers are spread at random over all units."""
    units = int(sizes.sum())
    steps = np.arange(int(sizes.max()))
    # Without replacement, the next unit of the group is right with probability (right - step) / (units - step).
    chance = np.cumprod(np.clip(right - steps, 0, None) / np.maximum(units - steps, 1))
    return np.asarray(chance[sizes - 1], dtype=np.float64)
