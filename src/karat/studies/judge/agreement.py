"""Agreement of a judge with people, beside people's own. Each unit counts once, however many people judged it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karat.data.ballots import Ballots
from karat.data.coincidences import Coincidence
from karat.data.result import Estimate
from karat.data.tables import Table
from karat.kernels.arithmetic import divide
from karat.kernels.random import generator
from karat.measures.accuracy import accuracy
from karat.measures.agreement import alpha
from karat.measures.kappa import kappa
from karat.statistics.bootstrap import percentile_interval, replicate
from karat.studies.judge.parts import Pairwise, WithOne

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
COEFFICIENTS = ("observed", "kappa", "alpha")
ADJUDICATES, FEW = 0.8, 10
"""Whoever has so large a share of disputed units, among at least so many, was called where others disagreed."""


def with_people(counts: NDArray[np.int64], judge: Codes) -> Floats:
    """(units, labels, labels): people's ballots, as shares, × the judge's; 0 where either said nothing."""
    shares = np.nan_to_num(divide(counts.astype(np.float64), counts.sum(axis=1, keepdims=True).astype(np.float64)))
    return shares[:, :, None] * np.eye(counts.shape[1] + 1)[judge][:, None, :-1]


def among_people(counts: NDArray[np.int64]) -> Floats:
    """(units, labels, labels): one of a unit's ballots × another of them; 0 where it has fewer than two."""
    pairs = counts[:, :, None] * counts[:, None, :] - np.eye(counts.shape[1], dtype=np.int64) * counts[:, None, :]
    ballots = counts.sum(axis=1)
    return np.nan_to_num(divide(pairs.astype(np.float64), (ballots * (ballots - 1)).astype(np.float64)[:, None, None]))


def coefficients(tables: Floats, labels: Sequence[str]) -> Floats:
    """(…, 3): observed agreement, kappa and alpha of tables (…, labels, labels)."""
    table = Table(tables, tuple(labels), tuple(labels))
    return np.stack([accuracy(table), kappa(table), alpha(Coincidence.of_table(table))], axis=-1)


def estimates(
    each: Floats, labels: Sequence[str], replicates: int, level: float, seed: int, name: str
) -> dict[str, Estimate]:
    """The coefficients of tables a unit (units, labels, labels), with intervals over resampled units."""
    used = each[each.any(axis=(1, 2))]
    values = coefficients(used.sum(axis=0), labels)
    low = high = np.full(len(COEFFICIENTS), np.nan)
    if len(used) > 1:
        flat = used.reshape(len(used), -1)

        def statistic(weights: Floats) -> Floats:
            return coefficients((weights @ flat).reshape(-1, *used.shape[1:]), labels)

        drawn = replicate(statistic, len(used), replicates, generator(seed, "judge", "agreement", name))
        drawn = np.where(np.isnan(drawn).all(axis=0), np.nan_to_num(values), drawn)  # what has no value has no bounds
        low, high = (np.where(np.isnan(values), np.nan, side) for side in percentile_interval(drawn, level))
    return {one: Estimate(float(values[at]), float(low[at]), float(high[at])) for at, one in enumerate(COEFFICIENTS)}


def leave_one_out(people: Ballots) -> list[WithOne]:
    """Each person's ballots against the shares of the others' on the same unit."""
    labels = len(people.scale.values)
    counts = people.counts()[people.unit].astype(np.float64)
    others = counts - np.eye(labels)[people.code]
    total = others.sum(axis=1)
    shares = np.nan_to_num(divide(others, total[:, None]))
    cell = people.assessor.astype(np.int64) * labels + people.code
    size = len(people.assessors)
    sums = [np.bincount(cell, share, minlength=size * labels) for share in shares.T]
    tables = np.stack(sums, axis=-1).reshape(size, labels, labels).astype(np.float64)
    units = np.bincount(people.assessor[total > 0], minlength=size)
    return _rows(people.assessors, units, tables, people.scale.values)


def with_each(people: Ballots, judge: Codes) -> list[WithOne]:
    """The judge against each person, on the units both judged."""
    labels, size = len(people.scale.values), len(people.assessors)
    both = judge[people.unit] >= 0
    columns = (people.assessor, people.code, judge[people.unit])
    assessor, said, judged = (column[both].astype(np.int64) for column in columns)
    cell = (assessor * labels + said) * labels + judged
    tables = np.bincount(cell, minlength=size * labels * labels).reshape(size, labels, labels).astype(np.float64)
    return _rows(people.assessors, np.bincount(assessor, minlength=size), tables, people.scale.values)


def _rows(names: Sequence[str], units: NDArray[np.int64], tables: Floats, labels: tuple[str, ...]) -> list[WithOne]:
    table = Table(tables, labels, labels)
    columns = (units.tolist(), accuracy(table).tolist(), kappa(table).tolist())
    return [WithOne(*row) for row in zip(names, *columns, strict=True)]


def adjudicators(people: Ballots) -> list[str]:
    """People four fifths of whose units are disputed among the others, where few units are."""
    counts = people.counts()[people.unit]
    others = counts - np.eye(counts.shape[1], dtype=np.int64)[people.code]
    split = (others > 0).sum(axis=1) > 1
    size = len(people.assessors)
    judged = np.bincount(people.assessor, minlength=size).astype(np.float64)
    hard = np.bincount(people.assessor[split], minlength=size).astype(np.float64)
    overall = float(((people.counts() > 0).sum(axis=1) > 1).sum() / max(1, (people.counts().sum(axis=1) > 1).sum()))
    chosen = (hard >= ADJUDICATES * judged) & (judged >= FEW) & (overall <= 0.5)
    return [name for name, one in zip(people.assessors, chosen, strict=True) if one]


def pairwise(people: Ballots, fewest: int) -> Pairwise:
    """Observed agreement and Cohen's kappa of every two people with enough units in common, averaged.

    Each pair counts by the units it has in common: two people who met on thirty disputed units are no equal of two
    who judged everything.
    """
    labels, size = len(people.scale.values), len(people.assessors)
    none = Pairwise(0, 0, float("nan"), float("nan"))
    if people.exchangeable or size < 2:
        return none
    said = np.eye(labels + 1)[people.matrix()][..., :labels]
    # (assessor, label) × (assessor, label) in one product: how often each pair of people said each pair of labels.
    flat = said.transpose(0, 2, 1).reshape(size * labels, -1)
    tables = (flat @ flat.T).reshape(size, labels, size, labels).swapaxes(1, 2)[np.triu_indices(size, 1)]
    tables = tables[tables.sum(axis=(1, 2)) >= fewest]
    if not len(tables):
        return none
    table = Table(tables, people.scale.values, people.scale.values)
    common, kappas = tables.sum(axis=(1, 2)), kappa(table)
    known = ~np.isnan(kappas)
    mean = float(np.average(kappas[known], weights=common[known])) if known.any() else float("nan")
    return Pairwise(len(tables), int(common.sum()), float(np.average(accuracy(table), weights=common)), mean)
