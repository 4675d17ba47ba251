"""What a reader should take away about the size of a test set: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Figures, Line, Lines
from karat.data.result import Finding, Findings, headline
from karat.studies.size.result import Size
from karat.studies.wording import counted_units


def at_hand(result: Size) -> Iterable[Finding]:
    """The smallest difference that the present test set detects."""
    for row in result.detectables:
        way = f"{row.way}-way: " if row.way else ""
        are = "is" if row.units == 1 else "are"
        there = f"{way}{counted_units(row.units, result.unit, result.members)} {are}"
        runs = "between two runs that disagree as much as the median pair does"
        if row.difference == row.difference:
            family = f" Tested among all {result.pairs:,} pairs of runs, with a correction for their number, "
            if row.corrected == row.corrected:
                family += f"it takes a difference of {row.corrected:.3g}."
            else:
                family += "no difference is found that often."
            yield headline(
                f"{there} enough to find a true difference of {row.difference:.3g} with power {result.power:g}, "
                f"{runs}, where these two alone are tested." + family * (result.pairs > 1)
            )
        else:
            yield headline(f"{there} too few to find any difference with power {result.power:g} {runs}.")


def short_of(result: Size) -> Iterable[Finding]:
    """The largest difference asked for that needs more units than there are."""
    for row in result.detectables:
        wanted = [one for one in result.sizes if one.way == row.way and one.units and one.units > row.units]
        if wanted:
            most = max(wanted, key=lambda one: one.difference)
            assert most.units is not None
            way = f"{row.way}-way: a" if row.way else "A"
            yield headline(
                f"{way} true difference of {most.difference:g} takes {result.in_units(most.units)} to be found with "
                f"power {result.power:g}: {most.units / row.units:.1f} times those at hand."
            )


def noise(result: Size) -> Iterable[Finding]:
    """The cost of errors in the key."""
    rows = [row for row in result.sizes if row.noise and row.noise.units and row.units]
    if rows:
        row = max(rows, key=lambda row: row.difference)
        assert row.noise is not None
        noise = row.noise
        wrong = f"With {result.noise:.1%} of the key's labels wrong, a difference of {row.difference:g} looks like"
        seen, which, runs = f"{noise.difference:.4f}", "it", list[str]()
        if noise.favours is not None:
            seen += f" if {noise.better} is the better run, {noise.favoured:.4f} if {noise.favours} is"
            which, runs = "either", [noise.better, noise.favours]
        yield Finding(f"{wrong} {seen}: finding {which} takes {noise.units} units instead of {row.units}.", runs)


def turned(result: Size) -> Iterable[Finding]:
    """Differences that errors in the key hide or reverse."""
    lost = [row for row in result.sizes if row.noise and row.noise.units is None]
    if lost:
        most = max(lost, key=lambda row: row.difference)
        assert most.noise is not None
        favours = most.noise.favours
        if favours:
            why = f"favour {favours} by {most.noise.bias:.4f}: units do not mend that, a better key does"
        else:
            why = "leave nothing of it"
        found = f"No number of units finds a difference of {most.difference:g}"
        yield Finding(f"{found}: the errors in the key {why}.", [favours] if favours else [])


def rule(result: Size) -> Iterable[Finding]:
    """The cost of labelling disagreements UNKNOWN."""
    if result.sample:
        cost = result.sample.rules[-1]
        lost = ", ".join(f"{count:.1f} {label}" for label, count in cost.lost.items() if count)
        left = f"{cost.largest} units of this mix at most"
        yield Finding(f"{cost.rule} would lose {lost or 'no candidate'}, and leave {left}.")


def planning(result: Size) -> Iterable[Chart]:
    """The smallest difference that is detected with the desired power, by the number of units, on a log scale.

    The vertical line is the present number of units, and the mark on it what they detect between two runs alone. The
    horizontal line is the observed lead of the best run: where a curve crosses it, so many units would confirm a true
    difference of this size. The observed lead is itself uncertain, and so is that number.
    """
    for hand, curve in zip(result.detectables, result.curves, strict=True):
        if not curve.points:
            continue
        at = [one.difference for one in curve.points]
        lines = [_line([one.units for one in curve.points], at, "two runs alone")]
        if result.pairs > 1:
            lines.append(_line([one.corrected for one in curve.points], at, f"among all {result.pairs:,} pairs"))
        if result.noise:
            lines.append(_line([one.noisy for one in curve.points], at, "two runs, noisy key"))
        if hand.difference == hand.difference:
            lines.append(Line([float(hand.units)], [hand.difference], f"{hand.difference:.3g} now", "marks"))
        several = len(result.detectables) > 1
        yield Lines(
            name=f"{hand.way}-way" if several else "",
            way=hand.way or "" if several else "",
            title=f"Smallest difference found with power {result.power:g}" + (f", {hand.way}-way" if hand.way else ""),
            lines=tuple(lines),
            axes=(f"{result.unit}s (log scale)", "smallest detectable difference"),
            high=None,
            log=True,
            at=float(hand.units),
            at_name=f"you are here: {hand.units:,} {result.unit}{'s' * (hand.units > 1)}",
            rule=hand.lead or None,
            rule_name=f"observed lead {hand.lead:.3g}" if hand.lead else "",
        )


def _line(units: list[int | None], differences: list[float], name: str) -> Line:
    """Differences by the units they need, without those that no number of units finds."""
    known = [(float(n), one) for n, one in zip(units, differences, strict=True) if n is not None]
    return Line([n for n, _ in known], [one for _, one in known], name)


FINDINGS: Findings = (at_hand, short_of, noise, turned, rule)
FIGURES: Figures = (planning,)
