"""What a reader of sizes should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.size.result import Size


@finding("at-hand", study="size")
def at_hand(result: Size) -> Iterable[str]:
    """What the set can show, and what that leaves open."""
    for row in result.detectables:
        way = f"{row.way}-way: " if row.way else ""
        if row.difference == row.difference:
            yield (
                f"{way}{row.units} units find a difference of {row.difference:.4f} with power {result.power:g} between "
                "two runs that disagree as the median pair does."
            )
        else:
            yield f"{way}{row.units} units find no difference that the runs allow with power {result.power:g}."


@finding("short-of", study="size")
def short_of(result: Size) -> Iterable[str]:
    """The largest difference asked for that the units at hand are too few for."""
    for row in result.detectables:
        wanted = [one for one in result.sizes if one.way == row.way and one.units and one.units > row.units]
        if wanted:
            most = max(wanted, key=lambda one: one.difference)
            assert most.units is not None
            way = f"{row.way}-way: " if row.way else ""
            times = most.units / row.units
            yield f"{way}{most.difference:g} needs {most.units} units, {times:.1f} times those at hand."


@finding("noise", study="size")
def noise(result: Size) -> Iterable[str]:
    """What errors in the key cost."""
    rows = [row for row in result.sizes if row.noise and row.noise.units and row.units]
    if rows:
        row = rows[0]
        assert row.noise is not None
        assert row.noise.units is not None
        yield (
            f"A key with {result.noise:.1%} wrong labels makes {row.difference:g} look like "
            f"{row.noise.difference:.4f}: {row.noise.units} units instead of {row.units}."
        )


@finding("rule", study="size")
def rule(result: Size) -> Iterable[str]:
    """What disagreement → UNKNOWN costs."""
    if result.sample:
        cost = result.sample.rules[-1]
        lost = ", ".join(f"{count:.1f} {label}" for label, count in cost.lost.items() if count)
        yield f"{cost.rule} would lose {lost or 'no candidate'}, and leave {cost.largest} units of this mix at most."
