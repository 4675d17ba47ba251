"""Files in memory: what a reader makes of some bytes, as pairs, as a run, or as problems."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import openpyxl

from karat.data.pairs import Pairs
from karat.data.parameters import parameters
from karat.data.provenance import Reading
from karat.data.responses import Run
from karat.errors import DataError, Problem, Problems
from karat.formats.documents import document_of
from karat.formats.pairs import parse_pairs
from karat.formats.runs import parse_runs
from karat.labels import THREE, TWO

Content = str | bytes


def _bytes(content: Content) -> bytes:
    return content.encode() if isinstance(content, str) else content


def read_key(content: Content, name: str = "key.xml", **options: Any) -> Pairs:
    """The pairs of a key; a `DataError` where it has errors."""
    problems = Problems()
    document = document_of(name, _bytes(content), problems)
    pairs = None if document is None else parse_pairs(document, parameters(Reading, options), problems)
    problems.raise_errors()
    assert pairs is not None
    return pairs


def key_problems(content: Content, name: str = "key.xml", **options: Any) -> list[Problem]:
    """Everything a key's reader says."""
    try:
        return list(read_key(content, name, **options).warnings)
    except DataError as error:
        return list(error.problems)


def read_run(content: Content, key: Pairs, name: str = "run.txt", **options: Any) -> tuple[Run, list[Problem]]:
    """A run aligned with the key, and its warnings; a `DataError` where it has errors."""
    problems = Problems()
    document = document_of(name, _bytes(content), problems)
    runs = [] if document is None else parse_runs(document, key, parameters(Reading, options), problems)
    run = runs[0] if runs else None
    problems.raise_errors()
    assert run is not None
    return run, list(problems)


def run_problems(content: Content, key: Pairs, name: str = "run.txt", **options: Any) -> list[Problem]:
    """Everything a run's reader says."""
    try:
        return read_run(content, key, name, **options)[1]
    except DataError as error:
        return list(error.problems)


def workbook(*sheets: Sequence[Sequence[object]]) -> bytes:
    """An Excel workbook with these sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def codes_of(problems: list[Problem]) -> list[str]:
    """The codes alone."""
    return [problem.code for problem in problems]


def place_of(problem: Problem) -> tuple[str, int | None, int | None, str]:
    """Code, line, column and severity: what the specification fixes."""
    return problem.code, problem.line, problem.column, problem.severity


def key_of(*labels: str) -> Pairs:
    """A small key with pairs 1, 2, … of these labels."""
    rows = "".join(f"{place}\ta\tb\t{label}\n" for place, label in enumerate(labels, 1))
    return read_key("id\ttext\thypothesis\tlabel\n" + rows, "key.tsv")


def three_way() -> Pairs:
    """Pairs 1 to 3: ENTAILMENT, UNKNOWN, CONTRADICTION."""
    return key_of("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


def two_way() -> Pairs:
    """Pairs 1 to 3: YES, NO, NO."""
    return key_of("YES", "NO", "NO")


def labels_of(pairs: Pairs) -> list[str | None]:
    """The labels in words."""
    way = pairs.way or TWO
    return [way.labels[code] if code >= 0 else None for code in pairs.labels.tolist()]


def answers_of(run: Run) -> list[str | None]:
    """The answers in words, in the key's order."""
    return [run.info.way.labels[code] if code >= 0 else None for code in run.codes.tolist()]


E, U, C = THREE.labels
"""The three labels, for short."""
NO_E = TWO.labels[1]
