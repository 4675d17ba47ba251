"""Every interval that a study of test sets, keys and runs returns is on the calibration page, or it says it is none."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from karat.data.orders import Order
from karat.data.tables import Table
from karat.measures import measures
from karat.measures.agreement import coefficients
from karat.studies.base import studies

PAGE = " ".join((Path(__file__).parent.parent / "docs" / "calibration.md").read_text(encoding="utf-8").split())
STUDIES = (
    *("agree", "check", "compare", "items", "judge", "keys", "meta", "nuggets"),
    *("prefer", "qa", "score", "sensitivity", "size", "support", "swap"),
)
"""What the page speaks of."""
IN_WORDS = ("diagnose", "justify")
"""Of these it speaks of what they claim in words, and of the tests that those rest on."""
COVERED = {
    "agree: PairAgreement.agreement": "Pairs of assessors have the intervals of two",
    "agree: PairAgreement.kappa": "Pairs of assessors have the intervals of two",
    "agree: PairAgreement.kappa_linear": "kappa_linear",
    "agree: PairAgreement.kappa_quadratic": "kappa_quadratic",
    "agree: LabelAgreement.low": "per_label",
    "agree: Agreement.coefficients": "## Agreement",
    "agree: AgreementView.coefficients": "## Agreement",
    "compare: GatedRun.interval": "has the intervals of the table",
    "compare: PairOfRuns.interval": "## Coverage",
    "compare: Ranked.interval": "a run's own mean",
    "judge: Judge.coefficients": "agreement, judge",
    "judge: People.coefficients": "People's own coefficients are those of `agree`",
    "judge: Bias.bias": "bias, all runs",
    "judge: Bias.relative": "relative bias, all runs",
    "judge: LabelRate.human": "people alone",
    "judge: LabelRate.naive": "judge alone",
    "judge: LabelRate.naive_alone": "judge alone",
    "judge: LabelRate.rogan_gladen": "Rogan–Gladen",
    "judge: LabelRate.prediction_powered": "PPI",
    "judge: LabelRate.tuned": "PPI++",
    "keys: ScoredKey.tau_interval": "## Rankings under another key",
    "meta: SingleJudgments.coefficients": "meta: kappa of single scores",
    "meta: RankAgreement.tau": "| tau |",
    "meta: RankAgreement.tau_b": "tau-b has the interval of tau",
    "meta: RankAgreement.tau_ap": "| tau-AP |",
    "meta: RankAgreement.tau_top": "| tau, top 10 |",
    "meta: RankAgreement.overlap": "| RBO |",
    "meta: RankAgreement.per_unit": "| tau-b by unit |",
    "meta: RunBias.bias": "a judge's biases for all runs hold at once",
    "meta: RunBias.relative": "a run “favoured”",
    "meta: PoweredScore.reference": "PPI++, first run",
    "meta: PoweredScore.powered": "PPI++, first run",
    "meta: PoweredDifference.reference": "PPI++, difference",
    "meta: PoweredDifference.powered": "PPI++, difference",
    "prefer: OrderEffect.left": "| order effect |",
    "prefer: OrderEffect.log_odds": "| order effect |",
    "prefer: PreferredPair.interval": "| a − b |",
    "prefer: PreferredRun.interval": "| win rate | strength |",
    "prefer: PreferredRun.strength_interval": "| win rate | strength |",
    "nuggets: NuggetRun.interval": "Means of `qa`, `nuggets` and `support`",
    "qa: Factoids.score": "Means of `qa`, `nuggets` and `support`",
    "qa: Factoids.token_f1": "Means of `qa`, `nuggets` and `support`",
    "qa: Others.score": "Means of `qa`, `nuggets` and `support`",
    "qa: QaRun.by_series": "Means of `qa`, `nuggets` and `support`",
    "qa: QaRun.ranking": "The measure that ranks runs in `qa`",
    "qa: AnswerRule.agreement": "Agreement of patterns, exact match and token F1 with people",
    "qa: AnswerRule.kappa": "Agreement of patterns, exact match and token F1 with people",
    "qa: Lists.score": "Means of `qa`, `nuggets` and `support`",
    "qa: PatternJudge.low": "Agreement of patterns, exact match and token F1 with people",
    "score: RunScores.intervals": "## Scores of one run",
    "score: SliceScores.intervals": "have the same intervals as the whole",
    "score: Tenth.interval": "tenths of the confidences, have the same intervals",
    "score: Reliability.error_interval": "## Calibration error",
    "score: Reliability.interval": "Proportions (accuracy, recall, precision)",
    "support: SupportRun.f1": "Means of `qa`, `nuggets` and `support`",
    "support: SupportRun.precision": "Means of `qa`, `nuggets` and `support`",
    "support: SupportRun.recall": "Means of `qa`, `nuggets` and `support`",
    "support: SupportRun.reward": "Means of `qa`, `nuggets` and `support`",
    "swap: ErrorAtSize.interval": ", half |",
    "swap: ExponentialFit.interval": ", fit |",
    "swap: Procedure.interval_over_trials": "smallest reliable difference, fit",
    "swap: FreshCurve.interval": "over runs and units",
    "swap: Fresh.reliability": "| reliability |",
    "swap: Fresh.needed": "| difference needed |",
}
NO_INTERVAL = {
    "qa: SeriesBox.low": "",  # the lowest score of any run
    "compare: Comparison.intervals": "",  # how they are made, in words
    "score: Tenth.low": "of a tenth of the confidences",
    "score: Reliability.by_luck": "`by_luck` of `score`",
    "swap: Curve.low": "bounds of a bin",
    "swap: FreshCurve.low": "bounds of a bin",
    "keys: RandomKeys.tau_low": "`random` of `keys`",
    "keys: RandomRun.low": "`random` of `keys`",
    "keys: RandomRun.rank_low": "`random` of `keys`",
    "size: Needed.low": "`low` and `high` of `size`",
    "size: Discordance.low": "`low` and `high` of `size`",
}


TESTS = {
    "agree: Homogeneity.p": "| Bowker | Stuart–Maxwell |",
    "agree: MoreBallots.p": "| more_ballots |",
    "agree: PairAgreement.p_below_chance": "| p_below_chance |",
    "agree: McNemar.exact": "McNemar's p for two labels is that of right/wrong runs",
    "agree: McNemar.mid_p": "McNemar's p for two labels is that of right/wrong runs",
    "compare: PairOfRuns.p": "## Type I errors",
    "compare: PairOfRuns.p_corrected": "## Many pairs",
    "compare: PairOfRuns.p_equivalence": "## Equivalence",
    "meta: Flip.p_reference": "| reversed |",
    "meta: Flip.p_judge": "| reversed |",
    "meta: PoweredDifference.p": "any pair of equal runs",
    "meta: CommonUnits.p": "| doubted |",
    "judge: LabelRate.p": "McNemar's exact test, corrected (Holm)",
    "judge: Replaced.p": "| a person |",
    "judge: Replaced.p_corrected": "any of three, corrected",
    "prefer: Favour.p": "| a run favoured |",
    "prefer: Favour.p_corrected": "| a run favoured |",
    "prefer: OrderEffect.p": "| order |",
    "prefer: PreferredPair.p": "| any two runs |",
    "prefer: PreferredPair.p_corrected": "| any two runs |",
    "prefer: PreferredPair.p_fit": "`p_fit_corrected`",
    "prefer: PreferredPair.p_fit_corrected": "`p_fit_corrected`",
    "prefer: PreferringAssessor.p_left": "`p_left_corrected`",
    "prefer: PreferringAssessor.p_left_corrected": "`p_left_corrected`",
    "prefer: PreferringAssessor.p_stronger": "`p_stronger_corrected`",
    "prefer: PreferringAssessor.p_stronger_corrected": "`p_stronger_corrected`",
    "qa: KindDifference.p": "kinds of series in `qa`",
    "qa: KindDifference.p_corrected": "kinds of series in `qa`",
    "score: Reliability.p": "compared with its exact distribution, with `p` twice",
    "score: Tenth.p": "each tested as a whole and by tenths",
    "compare: GatedRun.p_within": "its one-sided tests",
    "compare: GatedRun.p_worse": "its one-sided tests",
    "diagnose: Consistency.p": "| at the cost of the other |",
    "diagnose: Consistency.p_corrected": "| at the cost of the other |",
    "diagnose: Contest.p": "| separates two runs |",
    "diagnose: Contest.p_corrected": "| separates two runs |",
    "diagnose: PhenomenonRow.p": "| a slice is weak |",
    "diagnose: PhenomenonRow.p_corrected": "| a slice is weak |",
    "diagnose: PhenomenonRow.p_index": "| index below or above 1 |",
    "diagnose: PhenomenonRow.p_index_corrected": "| index below or above 1 |",
    "diagnose: Row.p": "| a slice is weak |",
    "diagnose: Row.p_corrected": "| a slice is weak |",
    "diagnose: Row.p_index": "| index below or above 1 |",
    "diagnose: Row.p_index_corrected": "| index below or above 1 |",
    "justify: Concordance.p": "of Kendall's W",
    "justify: GroupDifference.p": "| groups of judges differ |",
    "justify: GroupDifference.p_corrected": "| groups of judges differ |",
    "justify: RunDifference.p": "| two runs differ |",
    "justify: RunDifference.p_corrected": "| two runs differ |",
    "justify: RunDifference.p_judges": "two runs over judges (`p_judges`)",
}
"""Every p that a study returns, and what the page says of its test."""
NO_TEST = {
    "size: Needed.exact",  # how many units the tests would need
    "size: Needed.mid_p",
    "justify: Concordance.p_error",  # Monte-Carlo errors
    "justify: GroupDifference.p_error",
    "justify: RunDifference.p_error",
    "justify: RunDifference.p_judges_error",
}
"""Called as tests are, and none."""


def intervals(kind: Any, seen: set[type]) -> Iterator[str]:
    """The fields of a result, at any depth, that hold an interval or look like an end of one."""
    for part in get_args(kind):
        yield from intervals(part, seen)
    if not (isinstance(kind, type) and is_dataclass(kind)) or kind in seen:
        return
    seen.add(kind)
    for name, hint in get_type_hints(kind).items():
        ends = name == "low" or name.endswith("_low")
        if ("interval" in name or ends or any(_estimate(part) for part in _within(hint))) and not _estimate(kind):
            yield f"{kind.__name__}.{name}"
        yield from intervals(hint, seen)


def _within(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _within(part)


def _estimate(kind: Any) -> bool:
    """Whether it is a value between two ends."""
    return is_dataclass(kind) and {"value", "low", "high"} <= set(kind.__dataclass_fields__)


def found(walk: Callable[[Any, set[type]], Iterator[str]], among: tuple[str, ...] = STUDIES) -> set[str]:
    """What a walk finds in the results of these studies."""
    for module in among:
        importlib.import_module(f"karat.studies.{module}" + ("" if module in ("check", "items") else ".study"))
    return {
        f"{entry.name}: {name}"
        for entry in map(studies.__getitem__, among)
        for name in walk(get_type_hints(inspect.unwrap(entry.function))["return"], set())
    }


def p_values(kind: Any, seen: set[type]) -> Iterator[str]:
    """The fields of a result, at any depth, that hold a p."""
    for part in get_args(kind):
        yield from p_values(part, seen)
    if not (isinstance(kind, type) and is_dataclass(kind)) or kind in seen:
        return
    seen.add(kind)
    for name, hint in get_type_hints(kind).items():
        if name in ("p", "mid_p", "exact") or name.startswith("p_"):
            yield f"{kind.__name__}.{name}"
        yield from p_values(hint, seen)


def test_every_test_is_named() -> None:
    """Every p that a study returns is of a test that is listed here."""
    assert found(p_values, STUDIES + IN_WORDS) == set(TESTS) | NO_TEST


def test_every_interval_is_named() -> None:
    """What studies return and what is listed here are the same."""
    assert found(intervals) == set(COVERED) | set(NO_INTERVAL)


@pytest.mark.parametrize(("interval", "words"), [*COVERED.items(), *NO_INTERVAL.items(), *TESTS.items()])
def test_the_page_covers(interval: str, words: str) -> None:
    """Each has its line on the page."""
    assert words in PAGE, interval


@pytest.mark.parametrize(
    "name", [entry.name for entry in measures if entry.facts["of"] in (Table, Order) and not entry.alias]
)
def test_the_page_covers_a_measure(name: str) -> None:
    """Every measure that `score` gives an interval of has a column."""
    assert f"| {name}" in PAGE


@pytest.mark.parametrize("name", [entry.name for entry in coefficients])
def test_the_page_covers_a_coefficient(name: str) -> None:
    """Every coefficient that `agree` gives an interval of has a column."""
    assert f"| {name}" in PAGE


def test_the_walk_finds_new_ones() -> None:
    """A field that is added anywhere below a result is found."""

    @dataclass
    class Ends:
        value: float
        low: float
        high: float

    @dataclass
    class Part:
        spread: Ends
        share_low: float
        plain: float

    @dataclass
    class Whole:
        parts: dict[str, list[Part]]

    for one in (Ends, Part, Whole):
        one.__annotations__ = {
            name: {"Ends": Ends, "float": float, "dict[str, list[Part]]": dict[str, list[Part]]}[hint]
            for name, hint in one.__annotations__.items()
        }
    assert list(intervals(Whole, set())) == ["Part.spread", "Part.share_low"]
