"""The counts that scores of questions are functions of; the last axis is questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Bytes, Floats
from karat.data.answers import NIL, Answers
from karat.data.verdicts import CORRECT, Verdicts, judged


@dataclass(frozen=True, eq=False)
class FirstRight:
    """The rank of the first right answer (…, questions); 0 if none is right, NaN if none was judged."""

    rank: Floats


@dataclass(frozen=True, eq=False)
class NilCounts:
    """The number of NILs given, of right ones among them, and of questions without a known answer: each (…)."""

    given: Floats
    right: Floats
    unanswerable: Floats


@dataclass(frozen=True, eq=False)
class ListCounts:
    """The numbers of distinct right answers, of answers given, and of distinct answers known: each (…, questions)."""

    distinct: Floats
    returned: Floats
    known: Floats


@dataclass(frozen=True, eq=False)
class TokenCounts:
    """The numbers of words shared with the accepted answer, of words given, and of words accepted: (…, questions).

    NaN where no accepted answer is given.
    """

    shared: Floats
    given: Floats
    accepted: Floats


@dataclass(frozen=True, eq=False)
class TypeMeans:
    """Mean scores of factoid, list and other questions: (…, 3); NaN for a type that does not occur."""

    means: Floats


@dataclass(frozen=True, eq=False)
class Judged:
    """Answers with their verdicts, from which all counts of questions are taken."""

    answers: Answers
    verdicts: Verdicts
    codes: Bytes
    distinct: list[str]

    @classmethod
    def of(cls, answers: Answers, verdicts: Verdicts) -> Judged:
        """Look up every answer among the judged ones."""
        return cls(answers, verdicts, *judged(answers, verdicts))

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of runs and questions."""
        return len(self.answers.runs), len(self.answers.units)

    def first_right(self, accepted: Sequence[int] = (CORRECT,), deepest: int = 5) -> FirstRight:
        """The rank of the first right answer among the first `deepest`."""
        rank = np.zeros(self.shape)
        right = np.isin(self.codes, accepted) & (self.answers.rank <= deepest)
        # From the last to the first, so that the first is kept.
        for row in np.flatnonzero(right)[::-1].tolist():
            rank[self.answers.run[row], self.answers.question[row]] = self.answers.rank[row]
        return FirstRight(rank)

    def nil_given(self) -> Floats:
        """Whether each run answers NIL to each question (runs, questions): 1 or 0."""
        given = np.zeros(self.shape)
        for run, question, document, _ in self.answers.rows():
            given[run, question] = max(given[run, question], document == NIL)
        return given

    def nil(self, asked: Bools) -> NilCounts:
        """NILs among the questions asked (a mask over questions)."""
        given = self.nil_given() * asked
        unanswerable = ~self.verdicts.answerable & asked
        return NilCounts(
            given.sum(axis=-1), (given * unanswerable).sum(axis=-1), np.asarray(unanswerable.sum(), dtype=np.float64)
        )

    def lists(self, accepted: Sequence[int] = (CORRECT,)) -> ListCounts:
        """Distinct right answers of each run to each question, compared with all known ones."""
        found: list[set[str]] = [set() for _ in range(self.shape[0] * self.shape[1])]
        for row in np.flatnonzero(np.isin(self.codes, accepted)).tolist():
            if self.answers.documents[row] != NIL and self.distinct[row]:
                found[self.answers.cell[row]].add(self.distinct[row])
        return ListCounts(
            distinct=np.array([len(answers) for answers in found], dtype=np.float64).reshape(self.shape),
            returned=self.answers.counts.astype(np.float64),
            known=np.array([len(answers) for answers in self.verdicts.known(accepted)], dtype=np.float64),
        )
