"""From the columns of a file to pairs: ids, texts and labels are checked, and labels become codes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.pairs import Pairs, Place
from karat.data.reading import Reading
from karat.data.source import Source
from karat.errors import Problems
from karat.labels import THREE, Codes, Spellings, Way, code_table, is_code, way_of


@dataclass
class PairColumns:
    """What a reader found, as spelled: columns of equal length and the place of each row in its file."""

    file: str
    ids: list[str]
    texts: list[str]
    hypotheses: list[str]
    labels: list[str | None]
    places: list[Place]
    attributes: dict[str, list[str | None]] = field(default_factory=dict)
    ballots: list[Sequence[str]] | None = None
    """Labels that several people gave to each pair, in no order of persons."""
    textless: bool = False
    """Whether the file has ids and labels alone."""


def make_pairs(columns: PairColumns, source: Source, reading: Reading, problems: Problems) -> Pairs:
    """Validate the columns and code the labels; what is wrong goes to `problems`, the rest is returned."""
    spellings = Spellings(reading.label)
    _check_texts(columns, spellings, problems)
    met = {label for label in columns.labels if label is not None}
    met.update(label for row in columns.ballots or () for label in row)
    known = {meaning for label in met if not spellings.is_none(label) and (meaning := spellings[label])}
    way = way_of(known) if known else None
    codes = _codes(columns, spellings, way, problems)
    unlabelled = int((codes < 0).sum())
    if way is not None and unlabelled > 0 and not problems.failed(columns.file):
        found = f"{unlabelled} of {len(codes)} pairs have no label"
        problems.add("unlabelled", found, file=columns.file)
    return Pairs(
        ids=tuple(columns.ids),
        texts=tuple(columns.texts),
        hypotheses=tuple(columns.hypotheses),
        labels=codes,
        way=way,
        source=source,
        reading=reading,
        attributes={name: tuple(values) for name, values in columns.attributes.items()},
        ballots=_ballots(columns, spellings, way, problems) if columns.ballots and way else None,
        warnings=tuple(problem for problem in problems.warnings if problem.file == columns.file),
    )


def _check_texts(columns: PairColumns, spellings: Spellings, problems: Problems) -> None:
    """Every pair has an id of its own, a text and a hypothesis, unless the file has no texts at all."""
    file = columns.file
    if not columns.ids and not problems.failed(file):
        problems.add("empty-file", "no pairs", file=file, what="at least one pair")
    first: dict[str, Place] = {}
    blind = all(spellings.is_none(label) for label in columns.labels)
    rows = zip(columns.ids, columns.texts, columns.hypotheses, columns.labels, columns.places, strict=True)
    for name, text, hypothesis, label, place in rows:
        line, column = place
        if not name:
            problems.add("no-id", "a pair without id", file=file, line=line, column=column)
        elif name in first:
            where = f" (first in line {first[name][0]})" if first[name][0] else ""
            problems.add("duplicate-id", f"pair {name!r} again{where}", file=file, line=line, column=column)
        first.setdefault(name, place)
        # FraCaS has problems without a hypothesis; they have no label either and are never scored.
        needed = not columns.textless and (blind or not spellings.is_none(label))
        for what, content in (("text", text), ("hypothesis", hypothesis)):
            if needed and not content:
                problems.add("empty-text", f"an empty {what} in pair {name!r}", file=file, line=line, column=column)


def _codes(columns: PairColumns, spellings: Spellings, way: Way | None, problems: Problems) -> Codes:
    """The label of each pair as a code; spellings that mean nothing, or nothing here, are problems."""
    table = code_table(way) if way else {}
    codes = np.full(len(columns.labels), -1, dtype=np.int8)
    for place, spelled in enumerate(columns.labels):
        if spelled is None or spellings.is_none(spelled):
            continue
        if (meaning := spellings[spelled]) in table:
            codes[place] = table[meaning]
        else:
            _tell_label(columns, place, spelled, "label", way, spellings, problems)
    return codes


def _ballots(columns: PairColumns, spellings: Spellings, way: Way, problems: Problems) -> Ballots:
    """The several labels a pair, as ballots without persons."""
    table = code_table(way)
    rows: list[list[int]] = []
    for place, spelled in enumerate(columns.ballots or ()):
        labels = [label for label in spelled if not spellings.is_none(label)]
        for label in labels:
            if spellings[label] not in table:
                _tell_label(columns, place, label, "annotator's label", way, spellings, problems)
        rows.append([table[meaning] for label in labels if (meaning := spellings[label]) in table])
    return anonymous_ballots(columns.ids, rows, Scale(way.labels))


def _tell_label(
    columns: PairColumns,
    place: int,
    spelled: str,
    what: str,
    way: Way | None,
    spellings: Spellings,
    problems: Problems,
) -> None:
    """A label that means nothing, or nothing in a key of this way."""
    code = "label-outside-task" if spellings[spelled] else "label-code" if is_code(spelled) else "label"
    line, column = columns.places[place]
    problems.add(
        code,
        f"{what} {spelled!r} of pair {columns.ids[place]!r}",
        file=columns.file,
        line=line,
        column=column,
        labels=", ".join((way or THREE).labels),
        spelled=shlex.quote(spelled),
    )
