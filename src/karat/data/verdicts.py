"""Verdicts: what people said of answer strings, and the verdict on each answer of each run that follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from karat.data.answers import NIL, Answers
from karat.data.arguments import checked_noun
from karat.data.source import IN_MEMORY, Source
from karat.errors import Problem

INCORRECT, UNSUPPORTED, INEXACT, CORRECT = range(4)
LETTERS = "WUXR"
"""How the four verdicts are written, by their codes."""
NAMES = ("incorrect", "unsupported", "inexact", "correct")
UNJUDGED = -1
ALONE = "\0"
"""Begins the name of a group of one string, and of no other."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Verdicts:
    """One row a judged [document, string] of a question; `groups` name what is the same answer, "" where none is said.

    A row that no run gave is the assessor's own: it counts among what is known.
    """

    units: tuple[str, ...]
    question: NDArray[np.int32]
    documents: tuple[str, ...]
    strings: tuple[str, ...]
    verdict: NDArray[np.int8]
    groups: tuple[str, ...]
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.strings)

    @cached_property
    def index(self) -> dict[tuple[int, str, str], int]:
        """The row of each judged [document, string]; blanks around and inside are no difference."""
        strings = [" ".join(string.split()) for string in self.strings]
        return {key: row for row, key in enumerate(zip(self.question.tolist(), self.documents, strings, strict=True))}

    def group_of(self, row: int) -> str:
        """The group of a row; of one without, the string itself is its group, which no group's name can be."""
        return self.groups[row] or f"{ALONE}{' '.join(self.strings[row].split()).casefold()}"

    def known(self, accepted: Iterable[int] = (CORRECT,)) -> list[set[str]]:
        """The distinct answers known to each question: the runs' and the assessor's own."""
        found: list[set[str]] = [set() for _ in self.units]
        right = np.isin(self.verdict, list(accepted))
        for row in np.flatnonzero(right).tolist():
            if self.documents[row] != NIL:
                found[self.question[row]].add(self.group_of(row))
        return found

    @cached_property
    def answerable(self) -> NDArray[np.bool_]:
        """Whether any correct answer to each question is known; where none is, NIL is right."""
        return np.array([bool(answers) for answers in self.known()], dtype=bool)


def judged(answers: Answers, verdicts: Verdicts) -> tuple[NDArray[np.int8], list[str]]:
    """The verdict on each row of the answers (-1: nobody judged it), and the distinct answer that each is.

    NIL is correct where no answer is known, whatever a row of the judgments says.
    """
    codes = np.full(len(answers), UNJUDGED, dtype=np.int8)
    distinct = [""] * len(answers)
    for row, (_, question, document, string) in enumerate(answers.rows()):
        if document == NIL:
            codes[row] = INCORRECT if verdicts.answerable[question] else CORRECT
            continue
        found = verdicts.index.get((question, document, " ".join(string.split())))
        if found is not None:
            codes[row] = verdicts.verdict[found]
            distinct[row] = verdicts.group_of(found)
    return codes, distinct
