"""Check: every problem of a test set and its runs (`karat check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from typing import Annotated, Any, ClassVar, Literal

from karat.align.columns import report_same_runs
from karat.data.fields import Why
from karat.data.nuggets import Nuggets
from karat.data.provenance import QuestionFiles, Reading, Source
from karat.data.records import Records, RowsAt
from karat.data.result import Checked, Field, Finding, Sheet
from karat.errors import Problem, Problems, summary
from karat.formats.decomposed import parse_test_set
from karat.formats.documents import FilePath, read_document, read_documents
from karat.formats.nugget_table import gather_matches, parse_nuggets
from karat.formats.pairs import read_key
from karat.formats.question_set import gather_question_set
from karat.formats.registry import Formats, nugget_formats, pair_formats, question_formats
from karat.formats.runs import gather_runs
from karat.formats.sniffing import Fit
from karat.studies.base import StudyResult, study
from karat.studies.qa.described import SetInNumbers, described
from karat.studies.qa.given import check_factoids, check_list, check_matches, refuse, unjudged
from karat.studies.wording import counted

MOST_PROBLEMS = 20
"""The most problems of one kind in one file that the table lists."""
Kind = Literal["pairs", "questions", "topics"]
NO_FILES = QuestionFiles()
FORMATS_OF_UNITS: dict[Kind, Formats] = {"pairs": pair_formats, "questions": question_formats, "topics": nugget_formats}


@dataclass(frozen=True, kw_only=True, repr=False)
class Check(StudyResult):
    """The result of `check`."""

    problems: Annotated[list[Problem], Why("the problem concerns the whole file, or the whole line")]
    units: Annotated[int | None, Why("the test set has errors")]
    """The number of pairs, questions or topics of the test set; None if it has errors."""
    of: str
    """The kind of units."""
    runs: int
    valid: list[str]
    """The runs without errors, which can be scored unless the test set is blind."""
    described: Annotated[SetInNumbers | None, Why("the test set has no questions, or it has errors")] = None
    """A test set of questions, or of nuggets, in numbers."""
    blind: bool = False
    """Whether the test set has no key, so that nothing can be scored."""
    sources: list[Source] = field(default_factory=list)
    """Every file that was read, including refused ones."""
    RECORDS: ClassVar[Records] = Records(
        "file, line, column, code, found, expected, fix, severity", RowsAt("problems.*")
    )

    @property
    def missing(self) -> str:
        """How pairs that a run does not answer are treated, for the signature."""
        return "refused"

    @property
    def failed(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def checks(self) -> list[Checked]:
        """One per file."""
        files = dict.fromkeys([*(one.name for one in self.sources), *(one.file for one in self.problems)])
        told = {file: [one for one in self.problems if one.file == file] for file in files}
        wrong = {file for file, found in told.items() if any(one.severity == "error" for one in found)}
        return [
            Checked(file, "failed" if file in wrong else "passed", summary(told[file]) or f"{file} has no problem")
            for file in files
        ]

    def lines(self) -> list[str]:
        """The problems, one per line, with long lists of one kind cut short."""
        return [line for line in summary(self.problems).splitlines() if line]

    def make_sheets(self) -> list[Sheet]:
        """The problems, with long lists of one kind cut short; and questions in numbers."""
        met: Counter[tuple[str, str]] = Counter()
        listed = []
        for one in self.problems:
            met[one.file, one.code] += 1
            listed += [one] if met[one.file, one.code] <= MOST_PROBLEMS else []
        notes = [
            f"{file}: {code}: {n:,} in total, {MOST_PROBLEMS} shown"
            for (file, code), n in met.items()
            if n > MOST_PROBLEMS
        ]
        place = Field("location", lambda one: ":".join(str(p) for p in (one.file, one.line, one.column) if p))
        sheet = self.sheet("Problems", listed, place, "code found expected fix severity", notes=notes)
        return [*([sheet] if listed else []), *([] if self.described is None else self.described.sheets())]


def verdict(check: Check) -> Iterable[Finding]:
    """How many runs can be scored."""
    if check.units is None:
        yield Finding("The test set has errors, so no run was checked against it.")
    elif not check.runs:
        yield Finding(f"The test set has {check.units:,} {check.of}; no runs were given.")
    elif check.blind:
        yield Finding(
            f"{len(check.valid):,} of {counted(check.runs, 'run')} {'answers' if len(check.valid) == 1 else 'answer'} "
            f"all {check.units:,} {check.of}; the test set has no key, so runs cannot be scored yet."
        )
    else:
        valid = f"{len(check.valid):,} of {counted(check.runs, 'run')}"
        yield Finding(f"{valid} can be scored on {check.units:,} {check.of}.")


@study("check", Reading, findings=(verdict,))
def check(
    key: FilePath, runs: FilePath | Iterable[FilePath], reading: Reading, *, files: QuestionFiles = NO_FILES
) -> Check:
    """Validate a test set of pairs, questions or nuggets, and runs on it; report every problem of every file.

    `files` are the further files of questions: judgments, nuggets and their matches, patterns. Whatever scoring would
    refuse is refused here, in the same words.
    """
    problems = Problems()
    runs = [runs] if isinstance(runs, str | PathLike) else list(runs)
    kind = "pairs" if reading.reader is not None else kind_of(key, files)
    if kind != "pairs":
        found = _topics(key, runs, problems) if kind == "topics" else _questions(key, runs, files, problems)
        return Check(**found, of=kind, problems=list(problems))
    sources: list[Source] = []
    noted = partial(read_documents, problems=problems, sources=sources)
    document = read_key(key, problems)
    if document is not None:
        sources.append(document.source)
    pairs = None if document is None else parse_test_set(document, reading, problems)
    if pairs is None:  # runs are still read, so that they are counted and signed
        count = len(list(noted(runs)))
        return Check(problems=list(problems), units=None, of="pairs", runs=count, valid=[], sources=sources)
    met: list[str] = []
    responses = gather_runs(noted(runs), pairs, reading, problems, met)
    if not pairs.blind and not any(problem.severity == "error" for problem in problems):
        responses.of_runs([]).ways(reading.way)  # refuses --way 3 on a two-way key; a two-way run is a problem
    return Check(
        problems=list(problems),
        units=len(pairs),
        of="pairs",
        runs=len(met),
        valid=list(responses.names),
        blind=pairs.blind,
        sources=sources,
    )


def kind_of(key: FilePath, files: QuestionFiles) -> Kind:
    """The kind of a test set, by its format; files that only questions have imply questions."""
    if files != NO_FILES:
        return "questions"
    document = None if str(key) == "-" else read_key(key, Problems())
    if document is None or not document.data:
        return "pairs"
    certain = [
        kind
        for kind, formats in FORMATS_OF_UNITS.items()
        if max(formats.fits(document).values(), default=0) >= Fit.CERTAIN
    ]
    return certain[0] if len(certain) == 1 else "pairs"


def _questions(key: FilePath, runs: Sequence[FilePath], files: QuestionFiles, problems: Problems) -> dict[str, Any]:
    found = gather_question_set(key, runs, files, problems)
    questions, answers = found.questions, found.answers
    if questions is not None and answers is not None and found.verdicts is not None:
        refuse(unjudged(answers, found.verdicts, questions), answers, questions, problems)
    if questions is not None and answers is not None:
        check_factoids(questions, answers, found.verdicts, problems)
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
        "described": None if questions is None else described(questions, found.verdicts, found.patterns, listed),
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
        "described": described(None, nuggets=listed),
        "sources": sources,
    }


def _check_vital(listed: Nuggets, problems: Problems) -> None:
    for assessor, topic in listed.lists_without_vital():
        whose = f" in the list of {assessor}" if len(listed.assessors) > 1 else ""
        line = listed.line_of(topic, assessor)
        problems.add("no-vital", f"no vital nugget for {topic!r}{whose}", file=listed.source.name, line=line)
