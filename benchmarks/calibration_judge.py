"""Calibration of `judge`: rates that are corrected, agreement with people, and the bias that a judge adds to runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from benchmarks.calibration_data import LEVEL, MANY, PRIOR, Cell, Floats, held, in_parallel, missing, table
from benchmarks.synthetic import pairs_of
from karat.data.ballots import Ballots, Scale
from karat.data.responses import Responses
from karat.data.runs import Run, RunInfo
from karat.data.source import IN_MEMORY
from karat.kernels.random import generator
from karat.labels import THREE
from karat.statistics import corrected_rates
from karat.studies.judge.agreement import coefficients
from karat.studies.judge.study import judge

DATA_SETS, JUDGEMENTS = 2000, 500
ESTIMATES: dict[str, Callable[[Floats, Floats], corrected_rates.Rate]] = {
    "people alone": lambda both, _: corrected_rates.human(both, LEVEL),
    "Rogan–Gladen": lambda both, alone: corrected_rates.rogan_gladen(both, alone, LEVEL),
    "PPI": lambda both, alone: corrected_rates.prediction_powered(both, alone, LEVEL, tuned=False),
    "PPI++": lambda both, alone: corrected_rates.prediction_powered(both, alone, LEVEL),
    "judge alone": lambda both, alone: corrected_rates.naive(both, alone, LEVEL),
}
JUDGES = {"(.85, .90)": (0.85, 0.9), "(.95, .97)": (0.95, 0.97)}
JUDGED = 1000
PEOPLE, REPLICATES = 3, 400
JUDGE = np.array([[0.9, 0.08, 0.02], [0.2, 0.75, 0.05], [0.05, 0.15, 0.8]])
"""What the judge says where the unit has each label: it is fond of the first."""
ANYTHING = np.array([0.5, 0.3, 0.2])
SKILLS = (0.7, 0.4)
"""Of two runs."""


def rates(case: tuple[str, float, int]) -> list[str | Cell]:
    """Coverage of a label's share, corrected by a judge of known errors."""
    name, prevalence, labelled = case
    sensitivity, specificity = JUDGES[name]
    random = generator(0, "calibration", "judge", name, str(prevalence), labelled)
    kinds = np.array([[specificity, 1 - specificity], [1 - sensitivity, sensitivity]])
    cells = np.array([1 - prevalence, prevalence])[:, None] * kinds
    both = random.multinomial(labelled, cells.ravel(), size=DATA_SETS).reshape(-1, 2, 2).astype(np.float64)
    alone = random.multinomial(JUDGED - labelled, cells.sum(axis=0), size=DATA_SETS).astype(np.float64)
    made = [estimate(both, alone) for estimate in ESTIMATES.values()]
    return [
        name,
        f"{prevalence:g}",
        str(labelled),
        *(held(np.stack([one.low, one.high], axis=1), prevalence) for one in made),
    ]


def says(right: float) -> Floats:
    """What a person says where the unit has each label."""
    return np.where(np.eye(3) > 0, right, (1 - right) / 2)


def judgement(case: tuple[float, int]) -> list[str | Cell]:
    """Coverage of a judge's agreement with people, of people's among themselves, and of a run's bias."""
    right, units = case
    person, runs = says(right), [skill * np.eye(3) + (1 - skill) * ANYTHING for skill in SKILLS]
    ends = np.full((JUDGEMENTS, 8, 2), np.nan)
    for place in range(JUDGEMENTS):
        random = generator(0, "calibration", "judgement", str(right), units, place)
        labels = random.choice(3, size=units, p=PRIOR)
        key = pairs_of(labels.astype(np.int8))
        said = np.stack([_drawn(random, chances[labels]) for chances in (*[person] * PEOPLE, JUDGE)])
        answers = [_run(str(at), _drawn(random, run[labels])) for at, run in enumerate(runs)]
        assessor, unit = (one.astype(np.int32) for one in (said >= 0).nonzero())
        names = (*(f"person {number}" for number in range(PEOPLE)), "judge")
        ballots = Ballots(key.ids, names, Scale(THREE.labels), unit, assessor, said.ravel().astype(np.int32))
        made = judge(
            ballots,
            key=key,
            runs=Responses.of(key, answers),
            automatic=("judge",),
            replicates=REPLICATES,
            interval=LEVEL,
            seed=place,
        )
        one = made.judges[0]
        assert one.ranking is not None
        first = one.ranking.bias[0]
        found = [*one.agreement.values(), *made.people.agreement.values(), first.bias, first.relative]
        ends[place] = [(estimate.low, estimate.high) for estimate in found]
    joint = [np.einsum("l,li,lj->ij", PRIOR, person, other) * MANY for other in (JUDGE, person)]
    truths = [float(one) for cells in joint for one in coefficients(cells, THREE.labels)]
    bias = [float(np.einsum("l,lj,lj->", PRIOR, run, JUDGE) - PRIOR @ np.diagonal(run)) for run in runs]
    truths += [bias[0], bias[0] - float(np.mean(bias))]
    return [f"{right:g}", str(units), *(held(ends[:, at], truth) for at, truth in enumerate(truths))]


def _run(name: str, codes: np.ndarray) -> Run:
    order = np.arange(len(codes), dtype=np.int32)
    return Run(RunInfo(name, THREE, IN_MEMORY), codes.astype(np.int8), order, None, None, None)


def _drawn(random: np.random.Generator, chances: Floats) -> np.ndarray:
    """A code a row, as likely as the row says."""
    return np.asarray((random.random((len(chances), 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1))


def section() -> str:
    """What the page says of `judge`."""
    corrected = [rates(case) for case in product(JUDGES, (0.5, 0.1), (60, 200))]
    judged = in_parallel(judgement, list(product((0.8, 0.95), (50, 200))))
    kinds = [f"{coefficient}, {who}" for who in ("judge", "people") for coefficient in ("observed", "kappa", "alpha")]
    return WORDS.format(
        rates=table(["judge", "prevalence", "labelled", *ESTIMATES], corrected),
        judged=table(["people", "units", *kinds, "bias of a run", "bias, relative"], judged),
        data_sets=f"{DATA_SETS:,}",
        judgements=f"{JUDGEMENTS:,}",
        judges_units=f"{JUDGED:,}",
        missing=missing(corrected + judged),
        replicates=REPLICATES,
    )


WORDS = """## Rates corrected by a judge

How often the 95 % intervals of [judge](judge.md) hold the true share of a label, {data_sets} data sets each. The judge
(sensitivity and specificity in the first column) judges {judges_units} units, people label some of them. At most
{missing} % of the intervals of any entry, here and below, were undefined and are not counted.

{rates}
PPI and PPI++ have the interval of two units more, half a unit for each way in which people and judge can agree or not.
**Few errors**: of 60 units a judge as good as the second gets two or three wrong; pseudo-units are then rather too
many, in Lang and Reiczigel's interval of Rogan–Gladen as in that of PPI (▲). **judge alone** promises nothing: its
interval knows the size of the sample and not the judge's bias.

## Agreement with a judge

Three people, who say the unit's label as often as the first column says, and a judge who says the commonest label too
often; {judgements} data sets, {replicates} replicates each. The last columns are the bias of the judge in the accuracy
of a run, and how far it is from the mean bias of two runs.

{judged}
All are percentile intervals over resampled units: somewhat short for 50 units, for the reason given with `compare`, and
more so where they hang on few units, as bias does, which only those tell that the judge gets wrong.
"""
