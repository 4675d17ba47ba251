"""How often the words of the first screen are wrong, over every simulated set, not only those that were graded so."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import karat
from karat.data.provenance import Source
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.labels import THREE, TWO, Way
from karat.studies.report import grades
from tests.studies.test_grades import drawn, runs_of

SURE = 0.999
"""The probability with which a test passes if a word is wrong exactly as often as it may be."""
MANY = pytest.mark.nightly
"""So many sets that a rate slightly too high is seen."""


def most(sets: int, rate: float) -> int:
    """The most sets on which a word may be wrong, if that happens at this rate."""
    return int(binom.ppf(SURE, sets, rate))


def with_constant(runs: Responses) -> Responses:
    """The runs and one that always says ENTAILMENT, which differs significantly from any good run."""
    last = runs.runs[-1]
    info = replace(last.info, name="constant", source=Source("constant", "0" * 64))
    constant = replace(last, info=info, codes=np.zeros_like(last.codes))
    return Responses.of(runs.key, [*runs.runs, constant])


def ranking_words(sets: int, way: Way, skills: tuple[float, ...], units: int, constant: bool = False) -> Counter[str]:
    """What the tile says of the ranking on every set."""
    said: Counter[str] = Counter()
    for seed in range(sets):
        runs = runs_of(seed, way, skills, units)
        runs = with_constant(runs) if constant else runs
        grade = grades.ranking(karat.sensitivity(runs), karat.compare(runs))
        said[grade.word if grade else ""] += 1
    return said


@pytest.mark.parametrize("sets", [25, pytest.param(400, marks=MANY)])
@pytest.mark.parametrize("constant", [False, True], ids=["alone", "with a constant run"])
@pytest.mark.parametrize(("way", "runs"), [(TWO, 3), (TWO, 6), (THREE, 4)])
def test_equally_good_runs_are_not_ranked_stably(sets: int, way: Way, runs: int, constant: bool) -> None:
    """On at most 5% of the test sets, whether or not a poor run is there that every other is significantly above.

    Nor do choices get the blame for what chance does.
    """
    said = ranking_words(sets, way, (0.75,) * runs, 300, constant)
    words = ("stable", "stable at the top", "depends on choices", "clear leader")
    assert sum(said[word] for word in words) <= most(sets, 0.05)


@pytest.mark.parametrize("sets", [60, pytest.param(1000, marks=MANY)])
@pytest.mark.parametrize("runs", [2, 4])
def test_equally_good_scores_have_no_clear_leader(sets: int, runs: int) -> None:
    """Where no setting can be tried, on at most 5% of the test sets; runs far apart have one on nearly all of them."""
    said: dict[float, Counter[str]] = {0.6: Counter(), 0.9: Counter()}
    for best, words in said.items():
        for seed in range(sets):
            grade = grades.ranking(None, karat.compare(scores_of(seed, (best, *(0.6,) * (runs - 1)), 200)))
            assert grade is not None
            assert ("is significant" in grade.text) == (grade.word == "clear leader")
            words[grade.word] += 1
    assert said[0.6]["clear leader"] <= most(sets, 0.05)
    assert said[0.9]["clear leader"] >= 0.9 * sets
    assert set(said[0.6]) | set(said[0.9]) == {"clear leader", "first place uncertain"}


@pytest.mark.parametrize("sets", [15, pytest.param(300, marks=MANY)])
def test_runs_that_differ_are_ranked_stably(sets: int) -> None:
    """Runs far apart on many pairs: choices and chance do not change their ranking, on nine of ten sets at least."""
    said = ranking_words(sets, TWO, (0.9, 0.75, 0.6, 0.45), 600)
    assert sets - said["stable"] <= most(sets, 0.1)
    assert said["first place uncertain"] == 0


def test_the_rate_is_of_the_word() -> None:
    """Graded by choices alone, equally good runs would be called stable far too often."""
    alone = [grades.ranking(karat.sensitivity(runs_of(seed, TWO, (0.6,) * 3, 300))) for seed in range(25)]
    assert sum(grade is not None and grade.word == "stable" for grade in alone) > most(25, 0.05)


def scores_of(seed: int, skills: tuple[float, ...], units: int) -> Scores:
    """The same as scores."""
    right = np.random.default_rng(seed).random((len(skills), units)) < np.array(skills)[:, None]
    values = right.astype(np.float64)
    return Scores(tuple(f"run{place}" for place in range(len(skills))), tuple(map(str, range(units))), values, "")


@pytest.mark.parametrize("sets", [40, pytest.param(1000, marks=MANY)])
def test_the_difference_that_is_typically_found(sets: int) -> None:
    """As often as stated, among all pairs of the runs: sized on one set, found or missed on all others."""
    pilot = scores_of(0, (0.6,) * 4, 400)
    sized = karat.size(pilot)
    least, psi = sized.detectables[0].corrected, sized.detectables[0].discordance.median
    found = 0
    for seed in range(sets):
        random = np.random.default_rng([1, seed])
        ahead = random.choice([1, -1, 0], 400, p=[(psi + least) / 2, (psi - least) / 2, 1 - psi])
        pair = np.stack([ahead > 0, ahead < 0]) | ((ahead == 0) & (random.random(400) < 0.5))
        others = random.random((2, 400)) < 0.6
        values = np.concatenate([pair, others]).astype(float)
        compared = karat.compare(Scores(pilot.runs, pilot.units, values, ""))
        one = next(each for each in compared.pairs if {each.a, each.b} == {"run0", "run1"})
        found += bool(one.different)
    assert sets - found <= most(sets, 1 - sized.power)


@pytest.mark.parametrize("sets", [60, pytest.param(600, marks=MANY)])
@pytest.mark.parametrize(
    ("alpha", "wrong"),
    [
        (grades.RELIABLE, {"reliable"}),
        (grades.TENTATIVE, {"reliable", "tentative"}),
        (grades.TENTATIVE, {"unreliable"}),
    ],
)
def test_assessors_at_a_threshold(alpha: float, wrong: set[str], sets: int) -> None:
    """A true alpha just short of a threshold passes it on at most 2.5% of the sets, as one end of a 95% CI does.

    With balanced labels, two assessors who differ on a share w of the units have an alpha of 1 − w/(2/3). Intervals are
    approximate: 3.5% are allowed.
    """
    apart = (1 - alpha) * 2 / 3
    said = Counter(grades.assessors(karat.agree(drawn(200, apart, seed))).word for seed in range(sets))
    assert sum(said[word] for word in wrong) <= most(sets, 0.035)
