"""Whether tests, intervals and corrections hold what they promise: simulated runs whose truth is known.

`python -m benchmarks.calibration` writes docs/calibration.md; with `others`, what calibration_others.py adds to it
anew, and the rest stays. Every share stands beside what was promised; one that is further off than chance allows (three
Monte-Carlo standard errors) is marked, and the page says why.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.calibration_data import ALPHA, LEVEL, PAIR, REPLICATES, SETTINGS, Setting, drawn, shown, table
from benchmarks.calibration_others import HEADING, section
from benchmarks.synthetic import key_codes, pairs_of
from karat.data.responses import Responses
from karat.data.runs import Run, RunInfo
from karat.data.source import IN_MEMORY
from karat.errors import UsageError
from karat.kernels.random import generator
from karat.labels import THREE
from karat.measures import measures
from karat.statistics.corrections import corrected
from karat.statistics.mcnemar import mcnemar
from karat.studies.compare.contests import Drawing, Test
from karat.studies.compare.means import Means
from karat.studies.compare.remeasured import Remeasured

PAGE = Path(__file__).parent.parent / "docs" / "calibration.md"
DATA_SETS, FAMILIES = 2000, 1000
RUNS = 6
MEASURE_TESTS: tuple[Test, ...] = ("randomisation", "bootstrap", "bca")
TESTS = ("exact", "mid-p", "randomisation", "t", "wilcoxon", "sign", "bootstrap", "bca")
INTERVALS = {"exact": "adjusted", "t": "t", "bootstrap": "percentile", "bca": "BCa"}


def p_of(means: Means, test: str) -> float:
    """p of one test; NaN where it is not for such scores."""
    if test == "mid-p":
        if not means.right_or_wrong:
            return float("nan")
        return float(mcnemar(*next(means.parts(PAIR))[0].wins, mid=True)[0])
    try:
        return float(means.contrast(PAIR, test).p[0])  # type: ignore[arg-type]
    except UsageError:  # exact, of real numbers
        return float("nan")


def errors_of_the_first_kind(setting: Setting) -> dict[str, float]:
    """How often each test tells two runs apart that do not differ."""
    found: dict[str, list[bool]] = {test: [] for test in TESTS}
    for means in drawn(setting, np.zeros(2), DATA_SETS, "null"):
        for test in TESTS:
            p = p_of(means, test)
            if p == p:
                found[test].append(p <= ALPHA)
    return {test: float(np.mean(one)) if one else float("nan") for test, one in found.items()}


def coverage(setting: Setting) -> dict[str, tuple[float, float]]:
    """How often each interval holds the true difference: where there is none, and where there is one."""
    shares: dict[str, list[float]] = {test: [] for test in INTERVALS}
    for truth in (0.0, setting.difference):
        found: dict[str, list[bool]] = {test: [] for test in INTERVALS}
        for means in drawn(setting, np.array([truth, 0.0]), DATA_SETS, f"difference {truth}"):
            for test in INTERVALS:
                if test == "exact" and not means.right_or_wrong:
                    continue  # its interval is that of t
                contrast = means.contrast(PAIR, test)  # type: ignore[arg-type]
                found[test].append(bool(contrast.low[0] <= truth <= contrast.high[0]))
        for test, one in found.items():
            shares[test].append(float(np.mean(one)) if one else float("nan"))
    return {test: (none, some) for test, (none, some) in shares.items()}


def false_verdicts(setting: Setting, better: int) -> dict[str, float]:
    """How often a correction lets any false verdict pass (bh, by: the mean share of false ones), six runs."""
    shift = np.where(np.arange(RUNS) < better, setting.difference * 1.5, 0.0)
    first, second = np.triu_indices(RUNS, 1)
    null = shift[first] == shift[second]
    found: dict[str, list[float]] = {name: [] for name in ("none", "holm", "maxt", "bh", "by")}
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
    return {correction: float(np.mean(shares)) for correction, shares in found.items()}


KEY = pairs_of(key_codes(200))


def answers(random: np.random.Generator) -> Responses:
    """Two three-way runs that are right on two pairs in three, and answer anything where they are not."""
    runs = []
    for name in ("a", "b"):
        right = random.random(len(KEY)) < 2 / 3
        codes = np.where(right, KEY.labels, random.choice(3, size=len(KEY), p=[0.5, 0.3, 0.2])).astype(np.int8)
        info = RunInfo(name, THREE, IN_MEMORY)
        runs.append(Run(info, codes, np.arange(len(KEY), dtype=np.int32), None, None, None))
    return Responses.of(KEY, runs)


def errors_of_measures(spelling: str) -> list[float]:
    """How often runs of one kind are told apart by a measure that is no mean: exchange, percentile, BCa."""
    found: list[list[bool]] = []
    for place in range(DATA_SETS):
        runs = answers(generator(0, "calibration", "answers", place))
        contest = Remeasured(runs, measures.parse(spelling), THREE, Drawing(REPLICATES, place, LEVEL))
        found.append([bool(contest.contrast(PAIR, test).p[0] <= ALPHA) for test in MEASURE_TESTS])
    return np.mean(found, axis=0).tolist()


def page() -> str:
    first, covered, families = [], [], []
    for setting in SETTINGS:
        print(setting.name, "…", file=sys.stderr, flush=True)
        errors = errors_of_the_first_kind(setting)
        first.append([setting.name, *(shown(errors[test], ALPHA, DATA_SETS) for test in TESTS)])
        for test, shares in coverage(setting).items():
            if shares[0] == shares[0]:
                kinds = [shown(share, LEVEL, DATA_SETS) for share in shares]
                covered.append([setting.name, INTERVALS[test], kinds[0], f"{setting.difference:g}", kinds[1]])
        for better in (0, 3):
            rates = false_verdicts(setting, better)
            name = "none differ" if not better else "three of six better"
            families.append([setting.name, name, *(shown(rate, ALPHA, FAMILIES) for rate in rates.values())])
    remeasured = []
    for spelling in ("kappa", "information", "mean_recall", "decided_f(weight=1/3)"):
        print(spelling, "…", file=sys.stderr, flush=True)
        remeasured.append([spelling, *(shown(one, ALPHA, DATA_SETS) for one in errors_of_measures(spelling))])
    return WORDS.format(
        remeasured=table(["measure", *MEASURE_TESTS], remeasured),
        data_sets=f"{DATA_SETS:,}",
        replicates=f"{REPLICATES:,}",
        families=f"{FAMILIES:,}",
        first=table(["scores", *TESTS], first),
        covered=table(["scores", "interval", "no difference", "difference", "covered"], covered),
        families_table=table(["scores", "truth", "none", "holm", "maxt", "bh", "by"], families),
    )


WORDS = """# Calibration

Do tests and intervals hold what they promise? First those of [compare](compare.md), then those of
[agree](agreement.md), [judge](judge.md) and [score](entailment.md). Data were made up whose truth is known; what
follows is how often each method was wrong. Written by `python -m benchmarks.calibration`, seeds fixed. ▲ and ▽ mark
shares further above or below what was promised than three Monte-Carlo standard errors.

## Errors of the first kind

Two runs that do not differ, {data_sets} data sets; told apart at 5 % (promised: .050). Simulated tests use {replicates}
replicates.

{first}
Why some are marked:

- **exact, randomisation and sign** are below 5 % where p takes few values (of 20 disagreements, one side needs 15; of
  12 clusters there are 4,096 flips, many of them tied): an exact test never goes above its level, so it stops short of
  it. **mid-p** takes most of that back, and keeps the level without promising to; it is in `karat.statistics.mcnemar`,
  and no test of `compare`.
- **wilcoxon** counts all flips of up to fifty differences: on right/wrong it is then McNemar's exact test, and stops
  short with it. Beyond fifty it is a normal approximation, on right/wrong McNemar's chi-square.
- **bootstrap** (centred, percentile) and **bca** are above 5 % with 12 clusters, bca with 40 skewed scores too: they
  take the spread of the sample for that of the population, too small by (n−1)/n, and its tails for those of t. With
  200 units, or 50 clusters, what is left of it is within the error of this simulation.

Measures that are no means, three-way runs of one kind on 200 pairs:

{remeasured}
## Coverage

How often the 95 % interval holds the true difference, {data_sets} data sets each.

{covered}
The adjusted interval (Bonett and Price) of right/wrong scores and the t interval keep their level; percentile and BCa
intervals are too short for few clusters or few skewed scores, for the reason above: ask for t there.

## Many pairs

Six runs, fifteen pairs, {families} data sets, the default test. `none`, `holm`, `maxt`: how often any pair was told
apart that does not differ; promised at most .050 for `holm` and `maxt`, nothing for `none`. `bh`, `by`: the mean share
of such pairs among those told apart, promised at most .050. With three of six runs better, nine pairs differ and six do
not.

{families_table}
No correction is further above what it promises than chance allows; `none` is, and promised nothing. `holm` and `by`
are below (▽) because they allow for any dependence between pairs, and pairs that share a run depend on each other;
`maxt` uses that dependence, and where no runs differ it is at its level. With three of six runs better all are below:
the family that is left to be wrong about is six pairs of fifteen, `bh` holds the share at 6/15 of .050 by
construction, and `holm` and `maxt` allow for pairs that differ and were not told apart. Where exact p-values stop
short of their level, all corrections of them do. (The randomised Tukey range promises nothing once any runs differ;
`maxt` is the step-down form, which does.)
"""


def main() -> None:
    kept = PAGE.read_text(encoding="utf-8").partition(f"\n{HEADING}")[0] if sys.argv[1:] == ["others"] else page()
    PAGE.write_text(f"{kept}\n{section()}", encoding="utf-8")
    print(PAGE.name)


if __name__ == "__main__":
    main()
