"""Nuggets, matches and generated answers in memory: what a reader makes of some bytes, or the problems it tells."""

from __future__ import annotations

from typing import Any

from karat.align.matches import align_matches, make_nuggets
from karat.data.nuggets import Matches, Nuggets
from karat.errors import DataError, Problem, Problems
from karat.formats.documents import document_of
from karat.formats.registry import Formats, answer_formats, match_formats, nugget_formats, read_columns

HEADER = "qid\tnugget\tassessor\timportance\ttext\n"
MATCHES = "run\tqid\tnugget\tassessor\tdegree\n"


def _parsed(formats: Formats, content: str | bytes, name: str, named: str | None) -> tuple[Any, Problems]:
    problems = Problems()
    document = document_of(name, content.encode() if isinstance(content, str) else content, problems)
    made: Any = None if document is None else read_columns(formats, document, problems, named)
    if made is not None and formats is nugget_formats:
        made = make_nuggets(made, problems)
    problems.raise_errors()
    assert made is not None
    return made, problems


def nuggets_in(content: str | bytes, name: str = "nuggets.tsv", reader: str | None = None) -> Nuggets:
    """The nuggets of a file; a `DataError` where it has errors."""
    made: Nuggets = _parsed(nugget_formats, content, name, reader)[0]
    return made


def nugget_problems(content: str | bytes, name: str = "nuggets.tsv") -> list[Problem]:
    """Everything the reader of a nugget file says."""
    try:
        return list(_parsed(nugget_formats, content, name, None)[1])
    except DataError as error:
        return list(error.problems)


def matches_in(
    nuggets: Nuggets, *files: str | bytes, suffix: str = ".tsv", reader: str | None = None
) -> tuple[Matches, list[Problem]]:
    """The matches of some files, called a, b, …, and what was told of them; a `DataError` where there are errors."""
    problems = Problems()
    columns = []
    for place, content in enumerate(files):
        columns.append(_parsed(match_formats, content, f"{chr(97 + place)}{suffix}", reader)[0])
    matches = align_matches(nuggets, columns, problems)
    problems.raise_errors()
    return matches, list(problems)


def match_problems(nuggets: Nuggets, *files: str | bytes, suffix: str = ".tsv") -> list[Problem]:
    """Everything that reading and aligning matches says."""
    try:
        return matches_in(nuggets, *files, suffix=suffix)[1]
    except DataError as error:
        return list(error.problems)


def answers_in(content: str | bytes, name: str = "run.jsonl", reader: str | None = None) -> tuple[Any, list[Problem]]:
    """The columns of a file of generated answers, and what was told."""
    made, problems = _parsed(answer_formats, content, name, reader)
    return made, list(problems)


def answer_problems(content: str | bytes, name: str = "run.jsonl") -> list[Problem]:
    """Everything the reader of generated answers says."""
    try:
        return answers_in(content, name)[1]
    except DataError as error:
        return list(error.problems)
