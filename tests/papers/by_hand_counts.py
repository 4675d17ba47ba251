"""Measures of a table of counts in plain loops."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from statistics import NormalDist, stdev

from scipy import stats

Rows = Sequence[Sequence[float]]
Cells = list[tuple[int, int, float]]


def cells(table: Rows) -> Cells:
    """(row, column, count) of every cell that holds something."""
    return [(i, j, count) for i, row in enumerate(table) for j, count in enumerate(row) if count]


def rows(table: Rows) -> list[float]:
    """The sums of the rows."""
    return [sum(row) for row in table]


def columns(table: Rows) -> list[float]:
    """The sums of the columns."""
    return [sum(column) for column in zip(*table, strict=True)]


def entropy(numbers: Sequence[float]) -> float:
    """In bits."""
    total = sum(numbers)
    return -sum(number / total * math.log2(number / total) for number in numbers if number)


def information(table: Rows) -> float:
    """Σ p log₂ p/(p p), cell by cell."""
    total, down, across = sum(rows(table)), rows(table), columns(table)
    return sum(count / total * math.log2(count * total / (down[i] * across[j])) for i, j, count in cells(table))


def kappa(table: Rows) -> float:
    """Cohen's."""
    total = sum(rows(table))
    observed = sum(table[k][k] for k in range(len(table))) / total
    return (observed - chance(table)) / (1 - chance(table))


def chance(table: Rows) -> float:
    """Agreement of two that say their labels independently."""
    total = sum(rows(table))
    return sum(a * b for a, b in zip(rows(table), columns(table), strict=True)) / total**2


def ac1(table: Rows) -> float:
    """Gwet's."""
    total, size = sum(rows(table)), len(table)
    shares = [(a + b) / (2 * total) for a, b in zip(rows(table), columns(table), strict=True)]
    by_chance = sum(share * (1 - share) for share in shares) / (size - 1)
    return (sum(table[k][k] for k in range(size)) / total - by_chance) / (1 - by_chance)


STATISTICS: dict[str, Callable[[Rows], float]] = {"information": information, "kappa": kappa, "ac1": ac1}


def without(table: Rows, i: int, j: int) -> Rows:
    """The table with one unit less."""
    return [[count - (a == i and b == j) for b, count in enumerate(row)] for a, row in enumerate(table)]


def jackknife(table: Rows, statistic: Callable[[Rows], float]) -> tuple[float, float]:
    """The bias-corrected value and the error, from leaving out each unit once; units of one cell are alike."""
    total = sum(rows(table))
    values = [(statistic(without(table, i, j)), count) for i, j, count in cells(table)]
    mean = sum(value * count for value, count in values) / total
    spread = sum(count * (value - mean) ** 2 for value, count in values)
    return total * statistic(table) - (total - 1) * mean, math.sqrt((total - 1) / total * spread)


def delta_error(table: Rows) -> float:
    """The delta method for information: the deviation of log₂ p/(p p) over √n."""
    total, down, across = sum(rows(table)), rows(table), columns(table)
    logs = [(math.log2(count * total / (down[i] * across[j])), count / total) for i, j, count in cells(table)]
    mean = sum(log * share for log, share in logs)
    return math.sqrt(sum(share * (log - mean) ** 2 for log, share in logs) / total)


def resampled(table: Rows, statistic: Callable[[Rows], float], replicates: int = 3000) -> list[float]:
    """The statistic on tables of as many units drawn with replacement."""
    total, filled = round(sum(rows(table))), cells(table)
    drawn = stats.multinomial(total, [count / total for *_, count in filled]).rvs(replicates, random_state=1)
    values = []
    for counts in drawn.tolist():
        made = [[0.0] * len(row) for row in table]
        for (i, j, _), count in zip(filled, counts, strict=True):
            made[i][j] = count
        values.append(statistic(made))
    return values


def bca(table: Rows, statistic: Callable[[Rows], float], part: str) -> float:
    """Efron's interval: the quantile moved by the bias of the resamples and the skewness of the jackknife."""
    values, total, normal = sorted(resampled(table, statistic, 20_000)), sum(rows(table)), NormalDist()
    bias = normal.inv_cdf(sum(value < statistic(table) for value in values) / len(values))
    left = [(statistic(without(table, i, j)), count) for i, j, count in cells(table)]
    mean = sum(value * count for value, count in left) / total
    cubes, squares = (sum(count * (mean - value) ** power for value, count in left) for power in (3, 2))
    z = bias + normal.inv_cdf(0.025 if part == "low" else 0.975)
    share = normal.cdf(bias + z / (1 - cubes / (6 * squares**1.5) * z))
    return values[round(share * (len(values) - 1))]


def permuted_information(table: Rows) -> float:
    """The expectation where rows and columns have nothing to do with each other: each cell is hypergeometric."""
    total = round(sum(rows(table)))
    expected = 0.0
    for a in map(round, rows(table)):
        for b in map(round, columns(table)):
            held = stats.hypergeom(total, a, b)
            low, high = (max(1, int(held.ppf(1e-13))), int(held.isf(1e-13)))
            for count, share in zip(range(low, high + 1), held.pmf(range(low, high + 1)), strict=True):
                expected += share * count / total * math.log2(count * total / (a * b))
    return expected


def chi_square(table: Rows) -> float:
    """Pearson's."""
    total, down, across = sum(rows(table)), rows(table), columns(table)
    expected = [[a * b / total for b in across] for a in down]
    return sum(
        (count - expected[i][j]) ** 2 / expected[i][j] for i, row in enumerate(table) for j, count in enumerate(row)
    )


def measured(table: Rows, spelling: str, part: str) -> float:
    """A measure of the table by its name."""
    name, arguments = re.fullmatch(r"(\w+)(?:\((.*)\))?", spelling).groups()
    total, down, across = sum(rows(table)), rows(table), columns(table)
    names = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION") if len(table[0]) == 3 else ("ENTAILMENT", "NO_ENTAILMENT")
    label = next((place for place, one in enumerate(names) if arguments and arguments.split(",")[0] == one), None)
    size = len(table)
    right = [table[k][k] for k in range(min(size, len(table[0])))]
    if name == "bca":
        return bca(table, STATISTICS[arguments], part)
    if part != "value":
        return delta_error(table) if name == "information" else math.nan
    match name:
        case "accuracy":
            return sum(right) / total
        case "rescaled_accuracy":
            return (size * sum(right) / total - 1) / (size - 1)
        case "mean_recall":
            return sum(right[k] / down[k] for k in range(size)) / size
        case "shifted_accuracy":
            mix = [1 / size] * size if "uniform" in arguments else list(map(float, re.findall(r"[\d.]+", arguments)))
            return sum(share * right[k] / down[k] for k, share in enumerate(mix))
        case "precision":
            assert label is not None
            return right[label] / across[label]
        case "recall":
            assert label is not None
            return right[label] / down[label]
        case "f":
            assert label is not None
            weight = eval_fraction(arguments.split(",")[1])
            precision, recall = right[label] / across[label], right[label] / down[label]
            return (1 + weight) * precision * recall / (weight * precision + recall)
        case "decided_f":
            kept = [0, 2] if "reading=decided" in arguments else [0, 1, 2]
            hit = right[0] + right[2]
            precision = hit / sum(table[k][0] + table[k][2] for k in kept)
            recall = hit / (down[0] + down[2])
            return (4 / 3) * precision * recall / (precision / 3 + recall)
        case "kappa":
            return kappa(table)
        case "chance":
            return chance(table)
        case "entropy_key":
            return entropy(down)
        case "entropy_response":
            return entropy(across)
        case "joint_entropy":
            return entropy([count for _, _, count in cells(table)])
        case "conditional_entropy":
            if label is not None:
                return entropy([row[label] for row in table])
            return sum(across[j] / total * entropy([row[j] for row in table]) for j in range(len(across)) if across[j])
        case "information":
            return information(table)
        case "information_corrected":
            filled = len(cells(table)) - sum(map(bool, down)) - sum(map(bool, across)) + 1
            return information(table) - filled / (2 * math.log(2) * total)
        case "information_jackknife":
            return jackknife(table, information)[0]
        case "information_permuted":
            return permuted_information(table)
        case "normalized_information":
            return information(table) / entropy(down)
        case "g":
            expected = [[a * b / total for b in across] for a in down]
            return 2 * sum(count * math.log(count / expected[i][j]) for i, j, count in cells(table))
        case "chi_square":
            return chi_square(table)
        case "jackknife_error":
            return jackknife(table, STATISTICS[arguments])[1]
        case "bootstrap_error":
            return stdev(resampled(table, STATISTICS[arguments]))
    raise KeyError(spelling)


def eval_fraction(text: str) -> float:
    """1/3 as a number."""
    above, _, below = text.strip().partition("/")
    return float(above) / float(below or 1)
