"""Nuggets: what an answer should say, and which of it each run's answer says.

Degrees are runs × nuggets, with nuggets sorted by topic, so that every count is a sum over neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints
from karat.data.answers import LENGTHS, Answers, LengthPolicy
from karat.data.parameters import checked_noun
from karat.data.provenance import IN_MEMORY, Source
from karat.data.questions import Question, Questions
from karat.errors import Problem, UsageError

VITAL, OKAY, NEITHER, NOT_JUDGED = range(4)
"""Importance of a nugget: NEITHER is another label; NOT_JUDGED is a nugget that a run was not judged on."""
IMPORTANCES = ("vital", "okay")
NOT, PARTIAL, SUPPORT = range(3)
UNKNOWN_DEGREE = -1
"""The degree is unknown, because the label has no meaning."""
DEGREES = ("not_support", "partial_support", "support")
CONTRADICTED = "contradicted"
"""A response says the contrary of a nugget: this is no support, and is counted."""


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class Nuggets:
    """The nuggets of every topic (or question), sorted by topic.

    Several assessors may each have their own list for a topic; `of` selects one of them.
    """

    units: tuple[str, ...]
    topic: Int32s
    names: tuple[str, ...]
    texts: tuple[str, ...]
    importance: Bytes
    spelled: tuple[str, ...]
    """The importance as spelled in the file."""
    assessor: tuple[str, ...]
    weights: Floats | None = None
    """Pyramid weights, 0 to 1, if the file has them."""
    lines: tuple[int | None, ...] = ()
    """The line of each nugget in its file, for later messages."""
    attributes: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    """What else the file says about each nugget: its sub-narrative, who wrote it, the accepted answers to it."""
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        vital, okay = (int((self.importance == kind).sum()) for kind in (VITAL, OKAY))
        return f"<Nuggets: {self.source.name}, {len(self.units)} topics, {vital} vital, {okay} okay>"

    @property
    def assessors(self) -> tuple[str, ...]:
        """The assessors, in order of appearance."""
        return tuple(dict.fromkeys(self.assessor))

    @cached_property
    def index(self) -> dict[tuple[str, str, str], int]:
        """The position of each nugget by assessor, topic and name."""
        topics = [self.units[topic] for topic in self.topic.tolist()]
        return {key: place for place, key in enumerate(zip(self.assessor, topics, self.names, strict=True))}

    @cached_property
    def ends(self) -> Ints:
        """The end of each topic's nuggets."""
        return np.searchsorted(self.topic, np.arange(len(self.units)), side="right")

    def places_of(self, assessor: str) -> Ints:
        """The positions of one assessor's nuggets."""
        if assessor not in self.assessors:
            raise UsageError.unknown("assessor", assessor, self.assessors)
        return np.flatnonzero(np.array(self.assessor) == assessor)

    @property
    def listed(self) -> Bools:
        """Which topics have nuggets: an assessor need not have a list for each."""
        return np.bincount(self.topic, minlength=len(self.units)) > 0

    def line_of(self, topic: str, assessor: str | None = None) -> int | None:
        """The first line about a topic, by one assessor or by any."""
        unit = self.units.index(topic)
        for at, line in enumerate(self.lines):
            if self.topic[at] == unit and assessor in (None, self.assessor[at]):
                return line
        return None

    def lists_without_vital(self) -> list[tuple[str, str]]:
        """Assessor and topic of every list of nuggets without a vital one."""
        lists = dict.fromkeys(zip(self.topic.tolist(), self.assessor, strict=True))
        vital = {
            (topic, who)
            for topic, who, kind in zip(self.topic.tolist(), self.assessor, self.importance.tolist(), strict=True)
            if kind == VITAL
        }
        return [(who, self.units[topic]) for topic, who in lists if (topic, who) not in vital]

    def without_vital(self) -> tuple[str, ...]:
        """The topics without a vital nugget, in order."""
        vital = np.bincount(self.topic[self.importance == VITAL], minlength=len(self.units))
        return tuple(topic for topic, count in zip(self.units, vital.tolist(), strict=True) if not count)

    def of(self, assessor: str) -> Nuggets:
        """One assessor's nuggets; topics are kept."""
        return self.take(self.places_of(assessor))

    def take(self, places: Ints) -> Nuggets:
        """Some of the nuggets; topics are kept."""
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
            attributes={name: tuple(values[row] for row in rows) for name, values in self.attributes.items()},
        )

    def attribute(self, name: str) -> tuple[str | None, ...]:
        """An attribute of every nugget."""
        if name not in self.attributes:
            raise UsageError.unknown("attribute of the nuggets", name, self.attributes)
        return self.attributes[name]


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
    """Which nuggets each run's answers contain: degrees and importance (runs, nuggets).

    Importance may differ between runs, since runs may have been judged on different lists. `answered` (runs, topics)
    says which topics a run was judged on at all.
    """

    runs: tuple[str, ...]
    nuggets: Nuggets
    degree: Bytes
    importance: Bytes
    answered: Bools
    contradicted: Bools | None = None
    """(runs, nuggets): what answers say the contrary of, which is no support; None if nobody judged that."""
    texts: tuple[tuple[str | None, ...], ...] = ()
    """The answer of each run to each topic (runs, topics), if it is known."""
    junk: tuple[Junk, ...] = ()
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def judged(self) -> Bools:
        """(runs, topics): whether a run was judged on any nugget of a topic, or on a topic without nuggets."""
        counted = np.zeros(self.answered.shape)
        for run, there in enumerate(self.importance != NOT_JUDGED):
            counted[run] = np.bincount(self.nuggets.topic, there, minlength=len(self.nuggets.units))
        return np.asarray(((counted > 0) | ~self.nuggets.listed) & self.answered)

    def of(self, assessor: str) -> Matches:
        """One assessor's nuggets and matches, without sources, since no file contains just these."""
        places = self.nuggets.places_of(assessor)
        return replace(
            self,
            sources=(),
            nuggets=replace(self.nuggets.take(places), source=IN_MEMORY),
            degree=self.degree[..., places],
            importance=self.importance[..., places],
            contradicted=None if self.contradicted is None else self.contradicted[..., places],
        )

    def by(self, name: str) -> tuple[Matches, list[tuple[int, str]]]:
        """The same with a list for each value of an attribute of a topic's nuggets, and the topic and value of each.

        Answers have no texts there, since the length of a part of an answer is not known.
        """
        nuggets = self.nuggets
        keys = list(zip(nuggets.topic.tolist(), (value or "" for value in nuggets.attribute(name)), strict=True))
        parts = list(dict.fromkeys(keys))
        number = {key: place for place, key in enumerate(parts)}
        part = np.array([number[key] for key in keys], dtype=np.int32)
        order = np.argsort(part, kind="stable")
        units = tuple(f"{nuggets.units[topic]}: {value}" for topic, value in parts)
        listed = replace(nuggets.take(order), units=units, topic=part[order], source=IN_MEMORY)
        made = replace(
            self,
            nuggets=listed,
            degree=self.degree[:, order],
            importance=self.importance[:, order],
            answered=self.answered[:, [topic for topic, _ in parts]],
            contradicted=None if self.contradicted is None else self.contradicted[:, order],
            texts=(),
            sources=(),
        )
        return made, parts

    def with_texts(self, answers: Answers) -> Matches:
        """The same matches with the runs' answers from separate files.

        Where those files say nothing, known answers are kept; for a run they contain, no known answer means an empty
        one.
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
        """The length of each run's answer to each topic (runs, topics); NaN if it is unknown."""
        if not self.texts:
            return np.full(self.answered.shape, np.nan)
        length = LENGTHS[policy]
        return np.array([[np.nan if one is None else length(one) for one in row] for row in self.texts])


def topics_as_questions(nuggets: Nuggets) -> Questions:
    """The topics as questions of type OTHER, for answers whose questions are in no file.

    There may be answers to other questions too, which have no nuggets.
    """
    asked = tuple(Question(topic, "OTHER", "") for topic in nuggets.units)
    return Questions(asked, source=nuggets.source, partial=True)
