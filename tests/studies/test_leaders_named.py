"""Who is named first: ties are ties, whatever the last digit, and untested differences name nobody."""

from __future__ import annotations

from types import SimpleNamespace as Row
from typing import Any

import numpy as np
import pytest
from scipy import stats

import karat
from karat.statistics.slice_difference import range_p
from karat.studies.justify.findings import wrong_reasons
from karat.studies.keys.findings import leader
from karat.studies.keys.findings import rankings as key_rankings
from karat.studies.nuggets.findings import assessors
from karat.studies.nuggets.findings import best as best_by_nuggets
from karat.studies.qa.findings import best as best_by_questions
from karat.studies.qa.findings import patterns
from karat.studies.sensitivity.result import most
from karat.studies.size.findings import at_hand
from karat.studies.wording import listed
from tests.studies.test_diagnose_claims import answers, pairs

NEARLY = float(np.mean([0.3, 0.2, 0.1]))
SAME = float(np.mean([0.1, 0.2, 0.3]))
"""The same mean, added up in another order."""


def said(finding: Any, **result: Any) -> str:
    """What a finding says of a result that has only these parts."""
    return " ".join(finding(Row(**result)))


def test_the_two_means_differ_in_their_last_digit() -> None:
    """As the sums of three topics do."""
    assert NEARLY != SAME
    assert pytest.approx(SAME) == NEARLY


def test_runs_that_tie_by_rounding() -> None:
    """All are named, on questions and by nuggets; one that leads is named alone."""
    runs = [Row(run=name, score=score) for name, score in (("x1", NEARLY), ("x2", SAME), ("x3", SAME), ("y", 0.1))]
    told = said(best_by_questions, runs=runs, ranked_by="type_score", aggregations=None)
    assert told == "x1, x2 and x3 share the highest score (0.200)."
    told = said(best_by_questions, runs=[runs[0], runs[3]], ranked_by="series_score", aggregations=None)
    assert told.startswith("x1 scores highest by series (0.200);")
    nan = float("nan")
    of_nuggets = [Row(run=name, vital=score, f=nan) for name, score in (("A", NEARLY), ("B", SAME), ("C", 0.1))]
    assert said(best_by_nuggets, runs=of_nuggets) == "A and B have the highest vital support (0.200)."
    short = [
        Row(run=name, vital=v, f=f, length=9.0)
        for name, v, f in (("A", 0.5, 0.1), ("B", 0.4, SAME), ("C", 0.3, NEARLY))
    ]
    assert "length, B (0.200, mean length 9) and C (0.200, mean length 9) tie for first" in said(
        best_by_nuggets, runs=short
    )


def test_other_extremes_that_tie() -> None:
    """Biases, rankings of assessors and of keys, wrong reasons, settings: all that are most so are named."""
    runs = [Row(run="a", bias=NEARLY), Row(run="b", bias=-SAME), Row(run="c", bias=0)]
    biased = Row(judge="patterns", answers=9, agreement=0.5, runs=runs)
    assert "differs most from that by people for a (20.0 points higher) and b (20.0 points lower)." in said(
        patterns, patterns=biased
    )
    taus = [Row(a="p", b="q", tau=NEARLY), Row(a="p", b="r", tau=SAME), Row(a="q", b="r", tau=0.9)]
    assert (
        said(assessors, agreement=taus)
        == "The rankings that agree least are those by p and by q, by p and by r (tau = 0.200)."
    )
    wrong = [
        Row(run=name, wrong_reason=Row(count=1, of=5, share=Row(value=share)))
        for name, share in (("a", SAME), ("b", NEARLY))
    ]
    assert "The share is highest for a (1 of 5, 20%) and b (1 of 5, 20%)." in said(wrong_reasons, runs=wrong)
    keys = [
        Row(name=name, tau=tau, tau_b=tau, swaps=[1], units=5, changed_run="a")
        for name, tau in (("official", 1.0), ("x", SAME), ("y", NEARLY))
    ]
    assert "The ranking changes most under x and y (tau-b = 0.200)." in said(key_rankings, keys=keys, units=5)
    settings = [Row(swapped=n, label=f"fold {v}", units=5, tau_b=0.5) for n, v in ((0, "official"), (2, "u"), (2, "v"))]
    assert said(most, settings=settings).startswith("The ranking changes most under fold u, fold v: 2 pairs")
    assert listed(["a"]) == "a"


def test_shares_of_drawn_keys_are_estimates() -> None:
    """49.7 % of a thousand draws is known to ± 3.1."""
    runs = [Row(run="a", official=0.6, first=0.497), Row(run="b", official=0.5, first=0.503)]
    random = Row(runs=runs, draws=1000, units=9)
    told = said(leader, random=random, ranked=True, disputed=True, units=9, keys=[Row()])
    assert told.startswith("a ranks first under about 49.7% (± 3.1) of 1,000 keys")
    assert "ties count as first" in told


def test_size_says_what_all_pairs_take() -> None:
    """One pair alone and all pairs with a correction; one unit is one unit."""
    row = Row(way=None, units=800, difference=0.041, corrected=0.0659, discordance=Row(median=0.2))
    result = {
        "measures": ["accuracy"],
        "unit": "unit",
        "members": None,
        "power": 0.8,
        "pairs": 300,
        "runs": list("abcdefghijklmnopqrstuvwxy"),
    }
    told = said(at_hand, detectables=[row], **result)
    assert "With 800 units, two runs that disagree as much as the median pair have to differ by 4.1 points for" in told
    assert "and by 6.6 points with a correction for all 300 pairs of runs." in told
    nan = float("nan")
    assert said(at_hand, detectables=[Row(way=None, units=1, difference=nan, corrected=nan)], **result).startswith(
        "1 unit is too few"
    )


def test_kinds_of_pairs_that_are_equally_hard() -> None:
    """Four attributes that mean nothing: any is called hardest in 5 % of data sets at most."""
    random = np.random.default_rng(0)
    false = 0
    for _ in range(40):
        names = {f"by{at}": [f"v{one}" for one in random.integers(0, 4, 120)] for at in range(4)}
        runs = answers(pairs(random.integers(0, 2, 120), **names), random.random((3, 120)) < random.beta(3, 2, 120))
        false += any("differs significantly by" in one for one in karat.items(runs).findings())
    assert false <= stats.binom.ppf(0.999, 40, 0.05)


def test_a_kind_that_is_harder() -> None:
    """It is named, with its p."""
    right = np.ones((2, 60), dtype=bool)
    right[:, :15] = False
    runs = answers(pairs(np.zeros(60), task=["IE"] * 30 + ["QA"] * 30), right)
    result = karat.items(runs)
    assert result.difficulty_p["task"] < 0.01
    assert any("lowest on IE (30 pairs), at 50.0%, and highest on QA" in one for one in result.findings())


def test_the_range_by_all_permutations() -> None:
    """Six units in two groups of three: every split counted is what random ones estimate."""
    scores, members = np.array([0.0, 0, 1, 1, 1, 1]), np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], dtype=bool)
    # 2 of 3 right in one group less than in the other in 4·2 of 20 splits: both zeros in one group.
    found = range_p(scores, members, np.random.default_rng(0))
    assert found == pytest.approx(8 / 20, abs=0.05)
    assert np.isnan(range_p(scores, members[:1], np.random.default_rng(0)))
