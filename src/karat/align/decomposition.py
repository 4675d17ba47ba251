"""Align decompositions: match monothematic pairs with their originals, and report all problems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.align.monothematic import compositions, found_in_other_case, same_words
from karat.arrays import Bools
from karat.data.decomposition import REWRITE, SUBSTITUTION, Decomposition, Phenomenon
from karat.data.pairs import Pairs
from karat.data.phenomena import CATEGORIES, KNOWN, PHENOMENA, nearest, place
from karat.data.provenance import Source
from karat.errors import Problems, counted
from karat.labels import THREE

ENTAILMENT, _, CONTRADICTION = THREE.labels


PairPlace = tuple[str, int | None, int | None]
"""File, line and column of a pair."""


class CheckedPairs:
    """Pairs being checked, with their places and the problems found."""

    def __init__(self, pairs: Pairs, places: Sequence[PairPlace], problems: Problems) -> None:
        self.pairs, self.places, self.problems = pairs, places, problems

    def said(self, name: str, pair: int) -> str:
        """An attribute of a pair; empty if missing."""
        column = self.pairs.attributes.get(name)
        return ((column[pair] if column else None) or "").strip()

    def label(self, pair: int) -> str:
        """The label of a pair; empty if it has none."""
        code, way = int(self.pairs.labels[pair]), self.pairs.way
        return "" if code < 0 or way is None else way.labels[code]

    def report(self, code: str, pair: int, found: str, **facts: str) -> None:
        """Report a problem with a pair."""
        file, line, column = self.places[pair]
        found = f"pair {self.pairs.ids[pair]!r} {found}"
        self.problems.add(code, found, file=file, line=line, column=column, **facts)


def align_decomposition(
    pairs: Pairs,
    problems: Problems,
    places: Sequence[PairPlace] | None = None,
    mono: Bools | None = None,
    sources: tuple[Source, ...] = (),
) -> Decomposition:
    """The decomposition that the attributes of pairs describe.

    A pair is monothematic if it has an `original` or a `phenomenon`, or if `mono` marks it because its file contains
    only monothematic pairs.
    """
    checked = CheckedPairs(pairs, places or [(pairs.source.name or "pairs", None, None)] * len(pairs), problems)
    claims = [bool(checked.said("original", pair) or checked.said("phenomenon", pair)) for pair in range(len(pairs))]
    is_mono = np.array(claims, dtype=bool) | (False if mono is None else mono)
    original = np.full(len(pairs), -1, dtype=np.int32)
    phenomena: dict[Phenomenon, list[int]] = {}
    settled: dict[str, str] = {}
    for pair in np.flatnonzero(is_mono).tolist():
        original[pair] = _original(checked, pair, is_mono)
        phenomenon = _phenomenon(checked, pair, settled)
        if phenomenon is not None:
            phenomena.setdefault(phenomenon, []).append(pair)
        _check_rule(checked, pair)
    _check_labels(checked, is_mono, original)
    _check_wholes(checked, is_mono, original)
    _check_decomposed(checked, is_mono, original)
    order = sorted(phenomena, key=_in_order)
    holds = np.zeros((len(order), len(pairs)), dtype=bool)
    for row, phenomenon in enumerate(order):
        holds[row, phenomena[phenomenon]] = True
    return Decomposition(
        pairs=pairs,
        original=original,
        phenomena=tuple(order),
        holds=holds,
        sources=sources or (pairs.source,),
    )


def _original(checked: CheckedPairs, pair: int, is_mono: Bools) -> int:
    """The index of the original of a monothematic pair; -1 if there is none."""
    name, pairs = checked.said("original", pair), checked.pairs
    place = pairs.index.get(name, -1)
    if not name:
        checked.report("orphan", pair, "names no original")
    elif place < 0:
        checked.report("orphan", pair, f"is made from {name!r}, which is not there")
    elif is_mono[place]:
        checked.report("original-monothematic", pair, f"is made from {name!r}, which is monothematic itself")
        return -1
    elif not same_words(pairs.texts[pair], pairs.texts[place]):
        checked.report("other-text", pair, f"has a different T from {name!r}")
    return place


def _phenomenon(checked: CheckedPairs, pair: int, settled: dict[str, str]) -> Phenomenon | None:
    """Phenomenon and category under their usual names; None if there is a problem."""
    spelled = checked.said("phenomenon", pair)
    if not spelled:
        checked.report("no-phenomenon", pair, "isolates no phenomenon")
        return None
    placed = place(spelled, checked.said("category", pair))
    if placed.found or placed.category is None:
        checked.report("category", pair, placed.found, what=placed.expected)
        return None
    name, category, new = placed.name, placed.category, placed.name not in settled
    if settled.setdefault(name, category) != category and name not in KNOWN:
        found = f"has {name!r} in the category {category!r}"
        checked.report("category", pair, found, what=f"{settled[name]}, as before")
        return None
    if new and (near := nearest(name)):  # once, not for every pair that isolates it
        checked.report("near-phenomenon", pair, f"isolates {name!r}, which is not a known phenomenon", near=near)
    return Phenomenon(name, category)


def _check_rule(checked: CheckedPairs, pair: int) -> None:
    """The left side must occur in T; if H is composed by substitution, it must be T with the right side instead."""
    sides = [checked.pairs.texts[pair], *(checked.said(name, pair) for name in ("lhs", "rhs"))]
    text, left, right = (" ".join(side.split()) for side in sides)  # line breaks in the file do not matter
    composed, hypothesis = checked.said("composed", pair), checked.pairs.hypotheses[pair]
    made = compositions(text, left, right)
    exact = any(same_words(one, hypothesis) for one in made)
    if composed not in ("", SUBSTITUTION, REWRITE):
        checked.report("composed", pair, f"is composed by {composed!r}")
    if left and not made:
        near = found_in_other_case(text, left)
        hint = f" (it has {near!r})" if near else ""
        checked.report("left-side", pair, f"has a rule for {left!r}, which does not occur in its T{hint}")
    elif composed == SUBSTITUTION and not left:
        what = "a left and a right side (lhs, rhs), since composed says substitution"
        checked.report("composition", pair, "has no left side", what=what)
    elif composed == SUBSTITUTION and not exact:
        what = f"T with {left!r} replaced by {right!r}, since composed says substitution"
        checked.report("composition", pair, "has a different H from what its rule produces", what=what)
    elif composed == REWRITE and exact:
        checked.report("no-rewrite", pair, f"has exactly the H that replacing {left!r} by {right!r} produces")
    _check_pattern(checked, pair)


def _check_pattern(checked: CheckedPairs, pair: int) -> None:
    pattern, label = checked.said("pattern", pair), checked.label(pair)
    if ("⇒" in pattern and label == CONTRADICTION) or ("⇎" in pattern and label == ENTAILMENT):
        checked.report("rule-and-label", pair, f"has the pattern {pattern!r} and the label {label}")


def _check_labels(checked: CheckedPairs, is_mono: Bools, original: np.ndarray) -> None:
    """Pairs of the decomposition without a label are read but not scored."""
    within = is_mono.copy()
    within[original[original >= 0]] = True
    for pair in np.flatnonzero(within & (checked.pairs.labels < 0)).tolist():
        checked.report("unlabelled", pair, "has no label")


def _check_wholes(checked: CheckedPairs, is_mono: Bools, original: np.ndarray) -> None:
    """The label of an original must be possible given those of its parts."""
    parts: dict[int, list[str]] = {}
    for pair in np.flatnonzero(is_mono & (original >= 0)).tolist():
        parts.setdefault(int(original[pair]), []).append(checked.label(pair))
    for whole, labels in parts.items():
        label = checked.label(whole)
        if label == ENTAILMENT and CONTRADICTION in labels:
            found = (
                f"is ENTAILMENT, and {labels.count(CONTRADICTION)} of its {counted(len(labels), 'part')} CONTRADICTION"
            )
            checked.report("parts-and-whole", whole, found, what="no contradiction among the parts of an entailment")
        elif label not in ("", ENTAILMENT) and set(labels) == {ENTAILMENT}:
            what = "a part that is not ENTAILMENT either"
            found = f"is {label}, and every one of its parts ({len(labels)}) ENTAILMENT"
            checked.report("parts-and-whole", whole, found, what=what)


def _check_decomposed(checked: CheckedPairs, is_mono: Bools, original: np.ndarray) -> None:
    """Originals without monothematic pairs are reported in one problem."""
    untouched = ~is_mono
    untouched[original[original >= 0]] = False
    if untouched.any() and is_mono.any():
        first = int(np.flatnonzero(untouched)[0])
        file, line, column = checked.places[first]
        number = f"{int(untouched.sum())} of {int((~is_mono).sum())} originals"
        found = f"{number} without a monothematic pair, first {checked.pairs.ids[first]!r}"
        checked.problems.add("not-decomposed", found, file=file, line=line, column=column)


def _in_order(phenomenon: Phenomenon) -> tuple[int, str, int, str]:
    """Sort key: categories and phenomena in the order of the paper, then others by name."""
    category = phenomenon.category or ""
    known = CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)
    names = PHENOMENA.get(category, ())
    place = names.index(phenomenon.name) if phenomenon.name in names else len(names)
    return known, category, place, phenomenon.name
