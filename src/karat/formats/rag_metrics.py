"""Scores stored by TREC RAG, JSON lines: `qid` and six scores; the qid `all` has their means."""

from __future__ import annotations

from dataclasses import replace

from karat.align.columns import Columns
from karat.align.scores import make_rag_metrics
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


@checked
def read_rag_metrics(path: FilePath) -> RagMetrics:
    """Stored scores of one run, for comparison."""
    return read_one(metric_formats, path, make_rag_metrics)


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
    return replace(rows, values={name: rows.values[name] for name in ("qid", *SCORES)})
