"""F1, macro and micro F1, balanced accuracy and Matthews' correlation against scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from karat.data.tables import Table
from karat.kernels.counting import contingency
from karat.labels import THREE
from karat.measures import balanced_accuracy, macro_f1, matthews, mean_recall, measures, micro_f1
from karat.studies.scorer import table_interval
from tests.cases import Case, random_cases

CASES = [case for case in random_cases(300, seed=8) if len(case.key)]


def by_scikit_learn(function: Callable[..., Any], case: Case, **options: Any) -> float:
    """The figure of scikit-learn; its warnings of 0/0 are what the tests look at themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(function(case.key, case.response, **options)).item()


@pytest.mark.parametrize("label", THREE.labels)
def test_f1(label: str) -> None:
    """Equal, and undefined only if neither key nor run has the label, where scikit-learn says 0."""
    code, undefined = THREE.code(label), 0
    for case in CASES:
        ours = case.value(measures.parse(f"f1({label})"))
        theirs = by_scikit_learn(metrics.f1_score, case, labels=[code], average=None)
        if np.isnan(ours):
            assert theirs == 0
            assert code not in {*case.key.tolist(), *case.response.tolist()}
            undefined += 1
        else:
            assert ours == pytest.approx(theirs)
    assert undefined


@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("macro_f1", metrics.f1_score, {"average": "macro"}),
        ("micro_f1", metrics.f1_score, {"average": "micro"}),
        ("balanced_accuracy", metrics.balanced_accuracy_score, {}),
    ],
)
def test_means(name: str, function: Callable[..., Any], options: dict[str, str]) -> None:
    """Equal on every case: scikit-learn averages over the labels that occur, too."""
    for case in CASES:
        assert case.value(measures.parse(name)) == pytest.approx(by_scikit_learn(function, case, **options))


def test_matthews() -> None:
    """Equal, and undefined if key or run has one label only, where scikit-learn says 0."""
    undefined = 0
    for case in CASES:
        ours, theirs = case.value(measures.parse("matthews")), by_scikit_learn(metrics.matthews_corrcoef, case)
        if np.isnan(ours):
            assert theirs == 0
            assert 1 in (len(set(case.key.tolist())), len(set(case.response.tolist())))
            undefined += 1
        else:
            assert ours == pytest.approx(theirs, abs=1e-9)
    assert undefined


def test_two_way_matthews_is_the_phi_coefficient() -> None:
    """By hand, [[20, 5], [10, 15]]: (20·15 − 5·10) / √(25·25·30·20) = 0.40825."""
    assert matthews(Table([[20, 5], [10, 15]])) == pytest.approx(0.408248, abs=1e-6)


def test_aliases() -> None:
    """The same function under another name, which results keep; `score` does not give it twice."""
    table = Table([[20, 5, 1], [10, 15, 0], [3, 3, 4]])
    assert balanced_accuracy(table) == mean_recall(table)
    assert micro_f1(table) == measures.parse("accuracy")(table)
    assert str(measures.parse("balanced_accuracy")) == "balanced_accuracy"
    assert measures["balanced_accuracy"].function is measures["mean_recall"].function
    assert measures["balanced_accuracy"].summary == "Another name for mean_recall."
    with pytest.raises(TypeError, match="two of kind measure"):
        measures.alias("kappa", "accuracy", "")


def test_macro_f1_of_two_labels_in_a_three_way_table() -> None:
    """A label that nobody uses changes neither the value nor the interval."""
    small = Table([[9, 3], [2, 8]])
    large = Table(np.pad(small.counts, (0, 1)))
    bound = measures.parse("macro_f1")
    assert macro_f1(large) == pytest.approx(float(macro_f1(small)))
    np.testing.assert_allclose(table_interval(bound, large, 0.95), table_interval(bound, small, 0.95))


@pytest.mark.parametrize("name", ["macro_f1", "matthews", "f1(ENTAILMENT)", "f1(CONTRADICTION)"])
def test_coverage(name: str) -> None:
    """The 95% interval holds the true value about 95 times of 100, with 60 and with 400 pairs, 3 labels, one rare."""
    random, bound = np.random.default_rng(5), measures.parse(name)
    cells = np.array([[0.32, 0.1, 0.02], [0.08, 0.3, 0.05], [0.02, 0.04, 0.07]])
    true = float(bound(Table(1000 * cells)))
    for units in (60, 400):
        counts = random.multinomial(units, cells.ravel(), size=2000).reshape(-1, 3, 3).astype(float)
        low, high = table_interval(bound, Table(counts), 0.95)
        held = np.mean((low <= true) & (true <= high))
        assert 0.93 <= held <= 0.985, (units, held)


def test_counting_is_that_of_scikit_learn() -> None:
    """The cells of a table are those of its confusion matrix."""
    for case in CASES[:20]:
        theirs = metrics.confusion_matrix(case.key, case.response, labels=range(3))
        np.testing.assert_array_equal(contingency(case.key, case.response, 3, 3), theirs)
