"""Scores that TREC RAG stores, JSON lines: `qid` and six scores; under the qid `all` stand their means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from karat.data.arguments import checked
from karat.data.source import Source
from karat.errors import Problem, Problems
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.rows import read_rows, text_of

SCORES = (
    "strict_vital_score",
    "vital_score",
    "strict_weighted_score",
    "weighted_score",
    "strict_all_score",
    "all_score",
)
ALL = "all"


@dataclass(frozen=True, eq=False)
class RagMetrics:
    """Stored scores of one run, by name: of each topic, and their means where the file has them."""

    units: tuple[str, ...]
    scores: Mapping[str, NDArray[np.float64]]
    means: Mapping[str, float]
    source: Source
    warnings: tuple[Problem, ...] = ()

    def by_topic(self) -> dict[str, dict[str, float]]:
        """Every score, by the name it has here, topic by topic."""
        return {
            name.removesuffix("_score"): dict(zip(self.units, values.tolist(), strict=True))
            for name, values in self.scores.items()
        }


@checked
def read_rag_metrics(path: FilePath) -> RagMetrics:
    """The scores that somebody stored, for comparison."""
    problems = Problems()
    document = read_document(path, problems)
    made = None if document is None else parse_rag_metrics(document, problems)
    problems.raise_errors()
    assert made is not None
    return replace(made, warnings=problems.warnings)


def parse_rag_metrics(document: Document, problems: Problems) -> RagMetrics | None:
    """The same from a document at hand."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    if lacking := [name for name in ("qid", *SCORES) if name not in rows.columns]:
        found = f"no {', '.join(lacking)}"
        problems.add("columns", found, file=document.name, line=1, what=f"qid, {', '.join(SCORES)}")
        return None
    problems.recognise(document.name)
    found_at: dict[str, int] = {}
    for row, (value, line) in enumerate(zip(rows.columns["qid"], rows.lines, strict=True)):
        unit = (text_of(value) or "").strip()
        if unit in found_at:
            problems.add("duplicate-id", f"topic {unit!r} again", file=document.name, line=line)
        found_at.setdefault(unit, row)
        for name in SCORES:
            if not _is_score(rows.columns[name][row]):
                found = f"{name} {text_of(rows.columns[name][row])!r} of topic {unit!r}"
                problems.add("score", found, file=document.name, line=line)
    if problems.failed(document.name):
        return None
    mean = found_at.pop(ALL, None)
    return RagMetrics(
        units=tuple(found_at),
        scores={name: np.array([rows.columns[name][row] for row in found_at.values()], float) for name in SCORES},
        means={} if mean is None else {name: float(rows.columns[name][mean]) for name in SCORES},
        source=document.source,
    )


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
