"""Agreement of two assessors from their table, in plain loops."""

from __future__ import annotations

import math

from scipy import stats

from tests.papers.by_hand_counts import Rows, ac1, cells, chance, columns, kappa, rows

Z = 1.959963984540054


def coefficient(table: Rows, name: str, level: str | None, part: str) -> float:
    """A coefficient, its error, or an end of its interval."""
    value = _value(table, name, level)
    if part == "value":
        return value
    if name == "agreement":
        return _wilson(value, sum(rows(table)), part)
    error = _kappa_error(table) if name == "kappa" else _ac1_error(table)
    return {"error": error, "low": value - Z * error, "high": value + Z * error}[part]


def _value(table: Rows, name: str, level: str | None) -> float:
    total, size = sum(rows(table)), len(table)
    observed = sum(table[k][k] for k in range(size)) / total
    pooled = [a + b for a, b in zip(rows(table), columns(table), strict=True)]
    match name:
        case "agreement":
            return observed
        case "kappa":
            return kappa(table)
        case "kappa_linear" | "kappa_quadratic":
            power = 1 if name == "kappa_linear" else 2
            apart = sum(count * abs(i - j) ** power for i, j, count in cells(table)) / total
            down, across = rows(table), columns(table)
            expected = sum(down[i] * across[j] * abs(i - j) ** power for i in range(size) for j in range(size))
            return 1 - apart / (expected / total**2)
        case "pi":
            expected = sum((count / (2 * total)) ** 2 for count in pooled)
            return (observed - expected) / (1 - expected)
        case "alpha":
            return _alpha(table, pooled, level == "ordinal")
        case "ac1":
            return ac1(table)
        case "brennan_prediger":
            return (observed - 1 / size) / (1 - 1 / size)
    raise KeyError(name)


def _alpha(table: Rows, pooled: list[float], ordinal: bool) -> float:
    """Krippendorff 2011: observed over expected disagreement, values paired without themselves."""

    def apart(i: int, j: int) -> float:
        if not ordinal:
            return float(i != j)
        low, high = min(i, j), max(i, j)
        return (sum(pooled[low : high + 1]) - (pooled[i] + pooled[j]) / 2) ** 2

    number, size = sum(pooled), len(pooled)
    observed = sum(2 * count * apart(i, j) for i, j, count in cells(table)) / number
    expected = sum(pooled[i] * pooled[j] * apart(i, j) for i in range(size) for j in range(size))
    return 1 - observed / (expected / (number * (number - 1)))


def _wilson(share: float, total: float, part: str) -> float:
    middle = (share + Z**2 / (2 * total)) / (1 + Z**2 / total)
    half = Z / (1 + Z**2 / total) * math.sqrt(share * (1 - share) / total + Z**2 / (4 * total**2))
    return middle - half if part == "low" else middle + half


def _kappa_error(table: Rows) -> float:
    """Fleiss, Cohen and Everitt 1969, equation 13."""
    total, value, expected = sum(rows(table)), kappa(table), chance(table)
    down, across = ([number / total for number in side] for side in (rows(table), columns(table)))
    same = sum(count / total * (1 - (down[i] + across[i]) * (1 - value)) ** 2 for i, j, count in cells(table) if i == j)
    other = sum(count / total * (across[i] + down[j]) ** 2 for i, j, count in cells(table) if i != j)
    variance = same + (1 - value) ** 2 * other - (value - expected * (1 - value)) ** 2
    return math.sqrt(variance / (total * (1 - expected) ** 2))


def _ac1_error(table: Rows) -> float:
    """Gwet 2008: the spread of what each unit adds, its part in the chance agreement too."""
    total, size, value = sum(rows(table)), len(table), ac1(table)
    shares = [(a + b) / (2 * total) for a, b in zip(rows(table), columns(table), strict=True)]
    expected = sum(share * (1 - share) for share in shares) / (size - 1)
    spread = 0.0
    for i, j, count in cells(table):
        own = ((1 - shares[i]) + (1 - shares[j])) / 2 / (size - 1)
        unit = ((i == j) - expected) / (1 - expected) - 2 * (1 - value) * (own - expected) / (1 - expected)
        spread += count * (unit - value) ** 2
    return math.sqrt(spread / (total * (total - 1)))


def between(table: Rows, name: str) -> float:
    """Tests and bounds of the two margins."""
    size = len(table)
    match name:
        case "kappa_max":
            most = sum(min(pair) for pair in zip(rows(table), columns(table), strict=True)) / sum(rows(table))
            return (most - chance(table)) / (1 - chance(table))
        case "bowker.statistic" | "bowker.p" | "bowker.log10_p" | "bowker.freedom":
            parts = [
                (table[i][j] - table[j][i]) ** 2 / (table[i][j] + table[j][i])
                for i in range(size)
                for j in range(i)
                if table[i][j] + table[j][i]
            ]
            if name == "bowker.freedom":
                return len(parts)
            if name == "bowker.log10_p":
                return float(stats.chi2.logsf(sum(parts), len(parts))) / math.log(10)
            return sum(parts) if name == "bowker.statistic" else float(stats.chi2.sf(sum(parts), len(parts)))
        case "stuart_maxwell.statistic" | "stuart_maxwell.p":
            statistic = _stuart_maxwell(table)
            return statistic if name.endswith("statistic") else float(stats.chi2.sf(statistic, size - 1))
    won, lost = table[0][1], table[1][0]
    exact = float(stats.binomtest(int(won), int(won + lost)).pvalue)
    if name == "mcnemar.exact":
        return exact
    assert name == "mcnemar.mid_p"
    return exact - float(stats.binom.pmf(won, won + lost, 0.5))


def _stuart_maxwell(table: Rows) -> float:
    """d′ S⁻¹ d over all labels but the last, by elimination."""
    size = len(table) - 1
    down, across = rows(table), columns(table)
    apart = [down[k] - across[k] for k in range(size)]
    matrix = [
        [down[i] + across[i] - 2 * table[i][i] if i == j else -(table[i][j] + table[j][i]) for j in range(size)]
        for i in range(size)
    ]
    solved = [[*row, value] for row, value in zip(matrix, apart, strict=True)]
    for pivot in range(size):
        for row in range(size):
            if row != pivot:
                factor = solved[row][pivot] / solved[pivot][pivot]
                solved[row] = [a - factor * b for a, b in zip(solved[row], solved[pivot], strict=True)]
    return sum(apart[k] * solved[k][-1] / solved[k][k] for k in range(size))
