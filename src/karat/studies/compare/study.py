"""Compare: which runs differ, by how much, and how significantly (`karat compare`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.board import Ranks
from karat.data.fields import known
from karat.data.parameters import LARGEST_AMOUNT, MOST_DRAWS, TAIL, OneWayOption
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.statistics.corrections import CONTROLS, Correction, corrected
from karat.statistics.letters import groups, letters
from karat.studies.base import MOST_RUNS, study
from karat.studies.compare.charts import FIGURES
from karat.studies.compare.contenders import Contenders, of_runs, of_scores
from karat.studies.compare.contests import Contrasts, Pairing, Simulation
from karat.studies.compare.findings import FINDINGS
from karat.studies.compare.result import FEWEST_TESTED, MOST_GROUPS, Comparison, PairOfRuns, Ranked
from karat.studies.scorer import Scorer

TESTS_WHAT = {
    "exact": "whether the two runs' scores could as well be exchanged on every unit, by the mean difference",
    "randomisation": "whether the two runs' answers could as well be exchanged on every unit",
    "bootstrap": "whether the difference is 0, its distribution over resampled units moved to 0",
    "bca": "whether the bias-corrected and accelerated interval of the difference holds 0",
    "t": "whether the mean difference is 0, its distribution taken as normal",
    "wilcoxon": "whether differences lie symmetrically about 0, not whether their mean is 0",
    "sign": "whether one run is better on as many units as the other, not by how much",
}


class CompareParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `compare`."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="the measure that runs are compared by (see karat measures)")] = "accuracy"
    test: Annotated[
        Literal["auto", "exact", "randomisation", "bootstrap", "bca", "t", "wilcoxon", "sign"],
        Meta(description="auto: exact if the scores allow it, otherwise randomisation or t; bootstrap for rankings"),
    ] = "auto"
    correction: Annotated[Correction, Meta(description="correction for multiple tests, over all pairs of runs")] = (
        "holm"
    )
    cluster: Annotated[
        str | None, Meta(description="an attribute of the pairs: pairs with the same value form a cluster")
    ] = None
    versus: Annotated[
        str, Meta(description="all pairs, every run against the best, or against one run", examples=["all|best|RUN"])
    ] = "all"
    equivalence: Annotated[
        float | None, Meta(description="also test whether differences lie within ±D", examples=["D"])
    ] = None
    interval: Annotated[
        float, Meta(description="level of the intervals; tests use 1 minus it", ge=TAIL, le=1 - TAIL)
    ] = 0.95
    replicates: Annotated[
        int, Meta(description="random flips or resamples, if the test uses them", ge=99, le=MOST_DRAWS)
    ] = 10_000
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@study("compare", CompareParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def compare(runs: Responses | Scores, asked: CompareParameters) -> Comparison:
    """Compare all pairs of runs, by their answers or by a score matrix."""
    margin = asked.equivalence
    if margin is not None and not 0 < margin <= LARGEST_AMOUNT:
        raise UsageError(f"--equivalence: a margin is a number above 0 and at most {LARGEST_AMOUNT:g}, not {margin:g}")
    drawing = Simulation(asked.replicates, asked.seed, asked.interval, asked.equivalence)
    if isinstance(runs, Responses):
        scorer = Scorer.of(runs, asked.measure, asked.way, leave_out=True)
        contenders = of_runs(scorer, asked.cluster, drawing)
    else:
        if asked.measure not in (CompareParameters().measure, runs.measure):
            raise UsageError(f"--measure {asked.measure}: a score matrix is compared by the mean of its scores")
        if asked.cluster is not None:
            raise UsageError(
                "--cluster names an attribute of the pairs of a key, and a score matrix has none; "
                "name the units' clusters in a row called cluster"
            )
        contenders = of_scores(runs, drawing)
    if len(contenders.names) < 2:
        raise UsageError(
            f"compare needs two runs at least that have {contenders.measure}; here are {len(contenders.names)}"
        )
    return _compare(contenders, asked, drawing)


def _compare(contenders: Contenders, asked: CompareParameters, drawing: Simulation) -> Comparison:
    contest, names = contenders.contest, contenders.names
    partners = np.triu(contest.shared >= FEWEST_TESTED, 1)
    alone = ~(partners | partners.T).any(axis=1)
    # Best first, undefined last, equal ones in their original order; runs that cannot be tested against any other come
    # after those that can.
    order = np.lexsort((-np.nan_to_num(contest.estimate, nan=-np.inf), alone))
    versus, pairing, kept = _pairing(contenders, asked.versus, order)
    test, why = (asked.test, "as asked") if asked.test != "auto" else contest.choose(pairing)
    contrasts = contest.contrast(pairing, test)
    if asked.correction == "maxt":
        if test in ("wilcoxon", "sign"):
            raise UsageError(f"--correction maxt is of differences in the measure, and {test} looks at signs or ranks")
        p_corrected, error = contrasts.stepped(contest.step_down(pairing, test), asked.replicates)
    else:
        p_corrected, error = contrasts.corrected(asked.correction)
    # Equivalence is a different hypothesis, to which the maximum of difference statistics does not apply.
    same = corrected(contrasts.p_equivalence, "holm" if asked.correction == "maxt" else asked.correction)
    pairs = _pairs(contenders, pairing, contrasts, (p_corrected, error), same, drawing)[:kept]
    members = _groups(pairing, p_corrected, drawing, order) if versus is None else None
    letter_of = None if members is None else [marks or None for marks in letters(members, len(order))]
    marked = None if letter_of is None else {name: marks for name, marks in zip(names, letter_of, strict=True) if marks}
    verdicts = {pair.a: pair.different for pair in pairs}
    low, high = contest.run_intervals()
    values = [known(value, contenders.undefined) for value in contest.estimate.tolist()]
    ranks = _ranks(pairs, names) if versus is None else {}
    ranked = [
        Ranked(names[run], values[run], (float(low[run]), float(high[run])), contenders.scored[run],
               ranks.get(names[run]),
               None if letter_of is None else letter_of[run], None if versus is None else verdicts.get(names[run]))
        for run in order
    ]  # fmt: skip
    simulated = test in ("randomisation", "bootstrap", "bca") or asked.correction == "maxt"
    return Comparison(
        way=contenders.way,
        measure=contenders.measure,
        units=contenders.units,
        clusters=contenders.clusters,
        test=test,
        why=why,
        tests_what=TESTS_WHAT[test],
        correction=asked.correction,
        controls=CONTROLS[asked.correction],
        intervals=contenders.interval_method(test),
        level=asked.interval,
        replicates=asked.replicates if simulated else None,
        versus="all" if versus is None else names[versus],
        equivalence=asked.equivalence,
        runs=ranked,
        pairs=pairs,
        groups=None if members is None else [[names[run] for run in group] for group in members],
        letters=marked,
        left_out=contenders.left_out,
    )


def _pairing(contenders: Contenders, versus: str, order: np.ndarray) -> tuple[int | None, Pairing, int]:
    """The pairs to compare, in the order of the ranking, and how many of them are reported.

    Against one run, that run is always the second. Against the best run, which the scores themselves determine, all
    other pairs follow: p-values are corrected for those too, since any run could have come out best.
    """
    first, second = np.triu_indices(len(order), 1)
    if versus == "all":
        return None, (order[first], order[second]), len(first)
    if versus not in ("best", *contenders.names):
        raise UsageError.unknown("run", versus, [*contenders.names, "all", "best"])
    reference = int(order[0]) if versus == "best" else contenders.names.index(versus)
    others = order[order != reference]
    against = np.full(len(others), reference)
    if versus == "best":
        rest = first > 0  # the best comes first in the order
        pairing = np.append(others, order[first[rest]]), np.append(against, order[second[rest]])
        return reference, pairing, len(others)
    return reference, (others, against), len(others)


def _pairs(
    contenders: Contenders,
    pairing: Pairing,
    found: Contrasts,
    corrected: tuple[Floats, Floats],
    same: Floats,
    drawing: Simulation,
) -> list[PairOfRuns]:
    """One row per pair; `corrected` has p and its error, `same` the corrected p of equivalence."""
    names, asked = contenders.names, drawing.margin is not None
    columns = (*pairing, found.difference, found.low, found.high, found.p, found.mc_error, *corrected,
               found.units, found.p_equivalence, same)  # fmt: skip
    return [
        PairOfRuns(
            a=names[a],
            b=names[b],
            difference=difference,
            interval=(low, high),
            p=p,
            p_corrected=after,
            mc_error=error,
            mc_error_corrected=error_after,
            different=None if after != after else after <= drawing.alpha + EXACT_TOLERANCE,
            units=units,
            dropped=contenders.units - units,
            p_equivalence=p_same if asked else None,
            equivalent=None if not asked or p_same != p_same else after_same <= drawing.alpha + EXACT_TOLERANCE,
        )
        for a, b, difference, low, high, p, error, after, error_after, units, p_same, after_same in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def _ranks(pairs: Sequence[PairOfRuns], names: Sequence[str]) -> dict[str, Ranks]:
    """The ranks that each run could hold: below all that are significantly better, above all significantly worse."""
    best, worst = dict.fromkeys(names, 1), dict.fromkeys(names, len(names))
    for pair in pairs:
        if pair.different:
            ahead, behind = (pair.a, pair.b) if pair.difference > 0 else (pair.b, pair.a)
            best[behind] += 1
            worst[ahead] -= 1
    return {name: (best[name], worst[name]) for name in names}


def _groups(pairing: Pairing, p: Floats, drawing: Simulation, order: np.ndarray) -> list[list[int]] | None:
    """Groups of runs of which no two differ significantly, best first; None if there are too many.

    Two runs that were not tested against each other share no group, and a run that was not tested at all is in none.
    """
    apart = np.ones((len(order), len(order)), dtype=bool)
    apart[pairing] = ~(p > drawing.alpha + EXACT_TOLERANCE)
    tested = np.unique(np.array(pairing)[:, ~np.isnan(p)])
    order = order[np.isin(order, tested)]
    found = groups((apart & apart.T)[np.ix_(order, order)], MOST_GROUPS)
    return None if found is None else [[int(order[place]) for place in group] for group in found]
