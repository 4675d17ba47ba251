"""Calibration of `compare`: tests, intervals, corrections and equivalence, of means and of measures that are none."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import stdtr

from benchmarks.calibration_data import (
    ALPHA,
    LEVEL,
    MANY,
    PAIR,
    PRIOR,
    REPLICATES,
    SETTINGS,
    Cell,
    Setting,
    drawn,
    held,
    in_parallel,
    shown,
    table,
)
from benchmarks.synthetic import pairs_of
from karat.arrays import Ints
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.data.scores import Scores
from karat.data.tables import Table
from karat.errors import UsageError
from karat.labels import THREE
from karat.measures import measures
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import mcnemar
from karat.statistics.power import connor_units, paired_units
from karat.studies.compare.contrasts import Simulation, Test
from karat.studies.compare.paired_means import PairedMeans
from karat.studies.compare.paired_measure import PairedMeasure
from karat.studies.compare.study import compare
from karat.studies.scorer import Scorer

DATA_SETS, FAMILIES, REMEASURED, OTHERS, SIZED = 1000, 500, 500, 400, 20_000
POWER = 0.8
SIZES = [
    *(("right/wrong", spread, difference) for spread in (0.1, 0.2, 0.3) for difference in (0.02, 0.05, 0.1)),
    *(("graded", spread, difference) for spread in (0.04, 0.25) for difference in (0.02, 0.05)),
]
"""Discordance, or the variance of differences; and the difference to be found."""
BEST_OF = (6, 20)
RUNS, UNITS, IN_CLUSTER = 6, 200, 4
TESTS = ("exact", "mid-p", "randomisation", "t", "wilcoxon", "sign", "bootstrap", "bca")
INTERVALS = {"exact": "adjusted", "t": "t", "bootstrap": "percentile", "bca": "BCa"}
CORRECTIONS = ("none", "holm", "maxt", "bh", "by")
EQUIVALENCE_TESTS: tuple[Test, ...] = ("t", "bootstrap")
MARGINS = (0.1, 0.2)
RARE = [
    *(("right/wrong", 1.0, *case) for case in ((1000, 0.0024, 1), (1000, 0.01, 1), (200, 0.02, 1), (100, 0.05, 1))),
    *(("right/wrong", 1.0, *case) for case in ((1000, 0.01, 30), (500, 0.05, 30))),
    *(
        ("graded", loss, *case)
        for loss, case in ((0.9, (50, 0.018, 1)), (0.9, (1000, 0.0045, 1)), (0.4, (200, 0.04, 1)))
    ),
]
"""What is lost on a few units, on how many units, the margin, and how many runs are compared with one."""
MEASURE_TESTS: tuple[Test, ...] = ("randomisation", "bootstrap", "bca")
MEASURES = ("kappa", "information", "mean_recall", "decided_f(weight=1/3)")
ANYTHING = np.array([0.5, 0.3, 0.2])
"""What a run answers where it does not know."""
SKILLS = (0.8, 2 / 3)


def p_of(means: PairedMeans, test: str) -> float:
    """p of one test; NaN where it is not for such scores."""
    if test == "mid-p":
        if not means.right_or_wrong:
            return float("nan")
        return float(mcnemar(*next(means.parts(PAIR))[0].wins, mid=True)[0])
    try:
        return float(means.contrast(PAIR, test).p[0])  # type: ignore[arg-type]
    except UsageError:  # exact, of real numbers
        return float("nan")


def errors_of_the_first_kind(setting: Setting) -> list[str]:
    """How often each test tells two runs apart that do not differ."""
    found = np.array(
        [[p_of(means, test) for test in TESTS] for means in drawn(setting, np.zeros(2), DATA_SETS, "null")]
    )
    told = [float((one <= ALPHA).mean()) if not np.isnan(one).all() else float("nan") for one in found.T]
    return [setting.name, *(shown(share, ALPHA, DATA_SETS) for share in told)]


def coverage(setting: Setting) -> list[list[str | Cell]]:
    """How often each interval holds the true difference, where there is none and where there is one; and a mean."""
    names = [*INTERVALS.values(), "a run's own mean"]
    cells: dict[str, list[Cell]] = {name: [] for name in names}
    for truth in (0.0, setting.difference):
        ends = np.full((DATA_SETS, len(names), 2), np.nan)
        for place, means in enumerate(drawn(setting, np.array([truth, 0.0]), DATA_SETS, f"difference {truth}")):
            for column, test in enumerate(INTERVALS):
                if test == "exact" and not means.right_or_wrong:
                    continue  # its interval is that of t
                contrast = means.contrast(PAIR, test)  # type: ignore[arg-type]
                ends[place, column] = contrast.low[0], contrast.high[0]
            ends[place, -1] = [side[0] for side in means.run_intervals()]
        for column, name in enumerate(names):
            expected = truth + setting.mean if column == len(names) - 1 else truth
            cells[name].append(held(ends[:, column], expected))
    return [[setting.name, name, *pair] for name, pair in cells.items() if pair[0].text]


def false_verdicts(case: tuple[Setting, int]) -> list[str]:
    """How often a correction lets any false verdict pass (bh, by: the mean share of false ones), six runs."""
    setting, better = case
    shift = np.where(np.arange(RUNS) < better, setting.difference * 1.5, 0.0)
    first, second = np.triu_indices(RUNS, 1)
    null = shift[first] == shift[second]
    found: dict[str, list[float]] = {name: [] for name in CORRECTIONS}
    for means in drawn(setting, shift, FAMILIES, f"family {better}"):
        test = means.choose((first, second))[0]
        p = means.contrast((first, second), test).p
        for correction, shares in found.items():
            if correction == "maxt":
                after = np.fmax(means.step_down((first, second), test), p)
            else:
                after = corrected(p, correction)  # type: ignore[arg-type]
            told = after <= ALPHA
            wrong = int((told & null).sum())
            shares.append(wrong / max(int(told.sum()), 1) if correction in ("bh", "by") else float(wrong > 0))
    rates = [shown(float(np.mean(shares)), ALPHA, FAMILIES) for shares in found.values()]
    return [setting.name, "three of six better" if better else "none differ", *rates]


def false_sentences(case: tuple[Setting, int]) -> list[str]:
    """How often `compare` calls one of some equal runs different from the best, or the best from every other."""
    setting, number = case
    clusters = None if setting.cluster is None else tuple(map(str, setting.cluster))
    found = []
    for means in drawn(setting, np.zeros(number), FAMILIES, f"best of {number}"):
        names = tuple(f"run {place}" for place in range(number)), tuple(map(str, range(means.values.shape[1])))
        scores = Scores(*names, means.values, clusters=clusters)
        beyond = any("different from every other" in said for said in compare(scores, replicates=REPLICATES).findings())
        found.append((bool(compare(scores, versus="best", replicates=REPLICATES).significant), beyond))
    return [setting.name, str(number), *(shown(share, ALPHA, FAMILIES) for share in np.mean(found, axis=0).tolist())]


def found_with(case: tuple[str, float, float]) -> list[str]:
    """How often a difference is found on test sets of the size that `size` names for a power of .8."""
    kind, spread, difference = case
    graded = kind == "graded"
    units = paired_units(spread, difference, graded=graded)
    assert units is not None
    random = generator(0, "calibration", "size", kind, repr((spread, difference)))
    if graded:
        means = random.normal(difference, np.sqrt(spread / units), SIZED)
        variances = spread * random.chisquare(units - 1, SIZED) / (units - 1)
        told = 2 * stdtr(units - 1, -np.abs(means) / np.sqrt(variances / units)) <= ALPHA
    else:
        shares = [(spread + difference) / 2, (spread - difference) / 2, 1 - spread]
        won, lost, _ = random.multinomial(units, shares, SIZED).T
        told = mcnemar(won, lost) <= ALPHA
    formula = "" if graded else f"{connor_units(spread, difference):,.0f}"
    return [kind, f"{spread:g}", f"{difference:g}", formula, f"{units:,}", shown(float(told.mean()), POWER, SIZED)]


def equivalences(setting: Setting) -> list[str]:
    """How often runs are called equivalent that differ by just the margin."""
    row = [setting.name]
    for margin in MARGINS:
        told = []
        for means in drawn(setting, np.array([margin, 0.0]), OTHERS * 2, f"margin {margin}", margin):
            found = [means.contrast(PAIR, test).p_equivalence[0] for test in EQUIVALENCE_TESTS]
            told.append([p <= ALPHA for p in found])
        row += [shown(share, ALPHA, OTHERS * 2) for share in np.mean(told, axis=0).tolist()]
    return row


def rare_losses(case: tuple[str, float, int, float, int]) -> list[str]:
    """How often any run is called equivalent that loses just the margin, all of it on a few units."""
    kind, loss, units, margin, runs = case
    pairing = np.arange(1, runs + 1), np.zeros(runs, dtype=np.int64)
    told = []
    for place in range(2 * OTHERS):
        random = generator(0, "calibration", "rare losses", repr(case), place)
        apart = loss * (random.random((runs, units)) < margin / loss)
        if kind == "graded":
            apart = apart + random.normal(0, 0.005, apart.shape)
        top = 1.0 if kind == "right/wrong" else 0.95
        means = PairedMeans(np.vstack([np.full(units, top), top - apart]), Simulation(REPLICATES, place, LEVEL, margin))
        found = [corrected(means.contrast(pairing, test).p_equivalence, "holm") for test in EQUIVALENCE_TESTS]
        told.append([bool((p <= ALPHA).any()) for p in found])
    shares = [shown(share, ALPHA, 2 * OTHERS) for share in np.mean(told, axis=0).tolist()]
    return [kind, f"{loss:g}", f"{units:,}", f"{margin:g}", str(runs), *shares]


def answers(random: np.random.Generator, skills: tuple[float, float], cluster: Ints | None) -> Responses:
    """Two three-way runs that are right so often, whole clusters at a time where there are any, on a fresh key."""
    of = np.arange(UNITS) if cluster is None else cluster
    key = pairs_of(random.choice(3, size=UNITS, p=PRIOR)[of].astype(np.int8))
    runs = []
    for name, skill in zip(("a", "b"), skills, strict=True):
        right = (random.random(UNITS) < skill)[of]
        codes = np.where(right, key.labels, random.choice(3, size=UNITS, p=ANYTHING)).astype(np.int8)
        info = RunInfo(name, THREE, IN_MEMORY)
        runs.append(Run(info, codes, np.arange(UNITS, dtype=np.int32), None, None, None))
    return Responses.of(key, runs)


def measure_of(skill: float, spelling: str) -> float:
    """The measure of such a run in the population."""
    cells = PRIOR[:, None] * (skill * np.eye(3) + (1 - skill) * ANYTHING)
    return float(measures.parse(spelling)(Table(cells * MANY, THREE.labels)))


def remeasured(case: tuple[str, bool]) -> list[str | Cell]:
    """A measure that is no mean: how often runs of one kind are told apart; coverage of a difference and of a value."""
    spelling, clustered = case
    cluster = np.arange(UNITS) // IN_CLUSTER if clustered else None
    told = []
    ends = np.full((OTHERS, 3, 2), np.nan)
    for place in range(REMEASURED):
        runs = answers(generator(0, "calibration", "answers", place), SKILLS[1:] * 2, cluster)
        contest = PairedMeasure(
            Scorer(runs, measures.parse(spelling), THREE), Simulation(REPLICATES, place, LEVEL), cluster
        )
        told.append([bool(contest.contrast(PAIR, test).p[0] <= ALPHA) for test in MEASURE_TESTS])
    for place in range(OTHERS):
        runs = answers(generator(0, "calibration", "apart", place), SKILLS, cluster)
        contest = PairedMeasure(
            Scorer(runs, measures.parse(spelling), THREE), Simulation(REPLICATES, place, LEVEL), cluster
        )
        for column, test in enumerate(MEASURE_TESTS[1:]):
            contrast = contest.contrast(PAIR, test)
            ends[place, column] = contrast.low[0], contrast.high[0]
        ends[place, 2] = [side[0] for side in contest.run_intervals()]
    first, second = (measure_of(skill, spelling) for skill in SKILLS)
    covered = [held(ends[:, column], truth) for column, truth in enumerate((first - second,) * 2 + (first,))]
    units = f"{UNITS // IN_CLUSTER} clusters" if clustered else f"{UNITS} units"
    shares = [shown(share, ALPHA, REMEASURED) for share in np.mean(told, axis=0).tolist()]
    return [spelling, units, *shares, *covered]


def section() -> str:
    """What the page says of `compare`."""
    kinds = [f"{test}, margin {margin:g}" for margin in MARGINS for test in EQUIVALENCE_TESTS]
    columns = ("difference, percentile", "difference, BCa", "a run's own, percentile")
    covered = [row for rows in in_parallel(coverage, SETTINGS) for row in rows]
    cases = [(spelling, False) for spelling in MEASURES] + [("kappa", True)]
    return WORDS.format(
        data_sets=f"{DATA_SETS:,}",
        replicates=f"{REPLICATES:,}",
        families=f"{FAMILIES:,}",
        remeasured_sets=f"{REMEASURED:,}",
        others=f"{OTHERS:,}",
        equivalence_sets=f"{2 * OTHERS:,}",
        first=table(["scores", *TESTS], in_parallel(errors_of_the_first_kind, SETTINGS)),
        covered=table(["scores", "interval", "no difference", "a difference"], covered),
        families_table=table(
            ["scores", "truth", *CORRECTIONS], in_parallel(false_verdicts, list(product(SETTINGS, (0, 3))))
        ),
        best=table(
            ["scores", "runs", "any from the best", "the best from all"],
            in_parallel(false_sentences, list(product(SETTINGS[:5], BEST_OF))),
        ),
        sized=f"{SIZED:,}",
        sizes=table(
            ["scores", "ψ or variance", "difference", "Connor's units", "units", "power"], map(found_with, SIZES)
        ),
        remeasured=table(["measure", "of", *MEASURE_TESTS, *columns], in_parallel(remeasured, cases)),
        equivalences=table(["scores", *kinds], in_parallel(equivalences, SETTINGS)),
        rare=table(["scores", "loss", "units", "margin", "runs", *EQUIVALENCE_TESTS], in_parallel(rare_losses, RARE)),
    )


WORDS = """## Type I errors

Two runs that do not differ, {data_sets} data sets: how often they are found significantly different at 5% (nominal:
.050). Simulated tests use {replicates} replicates.

{first}
Why some rates are marked:

- **exact, randomisation and sign** are below 5% where p takes few values (with 20 disagreements, one side needs 15;
  with 12 clusters there are 4,096 flips, many of them tied): an exact test never exceeds its level, so it stays below
  it. **mid-p** recovers most of that, and keeps the level without a guarantee; it is in
  `karat.statistics.paired`, and is not a test of `compare`.
- **wilcoxon** enumerates all flips for up to fifty differences: on right/wrong scores it is then McNemar's exact test,
  and conservative with it. Beyond fifty it is a normal approximation, on right/wrong scores McNemar's chi-square.
- **bootstrap** (centred, percentile) and **bca** are above 5% with 12 clusters, and bca also with 40 skewed scores:
  they use the variance of the sample, too small by (n−1)/n, for that of the population, and ignore the heavier tails of
  t. With 200 units, or 50 clusters of 2 to 9 units, the remaining excess is within the error of this simulation.
  Lopsided clusters (1 to 40 units, the largest five with a third of all units) have a smaller effective number. Tests
  that flip clusters, t, sign and wilcoxon keep their level with them.

## Coverage

How often the 95% CI contains the true difference, or the true mean of one run, {data_sets} data sets each.

{covered}
The difference, where there is one, is .06; .1 in clusters; .2 for 40 units with right/wrong or skewed scores. The
adjusted interval (Bonett and Price) for right/wrong scores and the t interval have nominal coverage, and so do the
intervals of a run's own mean (Wilson's for right/wrong scores, otherwise t). Percentile and BCa intervals are too short
for few or lopsided clusters and for few skewed scores, for the reason above: use t there. Means of `qa` and `nuggets`
have t intervals over series, topics or questions clustered by series, and Wilson's if all scores are 0 or all are 1.
The measure that ranks runs in `qa` has the interval of its mean or, if it is not a mean, that of its jackknife scores:
for the confidence-weighted score it covers .92 to .94 with 25 to 100 questions, .94 with 400, and tests between equally
good runs have an error rate of .03 to .07. Agreement of patterns, exact match and token F1 with people has t intervals
over questions or series, and kappa that of its jackknife values: coverage is .93 and .94 with 60 questions of five
answers each (`tests/studies/test_qa_accepted.py`). The permutation test of kinds of series in `qa` finds a difference
in at most 5% of test sets whose kinds mean nothing (`tests/studies/test_qa_kinds.py`). The check of `--fail-if-worse`
has the intervals of the table; how often its one-sided tests are wrong is in
[decision 0040](decisions/0040-worse-than-a-baseline.md).

## Many pairs

Six runs, fifteen pairs, {families} data sets, the default test. `none`, `holm`, `maxt`: how often any pair that does
not differ was found significantly different; nominally at most .050 for `holm` and `maxt`, without a guarantee for
`none`. `bh`, `by`: the mean proportion of such pairs among those found significantly different, nominally at most .050.
With three of six runs better, nine pairs differ and six do not.

{families_table}
No correction exceeds its nominal rate by more than chance allows; `none` does, and guarantees nothing. `holm` and `by`
are below (▽) because they allow for any dependence between pairs, and pairs that share a run are dependent; `maxt` uses
that dependence, and has its nominal rate where no runs differ. With three of six runs better all are below: only six of
the fifteen pairs can be false verdicts, `bh` keeps the proportion at 6/15 of .050 by construction, and `holm` and
`maxt` allow for pairs that differ but were not significant. Where exact p-values are conservative, so are all their
corrections. (The randomised Tukey range guarantees nothing once any runs differ; `maxt` is the step-down form, which
does.)

## The best run

Runs that do not differ, {families} data sets, Holm's correction. Left: how often any run is called significantly
different from the one with the highest mean (`--versus best`); right: how often that run is said to be significantly
different from every other. Nominally at most .050.

{best}
The best run is chosen by the scores that it is tested with. Its p-values are therefore corrected for all pairs of runs,
not only for its own: corrected for those alone, in one in five of such data sets with 20 runs some run was called worse
than the best.

## Units for a power of .8

The number of units that `size` gives for a difference, and how often the test finds it in {sized} simulated test sets
of that size: McNemar's exact test for right/wrong scores, where ψ is the proportion of units that exactly one run gets
right, and the paired t test for graded scores. Nominal: .800.

{sizes}
Connor's formula is for McNemar's test without a continuity correction, and gives 1 to 8% fewer units than the exact
test needs.

## Measures that are not means

Three-way runs on 200 pairs, or on 50 texts of four pairs each, all four right or wrong together. Left: how often two
runs of one kind are found significantly different at 5%, {remeasured_sets} data sets. Right: how often the 95%
intervals contain the true difference of two runs that are right on 80 and on 67 in a hundred, and the true value of the
first, {others} data sets.

{remeasured}
Exchanging answers keeps its level. Percentile and BCa tests and intervals are as above: nominal within the error of
this simulation for 200 units, slightly anti-conservative for 50 clusters.

## Equivalence

Two runs that differ by exactly the margin, {equivalence_sets} data sets: how often they are called equivalent at 5%
(nominally at most .050). The bootstrap has {replicates} replicates.

{equivalences}
Rates are below (▽) where the data are too few for the margin: two tests must both reject. With a margin of less than
about 1.65 standard errors of the difference they never do (40 right/wrong or skewed scores, or 12 clusters, and a
margin of .1), and with less than about 3.3 they do so in fewer than 5% of cases: runs are then not called equivalent,
whatever the truth.

The hardest case is a difference concentrated on few units. Below, a run loses so much on a few units that its mean is
lower by exactly the margin, and nothing on the others (graded scores: next to nothing). How often that run, or any of
thirty such runs with Holm correction, is called equivalent to a run that loses nothing:

{rare}
Right/wrong scores are tested by Tango's score test, graded ones by t (both in the column t), and no p is below the
probability of seeing so few such units. Without this bound, t lets 35% of the runs pass that lose .9 on one unit in
fifty.
"""
