"""From nouns to files."""

from __future__ import annotations

import inspect
from pathlib import Path

from karat.data.answers import Answers
from karat.data.arguments import checked
from karat.data.nuggets import Matches, Nuggets
from karat.data.pairs import Pairs
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
    """Write a test set: RTE for .xml, else a table with common column names, or the format named."""
    suffix = Path(path).suffix
    _save(path, _call(pair_formats[writer or BY_SUFFIX.get(suffix, "table")], suffix, pairs))


@checked
def write_run(responses: Responses, run: int | str, path: FilePath, writer: str | None = None) -> None:
    """Write one run, by place or name: plain lines for .txt, else a table, or the format named; `-` prints it."""
    suffix = Path(path).suffix
    place = _place(responses, run)
    entry = run_formats[writer or ("plain" if suffix in (".txt", "") else "table")]
    _save(path, _call(entry, suffix, responses, place))


@checked
def write_scores(scores: Scores, path: FilePath) -> None:
    """A score matrix: one row per run, one column per unit; not scored is empty; clusters in a row of their own."""
    _save(path, _call(score_formats["table"], Path(path).suffix, scores))


@checked
def write_questions(questions: Questions, path: FilePath) -> None:
    """Questions as a table (.tsv, .csv, .jsonl, .parquet)."""
    _save(path, _call(question_formats["table"], Path(path).suffix, questions))


@checked
def write_answers(answers: Answers, path: FilePath) -> None:
    """What runs answered, as a table."""
    _save(path, _call(answer_formats["table"], Path(path).suffix, answers))


@checked
def write_verdicts(verdicts: Verdicts, path: FilePath) -> None:
    """Judgments, as a table."""
    _save(path, _call(verdict_formats["table"], Path(path).suffix, verdicts))


@checked
def write_nuggets(nuggets: Nuggets, path: FilePath) -> None:
    """Lists of nuggets, as a table."""
    _save(path, _call(nugget_formats["table"], Path(path).suffix, nuggets))


@checked
def write_matches(matches: Matches, path: FilePath) -> None:
    """Which nuggets answers hold, as a table."""
    _save(path, _call(match_formats["table"], Path(path).suffix, matches))


def _place(responses: Responses, run: int | str) -> int:
    """Where a run is, by its name or by its place."""
    if isinstance(run, str):
        if run not in responses.names:
            raise UsageError.unknown("run", run, responses.names)
        return responses.names.index(run)
    if not -len(responses) <= run < len(responses):
        raise UsageError(f"there are {len(responses)} runs, counted from 0, and no run {run}")
    return run


def _save(path: FilePath, data: bytes) -> None:
    if str(path) == "-":
        write_out(data)
    else:
        write_whole(path, data)


def _call(entry: Entry, suffix: str, *subject: object) -> bytes:
    """The format's bytes, in the carrier the suffix names where the format has several."""
    write = entry.facts["write"]
    if write is None:
        raise UsageError(f"{entry.kind} {entry.name} is only read, not written")
    if suffix and "suffix" in inspect.signature(write).parameters:
        return bytes(write(*subject, suffix=suffix))
    return bytes(write(*subject))
