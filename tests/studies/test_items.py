"""Items: extremes, difficulty, pooled contingency."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import karat
from karat.studies.items import _first

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def test_by_hand(make: Make) -> None:
    """Two runs on four pairs."""
    _, runs = make("E U C E", a="1 E\n2 E\n3 E\n4 U", b="1 E\n2 U\n3 E\n4 C")
    result = karat.items(runs)
    assert result.never_right == ["3", "4"]
    assert result.always_right == ["1"]
    assert result.unanimous == ["1", "3"]
    assert result.pooled == [[2, 1, 1], [1, 1, 0], [2, 0, 0]]
    assert [item.right for item in result.items] == [2, 1, 0, 0]
    two = karat.items(runs, way="2")
    assert two.never_right == ["3", "4"]
    assert two.unanimous == ["1", "3", "4"]


def test_difficulty_is_mean_accuracy(key: karat.Pairs, runs: karat.Responses) -> None:
    """Difficulty by any attribute is the runs' mean accuracy there."""
    result = karat.items(runs)
    right = np.minimum(runs.codes, 1) == np.minimum(key.labels, 1)
    assert set(result.difficulty) == {"task", "length", "topic"}
    for attribute, parts in result.difficulty.items():
        for part in parts:
            here = np.array([value == part.value for value in key.attributes[attribute]])
            assert part.accuracy == pytest.approx(right[:, here].mean())
            assert part.units == here.sum()


def test_three_way_needs_three_way_runs(runs: karat.Responses) -> None:
    """Asked for three-way with a two-way run, it names the run."""
    assert karat.items(runs).signature.way == "2"
    with pytest.raises(karat.UsageError, match="'two-way' answers two-way"):
        karat.items(runs, way="3")


def test_needs_runs_and_a_key(make: Make) -> None:
    """Nothing to analyse is an error, not an empty table."""
    _, runs = make("E U")
    with pytest.raises(karat.UsageError, match="at least one run"):
        karat.items(runs)


def test_every_pair_is_right_somewhere(make: Make) -> None:
    """Where no pair is lost, that is what is said of them."""
    _, runs = make("E U C", a="1 E\n2 U\n3 U", b="1 E\n2 C\n3 C")
    assert karat.items(runs, way="3").findings() == [
        "Each of 3 pairs was answered correctly by at least one run, and 1 by every run."
    ]


def test_pairs_that_no_run_got_right(make: Make) -> None:
    """With how many there are of each label; of one label alone the number is not repeated."""
    _, runs = make("E U C E", a="1 U\n2 U\n3 U\n4 U")
    assert karat.items(runs).findings() == ["No run is right on 3 of 4 pairs: 2 ENTAILMENT, 1 CONTRADICTION."]
    _, runs = make("E U C E", a="1 U\n2 U\n3 C\n4 U")
    assert karat.items(runs).findings() == ["No run is right on 2 of 4 pairs, all of them ENTAILMENT."]


def test_ids_that_fit_into_a_cell() -> None:
    """A dozen short ones; of long ones fewer, and at least one."""
    assert _first([]) == ""
    assert _first(["1", "2"]) == "1 2"
    assert _first([str(place) for place in range(13)]) == "0 1 2 3 4 5 6 7 8 9 10 11 …"
    assert _first(["a" * 36] * 3) == "a" * 36 + " …"
    assert _first(["a" * 90]) == "a" * 90
