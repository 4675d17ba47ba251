"""Calibration of `score`: measures of a table, of a weighted one, and of a ranking; and what it says of runs."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration_data import ALPHA, LEVEL, MANY, PRIOR, Cell, held, in_parallel, missing, shown, table
from benchmarks.synthetic import pairs_of
from karat.arrays import Floats
from karat.data.orders import RankedBy, Ranking
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.data.tables import Table
from karat.labels import ENTAILMENT, THREE, TWO
from karat.measures import measures
from karat.studies.score.study import score
from karat.studies.scorer import ranking_interval, table_interval

DATA_SETS, RANKED, CLAIMS = 2000, 500, 500
LARGE = 1_000_000
"""So many ranked units are as good as all."""
COMMON = (
    "accuracy",
    f"recall({ENTAILMENT})",
    f"precision({ENTAILMENT})",
    f"f1({ENTAILMENT})",
    "macro_f1",
    "mean_recall",
    "shifted_accuracy",
    "rescaled_accuracy",
    "kappa",
    "matthews",
    "decided_f(weight=1/3)",
)
BITS = (
    "information",
    "information_corrected",
    "normalized_information",
    "entropy_key",
    "entropy_response",
    "conditional_entropy",
)
RANKINGS = ("average_precision", "mean_precision", "confidence_weighted", "auroc")
ANYTHING = np.array([0.5, 0.3, 0.2])
RIGHT = {"right on two in three": 2 / 3, "right on nine in ten": 0.9, "hardly better than chance": 0.05}
SIZES = (50, 200, 800)
FEW = (20, 30, 50, 100)
RARE = ("kappa", *BITS)
BEYOND = (0.0, 0.4, 0.8)
WEIGHTS, SHARES = np.array([1.0, 2.0, 6.0]), (0.5, 0.3, 0.2)
"""Of half of the units, of three in ten and of the others."""

GUESSES = "guess"
SURE = {GUESSES: (0.0, 0.0), "know half to all": (0.5, 1.0), "know nearly all": (0.97, 1.0), "are sure": (0.995, 0.999)}
"""How often runs know the answer, on each unit anew; else they answer anything."""


def cells_of(right: float) -> Floats:
    """The population of a run that is right so often, and else answers anything."""
    return np.asarray(PRIOR[:, None] * (right * np.eye(3) + (1 - right) * ANYTHING))


def drawn(name: str, units: int, weighted: bool) -> Table:
    """Tables of so many units; with weights that have nothing to do with what is right."""
    random = generator(0, "calibration", "score", name, units, "weighted" if weighted else "plain")
    cells = cells_of(RIGHT[name]).ravel()
    if not weighted:
        return Table(random.multinomial(units, cells, size=DATA_SETS).reshape(-1, 3, 3), THREE.labels)
    parts = np.stack([random.multinomial(round(units * share), cells, size=DATA_SETS) for share in SHARES])
    counts, squares = (np.tensordot(weights, parts, 1).reshape(-1, 3, 3) for weights in (WEIGHTS, WEIGHTS**2))
    return Table(counts, THREE.labels, squares=squares)


def scored(case: tuple[str, int, tuple[str, ...], bool]) -> list[str | Cell]:
    """Coverage of measures of one run, which answers anything where it does not know."""
    name, units, asked, weighted = case
    sample, population = drawn(name, units, weighted), Table(cells_of(RIGHT[name]) * MANY, THREE.labels)
    row: list[str | Cell] = [name, str(units)]
    for measure in map(measures.parse, asked):
        ends = np.stack(table_interval(measure, sample, LEVEL), axis=1)
        row.append(held(ends, float(measure(population))))
    return row


def rarely(case: tuple[tuple[float, ...], float, int]) -> list[str | Cell]:
    """Coverage where all labels but one are rare, of a run that agrees so far with the key beyond chance."""
    rare, beyond, units = case
    shares = np.array([*rare, 1 - sum(rare)])
    cells = beyond * np.diag(shares) + (1 - beyond) * np.outer(shares, shares)
    labels = TWO.labels if len(rare) == 1 else THREE.labels
    random = generator(0, "calibration", "score", "rare", *(int(100 * one) for one in rare), int(10 * beyond), units)
    sample = Table(random.multinomial(units, cells.ravel(), size=DATA_SETS).reshape(-1, *cells.shape), labels)
    row: list[str | Cell] = [" and ".join(f"{one:g}" for one in rare), f"{beyond:g}", str(units)]
    for measure in map(measures.parse, RARE):
        ends = np.stack(table_interval(measure, sample, LEVEL), axis=1)
        # Of independent labels the corrected information of even so many units is not quite 0.
        truth = round(float(measure(Table(cells * MANY, labels))), 8)
        row.append(held(ends, truth))
    return row


def ranking(random: np.random.Generator, units: int, apart: float, ranked_by: RankedBy) -> Ranking:
    """A run that scores what is sought so many deviations higher than what is not, on a scale of a hundred steps."""
    gains = (random.random(units) < 0.5).astype(np.float64)
    return Ranking.of(ranked_by, np.round(25 * (random.normal(size=units) + apart * gains)), gains)


def ranked(case: tuple[float, int]) -> list[str | Cell]:
    """Coverage of measures of a ranking."""
    apart, units = case
    row: list[str | Cell] = [f"{apart:g} deviations apart", str(units)]
    for measure in map(measures.parse, RANKINGS):
        ranked_by = measure.facts["ranked_by"]
        truth = float(measure(ranking(generator(0, "calibration", "all ranked"), LARGE, apart, ranked_by).count()))
        ends = np.empty((RANKED, 2))
        for place in range(RANKED):
            sample = ranking(generator(0, "calibration", "ranked", units, place), units, apart, ranked_by)
            ends[place] = ranking_interval(measure, sample, LEVEL, place, "run")
        row.append(held(ends, truth))
    return row


def said(case: tuple[str, int, int]) -> list[str | Cell]:
    """How often sentences are said of any run, of runs that guess, or whose confidences are true."""
    kind, runs, units = case
    counts = np.zeros(3)
    for place in range(CLAIMS):
        random = generator(0, "calibration", "said", kind, runs, units, place)
        key = random.choice(3, size=units, p=PRIOR)
        sure = random.uniform(*SURE[kind], (runs, units))
        answers = np.where(random.random(sure.shape) < sure, key, random.integers(0, 3, sure.shape))
        right = sure + (1 - sure) / 3  # where it does not know it answers anything, sometimes rightly
        made = [_run(f"run {at}", codes, right[at]) for at, codes in enumerate(answers)]
        responses = Responses.of(pairs_of(key.astype(np.int8)), made)
        told = " ".join(score(responses, measure=["accuracy", "kappa", "information_corrected"]).findings())
        counts += "swapped" in told, "saying less" in told, "claims" in told or "on the whole" in told
    cells: list[str | Cell] = [shown(float(share), ALPHA, CLAIMS) for share in counts / CLAIMS]
    return [kind, str(runs), str(units), *(cells if kind == GUESSES else ["", "", cells[2]])]


def _run(name: str, codes: NDArray[np.int64], sure: Floats) -> Run:
    info = RunInfo(name, THREE, IN_MEMORY, ranked_by="response", numeric=True)
    return Run(info, codes.astype(np.int8), np.arange(len(codes), dtype=np.int32), sure, None, None)


def section() -> str:
    """What the page says of `score`."""
    runs = list(product(RIGHT, SIZES))
    common, bits = ([scored((*run, asked, False)) for run in runs] for asked in (COMMON, BITS))
    weighted, weighted_bits = ([scored((*run, asked, True)) for run in runs] for asked in (COMMON, BITS))
    few = [rarely(case) for case in product(((0.02,), (0.05,), (0.2,)), BEYOND, FEW)]
    few += [rarely(case) for case in product(((0.02, 0.02),), BEYOND, (*FEW, 200))]
    orders = in_parallel(ranked, list(product((0.5, 2.0), (50, 200))))
    sentences = in_parallel(
        said, [*product([GUESSES], (10, 50, 200), (100, 400)), *product(list(SURE)[1:], (1, 50), (20, 100, 300))]
    )
    headings = [name.partition("(weight")[0] for name in COMMON]
    return WORDS.format(
        common=table(["run", "units", *headings], common),
        weighted=table(["run", "units", *headings], weighted),
        bits=table(["run", "units", *BITS], bits),
        weighted_bits=table(["run", "units", *BITS], weighted_bits),
        rare=table(["share", "kappa of the run", "units", *RARE], few),
        undefined=missing(few),
        said=table(["runs that …", "runs", "units", "“labels swapped?”", "“saying less”", "confidences"], sentences),
        claims=f"{CLAIMS:,}",
        ranked=table(["what is sought and what is not", "units", *RANKINGS], orders),
        data_sets=f"{DATA_SETS:,}",
        ranked_sets=f"{RANKED:,}",
        missing=missing(common + weighted + bits + weighted_bits + orders),
    )


WORDS = """## Scores of one run

How often the 95% CIs of [score](measures.md) contain the measure's population value, {data_sets} data sets each.
Where a run does not know the answer it guesses, sometimes rightly. At most {missing} % of the intervals of any entry
were undefined and are not counted.

{common}
With weights, 1 for half of the units, 2 for three in ten and 6 for the others:

{weighted}
Measures in bits, or proportions of them:

{bits}
The same with weights:

{weighted_bits}
Rare labels: key and run give one of two labels, or two of three, to the given proportion of units, and agree beyond
chance by the given kappa. If neither happens to use it kappa is undefined, and so is normalized information if the key
does not: in up to {undefined} % of data sets.

{rare}
Slices, and tenths of the confidences, have the same intervals as the whole. Proportions (accuracy, recall, precision)
have Wilson's intervals with nominal coverage, under weights with the effective number of units. So has F1 of a label,
which follows from the share of units with the label in key and run among those with the label in either. The others
have delta-method intervals with two additional units and Student's quantile, and information on the square-root scale
([why](decisions/0016-rare-labels.md)). Why some rates are marked:

- **Discreteness**: with 50 units, a run that is right on nine in ten gets three or four wrong, and a label of 2%
  occurs on one or two units, so coverage jumps with each additional one. Such intervals are wide, and too wide rather
  than too short (▲).
- **Near 0**: information cannot be negative, and for a run hardly better than chance its interval begins at 0.
- **Below nominal** (▽): entropies with 20 to 100 units have a coverage of 90 to 93%, since estimates from few units
  are too low, the more so the rarer a label; and information has 91% where two labels are rare and 100 to 200 units
  show only a handful of agreements on them.
- **Weights**: with these weights 200 units have an effective number of 119, and 50 of 30.
- **Mean recall** is over the labels in the key. If one is rare, a key without it has a different mean recall, and the
  interval is for that one.
- **Not in the table**: with a label of a few per cent, intervals of macro F1 and balanced accuracy cover about 88 to
  92% below 200 units. Intervals of log loss are too short for overconfident runs, whose rare large losses are often not
  in the sample. Intervals of AUROC with few entailments cover 81 to 93%.

Rankings, {ranked_sets} data sets each: half of the units are targets, and are scored higher than the others by the
given number of standard deviations.

{ranked}
Measures of a ranking have BCa intervals over resampled units. They have nominal coverage; those for a mean over all
ranks are conservative.

## Claims about runs

How often a sentence appears about any run of a set if it is true of none ({claims} sets each). Guessing runs carry no
information, and none has its labels swapped or loses anything by merging them. The others are perfectly calibrated,
overall and in every tenth.

{said}
Intervals for kappa, for information and for the loss from a merge are Bonferroni-corrected over all runs and ways, or
merges. The number of right answers is compared with its exact distribution, with `p` twice the smaller tail,
Bonferroni-corrected over all runs, each tested as a whole and by tenths. Counts are discrete, so fewer claims are made
than the level allows (▽).
"""
