"""Patterns: regular expressions for accepted answers, an automatic judge of factoid and list questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from karat.arrays import Bools
from karat.data.answers import NIL, Answers
from karat.data.parameters import checked_noun
from karat.data.provenance import AS_THEY_ARE, PatternReading, Source
from karat.data.verdicts import CORRECT, INCORRECT, UNSUPPORTED, Verdicts
from karat.errors import Problem
from karat.kernels.regex import compile_regex


@dataclass(frozen=True)
class Pattern:
    """One accepted answer to a question; if documents are named, only these support it."""

    question: int
    spelled: str
    documents: frozenset[str] = frozenset()
    ignore_case: bool = False

    @cached_property
    def regex(self) -> Any:
        """The compiled expression; raises a `ValueError` with the reason if it is invalid."""
        return compile_regex(self.spelled, self.ignore_case)

    @cached_property
    def in_words(self) -> Any:
        """The same for whole words; as it is, if nothing can be put around it (`\\Q` without its end)."""
        try:
            return compile_regex(self.spelled, self.ignore_case, in_words=True)
        except ValueError:
            return self.regex

    def accepts(self, answer: str) -> bool:
        """Whether the expression is found in an answer."""
        return bool(self.regex.search(answer))

    def verdict(self, document: str, string: str) -> int:
        """Correct if it accepts the string (and the document supports it)."""
        if not self.accepts(string):
            return INCORRECT
        return CORRECT if not self.documents or document in self.documents else UNSUPPORTED


@checked_noun
@dataclass(frozen=True, eq=False)
class Patterns:
    """The patterns of every question, in file order; a question without any, and not in `nil`, is not covered."""

    units: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    nil: frozenset[int] = frozenset()
    """Questions without a known answer, according to the files."""
    left_out: int = 0
    """The number of patterns left out because they accept every string."""
    in_words: bool = False
    """Whether they are accepted answers in plain words, not regular expressions."""
    reading: PatternReading = AS_THEY_ARE
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def of_question(self) -> list[list[tuple[int, Pattern]]]:
        """The patterns of each question, with their places."""
        found: list[list[tuple[int, Pattern]]] = [[] for _ in self.units]
        for place, pattern in enumerate(self.patterns):
            found[pattern.question].append((place, pattern))
        return found

    @cached_property
    def covered(self) -> Bools:
        """The questions that they say something of."""
        return np.array([bool(own) or place in self.nil for place, own in enumerate(self.of_question)], dtype=bool)

    def ignoring_case(self) -> Patterns:
        """The same patterns, ignoring case."""
        patterns = tuple(replace(one, ignore_case=True) for one in self.patterns)
        return replace(self, reading=PatternReading(ignore_case=True), patterns=patterns)

    def judge(self, answers: Answers) -> Verdicts:
        """Verdicts on the runs' answers to covered questions, and the known answers: the patterns themselves.

        If several patterns accept a string, it belongs to the group of the first.
        """
        rows: dict[tuple[int, str, str], tuple[int, str]] = {}
        # Known answers are under a document of their own, so that a run that gives a pattern's text is judged like any
        # other.
        own, given = "", set(answers.documents)
        while own in given:
            own += "pattern"
        for place, pattern in enumerate(self.patterns):
            rows[pattern.question, own, f"pattern {place + 1}"] = CORRECT, group_of(place)
        for question in sorted(self.nil):
            rows[question, NIL, ""] = CORRECT, ""
        for _, question, document, string in answers.rows():
            key = question, document, " ".join(string.split())
            if document == NIL or key in rows or not self.covered[question]:
                continue
            said = [(one.verdict(document, key[2]), place) for place, one in self.of_question[question]]
            best = max(said, key=lambda one: (one[0], -one[1]), default=(INCORRECT, -1))
            rows[key] = best[0], group_of(best[1]) if best[0] == CORRECT else ""
        return Verdicts(
            units=self.units,
            question=np.array([question for question, _, _ in rows], dtype=np.int32),
            documents=tuple(document for _, document, _ in rows),
            strings=tuple(string for _, _, string in rows),
            verdict=np.array([verdict for verdict, _ in rows.values()], dtype=np.int8),
            groups=tuple(group for _, group in rows.values()),
            sources=self.sources,
        )

    def groups_of(self, verdicts: Verdicts) -> dict[tuple[int, str], str]:
        """The group people gave to what a pattern accepts, by question and the pattern's group."""
        found: dict[tuple[int, str], str] = {}
        for row in np.flatnonzero(verdicts.verdict == CORRECT).tolist():
            question, string = int(verdicts.question[row]), " ".join(verdicts.strings[row].split())
            for place, pattern in self.of_question[question]:
                if pattern.accepts(string):
                    found.setdefault((question, group_of(place)), verdicts.group_of(row))
        return found


def group_of(place: int) -> str:
    """The name of the answer that a pattern accepts."""
    return f"pattern {place + 1}"
