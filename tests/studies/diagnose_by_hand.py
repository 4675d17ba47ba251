"""A diagnosis in plain loops, from the chapter's words: fractions, no arrays, nothing of the study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from tests.decompositions import E, Part

CATEGORIES = ("lexical", "lexical-syntactic", "syntactic", "discourse", "reasoning")
Chosen = Callable[[Part], bool]


def share(parts: Sequence[Part], run: int, weights: dict[str, Fraction] | None = None) -> Fraction | None:
    """Right ones over all."""
    weigh = [
        Fraction(1) if not weights or not one.phenomenon else weights.get(one.phenomenon, Fraction(1)) for one in parts
    ]
    total = sum(weigh)
    return (
        sum((w for one, w in zip(parts, weigh, strict=True) if one.right[run]), Fraction(0)) / total if total else None
    )


def ratio(above: Fraction | None, below: Fraction | None) -> Fraction | None:
    """Undefined where anything is, or where there is nothing to divide by."""
    return None if above is None or not below else above / below


def groups(parts: Sequence[Part]) -> dict[str, tuple[list[Part], list[Part]]]:
    """Monothematic pairs and originals of every kind, by name."""
    mono = [one for one in parts if one.phenomenon]
    originals = [one for one in parts if any(other.original == one.id for other in mono)]
    made = {"all": (mono, originals)}
    names = {one.phenomenon: one.phenomenon.split(":")[0] for one in mono if one.phenomenon}
    for name in {*names, *names.values()}:
        own = [one for one in mono if one.phenomenon == name or (one.phenomenon or "").startswith(f"{name}:")]
        made[name] = (own, [one for one in originals if any(part.original == one.id for part in own)])
    sides: dict[str, Chosen] = {"positive": lambda one: one.label == E, "negative": lambda one: one.label != E}
    for name, fits in sides.items():
        made[name] = ([one for one in mono if fits(one)], [one for one in originals if fits(one)])
    for label in {one.label for one in mono} - {E}:
        made[label] = tuple([one for one in side if one.label == label] for side in (mono, originals))  # type: ignore[assignment]
    return made


def correlation_index(
    parts: Sequence[Part], name: str, run: int, side: str = "", weights: dict[str, Fraction] | None = None
) -> Fraction | None:
    """Accuracy on originals over accuracy on parts, of a group or of one side of it."""
    mono, originals = groups(parts)[name]
    if side:
        mono, originals = (
            [one for one in some if (one.label == E) == (side == "positive")] for some in (mono, originals)
        )
    return ratio(share(originals, run), share(mono, run, weights))


def adjusted_index(parts: Sequence[Part], name: str, run: int) -> Fraction | None:
    """Accuracy on originals over that on parts of which each side counts as often as it does among originals."""
    mono, originals = groups(parts)[name]
    expected = Fraction(0)
    for original in originals:
        accuracy = share([one for one in mono if (one.label == E) == (original.label == E)], run)
        if accuracy is None:
            return None
        expected += accuracy / len(originals)
    return ratio(share(originals, run), expected)


def deviation_index(parts: Sequence[Part], name: str, run: int) -> Fraction | None:
    """The two sides' indices apart."""
    one, other = (correlation_index(parts, name, run, side) for side in ("positive", "negative"))
    return None if one is None or other is None else abs(one - other)


def pair_index(parts: Sequence[Part], original: Part, run: int) -> Fraction | None:
    """Exact cases of one original."""
    own = [one for one in parts if one.original == original.id]
    right = sum(one.right[run] for one in own)
    return None if not right else Fraction(len(own), right) if original.right[run] else Fraction(0)


def mcnemar(own: Sequence[Part], a: int, b: int) -> Fraction:
    """Two-sided, summed over every outcome at least as lopsided."""
    only = [sum(one.right[x] and not one.right[y] for one in own) for x, y in ((a, b), (b, a))]
    n, apart = sum(only), abs(only[0] - only[1])
    return Fraction(sum(comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= apart), 2**n)


def scattered(sizes: Sequence[int], right: int) -> Fraction:
    """The mean share of groups right throughout over every way to place the right answers."""
    units = sum(sizes)
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    every = list(combinations(range(units), right))
    hits = sum(
        all(unit in chosen for unit in range(start, start + size))
        for chosen in map(set, every)
        for start, size in zip(starts, sizes, strict=True)
    )
    return Fraction(hits, len(every) * len(sizes))
