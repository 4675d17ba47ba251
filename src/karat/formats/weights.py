"""Weights of pairs and of phenomena: a name and a weight on each line, or a table with two columns."""

from __future__ import annotations

from functools import partial

from karat.align.columns import Columns
from karat.align.weights import align_relevance, align_weights
from karat.data.decomposition import Decomposition
from karat.data.pairs import Pairs
from karat.data.parameters import checked
from karat.data.weights import Relevance, UnitWeights
from karat.errors import Problems
from karat.formats.documents import Document, FilePath
from karat.formats.registry import Formats, read_one, relevance_formats, weight_formats
from karat.formats.rows import Col, declare_table
from karat.formats.sniffing import anything, has_columns


@checked
def read_weights(path: FilePath, key: Pairs) -> UnitWeights:
    """The weight of every pair of the key; every pair needs one, none may be negative."""
    return read_one(weight_formats, path, partial(align_weights, key))


@checked
def read_relevance(path: FilePath, decomposition: Decomposition) -> Relevance:
    """The weight of each phenomenon; a name without a category applies to the phenomenon in every category."""
    return read_one(relevance_formats, path, partial(align_relevance, decomposition))


def _declare(formats: Formats, role: str, what: str) -> None:
    sniff = has_columns((role,), ("weight",))
    columns = {"name": Col((role,)), "weight": Col(("weight",))}
    declare_table(formats, columns, what=f"CSV, TSV, JSON lines or Parquet: {role}, weight", sniff=sniff)

    @formats.register("lines", sniff=anything, what=f"{what} and a weight on each line")
    def read(document: Document, _: object, problems: Problems) -> Columns:
        lines = [(number, line) for number, line in enumerate(document.lines(problems) or [], 1) if line.strip()]
        parted = [(*line, *line[1].strip().replace("\t", " ").rpartition(" ")) for line in lines]
        rows = [(number, line, name.strip(), weight) for number, line, name, _, weight in parted]
        what = f"a {role} and a weight, or a header with columns {role} and weight"
        columns = Columns.of_rows(document.source, ("line", "name", "weight"), rows, what=what)
        columns.at = lambda row, name: (columns.lines[row], 1 if name == "line" else None)
        return columns


_declare(weight_formats, "id", "the id of a pair")
_declare(relevance_formats, "phenomenon", "a phenomenon")
