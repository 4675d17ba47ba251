"""Test sets from the columns of files: every problem is reported, and labels become codes."""

from __future__ import annotations

import shlex

import numpy as np

from karat.align.columns import Columns, seen_before, warnings_of
from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.pairs import Pairs
from karat.data.provenance import Reading
from karat.errors import Problems, counted
from karat.labels import (
    AMBIGUOUS_NO,
    FALSE,
    THREE,
    Codes,
    Spellings,
    Way,
    code_table,
    is_code,
    way_of,
)


def make_pairs(columns: Columns, reading: Reading, problems: Problems) -> Pairs:
    """Validate the columns and code the labels; returns what is valid and adds the rest to `problems`.

    Besides ids, texts, hypotheses and labels a file may have `ballots`, the labels of several anonymous people for each
    pair. Its facts are `attributes`, by name, and `textless` for a file without texts.
    """
    spellings = Spellings(reading.label)
    _check_texts(columns, spellings, problems)
    known = known_labels(columns, spellings)
    way = way_of(known) if known else None
    codes = _key_codes(columns, spellings, way, problems)
    unlabelled = int((codes < 0).sum())
    if way is not None and unlabelled > 0 and not problems.failed(columns.file):
        found = f"{unlabelled:,} of {counted(len(codes), 'pair')} without a label"
        problems.add("unlabelled", found, file=columns.file)
    return Pairs(
        ids=tuple(columns["id"]),
        texts=tuple(columns["text"]),
        hypotheses=tuple(columns["hypothesis"]),
        labels=codes,
        way=way,
        source=columns.source,
        reading=reading,
        attributes={name: tuple(values) for name, values in columns.facts.get("attributes", {}).items()},
        ballots=_ballots(columns, spellings, way, problems) if columns.get("ballots") and way else None,
        settled=tuple(sorted({AMBIGUOUS_NO, FALSE} & known)),
        warnings=warnings_of([columns.source], problems),
    )


def known_labels(columns: Columns, spellings: Spellings) -> set[str]:
    """What the labels of a file mean, those that mean something."""
    met = {label for label in columns["label"] if label is not None}
    met.update(label for row in columns.get("ballots") or () for label in row)
    spellings.beside(met)
    return {meaning for label in met if not spellings.is_none(label) and (meaning := spellings[label])}


def _check_texts(columns: Columns, spellings: Spellings, problems: Problems) -> None:
    """Every pair has a unique id, a text and a hypothesis, unless the file has no texts at all."""
    columns.need_rows(problems, "no pairs", "at least one pair")
    met: dict[str, int | None] = {}
    blind = all(spellings.is_none(label) for label in columns["label"])
    textless = columns.facts.get("textless", False)
    rows = zip(columns["id"], columns["text"], columns["hypothesis"], columns["label"], columns.lines, strict=True)
    for row, (name, text, hypothesis, label, line) in enumerate(rows):
        if not name:
            columns.report(problems, "no-id", "a pair without id", row)
        elif (first := seen_before(met, name, line)) is not None:
            columns.report(problems, "duplicate-id", f"pair {name!r} again{first}", row)
        # Some FraCaS problems have no hypothesis; they have no label either and are never scored.
        needed = not textless and (blind or not spellings.is_none(label))
        for what, content in (("text", text), ("hypothesis", hypothesis)):
            if needed and not content:
                columns.report(problems, "empty-text", f"an empty {what} in pair {name!r}", row)


def _key_codes(columns: Columns, spellings: Spellings, way: Way | None, problems: Problems) -> Codes:
    """The label of each pair as a code; labels that are unknown or not of this task are reported."""
    table = code_table(way) if way else {}
    codes = np.full(len(columns), -1, dtype=np.int8)
    for row, spelled in enumerate(columns["label"]):
        if spelled is None or spellings.is_none(spelled):
            continue
        if (meaning := spellings[spelled]) in table:
            codes[row] = table[meaning]
        else:
            _report_label(columns, row, spelled, "label", way, spellings, problems)
    return codes


def _ballots(columns: Columns, spellings: Spellings, way: Way, problems: Problems) -> Ballots:
    table = code_table(way)
    rows: list[list[int]] = []
    for row, spelled in enumerate(columns["ballots"]):
        labels = [label for label in spelled if not spellings.is_none(label)]
        for label in labels:
            if spellings[label] not in table:
                _report_label(columns, row, label, "annotator's label", way, spellings, problems)
        rows.append([table[meaning] for label in labels if (meaning := spellings[label]) in table])
    return anonymous_ballots(columns["id"], rows, Scale(way.labels))


def _report_label(
    columns: Columns, row: int, spelled: str, what: str, way: Way | None, spellings: Spellings, problems: Problems
) -> None:
    code = "label-outside-task" if spellings[spelled] else "label-code" if is_code(spelled) else "label"
    labels, found = ", ".join((way or THREE).labels), f"{what} {spelled!r} of pair {columns['id'][row]!r}"
    columns.report(problems, code, found, row, labels=labels, spelled=shlex.quote(spelled))
