"""Read pairs and runs; the problems of all files are reported together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from karat.align.columns import Columns, report_same_runs
from karat.align.pairs import make_pairs
from karat.align.runs import align
from karat.data.pairs import Pairs
from karat.data.parameters import checked, parameters
from karat.data.provenance import TEXTS, Reading
from karat.data.responses import Responses, Run
from karat.errors import Problems
from karat.formats.documents import Document, FilePath, FilePaths, read_document, read_documents
from karat.formats.registry import pair_formats, read_columns, run_formats, without_errors


@checked
def read_pairs(path: FilePath, **options: Any) -> Pairs:
    """A test set from a file of any pair format; options are those of `Reading`."""
    problems, reading = Problems(), parameters(Reading, options)
    document = read_document(path, problems)
    return without_errors(None if document is None else parse_pairs(document, reading, problems), problems)


@checked
def read_runs(paths: FilePaths, key: Pairs, **options: Any) -> Responses:
    """Runs from files or folders, checked against the key and aligned with it."""
    problems, reading = Problems(), parameters(Reading, options)
    return without_errors(gather_runs(read_documents(paths, problems), key, reading, problems), problems)


def parse_pairs(document: Document, reading: Reading, problems: Problems) -> Pairs | None:
    """A test set from a document; None if it has errors."""
    columns = parse_columns(document, reading, problems)
    if columns is None:
        return None
    pairs = make_pairs(columns, reading, problems)
    return None if problems.failed(document.name) else pairs


def parse_columns(document: Document, reading: Reading, problems: Problems) -> Columns | None:
    """The columns of a test set, with the place of each pair in the file."""
    # A user who names the text or hypothesis column has a table of their own, and so does one who names the id and
    # label of a file of unknown format.
    own_table = not reading.column.keys().isdisjoint(TEXTS) or (
        reading.column.keys() >= {"id", "label"} and not pair_formats.fits(document)
    )
    named = reading.reader or ("table" if own_table else None)
    return read_columns(pair_formats, document, problems, named, reading)


def gather_runs(documents: Iterable[Document], key: Pairs, reading: Reading, problems: Problems) -> Responses:
    """The runs in documents, without those that have errors."""
    read = ((parse_run(document, key, reading, problems), document.name) for document in documents)
    found = [(run, file) for run, file in read if run is not None]
    report_same_runs([([run.info.name], file) for run, file in found], problems)
    runs = {run.info.name: run for run, _ in reversed(found)}
    return Responses.of(key, [run for run, _ in found if runs[run.info.name] is run], reading)


def parse_run(document: Document, key: Pairs, reading: Reading, problems: Problems) -> Run | None:
    """One run from a document, aligned with the key."""
    # A folder may contain plain runs and tables: only files with the named columns are tables.
    own_table = not document.head.fields.isdisjoint(reading.run_column.values())
    named = reading.run_reader or ("table" if own_table else None)
    columns = read_columns(run_formats, document, problems, named, reading)
    return None if columns is None else align(key, columns, reading, problems)
