"""What compare says of few units, of pairs that were not tested, and where test and interval seem at odds."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.scores import Scores
from karat.studies.compare.study import compare


def scores(values: Floats, **options: object) -> Scores:
    """Runs r0, r1, … on units u0, u1, …"""
    runs, units = (
        tuple(f"{name}{place}" for place in range(size)) for name, size in zip("ru", values.shape, strict=True)
    )
    return Scores(runs, units, values, **options)  # type: ignore[arg-type]


def test_few_shared_units() -> None:
    """Two runs of 100 units share four: no p can be below .125, whatever they scored on the other 96."""
    values = np.full((2, 100), np.nan)
    values[0, :52], values[1, 48:] = 1.0, 0.0
    said = " ".join(compare(scores(values)).findings())
    assert "1 pair of runs shares 4 units" in said
    assert "no difference can be significant" in said
    third = np.vstack([values, (np.arange(100) % 2)[None]])
    said = " ".join(compare(scores(third)).findings())
    assert "1 pair of runs shares 4 units" in said  # and the others share 52


def test_pairs_that_were_not_tested_were_not_compared() -> None:
    """Three runs on three sets of units: nothing was tested, and so nothing on fewer units."""
    values = np.full((3, 30), np.nan)
    values[0, :10] = values[1, 10:20] = values[2, 20:] = 1.0
    said = " ".join(compare(scores(values)).findings())
    assert "No pairs of runs were tested" in said
    assert "fewer units" not in said


def test_an_interval_without_0_beside_an_exact_p() -> None:
    """Five losses of twenty: p = .0625, and an interval from .01 on; said once, and not where both agree."""
    values = np.ones((2, 20))
    values[1, :5] = 0
    said = [one for one in compare(scores(values)).findings() if "excludes 0" in one]
    assert len(said) == 1
    assert "not obtained by inverting it" in said[0]
    values[1, :6] = 0
    assert not any("excludes 0" in one for one in compare(scores(values)).findings())


def test_intervals_of_shares_stay_within_0_and_1() -> None:
    """Graded accuracies and clusters of right and wrong; scores of no known range are left alone."""
    values = np.ones((2, 40))
    values[0, 0] = values[1, 1] = 0.05
    bounded = [row.interval[1] for row in compare(scores(values, measure="accuracy")).runs]
    assert bounded == [1.0, 1.0]
    assert all(row.interval[1] > 1 for row in compare(scores(values, measure="ratings")).runs)
    values = np.ones((2, 12))
    values[0, 0] = 0
    clusters = tuple("aabbccddeeff")
    assert max(row.interval[1] for row in compare(scores(values, clusters=clusters)).runs) == 1.0
