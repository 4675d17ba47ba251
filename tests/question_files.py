"""Questions, answers, verdicts and patterns from files in memory: what is made of bytes, or what is said of them."""

from __future__ import annotations

from typing import Any

from karat.align.answers import align_answers
from karat.align.patterns import align_patterns
from karat.align.questions import make_questions
from karat.align.verdicts import align_verdicts
from karat.data.answers import Answers
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.errors import DataError, Problem, Problems
from karat.formats.documents import document_of
from karat.formats.registry import (
    Formats,
    answer_formats,
    pattern_formats,
    question_formats,
    read_columns,
    verdict_formats,
)

Content = str | bytes


def tabs(*rows: str) -> str:
    """Rows whose fields are given with | between, as tab-separated lines."""
    return "".join(row.replace("|", "\t") + "\n" for row in rows)


SERIES = tabs(
    "id|series|target|kind|type|question",
    "1.1|1|the river|THING|FACTOID|How long is it?",
    "1.2|1|the river|THING|FACTOID|Who dammed it?",
    "1.3|1|the river|THING|LIST|Which towns are on it?",
    "1.4|1|the river|THING|OTHER|Other",
)
"""One series of our own: two factoids, a list, and the rest."""


def _read(
    formats: Formats, content: Content, name: str, against: Questions | None, reader: str | None, **options: Any
) -> tuple[Any, list[Problem]]:
    problems = Problems()
    data = content.encode() if isinstance(content, str) else content
    document = document_of(name, data, problems)
    made: Any = None if document is None else read_columns(formats, document, problems, reader)
    if made is not None and formats is question_formats:
        made = make_questions(made, problems)
    if made is not None and against is not None:
        if formats is answer_formats:
            made = align_answers(against, made, problems, **options)
        elif formats is verdict_formats:
            made = align_verdicts(against, [made], problems)
        elif formats is pattern_formats:
            made = align_patterns(against, [made], problems)
    problems.raise_errors()
    assert made is not None
    return made, list(problems)


def questions_of(content: Content = SERIES, name: str = "questions.tsv", reader: str | None = None) -> Questions:
    """Questions; a `DataError` where the file has errors."""
    made: Questions = _read(question_formats, content, name, None, reader)[0]
    return made


def answers_of(
    content: Content, questions: Questions, name: str = "answers.tsv", reader: str | None = None, answers: int = 1
) -> Answers:
    """Aligned answers; a `DataError` where the file has errors."""
    made: Answers = _read(answer_formats, content, name, questions, reader, answers=answers)[0]
    return made


def verdicts_in(questions: Questions, *contents: str) -> tuple[Verdicts | None, Problems]:
    """Verdicts from several files, called 1, 2, …, and what is said of them."""
    problems = Problems()
    documents = [document_of(str(at), one.encode(), problems) for at, one in enumerate(contents, 1)]
    columns = [read_columns(verdict_formats, one, problems) for one in documents if one is not None]
    return align_verdicts(questions, [one for one in columns if one is not None], problems), problems


def verdicts_of(
    content: Content, questions: Questions, name: str = "verdicts.tsv", reader: str | None = None
) -> Verdicts:
    """Verdicts; a `DataError` where the file has errors."""
    made: Verdicts = _read(verdict_formats, content, name, questions, reader)[0]
    return made


def patterns_of(content: Content, questions: Questions, name: str = "patterns.txt") -> Patterns:
    """Patterns; a `DataError` where the file has errors."""
    made: Patterns = _read(pattern_formats, content, name, questions, None)[0]
    return made


def told(
    formats: Formats,
    content: Content,
    questions: Questions | None = None,
    name: str = "file.tsv",
    reader: str | None = None,
    **options: Any,
) -> list[Problem]:
    """Everything that a reader says of a file."""
    try:
        return _read(formats, content, name, questions, reader, **options)[1]
    except DataError as error:
        return list(error.problems)


def codes_and_lines(problems: list[Problem]) -> list[tuple[str, int | None]]:
    """Code and line of each problem."""
    return [(problem.code, problem.line) for problem in problems]
