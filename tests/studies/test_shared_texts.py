"""Pairs that share a text: counted, and what it does to intervals is measured, not asserted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.synthetic import pairs_of

import karat
from karat.data.provenance import Source
from karat.data.responses import Responses, Run, RunInfo
from karat.data.scores import cluster_numbers
from karat.labels import THREE
from karat.studies.report.result import Report
from karat.studies.report.study import report
from karat.studies.shared_texts import SharedTexts, times_as_wide

WITHOUT = ("swap", "size", "sensitivity", "items")
SETS = 60
"""Simulated test sets."""


def runs_on(texts: tuple[str, ...], together: bool) -> Responses:
    """Three runs on pairs with these texts; `together`, a run is right or wrong on all pairs of a text."""
    random = np.random.default_rng(4)
    key = replace(pairs_of(random.integers(0, 3, len(texts)).astype(np.int8)), texts=texts)
    clusters = cluster_numbers(texts)
    made = []
    for place in range(3):
        drawn = random.random(len(texts))
        right = (drawn[clusters] if together else drawn) < 0.7
        codes = np.where(right, key.labels, (key.labels + 1) % 3).astype(np.int8)
        info = RunInfo(f"run{place}", THREE, Source(f"run{place}", f"{place:064}"))
        made.append(Run(info, codes, np.arange(len(texts), dtype=np.int32), None, None, None))
    return Responses.of(key, made)


def told(made: Report) -> str:
    """The findings and facts of a report."""
    return " ".join([*made.opening.facts, *made.findings()])


FOUR = tuple(f"text {place // 4}" for place in range(400))


def test_dependent_pairs() -> None:
    """Four pairs on each text that are right or wrong together make intervals twice as wide."""
    made = report(runs_on(FOUR, together=True), without=WITHOUT)
    assert made.shared_texts is not None
    assert (made.shared_texts.pairs, made.shared_texts.texts) == (400, 100)
    assert made.shared_texts.times_as_wide == pytest.approx(2)
    assert "400 pairs on 100 texts" in told(made)
    assert "400 of 400 pairs share their text with another pair, and the intervals of accuracy, which treat" in told(
        made
    )
    assert "clustered by text, they would be 2.00 times as wide" in told(made)
    assert "`--cluster text` computes them by texts" in told(made)
    runs = runs_on(FOUR, together=True)
    for result in (karat.score(runs), karat.compare(runs)):  # one rule, in the same words
        assert result.shared_texts == made.shared_texts
        assert any("share their text with another pair, and the intervals" in said for said in result.findings())
    for result in (karat.score(runs, cluster="text"), karat.compare(runs, cluster="text")):
        assert result.shared_texts is None
        assert not any("share their text" in said for said in result.findings())
    assert report(runs_on(FOUR, together=True), without=WITHOUT).shared_texts == made.shared_texts


def test_independent_pairs() -> None:
    """Where pairs on one text are independent, the report does not warn."""
    made = report(runs_on((*FOUR[:396], "a", "b", "", ""), together=False), without=WITHOUT)
    assert made.shared_texts is not None
    assert (made.shared_texts.pairs, made.shared_texts.texts) == (396, 101)  # no text is not the same text
    assert 0.8 < made.shared_texts.times_as_wide < 1.02
    assert "396 of 400 pairs share their text with another pair, with no clear effect on the" in told(made)
    assert "--cluster" not in told(made)


def test_beyond_chance_but_little() -> None:
    """A ratio that chance does not explain is not called unclear, however small it is."""
    made = report(runs_on(FOUR, together=False), without=WITHOUT)
    assert made.shared_texts is not None
    little = replace(made, shared_texts=replace(made.shared_texts, times_as_wide=1.026, by_chance=1.01))
    assert "pairs share their text with another pair, with little effect on the intervals" in told(little)
    assert "--cluster" not in told(little)


@pytest.mark.parametrize("texts", [tuple(map(str, range(60))), ("",) * 60])
def test_nothing_shared_nothing_said(texts: tuple[str, ...]) -> None:
    """Pairs with texts of their own, or without texts."""
    made = report(runs_on(texts, together=False), without=WITHOUT)
    assert made.shared_texts is None
    assert "text" not in told(made)


def test_clusters_by_the_text_itself() -> None:
    """`text` clusters as an attribute with the same values would; an attribute of that name comes first."""
    runs = runs_on(FOUR, together=True)
    named = replace(runs.key, attributes={"passage": FOUR})
    by_text, by_name = (
        karat.compare(runs, cluster="text"),
        karat.compare(Responses.of(named, list(runs.runs)), cluster="passage"),
    )
    assert by_text.clusters == 100
    assert by_text.pairs == by_name.pairs
    assert "by clusters of pairs with the same text" in told(report(runs, cluster="text", without=WITHOUT))
    assert replace(named, attributes={"text": ("x",) * 400}).clusters("text") == ("x",) * 400
    with pytest.raises(karat.UsageError, match=r"no attribute of the pairs is called 'tex'; did you mean 'text'"):
        karat.compare(runs, cluster="tex")
    with pytest.raises(karat.UsageError, match="no attribute of the pairs is called 'text'"):
        karat.compare(runs_on(("",) * 60, together=False), cluster="text")
    with pytest.raises(karat.UsageError, match="give the key and its runs"):
        report(runs.right(THREE), cluster="text")


def test_times_as_wide_without_variance() -> None:
    """A run that is always right says nothing, and NaN is no answer."""
    clusters = np.array([0, 0, 1, 1])
    assert np.isnan(times_as_wide(np.ones((1, 4)), clusters, 0)).all()
    values = np.array([[1.0, 1, 0, 0], [1, 1, 1, 1]])
    assert times_as_wide(values, clusters, 0)[0] == pytest.approx(np.sqrt(2))
    assert times_as_wide(np.array([[1.0, np.nan, 0, 0]]), clusters, 0)[0] == pytest.approx(
        np.sqrt(((2 / 3) ** 2 + (2 / 3) ** 2) / (4 / 9 + 2 / 9))
    )


def test_what_chance_does_counted_out() -> None:
    """The ratio of interleaved clusters is that of sorted ones, and by chance it is what all permutations give."""
    values, clusters = np.array([[1.0, 0, 1, 0, 1, 0, 0, 1]]), np.array([0, 1, 0, 1, 0, 1, 1, 0])
    observed, by_chance = times_as_wide(values, clusters, 0)
    assert observed == pytest.approx(2)
    # Of the 70 ways to choose the pairs of the first text, 2 give a ratio of 2, 32 one of 1, and 36 one of 0.
    assert by_chance == pytest.approx(1)
    assert SharedTexts(8, 2, observed, by_chance).widens
    assert not SharedTexts(8, 2, 1.02, 1.01).widens  # significant, but too little
    assert not SharedTexts(8, 2, 1.2, 1.3).widens


@pytest.mark.parametrize(("texts", "each"), [(400, 2), (160, 5), (80, 10), (20, 40), (10, 80)])
def test_warned_by_chance(texts: int, each: int) -> None:
    """Where texts make no difference, about 5% of the reports warn; where they do, most."""
    random, clusters = np.random.default_rng(texts), np.repeat(np.arange(texts), each)
    warned = {0.0: 0, 1.0: 0}
    for spread in warned:
        for seed in range(SETS):
            difficulty = random.normal(size=texts * each) + spread * random.normal(size=texts)[clusters]
            right = random.random((3, texts * each)) < 1 / (1 + np.exp(difficulty - 0.7))
            warned[spread] += SharedTexts(0, 0, *times_as_wide(right.astype(float), clusters, seed)).widens
    assert warned[0.0] <= 8  # of 60 with a probability of 5%, more in 3 of 1,000 cases
    assert warned[1.0] >= 0.8 * SETS
