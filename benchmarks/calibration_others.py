"""The other studies' share of docs/calibration.md: agree, judge, score, and the equivalence tests of compare."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from benchmarks.calibration_data import ALPHA, LEVEL, PAIR, REPLICATES, SETTINGS, Floats, Ints, drawn, shown, table
from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import Coincidence
from karat.data.tables import Table
from karat.kernels.coincidence import coincidence_sums
from karat.kernels.random import generator
from karat.labels import THREE
from karat.measures import measures
from karat.measures.agreement import coefficients
from karat.statistics import corrected_rates
from karat.studies.agree.coefficients import Agreeing
from karat.studies.compare.contests import Test
from karat.studies.score.intervals import table_interval

HEADING = "## Agreement"
DATA_SETS, RESAMPLED = 2000, 1000
"""How many data sets; alpha, which is resampled on each, has the first of them only."""
MARGINS = (0.1, 0.2)
EQUIVALENCE_TESTS: tuple[Test, ...] = ("t", "bootstrap")
COEFFICIENTS = ("agreement", "kappa", "pi", "fleiss_kappa", "alpha", "ac1", "brennan_prediger")
MEASURES = (
    "accuracy",
    "mean_recall",
    "kappa",
    "decided_f(weight=1/3)",
    "information",
    "information_corrected",
)
PRIOR = np.array([0.5, 0.35, 0.15])
MANY = 1e9
"""So many units are the population: what depends on their number no longer does."""


class Tally:
    """Intervals that hold the truth, among those that there are; and the most that were ever missing."""

    def __init__(self) -> None:
        self.missing = 0.0

    def share(self, low: Floats, high: Floats, truth: float) -> str:
        """The share as it is shown; blank where there is never an interval."""
        there = ~np.isnan(low)
        if not there.any():
            return ""
        self.missing = max(self.missing, 1 - float(there.mean()))
        held = (low[there] <= truth) & (truth <= high[there])
        return shown(float(held.mean()), LEVEL, int(there.sum()))


@dataclass(frozen=True)
class Assessors:
    """Assessors who see the unit's label so often, say any of the others where they do not, and miss some units."""

    number: int
    right: float
    missing: float

    @cached_property
    def patterns(self) -> Ints:
        """All that can be said of a unit: (patterns, assessors), -1 where an assessor says nothing."""
        said = range(-1 if self.missing else 0, len(PRIOR))
        return np.array(list(product(said, repeat=self.number)))

    @cached_property
    def chances(self) -> Floats:
        """How likely each pattern is, over the labels that the unit may have."""
        labels = np.arange(len(PRIOR))
        wrong = (1 - self.right) / (len(PRIOR) - 1)
        chance = np.where(self.patterns[:, :, None] == labels, self.right, wrong) * (1 - self.missing)
        chance = np.where(self.patterns[:, :, None] < 0, self.missing, chance)
        return np.asarray(chance.prod(axis=1) @ PRIOR)

    def truth(self, name: str) -> float:
        """A coefficient in the population."""
        if name == "kappa":
            cells = np.zeros((len(PRIOR), len(PRIOR)))
            np.add.at(cells, tuple(self.patterns.T[:2]), self.chances)
            return float(coefficients[name].function(Table(cells * MANY, THREE.labels)))
        counts = (self.patterns[:, :, None] == np.arange(len(PRIOR))).sum(axis=1)
        sums = self.chances @ coincidence_sums(counts, False) * MANY
        return float(coefficients[name].function(Coincidence(THREE.labels, sums)))

    def ballots(self, random: np.random.Generator, units: int) -> Ballots:
        """A data set."""
        said = self.patterns[random.choice(len(self.chances), size=units, p=self.chances)]
        unit, assessor = (places.astype(np.int32) for places in (said >= 0).nonzero())
        names = tuple(str(number) for number in range(self.number))
        code = said[unit, assessor].astype(np.int32)
        return Ballots(tuple(map(str, range(units))), names, Scale(THREE.labels), unit, assessor, code)


ASSESSORS = {
    "two, moderate": Assessors(2, 0.75, 0.0),
    "two, high": Assessors(2, 0.95, 0.0),
    "five, three ballots in ten missing, moderate": Assessors(5, 0.75, 0.3),
    "five, three ballots in ten missing, high": Assessors(5, 0.95, 0.3),
}


def number_of(coefficient: str) -> int:
    """How many data sets a coefficient is worked out on."""
    return RESAMPLED if coefficient == "alpha" else DATA_SETS


def agreement(tally: Tally) -> Iterator[list[str]]:
    """Coverage of every coefficient that is for so many assessors."""
    for name, assessors in ASSESSORS.items():
        several = assessors.number > 2
        asked = [one for one in COEFFICIENTS if not (several and one in ("kappa", "pi"))]
        for units in (50, 400):
            print(f"assessors: {name}, {units} units", "…", file=sys.stderr, flush=True)
            ends = np.full((DATA_SETS, len(asked), 2), np.nan)
            for place in range(DATA_SETS):
                agreeing = Agreeing(assessors.ballots(generator(0, "calibration", "agree", name, units, place), units))
                for column, one in enumerate(asked):
                    if place >= number_of(one):
                        continue
                    made = agreeing.coefficient(coefficients[one], LEVEL, place)
                    ends[place, column] = made.low, made.high
            low, high = np.moveaxis(ends, -1, 0)
            shares = {
                one: tally.share(low[: number_of(one), column], high[: number_of(one), column], assessors.truth(one))
                for column, one in enumerate(asked)
            }
            yield [name, str(units), *(shares.get(one, "") for one in COEFFICIENTS)]


ESTIMATES: dict[str, Callable[[Floats, Floats], corrected_rates.Rate]] = {
    "people alone": lambda both, _: corrected_rates.human(both, LEVEL),
    "Rogan–Gladen": lambda both, alone: corrected_rates.rogan_gladen(both, alone, LEVEL),
    "PPI": lambda both, alone: corrected_rates.prediction_powered(both, alone, LEVEL, tuned=False),
    "PPI++": lambda both, alone: corrected_rates.prediction_powered(both, alone, LEVEL),
    "judge alone": lambda both, alone: corrected_rates.naive(both, alone, LEVEL),
}
SENSITIVITY, SPECIFICITY, JUDGED = 0.85, 0.9, 1000


def rates(tally: Tally) -> Iterator[list[str]]:
    """Coverage of a label's share, corrected by a judge of known errors."""
    for prevalence, labelled in product((0.5, 0.1), (60, 200)):
        random = generator(0, "calibration", "judge", str(prevalence), labelled)
        kinds = np.array([[SPECIFICITY, 1 - SPECIFICITY], [1 - SENSITIVITY, SENSITIVITY]])
        cells = np.array([1 - prevalence, prevalence])[:, None] * kinds
        both = random.multinomial(labelled, cells.ravel(), size=DATA_SETS).reshape(-1, 2, 2).astype(np.float64)
        alone = random.multinomial(JUDGED - labelled, cells.sum(axis=0), size=DATA_SETS).astype(np.float64)
        made = [estimate(both, alone) for estimate in ESTIMATES.values()]
        yield [f"{prevalence:g}", str(labelled), *(tally.share(one.low, one.high, prevalence) for one in made)]


def equivalences() -> Iterator[list[str]]:
    """How often runs are called equivalent that differ by just the margin."""
    for setting in SETTINGS:
        print(f"equivalence: {setting.name}", "…", file=sys.stderr, flush=True)
        row = [setting.name]
        for margin in MARGINS:
            told = []
            for means in drawn(setting, np.array([margin, 0.0]), DATA_SETS, f"margin {margin}", margin):
                found = [means.contrast(PAIR, test).p_equivalence[0] for test in EQUIVALENCE_TESTS]
                told.append([p <= ALPHA for p in found])
            row += [shown(share, ALPHA, DATA_SETS) for share in np.mean(told, axis=0).tolist()]
        yield row


RIGHT = {"right on two in three": 2 / 3, "right on nine in ten": 0.9, "hardly better than chance": 0.05}


def scores(tally: Tally) -> Iterator[list[str]]:
    """Coverage of measures of one run, which answers anything where it does not know."""
    anything = np.array([0.5, 0.3, 0.2])
    for (name, right), units in product(RIGHT.items(), (50, 200, 800)):
        cells = PRIOR[:, None] * (right * np.eye(3) + (1 - right) * anything)
        random = generator(0, "calibration", "score", name, units)
        counts = random.multinomial(units, cells.ravel(), size=DATA_SETS).reshape(-1, 3, 3)
        population, sample = Table(cells * MANY, THREE.labels), Table(counts, THREE.labels)
        row = [name, str(units)]
        for measure in map(measures.parse, MEASURES):
            row.append(tally.share(*table_interval(measure, sample, LEVEL), float(measure(population))))
        yield row


def section() -> str:
    """What the page says of these, beginning with its heading."""
    balloted, judged, scored = Tally(), Tally(), Tally()
    kinds = [f"{test}, margin {margin:g}" for margin in MARGINS for test in EQUIVALENCE_TESTS]
    return WORDS.format(
        heading=HEADING,
        agreement=table(["assessors", "units", *COEFFICIENTS], list(agreement(balloted))),
        rates=table(["prevalence", "labelled", *ESTIMATES], list(rates(judged))),
        equivalences=table(["scores", *kinds], list(equivalences())),
        scores=table(["run", "units", *(name.partition("(")[0] for name in MEASURES)], list(scores(scored))),
        resampled=f"{RESAMPLED:,}",
        data_sets=f"{DATA_SETS:,}",
        replicates=f"{REPLICATES:,}",
        missing=[f"{100 * tally.missing:.1f}" for tally in (balloted, judged, scored)],
        judged=f"{JUDGED:,}",
        sensitivity=f"{SENSITIVITY:g}",
        specificity=f"{SPECIFICITY:g}",
    )


WORDS = """{heading}

How often the 95 % intervals of [agree](agreement.md) hold the coefficient of the population, {data_sets} data sets each
(alpha: {resampled}). Assessors say the unit's label 75 times in a hundred (moderate) or 95 times (high), else one of
the two others. An interval that is undefined makes no claim and is not counted: at most {missing[0]} % of those of any
entry. Entries of a row share their data sets, and are off together.

{agreement}
Why some are marked, most of them with 50 units:

- **Wald**: intervals by the delta method are symmetric around the estimate and take their quantile from the normal
  distribution, not from t. With 50 units and high agreement the estimate is skewed and its error is smallest where the
  estimate is highest, so that intervals lie too high and are too short. Brennan and Prediger's coefficient of two
  assessors is the agreement on another scale, with Wald's interval: compare it with Wilson's, of **agreement**. With
  400 units it is at .943 by the binomial distribution itself; what it and AC1 are further below is chance. Of five
  assessors, agreement is no proportion of independent trials, and has Wald's interval too.
- **Discreteness**: of 50 units two assessors tell five or so apart, and coverage jumps with each one more or less;
  alpha's BCa interval, which follows the skew, is rather too long there (▲).

## Rates corrected by a judge

How often the 95 % intervals of [judge](judge.md) hold the true share of a label, {data_sets} data sets each. The
judge (sensitivity {sensitivity}, specificity {specificity}) judges {judged} units, people label some of them. At most
{missing[1]} % of the intervals of any entry were undefined and are not counted.

{rates}
**PPI** and **PPI++** have Wald's interval: of 60 units six have a label of prevalence .1, and it is too short where
they happen to be fewer; PPI++ also fits its weight to those six. Rogan–Gladen (by Lang and Reiczigel's interval) and
Wilson's of people alone hold there: prefer them where a label is rare and few units were labelled. **judge alone**
promises nothing: its interval knows the size of the sample and not the judge's bias.

## Equivalence

Two runs that differ by just the margin, {data_sets} data sets; called equivalent at 5 % (promised: at most .050). The
bootstrap has {replicates} replicates.

{equivalences}
Entries are marked as below (▽) where the data are too few for the margin: two tests must both reject. With a margin of
less than about 1.65 standard errors of the difference they never do (40 right/wrong or skewed scores, or 12
clusters, and a margin of .1), with less than about 3.3 they do so less often than at 5 %: runs are then not called
equivalent, whatever they are.

## Scores of one run

How often the 95 % intervals of [score](measures.md) hold the measure's value in the population, {data_sets} data sets
each. Where a run does not know it answers anything, sometimes rightly. At most {missing[2]} % of the intervals of any
entry were undefined and are not counted.

{scores}
Accuracy has Wilson's interval and keeps its level. The others have the delta method's, and some are marked:

- **Small samples**: of 50 units seven have the rarest label, and mean recall, information and, less so, kappa and
  decided F hang on them. Cells that happen to be empty add nothing to the error, so that intervals are too short.
- **Wald**: of a run that is right on nine in ten the estimate is skewed, as for agreement above; most intervals that
  miss lie too high, and with 200 units still do. Mean recall is the last to recover, with 800 units nearly.
- **Flat**: of a run hardly better than chance information is next to 0, where it is nearly flat: its estimate is
  spread like chi-square, not normally, and biased upwards. Plain information then has intervals too high and too long
  (▲, or ▽ with 50 units, where the bias is largest); corrected, the bias is gone but not the skew, and some intervals
  end too low (▽). Whether a run tells anything at all should not be read off this interval.
"""
