"""The alternative-annotator test: the authors' procedure in loops, and judges whose worth is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.statistics.alternative_annotator import AlternativeAnnotator, alternative_annotator


def said(units: int, skills: list[float], seed: int, missing: float = 0.0) -> np.ndarray:
    """What assessors of known skill say of units of three labels."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, units)
    right = random.random((len(skills), units)) < np.array(skills)[:, None]
    codes = np.where(right, truth, (truth + random.integers(1, 3, right.shape)) % 3)
    return np.where(random.random(right.shape) < missing, -1, codes).astype(np.int32)


def in_loops(people: np.ndarray, judge: np.ndarray, epsilon: float, fewest: int) -> dict[str, list[float]]:
    """The authors' code: one person, one unit at a time; scipy's t test; their step-up procedure."""
    found: dict[str, list[float]] = {"advantage": [], "p": [], "person": []}
    for person in range(len(people)):
        ahead, behind = [], []
        for unit in range(people.shape[1]):
            others = [row[unit] for place, row in enumerate(people) if place != person and row[unit] >= 0]
            if people[person, unit] < 0 or judge[unit] < 0 or not others:
                continue
            theirs = np.mean([people[person, unit] == other for other in others])
            judges = np.mean([judge[unit] == other for other in others])
            ahead.append(int(judges >= theirs))
            behind.append(int(theirs >= judges))
        if len(ahead) >= fewest:
            apart = np.array(behind) - np.array(ahead)
            found["p"].append(float(stats.ttest_1samp(apart, epsilon, alternative="less").pvalue))
            found["advantage"].append(float(np.mean(ahead)))
            found["person"].append(person)
    return found


@pytest.mark.parametrize(("seed", "missing"), [(0, 0.0), (1, 0.3), (2, 0.6)])
def test_against_loops(seed: int, missing: float) -> None:
    """Advantages and p-values are those of the authors' procedure, ballots missing or not."""
    codes = said(120, [0.8, 0.7, 0.9, 0.6, 0.85], seed, missing)
    ours = alternative_annotator(codes[:4], codes[4], 3, epsilon=0.1, fewest=20)
    theirs = in_loops(codes[:4], codes[4], 0.1, 20)
    tested = np.flatnonzero(~np.isnan(ours.p))
    assert tested.tolist() == theirs["person"]
    np.testing.assert_allclose(ours.p[tested], theirs["p"], atol=1e-12)
    np.testing.assert_allclose(ours.advantage[tested], theirs["advantage"], atol=1e-12)
    np.testing.assert_allclose(
        ours.p_corrected[tested], stats.false_discovery_control(theirs["p"], method="by"), atol=1e-12
    )


def test_good_and_poor_judges() -> None:
    """A judge better than the people may replace them all; one that guesses, none."""
    codes = said(300, [0.8, 0.8, 0.8, 0.95, 0.3], 3)
    good, poor = (alternative_annotator(codes[:3], codes[place], 3) for place in (3, 4))
    assert good.winning_rate() == 1
    assert good.mean_advantage > 0.9
    assert poor.winning_rate() == 0


def test_epsilon_is_the_price() -> None:
    """A judge as good as a person passes with epsilon .2 and does not with 0."""
    codes = said(200, [0.8] * 4, 4)
    assert alternative_annotator(codes[:3], codes[3], 3, epsilon=0.2).winning_rate() == 1
    assert alternative_annotator(codes[:3], codes[3], 3, epsilon=0.0).winning_rate() < 1


def test_too_few_units() -> None:
    """A person with fewer units than wanted is not tested, and nobody tested leaves no rate."""
    codes = said(25, [0.8] * 4, 5)
    result = alternative_annotator(codes[:3], codes[3], 3)
    assert np.isnan(result.p).all()
    assert np.isnan(result.p_corrected).all()
    assert np.isnan(result.winning_rate())
    assert np.isnan(result.mean_advantage)
    assert result.units.tolist() == [25, 25, 25]


def test_no_variation() -> None:
    """A judge that copies the people is better than epsilon with certainty, and with epsilon 0 is not better."""
    codes = np.tile(said(40, [0.8], 6), (4, 1))

    def test(epsilon: float) -> AlternativeAnnotator:
        return alternative_annotator(codes[:3], codes[3], 3, epsilon=epsilon)

    assert test(0.1).p.tolist() == [0, 0, 0]
    assert test(0.0).p.tolist() == [1, 1, 1]


def test_single_person() -> None:
    """One person has no others to be compared with."""
    codes = said(50, [0.8, 0.8], 7)
    assert np.isnan(alternative_annotator(codes[:1], codes[1], 3).p).all()
