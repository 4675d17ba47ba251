"""Measures of tables against independent implementations, and where they are undefined."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from karat.data.tables import Table
from karat.errors import UsageError
from karat.measures import accuracy, information, kappa, mean_recall, measures
from tests.cases import Case, random_cases

counts = st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=3, max_size=3).filter(
    lambda rows: sum(map(sum, rows)) > 0
)
CASES = random_cases(60, seed=1)[1:]  # the first has no units, which scikit-learn refuses


def naive(name: str, rows: list[list[int]]) -> float:
    """The textbook, in exact fractions; NaN where it divides by nothing."""
    n = Fraction(sum(map(sum, rows)))
    key = [Fraction(sum(row)) for row in rows]
    response = [Fraction(sum(row[j] for row in rows)) for j in range(3)]
    right = Fraction(sum(rows[i][i] for i in range(3)))
    if name == "accuracy":
        return float(right / n)
    if name == "kappa":
        chance = sum(k * r for k, r in zip(key, response, strict=True)) / n**2
        return float((right / n - chance) / (1 - chance)) if chance != 1 else math.nan
    if name == "mean_recall":
        recalls = [rows[i][i] / key[i] for i in range(3) if key[i]]
        return float(sum(recalls) / len(recalls))
    if name == "information":
        return sum(
            float(rows[i][j] / n) * math.log2(rows[i][j] * n / (key[i] * response[j]))
            for i in range(3)
            for j in range(3)
            if rows[i][j]
        )
    if name == "conditional_entropy":
        return sum(
            float(rows[i][j] / n) * math.log2(response[j] / rows[i][j])
            for i in range(3)
            for j in range(3)
            if rows[i][j]
        )
    if name == "decided_f":
        made, wanted = response[0] + response[2], key[0] + key[2]
        hits = Fraction(rows[0][0] + rows[2][2])
        if not wanted:
            return math.nan
        if not made or not hits:
            return 0.0
        p, r, w = hits / made, hits / wanted, Fraction(1, 3)
        return float((1 + w) * p * r / (w * p + r))
    raise KeyError(name)


@pytest.mark.parametrize(
    "name", ["accuracy", "kappa", "mean_recall", "information", "conditional_entropy", "decided_f"]
)
@given(rows=counts)
def test_naive_twin(name: str, rows: list[list[int]]) -> None:
    """A measure is its definition."""
    assert float(measures.parse(name)(Table(rows))) == pytest.approx(naive(name, rows), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("case", CASES)
def test_scikit_learn(case: Case) -> None:
    """Accuracy, kappa and information are scikit-learn's."""
    assert case.value(measures.parse("accuracy")) == pytest.approx(metrics.accuracy_score(case.key, case.response))
    nats = metrics.mutual_info_score(case.key, case.response)
    assert case.value(measures.parse("information")) == pytest.approx(nats / math.log(2), abs=1e-9)
    if len({*case.key, *case.response}) > 1:
        theirs = metrics.cohen_kappa_score(case.key, case.response)
        assert case.value(measures.parse("kappa")) == pytest.approx(theirs)


@pytest.mark.parametrize("name", ["accuracy", "kappa", "information", "decided_f", "precision(UNKNOWN)", "mean_recall"])
def test_leading_axes(name: str) -> None:
    """A measure of many tables is that of each, with leading axes of any number."""
    tables = np.random.default_rng(0).integers(0, 9, (4, 5, 3, 3))
    bound = measures.parse(name)
    together = bound(Table(tables))
    assert together.shape == (4, 5)
    apart = [[float(bound(Table(table))) for table in row] for row in tables]
    np.testing.assert_allclose(together, apart, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("precision(CONTRADICTION)", [[5, 5, 0], [3, 3, 0], [1, 1, 0]]),
        ("recall(CONTRADICTION)", [[5, 5, 1], [3, 3, 1], [0, 0, 0]]),
        ("conditional_entropy(CONTRADICTION)", [[5, 5, 0], [3, 3, 0], [1, 1, 0]]),
        ("kappa", [[9, 0, 0], [0, 0, 0], [0, 0, 0]]),
        ("normalized_information", [[5, 5, 1], [0, 0, 0], [0, 0, 0]]),
        ("decided_f", [[0, 0, 0], [3, 3, 3], [0, 0, 0]]),
        ("shifted_accuracy", [[5, 5, 1], [3, 3, 1], [0, 0, 0]]),
        *((name, [[0] * 3] * 3) for name in ("accuracy", "mean_recall", "entropy_key", "information", "kappa")),
    ],
)
def test_undefined(name: str, rows: list[list[int]]) -> None:
    """Where a measure divides by nothing it is NaN, and its reason is declared."""
    bound = measures.parse(name)
    assert math.isnan(float(bound(Table(rows))))
    assert bound.facts["undefined"]


def test_no_decisions() -> None:
    """A run that never decides has decided F 0."""
    assert float(measures.parse("decided_f")(Table([[0, 5, 0], [0, 5, 0], [0, 5, 0]]))) == 0.0


def test_constant_and_independent_runs_tell_nothing() -> None:
    """Information is exactly 0 for constants and for anything independent of the key."""
    key = np.array([410, 318, 72.0])
    for shares in ([1, 0, 0], [0, 1, 0], [1 / 3] * 3, key / key.sum(), [0.21, 0.33, 0.46]):
        table = Table(key[:, None] * np.array(shares))
        assert float(information(table)) == 0.0
        assert float(kappa(table)) == pytest.approx(0, abs=1e-12)
        assert float(mean_recall(table)) == pytest.approx(1 / 3)


def test_mean_recall_over_labels_present() -> None:
    """A label that the key lacks has no part in mean recall."""
    assert float(mean_recall(Table([[6, 2, 2], [1, 3, 1], [0, 0, 0]]))) == pytest.approx((0.6 + 0.6) / 2)


def test_table_folds_adds_and_negates() -> None:
    """Tables are monoids; folding and negating are what they are for labels."""
    a, b = Table([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), Table(np.eye(3))
    assert (a + b).counts.tolist() == [[2, 2, 3], [4, 6, 6], [7, 8, 10]]
    assert a.fold().counts.tolist() == [[1, 5], [11, 28]]
    assert a.negate().counts.tolist() == [[9, 8, 7], [6, 5, 4], [3, 2, 1]]
    assert a.merge(1, 0).counts.tolist() == [[3, 0, 3], [9, 0, 6], [15, 0, 9]]
    assert float(accuracy(a.transpose())) == float(accuracy(a))


@pytest.mark.parametrize("bad", [[1, 2, 3], [[1, -1], [0, 1]], [[1, math.inf], [0, 1]], [[1, math.nan], [0, 1]]])
def test_no_table(bad: object) -> None:
    """What is no table of counts is refused."""
    with pytest.raises(UsageError):
        Table(bad)  # type: ignore[arg-type]
