"""Calibration of the biases of a judge for runs: simultaneous intervals, and whether a favoured run is found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.calibration_data import ALPHA, LEVEL, Cell, in_parallel, shown, table
from karat.arrays import Floats, Ints
from karat.data.parameters import generator
from karat.statistics.simultaneous import simultaneous_interval

DATA_SETS = 300
SPREAD = 0.05
"""The deviation of a judge's error, where nothing else is said."""
FAVOUR = 5
"""How many standard errors more lenient the judge is with the run that it favours."""
KINDS = (
    *("normal", "exponential", "lognormal", "heavy tails"),
    *("of unequal variance", "exponential, one run without", "normal, one run exponential", "normal, half exponential"),
    *("exponential, topics in clusters", "mostly the same for all runs", "5% right for wrong", "rare and of any size"),
)
SIZES = ((20, 3), (20, 60), (48, 12), (100, 40))
"""Units and runs."""
LARGEST = (("exponential", 300, 60), ("rare and of any size", 300, 60))


class Errors(NamedTuple):
    """What a judge adds to the scores of runs (units, runs), and the means of it (runs,)."""

    errors: Floats
    truth: Floats
    cluster: Ints | None = None


def errors_of(random: np.random.Generator, kind: str, units: int, runs: int, favour: float = 0.0) -> Errors:
    """A judge that is equally lenient with all runs, or more so with the last one, by standard errors."""
    size, truth, cluster = (units, runs), np.full(runs, SPREAD), None
    more = favour * SPREAD / units**0.5 * (np.arange(runs) == runs - 1)
    if kind == "5% right for wrong":
        truth = np.minimum(truth + more * (0.95 / 0.05) ** 0.5, 0.9)
        return Errors((random.random(size) < truth).astype(np.float64), truth)
    if kind == "rare and of any size":
        share = 0.1 + more / SPREAD * 0.4
        return Errors((random.random(size) < share) * random.exponential(0.5, size), share * 0.5)
    if kind.startswith("exponential"):
        made = random.exponential(SPREAD, size)
    elif kind == "lognormal":
        made = np.exp(random.normal(size=size)) * SPREAD / np.e**0.5
    elif kind == "heavy tails":
        made = truth + SPREAD * random.standard_t(3, size) / 3**0.5
    elif kind.startswith("mostly"):
        truth = truth * 0.0
        made = SPREAD * (np.where(random.random(size) < 0.7, random.normal(size=(units, 1)), random.normal(size=size)))
    else:
        made = truth + SPREAD * random.normal(size=size)
    if kind == "of unequal variance":
        made, more = truth + (made - truth) * np.geomspace(0.3, 3, runs), 3 * more
    elif kind.endswith("without"):
        made[:, 0] = SPREAD
    elif kind.endswith(("one run exponential", "half exponential")):
        some = 1 if "one" in kind else runs // 2
        made[:, :some] = random.exponential(SPREAD, (units, some))
    elif kind.endswith("clusters"):
        cluster = np.repeat(np.arange(units), 1 + np.arange(units) % 4)
        made = 0.5 * made[cluster] + 0.5 * random.exponential(SPREAD, (len(cluster), runs))
    return Errors(made + more, truth + more, cluster)


def biases(case: tuple[str, int, int]) -> list[str | Cell]:
    """How often the intervals of all runs hold at once, and how often a favoured run is found."""
    kind, units, runs = case
    held, found = np.zeros(2), 0
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "biases", kind, units, runs, place)
        for relative in (False, True):
            made = errors_of(random, kind, units, runs)
            low, high = interval(made, random, relative)
            wanted = made.truth - made.truth.mean() if relative else made.truth
            held[int(relative)] += bool(((low <= wanted + 1e-12) & (wanted <= high + 1e-12)).all())
        low, _ = interval(errors_of(random, kind, units, runs, FAVOUR), random, True)
        found += bool(low[-1] > 0)
    bias, favoured = held / DATA_SETS
    cells = shown(bias, LEVEL, DATA_SETS), shown(1 - favoured, ALPHA, DATA_SETS)
    return [kind, str(units), str(runs), *cells, f"{found / DATA_SETS:.2f}"]


def interval(made: Errors, random: np.random.Generator, relative: bool) -> tuple[Floats, Floats]:
    """The simultaneous intervals of the biases."""
    return simultaneous_interval(
        made.errors.mean(axis=0),
        made.errors,
        np.asarray((made.errors != 0).any(axis=1)),
        random,
        LEVEL,
        relative=relative,
        cluster=made.cluster,
    )


def section() -> str:
    """What the page says of biases."""
    cases = [*((kind, *size) for kind in KINDS for size in SIZES), *LARGEST]
    rows = in_parallel(biases, cases)
    headings = ["the judge's errors", "units", "runs", "bias covered", "a run “favoured”", "a favoured run found"]
    return WORDS.format(table=table(headings, rows), data_sets=DATA_SETS, favour=FAVOUR)


WORDS = """## Whom a judge favours

How often the simultaneous intervals of a judge's biases for all runs hold at once in [judge and meta](judge.md), and
how often any run is said to be favoured or penalised (nominal: .050), where the judge is equally lenient with all of
them; {data_sets} data sets. The last column is the power: how often one run is found with which the judge is more
lenient by {favour} standard errors of its own mean error.

{table}
Each limit is the farther of Student's, with Bonferroni's correction, and that of a bootstrap of the largest and the
smallest of all studentised estimates at once ([decision 0091](decisions/0091-whom-a-judge-favours.md)). Without the
bootstrap, a run was said to be favoured in up to 20% of data sets with exponential errors, and in up to 23% with
lognormal ones. Where errors are very skewed, or rare, the intervals are wider than they need be (▲), few claims are
made (▽), and the bias of a judge that seldom errs has to be large to be found.
"""
