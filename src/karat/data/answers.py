"""Answers: what runs said to questions, as one long table.

A row is an answer string with the document it comes from: one a factoid (or five, ranked), any number a list or an
"other" question, the sentences of a generated answer with the documents they cite.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.data.arguments import checked_noun
from karat.data.source import Source
from karat.errors import Problem

NIL = "NIL"
"""In place of a document: no answer is in the collection."""
LengthPolicy = Literal["characters", "words", "nfkc_words"]
_BLANK = re.compile(r"\s+")
LENGTHS: dict[str, Callable[[str], int]] = {
    "characters": lambda text: len(_BLANK.sub("", text)),
    "words": lambda text: len(text.split()),
    "nfkc_words": lambda text: len(unicodedata.normalize("NFKC", text).split()),
}
"""What the length of an answer is: characters that are no white space, or words as two tracks count them."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Answers:
    """Rows of all runs: `run` and `question` are indices into `runs` and `units`; rows of a run in file order.

    `units` are the ids of the questions (or topics) that were asked.
    """

    runs: tuple[str, ...]
    units: tuple[str, ...]
    run: NDArray[np.int32]
    question: NDArray[np.int32]
    documents: tuple[str, ...]
    strings: tuple[str, ...]
    confidence: NDArray[np.float64] | None = None
    """Of each row, where the runs state one: how sure the run is of its answer."""
    ranks: NDArray[np.int32] | None = None
    """The rank of each row as its file numbers it; else rows stand in order."""
    places: tuple[tuple[str, int | None], ...] = ()
    """File and line of each row, for what is told of it later."""
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.strings)

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """The cell of runs × units that each row is in, counted through."""
        return self.run.astype(np.int64) * len(self.units) + self.question

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many rows each run gave to each question."""
        shape = len(self.runs), len(self.units)
        return np.bincount(self.cell, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """The rank of each row among those of its run and question, from 1."""
        if self.ranks is not None:
            return self.ranks
        return self.order

    @cached_property
    def order(self) -> NDArray[np.int32]:
        """The place of each row among those of its run and question, from 1."""
        met: dict[int, int] = {}
        ranks = []
        for cell in self.cell.tolist():
            met[cell] = met.get(cell, 0) + 1
            ranks.append(met[cell])
        return np.array(ranks, dtype=np.int32)

    def rows(self) -> Iterator[tuple[int, int, str, str]]:
        """Run, question, document and string of every row."""
        yield from zip(self.run.tolist(), self.question.tolist(), self.documents, self.strings, strict=True)

    def lengths(self, policy: LengthPolicy = "characters") -> NDArray[np.float64]:
        """How long what each run said to each question is; 0 where it said nothing."""
        measured = np.array([LENGTHS[policy](string) for string in self.strings], dtype=np.float64)
        shape = len(self.runs), len(self.units)
        sums = np.bincount(self.cell, weights=measured, minlength=shape[0] * shape[1])
        return sums.reshape(shape).astype(np.float64)


def merge_answers(parts: Sequence[Answers]) -> Answers:
    """The answers of several files about the same questions; no run is in two of them.

    Where only some files state confidence, that of the others is NaN.
    """
    first = parts[0]
    runs: list[str] = []
    shifted = []
    for part in parts:
        shifted.append(part.run + len(runs))
        runs += part.runs
    stated = [np.full(len(part), np.nan) if part.confidence is None else part.confidence for part in parts]
    return Answers(
        runs=tuple(runs),
        units=first.units,
        run=np.concatenate(shifted).astype(np.int32),
        question=np.concatenate([part.question for part in parts]),
        documents=tuple(document for part in parts for document in part.documents),
        strings=tuple(string for part in parts for string in part.strings),
        ranks=np.concatenate([part.rank for part in parts]),
        places=tuple(place for part in parts for place in part.places),
        confidence=None if all(part.confidence is None for part in parts) else np.concatenate(stated),
        sources=tuple(dict.fromkeys(source for part in parts for source in part.sources)),
        warnings=tuple(warning for part in parts for warning in part.warnings),
    )
