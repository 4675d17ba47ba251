"""Monothematic pairs meet their originals: everything wrong is said, and what is left is a `Decomposition`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.data.decomposition import REWRITE, SUBSTITUTION, Decomposition, Mask, Phenomenon
from karat.data.monothematic import compositions, same_words
from karat.data.pairs import Pairs
from karat.data.phenomena import CATEGORIES, PHENOMENA, categories_of, category_name, split_name
from karat.data.source import Source
from karat.errors import Problems


@dataclass(frozen=True)
class Where:
    """The place of a pair: a file, and a line and column where they are known."""

    file: str
    line: int | None = None
    column: int | None = None


class Checked:
    """Pairs under examination: what each says of itself, and where problems are told."""

    def __init__(self, pairs: Pairs, places: Sequence[Where], problems: Problems) -> None:
        self.pairs, self.places, self.problems = pairs, places, problems

    def said(self, name: str, pair: int) -> str:
        """An attribute of a pair; nothing where it is not given."""
        column = self.pairs.attributes.get(name)
        return ((column[pair] if column else None) or "").strip()

    def tell(self, code: str, pair: int, found: str, **facts: str) -> None:
        """A problem with a pair, where it stands."""
        at = self.places[pair]
        found = f"pair {self.pairs.ids[pair]!r} {found}"
        self.problems.add(code, found, file=at.file, line=at.line, column=at.column, **facts)


def align_decomposition(
    pairs: Pairs,
    problems: Problems,
    places: Sequence[Where] | None = None,
    mono: Mask | None = None,
    sources: tuple[Source, ...] = (),
) -> Decomposition:
    """The decomposition in some pairs; what is wrong goes to `problems`.

    A pair is monothematic where it says so by `original` or `phenomenon`; `mono` says it of further pairs, those of a
    file that holds no others.
    """
    checked = Checked(pairs, places or [Where(pairs.source.name or "pairs")] * len(pairs), problems)
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
        warnings=tuple(dict.fromkeys([*pairs.warnings, *problems.warnings])),
    )


def _original(checked: Checked, pair: int, is_mono: Mask) -> int:
    """The place of the pair that a monothematic one was made from; -1 where there is none."""
    name, pairs = checked.said("original", pair), checked.pairs
    place = pairs.index.get(name, -1)
    if not name:
        checked.tell("orphan", pair, "names no original")
    elif place < 0:
        checked.tell("orphan", pair, f"is made from {name!r}, which is not there")
    elif is_mono[place]:
        checked.tell("original-monothematic", pair, f"is made from {name!r}, which is monothematic itself")
        return -1
    elif not same_words(pairs.texts[pair], pairs.texts[place]):
        checked.tell("other-text", pair, f"has another T than {name!r}")
    return place


def _phenomenon(checked: Checked, pair: int, settled: dict[str, str]) -> Phenomenon | None:
    """Phenomenon and category, as they are called here; None where a problem is told."""
    spelled = checked.said("phenomenon", pair)
    if not spelled:
        checked.tell("no-phenomenon", pair, "isolates no phenomenon")
        return None
    prefix, name = split_name(spelled)
    given = checked.said("category", pair)
    category = category_name(given) if given else prefix
    fitting = categories_of(name)
    if prefix is not None and category != prefix:
        what = f"one category: {prefix} as in {spelled}, or {category}"
        checked.tell("category", pair, f"has the category {given!r} and the phenomenon {spelled!r}", what=what)
        return None
    if category is None and len(fitting) == 1:
        category = fitting[0]
    if category is None:
        what = f"one of {', '.join(fitting or CATEGORIES)} as its category"
        checked.tell("category", pair, f"isolates {name!r}, of which nobody knows the category", what=what)
        return None
    if fitting and category not in fitting:
        what = f"{' or '.join(fitting)}, which {name} belongs to"
        checked.tell("category", pair, f"has {name!r} in the category {category!r}", what=what)
        return None
    if not fitting and settled.setdefault(name, category) != category:
        what = f"{settled[name]}, as before"
        checked.tell("category", pair, f"has {name!r} in the category {category!r}", what=what)
        return None
    return Phenomenon(name, category)


def _check_rule(checked: Checked, pair: int) -> None:
    """The left side is in T; where H is said to be a substitution, it is T with the right side in its place."""
    sides = [checked.pairs.texts[pair], *(checked.said(name, pair) for name in ("lhs", "rhs"))]
    text, left, right = (" ".join(side.split()) for side in sides)  # files break their lines where they like
    composed = checked.said("composed", pair)
    made = compositions(text, left, right)
    if composed not in ("", SUBSTITUTION, REWRITE):
        checked.tell("composition", pair, f"is composed by {composed!r}", what=f"{SUBSTITUTION} or {REWRITE}")
    if left and not made:
        checked.tell("left-side", pair, f"has a rule for {left!r}, which its T does not hold")
    elif composed == SUBSTITUTION and not left:
        what = "a left and a right side (lhs, rhs), since composed says substitution"
        checked.tell("composition", pair, "has no left side", what=what)
    elif composed == SUBSTITUTION and not any(same_words(one, checked.pairs.hypotheses[pair]) for one in made):
        what = f"T with {left!r} replaced by {right!r}, since composed says substitution"
        checked.tell("composition", pair, "has another H than its rule makes", what=what)


def _check_labels(checked: Checked, is_mono: Mask, original: np.ndarray) -> None:
    """Pairs of the decomposition that have no label are read, and left out."""
    within = is_mono.copy()
    within[original[original >= 0]] = True
    for pair in np.flatnonzero(within & (checked.pairs.labels < 0)).tolist():
        checked.tell("unlabelled", pair, "has no label")


def _check_decomposed(checked: Checked, is_mono: Mask, original: np.ndarray) -> None:
    """Originals that nothing was made from are told once for all of them."""
    untouched = ~is_mono
    untouched[original[original >= 0]] = False
    if untouched.any() and is_mono.any():
        first = int(np.flatnonzero(untouched)[0])
        at = checked.places[first]
        number = f"{int(untouched.sum())} of {int((~is_mono).sum())} originals"
        found = f"{number} without a monothematic pair, first {checked.pairs.ids[first]!r}"
        checked.problems.add("not-decomposed", found, file=at.file, line=at.line, column=at.column)


def _in_order(phenomenon: Phenomenon) -> tuple[int, str, int, str]:
    """Categories and phenomena as the paper lists them; others after them, by name."""
    category = phenomenon.category or ""
    known = CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)
    names = PHENOMENA.get(category, ())
    place = names.index(phenomenon.name) if phenomenon.name in names else len(names)
    return known, category, place, phenomenon.name
