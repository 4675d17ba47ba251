"""Resamples: right size, right mean, and numbers that depend on the purpose alone."""

from __future__ import annotations

from karat.kernels.random import generator, resampled_weights


def test_weights_are_draws_with_replacement() -> None:
    """Weights are whole, sum to the units, and have the mean and variance of draws with replacement."""
    weights = resampled_weights(50, 3000, generator(0, "test"))
    assert (weights.sum(axis=1) == 50).all()
    assert abs(weights.var() - 49 / 50) < 0.03


def test_generator_is_keyed() -> None:
    """The same key gives the same numbers, another purpose others."""
    assert generator(1, "a", 2).integers(1 << 60) == generator(1, "a", 2).integers(1 << 60)
    others = {int(generator(*key).integers(1 << 60)) for key in ((1, "a"), (2, "a"), (1, "b"), (1, "a", 0))}
    assert len(others) == 4
