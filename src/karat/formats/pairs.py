"""Test sets, read from and written to files of any format."""

from __future__ import annotations

from pathlib import Path

from karat.align.columns import Columns
from karat.align.pairs import make_pairs
from karat.data.pairs import Pairs
from karat.data.parameters import checked, takes
from karat.data.provenance import TEXTS, Reading
from karat.errors import Problems
from karat.files import is_folder
from karat.formats.documents import Document, FilePath, read_document, read_documents
from karat.formats.folders import key_in
from karat.formats.registry import pair_formats, read_columns, run_formats, without_errors, write_file


@takes(Reading)
def read_pairs(path: FilePath, reading: Reading) -> Pairs:
    """A test set from a file of any pair format."""
    problems = Problems()
    document = read_key(path, problems)
    return without_errors(None if document is None else parse_pairs(document, reading, problems), problems)


def read_key(path: FilePath, problems: Problems) -> Document | None:
    """The file of a test set; of a folder of logs, each of which has the key, the first that can be read."""
    if str(path) == "-" or not is_folder(path):
        return read_document(path, problems)
    document = next(read_documents(key_in(Path(path), problems) or [], problems), None)
    if document is None or pair_formats.signed(document):
        return document
    problems.add("key-folder", f"a folder whose first file is {Path(document.name).name}", file=str(path))
    return None


def parse_pairs(document: Document, reading: Reading, problems: Problems) -> Pairs | None:
    """A test set from a document; None if it has errors."""
    columns = parse_columns(document, reading, problems)
    pairs = None if columns is None else make_pairs(columns, reading, problems)
    return None if problems.failed(document.name) else pairs


def parse_columns(document: Document, reading: Reading, problems: Problems) -> Columns | None:
    """The columns of a test set, with the place of each pair in the file."""
    return read_columns(pair_formats, document, problems, named_format(document, reading), reading)


def named_format(document: Document, reading: Reading) -> str | None:
    """The format that the options name; who names texts, or ids and labels of a file of no format, has a table."""
    own_table = not reading.column.keys().isdisjoint(TEXTS) or (
        reading.column.keys() >= {"id", "label"} and not pair_formats.fits(document)
    )
    return reading.reader or ("table" if own_table and not pair_formats.signed(document) else None)


def holds_runs(key: FilePath) -> bool:
    """Whether the file of a key may have the answers of runs too; one that cannot be read is left to its reader."""
    problems = Problems()
    document = read_key(key, problems)
    # Of a table the reader can say which columns it has: its header does not show which of them are answers.
    return document is None or document.head.is_delimited or bool(run_formats.fits(document))


@checked
def write_pairs(pairs: Pairs, path: FilePath, writer: str | None = None) -> None:
    """Write a test set in the format `writer`, by default RTE for .xml and a table otherwise."""
    write_file(pair_formats[writer or ("rte" if Path(path).suffix == ".xml" else "table")], path, pairs)
