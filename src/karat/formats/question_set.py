"""A whole test set of questions from its files; the problems of all files are reported together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from karat.align.columns import warnings_of
from karat.data.answers import Answers, merge_answers
from karat.data.nuggets import Matches, Nuggets
from karat.data.patterns import Patterns
from karat.data.provenance import QuestionFiles, Source
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.errors import Problems, UsageError
from karat.formats.accepted import gather_accepted
from karat.formats.answer_table import gather_answers
from karat.formats.documents import FilePath, read_documents
from karat.formats.nugget_table import gather_matches, parse_nuggets
from karat.formats.patterns import gather_patterns
from karat.formats.question_table import add_target_types, parse_questions
from karat.formats.verdict_table import gather_verdicts

N = TypeVar("N", Questions, Answers, Verdicts, Nuggets, Matches, Patterns)


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """The data of a test set; None for files that were not given or have errors."""

    questions: Questions | None
    answers: Answers | None
    verdicts: Verdicts | None
    nuggets: Nuggets | None
    matches: Matches | None
    patterns: Patterns | None
    sources: tuple[Source, ...]
    """All files that were read, including those with errors."""
    run_files: tuple[str, ...]
    """The names of the files of answers."""

    def nouns(self) -> dict[str, Any]:
        """The arguments of a study besides questions and answers."""
        given = {"verdicts": self.verdicts, "matches": self.matches, "patterns": self.patterns}
        return {name: noun for name, noun in given.items() if noun is not None}


def read_question_set(questions: FilePath, runs: FilePath | Iterable[FilePath], files: QuestionFiles) -> QuestionSet:
    """Read all files, or raise all their errors."""
    if files.nuggets is not None and not files.matches:
        raise UsageError("--nuggets needs the matches of nuggets with answers: --matches FILE")
    problems = Problems()
    found = gather_question_set(questions, runs, files, problems)
    problems.raise_errors()
    return found


def gather_question_set(
    questions: FilePath, runs: FilePath | Iterable[FilePath], files: QuestionFiles, problems: Problems
) -> QuestionSet:
    """Read all files as far as possible: without questions, nothing else can be checked."""
    sources: list[Source] = []
    documents = partial(read_documents, problems=problems, sources=sources)
    given = next(documents([questions]), None)
    asked = None if given is None else parse_questions(given, files.question_reader, problems)
    if asked is not None and files.target_types is not None:
        types = next(documents([files.target_types]), None)
        asked = None if types is None else add_target_types(asked, types, problems)
    if asked is None:
        named = tuple(document.name for document in documents(runs))  # they cannot be checked
        return QuestionSet(None, None, None, None, None, None, tuple(sources), named)
    asked = asked.without(files.exclude)
    answered = list(documents(runs))
    parts = gather_answers(answered, asked, files.answers, problems)
    verdicts = gather_verdicts(documents(files.judgments), asked, problems)
    patterns = gather_patterns(documents(files.patterns), asked, problems)
    listed = None if files.nuggets is None else next(documents([files.nuggets]), None)
    nuggets = None if listed is None else parse_nuggets(listed, problems)
    matches = None
    if nuggets is not None and files.matches:
        matches = gather_matches(documents(files.matches), nuggets, problems)
        matches = _with_warnings(replace(matches, nuggets=_with_warnings(matches.nuggets, problems)), problems)
    if files.accepted:
        patterns = gather_accepted(documents(files.accepted), asked, problems)
    if patterns is not None and files.ignore_case:
        patterns = patterns.ignoring_case()
    return QuestionSet(
        questions=_with_warnings(asked, problems),
        answers=_with_warnings(merge_answers(parts), problems) if parts else None,
        verdicts=None if verdicts is None else _with_warnings(verdicts, problems),
        nuggets=None if nuggets is None else _with_warnings(nuggets, problems),
        matches=matches,
        patterns=None if patterns is None else _with_warnings(patterns, problems),
        sources=tuple(sources),
        run_files=tuple(document.name for document in answered),
    )


def _with_warnings(noun: N, problems: Problems) -> N:
    sources = [noun.source] if isinstance(noun, Nuggets) else noun.sources
    return replace(noun, warnings=warnings_of(sources, problems))
