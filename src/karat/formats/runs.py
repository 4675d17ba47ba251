"""Runs, read from files of any format and aligned with their key; and written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from karat.align.columns import report_same_runs
from karat.align.runs import align, report_two_way, run_name, split_runs
from karat.data.pairs import Pairs
from karat.data.parameters import checked, takes
from karat.data.provenance import Reading
from karat.data.responses import Responses, Run
from karat.errors import Problems, UsageError, counted
from karat.formats.documents import Document, FilePath, FilePaths, read_documents
from karat.formats.registry import read_columns, run_formats, without_errors, write_file
from karat.formats.sniffing import Fit


@takes(Reading)
def read_runs(paths: FilePaths, key: Pairs, reading: Reading) -> Responses:
    """Runs from files or folders, checked against the key and aligned with it."""
    problems = Problems()
    documents = list(read_documents(paths, problems))
    runs = gather_runs(documents, key, reading, problems)
    if reading.skip_bad_runs and documents and not len(runs):
        problems.add("no-good-run", f"errors in {counted(len(documents), 'file')}", file=documents[0].name)
    return without_errors(runs, problems)


def gather_runs(
    documents: Iterable[Document], key: Pairs, reading: Reading, problems: Problems, met: list[str] | None = None
) -> Responses:
    """The runs in documents, without those that have errors; all names are added to `met`."""
    names = [] if met is None else met
    found = [(run, one.name) for one in documents for run in parse_runs(one, key, reading, problems, names)]
    report_same_runs([([run.info.name], file) for run, file in found], problems)
    report_two_way(key, [run for run, _ in found], reading, problems)
    runs = {run.info.name: run for run, _ in reversed(found)}
    return Responses.of(key, [run for run, _ in found if runs[run.info.name] is run], reading)


def parse_runs(
    document: Document, key: Pairs, reading: Reading, problems: Problems, met: list[str] | None = None
) -> list[Run]:
    """The runs in a document, aligned with the key: one, or several if a table says so; all names go to `met`."""
    if document.source.same_rows(key.source):
        document = replace(document, of_key=True)
        if "id" in reading.column:
            reading = structs.replace(reading, run_column={"id": reading.column["id"], **reading.run_column})
    # A folder may contain plain runs and tables: only files with the named columns are tables.
    columns_named = {*reading.run_column.values(), *reading.answers}
    own_table = not {name.partition(".")[0] for name in columns_named}.isdisjoint(document.head.fields)
    if document.of_key and document.head.is_delimited:  # a header of two words or more begins like a plain line
        own_table |= max(run_formats.fits(document).values(), default=Fit.NO) < Fit.CERTAIN
    named = reading.run_reader or ("table" if own_table and not run_formats.signed(document) else None)
    mine = problems.apart() if reading.skip_bad_runs else problems
    columns = read_columns(run_formats, document, mine, named, reading)
    parts = [] if columns is None else split_runs(columns)
    if met is not None:
        met += [document.source.stem] if columns is None else map(run_name, parts)
    if columns is None:
        return [] if mine is problems else leave_out(document.source.stem, document.name, mine, problems)
    runs = []
    for part in parts:
        its = mine.apart() if reading.skip_bad_runs else problems
        run = align(key, part, reading, its)
        if its is not problems and run is None:
            leave_out(run_name(part), document.name, its, problems)
        elif its is not problems:
            problems.take_in(its)
        if run is not None:
            runs.append(run)
    if mine is not problems:
        problems.take_in(mine)
    return runs


def leave_out(run: str, file: str, its: Problems, problems: Problems) -> list[Run]:
    """Say that a run is left out, and the first of its errors."""
    errors = [problem for problem in its if problem.severity == "error"]
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    problems.add("bad-run", f"the run {run!r} with errors: {errors[0].code}: {errors[0].found}{more}", file=file)
    return []


@checked
def write_run(responses: Responses, run: int | str, path: FilePath, writer: str | None = None) -> None:
    """Write one run, by index or name: plain lines for .txt, else a table, or the format `writer`; `-` prints it."""
    place = _place(responses, run)
    entry = run_formats[writer or ("plain" if Path(path).suffix in (".txt", "") else "table")]
    write_file(entry, path, responses, place)


def _place(responses: Responses, run: int | str) -> int:
    if isinstance(run, str):
        if run not in responses.names:
            raise UsageError.unknown("run", run, responses.names)
        return responses.names.index(run)
    if not -len(responses) <= run < len(responses):
        raise UsageError(f"there is no run {run}: {counted(len(responses), 'run')} in all, counted from 0")
    return run
