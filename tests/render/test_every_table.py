"""Every table of every study, on the shipped examples: ready for a paper, and for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from tools.examples import result_of
from tools.schemas import commands

from karat.render import render
from tests.render.test_bibliography import keys_of, unexplained
from tests.render.test_latex import INSTALLED, check_tables, compiled


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
    assert bool(keys_of(render(result, "bibtex"))) == (command not in ("check", "items", "sample", "formats"))
    if INSTALLED:
        compiled(text, tmp_path)
        compiled(text, tmp_path, "[twocolumn]")
