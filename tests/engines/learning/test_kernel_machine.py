"""The kernel machine against its equations solved plainly, and against rows left out in fact."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from karat.engines.learning.classifiers import KERNEL_PENALTIES, WIDTHS, KernelMachine, fit_kernel_machine, fit_logistic


def world(seed: int, rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Answers that depend on the product of two features, and a third that never varies."""
    random = np.random.default_rng(seed)
    features = np.column_stack([random.normal(size=(rows, 2)), np.full(rows, 7.0)])
    return features, features[:, 0] * features[:, 1] + 0.1 * random.normal(size=rows) > 0


def solve(likeness: np.ndarray, targets: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    """Weights and intercept: (K + penalty) w + b = targets, and the weights sum to nothing."""
    size = len(targets)
    system = np.block([[likeness + penalty * np.eye(size), np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
    solution = np.linalg.solve(system, np.append(targets, 0.0))
    return solution[:-1], float(solution[-1])


@pytest.mark.parametrize(("width", "penalty"), [(0.3, 1.0), (1.0, 0.3), (3.0, 10.0)])
def test_by_hand(width: float, penalty: float) -> None:
    """Margins are those of the plain equations, and leave-one-out margins those without the row."""
    features, yes = world(0)
    model, left_out = fit_kernel_machine(features, yes, (width,), (penalty,))
    scaled = (features - features.mean(axis=0))[:, :2] / features.std(axis=0)[:2]
    distances = ((scaled[:, None] - scaled) ** 2).sum(axis=-1)
    likeness, targets = np.exp(-width / 2 * distances), np.where(yes, 1.0, -1.0)
    weights, intercept = solve(likeness, targets, penalty)
    np.testing.assert_allclose(model.margin(features), likeness @ weights + intercept, atol=1e-9)
    for row in range(len(yes)):
        others = np.arange(len(yes)) != row
        weights, intercept = solve(likeness[np.ix_(others, others)], targets[others], penalty)
        assert left_out[row] == pytest.approx(likeness[row, others] @ weights + intercept)
    assert msgspec.json.decode(msgspec.json.encode(model), type=KernelMachine) == model


def test_what_no_plane_parts() -> None:
    """The sign of a product is learnt, and holds on rows not met."""
    seen, unseen = world(1, 200), world(2, 200)
    model, left_out = fit_kernel_machine(*seen)
    assert ((left_out > 0) == seen[1]).mean() > 0.8
    assert ((model.margin(unseen[0]) > 0) == unseen[1]).mean() > 0.8
    assert ((fit_logistic(*seen).margin(unseen[0]) > 0) == unseen[1]).mean() < 0.6


def test_the_least_error_is_taken() -> None:
    """Of all widths and penalties the one whose leave-one-out margins are nearest to the answers."""
    features, yes = world(3)
    targets = np.where(yes, 1.0, -1.0)
    model, left_out = fit_kernel_machine(features, yes)
    alone = {
        (w, p): ((fit_kernel_machine(features, yes, (w,), (p,))[1] - targets) ** 2).sum()
        for w in WIDTHS
        for p in KERNEL_PENALTIES
    }
    best = min(alone, key=lambda choice: alone[choice])
    assert (model.width, model.penalty) == (best[0] / 2, best[1])
    assert ((left_out - targets) ** 2).sum() == pytest.approx(alone[best])


def test_odd_rows() -> None:
    """One answer only is always given; fewer than two rows are refused."""
    features, _ = world(4, 5)
    model, left_out = fit_kernel_machine(features, np.ones(5, dtype=bool))
    assert model.margin(features) == pytest.approx(np.ones(5))
    assert left_out == pytest.approx(np.ones(5))
    with pytest.raises(ValueError, match="two rows"):
        fit_kernel_machine(features[:1], np.ones(1, dtype=bool))
