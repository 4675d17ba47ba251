"""Grades: how far the test set, the ranking, the key and the judge can be trusted, by thresholds that are stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from karat.data.composite import Grade, Level
from karat.data.fields import readable, written
from karat.labels import IN_WORDS
from karat.studies.agree.result import Agreement
from karat.studies.compare.findings import without_constant
from karat.studies.compare.result import Comparison
from karat.studies.judge.findings import FEWEST_PEOPLE
from karat.studies.judge.result import Judgement
from karat.studies.report.resolution import FEWEST_UNITS
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.size.result import Size
from karat.studies.tested_pairs import on_board
from karat.studies.wording import in_points, listed, part_of, unit_of

HIGH, MEDIUM = 0.02, 0.05
"""The largest detectable differences of a test set of high and of medium resolution."""
HALF = 0.5
NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})

SAME_RANKING = 0.9
"""Rankings with a higher tau are commonly taken as the same."""
RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff's thresholds for alpha."""
TAU_RULE = f"Kendall's rank correlation; Voorhees 2001 takes rankings with {SAME_RANKING:g} or more as the same"


def test_set(compared: Comparison | None, sized: Size | None) -> Grade | None:
    """How small a difference the test set can detect; not how much these runs differ, which is no fault of the set."""
    if compared is None or not compared.tested:
        return None
    way = f", {IN_WORDS[compared.way]}" if compared.way else ""
    others = without_constant(compared) if compared.significant else ""
    rest = f" ({others} without constant answers)" if others else ""
    pairs = part_of(len(compared.significant), len(compared.tested), "pair of runs", "pairs of runs")
    text = f"{pairs} differ significantly{rest}{way}"
    if len(compared.tested) == 1:
        text = f"the two runs {'differ' if compared.significant else 'do not differ'} significantly{way}"
    level: Level = "unknown"
    word = "not graded"
    found = None if sized is None or sized.detectables[0].units < FEWEST_UNITS else sized.detectables[0]
    # The verdicts of the page are corrected for all pairs, and so is the difference that they find.
    board = compared.board()
    if sized is not None and found is not None and board is not None and found.discordance.median > 0:
        least = found.corrected
        which = "any difference" if least != least else f"a difference of {on_board(board, least)}"
        text = f"{'has less than ' if least != least else ''}{sized.power:.0%} power to find {which}; {text}"
        if unit_of(compared.measure):
            size = "high" if least <= HIGH else "medium" if least <= MEDIUM else "low"
            level, word = "good" if size == "high" else "caution", f"{size} resolution"
    if word == "not graded":
        text += f"; {_why_not_graded(compared, sized)}"
    power = "" if sized is None else f" with {sized.power:.0%} power"
    rule = (
        f"Graded by the true difference between two runs that the tests on this page find{power} (Connor 1987), at a "
        "level of 0.05 divided by the number of pairs of runs, for two runs that disagree as much as the median pair. "
        f"High resolution: up to {in_points('accuracy', HIGH)}; medium: up to {in_points('accuracy', MEDIUM)}; else "
        "low. The limits are karat's own. More runs mean more pairs, and so a lower resolution. How many of these "
        "runs differ depends on the runs too, and is not graded."
    )
    return Grade("Test set", level, word, text, rule)


def _why_not_graded(compared: Comparison, sized: Size | None) -> str:
    """Why a test set has no grade."""
    if sized is None:
        return "the difference that it can find is not known"
    if sized.detectables[0].units < FEWEST_UNITS:
        few = f"fewer than {FEWEST_UNITS} {sized.unit}s"
        return f"it has {few}" if sized.members is None else f"its units are in {few}"
    if not sized.detectables[0].discordance.median > 0:
        return "the runs do not differ on any unit"
    return f"there are no limits for differences in {readable(compared.measure)}"


def could_change(varied: Sensitivity | None) -> bool:
    """Whether settings were tried that could change the ranking."""
    return varied is not None and bool(varied.settings[0].leaders) and bool(varied.alternatives)


def ranking(
    varied: Sensitivity | None, compared: Comparison | None = None, others: Mapping[str, Sequence[str]] = NOTHING
) -> Grade | None:
    """Whether chance alone may explain who leads, or choices that could have been made otherwise change it.

    Where no settings are tried, such choices are the other scores, whose leaders are given.
    """
    unsure = doubtful(compared)
    if varied is not None and could_change(varied):
        tried = varied.alternatives
        # The verdict above has the names, which may be long.
        text = f"first {varied.first_under}; {_similarity(varied)}".removesuffix("; ")
        word = "depends on choices" if len(varied.keeping) < len(tried) else "stable at the top"
        word = "stable" if keeps_ranking(varied) else word
    elif unsure or _all_tested(compared):
        text = "no other setting could change the ranking" if varied is not None else ""
        word = "clear leader"
        if elsewhere := _elsewhere(compared, others):
            text, word = elsewhere, "depends on choices"
    else:
        return None
    certain = word == "clear leader" or varied is None
    lead = unsure or "the lead over every other run is significant" * certain
    text, word = "; ".join(filter(None, (lead, text))), "first place uncertain" if unsure else word
    rule = (
        "First place uncertain: the lead over at least one other run is not significant after the correction for all "
        "pairs, or another run scores higher than the leader on the units on which both were scored. "
        "Otherwise graded by choices. Stable: the same run leads under every setting tried, and every ranking has a "
        f"τ-b of {SAME_RANKING:g} or more with the official one ({TAU_RULE}); stable at the top: the same run leads; "
        "else it depends on choices. Settings that give the same scores on another scale are counted once. "
        "Clear leader: no setting was tried that could change the ranking. In simulations of exchangeable runs (normal "
        "and right/wrong scores, 2 to 20 runs, 5 to 100 units) a leader was called clear on at most about 5% of test "
        "sets; with equal means and different skewness, on up to a third. For the chance in other ranks see their "
        "ranges."
    )
    return Grade("Ranking", "good" if word in ("stable", "clear leader") else "caution", word, text, rule)


def _elsewhere(compared: Comparison | None, others: Mapping[str, Sequence[str]]) -> str:
    """By which other scores another run is first; empty if there are none."""
    board = None if compared is None else compared.board()
    moved = [readable(score) for score, first in others.items() if board and set(first) != set(board.leaders)]
    return f"another run is first by {listed(moved)}" if moved else ""


def _tau(varied: Sensitivity) -> float:
    """The lowest rank correlation of an alternative ranking with the official one; NaN if there is none.

    Tau-b, since two rankings with the same ties are the same.
    """
    known = [one.tau_b for one in varied.alternatives if one.tau_b == one.tau_b]
    return min(known, default=float("nan"))


def _similarity(varied: Sensitivity) -> str:
    """How similar the other rankings are, in words."""
    if not any(one.swapped for one in varied.alternatives):
        return "no two runs swap ranks"
    return f"lowest rank correlation {written(_tau(varied), 2)} (τ-b)"


def keeps_ranking(varied: Sensitivity | None) -> bool:
    """Whether the same run leads under every alternative that was tried, and every ranking is much the same."""
    if varied is None or not could_change(varied):
        return True
    return len(varied.keeping) == len(varied.alternatives) and _tau(varied) >= SAME_RANKING


def _all_tested(compared: Comparison | None) -> bool:
    """Whether the leader was tested against every other run."""
    board = None if compared is None else compared.board()
    return board is not None and all(one.different is not None for one in board.others)


def doubtful(compared: Comparison | None) -> str:
    """Which leads are not significant, or reversed on shared units; empty if none is, or if there was no test."""
    board = None if compared is None else compared.board()
    if board is None or compared is None or not compared.tested:
        return ""
    if len(board.leaders) > 1:
        return f"{len(board.leaders):,} runs tie"
    ahead = sum(one.difference > 0 for one in board.others)
    if ahead:
        runs = f"{ahead:,} other run{'s score' if ahead > 1 else ' scores'}"
        return f"{runs} higher than the leader on the units that both have"
    alike, others = sum(entry.different is False for entry in board.entries), len(board.entries) - 1
    if alike == others == 1:
        return "the lead is not significant"
    if alike == others:
        return f"the lead is not significant over {'either' if others == 2 else 'any'} of the {others:,} other runs"
    return f"the lead over {alike:,} of the {others:,} other runs is not significant" if alike else ""


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
    text = f"Krippendorff's α = {alpha.value:.2f}{ends} on {part_of(agreed.paired, agreed.units, 'unit', 'units')}"
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
        way = f" ({IN_WORDS[one.ranking.way]})" if one.ranking is not None else ""
        ranks = (
            f"ranks the runs with Kendall's τ = {written(tau, 2)}{way}"
            if tau == tau
            else "its ranking of runs was not tested"
        )
        replaced = part_of(sum(row.replaced for row in test.people), test.tested, "person", "people")
        if test.passes is None:
            why = "the test needs two people with enough units in common"
            made.append(Grade(part, "unknown", "not tested", f"{why}; {ranks}", rule))
        elif not test.passes:
            made.append(Grade(part, "bad", "fails", f"may replace {replaced}; {ranks}", rule))
        else:
            sure = tau >= SAME_RANKING and test.tested >= FEWEST_PEOPLE
            text = f"may replace {replaced}, {'and' if tau >= SAME_RANKING else 'but'} {ranks}"
            made.append(Grade(part, "good" if sure else "caution", "passes" if sure else "caution", text, rule))
    return made
