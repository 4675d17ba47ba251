"""Labels of a submitted run with something around them, which a laboratory may read and a campaign refuses."""

from __future__ import annotations

from karat.data.provenance import Reading
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import read_columns, run_formats
from karat.labels import stands_alone


def report_wrapped(document: Document, problems: Problems) -> None:
    """Report them in a run without other errors: what a team answers is its own word, not what is found in a text."""
    if problems.failed(document.name):
        return
    columns = read_columns(run_formats, document, Problems(), reading=Reading())
    if columns is None:
        return
    rows = [row for row, label in enumerate(columns["label"]) if not stands_alone(label)]
    for row in problems.first(rows, "label-in-text", document.name):
        found = f"{columns['label'][row][:60]!r} of pair {columns['id'][row]!r}"
        columns.report(problems, "label-in-text", found, row, "label")
