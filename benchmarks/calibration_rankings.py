"""Calibration of `keys` (tau between two keys' rankings) and of `swap` (error rates, what is called reliable)."""

from __future__ import annotations

from itertools import product

import numpy as np

from benchmarks.calibration_data import LEVEL, PRIOR, Cell, held, in_parallel, table
from benchmarks.synthetic import pairs_of
from karat.arrays import Floats
from karat.data.ballots import Ballots, Scale
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.data.scores import Scores
from karat.labels import THREE
from karat.statistics.rank_correlation import tau
from karat.statistics.swap import reliable_difference, reversal_rate
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
SPREADS = {"ten equal runs": 0.0, "spread .002": 0.002, "spread .02": 0.02, "spread .07": 0.07}
UNITS = (200, 1000, 2000)
FAR, CROWD, TEAMS = "nine equal runs, one .2 behind", "50 equal runs, one .2 behind", "20 runs of 4 teams, spread .02"
"""Where true differences are far from normal, or runs far from independent."""
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
        made = keys(Responses.of(key, runs), ballots, draws=10, replicates=400, interval=LEVEL, seed=place)
        ends[place] = next(one.tau_interval for one in made.keys if one.name == "assessor assessor")
    return [f"tau {truth:.3f}", str(units), held(ends, truth)]


def _run(name: str, codes: np.ndarray) -> Run:
    order = np.arange(len(codes), dtype=np.int32)
    return Run(RunInfo(name, THREE, IN_MEMORY), codes.astype(np.int8), order, None, None, None)


def _drawn(random: np.random.Generator, chances: Floats) -> np.ndarray:
    return np.asarray((random.random((len(chances), 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1))


def abilities(random: np.random.Generator, runs: int, spread: float) -> Floats:
    """By how much each run is better than the middle, for runs drawn from all that there might be."""
    return np.clip(random.normal(scale=spread, size=runs), -0.25, 0.25)


def right(random: np.random.Generator, ability: Floats, units: int, alike: int = 1) -> Floats:
    """Right or wrong on units of unequal difficulty; `alike` runs in a row answer alike on nine tenths of the units."""
    chance = 0.25 + 0.5 * random.random(units)
    luck = random.random((len(ability), units))
    if alike > 1:
        luck = np.where(random.random(luck.shape) < 0.1, luck, np.repeat(luck[::alike], alike, axis=0))
    return (luck < chance + ability[:, None]).astype(np.float64)


def matrix(values: Floats) -> Scores:
    """Runs and units by their numbers."""
    runs, units = values.shape
    return Scores(tuple(map(str, range(runs))), tuple(map(str, range(units))), values, "accuracy")


def fresh(case: tuple[int, int]) -> list[str | Cell]:
    """Coverage of the reliability, of error rates at the full size, bin by bin, and of the difference needed."""
    runs, units = case
    # Chances c + a and c + b with c even between 1/4 and 3/4: how often one of the two alone is right, less the square.
    noise = (1 - 2 * (0.25 + 1 / 48) - 2 * SPREAD**2) / units
    reliability = 2 * SPREAD**2 / (2 * SPREAD**2 + noise)
    bins = np.array(BINS) + 0.005
    truths = [reliability, *reversal_rate(bins, reliability, noise), reliable_difference(0.05, reliability, noise)]
    ends = np.full((SWAPPED, len(truths), 2), np.nan)
    for place in range(SWAPPED):
        random = generator(0, "calibration", "swap", runs, units, place)
        scores = matrix(right(random, abilities(random, runs, SPREAD), units))
        made = swap(scores, trials=2, smallest=5, step=units // 4, interval=LEVEL, seed=place, replicates=2).fresh
        ends[place, 0] = made.reliability.low, made.reliability.high
        for curve in made.curves:
            if curve.low in BINS:
                ends[place, 1 + BINS.index(curve.low)] = curve.interval
        ends[place, -1] = made.needed.low, made.needed.high
    return [str(runs), str(units), *(held(ends[:, at], float(truth)) for at, truth in enumerate(truths))]


def claims(case: tuple[str, int]) -> list[str | Cell]:
    """How often a smallest reliable difference is named, and how many that large a fresh test set reverses."""
    kind, units = case
    counts: list[list[tuple[float, int]]] = [[], []]
    for place in range(SWAPPED):
        random = generator(0, "calibration", "claims", kind, units, place)
        if kind in (FAR, CROWD):
            ability, alike = np.append(np.zeros(9 if kind == FAR else 50), -0.2), 1
        elif kind == TEAMS:
            ability, alike = np.repeat(abilities(random, 4, 0.02), 5), 5
        else:
            ability, alike = abilities(random, 10, SPREADS[kind]), 1
        values = right(random, ability, units, alike)
        made = swap(matrix(values), step=units // 20, seed=place, replicates=2)
        before, after = _differences(values), _differences(right(random, ability, units, alike))
        turned = np.where(after == 0, 0.5, before * after < 0)
        leasts = made.fresh.smallest_reliable_difference, made.procedure.smallest_reliable_difference
        for count, least in zip(counts, leasts, strict=True):
            far = np.abs(before) >= least - 1e-12
            if far.any():
                count.append((float(turned[far].sum()), int(far.sum())))
    row: list[str | Cell] = [kind, str(units)]
    for count in counts:
        reversals = np.array(count).reshape(-1, 2)
        row.append(f"{len(count) / SWAPPED:.3f}")
        row.append(f"{reversals[:, 0].sum() / reversals[:, 1].sum():.3f}" if count else "")
        row.append(f"{np.mean(reversals[:, 0] > 0.05 * reversals[:, 1]):.3f}" if count else "")
    return row


def _differences(values: Floats) -> Floats:
    means = values.mean(axis=1)
    one, other = np.triu_indices(len(means), 1)
    return np.asarray(means[one] - means[other])


def trials(case: tuple[int, int]) -> list[str | Cell]:
    """Coverage of the procedure's points, and of the fit at the full size, over trials on the same runs and units."""
    runs, units = case
    random = generator(0, "calibration", "trials", runs, units)
    scores = matrix(right(random, abilities(random, runs, SPREAD), units))
    largest = units // 2
    wanted = {"step": 10, "replicates": 100, "interval": LEVEL}
    # As many comparisons a trial as the short runs ask for, so that the same bins enter the fits.
    truth = swap(scores, trials=LONG, seed=1_000_000, least=10 * LONG // TRIALS, **wanted)
    points = {(curve.low, point.size): point.error for curve in truth.procedure.curves for point in curve.points}
    fits = {curve.low: curve.fit.error_at_full for curve in truth.procedure.curves if curve.fit}
    ends, least = np.full((SEEDS, len(BINS), 2, 2), np.nan), np.full((SEEDS, 2), np.nan)
    for seed in range(SEEDS):
        made = swap(scores, trials=TRIALS, seed=seed, **wanted).procedure
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
    return [str(runs), str(units), *cells, held(least, truth.procedure.smallest_reliable_difference)]


def section() -> str:
    """What the page says of `keys` and `swap`."""
    bins = [f"{low:g}–{low + 0.01:g}" for low in BINS]
    return WORDS.format(
        taus=table(["truth", "units", "covered"], in_parallel(tau_between_keys, (100, 400))),
        fresh=table(
            ["runs", "units", "reliability", *bins, "difference needed"],
            in_parallel(fresh, [(15, 64), (15, 200), (30, 200)]),
        ),
        claims=table(
            [
                "data",
                "units",
                *(f"{what}, {by}" for by in ("fresh", "procedure") for what in ("claimed", "reversed", "above 5%")),
            ],
            in_parallel(claims, [*product(SPREADS, UNITS), (FAR, 1000), (CROWD, 1000), (TEAMS, 1000)]),
        ),
        trials=table(
            ["runs", "units", *(f"{one}, {kind}" for kind in ("half", "fit") for one in bins), f"{LEAST}, fit"],
            in_parallel(trials, [(15, 200), (30, 200)]),
        ),
        data_sets=DATA_SETS,
        swapped=SWAPPED,
        seeds=SEEDS,
        least=LEAST,
        trials_each=TRIALS,
        long=f"{LONG:,}",
    )


WORDS = """## Rankings under another key

How often the 95% CI for Kendall's tau in [keys](keys.md), between the key's ranking of six runs and the ranking
by an assessor's key, contains the population tau; {data_sets} data sets.

{taus}
Tau of six runs takes sixteen values, so that an interval which contains the most probable ones often contains more than
95%. This is one truth, two sizes and one kind of error; more cases are [above](#another-judge), where the method is the
same.

## The swap method

How often the 95% CIs of [swap](reliability.md) over runs and units contain the truth for the population of runs
and units: the reliability of the test set, the error rates of differences in four bins, and the difference from which
the error is at most 5%; {swapped} data sets. The true means of runs have a standard deviation of .07.

{fresh}
How often a {least} that two runs reach is reported ("claimed"), what proportion of differences that large a fresh test
set then reverses, over all data sets, and in what proportion of those with a claim it reverses more than 5%; {swapped}
data sets, by the spread of ten runs' true means. "Fresh" is what karat calls reliable, "procedure" what the published
procedure would.

{claims}
Between equal runs next to nothing is called reliable, and what is called reliable holds. The price is caution: between
runs that are close but not equal, little is called reliable. The published procedure claims more, and usually a larger
part of its claims is reversed, above all where runs are near-copies of each other. Equal runs with one far behind
violate the model: the one makes all differences look real. A difference is therefore called reliable only if it is so
whichever run is left out, or if only pairs with that run show it; the claims in that row are differences from the run
behind. (Without leaving runs out, two of fifty equal runs were called reliably different in 95% of data sets.)

How often the 95% CIs over trials contain the result of {long} trials on the same runs and units, {seeds} seeds
with {trials_each} trials each: for the error rate at half of the units, and for the fitted rate at all of them.

{trials}
These have nominal coverage, except in one bin, whose points and fit are low together: its rate and the error of its
rate come from the same 50 trials. They do not generalise to other runs or units.
"""
