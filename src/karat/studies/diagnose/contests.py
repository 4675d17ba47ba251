"""Exact tests of every two runs on every phenomenon and category, corrected over all of them."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import EXACT_WORK, Paired, exact_randomisation, exact_work, paired_t
from karat.studies.diagnose.groups import Groups
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import Contest


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
