"""Pairs: a test set of texts and hypotheses, with its key unless it is blind."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat

import numpy as np

from karat.arrays import Ints
from karat.data.arguments import checked_noun
from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.reading import AS_IS, Reading
from karat.data.source import Source
from karat.errors import Problem, Problems, UsageError
from karat.kernels.id_index import Index, Words, words_of
from karat.labels import THREE, Codes, Spellings, Way, code_table, is_code, way_of

Place = tuple[int | None, int | None]

SETTING = "task"
"""The attribute of a pair that names the kind of application it comes from."""


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class Pairs:
    """Text and hypothesis of every unit in file order, its label code (-1: none) and its attributes.

    A key may have only ids and labels; texts and hypotheses are then empty.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    hypotheses: tuple[str, ...]
    labels: Codes
    way: Way | None
    source: Source
    reading: Reading = AS_IS
    attributes: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    ballots: Ballots | None = None
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<Pairs: {self.source.name}, {len(self)} pairs, {self.label_counts() or 'blind'}>"

    @cached_property
    def index(self) -> dict[str, int]:
        """The position of each id."""
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    @cached_property
    def _words(self) -> Index | None:
        words = words_of(self.ids)
        return None if words is None else Index(words)

    def places(self, ids: Sequence[str]) -> Ints:
        """The position of each id, -1 if there is no such pair."""
        if isinstance(ids, Words) and self._words is not None:
            return self._words.find(ids)
        return np.fromiter(map(self.index.get, ids, repeat(-1)), dtype=np.int64, count=len(ids))

    @property
    def blind(self) -> bool:
        """Whether there is no key at all."""
        return self.way is None

    @property
    def has_texts(self) -> bool:
        """Whether there are texts, and not only ids and labels."""
        return any(self.texts) or any(self.hypotheses)

    def need_texts(self, what: str) -> None:
        """Raise an error if there are no texts; `what` names the reader that needs them."""
        if not self.has_texts:
            raise UsageError(
                f"{self.source.name} has no texts, and {what} reads them: give a test set with a text and a hypothesis "
                "for every pair (--column text=NAME --column hypothesis=NAME names their columns)"
            )

    def label_counts(self) -> dict[str, int]:
        """How many pairs have each label."""
        if self.way is None:
            return {}
        counts = np.bincount(self.labels[self.labels >= 0], minlength=len(self.way.labels))
        return {label: int(count) for label, count in zip(self.way.labels, counts, strict=True)}


@dataclass
class PairColumns:
    """The columns as spelled in a file, of equal length, and the place of each row in it."""

    file: str
    ids: list[str]
    texts: list[str]
    hypotheses: list[str]
    labels: list[str | None]
    places: list[Place]
    attributes: dict[str, list[str | None]] = field(default_factory=dict)
    ballots: list[Sequence[str]] | None = None
    """Labels given to each pair by several people, who are not identified."""
    textless: bool = False
    """Whether the file has only ids and labels."""


def make_pairs(columns: PairColumns, source: Source, reading: Reading, problems: Problems) -> Pairs:
    """Validate the columns and code the labels; errors go to `problems`, and the rest is returned."""
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
    """Check that every pair has a unique id, a text and a hypothesis, unless the file has no texts at all."""
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
    """The label of each pair as a code; spellings without a meaning here are problems."""
    table = code_table(way) if way else {}
    codes = np.full(len(columns.labels), -1, dtype=np.int8)
    for place, spelled in enumerate(columns.labels):
        if spelled is None or spellings.is_none(spelled):
            continue
        if (meaning := spellings[spelled]) in table:
            codes[place] = table[meaning]
        else:
            _report_label(columns, place, spelled, "label", way, spellings, problems)
    return codes


def _ballots(columns: PairColumns, spellings: Spellings, way: Way, problems: Problems) -> Ballots:
    """Several labels per pair, as ballots of unidentified assessors."""
    table = code_table(way)
    rows: list[list[int]] = []
    for place, spelled in enumerate(columns.ballots or ()):
        labels = [label for label in spelled if not spellings.is_none(label)]
        for label in labels:
            if spellings[label] not in table:
                _report_label(columns, place, label, "annotator's label", way, spellings, problems)
        rows.append([table[meaning] for label in labels if (meaning := spellings[label]) in table])
    return anonymous_ballots(columns.ids, rows, Scale(way.labels))


def _report_label(
    columns: PairColumns,
    place: int,
    spelled: str,
    what: str,
    way: Way | None,
    spellings: Spellings,
    problems: Problems,
) -> None:
    """Report a label without a meaning, or without one in a key of this way."""
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
