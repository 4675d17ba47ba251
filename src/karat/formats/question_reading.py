"""From paths to questions, answers, verdicts, patterns and nuggets: every problem of every file, at once.

A format of these kinds is a function of the document, what it is held against, and where problems go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from karat.align.answers import AnswerColumns, align_answers
from karat.align.matches import MatchColumns, align_matches
from karat.align.patterns import PatternColumns, align_patterns
from karat.align.verdicts import VerdictColumns, align_verdicts
from karat.data.answers import Answers, merge_answers
from karat.data.arguments import checked
from karat.data.nuggets import Matches, Nuggets
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.errors import Problems
from karat.formats.documents import Document, FilePath, FilePaths, read_document
from karat.formats.reading import read_documents
from karat.formats.registry import (
    Formats,
    answer_formats,
    find_format,
    match_formats,
    nugget_formats,
    pattern_formats,
    question_formats,
    verdict_formats,
)
from karat.formats.target_types import set_target_types


@checked
def read_questions(
    path: FilePath, reader: str | None = None, exclude: Iterable[str] = (), target_types: FilePath | None = None
) -> Questions:
    """Questions, in series or alone; `exclude` takes questions or whole series out.

    `target_types` is a file that says of each target, in their order, what it is (`#PERSON Fred Durst`).
    """
    problems = Problems()
    document = read_document(path, problems)
    types = None if target_types is None else read_document(target_types, problems)
    questions: Questions | None = (
        None if document is None else parse(question_formats, document, None, reader, problems)
    )
    if questions is not None and types is not None:
        questions = set_target_types(questions, types, problems)
    problems.raise_errors()
    assert questions is not None
    return replace(questions, warnings=problems.warnings).without(exclude)


@checked
def read_answers(paths: FilePaths, questions: Questions, answers: Annotated[int, Meta(ge=1)] = 1) -> Answers:
    """What runs answered, from files or folders of them; `answers` is how many a factoid may have, ranked."""
    problems = Problems()
    parts = gather_answers(read_documents(paths, problems), questions, answers, problems)
    problems.raise_errors()
    return replace(merge_answers(parts), warnings=problems.warnings)


@checked
def read_verdicts(paths: FilePaths, questions: Questions) -> Verdicts:
    """What people said of answer strings, from files or folders of them."""
    problems = Problems()
    verdicts = gather_verdicts(read_documents(paths, problems), questions, problems)
    problems.raise_errors()
    assert verdicts is not None
    return replace(verdicts, warnings=problems.warnings)


@checked
def read_patterns(paths: FilePaths, questions: Questions, ignore_case: bool = False) -> Patterns:
    """Regular expressions that accept answers, from files or folders of them; case matters unless told otherwise."""
    problems = Problems()
    patterns = gather_patterns(read_documents(paths, problems), questions, problems)
    problems.raise_errors()
    assert patterns is not None
    patterns = replace(patterns, warnings=problems.warnings)
    return patterns.ignoring_case() if ignore_case else patterns


@checked
def read_nuggets(path: FilePath) -> Nuggets:
    """What answers should say."""
    problems = Problems()
    document = read_document(path, problems)
    nuggets = None if document is None else parse(nugget_formats, document, None, None, problems)
    problems.raise_errors()
    assert nuggets is not None
    return replace(nuggets, warnings=problems.warnings)


@checked
def read_matches(paths: FilePaths, nuggets: Nuggets) -> Matches:
    """Which nuggets runs' answers hold, from files or folders of them."""
    problems = Problems()
    matches = gather_matches(read_documents(paths, problems), nuggets, problems)
    problems.raise_errors()
    return replace(matches, warnings=problems.warnings)


def gather_matches(documents: Iterable[Document], nuggets: Nuggets, problems: Problems) -> Matches:
    """The matches of documents, wherever they came from; where one has errors its runs say little."""
    columns: list[MatchColumns] = _columns(match_formats, documents, nuggets, problems)
    tell_same_runs([(tuple(dict.fromkeys(one.run)), one.file) for one in columns], problems)
    return align_matches(nuggets, columns, problems)


def gather_verdicts(documents: Iterable[Document], questions: Questions, problems: Problems) -> Verdicts | None:
    """The verdicts of documents, taken together; None where there are none, or one has errors."""
    columns: list[VerdictColumns] = _columns(verdict_formats, documents, questions, problems)
    return align_verdicts(questions, columns, problems) if columns else None


def gather_patterns(documents: Iterable[Document], questions: Questions, problems: Problems) -> Patterns | None:
    """The patterns of documents, taken together; None where there are none, or one has errors."""
    columns: list[PatternColumns] = _columns(pattern_formats, documents, questions, problems)
    return align_patterns(questions, columns, problems) if columns else None


def _columns(formats: Formats, documents: Iterable[Document], against: Any, problems: Problems) -> list[Any]:
    """What readers make of documents, in their order; those of which nothing can be made are left out."""
    read = [read_as_found(formats, document, against, None, problems) for document in documents]
    return [one for one in read if one is not None]


def gather_answers(
    documents: Iterable[Document], questions: Questions, answers: int, problems: Problems
) -> list[Answers]:
    """The answers of documents, wherever they came from; those with errors are left out of what is returned."""
    parts: list[Answers] = []
    for document in documents:
        # Aligned even where the reader has told errors, so that all problems are told at once.
        columns: AnswerColumns | None = read_as_found(answer_formats, document, questions, None, problems)
        part = None if columns is None else align_answers(questions, columns, problems, answers)
        if part is not None:
            parts.append(part)
    tell_same_runs([(part.runs, part.sources[0].name) for part in parts], problems)
    return parts


def tell_same_runs(parts: Iterable[tuple[tuple[str, ...], str]], problems: Problems) -> None:
    """A run that two files hold is a problem."""
    home: dict[str, str] = {}
    for runs, file in parts:
        for run in runs:
            if run in home:
                problems.add("duplicate-run", f"a run {run!r} again (first {home[run]})", file=file)
            home.setdefault(run, file)


def parse(formats: Formats, document: Document, against: Any, named: str | None, problems: Problems) -> Any:
    """What a document holds, by the format it is in; None where it has errors."""
    made = read_as_found(formats, document, against, named, problems)
    return None if problems.failed(document.name) else made


def read_as_found(formats: Formats, document: Document, against: Any, named: str | None, problems: Problems) -> Any:
    """What a reader makes of a document, whatever it told of it; None where there is nothing to make."""
    entry = find_format(formats, document, named, problems)
    return None if entry is None else entry.function(document, against, problems)
