"""The alternative-annotator test: the authors' comparisons in loops, Tango's score by maximisation, known judges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from karat.statistics.alternative_annotator import AlternativeAnnotator, alternative_annotator
from karat.statistics.paired import score_p


def said(units: int, skills: list[float], seed: int, missing: float = 0.0) -> np.ndarray:
    """What assessors of known skill say of units of three labels."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, units)
    right = random.random((len(skills), units)) < np.array(skills)[:, None]
    codes = np.where(right, truth, (truth + random.integers(1, 3, right.shape)) % 3)
    return np.where(random.random(right.shape) < missing, -1, codes).astype(np.int32)


def one_judge(people: np.ndarray, judge: np.ndarray, *arguments: float) -> AlternativeAnnotator:
    """The test for a single judge of three labels."""
    return alternative_annotator(people, judge[None], 3, *arguments)  # type: ignore[arg-type]


def in_loops(
    people: np.ndarray, judge: np.ndarray, fewest: int, places: list[float] | None = None
) -> dict[int, tuple[list[int], list[int]]]:
    """The authors' procedure, one person and one unit at a time: on which units the judge wins, and the person.

    The alignment with the others is accuracy for names, and the negative root mean squared error for numbers.
    """

    def alignment(code: int, others: list[int]) -> float:
        if places is None:
            return float(np.mean([code == other for other in others]))
        return -float(np.sqrt(np.mean([(places[code] - places[other]) ** 2 for other in others])))

    found = {}
    for person in range(len(people)):
        ahead, behind = [], []
        for unit in range(people.shape[1]):
            others = [row[unit] for place, row in enumerate(people) if place != person and row[unit] >= 0]
            if people[person, unit] < 0 or judge[unit] < 0 or not others:
                continue
            theirs, its = alignment(people[person, unit], others), alignment(judge[unit], others)
            ahead.append(int(its >= theirs - 1e-9))
            behind.append(int(theirs >= its - 1e-9))
        if len(ahead) >= fewest:
            found[person] = ahead, behind
    return found


def score_by_maximisation(behind: int, ahead: int, units: int, epsilon: float) -> float:
    """Tango's p with the likelihood under the hypothesis maximised by search."""

    def unlikely(share: float) -> float:
        cells = np.array([share, share + epsilon, 1 - 2 * share - epsilon])
        return -float(np.array([ahead, behind, units - ahead - behind]) @ np.log(np.maximum(cells, 1e-300)))

    best = optimize.minimize_scalar(unlikely, bounds=(0, (1 - epsilon) / 2), method="bounded", options={"xatol": 1e-12})
    error = np.sqrt(units * (2 * best.x + epsilon - epsilon**2))
    return float(stats.norm.cdf((behind - ahead - units * epsilon) / error))


@pytest.mark.parametrize("places", [None, [0.0, 1.0, 2.0], [0.1, 0.2, 0.7]], ids=["names", "ranks", "amounts"])
@pytest.mark.parametrize(("seed", "missing"), [(0, 0.0), (1, 0.3), (2, 0.6)])
def test_against_loops(seed: int, missing: float, places: list[float] | None) -> None:
    """Advantages are those of the authors' procedure, for names and for numbers, ballots missing or not."""
    codes = said(120, [0.8, 0.7, 0.9, 0.6, 0.85], seed, missing)
    where = None if places is None else np.array(places)
    ours = alternative_annotator(codes[:4], codes[4:], 3, epsilon=0.1, fewest=20, places=where)
    theirs = in_loops(codes[:4], codes[4], 20, places)
    tested = np.flatnonzero(~np.isnan(ours.p[0]))
    assert tested.tolist() == list(theirs)
    for person, (ahead, behind) in theirs.items():
        assert ours.units[0, person] == len(ahead)
        assert ours.advantage[0, person] == pytest.approx(np.mean(ahead))
        assert ours.persons_advantage[0, person] == pytest.approx(np.mean(behind))
        wins, losses = sum(1 - one for one in behind), sum(1 - one for one in ahead)
        assert ours.p[0, person] == pytest.approx(score_by_maximisation(losses, wins, len(ahead), 0.1), abs=1e-6)
    np.testing.assert_allclose(
        ours.p_corrected[0, tested], stats.false_discovery_control(ours.p[0, tested], method="by"), atol=1e-12
    )


def test_ranks_are_no_names() -> None:
    """Others say 4: a judge that says 3 is closer than a person who says 0, and as names both are as wrong."""
    people, judge = np.array([[0] * 40, [4] * 40, [4] * 40], dtype=np.int32), np.full((1, 40), 3, dtype=np.int32)
    names = alternative_annotator(people, judge, 5)
    ranks = alternative_annotator(people, judge, 5, places=np.arange(5.0))
    assert (names.advantage[0, 0], names.persons_advantage[0, 0]) == (1, 1)
    assert (ranks.advantage[0, 0], ranks.persons_advantage[0, 0]) == (1, 0)


def test_many_units_are_as_the_authors_have_them() -> None:
    """Of many units Student's t test, which the authors use, says the same."""
    codes = said(20_000, [0.8, 0.7, 0.9, 0.6], 3)
    ours = one_judge(codes[:3], codes[3], 0.25)
    for person, (ahead, behind) in in_loops(codes[:3], codes[3], 20).items():
        apart = np.array(behind) - np.array(ahead)
        expected = stats.ttest_1samp(apart, 0.25, alternative="less").pvalue
        assert ours.p[0, person] == pytest.approx(expected, rel=0.02, abs=1e-12)


@pytest.mark.parametrize(("units", "epsilon"), [(30, 0.05), (30, 0.1), (30, 0.2), (50, 0.1), (100, 0.2), (300, 0.1)])
@pytest.mark.parametrize("ahead", [0.0, 0.02, 0.1, 0.3])
def test_a_judge_at_the_margin(units: int, epsilon: float, ahead: float) -> None:
    """A judge worse by just epsilon is let through in 5 % of data sets; by Student's t in up to 21 %."""
    random = np.random.default_rng(units)
    counts = random.multinomial(units, [ahead, ahead + epsilon, 1 - 2 * ahead - epsilon], size=4000).astype(float)
    p = score_p(counts[:, 1], counts[:, 0], np.full(4000, float(units)), epsilon)
    assert (p <= 0.05).mean() <= 0.065
    assert (p <= 0.01).mean() <= 0.018


def test_judges_share_one_correction() -> None:
    """Twenty judges as far behind as epsilon allows: any of them replaces anybody in at most 5 % of data sets."""
    found, sets = 0, 200
    for seed in range(sets):
        codes = said(60, [0.8] * 3 + [0.65] * 20, seed)
        found += bool((alternative_annotator(codes[:3], codes[3:], 3, epsilon=0.1).p_corrected <= 0.05).any())
    assert found <= 0.08 * sets
    alone, both = (alternative_annotator(codes[:3], codes[3:last], 3) for last in (4, 5))
    assert (alone.p[0] == both.p[0]).all()
    assert (alone.p_corrected[0] <= both.p_corrected[0] + 1e-12).all()


def test_good_and_poor_judges() -> None:
    """A judge better than the people may replace them all; one that guesses, none."""
    codes = said(300, [0.8, 0.8, 0.8, 0.95, 0.3], 3)
    both = alternative_annotator(codes[:3], codes[3:], 3)
    assert both.winning_rate().tolist() == [1, 0]
    assert both.mean_advantage[0] > 0.9


def test_epsilon_is_the_price() -> None:
    """A judge as good as a person passes with epsilon .2 and does not with 0."""
    codes = said(200, [0.8] * 4, 4)
    assert one_judge(codes[:3], codes[3], 0.2).winning_rate() == 1
    assert one_judge(codes[:3], codes[3], 0.0).winning_rate() < 1


def test_too_few_units() -> None:
    """A person with fewer units than wanted is not tested, and nobody tested leaves no rate."""
    codes = said(25, [0.8] * 4, 5)
    result = one_judge(codes[:3], codes[3])
    assert np.isnan(result.p).all()
    assert np.isnan(result.p_corrected).all()
    assert np.isnan(result.winning_rate()).all()
    assert np.isnan(result.mean_advantage).all()
    assert result.units.tolist() == [[25, 25, 25]]


def test_no_difference_seen() -> None:
    """A judge that copies the people is better than epsilon, the surer the more units; with epsilon 0 it is not."""
    codes = np.repeat(said(60, [1.0], 6), 4, axis=0)
    assert (one_judge(codes[:3], codes[3], 0.2).p < 1e-3).all()
    assert (one_judge(codes[:3], codes[3], 0.02).p > 0.05).all()
    assert (one_judge(codes[:3], codes[3], 0.0).p == 1).all()


def test_single_person() -> None:
    """One person has no others to be compared with."""
    codes = said(50, [0.8, 0.8], 7)
    assert np.isnan(one_judge(codes[:1], codes[1]).p).all()
