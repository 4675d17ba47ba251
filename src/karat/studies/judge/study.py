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
from karat.arrays import Floats, Ints
from karat.data.ballots import Ballots, Level
from karat.data.coincidences import MOST_TABLED
from karat.data.pairs import Pairs
from karat.data.parameters import TAIL, IntervalOption, OneWayOption, SeedOption, UnitClusterOption, generator
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.data.scores import clusters_in, shared_clusters
from karat.errors import UsageError
from karat.kernels.counting import contingency
from karat.labels import fold
from karat.statistics.alternative_annotator import AlternativeAnnotator, alternative_annotator
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
from karat.studies.rankings import ranking_change
from karat.studies.scorer import Scorer
from karat.studies.wording import ALPHA

Codes = NDArray[np.integer]


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
def judge(ballots: Ballots, asked: JudgeParameters, *, runs: Responses | None = None) -> Judgement:
    """Each automatic judge: its agreement, whether it may replace a person, its rates, and the ranking by its key."""
    key = None if runs is None else runs.key
    named = asked.automatic or ballots.programs
    if not named:
        raise UsageError(
            f"which assessor is automatic? Use --automatic NAME; the assessors are {', '.join(ballots.assessors[:9])}"
        )
    if ballots.exchangeable:
        raise UsageError("the ballots do not say who cast them, so the automatic assessor cannot be identified")
    ballots = ballots if key is None else align_ballots(ballots, key)
    ballots = replace(ballots, scale=ballots.scale.at(asked.level))
    automatic = ballots.of(named)
    people = ballots.of([name for name in ballots.assessors if name not in {*asked.automatic, *ballots.programs}])
    if not len(people):
        raise UsageError("there are no people among the assessors to compare the judge with")
    said, scale = automatic.matrix(), people.scale
    names = None if asked.cluster is None else ballots.clusters(asked.cluster)
    cluster = shared_clusters(names)
    test = alternative_annotator(
        people.matrix(), said, len(scale.values), asked.epsilon, asked.fewest, scale.places, cluster
    )
    settled = _settled(people)
    shares = over_judges([_rates(people, settled, its, asked, cluster) for its in said])
    judges = []
    for place, (name, its) in enumerate(zip(automatic.assessors, said, strict=True)):
        ranking = None
        if key is not None and runs is not None and len(runs):
            ranking = _ranking(name, its, key, runs, asked, len(said), cluster)
        judging = Judging(people, its, cluster)
        judges.append(
            Judge(
                judge=name,
                units=int((its >= 0).sum()),
                missing=int(((people.counts().sum(axis=1) > 0) & (its < 0)).sum()),
                shared=judging.paired,
                coefficients=_coefficients(judging, asked),
                with_each=with_each(people, its),
                confusion=_confusion(people, settled, its),
                alternative=_alternative(test, place, people.assessors, asked.epsilon),
                rates=shares[place],
                ranking=ranking,
            )
        )
    judged = np.bincount(ballots.unit, minlength=len(ballots.units)) > 0
    return Judgement(
        level=scale.level,
        clusters=clusters_in(None if names is None else list(compress(names, judged))),
        people=_people(people, asked, cluster),
        judges=judges,
    )


def _coefficients(agreeing: Agreeing | Judging, asked: JudgeParameters) -> dict[str, Coefficient]:
    return all_coefficients(partial(agreeing.coefficient, interval=asked.interval, seed=asked.seed), agreeing.paired)


def _people(people: Ballots, asked: JudgeParameters, cluster: Ints | None) -> People:
    return People(
        assessors=list(people.assessors),
        ballots=len(people),
        units=int((people.counts().sum(axis=1) > 1).sum()),
        coefficients=_coefficients(Agreeing(people, cluster), asked),
        leave_one_out=leave_one_out(people),
        pairwise=pairwise(people, asked.fewest),
        adjudicators=adjudicators(people),
    )


def _settled(people: Ballots) -> Codes:
    """People's label of each unit: the majority's, or the median if labels are ordered; −1 if tied or missing."""
    counts = people.counts()
    given = counts.sum(axis=1)
    if people.scale.level == "nominal":
        tied = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
        code = counts.argmax(axis=1)
    else:
        up_to = 2 * counts.cumsum(axis=1)
        code = (up_to >= given[:, None]).argmax(axis=1)
        tied = code != (up_to > given[:, None]).argmax(axis=1)
    return np.where((given > 0) & ~tied, code, -1).astype(np.int32)


def _confusion(people: Ballots, settled: Codes, said: Codes) -> Confusion | None:
    """None if there are too many different values for a table."""
    labels = people.scale.values
    if len(labels) > MOST_TABLED:
        return None
    table = contingency(settled.astype(np.int8), said.astype(np.int8), len(labels), len(labels))
    tied = (people.counts().sum(axis=1) > 0) & (settled < 0) & (said >= 0)
    return Confusion(list(labels), table.tolist(), int(tied.sum()))


def _rates(people: Ballots, settled: Codes, said: Codes, asked: JudgeParameters, cluster: Ints | None) -> Rates:
    labels = people.scale.values
    return rates(
        settled,
        said,
        people.counts().sum(axis=1) > 0,
        labels if len(labels) <= MOST_TABLED else (),
        labelled=asked.labelled,
        half_width=asked.half_width,
        level=asked.interval,
        seed=asked.seed,
        cluster=cluster,
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
