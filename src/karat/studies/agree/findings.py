"""What a reader should take away about agreement: sentences and figures.

A sentence that claims a difference is based on a test, corrected for all the comparisons it was selected from.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from karat.arrays import NAN
from karat.data.charts import Chart, Dots, Figures, Heat, Interval, Series
from karat.data.fields import written
from karat.data.result import Finding, Findings, headline
from karat.kernels.counting import divide
from karat.statistics.intervals import quantile
from karat.studies.agree.result import COEFFICIENT_NAMES, Agreement, PairAgreement
from karat.studies.base import needs
from karat.studies.wording import ALPHA, MOST_ROWS, captioned, counted, few_clusters, noted, p_is, per_cent

COMMON_LABEL = 0.7
"""The share of ballots above which a label is called common."""
KAPPA_GAP = 0.15
"""The difference between AC1 and kappa above which it is reported."""
FEWEST_BALLOTS = 10
"""The fewest ballots with a label for it to be compared with other labels."""


def overall(result: Agreement) -> Iterable[Finding]:
    """How often two assessors agree, and how far beyond chance."""
    observed, alpha, percent = result.coefficients["agreement"], result.coefficients["alpha"], result.percent
    if observed.value == observed.value:
        between = (
            f" ({percent} CI {per_cent(observed.low)} to {per_cent(observed.high)})"
            if observed.low == observed.low
            else ""
        )
        beyond = f"; Krippendorff's alpha is {written(alpha.value, 3)}" if alpha.value == alpha.value else ""
        low, high = written(alpha.low, 3), written(alpha.high, 3)
        ends = f" ({percent} CI {low} to {high})" if beyond and alpha.low == alpha.low else ""
        yield headline(f"Two assessors agree on {per_cent(observed.value)} of the units{between}{beyond}{ends}.")


def unpaired(result: Agreement) -> Iterable[Finding]:
    """Units with too few ballots to show agreement."""
    if result.paired < result.units:
        single = result.units - result.paired
        have = "has" if single == 1 else "have"
        yield Finding(
            f"{single:,} of {counted(result.units, 'unit')} {have} fewer than two ballots and show no agreement."
        )


def slots(result: Agreement) -> Iterable[Finding]:
    """The ballots do not say who cast them."""
    if result.exchangeable:
        why = "only symmetric coefficients are reported, and label frequencies are not compared"
        yield Finding(f"The ballots do not say who cast them, so {why}.")


def prevalence(result: Agreement) -> Iterable[Finding]:
    """Kappa and AC1 differ much, often because one label dominates."""
    common = max(result.per_label or (), key=lambda one: one.share, default=None)
    ones = result.coefficients
    name = next((name for name in ("kappa", "fleiss_kappa") if ones[name].value == ones[name].value), None)
    if common is None or name is None or not ones["ac1"].value - ones[name].value > KAPPA_GAP:
        return
    spoken = "Kappa" if name == "kappa" else "Fleiss' kappa"
    apart = f"{spoken} is {written(ones[name].value, 3)} and AC1 is {written(ones['ac1'].value, 3)} at an agreement of"
    sentence = f"{apart} {per_cent(ones['agreement'].value)}: they differ in how they define chance agreement"
    if common.share > COMMON_LABEL:
        sentence += f", and {common.share:.0%} of all ballots are {common.label}"
    yield Finding(f"{sentence}. See the agreement on each label.")


def unequal(result: Agreement) -> Iterable[Finding]:
    """Units with more ballots agree less, or more: often a third assessor is called in if two disagree."""
    found = result.more_ballots
    if found is not None and found.p < ALPHA:
        less = "less" if found.agreement_more < found.agreement_fewer else "more"
        yield Finding(
            f"Assessors agree significantly {less} on units with more than {found.mean:.1f} ballots: two ballots agree "
            f"{per_cent(found.agreement_more)} of the time there, and {per_cent(found.agreement_fewer)} on other units "
            f"({p_is(found.p)}). If further assessors were called in where others disagreed, rely on the pairs of "
            "assessors instead."
        )


def hardest_label(result: Agreement) -> Iterable[Finding]:
    """The label assessors agree on least, if significantly less than on the one they agree on most."""
    known = [one for one in result.per_label or () if one.ballots >= FEWEST_BALLOTS and one.low == one.low]
    if len(known) < 2:
        return
    low, high = (pick(known, key=lambda one: one.agreement) for pick in (min, max))
    # Their intervals must not overlap at the level of Bonferroni's correction for all pairs of labels. The labels are
    # not treated as independent, since agreement on one may fall as that on another rises.
    level = 1 - ALPHA / (len(known) * (len(known) - 1) / 2)
    wider = quantile(level) / quantile(result.interval_level)
    if high.agreement - low.agreement > wider * (high.agreement - high.low + low.high - low.agreement):
        yield Finding(
            f"Assessors agree significantly less on {low.label} than on {high.label}: if one gives the label, "
            f"another does {per_cent(low.agreement)} of the time, compared with {per_cent(high.agreement)}."
        )


def systematic(result: Agreement) -> Iterable[Finding]:
    """Pairs of assessors who use the labels with different frequencies."""
    test = "McNemar's exact test" if len(result.labels) == 2 else "Stuart–Maxwell test"
    pairs = result.pairwise or []
    found = _significant([(_margins(pair), pair) for pair in pairs])
    if len(pairs) == 1 and found:
        p, pair = found[0]
        yield Finding(
            f"{pair.a} and {pair.b} use the labels with significantly different frequencies ({test}, {p_is(p)}): "
            "part of their disagreement is systematic. With these frequencies kappa "
            f"({written(pair.kappa.value, 3)}) could be at most {pair.kappa_max:.3f}."
        )
    elif found:
        worst = found[0][1]
        yield Finding(
            f"{len(found):,} of {len(pairs):,} pairs of assessors {'uses' if len(found) == 1 else 'use'} the labels "
            f"with significantly different frequencies ({test}, Bonferroni correction), most significantly {worst.a} "
            f"and {worst.b}: part of their disagreement is systematic."
        )


def below_chance(result: Agreement) -> Iterable[Finding]:
    """Pairs that agree less than by chance: one of them may have swapped the labels."""
    pairs = result.pairwise or []
    low = _significant([(pair.p_below_chance, pair) for pair in pairs])
    if low:
        named = "; ".join(f"{pair.a} and {pair.b}" for _, pair in low[:3]) + " …" * (len(low) > 3)
        corrected = f" (corrected for {len(pairs):,} pairs)" if len(pairs) > 1 else ""
        less = "agree significantly less often than expected by chance"
        yield Finding(f"{named} {less}{corrected}. Are labels swapped?")


def copied(result: Agreement) -> Iterable[Finding]:
    """Pairs who give the same label to every unit, although other pairs do not agree so well: a sheet may be a copy."""
    pairs = (result.pairwise or []) if result.clusters is None else []  # within a cluster two may well agree throughout
    same = [pair for pair in pairs if pair.units >= FEWEST_BALLOTS and pair.agreement.value == 1]
    others = [pair for pair in pairs if pair not in same]
    units = sum(pair.units for pair in others)
    agreed = sum(pair.agreement.value * pair.units for pair in others) / units if units else 0.0
    # How probable it is that a pair who agree as well as the others do agree on all of their units.
    found = [pair for pair in same if agreed**pair.units * len(pairs) < ALPHA]
    if found:
        named = "; ".join(f"{pair.a} and {pair.b}" for pair in found[:3]) + " …" * (len(found) > 3)
        every = f"all {found[0].units:,} units" if len(found) == 1 else "all of their common units"
        yield Finding(f"{named} give the same label to {every}. Is one a copy of the other?")


def _margins(pair: PairAgreement) -> float:
    """The p-value of equal margins, exact for two labels."""
    return pair.stuart_maxwell.p if pair.mcnemar is None else pair.mcnemar.exact


def _significant(tested: list[tuple[float, PairAgreement]]) -> list[tuple[float, PairAgreement]]:
    """The pairs that are significant after Bonferroni's correction, smallest p first."""
    return sorted((one for one in tested if one[0] * len(tested) < ALPHA), key=lambda one: one[0])


def coefficients(result: Agreement) -> Iterable[Chart]:
    """Every coefficient of agreement with its interval.

    0 is the agreement expected by chance, 1 is perfect; coefficients differ in their definition of chance agreement.
    Observed agreement is not corrected for chance.
    """
    shown = {name: one for name, one in result.coefficients.items() if one.value == one.value}
    if shown:
        yield Dots(
            title="Coefficients",
            labels=tuple(COEFFICIENT_NAMES[name] for name in shown),
            series=(Series("value", [one.value for one in shown.values()]),),
            intervals=tuple(Interval(one.low, one.high) for one in shown.values()),
            axis="agreement",
        )


@needs("at least three assessors, identified by name")
def agreement(result: Agreement) -> Iterable[Chart]:
    """Agreement beyond chance of each pair of assessors, on the units that both judged.

    Assessors who agree most with the others come first, those who agree least come last. Differences in shade are not
    tested. A dash is a pair with no unit in common, or one that is not listed.
    """
    name = "kappa" if result.level == "nominal" else "kappa_quadratic"
    common: dict[str, int] = {}
    values: dict[tuple[str, str], float] = {}
    pairs = result.pairwise or []
    for pair in pairs:
        for one, other in ((pair.a, pair.b), (pair.b, pair.a)):
            values[one, other] = getattr(pair, name).value
            common[one] = common.get(one, 0) + pair.units
    known = [value for value in values.values() if value == value]
    if len(common) < 3 or not known:
        return
    most = set(sorted(common, key=lambda who: -common[who])[:MOST_ROWS])
    drawn = [who for who in result.assessors if who in most]
    means = {who: _mean([values.get((who, other), NAN) for other in drawn]) for who in drawn}
    drawn.sort(key=lambda who: (means[who] != means[who], -means[who]))
    listed = len(pairs)
    fewer = f"the {listed:,} of {result.pairs:,} pairs with most common units" if listed < result.pairs else ""
    some = f"{len(drawn):,} of {len(result.assessors):,} assessors" if len(drawn) < len(result.assessors) else ""
    yield Heat(
        title=f"{COEFFICIENT_NAMES[name]} of each pair of assessors",
        note=noted(COEFFICIENT_NAMES[name], some, fewer),
        labels=tuple(drawn),
        series=tuple(Series(who, [values.get((who, other), NAN) for other in drawn]) for who in drawn),
    )


def _mean(values: list[float]) -> float:
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else NAN


def confusions(result: Agreement) -> Iterable[Chart]:
    """If one assessor gives the label of the row, how often another gives that of the column.

    Each row adds up to 100%; the diagonal is the agreement on each label. With two named assessors, the rows are the
    first's labels and the columns the second's; otherwise all pairs of ballots on a unit count.
    """
    shares, rows, columns = result.confusions or [], "one", "another"
    whose = "All pairs of ballots on a unit count."
    pairs = result.pairwise or []
    if len(result.assessors) == 2 and len(pairs) == 1:
        (pair,) = pairs
        counts = np.array(pair.table, dtype=np.float64)
        shares, rows, columns = divide(counts, counts.sum(axis=1, keepdims=True)).tolist(), pair.a, pair.b
        whose = f"The rows are the labels of {pair.a}, the columns those of {pair.b}."
    if not any(share == share for row in shares for share in row) or len(shares) < 2:
        return
    yield Heat(
        title=f"Labels given by {columns}, by the label that {rows} gives",
        labels=tuple(result.labels),
        series=tuple(Series(label, [row[place] for row in shares]) for place, label in enumerate(result.labels)),
        axes=(f"{columns} says", f"{rows} says"),
        digits=0,
        percent=True,
        caption=captioned(
            "If one assessor gives the label of the row, how often another gives that of the column.",
            "Each row adds up to 100%; the diagonal is the agreement on each label.",
            whose,
        ),
    )


def clusters(result: Agreement) -> Iterable[Finding]:
    """That clusters are few."""
    yield from few_clusters(result.clusters)


FINDINGS: Findings = (
    overall, unpaired, slots, prevalence, unequal, hardest_label, systematic, below_chance, copied, clusters,
)  # fmt: skip
FIGURES: Figures = (coefficients, agreement, confusions)
