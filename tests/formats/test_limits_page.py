"""The page of limits says what the code does."""

from __future__ import annotations

import csv
import inspect
from pathlib import Path

import pytest

from karat.align import columns, monothematic
from karat.data import ballots, criteria, parameters, ratings
from karat.engines.engine import engines
from karat.engines.outside import program
from karat.errors import MOST_KEPT
from karat.formats import ballot_counts, chaosnli, documents, parquet, parquet_parts, rows, xml
from karat.formats.documents import readable_size as size
from karat.kernels import regex
from karat.render import text
from karat.studies.agree import pairs as agree
from karat.studies.agree.study import MOST_PAIRS
from karat.studies.base import MOST_RUNS
from karat.studies.judge import parts
from karat.studies.justify.parameters import MOST_RATED

outside = inspect.signature(engines["outside"].function).parameters
PAGE = " ".join((Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8").split())
SAID = {
    f"a file, unpacked | {size(documents.MAX_BYTES)} |",
    f"unpacks to more than {size(documents.GZIP_RATIO_FROM)} | {documents.MAX_GZIP_RATIO} times its size |",
    f"a text file | {documents.MAX_LINE:,} characters",
    f"a CSV file | {csv.field_size_limit():,} characters",
    f"JSON lines or Parquet | {columns.MAX_TABLE_CELLS:,} cells",
    f"{xml.MAX_DEPTH} levels, {xml.MAX_ELEMENTS:,} elements, {xml.MAX_ATTRIBUTES:,} attributes per element",
    f"add to an XML file | {xml.MAX_GROWTH} times its size",
    f"Parquet file of more than {parquet_parts.LARGE:,} cells",
    f"at most {parquet_parts.PART_CELLS:,} cells or {parquet_parts.MOST_ROWS:,} rows at a time, within "
    f"{size(parquet_parts.DECODER_MEMORY)} of memory",
    f"a ChaosNLI pair | {chaosnli.MOST_PER_LABEL:,} |",
    f"a table of two assessors | {ballot_counts.MAX_UNITS:,} |",
    f"name their columns | {rows.FREE_CELLS:,} cells, or {rows.CELLS_PER_BYTE} for each byte",
    f"a ChaosNLI file | {chaosnli.MOST_BALLOTS:,}, or one for each byte",
    f"a set of ballots | {ballots.MAX_CELLS:,}, or {ballots.CELLS_PER_BALLOT} for each ballot",
    f"whose pairs `judge` does | {agree.MOST_ASSESSORS:,}, and {parts.MOST_PEOPLE:,};",
    f"`size` and `sensitivity` take | {MOST_RUNS:,} |",
    f"that `justify` takes | {MOST_RATED}; judges times pairs times runs {ratings.MAX_CELLS:,} |",
    f"`--pairs` of `agree` | {MOST_PAIRS:,} |",
    f"`--trials` | {parameters.MOST_DRAWS:,} |",
    f"`--jobs` | {parameters.MOST_JOBS:,} processes |",
    f"and power | {parameters.TAIL:f} to {1 - parameters.TAIL} |",
    f"`--difference` | {parameters.SMALLEST_DIFFERENCE:.5f} or more |",
    f"`--equivalence` | {parameters.LARGEST_AMOUNT:,.0f} |",
    f"shown as text | {text.MOST_ROWS:,};",
    f"(`--patterns`, `--team`) | {regex.MAX_LENGTH:,} characters",
    f"a rating scale | {criteria.MOST_VALUES} |",
    f"are looked for | {monothematic.MOST_OCCURRENCES} |",
    f"listed for a file | {MOST_KEPT:,};",
    f"program writes | {size(program.LINE)} |",
    f"unless `timeout` says otherwise | {outside['timeout'].default:,} seconds |",
    f"unless `patience` says otherwise | {outside['patience'].default:,} seconds |",
    f"may take {parquet.DECODING_SECONDS} seconds, plus one for each {size(parquet.BYTES_PER_SECOND)[2:]} of",
    f"and {size(parquet.EXTRA_MEMORY)} of memory beside",
    f"{size(parquet.VALUE_BYTES)} as Python objects, or {parquet.VALUE_BYTES_PER_BYTE} times the size of the file",
}


@pytest.mark.parametrize("said", sorted(SAID))
def test_limits_are_as_stated(said: str) -> None:
    """Each number on the page is that of the code."""
    assert said in PAGE
