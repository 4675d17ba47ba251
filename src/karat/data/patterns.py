"""Patterns: regular expressions that accept answers, an automatic judge of factoid and list questions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np

from karat.data.answers import NIL, Answers
from karat.data.source import IN_MEMORY, Source
from karat.data.verdicts import CORRECT, INCORRECT, UNSUPPORTED, Verdicts
from karat.errors import Problem, Problems

MAX_SEARCHED = 4096
"""How many characters of an answer a pattern is searched in: some take time that grows with a power of the length."""


class PatternReading(msgspec.Struct, frozen=True, kw_only=True):
    """How patterns are read."""

    ignore_case: bool = False


AS_THEY_ARE = PatternReading()


@dataclass(frozen=True)
class Pattern:
    """One accepted answer of a question; where documents are named, only they support it."""

    question: int
    regex: re.Pattern[str]
    documents: frozenset[str] = frozenset()

    def verdict(self, document: str, string: str) -> int:
        """Correct where it is found in the string (and the document supports it)."""
        if not self.regex.search(string, 0, MAX_SEARCHED):
            return INCORRECT
        return CORRECT if not self.documents or document in self.documents else UNSUPPORTED


@dataclass(frozen=True, eq=False)
class Patterns:
    """The patterns of every question, in file order. A question without any has no answer that is known."""

    units: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    reading: PatternReading = AS_THEY_ARE
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def of_question(self) -> list[list[tuple[int, Pattern]]]:
        """The patterns of each question, with their places."""
        found: list[list[tuple[int, Pattern]]] = [[] for _ in self.units]
        for place, pattern in enumerate(self.patterns):
            found[pattern.question].append((place, pattern))
        return found

    def ignoring_case(self) -> Patterns:
        """The same patterns, for which capital and small letters are no difference."""
        return replace(
            self,
            reading=PatternReading(ignore_case=True),
            patterns=tuple(
                replace(one, regex=re.compile(one.regex.pattern, one.regex.flags | re.IGNORECASE))
                for one in self.patterns
            ),
        )

    def judge(self, answers: Answers) -> Verdicts:
        """Verdicts on all that the runs answered, beside the patterns themselves as the answers known.

        Of several patterns that accept a string the first is the group it belongs to. Of an answer beyond all measure
        only the beginning is searched, which the warnings say.
        """
        rows: dict[tuple[int, str, str], tuple[int, str]] = {}
        # What the patterns know is nobody's answer: a run that gives a pattern's own text is judged like any other.
        own, given = "", set(answers.documents)
        while own in given:
            own += "pattern"
        for place, pattern in enumerate(self.patterns):
            rows[pattern.question, own, f"pattern {place + 1}"] = CORRECT, f"pattern {place + 1}"
        long = 0
        for _, question, document, string in answers.rows():
            key = question, document, " ".join(string.split())
            if document == NIL or key in rows:
                continue
            long += len(key[2]) > MAX_SEARCHED
            said = [(one.verdict(document, key[2]), place) for place, one in self.of_question[question]]
            best = max(said, key=lambda one: (one[0], -one[1]), default=(INCORRECT, -1))
            rows[key] = best[0], f"pattern {best[1] + 1}" if best[0] == CORRECT else ""
        return Verdicts(
            units=self.units,
            question=np.array([question for question, _, _ in rows], dtype=np.int32),
            documents=tuple(document for _, document, _ in rows),
            strings=tuple(string for _, _, string in rows),
            verdict=np.array([verdict for verdict, _ in rows.values()], dtype=np.int8),
            groups=tuple(group for _, group in rows.values()),
            source=self.source,
            warnings=self._told(long),
        )

    def _told(self, long: int) -> tuple[Problem, ...]:
        problems = Problems()
        if long:
            limit = f"{MAX_SEARCHED:,}"
            problems.add("long-answer", f"{long} longer than that", file=self.source.name or "patterns", limit=limit)
        return problems.warnings
