"""Dawid–Skene: a twin in loops, planted assessors, what the prior is for."""

from __future__ import annotations

import numpy as np
import pytest

from karat.statistics.dawid_skene import Fitted, dawid_skene

Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


def planted(units: int, skills: list[float], seed: int) -> tuple[np.ndarray, Columns]:
    """True labels of three kinds, and ballots of assessors who are right so often."""
    random = np.random.default_rng(seed)
    truth = random.choice(3, units, p=[0.5, 0.3, 0.2])
    rows = []
    for person, skill in enumerate(skills):
        right = random.random(units) < skill
        said = np.where(right, truth, (truth + random.integers(1, 3, units)) % 3)
        rows.append((np.arange(units), np.full(units, person), said))
    unit, assessor, code = (np.concatenate(column).astype(np.int32) for column in zip(*rows, strict=True))
    return truth, (unit, assessor, code)


def in_loops(ballots: list[tuple[int, int, int]], shape: tuple[int, int, int], rounds: int) -> list[list[float]]:
    """The posterior after so many rounds, one ballot at a time."""
    units, assessors, labels = shape
    posterior = [[0.0] * labels for _ in range(units)]
    for unit, _, code in ballots:
        posterior[unit][code] += 1 / sum(u == unit for u, _, _ in ballots)
    for _ in range(rounds):
        shares = [(sum(row[g] for row in posterior) + 1) / (units + labels) for g in range(labels)]
        confusion = [[[1.0 + (g == c) for c in range(labels)] for g in range(labels)] for _ in range(assessors)]
        for unit, assessor, code in ballots:
            for g in range(labels):
                confusion[assessor][g][code] += posterior[unit][g]
        for table in confusion:
            for row in table:
                total = sum(row)
                row[:] = [value / total for value in row]
        for unit in range(units):
            row = shares[:]
            for u, assessor, code in ballots:
                if u == unit:
                    row = [value * confusion[assessor][g][code] for g, value in enumerate(row)]
            posterior[unit] = [value / sum(row) for value in row]
    return posterior


def test_against_loops() -> None:
    """Seven rounds in arrays are seven rounds in loops."""
    truth, columns = planted(25, [0.9, 0.6, 0.8, 0.5], seed=1)
    shape = (len(truth), 4, 3)
    ballots = list(zip(*(column.tolist() for column in columns), strict=True))
    ours = dawid_skene(*columns, shape, rounds=7)
    np.testing.assert_allclose(ours.posterior, in_loops(ballots, shape, 7), atol=1e-12)


def fitted(units: int = 600, seed: int = 2) -> tuple[np.ndarray, Fitted, Columns]:
    """Two good assessors among six who mostly guess."""
    truth, columns = planted(units, [0.95, 0.9, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4], seed)
    return truth, dawid_skene(*columns, (units, 8, 3)), columns


def test_weighs_assessors() -> None:
    """Where guessers outvote the good, the model is right far more often than the majority."""
    truth, model, columns = fitted()
    counts = np.zeros((600, 3))
    np.add.at(counts, (columns[0], columns[2]), 1)
    majority = (counts.argmax(axis=1) == truth).mean()
    assert (model.posterior.argmax(axis=1) == truth).mean() > majority + 0.1


def test_recovers_what_was_planted() -> None:
    """The diagonals of the confusions are the skills, and the shares the labels'."""
    truth, model, _ = fitted(4000)
    skills = np.diagonal(model.confusions, axis1=1, axis2=2).mean(axis=1)
    np.testing.assert_allclose(skills, [0.95, 0.9, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4], atol=0.04)
    np.testing.assert_allclose(model.shares, np.bincount(truth) / 4000, atol=0.03)


def test_objective_never_falls() -> None:
    """Every round fits at least as well as the one before, and it ends."""
    _, model, _ = fitted()
    assert model.converged
    assert (np.diff(model.objective) > -1e-8).all()


def test_prior_keeps_the_rare_assessor_from_certainty() -> None:
    """One ballot does not make an assessor perfect: his confusions stay close to the prior's."""
    _, columns = planted(50, [0.9, 0.9, 0.9], seed=3)
    unit, assessor, code = (np.append(old, new).astype(np.int32) for old, new in zip(columns, (0, 3, 0), strict=True))
    model = dawid_skene(unit, assessor, code, (50, 4, 3))
    assert model.confusions[3].max() < 0.7
    assert np.isfinite(model.posterior).all()


def test_units_without_ballots() -> None:
    """They have no posterior, and change nothing for the others."""
    _, columns = planted(30, [0.9, 0.8, 0.7], seed=4)
    alone, more = (dawid_skene(*columns, (units, 3, 3)) for units in (30, 32))
    assert np.isnan(more.posterior[30:]).all()
    np.testing.assert_allclose(more.posterior[:30], alone.posterior)
    assert more.shares.sum() == pytest.approx(1)
