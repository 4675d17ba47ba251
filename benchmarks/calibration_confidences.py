"""Calibration of the interval of the calibration error in `score`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from benchmarks.calibration_data import LEVEL, Cell, held, in_parallel, table
from karat.arrays import Floats
from karat.data.parameters import generator
from karat.data.responses import Forecasts
from karat.measures import calibration_error, measures
from karat.measures.probabilities import in_tenths
from karat.studies.scorer import forecast_interval

DATA_SETS, LARGE, REPLICATES, RESAMPLED = 2000, 2_000_000, 500, 400
SIZES = (20, 50, 200, 1000)
Draw = Callable[[np.random.Generator, int], Floats]
Right = Callable[[Floats], Floats]
RUNS: dict[str, tuple[Draw, Right]] = {
    "true, 0.5 to 1": (lambda random, units: random.uniform(0.5, 1, units), lambda sure: sure),
    "true, nearly all above 0.8": (lambda random, units: random.beta(12, 1, units), lambda sure: sure),
    "true, 0 to 1": (lambda random, units: random.random(units), lambda sure: sure),
    "true, always 0.7": (lambda random, units: random.choice([0.7], units), lambda sure: sure),
    "always 0.7, right on 0.68": (lambda random, units: random.choice([0.7], units), lambda sure: sure - 0.02),
    "0.3 to 1, 0.03 too high": (lambda random, units: random.uniform(0.3, 1, units), lambda sure: sure - 0.03),
    "0.5 to 1, 0.1 too high": (lambda random, units: random.uniform(0.5, 1, units), lambda sure: sure - 0.1),
    "0.5 to 1, 0.3 too high": (lambda random, units: random.uniform(0.5, 1, units), lambda sure: sure - 0.3),
    "0.3 to 0.6, 0.2 too low": (lambda random, units: random.uniform(0.3, 0.6, units), lambda sure: sure + 0.2),
    "0 to 1, only above 0.9 too high": (
        lambda random, units: random.random(units),
        lambda sure: np.where(sure > 0.9, sure - 0.6, sure),
    ),
    "always 1, right on 0.95": (lambda random, units: random.choice([1.0], units), lambda sure: sure - 0.05),
    "0.8, 0.9, 0.95 or 1, too high": (
        lambda random, units: random.choice([0.8, 0.9, 0.95, 1.0], units),
        lambda sure: sure - 0.06,
    ),
}
"""How sure runs are, and how often they are then right."""


def stated(name: str, random: np.random.Generator, units: int) -> Forecasts:
    """The confidences of a run and its answers."""
    draw, share = RUNS[name]
    sure = draw(random, units)
    right = (random.random(units) < share(sure)).astype(np.float64)
    return Forecasts(np.zeros(units, dtype=np.int8), right, sure, None)


def truth(name: str) -> float:
    """The calibration error of all answers that the run could give."""
    draw, share = RUNS[name]
    sure = draw(generator(0, "calibration", "all confidences"), LARGE)
    every = Forecasts(np.zeros(LARGE, dtype=np.int8), share(sure), sure, None)
    return float(calibration_error(every))


def covered(case: tuple[str, int]) -> list[str | Cell]:
    """Coverage of the interval, and of the percentiles of a bootstrap."""
    name, units = case
    measure, true = measures["calibration_error"].bind(), truth(name)
    ends = np.empty((DATA_SETS, 2))
    for place in range(DATA_SETS):
        sample = stated(name, generator(0, "calibration", "confidences", name, units, place), units)
        ends[place] = forecast_interval(measure, sample, LEVEL)
    resampled = np.array([percentiles(name, units, place) for place in range(RESAMPLED)])
    width = float((ends[:, 1] - ends[:, 0]).mean())
    # A perfectly calibrated run has an error of 0, up to what adding up so many numbers leaves.
    true = round(true, 9)
    return [name, str(units), f"{true:.3f}", held(ends, true), f"{width:.2f}", held(resampled, true)]


def percentiles(name: str, units: int, place: int) -> Floats:
    """The percentile interval, for comparison."""
    random = generator(0, "calibration", "bootstrap", name, units, place)
    sample = stated(name, random, units)
    times = random.multinomial(units, np.full(units, 1 / units), size=REPLICATES)
    errors = np.abs(times @ in_tenths(sample, sample.confidence - sample.right) / units).sum(axis=1)
    return np.quantile(errors, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])


def section() -> str:
    """What the page says of the calibration error."""
    rows = in_parallel(covered, list(product(RUNS, SIZES)))
    headings = ["confidences", "answers", "true error", "95% CI", "mean width", "bootstrap percentiles"]
    return WORDS.format(table=table(headings, rows), data_sets=f"{DATA_SETS:,}", resampled=f"{RESAMPLED:,}")


WORDS = """## Calibration error

How often the 95% CI of the calibration error contains the error of all answers that a run could give ({data_sets} data
sets each), and how often the percentiles of a bootstrap do ({resampled} data sets each).

{table}
The calibration error is biased upward, and a bootstrap repeats the bias: for a perfectly calibrated run its percentiles
never contain the true error, which is 0. The interval of `score` subtracts the most that the bias can be. It is
conservative (▲) where several tenths are slightly off or answers are few.
"""
