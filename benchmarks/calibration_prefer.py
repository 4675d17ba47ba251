"""Calibration of `prefer`: coverage of its intervals, and how often its tests find what is not there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.calibration_data import ALPHA, LEVEL, Cell, held, in_parallel, missing, shown, table
from karat.arrays import Floats
from karat.data.parameters import generator
from karat.data.preferences import Preferences
from karat.errors import UsageError
from karat.statistics.bradley_terry import fit
from karat.studies.prefer.result import Preferred
from karat.studies.prefer.study import prefer

SETS = 1000
MANY_UNITS = 4000
"""So many units give the true strengths."""
TIE = -0.5
PEOPLE = 4


@dataclass(frozen=True)
class Compared:
    """Comparisons made up at random: runs, units, comparisons of each unit, and how much strengths vary by unit."""

    runs: int
    units: int
    each: int
    varying: float

    @property
    def name(self) -> str:
        """What the table calls it."""
        if self.each == 1:
            return f"{self.runs} runs, {self.units:,} comparisons, each of its own unit"
        vary = "runs vary by unit" if self.varying else "independent"
        return f"{self.runs} runs, {self.units} units, {self.each} comparisons each, {vary}"

    def strengths(self, apart: float) -> Floats:
        """From −apart to apart."""
        return np.linspace(-apart, apart, self.runs)

    def drawn(self, random: np.random.Generator, apart: float, order: float) -> Preferences:
        """One data set, with the sides and the assessor of every comparison drawn at random."""
        rows = self.units * self.each
        unit = np.repeat(np.arange(self.units), self.each)
        left = random.integers(0, self.runs, rows)
        right = (left + random.integers(1, self.runs, rows)) % self.runs
        here = self.strengths(apart) + random.normal(0, self.varying, (self.units, self.runs))
        odds = _odds(here[unit, left] - here[unit, right] + order)
        verdict = (random.random(rows) > np.cumsum(odds, axis=0)[:2]).sum(axis=0)
        who = random.integers(0, PEOPLE, rows)
        runs, units, people = (tuple(map(str, range(size))) for size in (self.runs, self.units, PEOPLE))
        return Preferences(
            runs=runs,
            left=left.astype(np.int32),
            right=right.astype(np.int32),
            verdict=verdict.astype(np.int8),
            units=units,
            unit=unit.astype(np.int32),
            assessors=people,
            assessor=who.astype(np.int32),
        )

    def truth(self, apart: float, order: float) -> tuple[Floats, float, Floats]:
        """The strengths, the order effect and the win rates that many units would give."""
        random = generator(0, "calibration", "prefer", self.name, "truth")
        here = self.strengths(apart) + random.normal(0, self.varying, (MANY_UNITS, self.runs))
        gaps = here[:, :, None] - here[:, None, :] + order
        counts = np.moveaxis(_odds(gaps).sum(axis=1), 0, -1)
        counts[np.arange(self.runs), np.arange(self.runs)] = 0
        made = fit(counts)
        rates = (made.win_rates.sum(axis=1) - 0.5) / (self.runs - 1)
        return made.strength, made.order, rates


SETTINGS = (
    Compared(2, 60, 1, 0.0),
    Compared(5, 60, 1, 0.0),
    Compared(5, 400, 1, 0.0),
    Compared(5, 12, 20, 0.0),
    Compared(5, 12, 20, 1.0),
    Compared(5, 100, 5, 1.0),
    Compared(10, 30, 20, 1.0),
    Compared(20, 15, 60, 1.0),
)


def _odds(gap: Floats) -> Floats:
    odds = np.stack([np.exp(gap / 2), np.exp(-gap / 2), np.full(gap.shape, np.exp(TIE))])
    return np.asarray(odds / odds.sum(axis=0))


def _asked(
    setting: Compared, place: int, apart: float, order: float, purpose: str, cluster: str = "auto"
) -> Preferred | None:
    """The study of one data set; None if a run has no finite strength."""
    random = generator(0, "calibration", "prefer", setting.name, purpose, place)
    try:
        made = prefer(setting.drawn(random, apart, order), cluster=cluster)
    except UsageError:
        return None
    return made if len(made.runs) == setting.runs else None


def covered(setting: Compared) -> list[str | Cell]:
    """How often intervals hold the truth: of the best run, of its lead over the worst, and of the order effect."""
    strength, order, rates = setting.truth(0.7, 0.3)
    best, worst = str(setting.runs - 1), "0"
    truths = float(rates[-1]), float(strength[-1]), float(strength[-1] - strength[0]), order
    ends = np.full((len(truths), SETS, 2), np.nan)
    for place in range(SETS):
        made = _asked(setting, place, 0.7, 0.3, "coverage")
        if made is None or made.order is None:
            continue
        run = next(row for row in made.runs if row.run == best)
        pair = next(pair for pair in made.pairs if {pair.a, pair.b} == {best, worst})
        pair = pair if pair.a == best else pair.turned()
        side = made.order.log_odds
        ends[:, place] = run.interval, run.strength_interval, pair.interval, (side.low, side.high)
    return [setting.name, *(held(one, truth) for one, truth in zip(ends, truths, strict=True))]


def found(setting: Compared) -> list[str | Cell]:
    """How often tests find what is not there: runs that are equally good, sides and assessors that do not matter."""
    errors = np.full((7, SETS), np.nan)
    for place in range(SETS):
        made = _asked(setting, place, 0.0, 0.0, "alike")
        if made is not None:
            errors[0, place] = bool(made.significant)
            errors[2, place] = made.order is not None and made.order.p <= ALPHA
        made = _asked(setting, place, 0.0, 0.0, "alike", "none")
        if made is not None:
            errors[1, place] = bool(made.significant)
        made = _asked(setting, place, 0.7, 0.0, "apart")
        if made is not None:
            errors[3, place] = bool(made.odd)
            errors[4, place] = any(one.p_left_corrected <= ALPHA for one in made.assessors)
            errors[5, place] = any(one.p_stronger_corrected <= ALPHA for one in made.assessors)
            errors[6, place] = bool(made.favours)
    known = ~np.isnan(errors)
    shares = [float(row[there].mean()) for row, there in zip(errors, known, strict=True)]
    numbers = known.sum(axis=1).tolist()
    return [setting.name, *(shown(share, ALPHA, number) for share, number in zip(shares, numbers, strict=True))]


FOUND = [
    *("comparisons", "any two runs", "`--cluster none`", "order", "a pair misfits", "an assessor's side"),
    *("the stronger run", "a run favoured"),
]


def section() -> str:
    """What the page says of these."""
    covering = in_parallel(covered, SETTINGS)
    return WORDS.format(
        covered=table(["comparisons", "win rate", "strength", "a − b", "order effect"], covering),
        found=table(FOUND, in_parallel(found, SETTINGS)),
        sets=f"{SETS:,}",
        level=f"{100 * LEVEL:g}%",
        missing=missing(covering),
        people=PEOPLE,
    )


WORDS = """## Preferences

Comparisons of two runs each, drawn from the model of [prefer](preferences.md), with a quarter of ties or so; where runs
vary by unit, each is better or worse on whole units (standard deviation 1 on the scale of strengths), and the truth is
what many units would give. {sets} data sets. How often the {level} CIs contain the true win rate and the true strength
of the best run, its true lead over the worst, and the true order effect; nominal: .950.

{covered}
Data sets in which a run has no finite strength count as without an interval, at most {missing}% of them.

How often the tests find what is not there, at 5%. First, runs that are equally good: `any two runs` found different
with the Holm correction (nominally at most .050), the same if all comparisons are treated as independent
(`--cluster none`), and an effect of the order. Then runs that differ, compared by {people} assessors who are all alike:
any pair that comes out otherwise than the strengths say (`p_fit_corrected`), any assessor who prefers a side
(`p_left_corrected`) or the stronger run more or less than the others (`p_stronger_corrected`), and any run that an
assessor favours, all with the Holm correction over those tested.

{found}
Standard errors are summed over units, with Student's t for their number, which keeps the level where runs vary by unit;
treating comparisons as independent does not (▲). The last four tests use that variance or the model's, whichever is
larger: with few comparisons of a pair the former is too small too often. The Holm correction is conservative for tests
of all pairs, which are correlated (▽); with two runs there is nothing that a pair could misfit.
"""
