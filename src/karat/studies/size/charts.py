"""Figures of power."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from karat.data.charts import Chart, Figures, Line, Lines, Variant
from karat.studies.drawing import noted
from karat.studies.size.result import MOST_CURVES, Detectable, PowerCurve, Size
from karat.studies.wording import counted


def power(result: Size) -> Iterable[Chart]:
    """The power to detect a difference between two runs by the number of units, one line per difference.

    A line crosses the horizontal rule at the number of units with the desired power; a line that ends below it needs
    more units than are drawn. The single point, if there is one, is the smallest difference that the present number of
    units detects with that power. If the key has errors, each difference has a second line for the noisy key: the
    distance between the two along the rule is the cost of the errors.
    """
    for hand in result.detectables:
        mine = _drawn([curve for curve in result.curves if curve.way == hand.way], hand.difference)
        lines = [_line(curve, bool(result.noise)) for curve in mine]
        if hand.difference == hand.difference:
            lines.append(Line([float(hand.units)], [result.power], _found(result, hand), "marks"))
        yield Lines(
            name=f"{hand.way}-way" if len(result.detectables) > 1 else "",
            title="Power to find a difference" + (f", {hand.way}-way" if hand.way else ""),
            note=noted(f"{hand.way}-way" if hand.way else "", f"{counted(hand.units, result.unit)} at hand"),
            lines=tuple(lines),
            axes=(f"{result.unit}s", "power"),
            rule=result.power,
        )


def _line(curve: PowerCurve, noisy: bool) -> Line:
    units = [float(one.units) for one in curve.points]
    variants = (Variant(units, [one.power for one in curve.points], "noisy key"),) if noisy else ()
    clean = [one.without_errors for one in curve.points]
    return Line(units, clean, f"difference {curve.difference:g}", "line", variants)


def _found(result: Size, hand: Detectable) -> str:
    """The label of the smallest difference that the present number of units detects."""
    noisy = f", {hand.noisy:.3g} noisy" if result.noise and hand.noisy == hand.noisy else ""
    return f"{hand.difference:.3g} with {hand.units:,}{noisy}"


def _drawn(curves: list[PowerCurve], detectable: float) -> list[PowerCurve]:
    """The curves to draw by difference: of many, those nearest to the detectable difference."""
    if detectable > 0:
        curves = sorted(curves, key=lambda curve: abs(log(curve.difference / detectable)))
    return sorted(curves[:MOST_CURVES], key=lambda curve: curve.difference)


FIGURES: Figures = (power,)
