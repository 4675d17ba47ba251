"""Calibration of the tests of `agree` and `judge`: how often they find what is not there."""

from __future__ import annotations

from itertools import product

import numpy as np

from benchmarks.calibration_agree import LABELLERS, RATERS, Assessors, sure
from benchmarks.calibration_data import ALPHA, PRIOR, Cell, shown, table
from karat.data.parameters import generator
from karat.statistics.alternative_annotator import alternative_annotator
from karat.statistics.two_assessors import bowker, stuart_maxwell

ALIKE, JUDGED = 5000, 2000
"""Data sets of two assessors, and of people and a judge."""
PEOPLE = 3
MARGINS = ((0.8, 0.1), (0.8, 0.2), (0.97, 0.05), (0.97, 0.1))
"""How often people are right, and epsilon."""
SIZES = (30, 50, 200)
PAIRS = {
    "three labels, moderate": LABELLERS["two, moderate"],
    "three labels, high": LABELLERS["two, high"],
    "five ratings, moderate": RATERS["two, moderate"],
}


def alike(case: tuple[str, int]) -> list[str | Cell]:
    """How often two assessors who use the labels alike are told apart."""
    name, units = case
    assessors = PAIRS[name]
    size = len(assessors.prior)
    random = generator(0, "calibration", "alike", name, units)
    drawn = random.multinomial(units, assessors.chances, size=ALIKE)
    cells = np.zeros((ALIKE, size, size))
    cells[:, assessors.patterns[:, 0], assessors.patterns[:, 1]] = drawn
    row: list[str | Cell] = [name, str(units)]
    for test in (bowker, stuart_maxwell):
        p = test(cells)[2]
        row.append(shown(float((p[~np.isnan(p)] <= ALPHA).mean()), ALPHA, int((~np.isnan(p)).sum())))
    return row


def disadvantage(people: float, right: float) -> float:
    """How much more often the person left out is closer to the two others than a judge who is right so often."""
    everybody = Assessors(PEOPLE, sure(people), tuple(PRIOR))
    total = 0.0
    for said, judges in product(everybody.patterns, range(3)):
        chance = (np.array(sure(people)).T[said].prod(axis=0) * np.array(sure(right)).T[judges]) @ PRIOR
        total += chance * np.sign((said[1:] == said[0]).sum() - (said[1:] == judges).sum())
    return float(total)


def at_the_margin(people: float, epsilon: float) -> float:
    """How often the judge must be right to be worse than a person by just epsilon."""
    from scipy.optimize import brentq

    return float(brentq(lambda right: disadvantage(people, right) - epsilon, 0.34, people))


def replaced(case: tuple[tuple[float, float], int]) -> list[str | Cell]:
    """How often a judge that is worse by just epsilon may replace one person, anybody, or passes."""
    (people, epsilon), units = case
    right = at_the_margin(people, epsilon)
    p, found = np.empty(JUDGED), np.empty(JUDGED)
    for place in range(JUDGED):
        random = generator(0, "calibration", "replaced", str(people), str(epsilon), units, place)
        truth = random.choice(3, size=units, p=PRIOR)
        said = np.stack([_said(random, truth, skill) for skill in (*[people] * PEOPLE, right)])
        test = alternative_annotator(said[:-1], said[-1:], 3, epsilon)
        p[place], found[place] = test.p[0, 0], (test.p_corrected <= ALPHA).sum()
    shares = (p <= ALPHA).mean(), (found > 0).mean(), (found >= PEOPLE / 2).mean()
    row = [f"{people:g}", f"{epsilon:g}", f"{right:.3f}", str(units)]
    return [*row, *(shown(float(share), ALPHA, JUDGED) for share in shares)]


def _said(random: np.random.Generator, truth: np.ndarray, right: float) -> np.ndarray:
    """The unit's label so often, else one of the two others."""
    wrong = (truth + random.integers(1, 3, size=len(truth))) % 3
    return np.where(random.random(len(truth)) < right, truth, wrong).astype(np.int32)


def section() -> str:
    """What the page says of these tests."""
    headings = ["people right", "epsilon", "judge right", "units", "a person", "any of three, corrected", "passes"]
    return WORDS.format(
        alike=table(["assessors", "units", "Bowker", "Stuart–Maxwell"], map(alike, product(PAIRS, (50, 400)))),
        replaced=table(headings, map(replaced, product(MARGINS, SIZES))),
        pairs=f"{ALIKE:,}",
        judged=f"{JUDGED:,}",
    )


WORDS = """## Tests of assessors

Two assessors of one kind, as above, who use the labels alike and confuse them symmetrically; {pairs} data sets: how
often the tests of [agree](agreement.md) find them significantly different at 5%. If the two never disagree there is no
p, and nothing is counted.

{alike}
Neither exceeds its level. Both are below it (▽) where disagreements are few for the number of label pairs: with 50
units good assessors confuse five or so, over three pairs of labels, and raters thirty or so, over ten; p comes from the
chi-square distribution, which needs many disagreements. McNemar's p for two labels is that of right/wrong runs, `exact`
and `mid-p` above.

The alternative-annotator test of [judge](judge.md): three people are right with the given probability, and the judge is
worse by just so much that a left-out person is closer to the two others more often than the judge is, by exactly
epsilon; {judged} data sets. How often the judge may replace a given person at 5%, how often any person after Benjamini
and Yekutieli's correction (nominally at most .050), and how often it passes, which takes two of the three.

{replaced}
Tango's score test keeps its level, and is below it (▽) where judge and person differ on so few units that p is coarse.
Student's t test, which the test's authors use, does not: with 30 units and an epsilon of .05, if people seldom err, it
lets the judge through two to four times as often as its nominal level. The correction allows for any dependence between
people at the cost of a factor of 1 + 1/2 + 1/3, so it stays below (▽); and passing takes two errors in one data set.
"""
