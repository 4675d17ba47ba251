"""Runs under other keys: as if read against them, and under weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import karat
from karat.labels import THREE, TWO
from karat.measures import accuracy, kappa
from karat.studies.keys import rescoring as module
from karat.studies.keys.rescoring import Rescoring

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


@pytest.mark.parametrize("measure", ["accuracy", "kappa", "mean_recall"])
def test_scores_are_those_of_the_key_replaced(key: karat.Pairs, runs: karat.Responses, measure: str) -> None:
    """Many keys at once, each as if it were the only one."""
    random = np.random.default_rng(0)
    keys = random.integers(-1, 3, (5, len(key))).astype(np.int8)
    rescoring = Rescoring.of(runs, "auto", measure)
    assert rescoring.way is TWO
    for codes, scores in zip(keys, rescoring.scores(keys), strict=True):
        other = replace(runs, key=replace(key, labels=codes))
        np.testing.assert_allclose(scores, rescoring.measure(other.count(TWO)))


@pytest.mark.parametrize("measure", [accuracy, kappa])
def test_weights_are_units_counted_again(
    key: karat.Pairs, runs: karat.Responses, measure: Callable[..., np.ndarray]
) -> None:
    """A weight of 2 is the unit twice, and units without label count for nothing."""
    codes = np.where(np.arange(len(key)) % 7, key.labels, -1).astype(np.int8)
    random = np.random.default_rng(1)
    weights = random.integers(0, 3, (4, len(key))).astype(float)
    ours = Rescoring.of(runs, "2", measure.__name__).resampled(codes, weights)
    other = replace(runs, key=replace(key, labels=codes))
    np.testing.assert_allclose(ours, measure(other.count(TWO, weights)))


def test_blocks(key: karat.Pairs, runs: karat.Responses, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and runs in small blocks score as in one."""
    keys = np.tile(key.labels, (6, 1))
    rescoring = Rescoring.of(runs, "auto", "kappa")
    weights = np.ones((3, len(key)))
    whole = rescoring.scores(keys), rescoring.resampled(key.labels, weights)
    monkeypatch.setattr(module, "CHUNK", 1500)
    np.testing.assert_array_equal(rescoring.scores(keys), whole[0])
    np.testing.assert_allclose(rescoring.resampled(key.labels, weights), whole[1])


def test_refusals(make: Make) -> None:
    """A measure that is not there for this way, and runs that are not."""
    key, runs = make("E U C", a="1 E\n2 U\n3 C")
    assert Rescoring.of(runs, "auto", "decided_f").way is THREE
    with pytest.raises(karat.UsageError, match="measure decided_f: decided F needs three-way labels"):
        Rescoring.of(runs, "2", "decided_f")
    with pytest.raises(karat.UsageError, match="a ranking needs runs"):
        Rescoring.of(karat.Responses.of(key, []), "auto", "accuracy")
