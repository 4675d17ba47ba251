"""Every figure once more, in plain loops from the textbook's formula: no numpy, nothing of the package.

A table is a list of rows, the key's (or first assessor's) labels down, the other's across.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from statistics import NormalDist
from typing import Any

from scipy import stats

from tests.papers import by_hand_agreement as agreement
from tests.papers import by_hand_counts as counts
from tests.papers.by_hand_biased import biased_figure
from tests.papers.by_hand_counts import Rows
from tests.papers.by_hand_justified import justified_figure
from tests.papers.by_hand_questions import question_figure

LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


def by_hand(figure: dict[str, Any]) -> float:
    """The figure from its input alone."""
    if "rankings" in figure or "rated" in figure:
        return rank_figure(figure)
    if "justified" in figure:
        return justified_figure(**figure["justified"])
    if "asked" in figure:
        return question_figure(**figure["asked"])
    if "biased" in figure:
        return biased_figure(**figure["biased"])
    if "decomposed" in figure:
        return decomposition_figure(**figure["decomposed"])
    if "power" in figure:
        return power_figure(**figure["power"])
    if "swap" in figure:
        return swap_figure(**figure["swap"])
    if "scores" in figure:
        scores = figure["scores"]
        return (
            sum(scores) / len(scores)
            if figure["statistic"] == "mean"
            else sum(s < system_figure(figure) for s in scores)
        )
    if "ranking" in figure:
        return ordered(figure["measure"], figure["ranking"]["key"], figure["ranking"]["response"])
    if "system" in figure:
        return system_figure(figure)
    width = max(map(len, figure["table"]))
    square = [[*row, *[0] * (width - len(row))] for row in figure["table"]]  # a triangle has short rows
    table = folded(square, figure.get("fold"), figure.get("merge"))
    if "coefficient" in figure:
        return agreement.coefficient(table, figure["coefficient"], figure.get("level"), figure.get("part", "value"))
    if "pair" in figure:
        return agreement.between(table, figure["pair"])
    if "count" in figure:
        return counted(figure["count"], table)
    if "decided" in figure:
        right = table[0][0] + table[2][2]
        rows = [0, 2] if "decided pairs" in figure["decided"] else [0, 1, 2]
        made = sum(table[row][0] + table[row][2] for row in rows)
        return right / (sum(table[0]) + sum(table[2]) if "recall" in figure["decided"] else made)
    return counts.measured(table, figure.get("measure") or figure["statistic"], figure.get("part", "value"))


def folded(table: Rows, fold: str | None, merge: Sequence[str] | None) -> Rows:
    """⊢ against the rest (2), ⊣ against the rest (2c), or one answer said as another."""
    if merge:
        old, new = (LABELS.index(label) for label in merge)
        made = [list(row) for row in table]
        for row in made:
            row[new], row[old] = row[new] + row[old], 0
        return made
    if fold is None:
        return table
    alone = [2] if fold == "2c" else [0]
    groups = [alone, [label for label in range(3) if label not in alone]]
    if fold == "2c":  # not-⊣ first
        groups.reverse()
    return [
        [sum(table[g][r] for g in key if g < len(table) for r in said if r < len(table[0])) for said in groups]
        for key in groups
    ]


def counted(what: str, table: Rows) -> float:
    """Numbers that are read off."""
    total, right = sum(map(sum, table)), sum(table[one][one] for one in range(3))
    match what:
        case "total":
            return total
        case "disagreements":
            return total - right
        case "disagreement_share":
            return (total - right) / total
        case "degradations":
            # One answer said as another: rewarded where more of them are right, as they say less.
            merged = [folded(table, None, (LABELS[a], LABELS[b])) for a in range(3) for b in range(3) if a != b]
            return sum(sum(one[k][k] for k in range(3)) > right + 1e-12 for one in merged)
        case "no_is_smallest":
            return float(table[2][2] == min(*table[2], *(row[2] for row in table)))
    raise KeyError(what)


def system_figure(figure: dict[str, Any]) -> float:
    """A system that knows nothing, on a key of so many of each label: what is expected of it."""
    key = figure["key"]
    total = sum(key)
    name = figure["system"]
    if figure.get("measure") == "average_precision":
        # A random ranking: each place holds a gain as often as any other.
        gains, harmonic = key[0], sum(1 / place for place in range(1, total + 1))
        return harmonic / total + (gains - 1) / (total - 1) * (1 - harmonic / total)
    if name.startswith("always-"):
        answers = [float(LABELS.index(name[7:].upper()) == place) for place in range(3)]
    else:
        answers = [count / total for count in key] if name == "random-key" else [1 / 3] * 3
    table = [[count * share for share in answers] for count in key]
    if figure.get("count") == "total":
        return sum(map(sum, table))
    return counts.measured(folded(table, figure.get("fold"), None), figure.get("measure", "accuracy"), "value")


def ordered(measure: str, key: str, response: str) -> float:
    """Of pairs in rank order."""
    right = [a == b for a, b in zip(key, response, strict=True)]
    gains = right if measure == "confidence_weighted" else [label == "⊢" for label in key]
    shares = [sum(gains[: place + 1]) / (place + 1) for place in range(len(gains))]
    if measure == "average_precision":
        return sum(share for share, gain in zip(shares, gains, strict=True) if gain) / sum(gains)
    return sum(shares) / len(shares)


def best_first(scores: Sequence[float]) -> list[int]:
    """The places of the runs."""
    return sorted(range(len(scores)), key=lambda run: -scores[run])


def rank_figure(figure: dict[str, Any]) -> float:
    """Two orders of the same runs, best first, without ties; the first is the reference."""
    if "rankings" in figure:
        reference, estimate = map(list, figure["rankings"])
    else:
        reference, estimate = (best_first(side) for side in figure["rated"])
    pairs = list(combinations(reference, 2))
    swapped = sum(estimate.index(a) > estimate.index(b) for a, b in pairs)
    match figure["statistic"]:
        case "tau":
            return float(1 - Fraction(2 * swapped, len(pairs)))
        case "discordant":
            return swapped
        case "largest_move":
            return max(abs(reference.index(run) - estimate.index(run)) for run in reference)
        case "tau_ap":
            shares = [
                Fraction(sum(reference.index(a) < reference.index(run) for a in estimate[:place]), place)
                for place, run in enumerate(estimate)
                if place
            ]
            return float(2 * sum(shares) / len(shares) - 1)
    raise KeyError(figure["statistic"])


def decomposition_figure(
    of: str,
    originals: Sequence[int],
    mono: Sequence[int],
    right: Sequence[int] = (),
    mono_right: Sequence[int] = (),
) -> float:
    """Right ones over all, and the ratios of the chapter; each list has the positive and the negative pairs."""

    def ratio(*sides: int) -> Fraction:
        whole = Fraction(sum(right[side] for side in sides), sum(originals[side] for side in sides))
        return whole / Fraction(sum(mono_right[side] for side in sides), sum(mono[side] for side in sides))

    match of:
        case "ci":
            return float(ratio(0, 1))
        case "ci_positive":
            return float(ratio(0))
        case "ci_negative":
            return float(ratio(1))
        case "di":
            return float(abs(ratio(0) - ratio(1)))
        case "delta":
            return float(abs(ratio(0, 1) - 1))
        case "accuracy":
            return sum(right) / sum(originals)
        case "mono_accuracy":
            return sum(mono_right) / sum(mono)
        case "parts":
            return sum(mono) / sum(originals)
        case "positive":
            return mono[0] / sum(mono)
    raise KeyError(of)


def power_figure(
    of: str, discordance: float, difference: float = 0.0, units: int = 0, pairs: int = 1, mid: bool = False
) -> float:
    """Connor's formula as it stands, searched for units and differences; McNemar's test summed over all outcomes."""
    alpha, beta = NormalDist().inv_cdf(1 - 0.05 / pairs / 2), NormalDist().inv_cdf(0.8)

    def needed(delta: float) -> float:
        root = alpha * math.sqrt(discordance) + beta * math.sqrt(discordance - delta**2)
        return (root / delta) ** 2

    if of == "units":
        return math.ceil(needed(difference))
    if of == "difference":
        low, high = 1e-6, discordance
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if needed(middle) > units else (low, middle)
        return high
    return mcnemar_power(units, discordance, difference, mid)


def mcnemar_power(units: int, discordance: float, difference: float, mid: bool) -> float:
    """Over every number of discordant units and of wins among them, where p is at most .05."""
    total, better = 0.0, (discordance + difference) / (2 * discordance)
    for number in range(units + 1):
        chance = stats.binom.pmf(number, units, discordance)
        if chance < 1e-9:
            continue
        null = stats.binom.pmf(range(number + 1), number, 0.5)
        wins = stats.binom.pmf(range(number + 1), number, better)
        tail, reached = 0.0, 0.0
        for fewer in range((number - 1) // 2 + 1):
            tail += null[fewer]
            p = 2 * tail - (null[fewer] if mid else 0)
            if p <= 0.05:
                reached += wins[fewer] + wins[number - fewer]
        total += chance * reached
    return total


def swap_figure(of: str, runs: int, units: int) -> float:
    """Every size from 5 that fits twice into the units, 50 trials, every two runs once."""
    sizes = sum(2 * size <= units for size in range(5, units))
    pairs = sum(1 for _ in combinations(range(runs), 2))
    return {"sizes": sizes, "pairs": pairs, "comparisons": sizes * 50 * pairs}[of]
