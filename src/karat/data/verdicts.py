"""Verdicts of people on answer strings, and the resulting verdict on each answer of each run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from karat.arrays import Bools, Bytes, Int32s
from karat.data.answers import NIL, Answers
from karat.data.parameters import checked_noun
from karat.data.provenance import Source
from karat.errors import Problem

INCORRECT, UNSUPPORTED, INEXACT, CORRECT, LOCALLY_CORRECT = range(5)
LETTERS = "WUXRL"
"""How the verdicts are written, by their codes. Locally correct (TREC 2006): correct by its document, but another one
contradicts it; it does not count as correct."""
NAMES = ("incorrect", "unsupported", "inexact", "correct", "locally correct")
UNJUDGED = -1
STRICTEST_FIRST = (INCORRECT, UNSUPPORTED, INEXACT, LOCALLY_CORRECT, CORRECT)
"""Of verdicts that equally many assessors give, the first counts."""
SINGLE_STRING = "\0"
"""The first character of the name of a group of one string, and of no other."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Verdicts:
    """One row per judged [document, string] of a question; `groups` name equal answers, "" if none is given.

    A row that no run returned is the assessor's own, and counts among the known answers.
    """

    units: tuple[str, ...]
    question: Int32s
    documents: tuple[str, ...]
    strings: tuple[str, ...]
    verdict: Bytes
    groups: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()
    each: tuple[tuple[str, Verdicts], ...] = ()
    """If several assessors judged, what each of them said; the verdicts themselves are then those of the majority."""
    repeated: frozenset[tuple[str, int, str, str]] = frozenset()
    """Correct answers of a run (run, question, document, string) that repeat another one of its answers in other words,
    where the lists of each run were judged apart."""
    uncounted: frozenset[tuple[int, str, str]] = frozenset()
    """Judged answers (question, document, string) that are not counted among the known ones, which have them in other
    words."""

    @classmethod
    def of_majority(cls, each: Mapping[str, Verdicts]) -> Verdicts:
        """The verdict that most assessors give to each answer, the strictest of several; and what each of them said.

        The group of an answer is that of the first assessor who gave the verdict and a group. Groups of different
        assessors are different, since they name them as they like.
        """
        keys = dict.fromkeys(key for said in each.values() for key in said.index)
        rows = []
        for key in keys:
            found = [(name, said, said.index[key]) for name, said in each.items() if key in said.index]
            votes = Counter(int(said.verdict[row]) for _, said, row in found)
            verdict = max(STRICTEST_FIRST, key=lambda code: votes[code])
            agreeing = [one for one in found if one[1].verdict[one[2]] == verdict]
            group = next((f"{name}: {said.groups[row]}" for name, said, row in agreeing if said.groups[row]), "")
            rows.append((key[0], key[1], agreeing[0][1].strings[agreeing[0][2]], verdict, group))
        first = next(iter(each.values()))
        return cls(
            units=first.units,
            question=np.array([row[0] for row in rows], dtype=np.int32),
            documents=tuple(row[1] for row in rows),
            strings=tuple(row[2] for row in rows),
            verdict=np.array([row[3] for row in rows], dtype=np.int8),
            groups=tuple(row[4] for row in rows),
            sources=first.sources,
            each=tuple(each.items()),
        )

    def completed_by(self, others: Verdicts) -> Verdicts:
        """These verdicts, and others on the answers that have none."""
        rows = [row for key, row in others.index.items() if key not in self.index]
        return replace(
            self,
            question=np.concatenate([self.question, others.question[rows]]),
            documents=(*self.documents, *(others.documents[row] for row in rows)),
            strings=(*self.strings, *(others.strings[row] for row in rows)),
            verdict=np.concatenate([self.verdict, others.verdict[rows]]),
            groups=(*self.groups, *(others.groups[row] for row in rows)),
        )

    def __len__(self) -> int:
        return len(self.strings)

    @cached_property
    def index(self) -> dict[tuple[int, str, str], int]:
        """The row of each judged [document, string], ignoring differences in white space."""
        return {key: row for row, key in enumerate(self.keys)}

    @cached_property
    def keys(self) -> list[tuple[int, str, str]]:
        """Question, document and string of each row, with single blanks."""
        strings = [" ".join(string.split()) for string in self.strings]
        return list(zip(self.question.tolist(), self.documents, strings, strict=True))

    def group_of(self, row: int) -> str:
        """The group of a row; without one, the string itself, with a prefix that no group's name has."""
        return self.groups[row] or f"{SINGLE_STRING}{' '.join(self.strings[row].split()).casefold()}"

    def known(self, accepted: Iterable[int] = (CORRECT,)) -> list[set[str]]:
        """The distinct known answers to each question: the runs' and the assessor's own."""
        found: list[set[str]] = [set() for _ in self.units]
        right = np.isin(self.verdict, list(accepted))
        for row in np.flatnonzero(right).tolist():
            if self.documents[row] != NIL and self.keys[row] not in self.uncounted:
                found[self.question[row]].add(self.group_of(row))
        return found

    @cached_property
    def answerable(self) -> Bools:
        """Whether any correct answer to each question is known; if not, NIL is right."""
        return np.array([bool(answers) for answers in self.known()], dtype=bool)


def judged(answers: Answers, verdicts: Verdicts) -> tuple[Bytes, list[str]]:
    """The verdict on each row of the answers (-1: not judged), and the distinct answer that each row is, "" if none.

    NIL is correct if no answer is known, whatever a row of the judgments says.
    """
    codes = np.full(len(answers), UNJUDGED, dtype=np.int8)
    distinct = [""] * len(answers)
    for row, (run, question, document, string) in enumerate(answers.rows()):
        if document == NIL:
            codes[row] = INCORRECT if verdicts.answerable[question] else CORRECT
            continue
        key = question, document, " ".join(string.split())
        found = verdicts.index.get(key)
        if found is not None:
            codes[row] = verdicts.verdict[found]
            distinct[row] = "" if (answers.runs[run], *key) in verdicts.repeated else verdicts.group_of(found)
    return codes, distinct
