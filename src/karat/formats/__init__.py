"""File formats, one a file: how pairs and runs are read and written, and how a file finds its reader."""

from karat.formats import (
    answer_table,
    chaosnli,
    excitement,
    fracas,
    langpro,
    list_answers,
    match_table,
    nli,
    nugget_table,
    nuggetizer,
    patterns,
    plain,
    question_series,
    question_table,
    rag_metrics,
    rag_runs,
    rte,
    run_table,
    table,
    topics,
    trec_nuggets,
    verdict_table,
)
from karat.formats.ballots import read_ballots
from karat.formats.reading import read_pairs, read_runs
from karat.formats.registry import pair_formats, run_formats
from karat.formats.scores import read_scores
from karat.formats.weights import read_weights
from karat.formats.writing import write_pairs, write_run, write_scores

__all__ = [
    "answer_table",
    "chaosnli",
    "excitement",
    "fracas",
    "langpro",
    "list_answers",
    "match_table",
    "nli",
    "nugget_table",
    "nuggetizer",
    "pair_formats",
    "patterns",
    "plain",
    "question_series",
    "question_table",
    "rag_metrics",
    "rag_runs",
    "read_ballots",
    "read_pairs",
    "read_runs",
    "read_scores",
    "read_weights",
    "rte",
    "run_formats",
    "run_table",
    "table",
    "topics",
    "trec_nuggets",
    "verdict_table",
    "write_pairs",
    "write_run",
    "write_scores",
]
