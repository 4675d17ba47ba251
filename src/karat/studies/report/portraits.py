"""Every run by itself: what any section of a report says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from karat.data.result import Column, Portrait, Result, Sheet
from karat.labels import WAYS
from karat.studies.score.result import Evaluation

NAMING = ("run", "run a", "run b")
"""Columns that say which run a row is of."""


def portraits(results: Sequence[Result]) -> list[Portrait]:
    """The runs in the order in which the sections name them."""
    sheets_of_all = [sheet for result in results for sheet in result.sheets()]
    sentences = [sentence for result in results for sentence in result.findings()]
    made = []
    for name in dict.fromkeys(name for sheet in sheets_of_all for name in _names(sheet)):
        sheets = [*_confusions(name, results), *(one for sheet in sheets_of_all for one in _alone(sheet, name))]
        whole_name = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        said = tuple(dict.fromkeys(sentence for sentence in sentences if whole_name.search(sentence)))
        made.append(Portrait(name, said, tuple(sheets)))
    return made


def named_run(cell: object) -> str:
    """The run that a cell names: a manual one has a star there, and a trivial system stands in brackets."""
    return str(cell).removesuffix("*")


def _names(sheet: Sheet) -> dict[str, None]:
    """The runs that a sheet has rows of; trivial systems are no runs."""
    cells = (value for column in sheet.columns if column.name == NAMING[0] for value in column.values)
    return dict.fromkeys(named_run(cell) for cell in cells if not str(cell).startswith("("))


def _alone(sheet: Sheet, name: str) -> Iterable[Sheet]:
    """The rows of one run, if any; a single row is turned, so that it is read from top to bottom."""
    naming = [column for column in sheet.columns if column.name in NAMING]
    cells = zip(*(column.values for column in naming), strict=True)
    rows = [row for row, named in enumerate(cells) if name in map(named_run, named)]
    if len(rows) > 1:
        yield Sheet(sheet.title, sheet.ordered(rows).columns)
    for row in rows if len(rows) == 1 else ():
        kept = [column for column in sheet.columns if column not in naming[:1] and column.values[row] is not None]
        texts = [column.text(column.values[row]) for column in kept]
        yield Sheet(sheet.title, (Column("what", [column.name for column in kept]), Column("value", texts)))


def _confusions(name: str, results: Iterable[Result]) -> Iterable[Sheet]:
    """What the run answered to the pairs of each label."""
    for result in results:
        if isinstance(result, Evaluation):
            for run in result.runs:
                for way, counts in run.table.items():
                    if run.run == name and counts is not None and way in result.shown:
                        labels = WAYS[way].labels
                        columns = [Column(label, [row[at] for row in counts], 0) for at, label in enumerate(labels)]
                        yield Sheet(f"Answers by key, {way}-way", (Column("key", list(labels)), *columns))
