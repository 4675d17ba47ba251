"""Grades: how far the test set, the ranking, the key and the judge can be trusted, by thresholds that are stated."""

from __future__ import annotations

from typing import Any

from karat.data.board import Grade
from karat.studies.agree.result import Agreement
from karat.studies.compare.result import Comparison
from karat.studies.judge.result import Judgement
from karat.studies.keys.result import KeyComparison
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.size.result import Size

MOST, HALF = 0.8, 0.5
"""Shares of pairs of runs that are significantly different, from which a test set is called large and medium."""
SAME_RANKING = 0.9
"""Rankings with a higher tau are commonly taken as the same."""
RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff's thresholds for alpha."""
TAU_RULE = f"Voorhees 2001 takes rankings with a τ of {SAME_RANKING:g} or more as the same"


def test_set(compared: Comparison | None, sized: Size | None) -> Grade | None:
    """Whether the test set has enough units to separate these runs."""
    if compared is None or not compared.tested:
        return None
    share = len(compared.significant) / len(compared.tested)
    level, word = ("good", "large") if share >= MOST else ("caution", "medium" if share >= HALF else "small")
    pairs = "pair of runs differs" if len(compared.tested) == 1 else "pairs of runs differ"
    text = f"{len(compared.significant)} of {len(compared.tested):,} {pairs} significantly"
    if sized is not None:
        smallest = sized.detectables[0].corrected
        if smallest == smallest:
            points = f"{100 * smallest:.1f} points" if compared.measure == "accuracy" else f"{smallest:.2g}"
            text = f"typically finds differences of {points} ({sized.power:.0%} power); {text}"
    rule = (
        f"Graded for these runs by discriminative power, the share of pairs of runs that differ significantly (Sakai "
        f"2006): large from {MOST:.0%}, medium from {HALF:.0%}, else small. The two limits are karat's own. Runs that "
        "are equally good differ significantly on no test set."
    )
    return Grade("Test set", level, word, text, rule)  # type: ignore[arg-type]


def ranking(varied: Sensitivity | None) -> Grade | None:
    """Whether choices that could have been made otherwise change the ranking."""
    if varied is None or not varied.settings[0].leaders:
        return None
    official, *others = varied.settings
    tried = [one for one in others if one.leaders]
    if not tried:
        return None
    kept = sum(one.leaders == official.leaders for one in tried)
    least = min((one.tau for one in tried if one.tau == one.tau), default=float("nan"))
    who = f"{official.leaders[0]} is" if len(official.leaders) == 1 else f"{len(official.leaders)} runs are"
    text = f"{who} first under {kept} of {len(tried)} alternative settings"
    text += f"; lowest τ {least:.2f}" if least == least else ""
    if kept < len(tried):
        level, word = "caution", "depends on choices"
    elif least >= SAME_RANKING:
        level, word = "good", "stable"
    else:
        level, word = "good", "stable at the top"
    rule = (
        f"Stable: the same run leads under every setting tried, and the ranking keeps a τ of {SAME_RANKING:g} or more "
        f"({TAU_RULE}); stable at the top: the same run leads. This is about choices, not about chance: for chance see "
        "the ranges of ranks."
    )
    return Grade("Ranking", level, word, text, rule)  # type: ignore[arg-type]


def key(agreed: Agreement | None, other_keys: KeyComparison | None) -> Grade:
    """Whether assessors agree well enough on the labels of the key."""
    rule = (
        f"By the 95% CI of Krippendorff's alpha: reliable if all of it is at least {RELIABLE:g}, acceptable if all of "
        f"it is at least {TENTATIVE:g}, unreliable if all of it is below, else uncertain (thresholds: Krippendorff "
        "2004)."
    )
    if agreed is None:
        return Grade("Key", "unknown", "not examined", "no assessors' ballots were given", rule)
    alpha: Any = agreed.coefficients["alpha"]
    if alpha.value != alpha.value:
        return Grade("Key", "unknown", "unknown", "no unit has two ballots, or all ballots are the same", rule)
    low, high = (alpha.low, alpha.high) if alpha.low == alpha.low else (alpha.value, alpha.value)
    if low >= RELIABLE:
        level, word = "good", "reliable"
    elif low >= TENTATIVE:
        level, word = "good", "acceptable"
    elif high < TENTATIVE:
        level, word = "bad", "unreliable"
    else:
        level, word = "caution", "uncertain"
    ends = f" [{alpha.low:.2f}, {alpha.high:.2f}]" if alpha.low == alpha.low else ""
    text = f"α = {alpha.value:.2f}{ends}"
    if other_keys is not None and other_keys.random is not None and other_keys.ranked:
        best = max(other_keys.random.runs, key=lambda row: row.official)
        text += f"; {best.run} first under {best.first:.0%} of resampled keys"
    return Grade("Key", level, word, text, rule)  # type: ignore[arg-type]


def judge(judged: Judgement | None) -> list[Grade]:
    """Whether automatic judges can replace a person, and rank the runs as people do."""
    rule = (
        "Passes: the alternative-annotator test (Calderon et al. 2025) lets it replace at least half of the people; "
        f"with a τ below {SAME_RANKING:g} between its ranking of the runs and people's it gets a caution ({TAU_RULE})."
    )
    made = []
    for one in judged.judges if judged is not None else ():
        test, part = one.alternative, f"Judge “{one.judge}”"
        tau = float("nan") if one.ranking is None else one.ranking.tau
        ranks = f"ranks the runs with τ = {tau:.2f}" if tau == tau else "its ranking of runs was not tested"
        if test.passes is None:
            made.append(Grade(part, "unknown", "not tested", f"too few shared units for the test; {ranks}", rule))
        elif not test.passes:
            made.append(Grade(part, "bad", "fails", f"fails the alternative-annotator test; {ranks}", rule))
        elif tau < SAME_RANKING:
            made.append(Grade(part, "caution", "caution", f"passes the alternative-annotator test, but {ranks}", rule))
        else:
            made.append(Grade(part, "good", "passes", f"passes the alternative-annotator test; {ranks}", rule))
    return made
