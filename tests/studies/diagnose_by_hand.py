"""A diagnosis in plain loops, from the chapter's words: fractions, no arrays, nothing of the study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

from scipy import stats

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


def exchanged(own: Sequence[Part], a: int, b: int) -> Fraction:
    """Two-sided, over every way to exchange two runs on whole originals, outcomes counted one original at a time."""
    homes: dict[str, int] = {}
    for one in own:
        homes[str(one.original)] = homes.get(str(one.original), 0) + one.right[a] - one.right[b]
    ways = {0: 1}
    for step in homes.values():
        after: dict[int, int] = {}
        for total, number in ways.items():
            for sign in (1, -1):
                after[total + sign * step] = after.get(total + sign * step, 0) + number
        ways = after
    apart = abs(sum(homes.values()))
    return Fraction(sum(number for total, number in ways.items() if abs(total) >= apart), 2 ** len(homes))


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


def so_few(mono: Sequence[Part], own: Sequence[Part], run: int) -> Fraction:
    """The share of all placements of the right answers that put at most as many into the slice."""
    total, n, right, here = len(mono), len(own), sum(o.right[run] for o in mono), sum(o.right[run] for o in own)
    ways = sum(comb(n, k) * comb(total - n, right - k) for k in range(here + 1) if 0 <= right - k <= total - n)
    return Fraction(ways, comb(total, right))


def weaker_by_t(mono: Sequence[Part], own: Sequence[Part], run: int) -> float:
    """One-sided p of t: the slice less the rest, over the error from what each original's parts depart by."""
    others = [one for one in mono if one not in own]
    means = [sum(one.right[run] for one in some) / len(some) for some in (own, others)]
    departs: dict[str, float] = {}
    for some, mean, sign in ((own, means[0], 1), (others, means[1], -1)):
        for one in some:
            home = str(one.original)
            departs[home] = departs.get(home, 0.0) + sign * (one.right[run] - mean) / len(some)
    fewest = min(len({one.original for one in some}) for some in (own, others))
    error = (sum(x**2 for x in departs.values()) * fewest / (fewest - 1)) ** 0.5
    return float(stats.t.cdf((means[0] - means[1]) / error, fewest - 1))


def index_p(mono: Sequence[Part], originals: Sequence[Part], run: int) -> float | None:
    """Two-sided p of t: wholes less parts at the wholes' mix, over the error from what each home departs by."""
    positive = [side == E for side in (E, "")]
    n = len(originals)
    by_side = {side: [one for one in mono if (one.label == E) == side] for side in positive}
    mix = {side: sum((one.label == E) == side for one in originals) / n for side in positive}
    needed = [side for side in positive if mix[side]]
    if any(not by_side[side] for side in needed) or not any(one.right[run] for side in needed for one in by_side[side]):
        return None
    accuracy = {side: sum(one.right[run] for one in by_side[side]) / len(by_side[side]) for side in needed}
    wholes = sum(one.right[run] for one in originals) / n
    apart = wholes - sum(mix[side] * accuracy[side] for side in needed)
    departs = dict.fromkeys([one.id for one in originals], 0.0) | dict.fromkeys(
        [str(one.original) for one in mono], 0.0
    )
    for one in originals:
        departs[one.id] += (one.right[run] - accuracy[one.label == E] - apart) / n
    for side in needed:
        for one in by_side[side]:
            departs[str(one.original)] -= mix[side] * (one.right[run] - accuracy[side]) / len(by_side[side])
    variance = sum(rest**2 for rest in departs.values()) * n / (n - 1) + lacking(originals, run)
    variance += sum(mix[side] ** 2 * lacking(by_side[side], run) for side in needed)
    freedom = max(min(n, *(len(by_side[side]) for side in needed)) - 1, 1)
    return float(2 * stats.t.sf(abs(apart) / variance**0.5, freedom))


def lacking(parts: Sequence[Part], run: int) -> float:
    """How much larger the variance of the share would be with one more right and one more wrong."""
    right, n = sum(one.right[run] for one in parts), len(parts)
    plain = right / n * (1 - right / n) / max(n - 1, 1)
    return max((right + 1) / (n + 2) * (n - right + 1) / (n + 2) / (n + 2) - plain, 0.0)


def traded(parts: Sequence[Part], run: int) -> tuple[Fraction, Fraction]:
    """How many groups of different labels would be right throughout, and P(at most as many as there are).

    Groups of the same labels, kind by kind: which of them are right on all pairs of a label is placed anew, in every
    way.
    """
    held: dict[str, list[Part]] = {}
    for one in parts:
        if one.phenomenon:
            held.setdefault(str(one.original), []).append(one)
    kinds: dict[tuple[str, ...], list[list[Part]]] = {}
    for group in held.values():
        kinds.setdefault(tuple(sorted(one.label for one in group)), []).append(group)
    expected, observed, counts = Fraction(0), 0, {0: Fraction(1)}
    for kind, groups in kinds.items():
        labels = sorted(set(kind))
        if len(labels) < 2:
            continue
        right = [{at for at, g in enumerate(groups) if all(o.right[run] for o in g if o.label == b)} for b in labels]
        observed += len(set.intersection(*right))
        ways = [
            len(set.intersection(*map(set, way)))
            for way in product(*(combinations(range(len(groups)), len(each)) for each in right))
        ]
        expected += Fraction(sum(ways), len(ways))
        more: dict[int, Fraction] = {}
        for before, chance in counts.items():
            for number in ways:
                more[before + number] = more.get(before + number, Fraction(0)) + chance / len(ways)
        counts = more
    return expected, sum((chance for number, chance in counts.items() if number <= observed), Fraction(0))
