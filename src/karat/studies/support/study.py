"""Support (`karat support`): answers scored by what the documents that they cite say."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats, Ints
from karat.data.parameters import IntervalOption
from karat.data.support import UNJUDGED, VERDICTS, Support
from karat.errors import Problems, UsageError
from karat.kernels.counting import divide
from karat.measures.support import support_f1, support_precision, support_recall, support_reward
from karat.statistics.rank_correlation import best_first
from karat.studies.base import study
from karat.studies.support.findings import FIGURES, FINDINGS
from karat.studies.support.result import SUPPORT_SCORES, AssessorScores, SupportRun, SupportScores
from karat.studies.unit_means import Mean, plain_mean, unit_means

UNCITED = "uncited"
WORTH = {"full": 1.0, "partial": 0.5, "none": 0.0, "contradicted": 0.0, UNCITED: 0.0}
"""What each verdict, and no citation, is worth in TREC RAG 2024, which did not ask for contradictions."""


class SupportParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of `support`."""

    assessor: Annotated[
        tuple[str, ...],
        Meta(description="an assessor whose verdicts count; without this option, all", examples=["NAME"]),
    ] = ()
    worth: Annotated[
        dict[str, float],
        Meta(
            description="the worth of a verdict, if not 1, 0.5, 0 and 0, or of a sentence that cites nothing",
            examples=["contradicted=-1"],
        ),
    ] = {}
    unjudged: Annotated[
        Literal["refuse", "none"], Meta(description="citations without a verdict: refused, or counted as no support")
    ] = "refuse"
    interval: IntervalOption = 0.95

    def __post_init__(self) -> None:
        """Only verdicts have a worth, at most 1 and at least -1."""
        for name, worth in self.worth.items():
            if name not in WORTH:
                raise UsageError.unknown("verdict", name, tuple(WORTH))
            if not -1 <= worth <= 1:
                raise UsageError(f"--worth {name}={worth:g}: a sentence is worth at least -1 and at most 1")


@study("support", SupportParameters, findings=FINDINGS, figures=FIGURES)
def support(judged: Support, asked: SupportParameters) -> SupportScores:
    """Weighted precision and recall of support, and their harmonic mean, for every run."""
    if not judged.runs:
        raise UsageError("there are no runs to score")
    counted = judged.places_of(asked.assessor)
    left = judged.unjudged(counted)
    if asked.unjudged == "refuse":
        _refuse(judged, left)
    return SupportScores(
        topics=len(judged.answers.units),
        left_out=list(judged.left_out),
        worth=WORTH | asked.worth,
        rewarded=bool(asked.worth),
        runs=_runs(judged, counted, left, asked),
        assessors=[_by_assessor(judged, at, asked) for at in counted.tolist()],
        sources=list(dict.fromkeys([*judged.sources, *judged.answers.sources])),
    )


def _refuse(judged: Support, left: Bools) -> None:
    """Raise an error that names every citation without a verdict."""
    answers, problems = judged.answers, Problems()
    for row in np.flatnonzero(left).tolist():
        file, line = answers.places[row] if answers.places else ("answers", None)
        run, topic = answers.runs[answers.run[row]], answers.units[answers.question[row]]
        found = f"no verdict on sentence {answers.order[row]} of run {run!r} on topic {topic!r}"
        problems.add("unjudged-citation", found, file=file, line=line)
    problems.raise_errors()


def _scores(judged: Support, assessors: Ints, asked: SupportParameters) -> dict[str, Floats]:
    """Every score of every run on every topic; without an answer a run has 0 but for precision."""
    counts, worth = judged.counts(assessors), WORTH | asked.worth
    of_verdicts = {name: worth[name] for name in VERDICTS}
    return {
        "precision": support_precision(counts, **of_verdicts),
        "recall": np.nan_to_num(support_recall(counts, **of_verdicts)),
        "f1": np.nan_to_num(support_f1(counts, **of_verdicts)),
        "reward": np.nan_to_num(support_reward(counts, **worth)),
    }


def _mean(values: Floats, asked: SupportParameters) -> Mean:
    """The mean over the topics on which a run has a score, with its interval within what verdicts are worth."""
    worth = (WORTH | asked.worth).values()
    low = min(0.0, *worth)
    span = max(0.0, *worth) - low or 1.0
    scored = values[~np.isnan(values)]
    mean = unit_means((scored[None] - low) / span, asked.interval)[0]
    return Mean(*(low + span * one for one in (mean.value, mean.low, mean.high)))


def _runs(judged: Support, counted: Ints, left: Bools, asked: SupportParameters) -> list[SupportRun]:
    scores = _scores(judged, counted, asked)
    counts = judged.counts(counted)
    verdicts, sentences = counts.verdicts.sum(axis=1), counts.sentences.sum(axis=1)
    cited = verdicts.sum(axis=1)
    shares = divide(verdicts, np.broadcast_to(cited[:, None], verdicts.shape))
    topics = judged.answers.units
    made = []
    for at, run in enumerate(judged.runs):
        made.append(
            SupportRun(
                run=run,
                f1=_mean(scores["f1"][at], asked),
                precision=_mean(scores["precision"][at], asked),
                recall=_mean(scores["recall"][at], asked),
                reward=_mean(scores["reward"][at], asked),
                cited=float(divide(cited[at], sentences[at])),
                **dict(zip(VERDICTS, shares[at].tolist(), strict=True)),
                sentences=int(sentences[at]),
                citing=int((counts.cited[at] > 0).sum()),
                unanswered=int((counts.sentences[at] == 0).sum()),
                unjudged=int(left[judged.answers.run == at].sum()),
                scores={name: dict(zip(topics, scores[name][at].tolist(), strict=True)) for name in SUPPORT_SCORES},
            )
        )
    return made


def _by_assessor(judged: Support, at: int, asked: SupportParameters) -> AssessorScores:
    """Scores by the verdicts of one assessor, over the topics on which they judged every run."""
    alone = np.array([at])
    whole = judged.judged_by(at).all(axis=0)
    scores = {name: plain_mean(values[:, whole]).tolist() for name, values in _scores(judged, alone, asked).items()}
    given = judged.verdict[at][judged.verdict[at] != UNJUDGED]
    shares = divide(np.bincount(given, minlength=len(VERDICTS)).astype(np.float64), np.full(len(VERDICTS), len(given)))
    return AssessorScores(
        assessor=judged.assessors[at],
        verdicts=len(given),
        **dict(zip(VERDICTS, shares.tolist(), strict=True)),
        topics=int(whole.sum()),
        scores={name: dict(zip(judged.runs, values, strict=True)) for name, values in scores.items()},
        ranking=[judged.runs[place] for place in best_first(np.array(scores["f1"]))],
    )
