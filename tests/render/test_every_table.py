"""Every table of every study, on the shipped examples: ready for a paper, and for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from tools.examples import EVERYTHING, result_of
from tools.schemas import commands

from karat.render import render
from karat.studies.base import StudyResult
from tests.render.test_bibliography import keys_of, unexplained
from tests.render.test_latex import INSTALLED, check_tables, compiled

IDENTIFIER = re.compile(r"[a-z0-9]_[a-z0-9]")
CATALOGUES = ("engines", "formats", "measures", "page")
"""Their tables list what can be typed."""

UNCITED = ("check", "items", "sample", "formats", "sheet", "adjudicate")
"""Commands without a measure or a method of somebody else."""


def identifiers(result: StudyResult) -> list[str]:
    """Names of the program in what people read: tables, findings, figures."""
    sheets, charts = result.every_sheet(), result.charts()
    read = [text for sheet in sheets for text in (sheet.title, *sheet.notes)]
    read += [text for sheet in sheets for row in sheet.rows() for text in row]
    read += [column.heading for sheet in sheets for column in sheet.columns]
    read += [text for chart in charts for text in (chart.title, chart.note, chart.caption)]
    return [text for text in (*read, *result.findings()) if IDENTIFIER.search(text)]


@pytest.mark.parametrize("command", [*(name for name in commands() if name not in CATALOGUES), "everything"])
def test_people_read_words(command: str) -> None:
    """Not mean_recall or tau_ap; these are for JSON and CSV. An interval has one column, headed as such."""
    result = result_of("report", EVERYTHING) if command == "everything" else result_of(command)
    assert identifiers(result) == []
    headings = {column.heading for sheet in result.every_sheet() for column in sheet.columns}
    assert not headings & {"low", "high", "from", "to"}


def test_identifiers_are_found() -> None:
    """The catalogue of measures has nothing but these."""
    assert "mean_recall" in identifiers(result_of("measures"))


@pytest.mark.parametrize("command", commands())
def test_tables(command: str, tmp_path: Path) -> None:
    """LaTeX is whole, plain, and fits papers of one column and of two; CSV has every row; what is cited is BibTeX."""
    result = result_of(command)
    text = render(result, "latex")
    assert check_tables(text) == len(result.every_sheet())
    assert re.sub("^%.*", "", text, flags=re.MULTILINE).isascii()
    for number, sheet in enumerate(result.every_sheet(), 1):
        assert render(result, "latex", str(number)).partition("\n\\begin")[2] in text
        rows = list(csv.reader(io.StringIO(render(result, "csv", str(number)))))
        assert rows[0] == [column.name for column in sheet.columns]
        assert len(rows) == 1 + len(sheet.in_full().rows())
    assert [words for words in result.citations() if unexplained(words)] == []
    assert bool(keys_of(render(result, "bibtex"))) == (command not in UNCITED)
    if INSTALLED:
        compiled(text, tmp_path)
        compiled(text, tmp_path, "[twocolumn]")
