"""Judge: an automatic assessor held against people (`karat judge`)."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.data.ballots import Ballots
from karat.data.keys import aligned
from karat.data.pairs import Pairs
from karat.data.parameters import OneWayOption
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.errors import UsageError
from karat.kernels.counting import contingency
from karat.kernels.random import generator
from karat.statistics.alternative_annotator import alternative_annotator
from karat.statistics.bootstrap import percentile_interval, replicate
from karat.studies.base import study
from karat.studies.judge import charts as charts  # files its figures
from karat.studies.judge import findings as findings  # files its sentences
from karat.studies.judge.agreement import (
    adjudicators,
    among_people,
    estimates,
    leave_one_out,
    pairwise,
    with_each,
    with_people,
)
from karat.studies.judge.parts import AlternativeTest, Bias, Confusion, Judge, JudgeRanking, People, Replaced
from karat.studies.judge.rates import rates
from karat.studies.judge.result import Judgement
from karat.studies.keys.rescoring import Rescoring
from karat.studies.ranking_change import ranking_change

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


class JudgeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `judge` can be asked."""

    automatic: Annotated[tuple[str, ...], Meta(description="an assessor that is no person")] = ()
    epsilon: Annotated[
        float,
        Meta(description="how much worse than a person a judge may be: .2 for experts' labels, .1 for a crowd's", ge=0),
    ] = 0.2
    fewest: Annotated[int, Meta(description="units that a person must share to be compared with", ge=2)] = 30
    labelled: Annotated[
        int, Meta(description="correct rates with so many of people's labels, at random; 0: with all", ge=0)
    ] = 0
    half_width: Annotated[float, Meta(description="of the interval that labels are budgeted for", gt=0, lt=1)] = 0.05
    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="what runs are ranked by")] = "accuracy"
    replicates: Annotated[int, Meta(description="resamples of the units for the intervals", ge=10)] = 1000
    interval: Annotated[float, Meta(description="level of the intervals", gt=0, lt=1)] = 0.95
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@study("judge", JudgeParameters)
def judge(
    ballots: Ballots, asked: JudgeParameters, *, key: Pairs | None = None, runs: Responses | None = None
) -> Judgement:
    """Each automatic judge: agreement, the person it could replace, the rates and the ranking it would give."""
    if runs is not None and len(runs) and runs.key is not key:
        raise UsageError("runs need the key they were read against: judge(ballots, key=key, runs=runs)")
    if not asked.automatic:
        raise UsageError(f"which assessor is automatic? --automatic NAME; there are {', '.join(ballots.assessors[:9])}")
    if ballots.exchangeable:
        raise UsageError("the ballots do not say who cast them, so no assessor can be told from the others")
    ballots = ballots if key is None else aligned(ballots, key)
    automatic = ballots.of(asked.automatic)
    people = ballots.of([name for name in ballots.assessors if name not in asked.automatic])
    if not len(people):
        raise UsageError("there are no people among the assessors to hold the judge against")
    judges = []
    for name, said in zip(automatic.assessors, automatic.matrix(), strict=True):
        ranking = None
        if key is not None and runs is not None and len(runs):
            ranking = _ranking(name, said, key, runs, asked)
        judges.append(_judge(name, said, people, ranking, asked))
    return Judgement(people=_people(people, asked), judges=judges)


def _people(people: Ballots, asked: JudgeParameters) -> People:
    counts = people.counts()
    each = among_people(counts)
    return People(
        assessors=list(people.assessors),
        ballots=len(people),
        units=int((counts.sum(axis=1) > 1).sum()),
        agreement=estimates(each, people.scale.values, asked.replicates, asked.interval, asked.seed, "people"),
        leave_one_out=leave_one_out(people),
        pairwise=pairwise(people, asked.fewest),
        adjudicators=adjudicators(people),
    )


def _judge(name: str, said: Codes, people: Ballots, ranking: JudgeRanking | None, asked: JudgeParameters) -> Judge:
    counts, labels = people.counts(), people.scale.values
    judged = counts.sum(axis=1) > 0
    most = counts.max(axis=1, keepdims=True)
    tied = judged & ((counts == most).sum(axis=1) > 1)
    majority = np.where(judged & ~tied, counts.argmax(axis=1), -1)
    table = contingency(majority.astype(np.int8), said.astype(np.int8), len(labels), len(labels))
    each = with_people(counts, said)
    return Judge(
        judge=name,
        units=int((said >= 0).sum()),
        missing=int((judged & (said < 0)).sum()),
        agreement=estimates(each, labels, asked.replicates, asked.interval, asked.seed, name),
        with_each=with_each(people, said),
        confusion=Confusion(list(labels), table.tolist(), int((tied & (said >= 0)).sum())),
        alternative=_alternative(people, said, asked),
        rates=rates(
            majority,
            said,
            judged,
            labels,
            labelled=asked.labelled,
            half_width=asked.half_width,
            level=asked.interval,
            seed=asked.seed,
        ),
        ranking=ranking,
    )


def _alternative(people: Ballots, said: Codes, asked: JudgeParameters) -> AlternativeTest:
    test = alternative_annotator(people.matrix(), said, len(people.scale.values), asked.epsilon, asked.fewest)
    level = 0.05
    columns = (test.units, test.advantage, test.persons_advantage, test.p, test.p_corrected, test.p_corrected <= level)
    rate = test.winning_rate(level)
    return AlternativeTest(
        epsilon=asked.epsilon,
        winning_rate=rate,
        advantage=test.mean_advantage,
        passes=None if rate != rate else rate >= 0.5,
        people=[Replaced(*row) for row in zip(people.assessors, *(column.tolist() for column in columns), strict=True)],
    )


def _ranking(name: str, said: Codes, key: Pairs, runs: Responses, asked: JudgeParameters) -> JudgeRanking:
    """The judge as a key, against the human key on the units that both label."""
    assert key.way is not None
    rescoring = Rescoring.of(runs, asked.way, asked.measure)
    both = (said >= 0) & (key.labels >= 0)
    theirs, its = (np.where(both, codes, -1).astype(np.int8) for codes in (key.labels, said))
    human, here = rescoring.scores(np.stack([theirs, its]))
    random = generator(asked.seed, "judge", "bias", name)
    drawn = replicate(
        lambda weights: rescoring.resampled(its, weights) - rescoring.resampled(theirs, weights),
        len(key),
        asked.replicates,
        random,
    )
    drawn = np.where(np.isnan(drawn).all(axis=0), 0.0, drawn)
    bias = here - human
    apart = _estimates(bias, drawn, asked.interval)
    moved = _estimates(bias - bias.mean(), drawn - drawn.mean(axis=-1, keepdims=True), asked.interval)
    change = ranking_change(runs.names, human, here)
    counts = np.bincount(its[its >= 0], minlength=len(key.way.labels)).tolist()
    return JudgeRanking(
        **{field: getattr(change, field) for field in change.__dataclass_fields__},
        way=rescoring.way.name,
        measure=str(rescoring.measure),
        units=int(both.sum()),
        labels=dict(zip(key.way.labels, counts, strict=True)),
        bias=[Bias(*row) for row in zip(runs.names, human.tolist(), here.tolist(), apart, moved, strict=True)],
    )


def _estimates(values: Floats, drawn: Floats, level: float) -> list[Estimate]:
    """Values (runs,) with bounds out of what resampling drew (replicates, runs); without a value there are none."""
    ends = (np.where(np.isnan(values), np.nan, end) for end in percentile_interval(drawn, level))
    return [Estimate(*row) for row in np.stack([values, *ends], axis=-1).tolist()]
