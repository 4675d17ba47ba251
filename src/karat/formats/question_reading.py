"""Read questions, answers, verdicts, patterns and nuggets; the problems of all files are reported together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta

from karat.align.answers import align_answers
from karat.align.columns import Columns, report_same_runs
from karat.align.matches import align_matches, make_nuggets
from karat.align.patterns import align_patterns
from karat.align.questions import make_questions, set_target_types
from karat.align.verdicts import align_verdicts
from karat.data.answers import Answers, merge_answers
from karat.data.nuggets import Matches, Nuggets
from karat.data.parameters import checked
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.errors import Problems
from karat.formats.documents import Document, FilePath, FilePaths, read_document, read_documents
from karat.formats.registry import (
    Formats,
    answer_formats,
    match_formats,
    nugget_formats,
    pattern_formats,
    question_formats,
    read_columns,
    read_one,
    target_formats,
    verdict_formats,
    without_errors,
)


@checked
def read_questions(
    path: FilePath, reader: str | None = None, exclude: Iterable[str] = (), target_types: FilePath | None = None
) -> Questions:
    """Questions, in series or single; `exclude` lists questions or series to leave out.

    `target_types` is a file with the type of each target, in order (`#PERSON Fred Durst`).
    """
    problems = Problems()
    document = read_document(path, problems)
    types = None if target_types is None else read_document(target_types, problems)
    questions = None if document is None else parse_questions(document, reader, problems)
    if questions is not None and types is not None:
        questions = add_target_types(questions, types, problems)
    return without_errors(questions, problems).without(exclude)


@checked
def read_answers(paths: FilePaths, questions: Questions, answers: Annotated[int, Meta(ge=1)] = 1) -> Answers:
    """Answers of runs, from files or folders; a factoid may have up to `answers`, ranked."""
    problems = Problems()
    parts = gather_answers(read_documents(paths, problems), questions, answers, problems)
    problems.raise_errors()
    return without_errors(merge_answers(parts), problems)


@checked
def read_verdicts(paths: FilePaths, questions: Questions) -> Verdicts:
    """Verdicts on answers, from files or folders."""
    problems = Problems()
    return without_errors(gather_verdicts(read_documents(paths, problems), questions, problems), problems)


@checked
def read_patterns(paths: FilePaths, questions: Questions, ignore_case: bool = False) -> Patterns:
    """Regular expressions that accept answers, from files or folders; case matters unless `ignore_case`."""
    problems = Problems()
    patterns = without_errors(gather_patterns(read_documents(paths, problems), questions, problems), problems)
    return patterns.ignoring_case() if ignore_case else patterns


@checked
def read_nuggets(path: FilePath) -> Nuggets:
    """Lists of nuggets."""
    return read_one(nugget_formats, path, make_nuggets)


@checked
def read_matches(paths: FilePaths, nuggets: Nuggets) -> Matches:
    """The nuggets found in the answers of runs, from files or folders."""
    problems = Problems()
    return without_errors(gather_matches(read_documents(paths, problems), nuggets, problems), problems)


def parse_questions(document: Document, named: str | None, problems: Problems) -> Questions | None:
    """The questions in a document; None if it has errors."""
    columns = read_columns(question_formats, document, problems, named)
    return None if columns is None else make_questions(columns, problems)


def add_target_types(questions: Questions, document: Document, problems: Problems) -> Questions:
    """The questions with the types of targets in a document."""
    columns = read_columns(target_formats, document, problems)
    return questions if columns is None else set_target_types(questions, columns, problems)


def parse_nuggets(document: Document, problems: Problems) -> Nuggets | None:
    """The nuggets in a document; None if it has errors."""
    columns = read_columns(nugget_formats, document, problems)
    return None if columns is None else make_nuggets(columns, problems)


def gather_matches(documents: Iterable[Document], nuggets: Nuggets, problems: Problems) -> Matches:
    """The matches in documents; documents with errors yield incomplete runs."""
    columns = list(_columns(match_formats, documents, problems))
    report_same_runs([(list(dict.fromkeys(one["run"])), one.file) for one in columns], problems)
    return align_matches(nuggets, columns, problems)


def gather_verdicts(documents: Iterable[Document], questions: Questions, problems: Problems) -> Verdicts | None:
    """All verdicts in documents; None if there are none, or one has errors."""
    columns = list(_columns(verdict_formats, documents, problems))
    return align_verdicts(questions, columns, problems) if columns else None


def gather_patterns(documents: Iterable[Document], questions: Questions, problems: Problems) -> Patterns | None:
    """All patterns in documents; None if there are none, or one has errors."""
    columns = list(_columns(pattern_formats, documents, problems))
    return align_patterns(questions, columns, problems) if columns else None


def gather_answers(
    documents: Iterable[Document], questions: Questions, answers: int, problems: Problems
) -> list[Answers]:
    """The answers in documents, without those that have errors."""
    # Aligned even if the reader found errors, so that all problems of a file are reported together.
    columns = _columns(answer_formats, documents, problems)
    aligned = (align_answers(questions, one, problems, answers) for one in columns)
    parts = [part for part in aligned if part is not None]
    report_same_runs([(part.runs, part.sources[0].name) for part in parts], problems)
    return parts


def _columns(formats: Formats, documents: Iterable[Document], problems: Problems) -> Iterator[Columns]:
    read = (read_columns(formats, document, problems) for document in documents)
    return (one for one in read if one is not None)
