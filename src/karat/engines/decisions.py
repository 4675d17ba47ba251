"""Decisions: what an engine answers of each pair, how sure it is, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from karat.arrays import Floats
from karat.engines.text.trees import Side
from karat.errors import Problem
from karat.labels import Codes, Way


@dataclass(frozen=True)
class Span:
    """A stretch of T or H, in characters."""

    side: Side
    start: int
    end: int


@dataclass(frozen=True)
class Justification:
    """Why a pair is answered so, in a sentence or two, and the stretches of T and H that it rests on."""

    text: str
    evidence: tuple[Span, ...] = ()


@dataclass(frozen=True, eq=False)
class Answers:
    """The label code of each pair of a batch, and how sure it is that T entails H, between 0 and 1.

    The label is a step of that number, so that ranking by it and ranking by the answers agree.
    """

    codes: Codes
    confidence: Floats
    reasons: Mapping[int, str] = field(default_factory=dict)
    """What went wrong, by place in the batch, with the pairs that could not be answered; their codes do not count."""
    justifications: Sequence[Justification] | None = None
    """Of engines whose answers come with their justifications, which `explain` then gives back."""


def confidence_in_answer(answers: Answers) -> Floats:
    """How sure an engine is of its own answers: what run files hold, and what ranks the surest answer first."""
    return np.where(answers.codes == 0, answers.confidence, 1 - answers.confidence)


@dataclass(frozen=True)
class Failure:
    """A pair that an engine could not answer, and what went wrong."""

    place: int
    id: str
    reason: str


@dataclass(frozen=True, eq=False)
class Decisions:
    """Answers to a whole test set; a pair that failed is answered UNKNOWN (NO ENTAILMENT in two ways) at 0."""

    way: Way
    codes: Codes
    confidence: Floats
    """How sure it is of its answer."""
    justifications: tuple[Justification, ...] | None
    failures: tuple[Failure, ...]
    speechless: tuple[Failure, ...] = ()
    """Pairs that are answered, but whose justification failed."""
    warnings: tuple[Problem, ...] = ()
    """What was warned of when the engine's own files were read."""

    def __len__(self) -> int:
        return len(self.codes)


def join(parts: Sequence[Decisions], way: Way) -> Decisions:
    """Decisions on parts of a test set, in order, as one."""
    offset = 0
    failures: list[Failure] = []
    speechless: list[Failure] = []
    for part in parts:
        for found, own in ((failures, part.failures), (speechless, part.speechless)):
            found += [replace(failure, place=failure.place + offset) for failure in own]
        offset += len(part)
    explained = [part.justifications for part in parts if part.justifications is not None]
    return Decisions(
        way,
        np.concatenate([part.codes for part in parts]) if parts else np.zeros(0, dtype=np.int8),
        np.concatenate([part.confidence for part in parts]) if parts else np.zeros(0),
        tuple(one for part in explained for one in part) if explained or not parts else None,
        tuple(failures),
        tuple(speechless),
        tuple(dict.fromkeys(one for part in parts for one in part.warnings)),
    )
