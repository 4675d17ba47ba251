"""Calibration of `judge`: corrected rates, agreement with people, the biases of runs, and what it says of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from benchmarks.calibration_agree import near
from benchmarks.calibration_data import ALPHA, LEVEL, MANY, PRIOR, Cell, held, in_parallel, missing, shown, table
from benchmarks.synthetic import pairs_of
from karat.arrays import Floats
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import Coincidence
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.data.tables import Table
from karat.labels import THREE
from karat.measures.agreement import coefficients
from karat.statistics import corrected_rates
from karat.studies.judge.study import judge

DATA_SETS, JUDGEMENTS, CLAIMS = 2000, 500, 500
ESTIMATES: dict[str, Callable[[Floats, Floats], corrected_rates.RateInterval]] = {
    "people alone": lambda both, _: corrected_rates.human(both, LEVEL),
    "Rogan–Gladen": lambda both, alone: corrected_rates.rogan_gladen(both, alone, LEVEL),
    "PPI": lambda both, alone: corrected_rates.prediction_powered(both, alone, LEVEL, tuned=False),
    "PPI++": lambda both, alone: corrected_rates.prediction_powered(both, alone, LEVEL),
    "judge alone": lambda both, alone: corrected_rates.naive(both, alone, LEVEL),
}
JUDGES = {"(.85, .90)": (0.85, 0.9), "(.95, .97)": (0.95, 0.97)}
JUDGED = 1000
PEOPLE, RUNS = 3, 10
JUDGE = np.array([[0.9, 0.08, 0.02], [0.2, 0.75, 0.05], [0.05, 0.15, 0.8]])
"""What the judge says where the unit has each label: it is fond of the first."""
ANYTHING = np.array([0.5, 0.3, 0.2])
GRADES = ("0", "1", "2", "3", "4")
GRADED = (0.1, 0.2, 0.3, 0.25, 0.15)
"""How common the grades are."""
BEYOND = 0.6
"""How often people and judge know a unit's label, where one is rare; else they say either as often as it occurs."""
OF_NAMES, OF_GRADES = ("agreement", "kappa", "alpha", "ac1"), ("kappa_quadratic", "alpha", "ac2")


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


def judgement(case: tuple[str, float, int]) -> list[str | Cell]:
    """Coverage of a judge's agreement with people: of labels, or of grades; and of people's AC2."""
    kind, right, units = case
    grades = kind == "grades"
    level: Level = "ordinal" if grades else "nominal"
    prior, labels, names = (np.array(GRADED), GRADES, OF_GRADES) if grades else (PRIOR, THREE.labels, OF_NAMES)
    person = np.array(near(right)) if grades else says(right)
    its = np.array(near(0.7)) if grades else JUDGE
    asked = (*names, "ac2, people") if grades else names
    ends = {name: np.full((JUDGEMENTS, 2), np.nan) for name in asked}
    for place in range(JUDGEMENTS):
        random = generator(0, "calibration", "judgement", kind, str(right), units, place)
        truth = random.choice(len(prior), size=units, p=prior)
        said = {str(number): _drawn(random, person[truth]) for number in range(PEOPLE)}
        ballots = _ballots({**said, "judge": _drawn(random, its[truth])}, Scale(labels, level))
        made = judge(ballots, automatic=("judge",), interval=LEVEL, seed=place)
        for name, column in ends.items():
            found = made.people.coefficients["ac2"] if "people" in name else made.judges[0].coefficients[name]
            column[place] = found.low, found.high
    shares = []
    for name in asked:
        other, entry = (person if "people" in name else its), coefficients[name.partition(",")[0]]
        joint = Table(np.einsum("l,li,lj->ij", prior, person, other) * MANY, labels)
        subject = joint if entry.facts["of"] is Table else Coincidence.of_table(joint)
        levelled = {"level": level} if grades else {}
        shares.append(held(ends[name], float(entry.function(subject, **levelled))))
    return [f"{right:g}", str(units), *shares]


def rare(case: tuple[int, float, int]) -> list[str | Cell]:
    """Coverage of a judge's agreement with people where one of two labels is rare."""
    people, share, units = case
    prior, labels = np.array([1 - share, share]), ("common", "rare")
    knows = BEYOND * np.eye(2) + (1 - BEYOND) * prior
    ends = {name: np.full((JUDGEMENTS, 2), np.nan) for name in OF_NAMES}
    for place in range(JUDGEMENTS):
        random = generator(0, "calibration", "rare judgement", people, str(share), units, place)
        truth = random.choice(2, size=units, p=prior)
        said = {name: _drawn(random, knows[truth]) for name in (*map(str, range(people)), "judge")}
        made = judge(_ballots(said, Scale(labels)), automatic=("judge",), interval=LEVEL, seed=place)
        for name, column in ends.items():
            found = made.judges[0].coefficients[name]
            column[place] = found.low, found.high
    joint = Table(np.einsum("l,li,lj->ij", prior, knows, knows) * MANY, labels)
    truths = {
        name: coefficients[name].function(
            joint if coefficients[name].facts["of"] is Table else Coincidence.of_table(joint)
        )
        for name in OF_NAMES
    }
    return [str(people), f"{share:g}", str(units), *(held(ends[name], float(truths[name])) for name in OF_NAMES)]


def at_once(case: tuple[int, int]) -> list[str | Cell]:
    """How often the intervals of all runs' biases hold together, and what is said where there is nothing to say.

    Coverage is of runs from poor to good and judges that are fond of a label; the sentences are of runs that are all
    equally good, and of judges who err as people do.
    """
    judges, units = case
    names = [f"judge {number}" for number in range(judges)]
    runs = [skill * np.eye(3) + (1 - skill) * ANYTHING for skill in np.linspace(0.3, 0.8, RUNS)]
    truth = np.array([np.einsum("l,lj,lj->", PRIOR, run, JUDGE) - PRIOR @ np.diagonal(run) for run in runs])
    truths, counts = (truth, truth - truth.mean()), np.zeros(4)
    for place in range(CLAIMS):
        random = generator(0, "calibration", "at once", judges, units, place)
        labels = random.choice(3, size=units, p=PRIOR)
        key = pairs_of(labels.astype(np.int8))
        said = {name: _drawn(random, JUDGE[labels]) for name in names}
        answers = [_run(str(at), _drawn(random, run[labels])) for at, run in enumerate(runs)]
        made = judge(
            _ballots({"person": labels, **said}, Scale(THREE.labels)),
            runs=Responses.of(key, answers),
            automatic=names,
            interval=LEVEL,
            seed=place,
        )
        rankings = [one.ranking.bias for one in made.judges if one.ranking]
        for at, real in enumerate(truths):
            cells = [[(row.bias, row.relative)[at] for row in ranking] for ranking in rankings]
            low, high = (np.array([[getattr(cell, end) for cell in row] for row in cells]) for end in ("low", "high"))
            # Where nothing tells the bias there is no interval, and nothing is promised.
            counts[at] += bool(((low <= real) & (real <= high) | np.isnan(low)).all())
        alike, fair = _drawn(random, says(0.7)[np.tile(labels, RUNS)]).reshape(RUNS, -1), says(0.85)
        said = {name: _drawn(random, fair[labels]) for name in names}
        made = judge(
            _ballots({"person": _drawn(random, fair[labels]), **said}, Scale(THREE.labels)),
            runs=Responses.of(key, [_run(str(at), codes) for at, codes in enumerate(alike)]),
            automatic=names,
            labelled=units // 2,
            seed=place,
        )
        told = " ".join(made.findings())
        counts[2:] += "lenient" in told or "severe" in told, " gives " in told
    coverage = [shown(float(share), LEVEL, CLAIMS) for share in counts[:2] / CLAIMS]
    said_so = [shown(float(share), ALPHA, CLAIMS) for share in counts[2:] / CLAIMS]
    return [str(judges), str(units), *coverage, *said_so]


def _ballots(said: dict[str, np.ndarray], scale: Scale) -> Ballots:
    """What each assessor says of every unit."""
    codes = np.stack(list(said.values())).astype(np.int32)
    assessor, unit = (one.astype(np.int32) for one in (codes >= 0).nonzero())
    units = tuple(f"p{number}" for number in range(1, codes.shape[1] + 1))
    return Ballots(units, tuple(said), scale, unit, assessor, codes.ravel())


def _run(name: str, codes: np.ndarray) -> Run:
    order = np.arange(len(codes), dtype=np.int32)
    return Run(RunInfo(name, THREE, IN_MEMORY), codes.astype(np.int8), order, None, None, None)


def _drawn(random: np.random.Generator, chances: Floats) -> np.ndarray:
    """A code a row, as likely as the row says."""
    return np.asarray((random.random((len(chances), 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1))


def section() -> str:
    """What the page says of `judge`."""
    corrected = [rates(case) for case in product(JUDGES, (0.5, 0.1), (60, 200))]
    labels, grades = (
        in_parallel(judgement, list(product([kind], skills, (50, 200))))
        for kind, skills in (("labels", (0.8, 0.95)), ("grades", (0.6, 0.9)))
    )
    rarely = in_parallel(rare, list(product((1, 3), (0.02, 0.05, 0.2), (20, 50, 200))))
    once = in_parallel(at_once, list(product((1, 3), (50, 100, 500))))
    claims = [
        "bias, all runs",
        "relative bias, all runs",
        "“more lenient” or “more severe”",
        "“gives …; the share is …”",
    ]
    return WORDS.format(
        rates=table(["judge", "prevalence", "labelled", *ESTIMATES], corrected),
        labels=table(["people", "units", *(f"{name}, judge" for name in OF_NAMES)], labels),
        grades=table(["people", "units", *(f"{name}, judge" for name in OF_GRADES), "ac2, people"], grades),
        rare=table(["people", "share of the label", "units", *(f"{name}, judge" for name in OF_NAMES)], rarely),
        once=table(["judges", "units", *claims], once),
        data_sets=f"{DATA_SETS:,}",
        judgements=f"{JUDGEMENTS:,}",
        claims=f"{CLAIMS:,}",
        runs=RUNS,
        judges_units=f"{JUDGED:,}",
        missing=missing(corrected + labels + grades),
        undefined=missing(rarely),
    )


WORDS = """## Rates corrected by a judge

How often the 95% CIs of [judge](judge.md) contain the true proportion of a label, {data_sets} data sets each.
The judge (sensitivity and specificity in the first column) judges {judges_units} units, and people label some of them.
At most {missing}% of the intervals of any entry, here and in the next two tables, were undefined and are not counted.

{rates}
The intervals of PPI and PPI++ add two units, half a unit for each way in which people and judge can agree or disagree.
**Few errors**: with 60 units a judge as good as the second makes two or three errors; the pseudo-units are then
somewhat too many, in Lang and Reiczigel's interval for Rogan–Gladen as in that of PPI (▲). **judge alone** has no
nominal coverage: its interval reflects the sample size but not the judge's bias.

## Agreement with a judge

Three people, who give the unit's true label with the probability in the first column, and a judge who gives the
commonest label too often; {judgements} data sets.

{labels}
The same with grades from 0 to 4 as ranks, where grades close to the true one are more likely than distant ones:

{grades}
Two labels, one of them rare, and one person or three; person and judge know the unit's label six times in ten and
otherwise give a label at random in proportion to its prevalence. If nobody uses the rare label, all coefficients except
observed agreement and AC1 are undefined; up to {undefined}% of data sets are not counted for that reason.

{rare}
All have the intervals of `agree`, with two additional units spread over all pairs of labels; with one person per unit
they are identical to those of `agree`, and observed agreement has Wilson's. If a label is rare they are too wide (▲).
People's own coefficients are those of `agree`, above.

## Biases of runs, and claims about them

A person whose labels are the key, one judge or three who favour the commonest label, and {runs} runs from poor to good:
how often the intervals for all runs' biases, over all judges, are all right ({claims} data sets). The last two columns
are under the null: {runs} equally good runs, judges who err as often as the person and on the same labels, half of the
person's labels hidden. They show how often any run is said to be favoured or penalised by any judge, and any proportion
of a label to be misleading.

{once}
The intervals are those [below](#whom-a-judge-favours), with Bonferroni's correction for the judges. With 50 units the
judge makes eight or so errors, and only these are informative about its bias; intervals are then somewhat too wide (▲),
and few claims are made (▽). A proportion is called misleading only if McNemar's exact test, corrected (Holm), and the
interval both say so, which is less frequent than the nominal level.
"""
