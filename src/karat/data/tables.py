"""Table: how often the key was g and the response l. Leading axes are runs, slices, resamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from karat.arrays import Floats
from karat.data.parameters import checked_noun
from karat.errors import NotApplicable, UsageError
from karat.labels import NO_ANSWER, THREE, TWO, Way


@checked_noun
@dataclass(frozen=True, eq=False)
class Table:
    """(Weighted) counts, … × key × response. Two tables of disjoint units add up to the table of both.

    A last column `NO_ANSWER` counts pairs to which a run gave no answer, which are never right.
    `squares` are the sums of squared weights, for variances; without weights they are the counts themselves.
    """

    counts: Floats
    key_labels: tuple[str, ...]
    response_labels: tuple[str, ...]
    squares: Floats

    def __init__(
        self,
        counts: ArrayLike,
        key_labels: tuple[str, ...] | None = None,
        response_labels: tuple[str, ...] | None = None,
        squares: ArrayLike | None = None,
    ) -> None:
        try:
            numbers = np.asarray(counts, dtype=np.float64)
        except (TypeError, ValueError):
            raise UsageError("a table contains counts: rows of numbers, all of one length") from None
        if numbers.ndim < 2:
            raise UsageError(f"a table has at least two axes, key × response; this one has shape {numbers.shape}")
        if not (np.isfinite(numbers).all() and (numbers >= 0).all()):
            raise UsageError("a table contains counts: finite numbers, none negative")
        rows = key_labels or _default_labels(numbers.shape[-2])
        columns = response_labels or (rows if key_labels and response_labels is None else None)
        object.__setattr__(self, "counts", numbers)
        object.__setattr__(self, "key_labels", rows)
        object.__setattr__(self, "response_labels", columns or _default_labels(numbers.shape[-1]))
        if (len(self.key_labels), len(self.response_labels)) != numbers.shape[-2:]:
            raise UsageError(f"{numbers.shape[-2:]} cells do not fit {self.key_labels} × {self.response_labels}")
        object.__setattr__(self, "squares", numbers if squares is None else np.asarray(squares, dtype=np.float64))

    @property
    def total(self) -> Floats:
        """The total weight of all units."""
        return self.counts.sum(axis=(-2, -1))

    @property
    def key(self) -> Floats:
        """The key's margin: (…, labels)."""
        return self.counts.sum(axis=-1)

    @property
    def response(self) -> Floats:
        """The response's margin: (…, labels)."""
        return self.counts.sum(axis=-2)

    @property
    def diagonal(self) -> Floats:
        """The agreeing cells."""
        self.need_same_labels()
        return np.diagonal(self.counts, axis1=-2, axis2=-1)

    @property
    def size(self) -> Floats:
        """The effective number of units (Kish): N if every unit has weight 1."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.total**2 / self.squares.sum(axis=(-2, -1))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of both sides."""
        self.need_same_labels()
        return self.key_labels

    @property
    def answered(self) -> Floats:
        """The response's margin over the key's labels, without those that have no answer: (…, labels)."""
        return self.response[..., : len(self.labels)]

    def need_same_labels(self) -> None:
        """Raise an error if key and response have different labels."""
        if self.response_labels not in (self.key_labels, (*self.key_labels, NO_ANSWER)):
            raise NotApplicable("key and response have different labels; fold the table first")

    def place(self, label: str) -> int:
        """The position of `label`; raises an error if it is not among the labels."""
        if label not in self.key_labels:
            raise NotApplicable(f"{label} is not one of {', '.join(self.key_labels)}")
        return self.key_labels.index(label)

    def squared(self) -> Table:
        """A table of the squared weights, for computing effective sizes."""
        return self._with(self.squares, self.squares)

    def __getitem__(self, index: Any) -> Table:
        """Select along the leading axes."""
        counts = self.counts[index]
        if counts.shape[-2:] != self.counts.shape[-2:]:
            raise UsageError("an index selects runs, slices or resamples; cells are in .counts")
        return self._with(counts, self.squares[index])

    def __add__(self, other: Table) -> Table:
        if (self.key_labels, self.response_labels) != (other.key_labels, other.response_labels):
            raise UsageError("tables of different labels do not add up")
        return self._with(self.counts + other.counts, self.squares + other.squares)

    def sum(self, axis: int = 0) -> Table:
        """The sum of all tables along a leading axis."""
        return self._with(self.counts.sum(axis=axis), self.squares.sum(axis=axis))

    def fold(self, way: Way = TWO) -> Table:
        """Three-way sides folded to `way`; a side that already has its labels is unchanged."""
        rows = _folding(self.key_labels, way)
        columns = _folding(self.response_labels, way)
        counts = rows.T @ self.counts @ columns
        answers = (*way.labels, *self.response_labels[-1:]) if NO_ANSWER in self.response_labels else way.labels
        return Table(counts, way.labels, answers, rows.T @ self.squares @ columns)

    def transpose(self) -> Table:
        """Key and response exchanged."""
        counts, squares = self.counts.swapaxes(-1, -2), self.squares.swapaxes(-1, -2)
        return Table(counts, self.response_labels, self.key_labels, squares)

    def negate(self) -> Table:
        """Every H becomes not-H, in key and response: ⊢ and ⊣ are exchanged. Three-way only."""
        if self.key_labels != THREE.labels or self.response_labels[:3] != THREE.labels:
            raise NotApplicable("only three-way labels can be negated")
        columns = [2, 1, 0, *range(3, len(self.response_labels))]
        return self._with(self.counts[..., ::-1, columns], self.squares[..., ::-1, columns])

    def merge(self, source: int, target: int) -> Table:
        """The table of the run that answers `target` wherever it answered `source`."""
        move = np.eye(len(self.response_labels))
        move[source, source], move[source, target] = 0, 1
        return self._with(self.counts @ move, self.squares @ move)

    def worth(self, effect: Floats) -> Table:
        """The same counts of units that are worth fewer independent ones, by a design effect (…)."""
        return self._with(self.counts, self.squares * np.asarray(effect)[..., None, None])

    def with_counts(self, counts: Floats) -> Table:
        """The same labels with other counts (perturbed, resampled), each unit with weight 1."""
        return self._with(counts, counts)

    def _with(self, counts: Floats, squares: Floats) -> Table:
        return Table(counts, self.key_labels, self.response_labels, squares)


def _default_labels(size: int) -> tuple[str, ...]:
    for way in (TWO, THREE):
        if len(way.labels) == size:
            return way.labels
    return tuple(str(number) for number in range(size))


def _folding(labels: tuple[str, ...], way: Way) -> Floats:
    """The 0/1 matrix that maps codes of `labels` to codes of `way`; no answer stays none."""
    if labels[-1:] == (NO_ANSWER,):
        answered = _folding(labels[:-1], way)
        return np.block([[answered, np.zeros((len(answered), 1))], [np.zeros(answered.shape[1]), np.ones(1)]])
    if labels == way.labels:
        return np.eye(len(labels))
    if labels != THREE.labels:
        raise NotApplicable(f"{', '.join(labels)} do not fold to {', '.join(way.labels)}")
    return np.eye(len(way.labels))[list(way.from_three)]
