"""Tests of score matrices: clusters become units without moving the mean or its error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.data.provenance import Source
from karat.data.scores import Scores
from karat.statistics.paired import Paired, mean_interval

VALUES = np.array([[1.0, 0, 1, 1, 0, 1, 0, 0], [0.0, 0, 1, 0, 1, 1, 1, 0]])
CLUSTERS = ("a", "a", "a", "b", "b", None, "c", None)


def clustered() -> Scores:
    """Two runs on eight units, two of which stand alone."""
    return Scores(("x", "y"), tuple("12345678"), VALUES, clusters=CLUSTERS)


def test_clusters_become_units_in_the_order_they_are_met() -> None:
    """A unit without a cluster is one by itself."""
    assert clustered().by_cluster().units == ("a", "b", "unit 6", "c", "unit 8")


def test_the_mean_stays_and_its_error_is_that_of_a_ratio() -> None:
    """Plain means of the clusters' scores and their plain error are what the ratio of sums has."""
    scores = clustered().by_cluster()
    np.testing.assert_allclose(scores.values.mean(axis=1), VALUES.mean(axis=1))
    nobody = np.empty(0, dtype=np.int64)
    ratio = Paired.of(VALUES, nobody, nobody, np.array([0, 0, 0, 1, 1, 2, 3, 4]))
    plain = Paired.of(scores.values, nobody, nobody)
    np.testing.assert_allclose(mean_interval(plain), mean_interval(ratio))


def test_differences_of_runs_are_made_alike() -> None:
    """The cluster scores of a difference are the difference of cluster scores."""
    apart = Scores(("d",), tuple("12345678"), VALUES[:1] - VALUES[1:], clusters=CLUSTERS).by_cluster().values
    both = clustered().by_cluster().values
    np.testing.assert_allclose(apart[0], both[0] - both[1])


def test_clusters_of_one_size_score_their_mean() -> None:
    """Nothing but the means of the clusters is left."""
    scores = Scores(("x",), tuple("1234"), np.array([[1.0, 0, 0, 0]]), clusters=("a", "a", "b", "b")).by_cluster()
    np.testing.assert_allclose(scores.values, [[0.5, 0.0]])


def test_without_clusters_nothing_changes() -> None:
    """Units that stand alone are what they were."""
    scores = Scores(("x",), ("1", "2"), np.array([[1.0, 0]]))
    assert scores.by_cluster() is scores


def test_some_units_keep_their_clusters() -> None:
    """Choosing units chooses their clusters."""
    some = clustered().of_units(np.array([0, 1, 0, 0, 0, 1, 1, 0], dtype=bool))
    assert (some.units, some.clusters) == (("2", "6", "7"), ("a", None, "c"))


def test_a_unit_alone_is_no_cluster_of_its_name() -> None:
    """Whatever clusters are called, a unit that stands alone does."""
    scores = Scores(("x",), ("a", "b", "c"), np.array([[1.0, 0, 0]]), clusters=(None, "unit a", "unit a"))
    made = scores.by_cluster()
    assert len(set(made.units)) == 2
    assert made.values.tolist() == [[1 / 3 + (1 - 1 / 3) / 1.5, 1 / 3 - 2 / 3 / 1.5]]


def test_clusters_say_what_they_are() -> None:
    """Three clusters and two units alone are five clusters of eight units."""
    assert (clustered().unit, clustered().members) == ("unit", None)
    assert (clustered().by_cluster().unit, clustered().by_cluster().members) == ("cluster", 8)


def test_a_part_is_not_signed_as_the_whole() -> None:
    """The file's name and hash go with all of its units, not with some of them nor with clusters made of them."""
    whole = replace(clustered(), sources=(Source("f.csv", "abc"),))
    some = np.arange(8) < 4
    assert whole.of_units(some).sources == whole.by_cluster().sources == ()
    assert whole.of_units(some | True).sources == whole.sources
    assert Source.of_noun(whole.of_units(some)) != Source.of_noun(whole.of_units(~some))
