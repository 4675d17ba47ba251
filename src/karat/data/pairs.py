"""Pairs: a test set of texts and hypotheses, with its key where it is not blind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.source import Source
from karat.errors import Problem, Problems
from karat.labels import Codes, Spellings, Way, code_table, is_none, way_of

Place = tuple[int | None, int | None]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Text and hypothesis of every unit in file order, its label code (-1: none) and its attributes."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    hypotheses: tuple[str, ...]
    labels: Codes
    way: Way | None
    source: Source
    attributes: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    ballots: Ballots | None = None
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each id."""
        return {name: place for place, name in enumerate(self.ids)}

    @property
    def blind(self) -> bool:
        """Whether there is no key at all."""
        return self.way is None

    def label_counts(self) -> dict[str, int]:
        """How many pairs have each label."""
        if self.way is None:
            return {}
        counts = np.bincount(self.labels[self.labels >= 0], minlength=len(self.way.labels))
        return {label: int(count) for label, count in zip(self.way.labels, counts, strict=True)}


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


def make_pairs(columns: PairColumns, source: Source, given: Mapping[str, str], problems: Problems) -> Pairs:
    """Validate the columns and code the labels; what is wrong goes to `problems`, the rest is returned."""
    spellings = Spellings(given)
    _check_texts(columns, problems)
    meanings = {spellings[label] for label in set(columns.labels) if label is not None and not is_none(label)}
    ballot_meanings = {spellings[label] for row in columns.ballots or () for label in set(row)}
    known = {meaning for meaning in meanings | ballot_meanings if meaning}
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
        attributes={name: tuple(values) for name, values in columns.attributes.items()},
        ballots=_ballots(columns, spellings, way) if columns.ballots and way else None,
        warnings=tuple(problem for problem in problems.warnings if problem.file == columns.file),
    )


def _check_texts(columns: PairColumns, problems: Problems) -> None:
    """Every pair has an id of its own, a text and a hypothesis."""
    file = columns.file
    if not columns.ids and not problems.failed(file):
        problems.add("empty-file", "no pairs", file=file, what="at least one pair")
    first: dict[str, Place] = {}
    blind = all(is_none(label) for label in columns.labels)
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
        needed = blind or not is_none(label)
        for what, content in (("text", text), ("hypothesis", hypothesis)):
            if needed and not content:
                problems.add(
                    "empty-text", f"an empty {what} in pair {name!r}", file=file, line=line, column=column
                )


def _codes(columns: PairColumns, spellings: Spellings, way: Way | None, problems: Problems) -> Codes:
    """The label of each pair as a code; spellings that mean nothing, or nothing here, are problems."""
    table = code_table(way) if way else {}
    codes = np.full(len(columns.labels), -1, dtype=np.int8)
    for place, spelled in enumerate(columns.labels):
        if spelled is None or is_none(spelled):
            continue
        meaning = spellings[spelled]
        if meaning in table:
            codes[place] = table[meaning]
            continue
        line, column = columns.places[place]
        found = f"label {spelled!r} of pair {columns.ids[place]!r}"
        labels = ", ".join(way.labels) if way else ""
        code = "label-outside-task" if meaning else "label-code" if spelled.lstrip("-").isdigit() else "label"
        problems.add(
            code,
            found,
            file=columns.file,
            line=line,
            column=column,
            labels=labels,
            spelled=spelled,
            what="a known label",
        )
    return codes


def _ballots(columns: PairColumns, spellings: Spellings, way: Way) -> Ballots:
    """The several labels a pair, as ballots without persons."""
    table = code_table(way)
    rows = [[table[m] for label in row if (m := spellings[label]) in table] for row in columns.ballots or ()]
    return anonymous_ballots(columns.ids, rows, Scale(way.labels))
