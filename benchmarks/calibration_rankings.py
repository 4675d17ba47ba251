"""Calibration of `keys` (tau between two keys' rankings) and of `swap` (error rates, smallest reliable difference)."""

from __future__ import annotations

import numpy as np

from benchmarks.calibration_data import LEVEL, PRIOR, Cell, Floats, held, in_parallel, table
from benchmarks.synthetic import pairs_of
from karat.data.ballots import Ballots, Scale
from karat.data.responses import Responses
from karat.data.runs import Run, RunInfo
from karat.data.scores import Scores
from karat.data.source import IN_MEMORY
from karat.kernels.random import generator
from karat.labels import THREE
from karat.statistics.rank_correlation import tau
from karat.statistics.swap import smallest_reliable
from karat.statistics.swap_normal import PairMoments, fresh_rates
from karat.studies.keys.study import keys
from karat.studies.swap.study import swap

DATA_SETS, SWAPPED, SEEDS = 400, 200, 200
SAYS = np.array([[0.95, 0.04, 0.01], [0.35, 0.6, 0.05], [0.05, 0.25, 0.7]])
"""What an assessor says where the unit has each label: unsure of the second."""
SKILLS = np.array([0.788, 0.673, 0.659, 0.505, 0.531, 0.382])
GUESSES = np.array(
    [[0.2, 0.6, 0.2], [0.8, 0.1, 0.1], [0.3, 0.5, 0.2], [0.9, 0.05, 0.05], [0.2, 0.7, 0.1], [0.8, 0.1, 0.1]]
)
"""What six runs answer where they do not know: under the assessor's key those gain that guess the first label."""
SPREAD = 0.07
"""The deviation of runs' true means."""
BINS = (0.02, 0.06, 0.10, 0.14)
TRIALS, LONG = 50, 3000
LEAST = "smallest reliable difference"


def tau_between_keys(units: int) -> list[str | Cell]:
    """Coverage of tau between the key's ranking and that of an assessor's key."""
    answer = SKILLS[:, None, None] * np.eye(3) + (1 - SKILLS)[:, None, None] * GUESSES[:, None, :]
    official = np.einsum("l,rll->r", PRIOR, answer)
    assessors = np.einsum("l,lj,rlj->r", PRIOR, SAYS, answer)
    truth = float(tau(official, assessors))
    ends = np.empty((DATA_SETS, 2))
    for place in range(DATA_SETS):
        random = generator(0, "calibration", "keys", units, place)
        labels = random.choice(3, size=units, p=PRIOR)
        key = pairs_of(labels.astype(np.int8))
        runs = [_run(str(at), _drawn(random, chances[labels])) for at, chances in enumerate(answer)]
        said = _drawn(random, SAYS[labels]).astype(np.int32)
        everything = np.arange(units, dtype=np.int32)
        ballots = Ballots(key.ids, ("assessor",), Scale(THREE.labels), everything, np.zeros(units, np.int32), said)
        made = keys(key, ballots, Responses.of(key, runs), draws=10, replicates=400, interval=LEVEL, seed=place)
        ends[place] = next(one.tau_interval for one in made.keys if one.name == "assessor assessor")
    return [f"tau {truth:.3f}", str(units), held(ends, truth)]


def _run(name: str, codes: np.ndarray) -> Run:
    order = np.arange(len(codes), dtype=np.int32)
    return Run(RunInfo(name, THREE, IN_MEMORY), codes.astype(np.int8), order, None, None, None)


def _drawn(random: np.random.Generator, chances: Floats) -> np.ndarray:
    return np.asarray((random.random((len(chances), 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1))


def scores_of(random: np.random.Generator, runs: int, units: int) -> Scores:
    """Right or wrong on units of unequal difficulty, by runs drawn from all that there might be."""
    ability = np.clip(random.normal(scale=SPREAD, size=runs), -0.25, 0.25)
    chance = 0.25 + 0.5 * random.random(units)
    values = (random.random((runs, units)) < chance + ability[:, None]).astype(np.float64)
    return Scores(tuple(map(str, range(runs))), tuple(map(str, range(units))), values, "accuracy")


def population(units: int, edges: Floats) -> Floats:
    """The rates of a fresh sample of units and of all runs that there might be."""
    from scipy.special import ndtri

    ability = np.clip(SPREAD * ndtri((np.arange(800) + 0.5) / 800), -0.25, 0.25)
    one, other = (ability[at] for at in np.triu_indices(len(ability), 1))
    mean = one - other
    # Chances c + a and c + b with c even between 1/4 and 3/4: how often one of the two alone is right, less the square.
    discordant = 1 - 2 * (0.25 + 1 / 48) - 2 * one * other
    return fresh_rates(PairMoments(mean, discordant - mean**2, np.ones_like(mean)), units, edges)


def fresh(case: tuple[int, int]) -> list[str | Cell]:
    """Coverage of the analytic curve at the full size, bin by bin, and of the smallest reliable difference."""
    runs, units = case
    edges = np.arange(61) / 100
    truths = population(units, edges)
    least = float(smallest_reliable(truths, edges[:-1], 0.05))
    ends = np.full((SWAPPED, len(BINS) + 1, 2), np.nan)
    for place in range(SWAPPED):
        scores = scores_of(generator(0, "calibration", "swap", runs, units, place), runs, units)
        made = swap(scores, trials=2, smallest=5, step=units // 4, interval=LEVEL, seed=place).analytic
        for curve in made.curves:
            if curve.low in BINS:
                ends[place, BINS.index(curve.low)] = curve.interval
        ends[place, -1] = made.interval
    places = [round(100 * low) for low in BINS]
    cells = [held(ends[:, at], float(truths[bin])) for at, bin in enumerate(places)]
    return [str(runs), str(units), *cells, held(ends[:, -1], least)]


def trials(case: tuple[int, int]) -> list[str | Cell]:
    """Coverage of the procedure's points, and of the fit at the full size, over trials on the same runs and units."""
    runs, units = case
    scores = scores_of(generator(0, "calibration", "trials", runs, units), runs, units)
    largest = units // 2
    wanted = {"step": 10, "replicates": 100, "interval": LEVEL}
    # As many comparisons a trial as the short runs ask for, so that the same bins enter the fits.
    truth = swap(scores, trials=LONG, seed=1_000_000, least=10 * LONG // TRIALS, **wanted)
    points = {(curve.low, point.size): point.error for curve in truth.curves for point in curve.points}
    fits = {curve.low: curve.fit.error_at_full for curve in truth.curves if curve.fit}
    ends, least = np.full((SEEDS, len(BINS), 2, 2), np.nan), np.full((SEEDS, 2), np.nan)
    for seed in range(SEEDS):
        made = swap(scores, trials=TRIALS, seed=seed, **wanted)
        least[seed] = made.interval_over_trials
        for curve in made.curves:
            if curve.low in BINS:
                at = BINS.index(curve.low)
                last = [point.interval for point in curve.points if point.size == largest]
                ends[seed, at, 0] = last[0] if last else (np.nan, np.nan)
                ends[seed, at, 1] = curve.fit.interval if curve.fit else (np.nan, np.nan)
    cells = []
    for kind, truths in enumerate(({low: points.get((low, largest), np.nan) for low in BINS}, fits)):
        cells += [held(ends[:, at, kind], truths.get(low, np.nan)) for at, low in enumerate(BINS)]
    return [str(runs), str(units), *cells, held(least, truth.smallest_reliable_difference)]


def section() -> str:
    """What the page says of `keys` and `swap`."""
    bins = [f"{low:g}–{low + 0.01:g}" for low in BINS]
    return WORDS.format(
        taus=table(["truth", "units", "covered"], in_parallel(tau_between_keys, (100, 400))),
        fresh=table(
            ["runs", "units", *bins, LEAST],
            in_parallel(fresh, [(15, 64), (15, 200), (30, 200)]),
        ),
        trials=table(
            ["runs", "units", *(f"{one}, {kind}" for kind in ("half", "fit") for one in bins), f"{LEAST}, fit"],
            in_parallel(trials, [(15, 200), (30, 200)]),
        ),
        data_sets=DATA_SETS,
        swapped=SWAPPED,
        seeds=SEEDS,
        trials_each=TRIALS,
        long=f"{LONG:,}",
    )


WORDS = """## Rankings under another key

How often the 95 % interval of Kendall's tau in [keys](keys.md), between the key's ranking of six runs and the ranking
of an assessor's key, holds the tau of the population; {data_sets} data sets.

{taus}
Tau of six runs takes sixteen values, and a resample adds to the noise of both rankings what the sample already has: the
percentile interval is too long here. That is one truth, two sizes and one way to err; elsewhere nothing is known.

## The swap method

How often the 95 % intervals of [swap](reliability.md) over runs and units hold the error rates of the population of
runs and units, for differences in four bins, and its smallest reliable difference; {swapped} data sets. The true means
of runs have a standard deviation of .07.

{fresh}
The curve takes the runs' observed means for their true ones. With few units much of what tells them apart is chance,
the runs look further apart than they are, and large differences look safer: with 64 units the smallest reliable
difference is too small (▽, all misses on that side), and its interval reaches the truth too seldom. Resamples add the
same chance once more, which makes intervals of small differences too long (▲). With 200 units what is left is on the
safe side. An interval that is open above counts as reaching any difference.

How often the 95 % intervals over trials hold what {long} trials give on the same runs and units, {seeds} seeds with
{trials_each} trials each: of the error rate at half of the units, and of the fit's at all of them.

{trials}
These keep their level, but for one bin, whose points and whose fit are low together: its rate and the error of its rate
come from the same 50 trials. They know of no other runs or units, and promise nothing for them.
"""
