"""Questions: factoid, list and other, alone or in series about a target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np

from karat.arrays import Bytes, Int32s
from karat.data.parameters import checked_noun
from karat.data.provenance import IN_MEMORY, Source
from karat.errors import Problem, UsageError

QuestionType = Literal["FACTOID", "LIST", "OTHER"]
TYPES: tuple[QuestionType, ...] = ("FACTOID", "LIST", "OTHER")
"""Roughly in the order in which a series asks them; OTHER (also: a definition) is scored by nuggets."""


@dataclass(frozen=True)
class Question:
    """One question; `series` is the id of its series, None if it is not in one."""

    id: str
    type: QuestionType
    text: str
    series: str | None = None


@dataclass(frozen=True)
class QuestionSeries:
    """Questions about one target, in the order they are asked."""

    id: str
    target: str
    questions: tuple[str, ...]
    kind: str | None = None
    """The kind of target (PERSON, ORG, THING) or of series (gathering, browsing), if known."""


class Exclusion(msgspec.Struct, frozen=True):
    """What was excluded from a test set: part of how it was read, and so of every signature."""

    exclude: tuple[str, ...] = ()


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class Questions:
    """A test set of questions in file order."""

    questions: tuple[Question, ...]
    series: tuple[QuestionSeries, ...] = ()
    source: Source = IN_MEMORY
    beside: tuple[Source, ...] = ()
    """Other files about the questions, such as the kinds of their targets."""
    excluded: tuple[str, ...] = ()
    """Questions and series excluded by the organiser, as named."""
    dropped: frozenset[str] = frozenset()
    """The questions excluded in this way; what other files say about them is ignored."""
    lost_other: frozenset[str] = frozenset()
    """Series whose OTHER question was excluded."""
    partial: bool = False
    """Whether other questions were asked too; what other files say about them is then ignored."""
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.questions)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.type_counts().items() if count)
        return f"<Questions: {self.source.name}, {len(self.series)} series, {counts}>"

    @property
    def sources(self) -> tuple[Source, ...]:
        """All files that the questions come from."""
        return self.source, *self.beside

    @property
    def reading(self) -> Exclusion:
        """How the test set was read, beyond what the file says."""
        return Exclusion(self.excluded)

    @cached_property
    def index(self) -> dict[str, int]:
        """The position of each question by its id."""
        return {question.id: place for place, question in enumerate(self.questions)}

    @cached_property
    def types(self) -> Bytes:
        """The position of each question's type in `TYPES`."""
        return np.array([TYPES.index(question.type) for question in self.questions], dtype=np.int8)

    @cached_property
    def series_of(self) -> Int32s:
        """The position of each question's series, -1 if it is not in one."""
        place = {series.id: at for at, series in enumerate(self.series)}
        return np.array([place.get(one.series or "", -1) for one in self.questions], dtype=np.int32)

    def type_counts(self) -> dict[str, int]:
        """How many questions of each type there are."""
        return {kind: sum(question.type == kind for question in self.questions) for kind in TYPES}

    def without(self, ids: Iterable[str]) -> Questions:
        """The test set without some questions or whole series, excluded by the organiser."""
        out = tuple(dict.fromkeys(ids))
        known = {*self.index, *(series.id for series in self.series)}
        for name in out:
            if name not in known:
                raise UsageError.unknown("question or series", name, known)
        kept = tuple(q for q in self.questions if q.id not in out and (q.series is None or q.series not in out))
        left = {question.id for question in kept}
        series = [replace(one, questions=tuple(q for q in one.questions if q in left)) for one in self.series]
        return replace(
            self,
            questions=kept,
            series=tuple(s for s in series if s.questions),
            excluded=self.excluded + out,
            dropped=self.dropped | (set(self.index) - left),
            lost_other=self.lost_other
            | {q.series for q in self.questions if q.type == "OTHER" and q.series and q.id not in left},
        )


def make_series(rows: Sequence[tuple[Question, str, str | None]]) -> tuple[QuestionSeries, ...]:
    """The series of questions given with their target and kind, in order of appearance."""
    met: dict[str, list[str]] = {}
    about: dict[str, tuple[str, str | None]] = {}
    for question, target, kind in rows:
        if question.series is not None:
            met.setdefault(question.series, []).append(question.id)
            about.setdefault(question.series, (target, kind))
    return tuple(QuestionSeries(name, about[name][0], tuple(ids), about[name][1]) for name, ids in met.items())
