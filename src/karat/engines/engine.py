"""The one interface of engines, and their registry.

An engine is made by a function registered under its name; what may stand in brackets after the name are that
function's parameters: `overlap(variant=idf)`. What it learns from labelled pairs is a struct that
is written as JSON, and by that it answers batches of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from karat.arrays import Ints
from karat.data.pairs import SETTING, Pairs
from karat.engines.batch import WORK, Batch, batches, work
from karat.engines.decisions import Answers, Justification
from karat.engines.knowledge import Knowledge
from karat.errors import UsageError
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
    "linguistic": "karat.engines.linguistic.engine",
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

    def answer(self, batch: Batch, learnt: Any) -> Answers:
        """A label and a confidence for each pair of the batch, by what was learnt."""
        ...


@runtime_checkable
class Explains(Protocol):
    """An engine that has words of its own; others are explained by what their batches show."""

    def explain(self, batch: Batch, answers: Answers, learnt: Any) -> Sequence[Justification]:
        """Why, for each pair of the batch."""
        ...
