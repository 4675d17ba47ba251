"""Answers of runs to questions, as one long table.

Each row is an answer string with the document it comes from: one row per factoid (or five, ranked), any number per list
or "other" question, and the sentences of a generated answer with the documents they cite.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from karat.arrays import Floats, Int32s, Ints
from karat.data.parameters import checked_noun
from karat.data.provenance import Source
from karat.errors import Problem

NIL = "NIL"
"""In place of a document: the collection contains no answer."""
DOCUMENT_SEPARATOR = ";"
"""Between the documents that one sentence cites."""
LengthPolicy = Literal["characters", "words", "nfkc_words"]
_BLANK = re.compile(r"\s+")
LENGTHS: dict[str, Callable[[str], int]] = {
    "characters": lambda text: len(_BLANK.sub("", text)),
    "words": lambda text: len(text.split()),
    "nfkc_words": lambda text: len(unicodedata.normalize("NFKC", text).split()),
}
"""The length of an answer: characters without white space, or words as counted by two tracks."""


def documents_of(cited: str) -> list[str]:
    """The documents that a sentence cites, each once and in order."""
    found = dict.fromkeys(one.strip() for one in cited.split(DOCUMENT_SEPARATOR))
    return [one for one in found if one and one != NIL]


@checked_noun
@dataclass(frozen=True, eq=False)
class Answers:
    """The rows of all runs: `run` and `question` are indices into `runs` and `units`; rows of a run are in file order.

    `units` are the ids of the questions (or topics) asked.
    """

    runs: tuple[str, ...]
    units: tuple[str, ...]
    run: Int32s
    question: Int32s
    documents: tuple[str, ...]
    strings: tuple[str, ...]
    confidence: Floats | None = None
    """The run's confidence in each row, if it states one."""
    ranks: Int32s | None = None
    """The rank of each row as numbered in its file; without it, rows are in rank order."""
    places: tuple[tuple[str, int | None], ...] = ()
    """File and line of each row, for later messages."""
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.strings)

    @cached_property
    def cell(self) -> Ints:
        """The number of each row's cell in the table of runs × units."""
        return self.run.astype(np.int64) * len(self.units) + self.question

    @cached_property
    def counts(self) -> Ints:
        """How many rows each run has for each question."""
        shape = len(self.runs), len(self.units)
        return np.bincount(self.cell, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def rank(self) -> Int32s:
        """The rank of each row among those of its run and question, from 1."""
        return self.order if self.ranks is None else self.ranks

    @cached_property
    def order(self) -> Int32s:
        """The position of each row among those of its run and question, from 1."""
        met: dict[int, int] = {}
        ranks = []
        for cell in self.cell.tolist():
            met[cell] = met.get(cell, 0) + 1
            ranks.append(met[cell])
        return np.array(ranks, dtype=np.int32)

    def rows(self) -> Iterator[tuple[int, int, str, str]]:
        """Run, question, document and string of every row."""
        yield from zip(self.run.tolist(), self.question.tolist(), self.documents, self.strings, strict=True)

    def judged_as(self, row: int) -> tuple[int, str, str]:
        """What the judgment of a row is looked up by: question, document and string, whatever its white space."""
        return int(self.question[row]), self.documents[row], " ".join(self.strings[row].split())

    def lengths(self, policy: LengthPolicy = "characters") -> Floats:
        """The total length of each run's answer to each question; 0 if it has none."""
        measured = np.array([LENGTHS[policy](string) for string in self.strings], dtype=np.float64)
        shape = len(self.runs), len(self.units)
        sums = np.bincount(self.cell, weights=measured, minlength=shape[0] * shape[1])
        return sums.reshape(shape).astype(np.float64)


def merge_answers(parts: Sequence[Answers]) -> Answers:
    """The answers in several files about the same questions; no run is in two of them.

    If only some files state confidence, it is NaN for the others.
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
