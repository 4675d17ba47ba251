"""Calibration of `meta`: intervals of rank correlations, prediction-powered scores, and what it claims in words."""

from __future__ import annotations

import numpy as np

from benchmarks.calibration_data import LEVEL, Cell, held, in_parallel, shown, table
from karat.arrays import Floats
from karat.data.judgments import Judgments
from karat.data.parameters import generator
from karat.data.scores import Scores
from karat.statistics.rank_correlation import best_first, rank_biased_overlap, tau, tau_ap, tau_b
from karat.studies.meta.powered import powered, sampled
from karat.studies.meta.study import meta

DATA_SETS = 300
DRAWS = 300
MANY = 2000
"""Units on which the mean tau of a unit is its expectation."""
NOISE = 0.2
"""The deviation of a run's score on a unit, by either judge."""
RANKED = (
    # runs, units, spread of the runs, spread of the judge's biases, correlation of the two judges' errors, kind
    (5, 50, 0.1, 0.0, 0.8, "normal"),
    (10, 50, 0.1, 0.0, 0.8, "normal"),
    (10, 50, 0.1, 0.05, 0.8, "normal"),
    (30, 50, 0.1, 0.0, 0.5, "normal"),
    (30, 50, 0.1, 0.05, 0.8, "normal"),
    (30, 200, 0.1, 0.05, 0.8, "normal"),
    (30, 50, 0.03, 0.03, 0.5, "normal"),
    (30, 50, 0.02, 0.0, 0.9, "normal"),
    (30, 50, 0.1, 0.05, 0.8, "heavy tails"),
    (30, 50, 0.1, 0.05, 0.8, "three groups"),
    (30, 50, 0.1, 0.0, 0.8, "three groups"),
)
POWERED = (
    (5, 200, "right/wrong"),
    (20, 200, "right/wrong"),
    (50, 200, "right/wrong"),
    (50, 1000, "right/wrong"),
    (50, 1000, "nearly all right"),
    (10, 2000, "right/wrong, seldom misjudged"),
    (20, 2000, "right/wrong, seldom misjudged"),
    (50, 2000, "right/wrong, seldom misjudged"),
    (100, 2000, "right/wrong, seldom misjudged"),
    (5, 200, "normal"),
    (20, 200, "normal"),
    (50, 1000, "skewed"),
)
SAMPLES = 2000
SAMPLED = (
    # units of both, of the judge alone, the judge's scores
    (10, 40, "normal"),
    (10, 40, "right/wrong"),
    (30, 300, "right/wrong"),
    (30, 300, "mostly 0"),
    (100, 1000, "mostly 0"),
)
CLAIMS = ("spread of runs", "errors", "runs", "units", "reversed", "biased", "any pair of equal runs")
TRUTHS = {"nearly all right": (0.85, 0.95), "right/wrong, seldom misjudged": (0.9, 0.8)}
CLAIMED = (
    (5, 50, 0.0, "normal"),
    (5, 50, 0.1, "normal"),
    (20, 50, 0.0, "normal"),
    (20, 50, 0.05, "normal"),
    (20, 200, 0.05, "normal"),
    (5, 50, 0.0, "exponential"),
    (20, 50, 0.05, "exponential"),
    (20, 50, 0.05, "lognormal"),
    (20, 200, 0.05, "exponential"),
)


def true_means(random: np.random.Generator, runs: int, spread: float, kind: str) -> Floats:
    """The true means of some runs, around 0."""
    if kind == "heavy tails":
        return random.standard_t(3, runs) * spread / 3**0.5
    if kind == "three groups":
        return random.choice([-1.2, 0.0, 1.2], runs) * spread + random.normal(0, spread / 10, runs)
    return random.normal(0, spread, runs)


def judged(random: np.random.Generator, means: Floats, units: int, alike: float, kind: str = "normal") -> Floats:
    """Scores (2, runs, units) by two judges, whose errors are correlated, on units of unequal difficulty."""
    runs = means.shape[1]
    first, second = random.normal(0, NOISE, (2, runs, units))
    if kind == "exponential":
        second = NOISE * (random.exponential(size=(runs, units)) - 1)
    elif kind == "lognormal":
        second = NOISE * (np.exp(random.normal(size=(runs, units))) - np.e**0.5) / 2
    errors = np.stack([first, alike * first + (1 - alike**2) ** 0.5 * second])
    return means[:, :, None] + random.normal(0, NOISE, units) + errors


def two(scores: Floats, people: int | None = None) -> Judgments:
    """The same runs by two judges, the first of whom judged only some of the units."""
    runs, units = (tuple(map(str, range(number))) for number in scores.shape[1:])
    made = [Scores(runs, units, values, "score") for values in scores]
    first = made[0] if people is None else made[0].of_units(np.arange(len(units)) < people)
    return Judgments.of({"people": first, "program": made[1]})


def rank_correlations(case: tuple[int, int, float, float, float, str]) -> list[str | Cell]:
    """Coverage of the correlations of the rankings by the true means."""
    runs, units, spread, biased, alike, kind = case
    missed = np.zeros((DATA_SETS, 5))
    observed, true = np.zeros(DATA_SETS), np.zeros(DATA_SETS)
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "meta", *map(str, case), place)
        first = true_means(random, runs, spread, kind)
        means = np.stack([first, first + true_means(random, runs, biased, kind)])
        scores = judged(random, means, units, alike)
        found = meta(two(scores), replicates=DRAWS, interval=LEVEL, seed=place).judges[0].ranks
        top = best_first(scores[0].mean(axis=1))[:10]
        more = judged(random, means, MANY, alike)
        truths = (
            tau(*means),
            tau_ap(*means),
            tau(*means[:, top]),
            rank_biased_overlap(*means),
            np.nanmean(tau_b(more[0].T, more[1].T)),
        )
        for at, (one, truth) in enumerate(
            zip((found.tau, found.tau_ap, found.tau_top, found.overlap, found.per_unit), truths, strict=True)
        ):
            missed[place, at] = not one.low - 1e-9 <= float(truth) <= one.high + 1e-9
        observed[place], true[place] = found.tau.value, truths[0]
    rates = [Cell(shown(float(1 - rate), LEVEL, DATA_SETS)) for rate in missed.mean(axis=0)]
    said = f"{spread:g}, {biased:g}, {kind}"
    return [said, str(runs), str(units), f"{true.mean():.2f}", f"{observed.mean():.2f}", *rates]


def corrected_scores(case: tuple[int, int, str]) -> list[str | Cell]:
    """Coverage of prediction-powered scores and differences, of the reference's own, and of the judge's."""
    people, units, kind = case
    ends = np.zeros((DATA_SETS, 4, 2))
    widths = np.zeros((DATA_SETS, 2))
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "powered", kind, people, units, place)
        truths = np.array(TRUTHS.get(kind, (0.5, 0.6)))
        if kind == "skewed":
            mine = truths[:, None] * random.exponential(size=(2, units))
        elif kind == "normal":
            mine = truths[:, None] + random.normal(0, NOISE, (2, units))
        else:
            mine = (random.random((2, units)) < truths[:, None]).astype(np.float64)
        # The judge copies four fifths, is generous, and more so with the second run.
        other = mine[:, random.permutation(units)]
        its = np.where(random.random((2, units)) < 0.8, mine, other) + np.array([[0.05], [0.15]])
        if kind.endswith("misjudged"):  # a fifth of the wrong answers of the first run, and a tenth of the others'
            its = np.where(random.random((2, units)) < [[0.2], [0.1]], 1, mine)
        split = mine[:, :people], its[:, :people], its[:, people:]
        found = powered(*split, ("0", "1"), labelled=0, level=LEVEL, seed=place)
        assert found is not None
        by_run = {row.run: row for row in found.runs}
        sign = 1 if found.leader == "1" else -1
        apart = found.differences[0].powered
        ends[place, 0] = by_run["0"].reference.low, by_run["0"].reference.high
        ends[place, 1] = by_run["0"].powered.low, by_run["0"].powered.high
        ends[place, 2] = by_run["1"].powered.low, by_run["1"].powered.high
        ends[place, 3] = sorted((sign * apart.low, sign * apart.high))
        widths[place] = np.diff(ends[place, :2], axis=1)[:, 0]
    wanted = (truths[0], truths[0], truths[1], truths[1] - truths[0])
    cells = [held(ends[:, at], float(truth)) for at, truth in enumerate(wanted)]
    return [kind, str(people), str(units), *cells, f"{widths[:, 1].mean() / widths[:, 0].mean():.2f}"]


def wrong_claims(case: tuple[int, int, float, str]) -> list[str | Cell]:
    """How often anything false is said by a judge who is equally lenient with all runs."""
    runs, units, spread, kind = case
    reversals, biased, separated = (np.zeros(DATA_SETS) for _ in range(3))
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "claims of meta", *map(str, case), place)
        first = true_means(random, runs, spread, "normal")
        scores = judged(random, np.stack([first, first + 0.1]), 4 * units, 0.5, kind)
        [found] = meta(two(scores, units), replicates=10, seed=place).judges
        reversals[place] = found.pairs.reversed > 0
        biased[place] = any(row.relative.low > 0 or row.relative.high < 0 for row in found.runs)
        separated[place] = found.powered is not None and found.powered.separated > 0
    rates = f"{reversals.mean():.3f}", shown(float(biased.mean()), 0.05, DATA_SETS)
    equal = "" if spread else shown(float(separated.mean()), 0.05, DATA_SETS)
    return [f"{spread:g}", kind, str(runs), str(units), *rates, equal]


def doubts(case: tuple[int, int, str]) -> list[str | Cell]:
    """How often units drawn at random do not look like a random sample, by the judge's scores of four runs."""
    common, alone, kind = case
    found = np.zeros(SAMPLES)
    for place in range(SAMPLES):
        random = generator(0, "calibration", "samples", *map(str, case), place)
        easy = random.normal(0, 1, (1, common + alone))
        scores = easy + random.normal(0, 1, (4, common + alone))
        if kind == "right/wrong":
            scores = (scores > -2).astype(np.float64)
        elif kind == "mostly 0":
            scores = np.where(scores > 1.5, random.beta(2, 2, scores.shape), 0.0)
        judged = sampled(scores[:, :common], scores[:, common:])
        found[place] = judged is not None and judged.p <= 0.05
    return [kind, str(common), str(alone), shown(float(found.mean()), 0.05, SAMPLES)]


def section() -> str:
    """What the page says of `meta`."""
    return WORDS.format(
        ranks=table(
            [
                *("spread of runs, of biases", "runs", "units", "true tau", "observed tau"),
                *("tau", "tau-AP", "tau, top 10", "RBO", "tau-b by unit"),
            ],
            in_parallel(rank_correlations, RANKED),
        ),
        powered=table(
            [
                *("scores", "units of people", "of the judge", "people alone", "PPI++, first run"),
                *("PPI++, second run", "PPI++, difference", "width, of people alone"),
            ],
            in_parallel(corrected_scores, POWERED),
        ),
        claims=table(CLAIMS, in_parallel(wrong_claims, CLAIMED)),
        doubts=table(["the judge's scores", "units of both", "of the judge", "doubted"], in_parallel(doubts, SAMPLED)),
        data_sets=DATA_SETS,
        samples=SAMPLES,
    )


WORDS = """## Another judge

How often the 95% CIs of [meta](judge.md#another-judge-another-ranking) contain the rank correlation of the rankings by
the true means of the runs; {data_sets} data sets, each with its own runs. "Observed tau" is what the rankings of the
data sets have on average, and the true one is higher wherever runs are close: errors of sampling make rankings less
alike. tau-b has the interval of tau, since true means are not tied.

{ranks}
The intervals take the true means of the runs as normally distributed. They hold their level for normal and for
heavy-tailed means, and if the judge has no bias at all; runs in three groups of near-equals, with a biased judge, are
beyond the model, and the intervals of tau are then too short (▽). A bootstrap percentile interval contains the true tau
of 1 in none of 200 data sets of the fourth row ([decision 0041](decisions/0041-intervals-of-rank-correlations.md)).

The same for scores of two runs, from people on some of the units and a judge on all, who is generous, and more so with
the second run. Right and wrong scores have Wilson's interval; others have none where people's scores do not vary. A
judge that seldom errs is lenient with a fifth of the wrong answers of the first run, which has a tenth of wrong
answers, and with a tenth of those of the second:

{powered}
On a few units such a judge may make no error at all, so one unit is added on which it errs as it does for other runs,
or knows nothing; without that unit, coverage in these rows is 60 to 80%. With it, it is 89% in one of them (▽). With
few units by people the intervals are too wide for it (▲), but hardly wider than those of people alone.

A judge who is equally lenient with all runs, with errors of this kind, on four times as many units as people: how
often it is said to reverse any pair of runs significantly, to favour or disfavour any run, and how often the corrected
differences of equal runs are significant for any pair.

{claims}
How often units drawn at random are said not to look like a random sample (`sampled`, Student's test at 5%), {samples:,}
data sets:

{doubts}
"""
