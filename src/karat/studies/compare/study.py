"""Compare: which runs differ, by how much, and how significantly (`karat compare`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import EXACT_TOLERANCE, NAN, Floats
from karat.data.fields import known
from karat.data.parameters import LARGEST_AMOUNT, MOST_DRAWS, TAIL, ClusterOption, OneWayOption, SeedOption
from karat.data.parts import ScoreParts
from karat.data.responses import Responses
from karat.data.scores import Scores, clusters_in, shared_clusters
from karat.errors import UsageError
from karat.measures.facts import range_of
from karat.measures.questions import NO_MEANS
from karat.statistics.multiple_testing import CONTROLS, Correction, corrected, groups_of, letters, possible_ranks
from karat.studies.base import MOST_RUNS, LeftOut, study
from karat.studies.compare.contrasts import Contrasts, Pairing, RightMeans, Simulation
from karat.studies.compare.findings import FIGURES, FINDINGS
from karat.studies.compare.gate import Gate, gate_of
from karat.studies.compare.in_parts import needs_units, right_sums
from karat.studies.compare.paired_means import PairedMeans
from karat.studies.compare.paired_measure import PairedMeasure
from karat.studies.compare.result import FEWEST_TESTED, Comparison, PairOfRuns, Ranked
from karat.studies.scorer import Scorer
from karat.studies.shared_texts import SharedTexts, shared_texts
from karat.studies.wording import tests_what, unit_of

INTERVAL_METHODS = {
    "bootstrap": "bootstrap percentiles",
    "bca": "bias-corrected and accelerated bootstrap",
    "right": "normal approximation, with one unit added to each kind of disagreement (Bonett and Price 2012)",
    "t": "t intervals over units",
    "clusters": "t intervals over clusters, with the mean as a ratio of sums",
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
    cluster: ClusterOption = None
    versus: Annotated[
        str, Meta(description="all pairs, every run against the best, or against one run", examples=["all|best|RUN"])
    ] = "all"
    equivalence: Annotated[
        float | None, Meta(description="also test whether differences lie within ±D", examples=["D"])
    ] = None
    fail_if_worse: Annotated[
        float | None,
        Meta(
            description="exit with 1 if a run is significantly worse than --versus RUN, by more than MARGIN if given",
            examples=["[MARGIN]"],
        ),
    ] = None
    strict: Annotated[
        bool, Meta(description="with --fail-if-worse: fail also if a run is not shown to be at most MARGIN worse")
    ] = False
    interval: Annotated[
        float, Meta(description="level of the intervals; tests use 1 minus it", ge=TAIL, le=1 - TAIL)
    ] = 0.95
    replicates: Annotated[
        int, Meta(description="random flips or resamples, if the test uses them", ge=99, le=MOST_DRAWS)
    ] = 10_000
    seed: SeedOption = 0


@study("compare", CompareParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def compare(runs: Responses | Scores | ScoreParts, asked: CompareParameters) -> Comparison:
    """Compare all pairs of runs, by their answers or by a score matrix, which need not fit into memory."""
    margin = asked.equivalence
    if margin is not None and not 0 < margin <= LARGEST_AMOUNT:
        raise UsageError(f"--equivalence: a margin is a number above 0 and at most {LARGEST_AMOUNT:g}, not {margin:g}")
    _check_gate(asked, runs)
    drawing = Simulation(asked.replicates, asked.seed, asked.interval, asked.equivalence, asked.fail_if_worse)
    if isinstance(runs, Responses):
        scorer = Scorer.of(runs, asked.measure, asked.way, leave_out=True)
        contenders = _of_runs(scorer, asked.cluster, drawing)
    else:
        if asked.measure not in (CompareParameters().measure, getattr(runs, "measure", "")):
            raise UsageError(f"--measure {asked.measure}: a score matrix is compared by the mean of its scores")
        if asked.cluster is not None:
            raise UsageError(
                "--cluster names an attribute of the pairs of a key, and a score matrix has none; "
                "name the units' clusters in a row called cluster"
            )
        contenders = _of_parts(runs, asked, drawing) if isinstance(runs, ScoreParts) else _of_scores(runs, drawing)
    if len(contenders.names) < 2:
        raise UsageError(
            f"compare needs at least two runs with a value of {contenders.measure}; there "
            f"{'is' if len(contenders.names) == 1 else 'are'} {len(contenders.names)}"
        )
    return _compare(contenders, asked, drawing)


def _check_gate(asked: CompareParameters, runs: Responses | Scores | ScoreParts) -> None:
    """Refuse a check that needs another baseline or margin, or could not fail."""
    margin = asked.fail_if_worse
    if margin is None:
        if asked.strict:
            raise UsageError("--strict: give the margin that runs are to stay within, --fail-if-worse MARGIN")
        return
    if not 0 <= margin <= LARGEST_AMOUNT:
        raise UsageError(f"--fail-if-worse: a margin is a number from 0 to {LARGEST_AMOUNT:g}, not {margin:g}")
    if asked.versus in ("all", "best"):
        raise UsageError(
            "--fail-if-worse: name the run that the others are to be compared with, --versus RUN; the best of these "
            "runs, or all of them, is no baseline"
        )
    scores = runs.values if isinstance(runs, Scores) else np.array([0.0, 1.0])
    widest = float(np.nanmax(scores) - np.nanmin(scores)) if np.isfinite(scores).any() else 0.0
    if margin >= widest > 0:
        raise UsageError(
            f"--fail-if-worse {margin:g}: no run could be worse by so much, since scores differ by {widest:g} at most; "
            "5 points are 0.05"
        )
    if isinstance(runs, Responses) and runs.reading.skip_bad_runs:
        raise UsageError("--fail-if-worse: a run that --skip-bad-runs leaves out would pass; leave out that option")
    if asked.strict and not margin:
        raise UsageError(
            "--strict: give a margin above 0, --fail-if-worse MARGIN; without one, only runs that are significantly "
            "better than the baseline would pass, and a run that is as good as the baseline would nearly always fail"
        )


def _compare(contenders: Contenders, asked: CompareParameters, drawing: Simulation) -> Comparison:
    contest, names = contenders.contest, contenders.names
    partners = np.triu(contest.shared >= FEWEST_TESTED, 1)
    alone = ~(partners | partners.T).any(axis=1)
    # Best first, undefined last, equal ones in their original order; runs that cannot be tested against any other come
    # after those that can.
    order = np.lexsort((-np.nan_to_num(contest.estimate, nan=-np.inf), alone))
    versus, pairing, kept = _pairing(contenders, asked.versus, order)
    test, why = (asked.test, "as requested") if asked.test != "auto" else contest.choose(pairing)
    contrasts = contest.contrast(pairing, test)
    if asked.correction == "maxt" and not isinstance(contest, RightMeans):  # which is never asked for it
        if test in ("wilcoxon", "sign"):
            raise UsageError(
                f"--correction maxt needs differences in the measure, and the {test} test uses signs or ranks"
            )
        p_corrected, error = contrasts.stepped(contest.step_down(pairing, test), asked.replicates)
    else:
        p_corrected, error = contrasts.corrected(asked.correction)
    # Equivalence is a different hypothesis, to which the maximum of difference statistics does not apply.
    same = corrected(contrasts.p_equivalence, "holm" if asked.correction == "maxt" else asked.correction)
    pairs = _pairs(contenders, pairing, contrasts, (p_corrected, error), same, drawing)[:kept]
    gate = None
    if asked.fail_if_worse is not None:
        gate = _gate(contrasts, pairs, p_corrected, asked, contenders)
    members = groups_of(pairing, p_corrected, drawing.alpha, order) if versus is None else None
    letter_of = None if members is None else [marks or None for marks in letters(members, len(order))]
    marked = None if letter_of is None else {name: marks for name, marks in zip(names, letter_of, strict=True) if marks}
    verdicts = {pair.a: pair.different for pair in pairs}
    low, high = contest.run_intervals()
    values = [known(value, contenders.undefined) for value in contest.estimate.tolist()]
    ranks = None
    if versus is None:
        apart = p_corrected <= drawing.alpha + EXACT_TOLERANCE
        ahead = contrasts.difference > 0
        better, worse = (np.where(side, *pairing)[apart] for side in (ahead, ~ahead))
        ranks = possible_ranks(better, worse, len(names))
    ranked = [
        Ranked(names[run], values[run], (float(low[run]), float(high[run])), contenders.scored[run],
               None if ranks is None else ranks[run],
               None if letter_of is None else letter_of[run], None if versus is None else verdicts.get(names[run]))
        for run in order
    ]  # fmt: skip
    simulated = test in ("randomisation", "bootstrap", "bca") or asked.correction == "maxt"
    return Comparison(
        way=contenders.way,
        measure=contenders.measure,
        units=contenders.units,
        clusters=contenders.clusters,
        shared_texts=contenders.shared_texts,
        test=test,
        why=why,
        tests_what=tests_what(test, contenders.jackknifed),
        correction=asked.correction,
        controls=CONTROLS[asked.correction],
        intervals=contenders.interval_method(test),
        replicates=asked.replicates if simulated else None,
        versus="all" if versus is None else names[versus],
        equivalence=asked.equivalence,
        gate=gate,
        runs=ranked,
        pairs=pairs,
        groups=None if members is None else [[names[run] for run in group] for group in members],
        letters=marked,
        left_out=contenders.left_out,
        constant=contenders.constant,
    )


@dataclass(frozen=True)
class Contenders:
    """The runs to be compared, by which measure, and on which units."""

    names: tuple[str, ...]
    contest: PairedMeans | PairedMeasure | RightMeans
    measure: str
    units: int
    scored: list[int]
    """The number of units on which each run was scored."""
    way: str | None = None
    clusters: int | None = None
    shared_texts: SharedTexts | None = None
    undefined: str = "the run was scored on no unit"
    left_out: list[LeftOut] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)
    """The runs that give the same answer to every pair."""
    jackknifed: bool = False
    """Whether the scores of units are made from a measure of the whole."""
    said: Mapping[str, object] = field(default_factory=dict)
    """What each run answers, or its scores, on all units: equal if and only if they are."""

    def interval_method(self, test: str) -> str:
        """The method of the intervals of the differences."""
        if test in ("bootstrap", "bca"):
            return INTERVAL_METHODS[test]
        if isinstance(self.contest, PairedMeasure):
            return INTERVAL_METHODS["bootstrap"]
        if self.contest.right_or_wrong:
            return INTERVAL_METHODS["right"]
        return INTERVAL_METHODS["t" if self.contest.cluster is None else "clusters"]


def _of_scores(scores: Scores, drawing: Simulation) -> Contenders:
    """The rows of a score matrix, with its clusters kept together."""
    found = scores.squarable().values[~np.isnan(scores.values)]
    share = unit_of(scores.measure) == "%" or bool(np.isin(found, (0, 1)).all())
    span = range_of(scores.measure) or ((0.0, 1.0) if share else None)
    # Scores beyond the range of their measure are on another scale, such as per cent.
    inside = span is not None and bool(((found >= span[0]) & (found <= span[1])).all())
    return replace(_by_means(scores, drawing, span if inside else None), jackknifed=scores.measure in NO_MEANS)


def _of_parts(parts: ScoreParts, asked: CompareParameters, drawing: Simulation) -> Contenders:
    """Scores in parts: from sums over units if these are enough, otherwise from all scores at once."""
    why = needs_units(parts, asked.test, asked.correction)
    sums = None if why else right_sums(parts)
    if sums is None:
        return _of_scores(parts.whole(why or "comparing scores other than right and wrong"), drawing)
    return Contenders(
        names=parts.runs,
        contest=RightMeans(sums, drawing),
        measure="accuracy",
        units=sums.units,
        scored=sums.own.tolist(),
        said=dict(zip(parts.runs, sums.same(), strict=True)),
    )


def _by_means(scores: Scores, drawing: Simulation, span: tuple[float, float] | None) -> Contenders:
    known = ~np.isnan(scores.values)
    here = known.any(axis=0)  # units on which no run was scored are left out
    names = None if scores.clusters is None else [scores.clusters[place] for place in np.flatnonzero(here)]
    return Contenders(
        names=scores.runs,
        contest=PairedMeans(scores.values[:, here], drawing, shared_clusters(names), span),
        measure=scores.measure or "mean score",
        units=int(here.sum()),
        scored=known.sum(axis=1).tolist(),
        clusters=clusters_in(names),
        said={run: row.tobytes() for run, row in zip(scores.runs, scores.values, strict=True)},
    )


def _of_runs(scorer: Scorer, cluster: str | None, drawing: Simulation) -> Contenders:
    """Runs by a measure: as means over units if it is one, otherwise recomputed on every resample."""
    clusters = None if cluster is None else scorer.runs.key.clusters(cluster)
    if scorer.measure.facts["mean"]:
        made = _by_means(scorer.scores("compare", clusters), drawing, (0.0, 1.0))
    else:
        scored = np.flatnonzero(scorer.runs.key.labels >= 0).tolist()
        names = None if clusters is None else [clusters[place] for place in scored]
        contest = PairedMeasure(scorer, drawing, shared_clusters(names))
        made = Contenders(
            names=scorer.runs.names,
            contest=contest,
            measure=str(scorer.measure),
            units=scorer.units,
            scored=[scorer.units] * len(scorer.runs),
            clusters=clusters_in(names),
        )
    return replace(
        made,
        way=scorer.way.name,
        shared_texts=None if clusters else shared_texts(scorer.runs, scorer.way, drawing.seed),
        undefined=str(scorer.measure.facts["undefined"]),
        left_out=[LeftOut(name, reason) for name, reason in scorer.left_out.items()],
        constant=scorer.runs.constant(scorer.way),
        said={one.info.name: one.codes.tobytes() for one in scorer.runs.runs},
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


def _gate(
    found: Contrasts,
    pairs: Sequence[PairOfRuns],
    p_corrected: Floats,
    asked: CompareParameters,
    contenders: Contenders,
) -> Gate:
    """The check against the baseline; without a margin, the verdicts are those of the two-sided tests."""
    margin = asked.fail_if_worse or 0.0
    if margin:
        # These are other hypotheses, to which the maximum of difference statistics does not apply.
        correction: Correction = "holm" if asked.correction == "maxt" else asked.correction
        worse, within = (corrected(p, correction) for p in (found.p_worse, found.p_within))
    else:
        below = np.where(found.difference < 0, p_corrected / 2, 1 - p_corrected / 2)
        worse, within = below, 1 - below
    rows = [
        (pair.a, pair.difference, pair.interval, one, other)
        for pair, one, other in zip(pairs, worse.tolist(), within.tolist(), strict=True)
    ]
    rows += [(one.name, NAN, (NAN, NAN), NAN, NAN) for one in contenders.left_out]
    base = pairs[0].b
    same = {name for name, said in contenders.said.items() if said == contenders.said[base]} - {base}
    return gate_of(rows, base, margin, asked.strict, (1 - asked.interval) / 2, same)
