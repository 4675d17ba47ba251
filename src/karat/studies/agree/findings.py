"""What a reader of an agreement study should take away: what the coefficients say together."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.agree.result import Agreement
from karat.studies.base import finding
from karat.studies.words import counted

SKEWED, APART, UNEQUAL, SIGNIFICANT, FEW = 0.7, 0.15, 0.03, 0.05, 10


@finding("agreement", study="agree", headline=True)
def agreement(result: Agreement) -> Iterable[str]:
    """How often two assessors say the same, and how much of that is more than chance."""
    observed, alpha = result.coefficients["agreement"], result.coefficients["alpha"]
    if observed.value == observed.value:
        beyond = f"; beyond chance, Krippendorff's alpha {alpha.value:.3f}" if alpha.value == alpha.value else ""
        ends = f" ({alpha.low:.3f} – {alpha.high:.3f})" if beyond and alpha.low == alpha.low else ""
        yield f"Two assessors say the same of a unit in {observed.value:.1%}{beyond}{ends}."


@finding("single-ballots", study="agree")
def unpaired(result: Agreement) -> Iterable[str]:
    """Units that say nothing of agreement."""
    if result.paired < result.units:
        single = result.units - result.paired
        have = "has" if single == 1 else "have"
        yield f"{single} of {counted(result.units, 'unit')} {have} fewer than two ballots: no agreement shows."


@finding("arbitrary-slots", study="agree")
def slots(result: Agreement) -> Iterable[str]:
    """Nobody is told apart."""
    if result.exchangeable:
        yield "Assessor slots are arbitrary: only symmetric coefficients are given, and no test of equal margins."


@finding("kappa-and-ac1", study="agree")
def prevalence(result: Agreement) -> Iterable[str]:
    """One label makes up most ballots, so that coefficients part."""
    common = max(result.per_label, key=lambda one: one.share, default=None)
    ones = result.coefficients
    name = next((name for name in ("kappa", "fleiss_kappa") if ones[name].value == ones[name].value), None)
    if common is None or name is None or not ones["ac1"].value - ones[name].value > APART:
        return
    spoken = "kappa" if name == "kappa" else "Fleiss' kappa"
    apart = f"{spoken} is {ones[name].value:.3f} and AC1 {ones['ac1'].value:.3f} at an agreement of"
    sentence = f"{apart} {ones['agreement'].value:.3f}: they differ in what they take for chance"
    if common.share > SKEWED:
        sentence += f", and {common.label} is {common.share:.0%} of all ballots"
    yield f"{sentence}. Read the agreement on each label."


@finding("unequal-ballots", study="agree")
def unequal(result: Agreement) -> Iterable[str]:
    """Units with more ballots agree less, or more: often a third assessor is called in where two disagree."""
    per_unit, per_ballot = result.coefficients["fleiss_kappa"].value, result.coefficients["alpha"].value
    if result.level == "nominal" and abs(per_unit - per_ballot) > UNEQUAL and result.paired > 2 * FEW:
        less = "less" if per_ballot < per_unit else "more"
        yield (
            f"Fleiss' kappa counts each unit once ({per_unit:.3f}), alpha each ballot ({per_ballot:.3f}): units with "
            f"more ballots agree {less}. Was a further assessor called in where others disagreed? Then read the pairs."
        )


@finding("disputed-label", study="agree")
def hardest_label(result: Agreement) -> Iterable[str]:
    """The label assessors agree on least."""
    told = [one for one in result.per_label if one.ballots >= FEW and one.agreement == one.agreement]
    if len(told) > 1:
        low, high = (pick(told, key=lambda one: one.agreement) for pick in (min, max))
        if high.agreement > low.agreement:
            yield (
                f"Assessors agree least on {low.label}: where one says it, another does in {low.agreement:.1%} "
                f"({high.label}: {high.agreement:.1%})."
            )


@finding("unequal-margins", study="agree")
def systematic(result: Agreement) -> Iterable[str]:
    """Assessors who use the labels differently, not only disagree here and there."""
    tests = [(pair.stuart_maxwell.p, pair) for pair in result.pairwise if pair.stuart_maxwell.p < SIGNIFICANT]
    # So many pairs, so many tests: Bonferroni.
    sure = [(p, pair) for p, pair in tests if p * len(result.pairwise) < SIGNIFICANT]
    if len(result.pairwise) == 1 and sure:
        p, pair = sure[0]
        yield (
            f"{pair.a} and {pair.b} use the labels differently (Stuart–Maxwell p = {p:.2g}): the disagreement is "
            f"systematic in part, which kappa ({pair.kappa.value:.3f}, at most {pair.kappa_max:.3f}) hides."
        )
    elif sure:
        worst = min(sure, key=lambda one: one[0])[1]
        yield (
            f"{len(sure)} of {len(result.pairwise)} pairs of assessors use the labels differently (Stuart–Maxwell, "
            f"Bonferroni), most of all {worst.a} and {worst.b}: their disagreement is systematic in part."
        )


@finding("agree-below-chance", study="agree")
def below_chance(result: Agreement) -> Iterable[str]:
    """Pairs that agree less than by chance: an assessor may have the labels swapped."""
    low = [pair for pair in result.pairwise if pair.kappa.high < 0]
    if low:
        named = "; ".join(f"{pair.a} and {pair.b}" for pair in low[:3])
        yield f"Less agreement than by chance between {named}{' …' if len(low) > 3 else ''}: are labels swapped?"
