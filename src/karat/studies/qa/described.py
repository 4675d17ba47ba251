"""A test set of questions in numbers: how many of each kind, and how much is known about each (`karat check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import Bools
from karat.data.fields import Shown
from karat.data.nuggets import OKAY, VITAL, Nuggets
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.result import Sheet
from karat.data.verdicts import Verdicts


@dataclass(frozen=True)
class Counted:
    """How many units of one kind the test set has."""

    what: Annotated[str, Shown("test set")]
    number: int


@dataclass(frozen=True)
class Amounts:
    """How much there is of something, unit by unit."""

    what: Annotated[str, Shown("amount")]
    units: int
    """Series, list questions with a known answer, or lists of nuggets."""
    total: int
    mean: Annotated[float, Shown(digits=1)]
    least: int
    median: Annotated[float, Shown(digits=1)]
    most: int


@dataclass(frozen=True)
class SetInNumbers:
    """The test set in numbers."""

    counts: list[Counted]
    amounts: list[Amounts]

    def sheets(self) -> list[Sheet]:
        """The counts, and the amounts by unit."""
        made = [Sheet.of("Questions of the test set", self.counts, "what number")] if self.counts else []
        columns = "what units total mean least median most"
        return [*made, *([Sheet.of("Amounts by unit", self.amounts, columns)] if self.amounts else [])]


def described(
    questions: Questions | None,
    verdicts: Verdicts | None = None,
    patterns: Patterns | None = None,
    nuggets: Nuggets | None = None,
) -> SetInNumbers:
    """Describe questions as far as the files go: their types, series, known answers and nuggets."""
    counts = [] if questions is None else [*_questions(questions), *_unanswerable(questions, verdicts, patterns)]
    amounts = [] if questions is None else [*_series(questions), *_answers(questions, verdicts, patterns)]
    return SetInNumbers(counts, [*amounts, *([] if nuggets is None else _nuggets(nuggets))])


def amounts_of(what: str, numbers: Sequence[int]) -> Iterator[Amounts]:
    """One row; none if there is no unit."""
    if numbers:
        found = np.array(numbers, dtype=np.int64)
        middle = float(np.median(found))
        yield Amounts(
            what, len(found), int(found.sum()), float(found.mean()), int(found.min()), middle, int(found.max())
        )


def _questions(questions: Questions) -> Iterator[Counted]:
    for kind, number in questions.type_counts().items():
        if number:
            yield Counted(f"{kind.lower()} questions", number)
    if questions.dropped:
        yield Counted("questions excluded", len(questions.dropped))
    if not questions.series:
        return
    yield Counted("series", len(questions.series))
    kinds = Counter(one.kind for one in questions.series if one.kind is not None)
    for kind, number in kinds.items():
        yield Counted(f"series: {kind}", number)
    types = {one.id: one.type for one in questions.questions}
    without = sum(all(types[name] != "LIST" for name in one.questions) for one in questions.series)
    yield Counted("series without a list question", without)
    if alone := sum(one.series is None for one in questions.questions):
        yield Counted("questions in no series", alone)


def _unanswerable(questions: Questions, verdicts: Verdicts | None, patterns: Patterns | None) -> Iterator[Counted]:
    """Factoid questions whose right answer is NIL, and those that the files do not mention."""
    factoids = questions.types == 0
    if verdicts is not None and (of_people := factoids & _judged(questions, verdicts)).any():
        yield Counted("factoid questions with no known answer (NIL)", int((of_people & ~verdicts.answerable).sum()))
        if silent := int((factoids & ~of_people).sum()):
            yield Counted("factoid questions without a judgment", silent)
    elif patterns is not None and (factoids & patterns.covered).any():
        # Files of patterns seldom name these questions, so none named does not mean that there are none.
        if nil := sum(bool(factoids[place]) for place in patterns.nil):
            yield Counted("factoid questions with no known answer (NIL)", nil)
        what = "accepted answer" if patterns.in_words else "pattern"
        if silent := int((factoids & ~patterns.covered).sum()):
            yield Counted(f"factoid questions without {'an' if patterns.in_words else 'a'} {what}", silent)


def _judged(questions: Questions, verdicts: Verdicts) -> Bools:
    there = np.zeros(len(questions), dtype=bool)
    there[verdicts.question] = True
    return there


def _series(questions: Questions) -> Iterator[Amounts]:
    yield from amounts_of("questions per series", [len(one.questions) for one in questions.series])


def _answers(questions: Questions, verdicts: Verdicts | None, patterns: Patterns | None) -> Iterator[Amounts]:
    """Distinct known answers per list question: people's, or else those that the patterns name."""
    lists = np.flatnonzero(questions.types == 1).tolist()
    known: list[int] = []
    if verdicts is not None:
        by_people = verdicts.known()
        known = [len(by_people[place]) for place in lists if by_people[place]]
    if not known and patterns is not None:
        known = [len(patterns.of_question[place]) for place in lists if patterns.of_question[place]]
    yield from amounts_of("known answers per list question", known)


def _nuggets(nuggets: Nuggets) -> Iterator[Amounts]:
    """Per list: each question has one, or one by each assessor."""
    lists = Counter(zip(nuggets.topic.tolist(), nuggets.assessor, strict=True))
    per = "question" if len(nuggets.assessors) < 2 else "list"
    yield from amounts_of(f"nuggets per {per}", list(lists.values()))
    for code, name in ((VITAL, "vital"), (OKAY, "okay")):
        these = np.flatnonzero(nuggets.importance == code).tolist()
        found = Counter((int(nuggets.topic[row]), nuggets.assessor[row]) for row in these)
        yield from amounts_of(f"{name} nuggets per {per}", [found[key] for key in lists])
