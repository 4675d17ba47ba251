"""Calibration of `agree`: every coefficient, of labels without order, in order, and of numbers; and every label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np

from benchmarks.calibration_data import ALPHA, LEVEL, MANY, PRIOR, Cell, held, in_parallel, missing, shown, table
from karat.arrays import Floats, Ints
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import Coincidence
from karat.data.parameters import generator
from karat.data.tables import Table
from karat.kernels.coincidence import coincidence_sums, spreads
from karat.labels import THREE
from karat.measures.agreement import alpha, coefficients, specific_agreement, spread_alpha
from karat.studies.agree.coefficients import Agreeing, label_agreement
from karat.studies.agree.study import agree

DATA_SETS = 2000
NOMINAL = ("agreement", "kappa", "pi", "fleiss_kappa", "alpha", "ac1", "brennan_prediger")
ORDERED = ("kappa_linear", "kappa_quadratic", "alpha")
SIZES = (50, 400)
RATED_SIZES = (20, 50, 400)
FEW = (20, 30, 50, 100)
CLAIMS = {
    "labels swapped": "are labels swapped",
    "labels used differently": "use the labels differently",
    "a disputed label": "agree significantly less on",
    "units with more ballots": "ballots agree significantly",
}
"""What `agree` may say of assessors, and words that each sentence has."""
CLAIMED = 1000


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
        return self.of(self.patterns[random.choice(len(self.chances), size=units, p=self.chances)], level)

    def of(self, said: Ints, level: Level) -> Ballots:
        """The ballots of what was said (units, assessors)."""
        units = len(said)
        unit, assessor = (places.astype(np.int32) for places in (said >= 0).nonzero())
        names = tuple(str(number) for number in range(self.number))
        code = said[unit, assessor].astype(np.int32)
        return Ballots(tuple(map(str, range(units))), names, Scale(self.labels, level), unit, assessor, code)


@dataclass(frozen=True)
class Alike(Assessors):
    """Assessors who say the same on so many units, and on the others draw labels, each for himself."""

    alike: float = 0.0

    @cached_property
    def chances(self) -> Floats:
        """How likely each pattern is; of two, kappa is the share of units alike."""
        prior = np.array(self.prior)
        there = np.where(self.patterns < 0, self.missing, prior[self.patterns] * (1 - self.missing)).prod(axis=1)
        said, first = self.patterns >= 0, self.patterns.max(axis=1)
        same = ((self.patterns == first[:, None]) | ~said).all(axis=1)
        shares = np.where(said, 1 - self.missing, self.missing).prod(axis=1)
        alike = np.where(same, shares * np.where(first < 0, 1.0, prior[first]), 0.0)
        return np.asarray(self.alike * alike + (1 - self.alike) * there)


def rare(number: int, share: float, alike: float) -> Alike:
    """Assessors of two labels, of which one is so rare."""
    return Alike(number, (), (1 - share, share), ("common", "rare"), alike=alike)


def sure(right: float) -> tuple[tuple[float, ...], ...]:
    """The unit's own label so often, else one of the two others."""
    return tuple(tuple(right if said == label else (1 - right) / 2 for said in range(3)) for label in range(3))


def near(right: float, grades: int = 5) -> tuple[tuple[float, ...], ...]:
    """The unit's own rating most often, else a neighbour's, the nearer the likelier."""
    rows = (1 - right) ** np.abs(np.arange(grades)[:, None] - np.arange(grades))
    return tuple(tuple(row) for row in (rows / rows.sum(axis=1, keepdims=True)).tolist())


def raters(number: int, right: float, prior: tuple[float, ...]) -> Assessors:
    """Assessors who give the unit's own rating so often, and units that have each so often."""
    return Assessors(number, near(right, len(prior)), prior, tuple(str(grade + 1) for grade in range(len(prior))))


LABELLERS = {
    "two, moderate": Assessors(2, sure(0.75), tuple(PRIOR)),
    "two, high": Assessors(2, sure(0.95), tuple(PRIOR)),
    "five, three ballots in ten missing, moderate": Assessors(5, sure(0.75), tuple(PRIOR), missing=0.3),
    "five, three ballots in ten missing, high": Assessors(5, sure(0.95), tuple(PRIOR), missing=0.3),
}
FIVE, TEN = (0.1, 0.2, 0.3, 0.25, 0.15), (0.02, 0.04, 0.08, 0.12, 0.16, 0.2, 0.16, 0.12, 0.06, 0.04)
RATERS = {
    "two, moderate": raters(2, 0.6, FIVE),
    "two, high": raters(2, 0.9, FIVE),
    "four, moderate": raters(4, 0.6, FIVE),
    "two, ten ratings": raters(2, 0.6, TEN),
}


def ends_of(
    name: str, assessors: Assessors, units: int, level: Level, asked: tuple[str, ...]
) -> tuple[dict[str, Floats], Floats]:
    """The intervals (data sets, 2) of each coefficient, and of agreement on each label (data sets, labels, 2)."""
    ends = {one: np.full((DATA_SETS, 2), np.nan) for one in asked}
    labels = np.full((DATA_SETS, len(assessors.labels), 2), np.nan)
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "agree", name, level, units, place)
        ballots = assessors.ballots(random, units, level)
        agreeing = Agreeing(ballots)
        for one, column in ends.items():
            made = agreeing.coefficient(coefficients[one], LEVEL, place)
            column[place] = made.low, made.high
        if level == "nominal":
            labels[place] = [(one.low, one.high) for one in label_agreement(agreeing, LEVEL)]
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


def rarely(case: tuple[int, float, float, int]) -> list[str | Cell]:
    """Coverage where one of two labels is rare; data sets that are alike are looked at once."""
    number, share, alike, units = case
    assessors = rare(number, share, alike)
    asked = tuple(one for one in NOMINAL if number == 2 or one not in ("kappa", "pi"))
    random = generator(0, "calibration", "agree", "rare", number, int(100 * share), int(10 * alike), units)
    drawn = random.multinomial(units, assessors.chances / assessors.chances.sum(), size=DATA_SETS)
    each, times = np.unique(drawn, axis=0, return_counts=True)
    ends: dict[str, list[tuple[float, float]]] = {one: [] for one in (*asked, "label")}
    for counts in each:
        said = np.repeat(assessors.patterns, counts, axis=0)
        ballots = assessors.of(said, "nominal")
        agreeing = Agreeing(ballots)
        for one in asked:
            made = agreeing.coefficient(coefficients[one], LEVEL, 0)
            ends[one].append((made.low, made.high))
        label = label_agreement(agreeing, LEVEL)[1]
        ends["label"].append((label.low, label.high))
    truths = {one: assessors.truth(one, "nominal") for one in asked}
    truths["label"] = float(specific_agreement(assessors.coincidence())[1])
    cells = {one: held(np.repeat(np.array(column), times, axis=0), truths[one]) for one, column in ends.items()}
    return [str(number), f"{share:g}", f"{alike:g}", str(units), *(cells.get(one, "") for one in (*NOMINAL, "label"))]


def claimed(case: tuple[int, int, float, float]) -> list[str | Cell]:
    """How often tests and sentences find something among assessors of one kind, on labels that are equally common."""
    number, units, alike, absent = case
    assessors = Alike(number, (), (1 / 3,) * 3, missing=absent, alike=alike)
    pairs: list[float] = []
    numbers: list[float] = []
    said = dict.fromkeys(CLAIMS, 0)
    for place in range(CLAIMED):
        random = generator(0, "calibration", "agree", "claims", number, units, int(10 * alike), place)
        result = agree(assessors.ballots(random, units, "nominal"))
        pairs += [pair.p_below_chance <= ALPHA for pair in (result.pairwise or [])[:1]]
        numbers += [result.more_ballots.p <= ALPHA] if result.more_ballots else []
        text = " ".join(result.findings())
        for name, words in CLAIMS.items():
            said[name] += words in text
    tests = [shown(float(np.mean(column)), ALPHA, len(column)) if column else "" for column in (pairs, numbers)]
    sentences = [shown(count / CLAIMED, ALPHA, CLAIMED) for count in said.values()]
    return [str(number), str(units), f"{alike:g}", *tests, *sentences]


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
    ordered = in_parallel(rated, list(product(RATERS, RATED_SIZES)))
    two = product((2,), (0.02, 0.05), (0.0, 0.4, 0.8), FEW)
    few = in_parallel(rarely, [*two, *product((5,), (0.05,), (0.0, 0.4, 0.8), (20, 50))])
    claims = in_parallel(claimed, [(2, 50, 0.0, 0.0), *product((6,), (50, 200), (0.0, 0.6), (0.3,))])
    return WORDS.format(
        labelled=table(["assessors", "units", *NOMINAL, "per_label, commonest", "per_label, rarest"], nominal),
        rated=table(["assessors", "units", *ORDERED[:2], "alpha, ordinal", "alpha, interval"], ordered),
        rare=table(["assessors", "share", "agreement", "units", *NOMINAL, "per_label, the rare one"], few),
        claims=table(["assessors", "units", "agreement", "p_below_chance", "more_ballots", *CLAIMS], claims),
        claimed=f"{CLAIMED:,}",
        undefined=missing(few),
        data_sets=f"{DATA_SETS:,}",
        missing=missing(nominal + ordered),
    )


WORDS = """## Agreement

How often the 95% CIs of [agree](agreement.md) contain the population coefficient, {data_sets} data sets each.
Assessors give the unit's true label 75 times in a hundred (moderate) or 95 times (high), otherwise one of the two
others. Undefined intervals are not counted: at most {missing} % of any entry. The entries of a row share their data
sets, so their errors are correlated. Pairs of assessors have the intervals of two.

{labelled}
Ratings from 1 to 5, or from 1 to 10, where ratings close to the true one are more likely than distant ones:

{rated}
Rare labels: assessors agree on a given proportion of units (agreement, which equals kappa), and elsewhere draw one of
two labels at random, one of which has the given prevalence. If it happens not to be used kappa is undefined, in up to
{undefined} % of data sets.

{rare}
Observed agreement of two assessors and Brennan and Prediger's coefficient have Wilson's interval. The others have
intervals with two additional units, spread over all pairs of labels (for ratings, less the farther they are apart), and
Student's quantile ([why](decisions/0016-rare-labels.md)). Why some rates are marked:

- **Discreteness**: with 50 units, two assessors who agree well differ on five or so, and a label of 2% occurs on one
  or two, so coverage jumps with each additional one. Such intervals are wide, and too wide rather than too short (▲):
  with a label of 2% and 50 units, kappa's interval is about 1 long.
- **Distant disagreements**: ratings far apart are rare if assessors agree well, and 50 units often show none. Quadratic
  kappa and alpha square them, and are then conservative (▲). With 20 units, the coverage of interval alpha is two or
  three percentage points too low (▽) if assessors agree moderately.

Tests and sentences of `agree` under the null: assessors of one kind, three equally common labels, and three ballots in
ten missing if there are six assessors; {claimed} data sets. The table shows how often a single p is at most .05, and
how often a sentence appears about any pair of assessors, any label, or units with more ballots.

{claims}
All are at or below their level; sentences are corrected for everything they were selected from (Bonferroni).
"""
