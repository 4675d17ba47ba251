"""What the scores of questions are functions of: counts with leading axes, the last one questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.data.answers import NIL, Answers
from karat.data.verdicts import CORRECT, Verdicts, judged


@dataclass(frozen=True, eq=False)
class FirstRight:
    """The rank of the first right answer (…, questions); 0 where none is right, NaN where none was judged."""

    rank: Floats


@dataclass(frozen=True, eq=False)
class NilCounts:
    """NILs that were given, those among them that are right, and questions without a known answer: each (…)."""

    given: Floats
    right: Floats
    unanswerable: Floats


@dataclass(frozen=True, eq=False)
class ListCounts:
    """Distinct right answers, answers given, and distinct answers known: each (…, questions)."""

    distinct: Floats
    returned: Floats
    known: Floats


@dataclass(frozen=True, eq=False)
class TypeMeans:
    """Mean scores of factoid, list and other questions: (…, 3); NaN of a type that is not there."""

    means: Floats


@dataclass(frozen=True, eq=False)
class Judged:
    """Answers with their verdicts: what every count of questions is taken from."""

    answers: Answers
    verdicts: Verdicts
    codes: NDArray[np.int8]
    distinct: list[str]

    @classmethod
    def of(cls, answers: Answers, verdicts: Verdicts) -> Judged:
        """Look up every answer among what was judged."""
        return cls(answers, verdicts, *judged(answers, verdicts))

    @property
    def shape(self) -> tuple[int, int]:
        """Runs and questions."""
        return len(self.answers.runs), len(self.answers.units)

    def first_right(self, accepted: Sequence[int] = (CORRECT,), deepest: int = 5) -> FirstRight:
        """Where the first right answer stands among the first `deepest`."""
        rank = np.zeros(self.shape)
        right = np.isin(self.codes, accepted) & (self.answers.rank <= deepest)
        # From the last to the first, so that the first is what stays.
        for row in np.flatnonzero(right)[::-1].tolist():
            rank[self.answers.run[row], self.answers.question[row]] = self.answers.rank[row]
        return FirstRight(rank)

    def nil(self, asked: NDArray[np.bool_]) -> NilCounts:
        """NILs among the questions asked (a mask over questions)."""
        given = np.zeros(self.shape)
        for run, question, document, _ in self.answers.rows():
            given[run, question] += document == NIL
        given = np.minimum(given, 1) * asked
        unanswerable = ~self.verdicts.answerable & asked
        return NilCounts(
            given.sum(axis=-1), (given * unanswerable).sum(axis=-1), np.asarray(unanswerable.sum(), dtype=np.float64)
        )

    def lists(self, accepted: Sequence[int] = (CORRECT,)) -> ListCounts:
        """Distinct right answers of each run to each question, against all that are known."""
        found: list[set[str]] = [set() for _ in range(self.shape[0] * self.shape[1])]
        for row in np.flatnonzero(np.isin(self.codes, accepted)).tolist():
            if self.answers.documents[row] != NIL:
                found[self.answers.cell[row]].add(self.distinct[row])
        return ListCounts(
            distinct=np.array([len(answers) for answers in found], dtype=np.float64).reshape(self.shape),
            returned=self.answers.counts.astype(np.float64),
            known=np.array([len(answers) for answers in self.verdicts.known(accepted)], dtype=np.float64),
        )
