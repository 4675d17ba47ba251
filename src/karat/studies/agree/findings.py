"""What a reader of an agreement study should take away: what the coefficients say together.

A sentence that claims a difference has a test, corrected for everything it was picked from.
"""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.result import Finding, Findings, headline
from karat.statistics.wilson import quantile
from karat.studies.agree.result import Agreement, PairAgreement
from karat.studies.wording import counted, p_value

SKEWED, APART, SIGNIFICANT, LEAST_BALLOTS = 0.7, 0.15, 0.05, 10


def agreement(result: Agreement) -> Iterable[Finding]:
    """How often two assessors agree, in the words of `judge`, and how much of that is more than chance."""
    observed, alpha = result.coefficients["agreement"], result.coefficients["alpha"]
    if observed.value == observed.value:
        between = f" ({observed.low:.1%} to {observed.high:.1%})" if observed.low == observed.low else ""
        beyond = f"; beyond chance, Krippendorff's alpha is {alpha.value:.3f}" if alpha.value == alpha.value else ""
        ends = f" ({alpha.low:.3f} to {alpha.high:.3f})" if beyond and alpha.low == alpha.low else ""
        yield headline(f"Two assessors agree on {observed.value:.1%} of the units{between}{beyond}{ends}.")


def unpaired(result: Agreement) -> Iterable[Finding]:
    """Units that say nothing of agreement."""
    if result.paired < result.units:
        single = result.units - result.paired
        have = "has" if single == 1 else "have"
        yield Finding(f"{single} of {counted(result.units, 'unit')} {have} fewer than two ballots: no agreement shows.")


def slots(result: Agreement) -> Iterable[Finding]:
    """Nobody is told apart."""
    if result.exchangeable:
        why = "only symmetric coefficients are given, and no test of equal margins"
        yield Finding(f"Assessor slots are arbitrary: {why}.")


def prevalence(result: Agreement) -> Iterable[Finding]:
    """One label makes up most ballots, so that coefficients part."""
    common = max(result.per_label or (), key=lambda one: one.share, default=None)
    ones = result.coefficients
    name = next((name for name in ("kappa", "fleiss_kappa") if ones[name].value == ones[name].value), None)
    if common is None or name is None or not ones["ac1"].value - ones[name].value > APART:
        return
    spoken = "kappa" if name == "kappa" else "Fleiss' kappa"
    apart = f"{spoken} is {ones[name].value:.3f} and AC1 {ones['ac1'].value:.3f} at an agreement of"
    sentence = f"{apart} {ones['agreement'].value:.3f}: they differ in what they take for chance"
    if common.share > SKEWED:
        sentence += f", and {common.label} is {common.share:.0%} of all ballots"
    yield Finding(f"{sentence}. Read the agreement on each label.")


def unequal(result: Agreement) -> Iterable[Finding]:
    """Units with more ballots agree less, or more: often a third assessor is called in where two disagree."""
    found = result.more_ballots
    if found is not None and found.p < SIGNIFICANT:
        less = "less" if found.agreement_more < found.agreement_fewer else "more"
        yield Finding(
            f"Units with more than {found.mean:.1f} ballots agree significantly {less}: two ballots of one agree in "
            f"{found.agreement_more:.1%}, of another unit in {found.agreement_fewer:.1%} (p = {p_value(found.p)}). Was "
            "a further assessor called in where others disagreed? Then read the pairs of assessors."
        )


def hardest_label(result: Agreement) -> Iterable[Finding]:
    """The label assessors agree on least, if significantly less than on the one they agree on most."""
    known = [one for one in result.per_label or () if one.ballots >= LEAST_BALLOTS and one.low == one.low]
    if len(known) < 2:
        return
    low, high = (pick(known, key=lambda one: one.agreement) for pick in (min, max))
    # Their intervals must not overlap at the level that Bonferroni asks of all pairs of labels they were picked from.
    # Agreement on one label may fall as it rises on another, so nothing is gained by taking them for independent.
    level = 1 - SIGNIFICANT / (len(known) * (len(known) - 1) / 2)
    wider = quantile(level) / quantile(result.level_of_intervals)
    if high.agreement - low.agreement > wider * (high.agreement - high.low + low.high - low.agreement):
        yield Finding(
            f"Assessors agree significantly less on {low.label} than on {high.label}: where one says it, another does "
            f"in {low.agreement:.1%} ({high.label}: {high.agreement:.1%})."
        )


def systematic(result: Agreement) -> Iterable[Finding]:
    """Assessors who use the labels differently, not only disagree here and there."""
    test = "McNemar, exact" if len(result.labels) == 2 else "Stuart–Maxwell"
    pairs = result.pairwise or []
    # As many tests as pairs: Bonferroni.
    sure = _sure([(_margins(pair), pair) for pair in pairs])
    if len(pairs) == 1 and sure:
        p, pair = sure[0]
        yield Finding(
            f"{pair.a} and {pair.b} use the labels differently ({test}, p = {p:.2g}): part of their disagreement is "
            f"systematic, which kappa ({pair.kappa.value:.3f}, at most {pair.kappa_max:.3f}) does not show."
        )
    elif sure:
        worst = sure[0][1]
        yield Finding(
            f"{len(sure)} of {len(pairs)} pairs of assessors use the labels differently ({test}, "
            f"Bonferroni), most of all {worst.a} and {worst.b}: part of their disagreement is systematic."
        )


def below_chance(result: Agreement) -> Iterable[Finding]:
    """Pairs that agree less than by chance: an assessor may have the labels swapped."""
    pairs = result.pairwise or []
    low = _sure([(pair.p_below_chance, pair) for pair in pairs])
    if low:
        named = "; ".join(f"{pair.a} and {pair.b}" for _, pair in low[:3]) + " …" * (len(low) > 3)
        corrected = f" after correction for {len(pairs)} pairs" if len(pairs) > 1 else ""
        yield Finding(f"Significantly less agreement than by chance{corrected} between {named}: are labels swapped?")


def _margins(pair: PairAgreement) -> float:
    """p of equal margins; exact where there are two labels, whose disagreements may be few."""
    return pair.stuart_maxwell.p if pair.mcnemar is None else pair.mcnemar.exact


def _sure(tested: list[tuple[float, PairAgreement]]) -> list[tuple[float, PairAgreement]]:
    """What is significant after Bonferroni's correction for all that was tested, the smallest p first."""
    return sorted((one for one in tested if one[0] * len(tested) < SIGNIFICANT), key=lambda one: one[0])


FINDINGS: Findings = (agreement, unpaired, slots, prevalence, unequal, hardest_label, systematic, below_chance)
