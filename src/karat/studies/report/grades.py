"""Grades: how far the test set, the ranking, the key and the judge can be trusted, by thresholds that are stated."""

from __future__ import annotations

from typing import Any

import numpy as np

from karat.arrays import Floats
from karat.data.composite import Grade, Level
from karat.data.fields import written
from karat.studies.agree.result import Agreement
from karat.studies.compare.result import Comparison
from karat.studies.judge.result import Judgement
from karat.studies.report.verdict import FEWEST_UNITS
from karat.studies.sensitivity.result import ScoredSetting, Sensitivity
from karat.studies.size.result import Size
from karat.studies.wording import in_points

MOST, HALF = 0.8, 0.5
"""Shares of pairs of runs that are significantly different, from which a test set is said to resolve most and many."""
SAME_RANKING = 0.9
"""Rankings with a higher tau are commonly taken as the same."""
RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff's thresholds for alpha."""
FEWEST_PEOPLE = 3
"""The alternative-annotator test was made for at least so many people."""
TAU_RULE = f"Voorhees 2001 takes rankings with a τ of {SAME_RANKING:g} or more as the same"


def test_set(compared: Comparison | None, sized: Size | None) -> Grade | None:
    """Whether the test set has enough units to resolve the differences between these runs."""
    if compared is None or not compared.tested:
        return None
    share = len(compared.significant) / len(compared.tested)
    level: Level = "good" if share >= MOST else "caution"
    word = "resolves " + ("most" if share >= MOST else "many" if share >= HALF else "few")
    way = f", {compared.way}-way" if compared.way else ""
    pairs = "pair of runs differs" if len(compared.tested) == 1 else "pairs of runs differ"
    text = f"{len(compared.significant):,} of {len(compared.tested):,} {pairs} significantly{way}"
    if sized is not None and sized.detectables[0].units >= FEWEST_UNITS:
        smallest = sized.detectables[0].corrected
        if smallest == smallest:
            points = in_points(compared.measure, smallest)
            text = f"typically finds differences of {points} ({sized.power:.0%} power); {text}"
    rule = (
        "Graded for these runs, by discriminative power: the share of pairs of runs that differ significantly (Sakai "
        f"2006; here after the correction for all pairs). Most: from {MOST:.0%}; many: from {HALF:.0%}; else few. The "
        "limits are karat's own. Runs that are equally good differ significantly on no test set, however large."
    )
    return Grade("Test set", level, word, text, rule)


def ranking(varied: Sensitivity | None, compared: Comparison | None = None) -> Grade | None:
    """Whether choices that could have been made otherwise change the ranking, or chance alone may explain it."""
    if varied is None or not varied.settings[0].leaders:
        return None
    official = varied.settings[0]
    tried = _alternatives(varied)
    if not tried:
        return None
    kept = sum(set(official.leaders) <= set(one.leaders) for one in tried)
    taus = [one.tau for one in tried if one.tau == one.tau and len(set(one.scores.values())) > 1]
    who = f"{official.leaders[0]} is" if len(official.leaders) == 1 else f"{len(official.leaders)} runs are"
    way = f" {varied.way}-way" if varied.way else ""
    text = f"{who} first under {kept} of {len(tried)} settings that could change the{way} ranking"
    text += f"; lowest τ {written(min(taus), 2)}" if taus else ""
    chance = compared is not None and bool(compared.tested) and not compared.significant
    text += "; no two runs differ significantly" if chance else ""
    stable = not chance and kept == len(tried) and min(taus, default=0.0) >= SAME_RANKING
    word = "stable" if stable else "may be chance" if chance else "stable at the top"
    word = word if kept == len(tried) else "depends on choices"
    rule = (
        f"Stable: the same run leads under every setting tried, and every ranking has a τ of {SAME_RANKING:g} or more "
        f"with the official one ({TAU_RULE}); stable at the top: the same run leads. Settings that rank as the "
        "official one does by definition are not counted. May be chance: no two runs differ significantly after the "
        "correction for all pairs; if all runs are equally good, two do on at most 5% of test sets. Otherwise this is "
        "about choices, not about chance: for the chance in each rank see the ranges of ranks."
    )
    return Grade("Ranking", "good" if stable else "caution", word, text, rule)


def _alternatives(varied: Sensitivity) -> list[ScoredSetting]:
    """The settings with scores of their own: not those that are the official ones, or another's, on another scale."""
    seen, kept = [_standardised(varied.settings[0])], []
    for one in varied.settings[1:]:
        scores = _standardised(one)
        if one.leaders and not any(len(scores) == len(old) and np.allclose(scores, old) for old in seen):
            kept.append(one)
            seen.append(scores)
    return kept


def _standardised(setting: ScoredSetting) -> Floats:
    """The scores with mean 0 and deviation 1, on as many units."""
    scores = np.array([*setting.scores.values()], dtype=float)
    spread = np.nanstd(scores)
    return np.append((scores - np.nanmean(scores)) / (spread if spread > 0 else 1.0), setting.units)


def assessors(agreed: Agreement | None, matching: float | None = None) -> Grade:
    """Whether assessors agree well enough, and with the key; `matching` is the share of ballots with its label."""
    rule = (
        f"By the 95% CI of Krippendorff's alpha: reliable if all of it is at least {RELIABLE:g}, tentative if all of "
        f"it is at least {TENTATIVE:g}, unreliable if all of it is below, else uncertain (thresholds: Krippendorff "
        "2004). Assessors contradict the key if fewer than half of the ballots have its label."
    )
    part = "Assessors"
    if agreed is None:
        return Grade(part, "unknown", "not examined", "no ballots were given, so nothing is known about the key", rule)
    alpha: Any = agreed.coefficients["alpha"]
    if alpha.value != alpha.value:
        return Grade(part, "unknown", "unknown", "no unit has two ballots, or all ballots are the same", rule)
    level: Level = "caution"
    if alpha.low != alpha.low:
        word = "uncertain"
    elif alpha.low >= RELIABLE:
        level, word = "good", "reliable"
    elif alpha.high < TENTATIVE:
        level, word = "bad", "unreliable"
    else:
        word = "tentative" if alpha.low >= TENTATIVE else "uncertain"
    ends = f" [{alpha.low:.2f}, {alpha.high:.2f}]" if alpha.low == alpha.low else ""
    text = f"α = {alpha.value:.2f}{ends} on {agreed.paired:,} of {agreed.units:,} units"
    if matching is None:
        return Grade(part, level, word, text, rule)
    if matching < HALF:
        level, word = "bad", "contradict the key"
    return Grade(part, level, word, f"{text}; {matching:.0%} of ballots agree with the key", rule)


def judge(judged: Judgement | None) -> list[Grade]:
    """Whether automatic judges can replace a person, and rank the runs as people do."""
    rule = (
        "Passes: the alternative-annotator test (Calderon et al. 2025, here with Tango's score test) lets it replace "
        f"at least half of the people tested. A caution: fewer than {FEWEST_PEOPLE} people, or a τ below "
        f"{SAME_RANKING:g} between its ranking of the runs and people's ({TAU_RULE})."
    )
    made = []
    for one in judged.judges if judged is not None else ():
        test, part = one.alternative, f"Judge “{one.judge}”"
        tau = float("nan") if one.ranking is None else one.ranking.tau
        way = f" ({one.ranking.way}-way)" if one.ranking is not None else ""
        ranks = (
            f"ranks the runs with τ = {written(tau, 2)}{way}" if tau == tau else "its ranking of runs was not tested"
        )
        replaced = f"{sum(row.replaced for row in test.people)} of {test.tested}"
        if test.passes is None:
            why = "the test needs two people with enough units in common"
            made.append(Grade(part, "unknown", "not tested", f"{why}; {ranks}", rule))
        elif not test.passes:
            made.append(Grade(part, "bad", "fails", f"may replace {replaced} people; {ranks}", rule))
        else:
            sure = tau >= SAME_RANKING and test.tested >= FEWEST_PEOPLE
            text = f"may replace {replaced} people, {'and' if tau >= SAME_RANKING else 'but'} {ranks}"
            made.append(Grade(part, "good" if sure else "caution", "passes" if sure else "caution", text, rule))
    return made
