"""Meta: two judgments of the same runs, and what another judge does to their ranking (`karat meta`)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats, Ints
from karat.data.judgments import Judgments
from karat.data.parameters import LARGEST_AMOUNT, MOST_DRAWS, TAIL, IntervalOption, SeedOption, generator
from karat.data.provenance import Level
from karat.data.result import Estimate
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.statistics.intervals import student
from karat.statistics.judge_ranks import kendall_w
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import Paired, paired_t
from karat.statistics.plausible_ranks import plausible_means, resampled_means
from karat.statistics.rank_correlation import (
    best_first,
    discordant,
    largest_move,
    pair_orders,
    rank_biased_overlap,
    ranks,
    tau,
    tau_ap,
    tau_b,
)
from karat.statistics.simultaneous import simultaneous_interval
from karat.studies.base import MOST_RUNS, LeftOut, study
from karat.studies.meta.findings import FIGURES, FINDINGS
from karat.studies.meta.parts import Flip, PairVerdicts, RankAgreement, Rejudged, RunBias, TwoJudges
from karat.studies.meta.powered import needed, powered
from karat.studies.meta.result import MetaEvaluation
from karat.studies.meta.single import single_judgments
from karat.studies.wording import ALPHA, counted, several

FEWEST_UNITS = 10
"""With fewer, the errors of means are too uncertain for an interval of a rank correlation."""


class MetaParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `meta`."""

    reference: Annotated[
        str | None, Meta(description="the judge that the others are compared with; by default the first")
    ] = None
    panel: Annotated[
        bool, Meta(description="no judge is the reference: each is compared with the mean of the others")
    ] = False
    level: Annotated[
        Level | None,
        Meta(description="level of measurement of single scores; by default ranks, or amounts if they are too many"),
    ] = None
    top: Annotated[int, Meta(description="number of leading runs for a tau of their own", ge=2)] = 10
    persistence: Annotated[
        float, Meta(description="weight of each rank relative to the one above it in rank-biased overlap", gt=0, lt=1)
    ] = 0.9
    labelled: Annotated[
        int, Meta(description="number of the reference's units, drawn at random, for corrected scores; 0: all", ge=0)
    ] = 0
    half_width: Annotated[
        float,
        Meta(description="half-width of the interval that units are counted for", ge=TAIL, le=LARGEST_AMOUNT),
    ] = 0.05
    replicates: Annotated[
        int, Meta(description="draws for the intervals of rank correlations", ge=10, le=MOST_DRAWS)
    ] = 1000
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


class Matched(NamedTuple):
    """The scores (runs, units) of a reference and a judge on the units of both, and of the judge on the others."""

    judge: str
    reference: Floats
    judges: Floats
    alone: Floats
    unit: str
    single: tuple[Floats, Floats]
    """Both sides' scores of every run on every unit, whether or not units are in clusters."""
    cluster: tuple[str | None, ...] | None
    """The cluster of each of these units."""


@study("meta", MetaParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def meta(judgments: Judgments, asked: MetaParameters) -> MetaEvaluation:
    """Each judge compared with the reference: rankings, verdicts on pairs of runs, bias, and corrected scores."""
    matched = _panel(judgments) if asked.panel else _against_reference(judgments, asked.reference)
    names = judgments.runs
    first, second = np.triu_indices(len(names), 1)
    paired = [Paired.of(side, first, second) for one in matched for side in (one.reference, one.judges)]
    # The tests of all judges are one family, so that a single wrong verdict among all of them is improbable.
    p = corrected(np.concatenate([paired_t(one) for one in paired]), "holm").reshape(len(matched), 2, -1)
    everyone = _common(judgments)
    return MetaEvaluation(
        reference=None if asked.panel else _reference(judgments, asked.reference),
        measures=list(dict.fromkeys(one.measure for one in judgments.scores)),
        unit=matched[0].unit,
        top=min(asked.top, len(names)),
        persistence=asked.persistence,
        left_out=_left_out(judgments),
        concordance=float(kendall_w(everyone)) if len(judgments.judges) > 2 else None,
        between=_between(judgments.judges, everyone),
        judges=[_rejudged(one, names, p[place], len(matched), asked) for place, one in enumerate(matched)],
    )


def _left_out(judgments: Judgments) -> list[LeftOut]:
    """The runs that not every judge scored, each with the judges that did."""
    by = [(judge, set(scores.runs)) for judge, scores in zip(judgments.judges, judgments.scores, strict=True)]
    return [
        LeftOut(run, f"scored by {several([judge for judge, runs in by if run in runs])} only")
        for run in judgments.others
    ]


def _reference(judgments: Judgments, asked: str | None) -> str:
    if asked is not None and asked not in judgments.judges:
        raise UsageError.unknown("judge", asked, judgments.judges)
    return asked or judgments.judges[0]


def _against_reference(judgments: Judgments, asked: str | None) -> list[Matched]:
    """Every judge beside the reference, on the units that both scored."""
    name = _reference(judgments, asked)
    scores = dict(zip(judgments.judges, judgments.scores, strict=True))
    people = _on_runs(name, scores[name], judgments.runs)
    return [
        _matched(judge, people, _on_runs(judge, one, judgments.runs)) for judge, one in scores.items() if judge != name
    ]


def _panel(judgments: Judgments) -> list[Matched]:
    """Every judge beside the mean of the others, on the units that all of them scored."""
    if len(judgments.judges) < 3:
        raise UsageError("a panel has at least three judges; compare two judges without --panel")
    shared = _shared(judgments)
    total = np.sum([one.values for one in shared], axis=0)
    matched = []
    for judge, one in zip(judgments.judges, shared, strict=True):
        rest = replace(one, values=(total - one.values) / (len(shared) - 1), sources=())
        matched.append(_matched(judge, rest, one))
    return matched


def _common(judgments: Judgments) -> Floats:
    """The mean scores (judges, runs) on the units that every judge scored."""
    return np.stack(
        [one.values.mean(axis=1) if one.units else np.full(len(one.runs), np.nan) for one in _shared(judgments)]
    )


def _between(judges: tuple[str, ...], means: Floats) -> list[TwoJudges]:
    """Every two of three judges or more, by their mean scores (judges, runs)."""
    if len(judges) < 3:
        return []
    leaders = [set(np.flatnonzero(ranks(one) == ranks(one).min()).tolist()) for one in means]
    return [
        TwoJudges(judges[a], judges[b], float(tau(means[a], means[b])), float(tau_b(means[a], means[b])),
                  bool(leaders[a]) and leaders[a] == leaders[b])
        for a, b in combinations(range(len(judges)), 2)
    ]  # fmt: skip


def _shared(judgments: Judgments) -> list[Scores]:
    """The scores of every judge on the common runs and the units that all judges scored, in one order."""
    each = [_on_runs(judge, one, judgments.runs) for judge, one in zip(judgments.judges, judgments.scores, strict=True)]
    units = [unit for unit in each[0].units if all(unit in known for known in (set(one.units) for one in each[1:]))]
    return [_on_units(one, units) for one in each]


def _on_runs(judge: str, scores: Scores, runs: tuple[str, ...]) -> Scores:
    """These runs, on the units that are scored at all; refused if one of them lacks a score there."""
    place = {run: number for number, run in enumerate(scores.runs)}
    chosen = scores.of_runs([place[run] for run in runs])
    try:
        whole = replace(chosen, clusters=None).complete("meta")
    except UsageError as error:
        raise UsageError(f"{judge}: {error}") from None
    kept = set(whole.units)
    return chosen.of_units(np.array([unit in kept for unit in chosen.units]))


def _on_units(scores: Scores, units: list[str]) -> Scores:
    place = {unit: number for number, unit in enumerate(scores.units)}
    at = [place[unit] for unit in units]
    clusters = None if scores.clusters is None else tuple(scores.clusters[one] for one in at)
    return replace(scores, units=tuple(units), values=scores.values[:, at], clusters=clusters, sources=())


def _matched(judge: str, reference: Scores, judged: Scores) -> Matched:
    known = set(reference.units)
    both = [unit for unit in judged.units if unit in known]
    if len(both) < 2:
        raise UsageError(
            f"{judge} and the reference scored {counted(len(both), 'unit')} in common, by their names; expected two or "
            "more"
        )
    mine, theirs = _on_units(reference, both), _on_units(judged, both)
    # Clusters that only one of the two files names hold for both.
    clusters = mine.clusters or theirs.clusters
    sides = [replace(one, clusters=clusters).by_cluster() for one in (mine, theirs)]
    rest = _on_units(judged, [unit for unit in judged.units if unit not in known])
    alone = rest.by_cluster().values if rest.units else rest.values
    single = mine.values, theirs.values
    return Matched(judge, sides[0].values, sides[1].values, alone, sides[0].unit, single, clusters)


def _rejudged(one: Matched, names: tuple[str, ...], p: Floats, judges: int, asked: MetaParameters) -> Rejudged:
    reference, judges_scores = one.reference.mean(axis=1), one.judges.mean(axis=1)
    return Rejudged(
        judge=one.judge,
        units=one.reference.shape[1],
        alone=one.alone.shape[1],
        single=single_judgments(*one.single, one.cluster, asked.level, asked.interval, asked.seed),
        ranks=_ranks(one, asked),
        swaps=int(discordant(reference, judges_scores)),
        largest_move=float(largest_move(reference, judges_scores)),
        pairs=_verdicts(pair_orders(reference), pair_orders(judges_scores), p <= ALPHA),
        flips=_flips(names, reference, judges_scores, p),
        runs=_bias(one, names, judges, asked),
        powered=powered(one.reference, one.judges, one.alone, names, asked.labelled, asked.interval, asked.seed),
        needed=needed(one.reference, one.judges, one.alone.shape[1], asked.half_width, asked.interval),
    )


def _ranks(one: Matched, asked: MetaParameters) -> RankAgreement:
    """The coefficients of the two rankings, with intervals for those of the true means."""
    reference, judge = one.reference.mean(axis=1), one.judges.mean(axis=1)
    random = generator(asked.seed, "meta", one.judge)
    resampled = resampled_means(np.stack([one.reference, one.judges]), asked.replicates, random)
    drawn = plausible_means(np.stack([reference, judge]), resampled, random)
    top = best_first(reference)[: asked.top]
    tails = [(1 - asked.interval) / 2, (1 + asked.interval) / 2]
    few = one.reference.shape[1] < FEWEST_UNITS

    def estimate(value: Floats, values: Floats) -> Estimate:
        low, high = (np.nan, np.nan) if few or np.isnan(values).any() else np.quantile(values, tails)
        return Estimate(float(value), float(low), float(high))

    plain = estimate(tau(reference, judge), tau(drawn[:, 0], drawn[:, 1]))
    return RankAgreement(
        tau=plain,
        # True means are never tied.
        tau_b=replace(plain, value=float(tau_b(reference, judge))),
        tau_ap=estimate(tau_ap(reference, judge), tau_ap(drawn[:, 0], drawn[:, 1])),
        tau_top=estimate(tau(reference[top], judge[top]), tau(drawn[:, 0, top], drawn[:, 1, top])),
        overlap=estimate(
            rank_biased_overlap(reference, judge, asked.persistence),
            rank_biased_overlap(drawn[:, 0], drawn[:, 1], asked.persistence),
        ),
        per_unit=_mean(tau_b(one.reference.T, one.judges.T), asked.interval),
    )


def _mean(values: Floats, level: float) -> Estimate:
    """The mean of the values that are defined, with Student's interval."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return Estimate(*[float("nan")] * 3)
    half = float(student(level, len(known) - 1) * known.std(ddof=1) / np.sqrt(len(known)))
    mean = float(known.mean())
    return Estimate(mean, max(mean - half, -1.0), min(mean + half, 1.0))


def _verdicts(reference: Floats, judge: Floats, significant: Bools) -> PairVerdicts:
    both = significant.all(axis=0)
    return PairVerdicts(
        pairs=len(reference),
        same=int((both & (reference == judge)).sum()),
        reversed=int((both & (reference == -judge)).sum()),
        missed=int((significant[0] & ~significant[1]).sum()),
        added=int((significant[1] & ~significant[0]).sum()),
        neither=int((~significant.any(axis=0)).sum()),
    )


def _flips(names: tuple[str, ...], reference: Floats, judge: Floats, p: Floats) -> list[Flip]:
    """The pairs in opposite order, those that the reference separates most first."""
    first, second = np.triu_indices(len(names), 1)
    pairs: Ints = np.flatnonzero(pair_orders(reference) * pair_orders(judge) < 0)
    made = []
    for pair in pairs[np.argsort(-np.abs(reference[first] - reference[second])[pairs], kind="stable")].tolist():
        a, b = int(first[pair]), int(second[pair])
        if reference[a] < reference[b]:
            a, b = b, a
        apart = float(reference[a] - reference[b]), float(judge[a] - judge[b])
        made.append(Flip(names[a], names[b], *apart, float(p[0, pair]), float(p[1, pair])))
    return made


def _bias(one: Matched, names: tuple[str, ...], judges: int, asked: MetaParameters) -> list[RunBias]:
    """By how much the judge is more lenient with each run, best first by the reference."""
    reference, judge = one.reference.mean(axis=1), one.judges.mean(axis=1)
    moved = (one.judges - one.reference).T
    bias, telling = judge - reference, (moved != 0).any(axis=1)
    ends, relative = (
        simultaneous_interval(
            bias,
            moved,
            telling,
            generator(asked.seed, "meta", "bias", one.judge),
            asked.interval,
            judges=judges,
            relative=apart,
        )
        for apart in (False, True)
    )
    columns = np.stack([ranks(reference), ranks(judge), reference, judge, bias, *ends, bias - bias.mean(), *relative])
    return [
        RunBias(names[run], row[0], row[1], row[2], row[3], Estimate(*row[4:7]), Estimate(*row[7:]))
        for run, row in ((int(run), columns[:, run].tolist()) for run in best_first(reference))
    ]
