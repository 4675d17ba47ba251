"""Write data to files."""

from __future__ import annotations

import inspect
from pathlib import Path

from karat.data.answers import Answers
from karat.data.nuggets import Matches, Nuggets
from karat.data.pairs import Pairs
from karat.data.parameters import checked
from karat.data.questions import Questions
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.verdicts import Verdicts
from karat.errors import UsageError
from karat.files import write_out, write_whole
from karat.formats.documents import FilePath
from karat.formats.registry import (
    answer_formats,
    match_formats,
    nugget_formats,
    pair_formats,
    question_formats,
    run_formats,
    score_formats,
    verdict_formats,
)
from karat.registry import Entry

BY_SUFFIX = {".xml": "rte"}


@checked
def write_pairs(pairs: Pairs, path: FilePath, writer: str | None = None) -> None:
    """Write a test set in the format `writer`, by default RTE for .xml and a table otherwise."""
    _write(pair_formats[writer or BY_SUFFIX.get(Path(path).suffix, "table")], path, pairs)


@checked
def write_run(responses: Responses, run: int | str, path: FilePath, writer: str | None = None) -> None:
    """Write one run, by index or name: plain lines for .txt, else a table, or the format `writer`; `-` prints it."""
    place = _place(responses, run)
    entry = run_formats[writer or ("plain" if Path(path).suffix in (".txt", "") else "table")]
    _write(entry, path, responses, place)


@checked
def write_scores(scores: Scores, path: FilePath) -> None:
    """Write a score matrix: one row per run, one column per unit, empty if not scored; clusters are a separate row."""
    _write(score_formats["table"], path, scores)


@checked
def write_questions(questions: Questions, path: FilePath) -> None:
    """Write questions as a table (.tsv, .csv, .jsonl, .parquet)."""
    _write(question_formats["table"], path, questions)


@checked
def write_answers(answers: Answers, path: FilePath) -> None:
    """Write the answers of runs as a table."""
    _write(answer_formats["table"], path, answers)


@checked
def write_verdicts(verdicts: Verdicts, path: FilePath) -> None:
    """Write judgments as a table."""
    _write(verdict_formats["table"], path, verdicts)


@checked
def write_nuggets(nuggets: Nuggets, path: FilePath) -> None:
    """Write lists of nuggets as a table."""
    _write(nugget_formats["table"], path, nuggets)


@checked
def write_matches(matches: Matches, path: FilePath) -> None:
    """Write the nuggets found in answers as a table."""
    _write(match_formats["table"], path, matches)


def _place(responses: Responses, run: int | str) -> int:
    if isinstance(run, str):
        if run not in responses.names:
            raise UsageError.unknown("run", run, responses.names)
        return responses.names.index(run)
    if not -len(responses) <= run < len(responses):
        raise UsageError(f"there is no run {run}: the {len(responses)} runs are counted from 0")
    return run


def _write(entry: Entry, path: FilePath, *subject: object) -> None:
    """Write the data in a format, with the type of table that the suffix names if the format has several."""
    write, suffix = entry.facts["write"], Path(path).suffix
    if write is None:
        raise UsageError(f"{entry.kind} {entry.name} is only read, not written")
    carried = {"suffix": suffix} if suffix and "suffix" in inspect.signature(write).parameters else {}
    data = bytes(write(*subject, **carried))
    if str(path) == "-":
        write_out(data)
    else:
        write_whole(path, data)
