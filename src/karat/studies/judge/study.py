"""Judge: an automatic assessor compared with people (`karat judge`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.align.ballots import align_ballots
from karat.arrays import Bools, Floats, Ints
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import MOST_TABLED
from karat.data.pairs import Pairs
from karat.data.parameters import TAIL, IntervalOption, OneWayOption, SeedOption, UnitClusterOption, generator
from karat.data.parts import BallotParts, BallotSums
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.data.scores import clusters_in, shared_clusters
from karat.data.tables import Table
from karat.errors import UsageError
from karat.labels import fold
from karat.statistics.alternative_annotator import AlternativeAnnotator, alternative_annotator, of_sums
from karat.statistics.intervals import cell_influence
from karat.statistics.simultaneous import simultaneous_interval
from karat.studies.agree.coefficients import Agreeing, all_coefficients
from karat.studies.agree.result import Coefficient
from karat.studies.base import study
from karat.studies.judge.agreement import Judging, adjudicators, leave_one_out, pairwise, with_each
from karat.studies.judge.findings import FIGURES, FINDINGS
from karat.studies.judge.parts import (
    AlternativeTest,
    Bias,
    Confusion,
    Judge,
    JudgeRanking,
    People,
    Rates,
    Replaced,
)
from karat.studies.judge.rates import over_judges, rates
from karat.studies.judge.result import Judgement
from karat.studies.judge.sums import JudgedBallots, JudgedUnits, judged_ballots, judged_parts
from karat.studies.rankings import ranking_change
from karat.studies.scorer import Scorer
from karat.studies.wording import ALPHA

Codes = NDArray[np.int32]
NO_PEOPLE = "there are no people among the assessors to compare the judge with"


class JudgeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `judge`."""

    automatic: Annotated[tuple[str, ...], Meta(description="an assessor that is a program")] = ()
    level: Annotated[
        Level | None,
        Meta(description="the level of measurement of labels: names, ranks or amounts; required if they are numbers"),
    ] = None
    epsilon: Annotated[
        float,
        Meta(
            description="how much worse than a person a judge may be: .2 for expert labels, .1 for crowd labels",
            ge=0,
            lt=1,
        ),
    ] = 0.2
    fewest: Annotated[
        int, Meta(description="units that a person must have in common with the judge to be compared", ge=2)
    ] = 30
    labelled: Annotated[
        int, Meta(description="number of human labels, drawn at random, for correcting rates; 0: all", ge=0)
    ] = 0
    half_width: Annotated[
        float,
        Meta(description="half-width of the interval for which the number of labels is computed", ge=TAIL, le=1 - TAIL),
    ] = 0.05
    cluster: UnitClusterOption = None
    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="the measure that runs are ranked by")] = "accuracy"
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


@study("judge", JudgeParameters, findings=FINDINGS, figures=FIGURES)
def judge(ballots: Ballots | BallotParts, asked: JudgeParameters, *, runs: Responses | None = None) -> Judgement:
    """Each automatic judge: its agreement, whether it may replace a person, its rates, and the ranking by its key."""
    key = None if runs is None else runs.key
    named = asked.automatic or (() if isinstance(ballots, BallotParts) else ballots.programs)
    if not named:
        raise UsageError(
            f"which assessor is automatic? Use --automatic NAME; the assessors are {', '.join(ballots.assessors[:9])}"
        )
    if ballots.exchangeable:
        raise UsageError("the ballots do not say who cast them, so the automatic assessor cannot be identified")
    if isinstance(ballots, Ballots) and key is not None:
        ballots = align_ballots(ballots, key)
    ballots = replace(ballots, scale=ballots.scale.at(asked.level))
    if isinstance(ballots, BallotParts):
        ballots = _held_if_needed(ballots, asked, key)
    programs = {*asked.automatic, *(() if isinstance(ballots, BallotParts) else ballots.programs)}
    names, scale = tuple(name for name in ballots.assessors if name not in programs), ballots.scale
    people, clusters, cluster = None, None, None
    if isinstance(ballots, BallotParts):
        if unknown := [name for name in named if name not in ballots.assessors]:
            raise UsageError.unknown("assessor", unknown[0], ballots.assessors)
        if not names:
            raise UsageError(NO_PEOPLE)
        judged = judged_parts(ballots, names, named)
    else:
        automatic, people = ballots.of(named), ballots.of(names)
        if not len(people):
            raise UsageError(NO_PEOPLE)
        clusters = None if asked.cluster is None else ballots.clusters(asked.cluster)
        cluster = shared_clusters(clusters)
        judged = judged_ballots(people, automatic)
    test = _replacing(judged, people, scale, asked, cluster)
    settled = [_settled(units) for units in judged.units]
    both = list(zip(judged.units, settled, strict=True))
    shares = over_judges([_rates(*one, asked, cluster) for one in both])
    judges = []
    for place, (name, (units, its)) in enumerate(zip(judged.judges, both, strict=True)):
        ranking = None
        if key is not None and runs is not None and len(runs):
            ranking = _ranking(name, units.said, key, runs, asked, len(both), cluster)
        judging = Judging(units, people, cluster)
        judges.append(
            Judge(
                judge=name,
                units=units.number(units.said >= 0),
                missing=units.number(units.judged & (units.said < 0)),
                shared=judging.paired,
                coefficients=_coefficients(judging, asked),
                with_each=with_each(judged.sums, place, names, scale),
                confusion=_confusion(units, its),
                alternative=_alternative(test, place, names, asked.epsilon),
                rates=shares[place],
                ranking=ranking,
            )
        )
    there = np.zeros(0, dtype=bool) if people is None else _with_ballots(ballots)
    return Judgement(
        level=scale.level,
        clusters=clusters_in(None if clusters is None else list(compress(clusters, there))),
        people=_people(judged, people, scale, asked, cluster),
        judges=judges,
    )


def _held_if_needed(ballots: BallotParts, asked: JudgeParameters, key: Pairs | None) -> Ballots | BallotParts:
    """Ballots in parts, or all of them at once if something needs these."""
    for option, given in (("--cluster", asked.cluster), ("--key", key)):
        if given is not None:
            raise UsageError(
                f"{option} needs the units by name, and {len(ballots):,} ballots are read in parts, without the names; "
                f"take fewer units, or leave {option} out"
            )
    many = len(ballots.scale.values)
    why = f"judging on {many:,} values" if many > MOST_TABLED else "--labelled" * bool(asked.labelled)
    return replace(ballots.whole(why), scale=ballots.scale) if why else ballots


def _with_ballots(ballots: Ballots | BallotParts) -> Bools:
    """The units that somebody judged."""
    assert isinstance(ballots, Ballots)
    return np.bincount(ballots.unit, minlength=len(ballots.units)) > 0


def _replacing(
    judged: JudgedBallots, people: Ballots | None, scale: Scale, asked: JudgeParameters, cluster: Ints | None
) -> AlternativeAnnotator:
    """The alternative-annotator test of every judge."""
    if people is not None and cluster is not None:
        said = np.stack([units.said for units in judged.units])
        return alternative_annotator(
            people.matrix(), said, len(scale.values), asked.epsilon, asked.fewest, scale.places, cluster
        )
    size, ahead, behind = judged.sums.closer
    return of_sums(size, ahead, behind, asked.epsilon, asked.fewest)


def _coefficients(agreeing: Agreeing | Judging, asked: JudgeParameters) -> dict[str, Coefficient]:
    return all_coefficients(partial(agreeing.coefficient, interval=asked.interval, seed=asked.seed), agreeing.paired)


def _people(
    judged: JudgedBallots, people: Ballots | None, scale: Scale, asked: JudgeParameters, cluster: Ints | None
) -> People:
    names, sums = judged.people, judged.sums
    if people is not None:
        agreeing = Agreeing(people, cluster)
    else:
        two = Table(judged.tables((np.array([0]), np.array([1])))[0], scale.values) if len(names) == 2 else None
        agreeing = Agreeing(BallotSums(names, scale, judged.units[0].people()), None, two)
    return People(
        assessors=list(names),
        ballots=int(sums.judged.sum()),
        units=sums.several,
        coefficients=_coefficients(agreeing, asked),
        leave_one_out=leave_one_out(sums, names, scale),
        pairwise=pairwise(sums.together, judged.tables, scale, asked.fewest),
        adjudicators=adjudicators(sums, names),
    )


def _settled(units: JudgedUnits) -> Codes:
    """People's label of each unit: the majority's, or the median if labels are ordered; −1 if tied or missing."""
    counts = units.counts
    given = counts.sum(axis=1)
    if units.scale.level == "nominal":
        tied = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
        code = counts.argmax(axis=1)
    else:
        up_to = 2 * counts.cumsum(axis=1)
        code = (up_to >= given[:, None]).argmax(axis=1)
        tied = code != (up_to > given[:, None]).argmax(axis=1)
    return np.where((given > 0) & ~tied, code, -1).astype(np.int32)


def _confusion(units: JudgedUnits, settled: Codes) -> Confusion | None:
    """None if there are too many different values for a table."""
    labels = units.scale.values
    if len(labels) > MOST_TABLED:
        return None
    both, table = (settled >= 0) & (units.said >= 0), np.zeros((len(labels), len(labels)), dtype=np.int64)
    np.add.at(table, (settled[both], units.said[both]), units.times[both])
    return Confusion(list(labels), table.tolist(), units.number(units.shared & (settled < 0)))


def _rates(units: JudgedUnits, settled: Codes, asked: JudgeParameters, cluster: Ints | None) -> Rates:
    labels = units.scale.values
    return rates(
        settled,
        units.said,
        units.judged,
        labels if len(labels) <= MOST_TABLED else (),
        labelled=asked.labelled,
        half_width=asked.half_width,
        level=asked.interval,
        seed=asked.seed,
        cluster=cluster,
        times=units.times,
    )


def _alternative(test: AlternativeAnnotator, place: int, names: tuple[str, ...], epsilon: float) -> AlternativeTest:
    columns = (test.units, test.advantage, test.persons_advantage, test.p, test.p_corrected, test.p_corrected <= ALPHA)
    rate = float(test.winning_rate(ALPHA)[place])
    return AlternativeTest(
        epsilon=epsilon,
        winning_rate=rate,
        advantage=float(test.mean_advantage[place]),
        passes=None if rate != rate else rate >= 0.5,
        people=[Replaced(*row) for row in zip(names, *(column[place].tolist() for column in columns), strict=True)],
    )


def _ranking(
    name: str, said: Codes, key: Pairs, runs: Responses, asked: JudgeParameters, judges: int, cluster: Ints | None
) -> JudgeRanking:
    """The judge as a key, compared with people's key on the units that both label; `judges` is their number."""
    assert key.way is not None
    scorer = Scorer.of(runs, asked.measure, asked.way)
    both = (said >= 0) & (key.labels >= 0)
    codes = np.where(both, np.stack([key.labels, said]), -1).astype(np.int8)
    tables = scorer.table(codes)
    human, here = scorer.measure(tables)
    keys, answers = fold(codes, scorer.way)[:, both], runs.answers(scorer.way)[:, both]
    # The influence of a unit on a run's score is that of its cell: the run's answer by the label in either key.
    moves = cell_influence(scorer.measure, tables)
    row = np.arange(len(answers))[:, None]
    moved = (moves[1][row, keys[1], answers] - moves[0][row, keys[0], answers]).T
    bias, telling = here - human, keys[0] != keys[1]
    among = None if cluster is None else shared_clusters(cluster[both].tolist())
    apart, relative = (
        simultaneous_interval(
            bias,
            moved,
            telling,
            generator(asked.seed, "judge", "bias", name),
            asked.interval,
            judges=judges,
            relative=one,
            cluster=among,
        )
        for one in (False, True)
    )
    counts = np.bincount(said[both], minlength=len(key.way.labels)).tolist()
    estimates = _estimates(bias, apart), _estimates(bias - bias.mean(), relative)
    return JudgeRanking(
        **vars(ranking_change(runs.names, human, here)),
        way=scorer.way.name,
        measure=str(scorer.measure),
        units=int(both.sum()),
        labels=dict(zip(key.way.labels, counts, strict=True)),
        bias=[Bias(*row) for row in zip(runs.names, human.tolist(), here.tolist(), *estimates, strict=True)],
    )


def _estimates(values: Floats, ends: tuple[Floats, Floats]) -> list[Estimate]:
    return [Estimate(*row) for row in np.stack([values, *ends], axis=-1).tolist()]
