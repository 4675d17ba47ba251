"""Calibration of `agree`: every coefficient, of labels without order, in order, and of numbers; and every label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np

from benchmarks.calibration_data import LEVEL, MANY, PRIOR, Cell, Floats, Ints, held, in_parallel, missing, table
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import Coincidence
from karat.data.tables import Table
from karat.kernels.coincidence import coincidence_sums, spreads
from karat.kernels.random import generator
from karat.labels import THREE
from karat.measures.agreement import alpha, coefficients, specific_agreement, spread_alpha
from karat.studies.agree.coefficients import Agreeing, label_agreement

DATA_SETS, RESAMPLED = 2000, 500
"""How many data sets; alpha, which is resampled on each, has the first of them only."""
NOMINAL = ("agreement", "kappa", "pi", "fleiss_kappa", "alpha", "ac1", "brennan_prediger")
ORDERED = ("kappa_linear", "kappa_quadratic", "alpha")
RATINGS = ("1", "2", "3", "4", "5")
SIZES = (50, 400)


@dataclass(frozen=True)
class Assessors:
    """Assessors who say so often each label where the unit has one (a row each), and miss some units."""

    number: int
    says: tuple[tuple[float, ...], ...]
    prior: tuple[float, ...]
    labels: tuple[str, ...] = THREE.labels
    missing: float = 0.0

    @cached_property
    def patterns(self) -> Ints:
        """All that can be said of a unit: (patterns, assessors), -1 where an assessor says nothing."""
        return np.array(list(product(range(-1 if self.missing else 0, len(self.prior)), repeat=self.number)))

    @cached_property
    def chances(self) -> Floats:
        """How likely each pattern is, over the labels that the unit may have."""
        chance = np.array(self.says).T[self.patterns] * (1 - self.missing)
        chance = np.where(self.patterns[:, :, None] < 0, self.missing, chance)
        return np.asarray(chance.prod(axis=1) @ np.array(self.prior))

    @cached_property
    def counts(self) -> Ints:
        """How often each label is in each pattern."""
        return np.asarray((self.patterns[:, :, None] == np.arange(len(self.prior))).sum(axis=1))

    def coincidence(self, tabled: bool = False) -> Coincidence:
        """Of the population."""
        return Coincidence(self.labels, self.chances @ coincidence_sums(self.counts, tabled) * MANY)

    def truth(self, name: str, level: Level) -> float:
        """A coefficient in the population."""
        function: Callable[..., Floats] = coefficients[name].function
        if coefficients[name].facts["of"] is Table:
            cells = np.zeros((len(self.prior),) * 2)
            np.add.at(cells, tuple(self.patterns.T[:2]), self.chances)
            function = function if name == "kappa" else partial(function, level=level)
            return float(function(Table(cells * MANY, self.labels)))
        if name == "alpha" and level == "interval":
            unit = np.repeat(np.arange(len(self.patterns)), self.number)
            rows = spreads(unit, self.patterns.ravel().astype(np.float64), len(self.patterns))
            # Numbers are centred over the patterns, which is as good as over the population.
            return float(spread_alpha(self.chances @ rows * MANY))
        if name == "alpha" and level == "ordinal":
            return float(alpha(self.coincidence(tabled=True), level="ordinal"))
        return float(function(self.coincidence()))

    def ballots(self, random: np.random.Generator, units: int, level: Level) -> Ballots:
        """A data set."""
        said = self.patterns[random.choice(len(self.chances), size=units, p=self.chances)]
        unit, assessor = (places.astype(np.int32) for places in (said >= 0).nonzero())
        names = tuple(str(number) for number in range(self.number))
        code = said[unit, assessor].astype(np.int32)
        return Ballots(tuple(map(str, range(units))), names, Scale(self.labels, level), unit, assessor, code)


def sure(right: float) -> tuple[tuple[float, ...], ...]:
    """The unit's own label so often, else one of the two others."""
    return tuple(tuple(right if said == label else (1 - right) / 2 for said in range(3)) for label in range(3))


def near(right: float) -> tuple[tuple[float, ...], ...]:
    """The unit's own rating so often, else a neighbour's, the nearer the likelier."""
    rows = (1 - right) ** np.abs(np.arange(5)[:, None] - np.arange(5))
    return tuple(tuple(row) for row in (rows / rows.sum(axis=1, keepdims=True)).tolist())


LABELLERS = {
    "two, moderate": Assessors(2, sure(0.75), tuple(PRIOR)),
    "two, high": Assessors(2, sure(0.95), tuple(PRIOR)),
    "five, three ballots in ten missing, moderate": Assessors(5, sure(0.75), tuple(PRIOR), missing=0.3),
    "five, three ballots in ten missing, high": Assessors(5, sure(0.95), tuple(PRIOR), missing=0.3),
}
RATERS = {
    "two, moderate": Assessors(2, near(0.6), (0.1, 0.2, 0.3, 0.25, 0.15), RATINGS),
    "two, high": Assessors(2, near(0.9), (0.1, 0.2, 0.3, 0.25, 0.15), RATINGS),
    "four, moderate": Assessors(4, near(0.6), (0.1, 0.2, 0.3, 0.25, 0.15), RATINGS),
}


def ends_of(
    name: str, assessors: Assessors, units: int, level: Level, asked: tuple[str, ...]
) -> tuple[dict[str, Floats], Floats]:
    """The intervals (data sets, 2) of each coefficient, and of agreement on each label (data sets, labels, 2)."""
    ends = {one: np.full((RESAMPLED if one == "alpha" else DATA_SETS, 2), np.nan) for one in asked}
    labels = np.full((DATA_SETS, len(assessors.labels), 2), np.nan)
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "agree", name, level, units, place)
        ballots = assessors.ballots(random, units, level)
        agreeing = Agreeing(ballots)
        for one, column in ends.items():
            if place < len(column):
                made = agreeing.coefficient(coefficients[one], LEVEL, place)
                column[place] = made.low, made.high
        if level == "nominal":
            labels[place] = [(one.low, one.high) for one in label_agreement(ballots, LEVEL, (), [])]
    return ends, labels


def labelled(case: tuple[str, int]) -> list[str | Cell]:
    """Coverage of every coefficient that is for so many assessors, and of two labels' own agreement."""
    name, units = case
    assessors = LABELLERS[name]
    asked = tuple(one for one in NOMINAL if assessors.number == 2 or one not in ("kappa", "pi"))
    ends, labels = ends_of(name, assessors, units, "nominal", asked)
    shares = {one: held(column, assessors.truth(one, "nominal")) for one, column in ends.items()}
    truths = specific_agreement(assessors.coincidence())
    each = [held(labels[:, place], float(truths[place])) for place in (0, 2)]
    return [name, str(units), *(shares.get(one, "") for one in NOMINAL), *each]


def rated(case: tuple[str, int]) -> list[str | Cell]:
    """Coverage of the coefficients that know an order, or numbers."""
    name, units = case
    assessors = RATERS[name]
    asked = ORDERED if assessors.number == 2 else ("alpha",)
    shares = {one: held(column, assessors.truth(one, "ordinal"))
              for one, column in ends_of(name, assessors, units, "ordinal", asked)[0].items()}  # fmt: skip
    numbers = ends_of(name, assessors, units, "interval", ("alpha",))[0]["alpha"]
    interval = held(numbers, assessors.truth("alpha", "interval"))
    return [name, str(units), *(shares.get(one, "") for one in ORDERED), interval]


def section() -> str:
    """What the page says of `agree`."""
    nominal = in_parallel(labelled, list(product(LABELLERS, SIZES)))
    ordered = in_parallel(rated, list(product(RATERS, SIZES)))
    return WORDS.format(
        labelled=table(["assessors", "units", *NOMINAL, "per_label, commonest", "per_label, rarest"], nominal),
        rated=table(["assessors", "units", *ORDERED[:2], "alpha, ordinal", "alpha, interval"], ordered),
        data_sets=f"{DATA_SETS:,}",
        resampled=f"{RESAMPLED:,}",
        missing=missing(nominal + ordered),
    )


WORDS = """## Agreement

How often the 95 % intervals of [agree](agreement.md) hold the coefficient of the population, {data_sets} data sets each
(alpha: {resampled}). Assessors say the unit's label 75 times in a hundred (moderate) or 95 times (high), else one of
the two others. An interval that is undefined makes no claim and is not counted: at most {missing} % of those of any
entry. Entries of a row share their data sets, and are off together. Pairs of assessors have the intervals of two.

{labelled}
Ratings from 1 to 5, ratings next to the unit's own being likelier than those far from it:

{rated}
Observed agreement of two and Brennan and Prediger's coefficient have Wilson's interval, kappas the delta method's with
two units more (of weighted kappas in cells of labels at most two apart), alpha BCa's, and the others Wilson's with the
number of trials that their standard error is worth
([why](decisions/0005-intervals-of-few-units.md)). Why some are marked:

- **Discreteness**: of 50 units two assessors who agree well tell five or so apart, and coverage jumps with each one
  more or less, up (▲) more often than down. Quadratic kappa of 50 units squares the few far disagreements there happen
  to be, and is rather too long where they are rare and too short where they are not (decision 0005). What is left
  with 400 units, in one row, is chance.
- **Few units**: of 50 units seven or so have the rarest label, and agreement on it hangs on those; kappa of moderate
  agreement is a little short, as anything is that takes the normal quantile of 50 units.
- **Resampling**: BCa follows the skew of alpha, but takes the spread of the sample for that of the population, and of
  50 units with few disagreements, far ones among them, often none is far: ordinal and interval alpha are then too
  short.
"""
