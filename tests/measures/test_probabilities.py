"""Log loss, Brier score, AUROC and calibration error against scikit-learn and by hand; and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from karat.data.orders import Ranking
from karat.data.responses import Forecasts
from karat.errors import NotApplicable
from karat.measures import auroc, brier, calibration_error, log_loss, measures
from karat.studies.scorer import forecast_interval


def random_forecasts(seed: int, labels: int) -> Forecasts:
    """A run that knows something, sometimes certain of what is wrong."""
    random = np.random.default_rng(seed)
    units = int(random.integers(5, 200))
    shares = random.dirichlet([0.5] * labels, units)
    shares[random.random(units) < 0.1] = np.eye(labels)[0]
    key = np.array([random.choice(labels, p=0.5 * row + 0.5 / labels) for row in shares], dtype=np.int8)
    answers = shares.argmax(axis=1)
    return Forecasts(key, (answers == key).astype(float), shares.max(axis=1), shares)


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_losses_are_scikit_learns(seed: int, labels: int) -> None:
    """Log loss in nats, with the same least probability; Brier's score over all labels, halved for two."""
    stated = random_forecasts(seed, labels)
    assert log_loss(stated) == pytest.approx(metrics.log_loss(stated.key, stated.shares, labels=range(labels)))
    if labels == 2:
        theirs = metrics.brier_score_loss(stated.key == 0, stated.shares[:, 0])
    else:
        theirs = ((stated.shares - np.eye(3)[stated.key]) ** 2).sum(axis=1).mean()
    assert brier(stated) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", range(20))
def test_auroc_is_scikit_learns(seed: int) -> None:
    """With ties; undefined if there is only one kind, where scikit-learn has no number either."""
    random = np.random.default_rng(seed)
    units = int(random.integers(2, 80))
    scores, gains = np.round(random.random(units), 1), (random.random(units) < 0.4).astype(float)
    ours = float(auroc(Ranking.of("entailment", scores, gains).count()))
    if len(set(gains.tolist())) == 1:
        assert np.isnan(ours)
    else:
        assert ours == pytest.approx(metrics.roc_auc_score(gains, scores))


def test_calibration_error_by_hand() -> None:
    """Two tenths: .75 and .75 with one right, .95 with one right: (|1.5 − 1| + |.95 − 1|)/3 = .18333."""
    stated = Forecasts(np.zeros(3, np.int8), np.array([1.0, 0, 1]), np.array([0.75, 0.75, 0.95]))
    assert calibration_error(stated) == pytest.approx(0.55 / 3)
    with pytest.raises(NotApplicable, match="to its answers only"):
        log_loss(stated)


@pytest.mark.parametrize("measure", [log_loss, brier, calibration_error])
def test_weights_are_resamples(measure: object) -> None:
    """A unit that counts twice is two units; leading axes are resamples."""
    stated = random_forecasts(3, 3)
    times = np.random.default_rng(4).integers(0, 3, (4, len(stated.key)))
    weighted = Forecasts(stated.key, stated.right, stated.confidence, stated.stated, times.astype(float))
    rows = [np.repeat(np.arange(len(stated.key)), one) for one in times]
    alone = [
        measure(Forecasts(stated.key[at], stated.right[at], stated.confidence[at], stated.shares[at]))  # type: ignore[operator]
        for at in rows
    ]
    np.testing.assert_allclose(measure(weighted), alone)  # type: ignore[operator]


@pytest.mark.parametrize("name", ["log_loss", "brier"])
@pytest.mark.parametrize("units", [40, 300])
def test_coverage(name: str, units: int) -> None:
    """The 95% interval holds the true mean about 95 times of 100, although losses are skewed."""
    random, bound = np.random.default_rng(units), measures.parse(name)

    def drawn(size: int) -> Forecasts:
        shares = random.dirichlet([1.5, 1, 0.5], size)
        key = (random.random(size)[:, None] > shares.cumsum(axis=1)).sum(axis=1).clip(0, 2).astype(np.int8)
        return Forecasts(key, np.zeros(size), shares.max(axis=1), shares)

    true = float(bound(drawn(400_000)))
    ends = np.array([forecast_interval(bound, drawn(units), 0.95) for _ in range(1500)])
    held = np.mean((ends[:, 0] <= true) & (true <= ends[:, 1]))
    assert 0.925 <= held <= 0.97, held
