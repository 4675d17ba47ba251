"""Sizes drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Lines
from karat.studies.base import figure
from karat.studies.size.result import LINES, PowerCurve, Size
from karat.studies.words import counted

FAR = 2
"""Units at hand that are more than so many times what the lines reach to are told, and not drawn."""


@figure("power", study="size")
def power(result: Size) -> Iterable[Chart]:
    """How surely a difference between two runs is found, by the number of units: a line a difference.

    Where a line meets the rule, so many units find the difference with the power that is wanted. The single point is
    what the units at hand find so. With errors in the key, the lines of a noisy key stand beside those of a perfect
    one; the distance between them, along the rule, is what the errors cost.
    """
    for hand in result.detectables:
        mine = {f"{one.difference:g}": one.points for one in _drawn([c for c in result.curves if c.way == hand.way])}
        series = {name: [one.without_errors for one in points] for name, points in mine.items()}
        like = {}
        if result.noise:
            like = {f"{name} noisy key": name for name in mine}
            series |= {noisy: [one.power for one in mine[name]] for noisy, name in like.items()}
        x = {name: [float(one.units) for one in mine[like.get(name, name)]] for name in series}
        last = max((at for line in x.values() for at in line), default=0.0)
        found = hand.difference == hand.difference and hand.units <= FAR * last
        told = f"{hand.difference:.3g} with the {hand.units:,} at hand"
        if result.noise and hand.noisy == hand.noisy:
            told += f", {hand.noisy:.3g} noisy"
        if found:
            series[told], x[told] = [result.power], [float(hand.units)]
        yield Lines(
            name=f"{hand.way}-way" if len(result.detectables) > 1 else "",
            title="Power to find a difference"
            + (f", {hand.way}-way" if hand.way else "")
            + ("" if found else f", {counted(hand.units, result.unit)} at hand"),
            series=series,
            x=x,
            axes=(f"{result.unit}s", "power"),
            scattered=(told,) if found else (),
            like=like,
            rule=result.power,
        )


def _drawn(curves: list[PowerCurve]) -> list[PowerCurve]:
    """The curves to draw, in order: all, or, where they are many, some of all but the smallest difference's."""
    ordered = sorted(curves, key=lambda curve: curve.difference)
    if len(ordered) <= LINES:
        return ordered
    last = len(ordered) - 2
    return [ordered[1 + round(place * last / (LINES - 1))] for place in range(LINES)]
