"""Tests on single runs, corrected over all tests from which a claim is selected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats, Ints
from karat.statistics.multiple_testing import corrected
from karat.statistics.scattering import tails
from karat.statistics.slice_difference import weaker_over_clusters
from karat.studies.diagnose.groups import Groups
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.tally import Tally


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
