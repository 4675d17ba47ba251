"""Check test sets of questions and lists of nuggets (`karat check`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from karat.align.columns import report_same_runs
from karat.data.nuggets import Nuggets
from karat.data.provenance import QuestionFiles
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document, read_documents
from karat.formats.nugget_table import gather_matches, parse_nuggets
from karat.formats.question_set import gather_question_set
from karat.formats.registry import Fit, Formats, nugget_formats, pair_formats, question_formats
from karat.studies.qa.coverage import check_list, check_matches, refuse, unjudged

Kind = Literal["pairs", "questions", "topics"]
NO_FILES = QuestionFiles()
FORMATS: dict[Kind, Formats] = {"pairs": pair_formats, "questions": question_formats, "topics": nugget_formats}


def kind_of(key: FilePath, files: QuestionFiles) -> Kind:
    """The kind of a test set, by its format; files that only questions have imply questions."""
    if files != NO_FILES:
        return "questions"
    document = None if str(key) == "-" else read_document(key, Problems())
    if document is None or not document.data:
        return "pairs"
    certain = [kind for kind, formats in FORMATS.items() if Fit.CERTAIN in formats.fits(document).values()]
    return certain[0] if len(certain) == 1 else "pairs"


def checked(
    kind: Kind, key: FilePath, runs: Sequence[FilePath], files: QuestionFiles, problems: Problems
) -> dict[str, Any]:
    """The fields of the result; anything that scoring would leave out is an error here."""
    found = _topics(key, runs, problems) if kind == "topics" else _questions(key, runs, files, problems)
    return {**found, "of": kind, "problems": list(problems)}


def _questions(key: FilePath, runs: Sequence[FilePath], files: QuestionFiles, problems: Problems) -> dict[str, Any]:
    found = gather_question_set(key, runs, files, problems)
    questions, answers = found.questions, found.answers
    if questions is not None and answers is not None and found.verdicts is not None:
        refuse(unjudged(answers, found.verdicts, questions), answers, questions, problems)
    refused = [file for file in found.run_files if problems.failed(file)]
    listed = found.nuggets if found.matches is None else found.matches.nuggets
    if listed is not None:
        if questions is not None:
            check_list(questions, listed, problems)
        _check_vital(listed, problems)
    if questions is not None and answers is not None and found.matches is not None and not refused:
        check_matches(questions, answers, found.matches, problems)
    homes: dict[str, str] = {}
    if answers is not None:
        for run, (file, _) in zip(answers.run.tolist(), answers.places, strict=True):
            homes[answers.runs[run]] = file
    # The runs of a refused file are unknown; it counts as one.
    unnamed = [file for file in found.run_files if file not in homes.values()]
    others_fail = any(problem.severity == "error" and problem.file not in found.run_files for problem in problems)
    return {
        "units": None if questions is None else len(questions),
        "runs": len(homes) + len(unnamed),
        "valid": [] if others_fail else [name for name, file in homes.items() if not problems.failed(file)],
        "sources": list(found.sources),
    }


def _topics(key: FilePath, runs: Sequence[FilePath], problems: Problems) -> dict[str, Any]:
    """Check a list of nuggets and the matches with it."""
    document = read_document(key, problems)
    listed = None if document is None else parse_nuggets(document, problems)
    given = list(read_documents(runs, problems))
    sources = [one.source for one in ([] if document is None else [document]) + given]
    if listed is None:
        return {"units": None, "runs": len(given), "valid": [], "sources": sources}
    parts = [(gather_matches([one], listed, problems).runs, one.name) for one in given]
    report_same_runs(parts, problems)
    homes = {run: file for names, file in parts for run in names}
    _check_vital(listed, problems)
    unnamed = len(given) - len(set(homes.values()))
    failed = document is not None and problems.failed(document.name)
    return {
        "units": len(listed.units),
        "runs": len(homes) + unnamed,
        "valid": [] if failed else [run for run, file in homes.items() if not problems.failed(file)],
        "sources": sources,
    }


def _check_vital(listed: Nuggets, problems: Problems) -> None:
    for assessor, topic in listed.lists_without_vital():
        whose = f" in the list of {assessor}" if len(listed.assessors) > 1 else ""
        line = listed.line_of(topic, assessor)
        problems.add("no-vital", f"no vital nugget for {topic!r}{whose}", file=listed.source.name, line=line)
