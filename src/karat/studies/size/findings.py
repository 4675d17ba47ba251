"""What a reader should take away about the size of a test set: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from karat.data.charts import Chart, Figures, Line, Lines, Variant
from karat.data.result import Finding, Findings, headline
from karat.studies.size.result import MOST_CURVES, Detectable, PowerCurve, Size
from karat.studies.wording import counted, counted_units, in_points, listed, noted


def _apart(result: Size, difference: float) -> str:
    return in_points(result.measures[0], difference)


def _power(result: Size) -> str:
    return f"{100 * result.power:.4g}%"


def at_hand(result: Size) -> Iterable[Finding]:
    """The smallest difference that the present test set detects."""
    for row in result.detectables:
        way = f"{row.way}-way: " if row.way else ""
        are = "is" if row.units == 1 else "are"
        there = f"{way}{counted_units(row.units, result.unit, result.members)} {are}"
        alike = "that disagree as much as the median pair"
        if row.difference == row.difference:
            many = f"a correction for all {result.pairs:,} pairs of runs"
            if row.corrected == row.corrected:
                family = f", and one of {_apart(result, row.corrected)} with {many}"
            else:
                family = f", but none with {many}"
            yield headline(
                f"{there} enough to find a true difference of {_apart(result, row.difference)} with {_power(result)} "
                f"power in one planned comparison of two runs {alike}{family * (result.pairs > 1)}."
            )
        else:
            many = f"{there} too few to find any difference with {_power(result)} power"
            yield headline(f"{many} between two runs {alike}.")


def short_of(result: Size) -> Iterable[Finding]:
    """The largest difference asked for that needs more units than there are."""
    for row in result.detectables:
        wanted = [one for one in result.sizes if one.way == row.way and one.units and one.units > row.units]
        if wanted:
            most = max(wanted, key=lambda one: one.difference)
            assert most.units is not None
            way = f"{row.way}-way: finding" if row.way else "Finding"
            yield headline(
                f"{way} a true difference of {_apart(result, most.difference)} with {_power(result)} power takes "
                f"{result.in_units(most.units)}, {most.units / row.units:.1f} times as many as there are."
            )


def noise(result: Size) -> Iterable[Finding]:
    """The cost of errors in the key."""
    rows = [row for row in result.sizes if row.noise and row.noise.units and row.units]
    if rows:
        row = max(rows, key=lambda row: row.difference)
        assert row.noise is not None
        noise = row.noise
        true = _apart(result, row.difference)
        wrong = f"With {result.noise:.1%} of the key's labels wrong, a difference of {true} looks like"
        seen, which, runs = _apart(result, noise.difference), "it", list[str]()
        if noise.favours is not None:
            seen += f" if {noise.better} is the better run, and {_apart(result, noise.favoured)} if {noise.favours} is"
            which, runs = "either", [noise.better, noise.favours]
        yield Finding(f"{wrong} {seen}: finding {which} takes {noise.units:,} units instead of {row.units:,}.", runs)


def turned(result: Size) -> Iterable[Finding]:
    """Differences that errors in the key hide or reverse."""
    lost = [row for row in result.sizes if row.noise and row.noise.units is None]
    if lost:
        most = max(lost, key=lambda row: row.difference)
        assert most.noise is not None
        favours = most.noise.favours
        if favours:
            why = f"favour {favours} by {_apart(result, most.noise.bias)}, which only a better key can remedy"
        else:
            why = "leave nothing of it"
        found = f"No number of units is enough to find a difference of {_apart(result, most.difference)}"
        yield Finding(f"{found}: the errors in the key {why}.", [favours] if favours else [])


def rule(result: Size) -> Iterable[Finding]:
    """The cost of labelling disagreements UNKNOWN."""
    if result.sample:
        cost = result.sample.rules[-1]
        lost = [f"{count:.1f} {label}" for label, count in cost.lost.items() if count]
        candidates = f"{listed(lost)} candidates" if lost else "no candidate"
        left = f"at most {counted(cost.largest, 'unit')} of this mix"
        yield Finding(f"Labelling disagreements UNKNOWN would lose {candidates}, and leave {left}.")


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


FINDINGS: Findings = (at_hand, short_of, noise, turned, rule)
FIGURES: Figures = (power,)
