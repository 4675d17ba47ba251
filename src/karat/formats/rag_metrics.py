"""Scores stored by TREC RAG, JSON lines: `qid` and six scores; the qid `all` has their means."""

from __future__ import annotations

import numpy as np

from karat.align.columns import Columns, cell_text, text_of
from karat.data.parameters import checked
from karat.data.scores import RagMetrics
from karat.errors import Problems
from karat.formats.documents import Document, FilePath
from karat.formats.registry import metric_formats, read_one
from karat.formats.rows import read_rows
from karat.formats.sniffing import anything

SCORES = (
    "strict_vital_score",
    "vital_score",
    "strict_weighted_score",
    "weighted_score",
    "strict_all_score",
    "all_score",
)
ALL = "all"


@checked
def read_rag_metrics(path: FilePath) -> RagMetrics:
    """Stored scores of one run, for comparison."""
    return read_one(metric_formats, path, _metrics)


@metric_formats.register("rag", sniff=anything, what="TREC RAG scores, JSON lines: qid and six scores")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the ids of topics and the six scores."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    if lacking := [name for name in ("qid", *SCORES) if name not in rows.values]:
        found = f"no {', '.join(lacking)}"
        problems.add("columns", found, file=document.name, line=1, what=f"qid, {', '.join(SCORES)}")
        return None
    problems.recognise(document.name)
    return rows


def _metrics(rows: Columns, problems: Problems) -> RagMetrics | None:
    """Every topic must occur once, with scores from 0 to 1."""
    found_at: dict[str, int] = {}
    for row, value in enumerate(rows["qid"]):
        unit = cell_text(value)
        if unit in found_at:
            rows.report(problems, "duplicate-id", f"topic {unit!r} again", row)
        found_at.setdefault(unit, row)
        for name in SCORES:
            if not _is_score(rows[name][row]):
                rows.report(problems, "score", f"{name} {text_of(rows[name][row])!r} of topic {unit!r}", row)
    if problems.failed(rows.file):
        return None
    mean = found_at.pop(ALL, None)
    return RagMetrics(
        units=tuple(found_at),
        scores={name: np.array([rows[name][row] for row in found_at.values()], np.float64) for name in SCORES},
        means={} if mean is None else {name: float(rows[name][mean]) for name in SCORES},
        source=rows.source,
    )


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
