"""Check: every problem of a test set and its runs (`karat check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import Annotated, ClassVar

from karat.data.fields import Why
from karat.data.provenance import QuestionFiles, Reading, Source
from karat.data.result import Column, Finding, Sheet
from karat.errors import Problem, Problems, summary
from karat.formats.decomposed import parse_test_set
from karat.formats.documents import Document, FilePath, read_documents
from karat.formats.registry import gather_runs
from karat.studies.base import StudyResult, study
from karat.studies.check_questions import NO_FILES, checked, kind_of
from karat.studies.wording import counted

MOST_PROBLEMS = 20
"""The most problems of one kind in one file that the table lists."""


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
    blind: bool = False
    """Whether the test set has no key, so that nothing can be scored."""
    sources: list[Source] = field(default_factory=list)
    """Every file that was read, including refused ones."""
    RECORDS: ClassVar[str] = "problems"

    @property
    def missing(self) -> str:
        """How pairs that a run does not answer are treated, for the signature."""
        return "refused"

    @property
    def failed(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def lines(self) -> list[str]:
        """The problems, one per line, with long lists of one kind cut short."""
        return [line for line in summary(self.problems).splitlines() if line]

    def make_sheets(self) -> list[Sheet]:
        """The problems as a table, with long lists of one kind cut short."""
        met: Counter[tuple[str, str]] = Counter()
        listed = []
        for one in self.problems:
            met[one.file, one.code] += 1
            listed += [one] if met[one.file, one.code] <= MOST_PROBLEMS else []
        notes = [
            f"{file}: {code}: {n} in total, {MOST_PROBLEMS} shown"
            for (file, code), n in met.items()
            if n > MOST_PROBLEMS
        ]
        place = Column("location", [":".join(str(p) for p in (one.file, one.line, one.column) if p) for one in listed])
        sheet = self.sheet("Problems", listed, place, "code found expected fix severity", notes=notes)
        return [sheet] if listed else []


def verdict(check: Check) -> Iterable[Finding]:
    """How many runs can be scored."""
    if check.units is None:
        yield Finding("The test set has errors, so no run was checked against it.")
    elif not check.runs:
        yield Finding(f"The test set has {check.units} {check.of}; no runs were given.")
    elif check.blind:
        yield Finding(
            f"{len(check.valid)} of {counted(check.runs, 'run')} {'answers' if len(check.valid) == 1 else 'answer'} "
            f"all {check.units} {check.of}; the test set has no key, so runs cannot be scored yet."
        )
    else:
        yield Finding(f"{len(check.valid)} of {counted(check.runs, 'run')} can be scored on {check.units} {check.of}.")


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
        return Check(**checked(kind, key, runs, files, problems))
    sources: list[Source] = []

    def noted(paths: FilePath | Iterable[FilePath]) -> Iterator[Document]:
        for document in read_documents(paths, problems):
            sources.append(document.source)
            yield document

    document = next(noted([key]), None)
    pairs = None if document is None else parse_test_set(document, reading, problems)
    if pairs is None:  # runs are still read, so that they are counted and signed
        count = len(list(noted(runs)))
        return Check(problems=list(problems), units=None, of="pairs", runs=count, valid=[], sources=sources)
    responses = gather_runs(noted(runs), pairs, reading, problems)
    if not pairs.blind and not any(problem.severity == "error" for problem in problems):
        responses.ways(reading.way, every_run=False)  # refuses --way 3 on a two-way key
    return Check(
        problems=list(problems),
        units=len(pairs),
        of="pairs",
        runs=len(sources) - 1,
        valid=list(responses.names),
        blind=pairs.blind,
        sources=sources,
    )
