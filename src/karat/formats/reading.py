"""From paths to pairs and responses: every problem of every file, at once."""

from __future__ import annotations

from collections.abc import Iterable
from os import fspath
from pathlib import Path
from typing import Any

from karat.data.align import align
from karat.data.pairs import PairColumns, Pairs, make_pairs
from karat.data.parameters import parameters
from karat.data.reading import Reading
from karat.data.responses import Responses
from karat.data.runs import Run, RunColumns
from karat.errors import Problems
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.registry import find_format, pair_formats, run_formats


def read_pairs(path: FilePath, **options: Any) -> Pairs:
    """A test set from a file of any pair format; options are those of `Reading`."""
    problems = Problems()
    pairs = gather_pairs(path, parameters(Reading, options), problems)
    problems.raise_errors()
    assert pairs is not None
    return pairs


def read_runs(paths: FilePath | Iterable[FilePath], key: Pairs, **options: Any) -> Responses:
    """Runs from files or folders of them, validated against the key and aligned with it."""
    problems = Problems()
    responses = gather_runs(paths, key, parameters(Reading, options), problems)
    problems.raise_errors()
    return responses


def gather_pairs(path: FilePath, reading: Reading, problems: Problems) -> Pairs | None:
    """`read_pairs` that collects problems instead of raising them; None where the file has errors."""
    document = read_document(path, problems)
    if document is None:
        return None
    pairs = parse_pairs(document, reading, problems)
    return None if problems.failed(document.name) else pairs


def parse_pairs(document: Document, reading: Reading, problems: Problems) -> Pairs | None:
    """A test set from a document at hand."""
    # Naming the text or hypothesis column says that the file is a table of the user's own.
    named = reading.reader or ("table" if {"text", "hypothesis"} & set(reading.column) else None)
    entry = find_format(pair_formats, document, named, problems)
    if entry is None:
        return None
    columns: PairColumns = entry.function(document, reading, problems)
    return make_pairs(columns, document.source, reading.label, problems)


def gather_runs(
    paths: FilePath | Iterable[FilePath], key: Pairs, reading: Reading, problems: Problems
) -> Responses:
    """`read_runs` that collects problems; runs with errors are left out of what is returned."""
    runs: list[Run] = []
    names: dict[str, str] = {}
    for path in expand(paths):
        document = read_document(path, problems)
        run = None if document is None else parse_run(document, key, reading, problems)
        if run is None:
            continue
        name, file = run.info.name, fspath(path)
        if name in names:
            problems.add("duplicate-run", f"a run {name!r} again (first {names[name]})", file=file)
        else:
            runs.append(run)
            names[name] = file
    return Responses.of(key, runs, problems.warnings)


def parse_run(document: Document, key: Pairs, reading: Reading, problems: Problems) -> Run | None:
    """One run from a document at hand, aligned with the key."""
    entry = find_format(run_formats, document, reading.run_reader, problems)
    if entry is None:
        return None
    columns: RunColumns | None = entry.function(document, reading.run_column, problems)
    return None if columns is None else align(key, columns, reading, problems)


def expand(paths: FilePath | Iterable[FilePath]) -> list[FilePath]:
    """Files as they are, folders as the files in them by name."""
    given = [paths] if isinstance(paths, str) or not isinstance(paths, Iterable) else list(paths)
    files: list[FilePath] = []
    for path in given:
        folder = Path(path)
        if folder.is_dir():
            files += sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
        else:
            files.append(path)
    return files
