"""Sensitivity of a score matrix to how scores are averaged."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import karat
from karat.studies.sensitivity.study import runs_beaten, trimmed_means


def test_averages_are_scipys() -> None:
    """The trimmed mean is scipy's, and beating runs is their mean rank on a scale from 0 to 1."""
    values = np.round(np.random.default_rng(0).random((5, 41)), 1)
    np.testing.assert_allclose(trimmed_means(values), stats.trim_mean(values, 0.2, axis=1))
    ranks = stats.rankdata(values, axis=0).mean(axis=1)
    np.testing.assert_allclose(runs_beaten(values), (ranks - 1) / 4)


def test_outliers_change_the_ranking() -> None:
    """A run that is first by one huge score is last by every average that looks at the middle."""
    scores = karat.Scores(("steady", "lucky"), tuple("abcde"), np.array([[0.5] * 5, [0.4, 0.4, 0.4, 0.4, 3.0]]))
    result = karat.sensitivity(scores)
    assert [one.ranking[0] for one in result.settings] == ["lucky", "steady", "steady", "steady"]
    assert [one.tau for one in result.settings] == [1.0, -1.0, -1.0, -1.0]


def test_what_needs_a_key() -> None:
    """Label mixes of a score matrix are refused with the reason."""
    scores = karat.Scores(("a", "b"), ("u", "v"), np.eye(2))
    with pytest.raises(karat.UsageError, match="need the key"):
        karat.sensitivity(scores, prior=["uniform"])


def test_clusters_change_no_average() -> None:
    """Which units belong together is not asked."""
    scores = karat.Scores(("a", "b"), ("u", "v"), np.eye(2), clusters=("x", "x"))
    plain = karat.Scores(("a", "b"), ("u", "v"), np.eye(2))
    ours, theirs = ([setting.scores for setting in karat.sensitivity(one).settings] for one in (scores, plain))
    assert ours == theirs


def test_a_matrix_has_no_way() -> None:
    """The signature says none, and what becomes of missing scores."""
    signature = karat.sensitivity(karat.Scores(("a", "b"), ("u", "v"), np.eye(2))).signature
    assert (signature.way, signature.missing) == (None, "refused")
