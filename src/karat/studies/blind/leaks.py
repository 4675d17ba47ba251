"""What gives the labels of a test set away without being read: ids, order, attributes, lengths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Ints
from karat.data.fields import Shown
from karat.data.pairs import Pairs
from karat.data.parameters import generator
from karat.files import as_number
from karat.statistics.leaks import code_p, cut, draws_for, guessed, order_p
from karat.statistics.multiple_testing import holm
from karat.studies.wording import P

Where = Literal["ids", "order", "attribute", "length"]
LEVEL = 0.01
"""A warning about a test set that gives nothing away comes in at most one of a hundred, whatever is looked at."""
FEW_VALUES = 20
"""An attribute with more values, all numbers, is an amount; a part of ids with more values is not looked at."""
MOST_PARTS = 6
"""So many parts of ids are looked at, from the left; the last one always."""


@dataclass(frozen=True)
class Leak:
    """Something that was looked at, and whether it is associated with the labels."""

    where: Where
    what: Annotated[str, Shown("looked at")]
    guessed: Annotated[float, Shown("guessed from it", note="the share of labels that are right if guessed", unit="%")]
    """The share of labels that are right if for each of its values the most frequent label is guessed."""
    common: Annotated[float, Shown("guessed anyway", note="the share of the most frequent label", unit="%")]
    p: P
    p_corrected: Annotated[P, Shown("p, Holm")]
    leaks: Annotated[bool, Shown("associated")]


def leaks_of(
    pairs: Pairs,
    attributes: Sequence[str] = (),
    seed: int = 0,
    *,
    ids: bool = True,
    order: bool = True,
    lengths: bool = True,
    neighbours: bool = True,
) -> list[Leak]:
    """Every feature of the labelled pairs that others will see, and whether labels depend on it.

    Neighbours are of use to somebody who knows some of the labels. The order need not be looked at where it will be
    changed, and ids where they will be replaced. p-values are corrected (Holm) over all that is looked at.
    """
    labelled = np.flatnonzero(pairs.labels >= 0)
    if len(labelled) < 2:
        return []
    pairs = pairs.of_units(pairs.labels >= 0)
    labels = pairs.labels.astype(np.int64)
    features = list(_features(pairs, attributes, ids, order, lengths))
    orders = list(_orders(pairs, ids, order)) if neighbours else []
    draws = draws_for(len(features) + len(orders), LEVEL)
    looked: list[tuple[Where, str, Ints, float]] = []
    for where, what, codes in features:
        random = generator(seed, "blind", what)
        looked.append((where, what, codes, code_p(codes, labels, random, draws)))
    for where, what, places in orders:
        beside = f"the label before, in {what}"
        seen = labels[places.argsort()]
        before = np.empty_like(labels)
        before[places.argsort()] = np.append(seen[:1], seen[:-1])
        looked.append((where, beside, before, order_p(seen, generator(seed, "blind", beside), draws)))
    common = float(np.bincount(labels).max()) / len(labels)
    after = holm(np.array([p for *_, p in looked])).tolist()
    return [
        Leak(where, what, guessed(codes, labels) / len(labels), common, p, q, q <= LEVEL + EXACT_TOLERANCE)
        for (where, what, codes, p), q in zip(looked, after, strict=True)
    ]


def _orders(pairs: Pairs, ids: bool, order: bool) -> Iterator[tuple[Where, str, Ints]]:
    """The place of every pair in the orders that are seen: that of the file, and that of its ids."""
    if order:
        yield "order", "the order of the pairs", np.arange(len(pairs))
    ranked = np.argsort(np.array(sorted(range(len(pairs)), key=lambda at: _natural(pairs.ids[at]))))
    if ids and not (order and (ranked == np.arange(len(pairs))).all()):
        yield "ids", "the order of the ids", ranked


def _natural(id: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which `pair 9` comes before `pair 10`."""
    parts = re.split(r"([0-9]+)", id)
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts if part)


def _features(
    pairs: Pairs, attributes: Sequence[str], ids: bool, order: bool, lengths: bool
) -> Iterator[tuple[Where, str, Ints]]:
    for where, what, places in _orders(pairs, ids, order):
        yield where, what, cut(places.astype(np.float64))
    if ids:
        yield from (("ids", what, codes) for what, codes in _inside(pairs.ids))
    for name in attributes:
        values = ["" if value is None else value for value in pairs.attributes[name]]
        numbers = np.array([as_number(value) for value in values])
        if len(set(values)) > FEW_VALUES and np.isfinite(numbers).all():
            yield "attribute", f"the attribute {name!r}", cut(numbers)
        elif len(set(values)) <= len(pairs) / 2:
            yield "attribute", f"the attribute {name!r}", _coded(values)
    if lengths and pairs.has_texts:
        for name, texts in (("texts", pairs.texts), ("hypotheses", pairs.hypotheses)):
            yield "length", f"the length of the {name}", cut(np.array([float(len(text)) for text in texts]))


def _inside(ids: Sequence[str]) -> Iterator[tuple[str, Ints]]:
    """The ends and the length of ids, and their parts, letters or digits, at places where few different ones occur.

    A part that says the same as something before it is left out.
    """
    parts = [re.findall(r"[^\W\d_]+|\d+", id) for id in ids]
    most = min(max(map(len, parts)), MOST_PARTS)
    asked = {
        "the first character of the ids": [id[:1] for id in ids],
        "the last character of the ids": [id[-1:] for id in ids],
        "the length of the ids": [str(len(id)) for id in ids],
        **{f"part {at + 1} of the ids": ["".join(one[at : at + 1]) for one in parts] for at in range(most)},
        "the last part of the ids": ["".join(one[-1:]) for one in parts],
    }
    seen: set[bytes] = set()
    for what, values in asked.items():
        first = {value: place for place, value in reversed(list(enumerate(values)))}
        same = np.array([first[value] for value in values]).tobytes()
        if "part" not in what or (1 < len(first) <= FEW_VALUES and same not in seen):
            yield what, _coded(values)
        seen.add(same)


def _coded(values: Sequence[str]) -> Ints:
    return np.unique(np.array(values, dtype=object).astype(str), return_inverse=True)[1].astype(np.int64)
