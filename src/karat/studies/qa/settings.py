"""How the ranking depends on choices that could have been made otherwise: one at a time, the rest as asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.data.answers import Answers
from karat.data.nuggets import Matches
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.statistics.rank_correlation import best_first, tau
from karat.studies.qa.aggregate import Parts
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.scoring import QuestionScores, score_questions
from karat.studies.unit_means import plain_mean

Floats = NDArray[np.float64]
OF_NUGGETS: dict[str, tuple[Any, ...]] = {
    "beta": (1.0, 2.0, 3.0, 5.0),
    "allowance": (50.0, 100.0, 150.0, 200.0),
    "missing": ("missing", "zero"),
}
OF_VERDICTS: dict[str, tuple[Any, ...]] = {"accept": ((), ("inexact",), ("unsupported",), ("inexact", "unsupported"))}
OF_SERIES: dict[str, tuple[Any, ...]] = {"no_list": ("literal", "exact"), "no_other": ("left-out", "reweighted")}


@dataclass(frozen=True)
class QaSetting:
    """The ranking under one other choice, and its tau to the one that was asked for."""

    choice: str
    value: str
    ranking: list[str]
    tau: float

    @property
    def told(self) -> str:
        """The ranking in one cell."""
        return " ".join(self.ranking)


def parts_of(scored: QuestionScores, asked: QaParameters) -> Parts:
    """What weights are put on, under the policies asked for."""
    exact, need_other = asked.no_list == "exact", asked.no_other == "left-out"
    return Parts.of(scored.values, scored.questions, scored.silent, exact, need_other)


def settings(
    questions: Questions, answers: Answers, verdicts: Verdicts | None, matches: Matches | None, asked: QaParameters
) -> list[QaSetting]:
    """Rankings by series (by type where questions stand alone) under every other choice."""
    official = _scores(score_questions(questions, answers, verdicts, matches, asked), asked)
    made = []
    for choice, value in _choices(questions, verdicts, matches):
        if getattr(asked, choice) == value:
            continue
        other = msgspec.structs.replace(asked, **{choice: value})
        scores = _scores(score_questions(questions, answers, verdicts, matches, other), other)
        ranking = [answers.runs[place] for place in best_first(scores)]
        made_of = " and ".join(value) or "correct only" if isinstance(value, tuple) else value
        told = f"{made_of:g}" if isinstance(made_of, float) else str(made_of)
        made.append(QaSetting(choice, told, ranking, float(tau(official, scores))))
    return made


def _choices(questions: Questions, verdicts: Verdicts | None, matches: Matches | None) -> Iterator[tuple[str, Any]]:
    """What could be chosen otherwise, of what was given."""
    tables = [OF_NUGGETS] * (matches is not None) + [OF_VERDICTS] * (verdicts is not None)
    tables += [OF_SERIES] * bool(questions.series)
    for table in tables:
        for choice, values in table.items():
            for value in values:
                yield choice, value


def _scores(scored: QuestionScores, asked: QaParameters) -> Floats:
    parts = parts_of(scored, asked)
    return plain_mean(parts.by_series(asked.weights)) if scored.questions.series else parts.by_type(asked.weights)
