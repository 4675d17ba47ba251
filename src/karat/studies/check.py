"""Check: everything that is wrong with a key and its runs (`karat check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from karat.data.reading import Reading
from karat.data.result import Column, Sheet
from karat.errors import Problem, Problems
from karat.formats.documents import FilePath
from karat.formats.reading import expand, gather_pairs, gather_runs
from karat.studies.base import StudyResult, finding, sign, study


@dataclass(frozen=True, kw_only=True)
class Check(StudyResult):
    """What `check` returns."""

    problems: list[Problem]
    pairs: int | None
    valid: list[str]
    """The runs that can be scored."""
    runs: int

    @property
    def failed(self) -> bool:
        """Whether anything is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def sheets(self) -> list[Sheet]:
        """How often each problem was met in each file; the problems themselves are printed line by line."""
        counts = Counter((problem.file, problem.code, problem.severity) for problem in self.problems)
        rows = list(counts)
        columns = (
            Column("file", [row[0] for row in rows]),
            Column("problem", [row[1] for row in rows]),
            Column("severity", [row[2] for row in rows]),
            Column("times", [counts[row] for row in rows]),
        )
        return [Sheet("Problems", columns)] if rows else []

    def table(self) -> Sheet:
        """The problems, one a row."""
        names = ("file", "line", "column", "code", "found", "expected", "fix", "severity")
        return Sheet("problems", tuple(Column(n, [getattr(one, n) for one in self.problems]) for n in names))


@study("check", Reading)
def check(key: FilePath, runs: Iterable[FilePath], reading: Reading) -> Check:
    """Validate a test set and runs against it; every problem of every file."""
    problems = Problems()
    pairs = gather_pairs(key, reading, problems)
    files = expand(runs)
    responses = gather_runs(files, pairs, reading, problems) if pairs is not None else None
    sources = [] if pairs is None else [pairs.source]
    sources += [] if responses is None else [info.source for info in responses.infos]
    return Check(
        study="check",
        signature=sign("check", reading, sources, missing="partial runs are refused"),
        problems=list(problems),
        pairs=None if pairs is None else len(pairs),
        valid=[] if responses is None else list(responses.names),
        runs=len(files),
    )


@finding("verdict", study="check")
def verdict(check: Check) -> Iterable[str]:
    """What can be scored."""
    if check.pairs is None:
        yield "The key has errors: nothing was checked against it."
    else:
        yield f"{len(check.valid)} of {check.runs} runs can be scored on {check.pairs} pairs."
