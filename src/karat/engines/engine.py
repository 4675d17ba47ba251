"""The one interface of engines: what they are made with, what they answer, and their registry.

An engine is made by a function registered under its name; what may stand in brackets after the name are that
function's parameters: `overlap(variant=idf)`. What it learns from labelled pairs is a struct that
is written as JSON, and by that it answers batches of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from karat.arrays import Floats, Ints
from karat.data.pairs import SETTING, Pairs
from karat.engines.batch import WORK, Batch, batches, work
from karat.engines.knowledge import Knowledge
from karat.engines.text.trees import Side
from karat.errors import Problem, UsageError
from karat.labels import Codes, Way
from karat.registry import Registry

HOMES = {
    "always-entailment": "karat.engines.trivial",
    "always-unknown": "karat.engines.trivial",
    "always-contradiction": "karat.engines.trivial",
    "majority": "karat.engines.trivial",
    "random": "karat.engines.trivial",
    "biased": "karat.engines.biased",
    "hypothesis-only": "karat.engines.hypothesis_only",
    "overlap": "karat.engines.overlap",
    "edit-distance": "karat.engines.edits.engine",
    "aligner": "karat.engines.aligner.engine",
    "linguistic": "karat.engines.linguistic",
    "neural": "karat.engines.neural.engine",
    "outside": "karat.engines.outside.engine",
}
engines = Registry("engine", "learns", "ways", "knows", "switches", "source", homes=HOMES)
"""learns: whether it takes training pairs ("no", "may", "must"); ways: "2", "3"; knows: which knowledge its answers
depend on ("dictionary", "trees"); switches: what `--without` may name;
source: a citation."""


@dataclass(frozen=True)
class Setup:
    """What every engine is made with."""

    knowledge: Knowledge
    way: Way
    seed: int = 0

    def without(self, name: str) -> bool:
        """Whether something is switched off."""
        return name in self.knowledge.without


class Training:
    """Labelled pairs to learn from: batches of them, and their codes in the engine's way."""

    def __init__(self, pairs: Pairs, setup: Setup, rows: Ints | None = None) -> None:
        labelled = np.flatnonzero(pairs.labels >= 0) if rows is None else rows
        self.pairs = pairs
        self.rows = labelled
        self._setup = setup

    @property
    def way(self) -> Way:
        """The labels that are learnt."""
        return self._setup.way

    @property
    def codes(self) -> Codes:
        """The label of each training pair."""
        codes = self.pairs.labels[self.rows]
        assert self.pairs.way is not None
        return codes if self.pairs.way is self.way else np.array(self.way.from_three, dtype=np.int8)[codes]

    @property
    def settings(self) -> list[str | None]:
        """The setting (task) of each training pair."""
        tasks = self.pairs.attributes.get(SETTING)
        return [tasks[row] if tasks else None for row in self.rows]

    def batches(self) -> Iterator[Batch]:
        """The training pairs, some at a time, in order."""
        for row in self.rows.tolist():
            if work(self.pairs.texts[row], self.pairs.hypotheses[row]) > WORK:
                raise UsageError(f"pair {self.pairs.ids[row]} of {self.pairs.source.name} is too long to learn from")
        yield from batches(self.pairs, self._setup.knowledge, rows=self.rows)


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
class BatchAnswers:
    """The label code of each pair of a batch, and how sure it is that T entails H, between 0 and 1.

    The label is a step of that number, so that ranking by it and ranking by the answers agree.
    """

    codes: Codes
    confidence: Floats
    reasons: Mapping[int, str] = field(default_factory=dict)
    """What went wrong, by place in the batch, with the pairs that could not be answered; their codes do not count."""
    justifications: Sequence[Justification] | None = None
    """Of engines whose answers come with their justifications, which `explain` then gives back."""


def confidence_in_answer(answers: BatchAnswers) -> Floats:
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


class Engine(Protocol):
    """A system that answers pairs.

    It may also say: `learns`, the type of what it learns, where that is no plain JSON; `names`, what it brings along
    that its answers depend on (a network, rules), for signatures; `warnings`, what was warned of when its own files
    were read; `grounds`, the checks that its answers rest on, which its justifications may mention; and `explain`
    (below), if it has words of its own.
    """

    def fit(self, training: Training) -> Any:
        """What the training pairs teach: JSON, or a struct of the type that `learns` names."""
        ...

    def answer(self, batch: Batch, learnt: Any) -> BatchAnswers:
        """A label and a confidence for each pair of the batch, by what was learnt."""
        ...


@runtime_checkable
class Explains(Protocol):
    """An engine that has words of its own; others are explained by what their batches show."""

    def explain(self, batch: Batch, answers: BatchAnswers, learnt: Any) -> Sequence[Justification]:
        """Why, for each pair of the batch."""
        ...
