"""Corrected rates: formulas against plain arrays, coverage by simulation, the budget, what is undefined."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from karat.statistics.corrected_rates import (
    RateInterval,
    budget,
    human,
    naive,
    power,
    prediction_powered,
    rogan_gladen,
)

SHARE, SENSITIVITY, SPECIFICITY = 0.3, 0.85, 0.9
CELLS = np.array([[0.7 * 0.9, 0.7 * 0.1], [0.3 * 0.15, 0.3 * 0.85]])


def drawn(people: int, alone: int, times: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Counts of random samples: units that people judged, and units that the judge alone did."""
    random = np.random.default_rng(seed)
    both = random.multinomial(people, CELLS.ravel(), times).reshape(times, 2, 2).astype(float)
    return both, random.multinomial(alone, CELLS.sum(axis=0), times).astype(float)


def as_arrays(both: np.ndarray, alone: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The counts as verdicts: people's, the judge's on the same units, and the judge's on the others."""
    cells = [(y, f) for y in (0, 1) for f in (0, 1) for _ in range(int(both[y, f]))]
    y, f = (np.array(side, dtype=float) for side in zip(*cells, strict=True))
    return y, f, np.repeat([0.0, 1.0], alone.astype(int))


@pytest.mark.parametrize("seed", range(5))
def test_prediction_powered_on_arrays(seed: int) -> None:
    """Value and bounds are those of the formulas on arrays of verdicts, with and without tuning."""
    both, alone = (counts[0] for counts in drawn(80, 500, 1, seed))
    y, f, unlabelled = as_arrays(both, alone)
    everything = np.concatenate([f, unlabelled])
    best = np.cov(y, f)[0, 1] / ((1 + len(y) / len(unlabelled)) * everything.var(ddof=1))
    assert float(power(both, alone)) == pytest.approx(best)
    for tuned, weight in ((True, best), (False, 1.0)):
        ours = prediction_powered(both, alone, tuned=tuned)
        assert float(ours.value) == pytest.approx(weight * unlabelled.mean() + (y - weight * f).mean())


def spread(values: np.ndarray, others: np.ndarray, weights: np.ndarray) -> float:
    """The sample's covariance where units count as often as their weights say."""
    total = weights.sum()
    apart = [one - (weights * one).sum() / total for one in (values, others)]
    return float((weights * apart[0] * apart[1]).sum() / (total - 1))


@pytest.mark.parametrize("tuned", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_prediction_powered_with_two_units_more(seed: int, tuned: bool) -> None:
    """The bounds are Wald's after half a unit is added to each kind, worked out on arrays of weighted verdicts."""
    both, alone = (counts[0] for counts in drawn(80, 500, 1, seed))
    y, f, unlabelled = as_arrays(both, alone)
    y, f = np.append(y, [0.0, 0.0, 1.0, 1.0]), np.append(f, [0.0, 1.0, 0.0, 1.0])
    w = np.append(np.ones(80), [0.5] * 4)
    everything, of = np.append(f, unlabelled), np.append(w, np.ones(500))
    weight = spread(y, f, w) / ((1 + 82 / 500) * spread(everything, everything, of)) if tuned else 1.0
    left = y - weight * f
    centre = weight * unlabelled.mean() + (w * left).sum() / 82
    half = 1.959964 * (weight**2 * unlabelled.var(ddof=1) / 500 + spread(left, left, w) / 82) ** 0.5
    ours = prediction_powered(both, alone, tuned=tuned)
    assert (float(ours.low), float(ours.high)) == pytest.approx((centre - half, centre + half), rel=1e-6)


@pytest.mark.parametrize("tuned", [True, False])
def test_a_rare_label_and_a_good_judge(tuned: bool) -> None:
    """Of 60 units six have the label and the judge errs on two: 93.5 % hold the share, without the two units 88 %."""
    random, cells = np.random.default_rng(5), np.array([[0.9 * 0.97, 0.9 * 0.03], [0.1 * 0.05, 0.1 * 0.95]])
    both = random.multinomial(60, cells.ravel(), 10_000).reshape(-1, 2, 2).astype(float)
    alone = random.multinomial(940, cells.sum(axis=0), 10_000).astype(float)
    rate = prediction_powered(both, alone, tuned=tuned)
    there = ~np.isnan(rate.low)
    assert ((rate.low <= 0.1) & (rate.high >= 0.1))[there].mean() >= 0.935


def test_rogan_gladen_by_hand() -> None:
    """Sensitivity 8/10, specificity 27/30, half of 200 seen with the label: (.5 + .9 - 1)/(.8 + .9 - 1)."""
    rate = rogan_gladen(np.array([[27.0, 3.0], [2.0, 8.0]]), np.array([100.0, 100.0]))
    assert float(rate.value) == pytest.approx(0.4 / 0.7)
    assert float(rate.low) < float(rate.value) < float(rate.high)


METHODS: dict[str, Callable[[np.ndarray, np.ndarray], RateInterval]] = {
    "human": lambda both, _: human(both),
    "rogan-gladen": rogan_gladen,
    "ppi": lambda both, alone: prediction_powered(both, alone, tuned=False),
    "ppi++": prediction_powered,
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("people", [60, 200])
def test_coverage(name: str, people: int) -> None:
    """In 20,000 simulated studies the 95 % intervals hold the true share in 93.5 to 97.5 % of them."""
    rate = METHODS[name](*drawn(people, 2000, 20_000, seed=1))
    covered = ((rate.low <= SHARE) & (rate.high >= SHARE)).mean()
    assert 0.935 <= covered <= 0.975, covered


def test_naive_is_confidently_wrong() -> None:
    """The judge's own share, .325 on average, is told with an interval that misses .3 in most studies."""
    rate = naive(*drawn(200, 2000, 5000, seed=2))
    assert float(rate.value.mean()) == pytest.approx(0.325, abs=0.002)
    assert ((rate.low <= SHARE) & (rate.high >= SHARE)).mean() < 0.5


def test_corrections_are_unbiased() -> None:
    """On average each corrected share is the true one."""
    both, alone = drawn(200, 2000, 20_000, seed=3)
    for method in METHODS.values():
        assert float(np.nanmean(method(both, alone).value)) == pytest.approx(SHARE, abs=0.002)


def test_tuning_never_costs() -> None:
    """PPI++ is narrower than people alone and than PPI, on average; with a useless judge it is as people alone."""
    both, alone = drawn(100, 2000, 5000, seed=4)
    widths = {name: float((rate.high - rate.low).mean()) for name, rate in
              ((name, method(both, alone)) for name, method in METHODS.items())}  # fmt: skip
    assert widths["ppi++"] < min(widths["human"], widths["ppi"])
    useless = np.array([[35.0, 35.0], [15.0, 15.0]])
    assert float(power(useless, np.array([500.0, 500.0]))) == 0
    assert float(prediction_powered(useless, np.array([500.0, 500.0])).value) == pytest.approx(0.3)


def test_budget_gives_the_half_width() -> None:
    """With as many labels as the budget says, the half-width is the one wanted, for people alone and with the judge."""
    total, wanted = 5000, 0.03
    alone, together = budget(CELLS * 1e6, wanted, total)
    assert float(alone) == pytest.approx(0.21 * (1.959964 / wanted) ** 2, abs=1)
    assert float(together) < float(alone)
    n = float(together)
    expected = prediction_powered(CELLS * n, CELLS.sum(axis=0) * (total - n))
    assert float(expected.high - expected.low) / 2 == pytest.approx(wanted, rel=0.01)


def test_budget_out_of_reach() -> None:
    """Where the judge judged too few units, no number of labels among them will do."""
    alone, together = budget(CELLS * 1000, 0.01, 500)
    assert float(alone) > 500
    assert np.isnan(together)


def test_undefined() -> None:
    """No unit of one kind, no label among people's, a judge worse than a coin."""
    nothing, some = np.zeros(2), np.array([50.0, 50.0])
    both = np.array([[27.0, 3.0], [2.0, 8.0]])
    assert np.isnan(prediction_powered(both, nothing)).all()
    assert np.isnan(rogan_gladen(both, nothing)).all()
    assert np.isnan(prediction_powered(np.zeros((2, 2)), some)).all()
    assert np.isnan(rogan_gladen(np.array([[27.0, 3.0], [0.0, 0.0]]), some)).all()
    assert np.isnan(rogan_gladen(both[::-1], some)).all()
    assert np.isnan(human(np.zeros((2, 2)))).all()
    assert np.isnan(naive(np.zeros((2, 2)), nothing)).all()


def test_a_label_nobody_gave() -> None:
    """Where people gave a label to none of their units, nothing is claimed of its share, and nothing budgeted."""
    both = np.array([[39.0, 1.0], [0.0, 0.0]])
    rate = prediction_powered(both, np.array([80.0, 1.0]))
    assert np.isnan([rate.value, rate.low, rate.high]).all()
    assert np.isnan(budget(both, 0.05, 120.0)).all()
