"""Decomposed test sets: pairs of any format whose attributes name their original and the rule that made them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.align.columns import Columns
from karat.align.decomposition import PairPlace, align_decomposition
from karat.align.pairs import make_pairs
from karat.data.decomposition import Decomposition, join_pairs
from karat.data.pairs import Pairs
from karat.data.parameters import takes
from karat.data.provenance import AS_IS, Reading
from karat.errors import Problems, UsageError
from karat.files import is_folder
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.pairs import parse_columns
from karat.formats.registry import decomposition_formats, read_columns, without_errors
from karat.formats.sniffing import anything
from karat.labels import THREE

ORIGINAL = "original"


@takes(Reading)
def read_decomposition(originals: FilePath, reading: Reading, mono: FilePath | None = None) -> Decomposition:
    """Originals and their monothematic pairs, in two files or in one."""
    return read_leading_decomposition([originals] if mono is None else [originals, mono], reading)[0]


def read_leading_decomposition(
    paths: Sequence[FilePath], reading: Reading = AS_IS
) -> tuple[Decomposition, list[FilePath]]:
    """The decomposition in the first file or the first two files, and the remaining paths, which are runs.

    A file that names originals contains both kinds of pairs; otherwise the next file contains the monothematic pairs.
    """
    problems = Problems()
    read: list[tuple[Columns, Pairs]] = []
    for path in paths[:2]:
        if read and any(_originals(read[0][0])):
            break
        if read and is_folder(path):
            raise _no_mono(read[0][0])  # a folder contains runs
        document = read_document(path, problems)
        columns = None if document is None else read_columns(decomposition_formats, document, problems, reading=reading)
        if read and document is not None and (columns is None or not any(_originals(columns))):
            _check_mono(read[0][0], document.name, columns, problems)
        if document is None or columns is None:
            break
        if not read and any(_originals(columns)):
            _check_originals(columns)
        read.append((columns, make_pairs(columns, reading, problems)))
    if len(read) == 1 and not any(_originals(read[0][0])):
        problems.raise_errors()
        raise _no_mono(read[0][0])
    if len(read) == 2:
        _check_apart(read[0][0], read[1][0], problems)
        _check_ways(read, problems)
    problems.raise_errors()
    return _joined(read, problems), list(paths[len(read) :])


def parse_test_set(document: Document, reading: Reading, problems: Problems) -> Pairs | None:
    """A test set from a document; if it names originals, its decomposition is checked too."""
    columns = parse_columns(document, reading, problems)
    if columns is None:
        return None
    pairs = make_pairs(columns, reading, problems)
    if any(_originals(columns)):
        align_decomposition(pairs, problems, _places(columns), np.zeros(len(pairs), dtype=bool), (document.source,))
    return None if problems.failed(document.name) else pairs


decomposition_formats.register(
    "pairs",
    sniff=anything,
    what="a test set of any pair format whose attributes name original, phenomenon and rule",
)(parse_columns)


def _no_mono(originals: Columns, beside: str = "") -> UsageError:
    """The error if no file has monothematic pairs: their file, or --by, was forgotten."""
    known = ", ".join(originals.facts.get("attributes", {}))
    instead = f", or let an attribute play the phenomenon: --by ATTRIBUTE ({known})" if known else ""
    return UsageError(
        f"{originals.file} has no monothematic pairs (no pair names its `original`){beside}: name their file after "
        f"it{instead}"
    )


def _check_mono(originals: Columns, name: str, columns: Columns | None, problems: Problems) -> None:
    """A second file that names no originals is a run, or another test set."""
    if any(one.file == name and one.severity == "error" and one.code != "format" for one in problems):
        return  # the file has other errors, which are reported
    if columns is not None and "phenomenon" in columns.facts.get("attributes", {}):
        return  # its pairs are reported one by one
    raise _no_mono(originals, f", and {name} does not contain such pairs")


def _check_originals(columns: Columns) -> None:
    """The first file must not contain only monothematic pairs."""
    if all(_originals(columns)) and not set(_originals(columns)) & set(columns["id"]):
        raise UsageError(
            f"{columns.file} has monothematic pairs alone, and none of their originals: name the file of the "
            f"originals before it (ORIGINALS MONO RUN…)"
        )


def _originals(columns: Columns) -> list[str]:
    """The original named by each pair; an empty list if the file has no such attribute."""
    return [(value or "").strip() for value in columns.facts.get("attributes", {}).get(ORIGINAL, ())]


def _places(columns: Columns) -> list[PairPlace]:
    return [(columns.file, *columns.place(row)) for row in range(len(columns))]


def _joined(read: list[tuple[Columns, Pairs]], problems: Problems) -> Decomposition:
    pairs = read[0][1] if len(read) == 1 else join_pairs(read[0][1], read[1][1])
    places = [place for columns, _ in read for place in _places(columns)]
    second = np.arange(len(pairs)) >= len(read[0][1])
    sources = tuple(one.source for _, one in read)
    return without_errors(align_decomposition(pairs, problems, places, second, sources), problems)


def _check_apart(originals: Columns, mono: Columns, problems: Problems) -> None:
    """No id may be in both files, since a run answers the pairs of both."""
    lines = dict(zip(originals["id"], originals.lines, strict=True))
    for row, name in enumerate(mono["id"]):
        if name in lines:
            where = f" in line {lines[name]}" if lines[name] else ""
            mono.report(problems, "duplicate-id", f"pair {name!r} again (first{where} of {originals.file})", row)


def _check_ways(read: list[tuple[Columns, Pairs]], problems: Problems) -> None:
    """If one file is two-way and the other three-way, all labels are read as two-way, with a warning."""
    negative = [(columns, pairs) for columns, pairs in read if (pairs.labels > 0).any()]
    if len({pairs.way for _, pairs in negative}) > 1:
        columns = next(columns for columns, pairs in negative if pairs.way is THREE)
        problems.add("folded", "three-way labels, but another file has two-way labels", file=columns.file)
