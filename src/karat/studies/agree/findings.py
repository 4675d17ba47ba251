"""What a reader should take away about agreement.

A sentence that claims a difference is based on a test, corrected for all the comparisons it was selected from.
"""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.result import Finding, Findings, headline
from karat.statistics.intervals import quantile
from karat.studies.agree.result import Agreement, PairAgreement
from karat.studies.wording import ALPHA, counted, p_value

COMMON_LABEL = 0.7
"""The share of ballots above which a label is called common."""
KAPPA_GAP = 0.15
"""The difference between AC1 and kappa above which it is reported."""
FEWEST_BALLOTS = 10
"""The fewest ballots with a label for it to be compared with other labels."""


def agreement(result: Agreement) -> Iterable[Finding]:
    """How often two assessors agree, in the words of `judge`, and how far beyond chance."""
    observed, alpha = result.coefficients["agreement"], result.coefficients["alpha"]
    if observed.value == observed.value:
        between = f" ({observed.low:.1%} to {observed.high:.1%})" if observed.low == observed.low else ""
        beyond = f"; beyond chance, Krippendorff's alpha is {alpha.value:.3f}" if alpha.value == alpha.value else ""
        ends = f" ({alpha.low:.3f} to {alpha.high:.3f})" if beyond and alpha.low == alpha.low else ""
        yield headline(f"Two assessors agree on {observed.value:.1%} of the units{between}{beyond}{ends}.")


def unpaired(result: Agreement) -> Iterable[Finding]:
    """Units with too few ballots to show agreement."""
    if result.paired < result.units:
        single = result.units - result.paired
        have = "has" if single == 1 else "have"
        yield Finding(f"{single} of {counted(result.units, 'unit')} {have} fewer than two ballots: no agreement shows.")


def slots(result: Agreement) -> Iterable[Finding]:
    """The ballots do not say who cast them."""
    if result.exchangeable:
        why = "only symmetric coefficients are given, and no test of equal margins"
        yield Finding(f"Assessor slots are arbitrary: {why}.")


def prevalence(result: Agreement) -> Iterable[Finding]:
    """Kappa and AC1 differ much, often because one label dominates."""
    common = max(result.per_label or (), key=lambda one: one.share, default=None)
    ones = result.coefficients
    name = next((name for name in ("kappa", "fleiss_kappa") if ones[name].value == ones[name].value), None)
    if common is None or name is None or not ones["ac1"].value - ones[name].value > KAPPA_GAP:
        return
    spoken = "kappa" if name == "kappa" else "Fleiss' kappa"
    apart = f"{spoken} is {ones[name].value:.3f} and AC1 {ones['ac1'].value:.3f} at an agreement of"
    sentence = f"{apart} {ones['agreement'].value:.3f}: they differ in what they take for chance"
    if common.share > COMMON_LABEL:
        sentence += f", and {common.label} is {common.share:.0%} of all ballots"
    yield Finding(f"{sentence}. Read the agreement on each label.")


def unequal(result: Agreement) -> Iterable[Finding]:
    """Units with more ballots agree less, or more: often a third assessor is called in if two disagree."""
    found = result.more_ballots
    if found is not None and found.p < ALPHA:
        less = "less" if found.agreement_more < found.agreement_fewer else "more"
        yield Finding(
            f"Units with more than {found.mean:.1f} ballots agree significantly {less}: two ballots of one agree in "
            f"{found.agreement_more:.1%}, of another unit in {found.agreement_fewer:.1%} (p = {p_value(found.p)}). Was "
            "a further assessor called in where others disagreed? Then read the pairs of assessors."
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
            f"Assessors agree significantly less on {low.label} than on {high.label}: where one says it, another does "
            f"in {low.agreement:.1%} ({high.label}: {high.agreement:.1%})."
        )


def systematic(result: Agreement) -> Iterable[Finding]:
    """Pairs of assessors who use the labels with different frequencies."""
    test = "McNemar, exact" if len(result.labels) == 2 else "Stuart–Maxwell"
    pairs = result.pairwise or []
    found = _significant([(_margins(pair), pair) for pair in pairs])
    if len(pairs) == 1 and found:
        p, pair = found[0]
        yield Finding(
            f"{pair.a} and {pair.b} use the labels differently ({test}, p = {p:.2g}): part of their disagreement is "
            f"systematic, which kappa ({pair.kappa.value:.3f}, at most {pair.kappa_max:.3f}) does not show."
        )
    elif found:
        worst = found[0][1]
        yield Finding(
            f"{len(found)} of {len(pairs)} pairs of assessors use the labels differently ({test}, "
            f"Bonferroni), most of all {worst.a} and {worst.b}: part of their disagreement is systematic."
        )


def below_chance(result: Agreement) -> Iterable[Finding]:
    """Pairs that agree less than by chance: one of them may have swapped the labels."""
    pairs = result.pairwise or []
    low = _significant([(pair.p_below_chance, pair) for pair in pairs])
    if low:
        named = "; ".join(f"{pair.a} and {pair.b}" for _, pair in low[:3]) + " …" * (len(low) > 3)
        corrected = f" after correction for {len(pairs)} pairs" if len(pairs) > 1 else ""
        yield Finding(f"Significantly less agreement than by chance{corrected} between {named}: are labels swapped?")


def _margins(pair: PairAgreement) -> float:
    """The p-value of equal margins, exact for two labels."""
    return pair.stuart_maxwell.p if pair.mcnemar is None else pair.mcnemar.exact


def _significant(tested: list[tuple[float, PairAgreement]]) -> list[tuple[float, PairAgreement]]:
    """The pairs that are significant after Bonferroni's correction, smallest p first."""
    return sorted((one for one in tested if one[0] * len(tested) < ALPHA), key=lambda one: one[0])


FINDINGS: Findings = (agreement, unpaired, slots, prevalence, unequal, hardest_label, systematic, below_chance)
