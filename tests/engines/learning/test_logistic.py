"""Logistic regression against scikit-learn."""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss as log_loss_of
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from karat.engines.learning.classifiers import Logistic, fit_logistic, fit_validated, minimise, validation_losses
from karat.engines.learning.folds import stratified


def world(seed: int, rows: int = 200, width: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Features of unlike sizes, two of them all but equal, and answers that depend on some."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(rows, width)) * 10.0 ** np.arange(-3, width - 3) + np.arange(width)
    features[:, 1] = features[:, 0] * 2 + random.normal(size=rows) * 1e-6
    scaled = (features - features.mean(axis=0)) / features.std(axis=0)
    return features, scaled[:, 0] - scaled[:, 3] + random.normal(size=rows) > 0.3


def oracle(penalty: float) -> LogisticRegression:
    """scikit-learn's, run until it stands still."""
    return LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=5000, solver="lbfgs")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("penalty", [0.01, 1.0, 100.0])
def test_by_scikit_learn(seed: int, penalty: float) -> None:
    """The same weights, intercept and probabilities."""
    features, yes = world(seed)
    model = fit_logistic(features, yes, penalty)
    pipeline = make_pipeline(StandardScaler(), oracle(penalty)).fit(features, yes)
    np.testing.assert_allclose(model.weights, pipeline[-1].coef_[0], atol=2e-4)
    assert model.intercept == pytest.approx(pipeline[-1].intercept_[0], abs=2e-4)
    np.testing.assert_allclose(model.probability(features), pipeline.predict_proba(features)[:, 1], atol=1e-4)
    assert msgspec.json.decode(msgspec.json.encode(model), type=Logistic) == model


def test_the_slope_is_zero_there() -> None:
    """At the solution nothing pulls: the gradient by its definition vanishes."""
    features, yes = world(7)
    model = fit_logistic(features, yes, 0.5)
    scaled = (features - features.mean(axis=0)) / features.std(axis=0)
    pull = model.probability(features) - yes
    np.testing.assert_allclose(scaled.T @ pull + 0.5 * np.array(model.weights), 0, atol=1e-5)
    assert pull.sum() == pytest.approx(0, abs=1e-6)


def test_constants_are_dropped() -> None:
    """A feature that varies by rounding alone has no weight and changes nothing, even where it varies later."""
    features, yes = world(4)
    wider = np.column_stack([features[:, :3], 0.1 + 1e-13 * features[:, 0], features[:, 3:]])
    plain, with_constant = fit_logistic(features, yes), fit_logistic(wider, yes)
    assert with_constant.weights[3] == 0
    wider[:, 3] = np.arange(len(yes))
    np.testing.assert_allclose(with_constant.margin(wider), plain.margin(features), atol=1e-9)


def test_separable_rows() -> None:
    """The penalty keeps weights finite where a plane parts the answers, even a very light one."""
    features = np.concatenate([np.arange(-20.0, 0), np.arange(1.0, 21)])[:, None] * 1e6
    model = fit_logistic(features, features[:, 0] > 0, 1e-8)
    assert np.isfinite(model.weights).all()
    np.testing.assert_array_equal(model.margin(features) > 0, features[:, 0] > 0)


@pytest.mark.parametrize("answer", [True, False])
def test_one_answer_only(answer: bool) -> None:
    """Rows that all say the same teach how common it is, and no more."""
    features, _ = world(1, rows=9)
    model = fit_logistic(features, np.full(9, answer))
    assert not any(model.weights)
    assert model.probability(features) == pytest.approx(np.full(9, 0.95 if answer else 0.05))


def test_halving_from_a_wild_beginning() -> None:
    """A full step from far away would overshoot; halved steps arrive where the rest do."""
    features, yes = world(3, rows=50, width=4)
    design = np.column_stack([(features - features.mean(0)) / features.std(0), np.ones(50)])
    penalties = np.array([0.1, 0.1, 0.1, 0.1, 0])
    near = minimise(design, yes.astype(float), penalties, np.zeros(5))
    far = minimise(design, yes.astype(float), penalties, np.array([30.0, -30, 30, -30, 30]))
    np.testing.assert_allclose(near, far, atol=1e-6)


def test_validation_by_scikit_learn() -> None:
    """Every penalty's loss is that of scikit-learn's models over the same folds, and the least is taken."""
    features, yes = world(5, rows=120)
    folds = stratified(yes.astype(np.int8), 6)
    penalties = (0.1, 10.0, 1000.0)
    losses = validation_losses(features, yes, folds, penalties)
    for penalty, loss in zip(penalties, losses, strict=True):
        total = 0.0
        for fold in range(6):
            pipeline = make_pipeline(StandardScaler(), oracle(penalty)).fit(features[folds != fold], yes[folds != fold])
            foretold = pipeline.predict_proba(features[folds == fold])
            total += log_loss_of(yes[folds == fold], foretold, normalize=False, labels=[False, True])
        assert loss == pytest.approx(total / 120, abs=1e-4)
    assert fit_validated(features, yes, folds, penalties).penalty == penalties[int(np.argmin(losses))]


FIT = """
import msgspec, numpy as np
from karat.engines.learning import classifiers, folds
random = np.random.default_rng(0)
features = random.normal(size=(400, 60))
yes = features[:, 0] + random.normal(size=400) > 0
print(msgspec.json.encode(classifiers.fit_validated(features, yes, folds.stratified(yes, 5), (10.0, 1.0))))
"""


def test_threads_do_not_show() -> None:
    """The same model to the last digit, whether one thread does the linear algebra or two."""
    models = set()
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", FIT], env=environment, capture_output=True, text=True, check=True)
        models.add(done.stdout)
    assert len(models) == 1


def test_refusals() -> None:
    """No penalty, a NaN and a wrong number of features are told, not computed with."""
    features, yes = world(0, rows=20)
    with pytest.raises(ValueError, match="above 0"):
        fit_logistic(features, yes, 0.0)
    with pytest.raises(ValueError, match=r"columns \[2\]"):
        fit_logistic(np.where(np.arange(8) == 2, np.nan, features), yes)
    with pytest.raises(ValueError, match="7 features"):
        fit_logistic(features, yes).scaling.apply(features[:, :7])
