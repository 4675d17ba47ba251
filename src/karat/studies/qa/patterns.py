"""Patterns as an automatic judge of answers, compared with the judgments of people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from karat.data.answers import NIL, Answers
from karat.data.fields import Missing, Shown, Why, written
from karat.data.patterns import Patterns
from karat.data.question_counts import Judged
from karat.data.questions import Questions
from karat.data.result import Sheet
from karat.data.tables import Table
from karat.data.verdicts import CORRECT, INCORRECT, INEXACT, LOCALLY_CORRECT, NAMES, UNJUDGED, UNSUPPORTED, Verdicts
from karat.kernels.counting import divide
from karat.measures.contingency import kappa
from karat.measures.questions import factoid_accuracy
from karat.statistics.intervals import wilson
from karat.studies.rankings import RankingChange, ranking_change
from karat.studies.unit_means import plain_mean
from karat.studies.wording import per_cent

ORDER = (CORRECT, LOCALLY_CORRECT, INEXACT, UNSUPPORTED, INCORRECT)
"""In which verdicts are listed; few evaluations have locally correct answers."""
NO_ANSWER = "people judged no answer of the runs to a factoid question with a pattern"
NO_QUESTION = "there is no factoid question with a pattern on which people judged every run"


@dataclass(frozen=True)
class PatternRun:
    """Accuracy of one run on factoid questions by people and by patterns, and the difference."""

    run: str
    people: float
    patterns: float
    bias: Annotated[float, Shown(note="accuracy by patterns minus accuracy by people")]


@dataclass(frozen=True)
class VerdictRow:
    """Of the answers to which people gave one verdict, how many the patterns accept and refuse."""

    verdict: Annotated[str, Shown("people's verdict")]
    accepted: Annotated[int, Shown("patterns accept")]
    refused: Annotated[int, Shown("patterns reject")]


def _no_kappa(judge: Any, _: object) -> str:
    return "people and patterns both use only one verdict" if judge.answers else NO_ANSWER


@dataclass(frozen=True)
class PatternJudge:
    """Agreement of patterns with people on whether factoid answers are right."""

    answers: int
    """Distinct answers (document and string) that runs gave and people judged, to questions with a pattern."""
    agreement: Annotated[float, Why(NO_ANSWER)]
    low: Annotated[float, Why(NO_ANSWER)]
    high: Annotated[float, Why(NO_ANSWER)]
    kappa: Annotated[float, Why(_no_kappa)]
    verdicts: list[VerdictRow]
    questions: int
    """Factoid questions with a pattern on which people judged every run; runs are compared on these."""
    runs: Annotated[list[PatternRun], Why(NO_QUESTION)]
    ranking: RankingChange

    def sheets(self) -> list[Sheet]:
        """What patterns accept by verdict of people, and the accuracy of runs by both."""
        agreement = (
            f"Agreement on right and wrong: {per_cent(self.agreement)} ({per_cent(self.low)} to {per_cent(self.high)})"
        )
        verdicts = Sheet.of(
            "Patterns compared with people",
            self.verdicts,
            "verdict accepted refused",
            notes=[
                f"{agreement}, kappa {written(self.kappa, 3)}, on {self.answers:,} factoid answers; each document and "
                "string counts once.",
                "Only the verdict correct counts as right.",
            ],
        )
        runs = Sheet.of(
            "Factoid accuracy by people and by patterns",
            self.runs,
            "run people patterns bias",
            notes=[
                f"On the {self.questions:,} questions that have a pattern and on which people judged every run.",
                f"Kendall's tau between the two rankings: {written(self.ranking.tau, 3)}.",
            ],
        )
        return [verdicts, runs]


def judge_patterns(
    patterns: Patterns, people: Verdicts, answers: Answers, questions: Questions, level: float
) -> PatternJudge:
    """Compare patterns with people on the factoid answers that people judged, and on the accuracy of runs."""
    by_people, by_patterns = Judged.of(answers, people), Judged.of(answers, patterns.judge(answers))
    factoid = (questions.types == 0) & patterns.covered
    both = factoid[answers.question] & (by_people.codes != UNJUDGED)
    both &= np.array([document != NIL for document in answers.documents], dtype=bool)
    rows = list({answers.judged_as(row): row for row in np.flatnonzero(both).tolist()}.values())
    counts = np.zeros((len(NAMES), 2))
    np.add.at(counts, (by_people.codes[rows], (by_patterns.codes[rows] == CORRECT).astype(np.int64)), 1)
    right = np.stack([counts.sum(axis=0) - counts[CORRECT], counts[CORRECT]])
    total = counts.sum()
    share = divide(np.trace(right), total)
    low, high = wilson(share, total, level)
    unjudged = np.zeros(len(questions), dtype=bool)
    unjudged[answers.question[(answers.rank == 1) & (by_people.codes == UNJUDGED)]] = True
    shared = factoid & ~unjudged
    official, ours = (plain_mean(factoid_accuracy(one.first_right())[:, shared]) for one in (by_people, by_patterns))
    ranking = ranking_change(answers.runs, official, ours)
    if not shared.any():
        ranking = replace(ranking, scores=dict.fromkeys(answers.runs, Missing(NO_QUESTION)))
    return PatternJudge(
        answers=int(total),
        agreement=float(share),
        low=float(low),
        high=float(high),
        kappa=float(kappa(Table(right))),
        verdicts=[
            VerdictRow(NAMES[code], int(counts[code, 1]), int(counts[code, 0]))
            for code in ORDER
            if code != LOCALLY_CORRECT or counts[code].any()
        ],
        questions=int(shared.sum()),
        runs=[
            PatternRun(name, one, other, other - one)
            for name, one, other in zip(answers.runs, official.tolist(), ours.tolist(), strict=True)
        ],
        ranking=ranking,
    )
