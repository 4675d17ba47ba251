"""What a reader should take away from a comparison: small predicates, each a sentence where it applies."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.compare.result import Comparison
from karat.studies.words import counted

FEW = 30
"""Units or clusters below which resampling them is not enough."""


@finding("told-apart", study="compare", headline=True)
def told_apart(result: Comparison) -> Iterable[str]:
    """How many pairs differ."""
    found, number = len(result.told_apart), len(result.pairs)
    of_all = f"{found:,} of {number:,} pairs of runs"
    if result.versus != "all":
        of_all = f"{found} of {number} runs are told apart from {result.versus}:"
        yield f"{of_all} p {result.correction} at most {1 - result.level:.2g}."
    elif number:
        yield f"{of_all} are told apart ({result.test}, {result.correction}, at {1 - result.level:.2g})."


@finding("best", study="compare")
def best(result: Comparison) -> Iterable[str]:
    """How many runs might be the best."""
    if result.versus == "all" and result.groups and len(result.runs) > 2:
        first = result.runs[0].run
        rivals = {pair.b for pair in result.pairs if pair.a == first and not pair.different}
        rivals |= {pair.a for pair in result.pairs if pair.b == first and not pair.different}
        if rivals:
            others = len(result.runs) - 1
            yield f"{first} is first, and {len(rivals)} of {others} other runs are not told apart from it."
        else:
            yield f"{first} is first, and told apart from every other run."


@finding("resolution", study="compare")
def resolution(result: Comparison) -> Iterable[str]:
    """The smallest difference that was enough, and the largest that was not."""
    enough = [abs(pair.difference) for pair in result.told_apart]
    short = [abs(pair.difference) for pair in result.pairs if not pair.different and pair.difference == pair.difference]
    if enough and short:
        found = f"The smallest difference told apart is {min(enough):.4f}, the largest not told apart {max(short):.4f}"
        crossed = ": it depends on where two runs disagree, not on the difference alone"
        yield f"{found}{crossed if min(enough) < max(short) else ''}."


@finding("selection", study="compare")
def selection(result: Comparison) -> Iterable[str]:
    """The best was chosen by the scores it is tested with."""
    if result.signature.parameters.get("versus") == "best":
        yield (
            f"{result.versus} was chosen because it scored best on these units, so it looks better than it is, and "
            "these p-values are too small; all pairs (--versus all) make no such choice."
        )


@finding("coarse", study="compare")
def coarse(result: Comparison) -> Iterable[str]:
    """More pairs than simulated p-values can serve."""
    if result.replicates and result.correction in ("holm", "by"):  # maxt needs no p below its own
        smallest = len(result.pairs) / (result.replicates + 1)
        if smallest > 1 - result.level:
            yield (
                f"A p from {result.replicates:,} replicates is never below {1 / (result.replicates + 1):.1g}: too "
                f"coarse for {len(result.pairs):,} pairs under {result.correction}. Ask for more --replicates, or maxt."
            )


@finding("unsettled", study="compare")
def unsettled(result: Comparison) -> Iterable[str]:
    """Verdicts that another seed could turn."""
    alpha = 1 - result.level
    near = [pair for pair in result.pairs if abs(pair.p_corrected - alpha) < 2 * pair.mc_error_corrected]
    if near:
        largest = max(pair.mc_error_corrected for pair in near)
        yield (
            f"{len(near):,} of {len(result.pairs):,} verdicts could turn with another seed: the corrected p is within "
            f"two Monte-Carlo errors (up to {largest:.2g} each) of {alpha:.2g}. Ask for more --replicates."
        )


@finding("few-clusters", study="compare")
def few_clusters(result: Comparison) -> Iterable[str]:
    """Few clusters make p coarse: there are few ways to flip them."""
    if result.clusters is not None and result.clusters < FEW and result.test in ("exact", "randomisation"):
        there = f"There {'is' if result.clusters == 1 else 'are'} {counted(result.clusters, 'cluster')} only"
        yield (f"{there}: no p is below {2.0 ** (1 - result.clusters):.1g}, however large the difference.")


@finding("few-resampled", study="compare")
def few_resampled(result: Comparison) -> Iterable[str]:
    """The bootstrap takes the spread of few units or clusters for that of all there could be."""
    number, what = (result.units, "units") if result.clusters is None else (result.clusters, "clusters")
    if number < FEW and "bootstrap" in result.intervals:  # so are they wherever its test is a bootstrap
        told = "p too small, intervals too short" if result.test in ("bootstrap", "bca") else "intervals too short"
        yield (
            f"The bootstrap is too sure of itself with {number} {what}: {told}. Of means, exact and t hold what they "
            "promise; of other measures, the p of randomisation does."
        )


@finding("dropped", study="compare")
def dropped(result: Comparison) -> Iterable[str]:
    """Pairs that were compared on fewer units than there are."""
    short = [pair.dropped for pair in result.pairs if pair.dropped]
    if short:
        yield (
            f"{len(short)} of {len(result.pairs)} pairs were compared on fewer units, up to {max(short)} of "
            f"{result.units} dropped: not scored for one of the two."
        )


@finding("equivalent", study="compare")
def equivalent(result: Comparison) -> Iterable[str]:
    """Pairs shown to be close, which is more than not told apart."""
    if result.equivalence is not None:
        found = sum(pair.equivalent is True for pair in result.pairs)
        yield f"{found:,} of {len(result.pairs):,} pairs are shown to differ by less than {result.equivalence:g}."
