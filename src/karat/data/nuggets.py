"""Nuggets: what an answer should say, and which of it each run's answer says.

Degrees are runs × nuggets, nuggets sorted by topic, so that every count is one sum over neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.data.answers import LENGTHS, Answers, LengthPolicy
from karat.data.arguments import checked_noun
from karat.data.numbers import as_number
from karat.data.questions import Question, Questions
from karat.data.source import IN_MEMORY, Source
from karat.errors import Problem, UsageError
from karat.kernels.segments import segment_counts, segment_sums

Codes = NDArray[np.int8]
VITAL, OKAY, OTHER, ABSENT = range(4)
"""Importance of a nugget: OTHER is a label that is neither; ABSENT a nugget that a run was not held against."""
IMPORTANCES = ("vital", "okay")
NOT, PARTIAL, SUPPORT = range(3)
UNKNOWN = -1
"""No degree is known: the label means nothing."""
DEGREES = ("not_support", "partial_support", "support")
Missing = Literal["missing", "zero"]
_IMPORTANCE = {label: code for code, label in enumerate(IMPORTANCES)}
_DEGREE = {label: code for code, label in enumerate(DEGREES)}
_DEGREE_NUMBER = {0.0: NOT, 0.5: PARTIAL, 1.0: SUPPORT}


def importance_code(spelled: str) -> int:
    """VITAL or OKAY, whatever the case; OTHER where the label is neither."""
    return _IMPORTANCE.get(spelled.strip().casefold(), OTHER)


def degree_code(spelled: str) -> int:
    """How far a nugget is supported, in words or as 1, 0.5 or 0; UNKNOWN where the label says nothing of it."""
    plain = spelled.strip().casefold()
    return _DEGREE[plain] if plain in _DEGREE else _DEGREE_NUMBER.get(as_number(plain), UNKNOWN)


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class Nuggets:
    """The nuggets of every topic (a question, where questions are asked), sorted by topic.

    Several assessors may each have a list of their own for a topic; `of` takes one of them.
    """

    units: tuple[str, ...]
    topic: NDArray[np.int32]
    names: tuple[str, ...]
    texts: tuple[str, ...]
    importance: Codes
    spelled: tuple[str, ...]
    """The importance as the file spells it."""
    assessor: tuple[str, ...]
    weights: Floats | None = None
    """Pyramid weights, 0 to 1, where the file has them."""
    lines: tuple[int | None, ...] = ()
    """Where each nugget stands in its file, for what is told of it later."""
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        vital, okay = (int((self.importance == kind).sum()) for kind in (VITAL, OKAY))
        return f"<Nuggets: {self.source.name}, {len(self.units)} topics, {vital} vital, {okay} okay>"

    @property
    def assessors(self) -> tuple[str, ...]:
        """Whose lists these are, in the order they are met."""
        return tuple(dict.fromkeys(self.assessor))

    @cached_property
    def index(self) -> dict[tuple[str, str, str], int]:
        """The place of each nugget by assessor, topic and name."""
        topics = [self.units[topic] for topic in self.topic.tolist()]
        return {key: place for place, key in enumerate(zip(self.assessor, topics, self.names, strict=True))}

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where the nuggets of each topic end."""
        return np.searchsorted(self.topic, np.arange(len(self.units)), side="right")

    def places_of(self, assessor: str) -> NDArray[np.int64]:
        """The places of one assessor's nuggets."""
        if assessor not in self.assessors:
            raise UsageError.unknown("assessor", assessor, self.assessors)
        return np.flatnonzero(np.array(self.assessor) == assessor)

    @property
    def listed(self) -> NDArray[np.bool_]:
        """Which topics have nuggets at all: an assessor need not have a list of each."""
        return np.bincount(self.topic, minlength=len(self.units)) > 0

    def line_of(self, topic: str, assessor: str | None = None) -> int | None:
        """The first line about a topic, by one assessor or by any."""
        unit = self.units.index(topic)
        for at, line in enumerate(self.lines):
            if self.topic[at] == unit and assessor in (None, self.assessor[at]):
                return line
        return None

    def lists_without_vital(self) -> list[tuple[str, str]]:
        """Assessor and topic of every list that has nuggets and no vital one."""
        lists = dict.fromkeys(zip(self.topic.tolist(), self.assessor, strict=True))
        vital = {
            (topic, who)
            for topic, who, kind in zip(self.topic.tolist(), self.assessor, self.importance.tolist(), strict=True)
            if kind == VITAL
        }
        return [(who, self.units[topic]) for topic, who in lists if (topic, who) not in vital]

    def without_vital(self) -> tuple[str, ...]:
        """Topics whose nuggets are none of them vital, in order."""
        vital = np.bincount(self.topic[self.importance == VITAL], minlength=len(self.units))
        return tuple(topic for topic, count in zip(self.units, vital.tolist(), strict=True) if not count)

    def of(self, assessor: str) -> Nuggets:
        """One assessor's nuggets alone; the topics stay."""
        return self.take(self.places_of(assessor))

    def take(self, places: NDArray[np.int64]) -> Nuggets:
        """Some of the nuggets; the topics stay."""
        rows = places.tolist()
        return replace(
            self,
            topic=self.topic[places],
            names=tuple(self.names[row] for row in rows),
            texts=tuple(self.texts[row] for row in rows),
            spelled=tuple(self.spelled[row] for row in rows),
            assessor=tuple(self.assessor[row] for row in rows),
            importance=self.importance[places],
            weights=None if self.weights is None else self.weights[places],
            lines=tuple(self.lines[row] for row in rows) if self.lines else (),
        )


@dataclass(frozen=True)
class Junk:
    """A label that means nothing, where it stands."""

    run: str
    topic: str
    nugget: str
    what: Literal["importance", "assignment"]
    label: str


@checked_noun
@dataclass(frozen=True, eq=False)
class Matches:
    """Which nuggets each run's answers hold: degrees and importance (runs, nuggets).

    Importance is a run's own, since runs may have been held against lists of their own. `answered` (runs, topics) says
    which topics a run was judged on at all.
    """

    runs: tuple[str, ...]
    nuggets: Nuggets
    degree: Codes
    importance: Codes
    answered: NDArray[np.bool_]
    texts: tuple[tuple[str | None, ...], ...] = ()
    """What each run answered to each topic (runs, topics), where it is known."""
    junk: tuple[Junk, ...] = ()
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """(runs, topics): whether a run was held against any nugget of a topic; one without nuggets asks nothing."""
        counted = np.zeros(self.answered.shape)
        for run, there in enumerate(self.importance != ABSENT):
            counted[run] = np.bincount(self.nuggets.topic, there, minlength=len(self.nuggets.units))
        return np.asarray(((counted > 0) | ~self.nuggets.listed) & self.answered)

    def of(self, assessor: str) -> Matches:
        """One assessor's nuggets and matches alone; no file holds just these."""
        places = self.nuggets.places_of(assessor)
        return replace(
            self,
            sources=(),
            nuggets=replace(self.nuggets.take(places), source=IN_MEMORY),
            degree=self.degree[..., places],
            importance=self.importance[..., places],
        )

    def with_texts(self, answers: Answers) -> Matches:
        """The same with what runs answered, from files of their own.

        What those files do not say keeps what is known of it; of a run that they hold, nothing known is nothing said.
        """
        asked = ((run, unit) for run in answers.runs for unit in answers.units)
        said: dict[tuple[str, str], list[str]] = {cell: [] for cell in asked}
        for run, topic, _, string in answers.rows():
            said[answers.runs[run], answers.units[topic]].append(string)

        def text(run: str, topic: str, before: str | None) -> str | None:
            strings = said.get((run, topic))
            return before if strings is None or (not strings and before) else " ".join(strings)

        known = self.texts or [[None] * len(self.nuggets.units)] * len(self.runs)
        texts = tuple(
            tuple(text(run, topic, before) for topic, before in zip(self.nuggets.units, row, strict=True))
            for run, row in zip(self.runs, known, strict=True)
        )
        sources = tuple(dict.fromkeys([*self.sources, *answers.sources]))
        warnings = tuple(dict.fromkeys([*self.warnings, *answers.warnings]))
        return replace(self, texts=texts, sources=sources, warnings=warnings)

    def lengths(self, policy: LengthPolicy = "characters") -> Floats:
        """How long each run's answer to each topic is (runs, topics); NaN where it is not known."""
        if not self.texts:
            return np.full(self.answered.shape, np.nan)
        length = LENGTHS[policy]
        return np.array([[np.nan if one is None else length(one) for one in row] for row in self.texts])


@dataclass(frozen=True, eq=False)
class NuggetCounts:
    """Nuggets of a topic and those that an answer holds, by importance: each (…, topics, vital | okay | other).

    `weight` and the two beside it are the same as pyramid weights (…, topics); `length` is the answer's.
    """

    listed: Floats
    supported: Floats
    partial: Floats
    length: Floats
    weight: Floats
    weight_supported: Floats
    weight_partial: Floats
    missing: Missing = "missing"


def count_nuggets(matches: Matches, missing: Missing = "missing", length: LengthPolicy = "characters") -> NuggetCounts:
    """Count nuggets topic by topic. With `missing`, a label that means nothing takes its nugget out of the count.

    With `zero` such a nugget counts as listed and not supported, as scores that others stored have it.
    """
    nuggets = matches.nuggets
    codes: NDArray[np.uint8] = (matches.importance * 4 + matches.degree + 1).astype(np.uint8)
    if not matches.answered.all():  # a topic that nobody judged a run on has no nuggets for it
        codes = np.where(matches.answered[..., nuggets.topic], codes, np.uint8(ABSENT * 4 + NOT + 1))
    shape = codes.shape[:-1]
    codes = codes.reshape(int(np.prod(shape)), len(nuggets))
    traits = _traits(missing)
    counted = segment_counts(codes, traits, nuggets.ends)
    # Traits are far apart in memory and next to each other by index: measures pick one of them.
    by_kind = np.moveaxis(counted.reshape(3, 3, *shape, len(nuggets.units)), 1, -1)
    listed, supported, partial = by_kind
    if nuggets.weights is None:  # how important a nugget is to its one assessor: 1 or 0
        weight, weight_supported, weight_partial = (counts[..., VITAL] for counts in by_kind)
    else:
        of_any_kind = np.asarray(traits.reshape(-1, 3, 3).any(axis=-1))
        weighed = segment_sums(codes, of_any_kind, nuggets.weights, nuggets.ends)
        weight, weight_supported, weight_partial = weighed.reshape(3, *shape, len(nuggets.units))
    return NuggetCounts(
        listed=listed,
        supported=supported,
        partial=partial,
        length=matches.lengths(length),
        weight=weight,
        weight_supported=weight_supported,
        weight_partial=weight_partial,
        missing=missing,
    )


def _traits(missing: Missing) -> NDArray[np.bool_]:
    """What a nugget of each importance and degree (importance · 4 + degree + 1) counts as.

    Nine traits: listed, supported, partly supported, each as vital, okay or other.
    """
    table = np.zeros((16, 3, 3), dtype=np.bool_)
    for kind in (VITAL, OKAY) if missing == "missing" else (VITAL, OKAY, OTHER):
        for degree in (NOT, PARTIAL, SUPPORT) if missing == "missing" else (UNKNOWN, NOT, PARTIAL, SUPPORT):
            table[kind * 4 + degree + 1, :, kind] = True, degree == SUPPORT, degree == PARTIAL
    return table.reshape(16, 9)


def vote_weights(votes: Sequence[Sequence[int]], topic: NDArray[np.int32], topics: int) -> Floats:
    """Pyramid weights from several assessors' marks (nuggets × assessors, 1 vital): votes over the topic's most."""
    counts = np.asarray(votes, dtype=np.float64).sum(axis=-1)
    most = np.zeros(topics)
    np.maximum.at(most, topic, counts)
    return np.divide(counts, most[topic], out=np.zeros_like(counts), where=most[topic] > 0)


def with_votes(nuggets: Nuggets) -> Nuggets:
    """The same nuggets weighed by how many of the assessors whose lists hold them (by name) call them vital.

    `of` and `take` then give the list that runs were held against, with the weights of all.
    """
    cast: dict[tuple[int, str], int] = {}
    keys = list(zip(nuggets.topic.tolist(), nuggets.names, strict=True))
    for key, vital in zip(keys, (nuggets.importance == VITAL).tolist(), strict=True):
        cast[key] = cast.get(key, 0) + vital
    weights = vote_weights([[cast[key]] for key in keys], nuggets.topic, len(nuggets.units))
    return replace(nuggets, weights=weights, source=IN_MEMORY)


def pyramid(matches: Matches) -> Matches:
    """The same with pyramid weights: the file's own, or by the votes of several assessors; else there are none."""
    if matches.nuggets.weights is not None:
        return matches
    if len(matches.nuggets.assessors) < 2:
        raise UsageError("--recall pyramid: the nuggets have no weights, and one assessor alone cannot vote")
    # A parameter says that votes were counted: the file is still what is read.
    return replace(matches, nuggets=replace(with_votes(matches.nuggets), source=matches.nuggets.source))


def topics_as_questions(nuggets: Nuggets) -> Questions:
    """The topics as questions that are answered at will, for answers whose questions no file tells.

    The answers may be to other questions too, which have no nuggets.
    """
    asked = tuple(Question(topic, "OTHER", "") for topic in nuggets.units)
    return Questions(asked, source=nuggets.source, partial=True)
