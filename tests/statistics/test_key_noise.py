"""Errors in the key: the closed forms, the general formula and simulated keys agree."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from karat.statistics.key_noise import (
    confusion_of,
    discordance_of,
    joint_of,
    simulated_means,
    simulated_wins,
    symmetric,
    tilted,
    with_noise,
)

Codes = NDArray[np.int64]


def pilot(labels: int, seed: int = 0) -> tuple[Codes, Codes, Codes]:
    """A key and two runs that are right more often than not."""
    random = np.random.default_rng(seed)
    key = random.integers(0, labels, 4000)
    answers = [np.where(random.random(4000) < p, key, random.integers(0, labels, 4000)) for p in (0.7, 0.6)]
    return key, answers[0], answers[1]


@pytest.mark.parametrize("labels", [2, 3, 5])
def test_joint(labels: int) -> None:
    """Discordance and difference of the joint are those counted unit by unit; pairs without a key do not count."""
    key, one, other = pilot(labels)
    discordance, difference = discordance_of(joint_of(key, one, other, labels))
    assert discordance == pytest.approx(np.mean((one == key) != (other == key)))
    assert difference == pytest.approx(np.mean(one == key) - np.mean(other == key))
    blind = np.where(np.arange(4000) < 100, -1, key)
    assert joint_of(blind, one, other, labels) == pytest.approx(joint_of(key[100:], one[100:], other[100:], labels))


@pytest.mark.parametrize("labels", [2, 3, 5])
@pytest.mark.parametrize("error", [0.0, 0.05, 0.3])
def test_symmetric_errors_in_closed_form(labels: int, error: float) -> None:
    """δ' = δ(1 − eK/(K−1)); ψ' = ψ(1 − e + e/(K−1)) + 2qe/(K−1), q units where both are wrong and differ."""
    joint = joint_of(*pilot(labels), labels)
    key, one, other = np.indices(joint.shape)
    q = joint[(one != key) & (other != key) & (one != other)].sum()
    psi, delta = discordance_of(joint)
    expected = (
        psi * (1 - error + error / (labels - 1)) + 2 * q * error / (labels - 1),
        delta * (1 - error * labels / (labels - 1)),
    )
    assert with_noise(joint, symmetric(error, labels)) == pytest.approx(expected)
    if labels == 2:
        assert expected[0] == pytest.approx(psi)


@pytest.mark.parametrize("labels", [2, 3])
def test_formula_is_what_corrupted_keys_give(labels: int) -> None:
    """Keys corrupted label by label, with an uneven confusion, have the discordance and difference worked out."""
    key, one, other = pilot(labels)
    random = np.random.default_rng(3)
    confusion = random.dirichlet([6.0] + [1.0] * (labels - 1), size=labels)
    confusion = np.stack([np.roll(row, place) for place, row in enumerate(confusion)])
    seen = []
    for _ in range(300):
        draws = random.random(len(key))[:, None]
        noisy = (draws > np.cumsum(confusion[key], axis=1)).sum(axis=1)
        seen.append(discordance_of(joint_of(noisy, one, other, labels)))
    expected = with_noise(joint_of(key, one, other, labels), confusion)
    assert np.mean(seen, axis=0) == pytest.approx(expected, abs=0.002)


def test_simulated_wins_have_the_formula_s_means() -> None:
    """Simulated sets win and lose as often as the formula says."""
    joint = tilted(joint_of(*pilot(3), 3), 0.05)
    confusion = symmetric(0.1, 3)
    won, lost = simulated_wins(joint, confusion, 500, 4000, np.random.default_rng(0))
    discordance, difference = with_noise(joint, confusion)
    assert np.mean(won + lost) / 500 == pytest.approx(discordance, abs=0.002)
    assert np.mean(won - lost) / 500 == pytest.approx(difference, abs=0.002)


@pytest.mark.parametrize("labels", [2, 3])
def test_simulated_wins_are_those_of_units_drawn_one_by_one(labels: int) -> None:
    """Wins and losses vary, together and alone, as when each unit gets its answers and then its noisy label."""
    random = np.random.default_rng(4)
    joint = tilted(joint_of(*pilot(labels), labels), 0.1)
    rows = random.dirichlet([5] + [1] * (labels - 1), labels)
    confusion = np.stack([np.roll(row, place) for place, row in enumerate(rows)])
    drawn = random.choice(joint.size, (4000, 60), p=joint.ravel() / joint.sum())
    key, one, other = np.unravel_index(drawn, joint.shape)
    noisy = (random.random(key.shape)[..., None] > np.cumsum(confusion[key], axis=-1)).sum(axis=-1)
    plain = [((one == noisy) & (other != noisy)).sum(axis=1), ((other == noisy) & (one != noisy)).sum(axis=1)]
    made = simulated_wins(joint, confusion, 60, 4000, random)
    assert np.cov(made) == pytest.approx(np.cov(plain), rel=0.12, abs=0.3)
    for ours, theirs in zip(made, plain, strict=True):
        assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.25)
        assert [np.mean(ours <= at) for at in (5, 10, 15)] == pytest.approx(
            [np.mean(theirs <= at) for at in (5, 10, 15)], abs=0.035
        )


def test_a_run_that_always_wins_alone() -> None:
    """All units go to the one run, and none are left for the other."""
    joint = np.zeros((2, 2, 2))
    joint[0, 0, 1] = 1
    won, lost = simulated_wins(joint, symmetric(0.0, 2), 50, 10, np.random.default_rng(0))
    assert won.tolist() == [50] * 10
    assert lost.tolist() == [0] * 10


@pytest.mark.parametrize("difference", [0.0, 0.02, -0.1, 0.6])
@pytest.mark.parametrize("discordance", [None, 0.2])
def test_tilted(difference: float, discordance: float | None) -> None:
    """The joint keeps its sum, gets the difference, and has the discordance asked for or at least the difference."""
    joint = joint_of(*pilot(3), 3)
    made = tilted(joint, difference, discordance)
    psi, delta = discordance_of(made)
    assert made.sum() == pytest.approx(1)
    assert delta == pytest.approx(difference)
    assert psi == pytest.approx(max(discordance or discordance_of(joint)[0], abs(difference)))


def test_tilted_from_nothing() -> None:
    """Runs that are never right alone can be tilted all the same."""
    joint = np.zeros((3, 3, 3))
    joint[0, 0, 0] = 1
    made = tilted(joint, 0.1)
    assert discordance_of(made) == pytest.approx((0.1, 0.1))
    assert made.sum() == pytest.approx(1)


def test_confusion_of_ballots() -> None:
    """Shares of what assessors said, by the key's label; a label that nobody voted on keeps its own."""
    counts = np.array([[2, 1, 0], [3, 0, 0], [0, 1, 1]])
    made = confusion_of(np.array([0, 0, 1]), counts)
    assert made == pytest.approx(np.array([[5 / 6, 1 / 6, 0], [0, 0.5, 0.5], [0, 0, 1]]))


def test_simulated_means() -> None:
    """Differences drawn from those observed have the mean asked for and the observed variance."""
    observed = np.random.default_rng(0).normal(0.3, 0.2, 200)
    means, variances = simulated_means(observed, 0.05, 400, 3000, np.random.default_rng(1))
    assert means.mean() == pytest.approx(0.05, abs=0.002)
    assert means.std() == pytest.approx(observed.std() / 20, rel=0.05)
    assert variances.mean() == pytest.approx(observed.var(), rel=0.02)
