"""Numbers and names in sentences, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, Any

from karat.arrays import EXACT_TOLERANCE, NAN
from karat.data.fields import Shown, written
from karat.data.result import Finding
from karat.errors import counted as counted
from karat.measures.facts import measures

ALPHA = 0.05
"""The significance level of findings in studies that take no level of their own."""
SMALLEST_P = 0.0001
"""Smaller p-values are only said to be smaller, in sentences and tables; CSV and JSON have the numbers."""
MOST_NAMED = 3
"""The most runs that a sentence of several facts names."""
MOST_ROWS = 60
"""The most rows or points in a figure; of more runs, the best are drawn."""


def begun(words: str) -> str:
    """Words with a capital at their beginning, as a title has it."""
    return words[:1].upper() + words[1:]


def fact_of(spelling: str, fact: str) -> Any:
    """A fact declared beside a measure; None for what is no measure, as a column of scores."""
    entry = measures.named(spelling)
    return entry and entry.facts[fact]


def heading_of(spelling: str) -> str:
    """The heading of a measure in tables: declared beside it, unless it has other arguments than usual."""
    entry = measures.named(spelling)
    return entry.facts["heading"] if entry and entry.facts["heading"] and spelling == str(entry.bind()) else spelling


def unit_of(spelling: str) -> str:
    """The unit in which people give a measure: `%`, or none."""
    return "%" * bool(fact_of(spelling, "percent"))


def per_cent(share: float) -> str:
    """A share in a sentence, rounded as in tables: 0.6375 is 63.8%, however it was computed."""
    return f"{written(100 * share, 1)}%"


def said(measure: str, value: float) -> str:
    """A value of a measure in a sentence: 78.8%, or three digits if people do not give the measure in per cent."""
    return per_cent(value) if unit_of(measure) else written(value, 3)


def in_points(measure: str, difference: float, digits: int = 1) -> str:
    """A difference in a measure in a sentence: 3.8 points, or 0.146, or 0.029."""
    if not unit_of(measure):
        return f"{difference:.{3 if abs(difference) >= 0.1 else 2}g}"
    points = round(100 * difference, 9)  # 3.75 is 3.8, however it was computed
    return f"{points:.2g} points" if 0 < abs(points) < 10**-digits else f"{points:.{digits}f} points"


def signed(number: float) -> str:
    """A difference in a sentence, with its sign: +1.45, −1.45."""
    return f"{number:+.2f}".replace("-", "−")


def p_is(p: float) -> str:
    """A p-value in a sentence: p = 0.012; very small ones are only said to be small."""
    return f"p < {SMALLEST_P}" if p < SMALLEST_P else f"p = {p:.2g}"


def counted_units(number: int, unit: str, members: int | None) -> str:
    """A number of units, or of clusters with their units in brackets: 30 clusters (120 units)."""
    return counted(number, unit) + ("" if members is None else f" ({counted(members, 'unit')})")


FEW_CLUSTERS = 30
"""With fewer clusters than this, a variance estimated from them is imprecise."""


def over_clusters(clusters: int, units: str, name: str) -> str:
    """A note below a table whose intervals are over clusters."""
    return f"intervals are over {counted(clusters, 'cluster')}: {units} with the same {name}"


def few_clusters(clusters: int | None) -> Iterator[Finding]:
    """That clusters are few, if they are."""
    if clusters == 1:
        yield Finding("All units are in one cluster, and intervals over clusters need at least two.")
    elif clusters is not None and clusters < FEW_CLUSTERS:
        yield Finding(
            f"With only {clusters} clusters the variance is estimated imprecisely: intervals are widened for this, but "
            "may still be too narrow for rare labels, for rankings and for clusters of very unequal sizes."
        )


P_SHOWN = Shown(digits=4, least=SMALLEST_P)
"""How tables show a p-value."""
P = Annotated[float, P_SHOWN]
"""A p-value in a result."""


def leaders(scores: Mapping[str, float]) -> list[str]:
    """The run with the best score; several if they tie, none if no run has a score."""
    best = max((score for score in scores.values() if score == score), default=NAN)
    return [run for run, score in scores.items() if best <= score + EXACT_TOLERANCE]


def some_of(names: Sequence[str], most: int = 5) -> str:
    """The first `most` names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:most])} and {more:,} more"


def several(names: Sequence[str], most: int = 5) -> str:
    """Names in a sentence: a, b and c; of many, the first and how many more."""
    return listed(names) if len(names) <= most else some_of(names, most)


def part_of(some: int, whole: int, one: str, many: str) -> str:
    """How many of several: all 3 pairs of runs, both people, none of the 3 runs, 2 of 3 runs."""
    if whole == 2 and some != 1:
        return f"both {many}" if some else f"neither of the 2 {many}"
    if whole > 2 and some in (0, whole):
        return f"{'all' if some else 'none of the'} {whole:,} {many}"
    return f"{some:,} of {counted(whole, one, many)}"


def roughly(units: float) -> str:
    """A number of units rounded up to two significant digits, if it rests on one observed difference."""
    step = 10 ** max(0, len(str(ceil(units))) - 2)
    return f"{ceil(ceil(units) / step) * step:,}"


def listed(names: Sequence[str]) -> str:
    """Several names in a sentence: a, b and c."""
    return names[0] if len(names) == 1 else f"{some_of(names[:-1], len(names))} and {names[-1]}"


def of_all(drawn: Sequence[object], runs: int, which: str = "the best ") -> str:
    """The note of a figure that does not show all runs."""
    return f"{which}{len(drawn):,} of {runs:,} runs" if len(drawn) < runs else ""


def captioned(shown: str, *how: str) -> str:
    """The caption of a figure: what it shows, and the sentences on how to read it that hold for these data."""
    return f"{shown}\n\n{' '.join(filter(None, how))}"


def noted(*parts: str) -> str:
    """The notes of a figure in one line."""
    return "; ".join(filter(None, parts))


TEST_NAMES = {
    "exact": "paired exact test",
    "randomisation": "paired randomisation test",
    "bootstrap": "paired bootstrap",
    "bca": "paired bootstrap (BCa)",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
}
TESTS_WHAT = {
    "exact": "whether the scores of the two runs could be swapped on every unit",
    "randomisation": "whether the answers of the two runs could be swapped on every unit",
    "bootstrap": "whether the difference is 0, by its distribution over resampled units, centred at 0",
    "bca": "whether the bias-corrected and accelerated interval of the difference contains 0",
    "t": "whether the mean difference is 0, assuming that it is normally distributed",
    "wilcoxon": "whether differences are symmetric about 0, not whether their mean is 0",
    "sign": "whether each run is better on equally many units, regardless of by how much",
}
"""What each of them tests."""
CORRECTION_NAMES = {
    "holm": "Holm correction",
    "bh": "Benjamini–Hochberg correction",
    "by": "Benjamini–Yekutieli correction",
    "maxt": "max-T correction",
    "none": "not corrected for multiple tests",
}


def tests_what(test: str, jackknifed: bool) -> str:
    """The hypothesis of a test; where each score hangs on all units, it is tested only approximately."""
    if not jackknifed:
        return TESTS_WHAT[test]
    what = TESTS_WHAT["exact" if test == "randomisation" else test]
    why = "the measure is not a mean over units, and its scores of units, by the jackknife, depend on one another"
    return f"approximately {what}: {why}"
