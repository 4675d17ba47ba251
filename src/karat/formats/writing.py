"""From pairs, runs and scores to files."""

from __future__ import annotations

import inspect
from pathlib import Path

from karat.data.pairs import Pairs
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.formats.documents import FilePath
from karat.formats.registry import pair_formats, run_formats
from karat.formats.rows import write_rows
from karat.formats.scores import cells_of
from karat.registry import Entry

BY_SUFFIX = {".xml": "rte"}


def write_pairs(pairs: Pairs, path: FilePath, writer: str | None = None) -> None:
    """Write a test set: RTE for .xml, else a table with common column names, or the format named."""
    file = Path(path)
    entry = pair_formats[writer or BY_SUFFIX.get(file.suffix, "table")]
    file.write_bytes(_call(entry, file.suffix, pairs))


def write_run(responses: Responses, run: int | str, path: FilePath, writer: str | None = None) -> None:
    """Write one run, by place or name: plain lines for .txt, else a table, or the format named."""
    file = Path(path)
    place = responses.names.index(run) if isinstance(run, str) else run
    entry = run_formats[writer or ("plain" if file.suffix in (".txt", "") else "table")]
    file.write_bytes(_call(entry, file.suffix, responses, place))


def write_scores(scores: Scores, path: FilePath) -> None:
    """A score matrix: a row a run, a column a unit; not scored is empty; its clusters in a row of their own."""
    file = Path(path)
    file.write_bytes(write_rows(cells_of(scores, text=file.suffix == ".parquet"), file.suffix))


def _call(entry: Entry, suffix: str, *subject: object) -> bytes:
    """The format's bytes, in the carrier the suffix names where the format has several."""
    write = entry.facts["write"]
    if write is None:
        raise UsageError(f"{entry.kind} {entry.name} is only read, not written")
    if suffix and "suffix" in inspect.signature(write).parameters:
        return bytes(write(*subject, suffix=suffix))
    return bytes(write(*subject))
