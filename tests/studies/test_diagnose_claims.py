"""What a diagnosis may not claim: an index near 1 from a few right answers, slices that nobody tested."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

import karat
from karat.data.decomposition import Decomposition, Phenomenon
from karat.data.pairs import Pairs
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.labels import TWO
from karat.statistics.slice_difference import weaker_over_clusters

Bools = np.ndarray


def answers(key: Pairs, right: Bools) -> Responses:
    """Runs that are right on these units (runs, units)."""
    codes = np.where(right, key.labels, 1 - key.labels).astype(np.int8)
    places = np.arange(len(key), dtype=np.int32)
    return Responses.of(
        key, [Run(RunInfo(f"run{at}", TWO, IN_MEMORY), row, places, None, None, None) for at, row in enumerate(codes)]
    )


def pairs(labels: np.ndarray, texts: list[str] | None = None, **attributes: list[str]) -> Pairs:
    """Two-way pairs of these labels."""
    ids = tuple(map(str, range(len(labels))))
    texts = texts or [""] * len(labels)
    columns = {name: tuple(column) for name, column in attributes.items()}
    return Pairs(ids, tuple(texts), ("",) * len(labels), labels.astype(np.int8), TWO, IN_MEMORY, attributes=columns)


def decomposed(
    random: np.random.Generator, originals: int, whole: float, part: float
) -> tuple[Responses, Decomposition]:
    """Originals of three parts each, right with one chance and with another."""
    number = 4 * originals
    key = pairs(random.integers(0, 2, number))
    home = np.concatenate([np.full(originals, -1), np.repeat(np.arange(originals), 3)]).astype(np.int32)
    kinds = np.arange(number) % 2
    holds = np.stack([(home >= 0) & (kinds == at) for at in (0, 1)])
    phenomena = (Phenomenon("x", "lexical"), Phenomenon("y", "lexical"))
    chance = np.where(home < 0, whole, part)
    return answers(key, random.random((1, number)) < chance), Decomposition(key, home, phenomena, holds)


@pytest.mark.parametrize(("originals", "whole", "part"), [(10, 0.85, 0.99), (20, 0.87, 0.99), (30, 0.9, 1.0)])
def test_an_index_below_the_range_is_seldom_called_close_to_1(originals: int, whole: float, part: float) -> None:
    """The true index is .9 at most: "close to 1" in 5 % of data sets at most."""
    random = np.random.default_rng(originals)
    false = 0
    for _ in range(60):
        runs, decomposition = decomposed(random, originals, whole, part)
        (row,) = karat.diagnose(runs, decomposition=decomposition, replicates=99).overall
        false += row.reading == "ideal"
        assert row.correlation_interval is None or row.correlation_interval[0] < row.correlation_interval[1]
    assert false <= stats.binom.ppf(0.999, 60, 0.05)


def test_many_right_answers_are_close_to_1() -> None:
    """Two hundred originals, all right as their parts are: that much may be said."""
    runs, decomposition = decomposed(np.random.default_rng(0), 200, 1.0, 1.0)
    (row,) = karat.diagnose(runs, decomposition=decomposition, replicates=99).overall
    assert row.reading == "ideal"
    assert row.adjusted_interval is not None
    assert 0.9 < row.adjusted_interval[0] < 1 < row.adjusted_interval[1] < 1.1


def test_what_was_not_tested_is_not_called_sound() -> None:
    """Eight slices of five pairs, one of them all wrong: none can be tested, and none is said to be no weaker."""
    labels = np.random.default_rng(0).integers(0, 2, 40)
    key = pairs(labels, genre=[f"g{at // 5}" for at in range(40)])
    right = np.ones((2, 40), dtype=bool)
    right[0, :5] = right[1, 5:10] = False
    result = karat.diagnose(answers(key, right), by="genre", replicates=99)
    said = " ".join(result.findings())
    assert "8 of 8 genre slices have fewer than 10 pairs and are not tested (g0, g1, g2, g3, g4 and 3 more)" in said
    assert "nothing is significantly weaker" not in said
    assert "no value of genre is significantly weaker" not in said
    partly = pairs(labels, genre=["large" if at < 20 else f"g{at // 5}" for at in range(40)])
    said = " ".join(karat.diagnose(answers(partly, right), by="genre", replicates=99).findings())
    assert "is not significantly weaker on any value of genre that was tested" in said


def test_most_wrong_answers_may_be_in_several_slices() -> None:
    """Two slices with as many wrong answers are both named."""
    key = pairs(np.zeros(40), genre=["a"] * 20 + ["b"] * 20)
    right = np.ones((1, 40), dtype=bool)
    right[0, [0, 1, 20, 21]] = False
    said = " ".join(karat.diagnose(answers(key, right), by="genre", replicates=99).findings())
    assert "most wrong answers are in a (2 of 20) and b (2 of 20)" in said


def in_texts(random: np.random.Generator, units: int, texts: int, alike: float, runs: int = 3) -> karat.Responses:
    """Pairs of one text are right or wrong together, each run on texts of its own; genres are of whole texts."""
    text = np.repeat(np.arange(texts), units // texts)
    genre = random.integers(0, 6, texts)[text]
    first, second = (share * (1 - alike) / alike for share in (0.7, 0.3))
    chance = random.beta(first, second, (runs, texts))[:, text]
    key = pairs(random.integers(0, 2, units), [f"t{one}" for one in text], genre=[f"g{one}" for one in genre])
    return answers(key, random.random((runs, units)) < chance)


@pytest.mark.parametrize(("units", "texts", "alike"), [(400, 100, 0.3), (400, 20, 0.1), (800, 40, 0.3)])
def test_pairs_that_share_a_text(units: int, texts: int, alike: float) -> None:
    """No genre is weaker and no two runs differ: any such claim in 5 % of data sets at most."""
    random = np.random.default_rng(texts)
    weaker = separated = 0
    for _ in range(25):
        runs = in_texts(random, units, texts, alike)
        result = karat.diagnose(runs, by="genre", replicates=99)
        weaker += any(row.weaker for row in (*result.phenomena, *result.judgments))
        separated += any(one.different for one in result.contests)
        assert result.texts == texts
    assert max(weaker, separated) <= stats.binom.ppf(0.999, 25, 0.05)
    assert any(f"{units} pairs share {texts} texts" in one for one in result.findings())


def test_slices_over_texts_by_hand() -> None:
    """Differences of means over errors, text by text in loops; runs exchanged on whole texts in every way."""
    random = np.random.default_rng(1)
    right = (random.random((2, 40)) < 0.6).astype(float)
    text, inside = np.arange(40) // 4, np.arange(40) % 16 < 10
    found = weaker_over_clusters(right, inside, text)
    for row, p in zip(right.tolist(), found, strict=True):
        one, other = ([x for x, there in zip(row, inside, strict=True) if there == side] for side in (True, False))
        means = sum(one) / len(one), sum(other) / len(other)
        squares = 0.0
        for number in range(10):
            departs = 0.0
            for x, there, of in zip(row, inside, text, strict=True):
                if of == number:
                    departs += (x - means[0]) / len(one) if there else -(x - means[1]) / len(other)
            squares += departs**2
        fewest = min(len({t for t, there in zip(text, inside, strict=True) if there == side}) for side in (True, False))
        t = (means[0] - means[1]) / (squares * fewest / (fewest - 1)) ** 0.5
        assert p == pytest.approx(stats.t.cdf(t, fewest - 1))


def test_runs_exchanged_on_whole_texts() -> None:
    """Every way to exchange two runs on eight texts, counted."""
    random = np.random.default_rng(2)
    key = pairs(np.zeros(32), [f"t{at // 4}" for at in range(32)], genre=["a"] * 32)
    right = random.random((2, 32)) < [[0.8], [0.5]]
    (contest,) = karat.diagnose(answers(key, right), by="genre", replicates=99).contests
    apart = (right[0].astype(int) - right[1].astype(int)).reshape(8, 4).sum(axis=1)
    flipped = [
        abs(sum(sign * one for sign, one in zip(signs, apart, strict=True))) for signs in product((1, -1), repeat=8)
    ]
    assert contest.p == pytest.approx(np.mean([one >= abs(apart.sum()) for one in flipped]))
