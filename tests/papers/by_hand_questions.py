"""Figures of questions, series and nuggets once more, in plain arithmetic: nothing of the package."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any


def question_figure(of: str, **given: Any) -> float:
    """One figure from its input."""
    match of:
        case "series":
            weights = (
                (Fraction(67, 100), Fraction(33, 100))
                if given["no_list"] == "literal"
                else (Fraction(2, 3), Fraction(1, 3))
            )
            return float(weights[0] * Fraction(2, 3) + weights[1] * Fraction(2, 5))
        case "zero_medians":
            return given["zero"] / given["units"]
        case "pattern_agreement":
            snippets = [given["pattern"]] * given["right"] + [given["cut"]]
            return sum(bool(re.search(given["pattern"], one)) for one in snippets) / len(snippets)
        case "pearson":
            return _pearson(given["author"], given["other"])
    return float(_nuggets(of, **given))


def _nuggets(
    of: str, vital: int, okay: int, held_vital: int, held_okay: int, length: int, beta: int = 3
) -> Fraction | int:
    assert held_okay <= okay
    recall, allowance = Fraction(held_vital, vital), 100 * (held_vital + held_okay)
    precision = Fraction(1) if length <= allowance else 1 - Fraction(length - allowance, length)
    f = (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)
    found: dict[str, Fraction | int] = {"recall": recall, "allowance": allowance, "precision": precision, "f": f}
    return found[of]


def _pearson(x: list[float], y: list[float]) -> float:
    a, b = sum(x) / len(x), sum(y) / len(y)
    above = sum((one - a) * (other - b) for one, other in zip(x, y, strict=True))
    return above / math.sqrt(sum((one - a) ** 2 for one in x) * sum((other - b) ** 2 for other in y))
