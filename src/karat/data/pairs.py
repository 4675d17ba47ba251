"""Pairs: a test set of texts and hypotheses, with its key unless it is blind, and its slices by attribute."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, repeat

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.data.ballots import Ballots
from karat.data.parameters import checked_noun
from karat.data.provenance import AS_IS, Reading, Source
from karat.errors import Problem, UsageError
from karat.kernels.id_index import Index, Words, words_of
from karat.labels import Codes, Way

SETTING = "task"
"""The attribute of a pair that names the kind of application it comes from."""
TEXT = "text"
"""The name under which pairs are clustered by their text."""
NO_VALUE = "(none)"
MOST_SLICES = 500
"""With more values than this, the attribute is an identifier or free text."""


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
    settled: tuple[str, ...] = ()
    """Of the words NO and FALSE, which have two meanings, those that the key itself uses."""
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

    def clusters(self, name: str) -> tuple[str | None, ...]:
        """The cluster of each pair: the value of an attribute or, called `text`, its text; None is a cluster alone."""
        if name not in (known := self.groupings):
            raise UsageError.unknown("attribute of the pairs", name, known)
        return known[name]

    @property
    def groupings(self) -> dict[str, tuple[str | None, ...]]:
        """What pairs can be grouped by: their attributes and, unless one is called so, their `text`."""
        texts = {TEXT: tuple(text or None for text in self.texts)} if any(self.texts) else {}
        return texts | dict(self.attributes)

    def of_units(self, kept: Bools) -> Pairs:
        """Some of the pairs, without ballots."""
        return replace(
            self,
            ids=tuple(compress(self.ids, kept)),
            texts=tuple(compress(self.texts, kept)),
            hypotheses=tuple(compress(self.hypotheses, kept)),
            labels=self.labels[kept],
            attributes={name: tuple(compress(values, kept)) for name, values in self.attributes.items()},
            ballots=None,
        )

    def in_order(self, places: Ints) -> Pairs:
        """The pairs in another order, without ballots."""
        chosen = places.tolist()
        return replace(
            self,
            ids=tuple(self.ids[place] for place in chosen),
            texts=tuple(self.texts[place] for place in chosen),
            hypotheses=tuple(self.hypotheses[place] for place in chosen),
            labels=self.labels[places],
            attributes={name: tuple(values[place] for place in chosen) for name, values in self.attributes.items()},
            ballots=None,
        )

    def blinded(self, attributes: Sequence[str] = ()) -> Pairs:
        """The pairs without key and ballots, and with only these of the attributes."""
        kept = {name: self.attributes[name] for name in attributes if name in self.attributes}
        return replace(self, way=None, ballots=None, attributes=kept, labels=np.full_like(self.labels, -1))

    def label_counts(self, times: Floats | None = None) -> dict[str, int]:
        """How many pairs have each label; each counts as one, or so many `times`."""
        if self.way is None:
            return {}
        known = self.labels >= 0
        each = None if times is None else times[known]
        counts = np.bincount(self.labels[known], each, minlength=len(self.way.labels))
        return {label: int(count) for label, count in zip(self.way.labels, counts, strict=True)}


def tags(value: str | None, separator: str | None = None) -> tuple[str, ...]:
    """The values in one cell: a list (`['a', 'b']`), several separated by `;`, or one; no value counts as one.

    A `separator` replaces `;`.
    """
    if value is None or not value.strip():
        return (NO_VALUE,)
    text = value.strip()
    listed = _listed(text) if separator is None else None
    parts = text.split(separator or ";") if listed is None else listed
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip())) or (NO_VALUE,)


def _listed(text: str) -> list[str] | None:
    """The strings of a list in Python or JSON syntax; None if the text is no such list."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        found = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return [str(one) for one in found] if all(isinstance(one, str | int | float) for one in found) else None


def attribute_slices(key: Pairs, attribute: str, separator: str | None = None) -> tuple[list[str], Bools]:
    """The values of an attribute in order, and which pairs have each (values, units); a pair may have several."""
    if attribute not in key.attributes:
        raise UsageError.unknown("attribute of the pairs", attribute, key.attributes)
    cells = [tags(value, separator) for value in key.attributes[attribute]]
    distinct = sorted({value for cell in cells for value in cell}, key=lambda value: (value == NO_VALUE, value))
    if len(distinct) > MOST_SLICES:
        raise UsageError(
            f"{attribute} has {len(distinct)} different values, too many for slices (at most {MOST_SLICES})"
        )
    place = {value: number for number, value in enumerate(distinct)}
    within = np.zeros((len(distinct), len(cells)), dtype=bool)
    for unit, cell in enumerate(cells):
        within[[place[value] for value in cell], unit] = True
    return distinct, within
