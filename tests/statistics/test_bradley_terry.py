"""Bradley and Terry's model against a plain likelihood, statsmodels, a linear programme, and a published example."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from scipy.stats import norm

from karat.errors import UsageError
from karat.statistics.bradley_terry import LEFT, RIGHT, TIE, Residuals, fit, linked

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
AT_HOME = """
 -  4-3 4-2 4-3 6-1 4-2 6-0
3-3  -  4-2 4-3 6-0 6-1 4-3
2-5 4-3  -  2-4 4-3 4-2 6-0
3-3 5-1 2-5  -  4-3 4-2 6-1
5-1 2-5 3-3 4-2  -  5-2 6-0
2-5 3-3 3-4 4-3 4-2  -  2-4
2-5 1-5 1-6 2-4 1-6 3-4  -
"""
"""American League 1987, wins and losses at home (Agresti, Categorical Data Analysis, 2002, table 10.11)."""


def baseball() -> np.ndarray:
    """The games, with the home team on the left."""
    counts = np.zeros((7, 7, 3))
    for home, line in enumerate(AT_HOME.split("\n")[1:-1]):
        for away, cell in enumerate(line.split()):
            if cell != "-":
                counts[home, away, :TIE] = [int(part) for part in cell.split("-")]
    return counts


def drawn(
    seed: int, runs: int = 5, rows: int = 400, tie: float = -0.3, order: float = 0.4
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Left, right and verdict of comparisons that follow the model."""
    random = np.random.default_rng(seed)
    strength = random.normal(0, 0.6, runs)
    left = random.integers(0, runs, rows)
    right = (left + random.integers(1, runs, rows)) % runs
    gap = strength[left] - strength[right] + order
    odds = np.stack([np.exp(gap / 2), np.exp(-gap / 2), np.full(rows, np.exp(tie))])
    limits = np.cumsum(odds / odds.sum(axis=0), axis=0)
    return left, right, (random.random(rows) > limits[:2]).sum(axis=0)


def counted(left: np.ndarray, right: np.ndarray, verdict: np.ndarray, runs: int = 5) -> np.ndarray:
    """Comparisons as counts."""
    counts = np.zeros((runs, runs, 3))
    np.add.at(counts, (left, right, verdict), 1)
    return counts


def plain_likelihood(state: np.ndarray, rows: list[tuple[int, int, int]]) -> float:
    """One row after the other, as Davidson and Beaver (1977) write it: γπ_i : π_j : ν√(π_iπ_j)."""
    *strength, order, tie = state
    total = 0.0
    for one, other, verdict in rows:
        worth = np.exp(strength[one]), np.exp(strength[other])
        odds = np.exp(order) * worth[0], worth[1], np.exp(tie) * np.sqrt(worth[0] * worth[1])
        total -= np.log(odds[verdict] / sum(odds))
    return float(total)


@pytest.mark.parametrize("seed", range(3))
def test_plain_likelihood(seed: int) -> None:
    """The maximum of the likelihood, found by a general optimiser; its tie parameter contains half the order effect."""
    left, right, verdict = drawn(seed, runs=4, rows=150)
    rows = list(zip(left.tolist(), right.tolist(), verdict.tolist(), strict=True))
    found = minimize(plain_likelihood, np.zeros(6), args=(rows,), method="BFGS", options={"gtol": 1e-7})
    ours = fit(counted(left, right, verdict, 4))
    assert ours.strength == pytest.approx(found.x[:4] - found.x[:4].mean(), abs=1e-4)
    assert ours.order == pytest.approx(found.x[4], abs=1e-4)
    assert ours.tie == pytest.approx(found.x[5] - found.x[4] / 2, abs=1e-4)
    assert ours.likelihood == pytest.approx(-found.fun, abs=1e-6)


def test_baseball() -> None:
    """The coefficients that Agresti (2002, 10.6) and R's BradleyTerry2 give, without and with the home advantage."""
    plain, home = fit(baseball(), ordered=False), fit(baseball())
    assert (plain.strength - plain.strength[-1]).round(4).tolist() == [
        1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0,
    ]  # fmt: skip
    assert (home.strength - home.strength[-1]).round(4).tolist() == [
        1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0,
    ]  # fmt: skip
    assert home.order == pytest.approx(0.3023, abs=5e-5)
    # The deviances are 44.05 and 38.64.
    assert 2 * (home.likelihood - plain.likelihood) == pytest.approx(44.05 - 38.64, abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_statsmodels(seed: int) -> None:
    """Without ties it is a logistic regression; both covariances, plain and by cluster, are those of statsmodels."""
    package = pytest.importorskip("statsmodels.api")
    left, right, verdict = drawn(seed, tie=-40)
    rows = np.arange(len(left))
    cluster = np.random.default_rng(seed).integers(0, 60, len(left))
    design = np.zeros((len(left), 6))
    design[rows, left], design[rows, right], design[:, 5] = 1, -1, 1
    model = package.Logit(verdict == LEFT, design[:, 1:])  # the first run is the reference
    ours = fit(counted(left, right, verdict))
    robust = Residuals(ours, left, right, verdict, cluster)
    contrasts = np.eye(6, 7)[1:] - np.eye(1, 7)
    contrasts[-1] = np.eye(7)[5]
    theirs = model.fit(disp=0)
    assert contrasts @ np.append(ours.strength, [ours.order, 0]) == pytest.approx(theirs.params, abs=1e-6)
    assert contrasts @ ours.inverse @ contrasts.T == pytest.approx(theirs.cov_params(), abs=1e-6)
    clustered = model.fit(disp=0, cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False})
    factor = robust.clusters / (robust.clusters - 1)
    assert contrasts @ robust.covariance @ contrasts.T == pytest.approx(factor * clustered.cov_params(), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_information(seed: int) -> None:
    """The inverse is that of the second differences of the likelihood."""
    left, right, verdict = drawn(seed, runs=3, rows=80)
    rows = list(zip(left.tolist(), right.tolist(), verdict.tolist(), strict=True))
    ours = fit(counted(left, right, verdict, 3))
    # Two strengths relative to the third, the order effect with the half of it that is in their tie, and the tie.
    best = np.concatenate([ours.strength, [ours.order, ours.tie + ours.order / 2]])
    steps = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0.5], [0, 0, 0, 0, 1]])
    hessian, size = np.empty((4, 4)), 1e-3
    for (one, a), (other, b) in ((x, y) for x in enumerate(steps) for y in enumerate(steps)):
        values = [
            plain_likelihood(best + size * (s * a + t * b) / 2, rows) for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))
        ]
        hessian[one, other] = (values[0] - values[1] - values[2] + values[3]) / size**2
    contrasts = np.array([[1, 0, -1, 0, 0], [0, 1, -1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])
    assert contrasts @ ours.inverse @ contrasts.T == pytest.approx(np.linalg.inv(hessian), rel=1e-3, abs=1e-4)


def finite(counts: np.ndarray) -> bool:
    """Whether no direction of strengths and tie leaves every observed verdict the likeliest, by linear programmes."""
    size = len(counts)
    rows = []
    for left, right, verdict in np.argwhere(counts):
        half = np.zeros(size + 1)
        half[left], half[right] = 0.5, -0.5
        tie = np.eye(size + 1)[size]
        worth = {LEFT: half, RIGHT: -half, TIE: tie}
        rows += [worth[other] - worth[verdict] for other in worth if other != verdict]
    fixed = [np.eye(size + 1)[0]]  # the first strength is 0
    if not counts[:, :, TIE].any():
        fixed.append(np.eye(size + 1)[size])
        rows = [row for row in rows if not row[size]]
    box = [(-1, 1)] * (size + 1)
    for place in range(size + 1):
        for sign in (1, -1):
            found = linprog(sign * np.eye(size + 1)[place], rows, np.zeros(len(rows)), fixed, np.zeros(len(fixed)), box)
            if found.fun < -1e-7:
                return False
    return True


def test_who_has_a_finite_strength() -> None:
    """All runs are ranked just if the likelihood has a maximum, on random small tables of every density."""
    random = np.random.default_rng(5)
    outcomes = set()
    for _ in range(300):
        size = int(random.integers(2, 5))
        counts = (random.random((size, size, 3)) < random.choice([0.15, 0.3, 0.5])).astype(float)
        counts[:, :, TIE] *= random.random() < 0.7
        counts[np.arange(size), np.arange(size)] = 0
        if not counts.any():
            continue
        ranked = bool(linked(counts).ranked.all())
        assert ranked == finite(counts), counts.tolist()
        outcomes.add(ranked)
    assert outcomes == {True, False}


def test_above_and_below() -> None:
    """One that always wins is above, one that always loses below, and one that was compared with nobody is neither."""
    counts = np.zeros((6, 6, 3))
    for one, other in combinations((1, 2, 3), 2):
        counts[one, other, LEFT], counts[one, other, RIGHT] = 3, 2
    counts[0, 1, LEFT] = counts[4, 3, RIGHT] = 2
    placed = linked(counts)
    assert placed.ranked.tolist() == [False, True, True, True, False, False]
    assert placed.above.tolist() == [True, False, False, False, False, False]
    assert placed.below.tolist() == [False, False, False, False, True, False]


@pytest.mark.parametrize(
    ("verdict", "said"), [(TIE, "every comparison is a tie"), (LEFT, "on the left is preferred in all 20")]
)
def test_nothing_to_rank_by(verdict: int, said: str) -> None:
    """Only ties, or only one side: a sentence instead of numbers."""
    counts = np.zeros((2, 2, 3))
    counts[0, 1, verdict] = counts[1, 0, verdict] = 10
    with pytest.raises(UsageError, match=said):
        fit(counts)


def test_a_prior_keeps_strengths_finite() -> None:
    """A run that won all ten comparisons: the penalised maximum, found by a general optimiser."""
    counts = np.zeros((2, 2, 3))
    counts[0, 1, LEFT] = 10
    ours = fit(counts, ordered=False, prior=1.0)

    def penalised(gap: float) -> float:
        half = np.logaddexp(0, -gap / 2) + np.logaddexp(0, gap / 2)
        return float(10 * np.logaddexp(0, -gap) + half)

    found = minimize(lambda state: penalised(state[0]), [0.0]).x[0]
    assert ours.strength[0] - ours.strength[1] == pytest.approx(found, abs=1e-4)


@pytest.mark.parametrize("neutral", [False, True])
def test_residuals_row_by_row(neutral: bool) -> None:
    """The test of groups of comparisons, with the variance summed over clusters in plain loops."""
    left, right, verdict = drawn(3, runs=4, rows=300)
    random = np.random.default_rng(3)
    cluster, group = random.integers(0, 40, 300), random.integers(0, 3, 300)
    ours = fit(counted(left, right, verdict, 4))
    sign = np.where(random.random(300) < 0.5, 1, -1)
    found = Residuals(ours, left, right, verdict, cluster).tested(np.arange(300), group, sign, 3, neutral)
    halves = {LEFT: 0.5, RIGHT: -0.5, TIE: 0.0}

    def moments(gap: float) -> tuple[float, float, float, float]:
        odds = np.exp([gap / 2, -gap / 2, ours.tie])
        chances = odds / odds.sum()
        mean = (chances[0] - chances[1]) / 2
        return mean, chances[2], (chances[0] + chances[1]) / 4 - mean**2, -mean * chances[2]

    for one in range(3):
        scores, sums = np.zeros((40, 6)), np.zeros(40)
        slope, share, plain, here = np.zeros(6), np.zeros(6), 0.0, group == one
        values = []
        for row in range(300):
            gap = ours.strength[left[row]] - ours.strength[right[row]]
            mean, tie, _, _ = moments(gap + ours.order)
            for place, by in ((left[row], 1), (right[row], -1), (4, 1)):
                scores[cluster[row], place] += by * (halves[verdict[row]] - mean)
            scores[cluster[row], 5] += (verdict[row] == TIE) - tie
            if here[row]:
                mean, _, spread, cross = moments(gap + ours.order * (not neutral))
                values.append(sign[row] * (halves[verdict[row]] - mean))
                plain += spread
                for place, by in ((left[row], 1), (right[row], -1), (4, 1)):
                    share[place] += by * sign[row] * spread
                share[5] += sign[row] * cross
        excess = np.mean(values)
        for row, value in zip(np.flatnonzero(here).tolist(), values, strict=True):
            sums[cluster[row]] += value - excess
        slope = share * np.array([1, 1, 1, 1, not neutral, 1])
        robust = ((sums - scores @ ours.inverse @ slope) ** 2).sum() * 40 / 39
        plain += slope @ ours.inverse @ slope - 2 * slope @ ours.inverse @ share
        z = abs(sum(values)) / np.sqrt(max(robust, plain))
        assert found.excess[one] == pytest.approx(excess)
        assert found.p[one] == pytest.approx(2 * norm.sf(z))


def test_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups in small blocks, and scores that are kept sparse, give what they give at once."""
    left, right, verdict = drawn(4)
    given = fit(counted(left, right, verdict)), left, right, verdict, np.arange(400) // 4
    group = np.random.default_rng(0).integers(0, 11, 400)
    asked = np.arange(400), group, np.ones(400, dtype=np.int64), 11
    whole = Residuals(*given)
    tested = whole.tested(*asked)
    monkeypatch.setattr("karat.statistics.bradley_terry.MOST_CELLS", 20)
    parts = Residuals(*given)
    assert parts.covariance == pytest.approx(whole.covariance)
    for one, other in zip(tested, parts.tested(*asked), strict=True):
        assert other == pytest.approx(one)
