"""Charts on a scale: the range that is needed, round numbers for ticks, how numbers and names are written beside it.

Names are printable, not too long, and different if they were different.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count
from math import ceil, floor, isfinite, log10
from statistics import median
from typing import Any, TypeVar

from karat.arrays import DISPLAY_TOLERANCE
from karat.data import fields
from karat.data.charts import Bars, Boxes, Chart, Dots, Heat, Interval, Line, Lines, Panels, Points, Series, Trace
from karat.errors import spelled_out
from karat.render.near import in_sight

MOST_TICKS = 5
NARROW = 0.5
"""Dots that take up at most this share of their scale are drawn on a part of it, or they would all coincide."""
OUT_OF_SIGHT = 0.1
"""At most this share of the intervals may extend out of sight on either side, …"""
TIMES_THE_ROOM = 1.5
"""… if all of them together would need this many times the room of the others."""
POWERS_OF_TEN_FROM = 1e9
"""Integers from here on are written with a power of ten."""
SMALLEST_RANGE = 1e-300
"""A smaller range cannot be divided, so its values are drawn as one."""
COUNTED = re.compile(r"(?P<name>\S+)(?P<count> \(n [\d,]+\))$")
"""An identifier with its number of units."""
LONGEST_NAME = 32
"""The longest name beside a scale."""
LARGE = 10
"""Of numbers that are mostly so large, such as points, one decimal is enough."""
FEWEST_SPARED = 4
"""A beginning or ending with fewer letters and digits is shown, though all long names share it."""
KEPT_AROUND = 3, 7
"""How many characters are kept before and after the place where two long names begin to differ."""
MOST_COLUMNS = 16
"""The most lines side by side; more would not help anybody."""
C = TypeVar("C", bound=Chart)
T = TypeVar("T", bound=Trace)
Joined = list[tuple[int, list[int]]]
"""A column, and the rows that the line in it joins, from the top."""


def in_unit(chart: C) -> C:
    """The chart with its numbers in their unit, which its axis names."""
    if isinstance(chart, Panels):
        return replace(chart, panels=tuple(map(in_unit, chart.panels)))
    if not chart.unit:
        return chart
    times = (name for name in ("low", "high", "rule") if getattr(chart, name, None) is not None)
    made: dict[str, Any] = {"unit": "", **{name: 100 * getattr(chart, name) for name in times}}
    if isinstance(chart, Dots):
        made["series"] = tuple(Series(one.name, [100 * value for value in one.values]) for one in chart.series)
        made["intervals"] = tuple(Interval(100 * one.low, 100 * one.high) for one in chart.intervals)
        made["axis"] = f"{chart.axis} ({chart.unit})"
    elif isinstance(chart, Points):
        made["points"] = tuple(one._replace(y=100 * one.y) for one in chart.points)
        made["axes"] = (chart.axes[0], f"{chart.axes[1]} ({chart.unit})")
    elif isinstance(chart, Bars):
        made["series"] = tuple(Series(one.name, [100 * value for value in one.values]) for one in chart.series)
        made["axes"] = (chart.axes[0], f"{chart.axes[1]} ({chart.unit})")
    elif isinstance(chart, Lines):
        x, y = chart.axes
        made["lines"] = tuple(_line_in_unit(line, 100 if chart.x_unit else 1) for line in chart.lines)
        made["axes"] = (f"{x} ({chart.x_unit})" if chart.x_unit else x, f"{y} ({chart.unit})")
        made["x_unit"] = ""
    else:
        raise TypeError(f"no unit for {type(chart).__name__}")
    return replace(chart, **made)


def _line_in_unit(line: Line, across: int) -> Line:
    def scaled(trace: T) -> T:
        return replace(trace, x=[across * one for one in trace.x], y=[100 * one for one in trace.y])

    return replace(scaled(line), variants=tuple(map(scaled, line.variants)))


def step_of(low: float, high: float, whole: bool = False, most: int = MOST_TICKS) -> float:
    """1, 2 or 5 times a power of ten, so that there are at most about five steps from low to high."""
    raw = (high - low) / most
    power = 10.0 ** floor(log10(raw))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= raw * (1 - DISPLAY_TOLERANCE))
    return max(step, 1.0) if whole else step


def ticks(low: float, high: float, whole: bool = False, most: int = MOST_TICKS) -> list[tuple[float, str]]:
    """The round numbers between two others, and how they are written; `whole` if only integers make sense.

    A scale in integer steps that starts at 1, as for ranks, has a tick there too.
    """
    low, high = sorted((low, high))
    step = step_of(low, high, whole, most)
    first, last = ceil(low / step - DISPLAY_TOLERANCE), floor(high / step + DISPLAY_TOLERANCE)
    digits = max(0, -floor(log10(step) + DISPLAY_TOLERANCE))
    marked = [(place * step, f"{place * step:,.{digits}f}".replace("-", "−")) for place in range(first, last + 1)]
    return [(1.0, "1"), *marked] if low == 1 and step > 1 else marked


def log_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """1, 2 and 5 times every power of ten between two positive numbers, or the powers alone if these are many."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    times = (1, 2, 5) if log10(high / low) < MOST_TICKS / 2 else (1,)
    marked = [one * 10.0**power for power in powers for one in times]
    return [(value, written(value)) for value in marked if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def spaced(marked: list[tuple[float, str]], width: float, wide: Callable[[str], float]) -> list[tuple[float, str]]:
    """As many evenly spaced ticks as their numbers leave room for."""
    room = max((wide(text) + 6 for _, text in marked), default=0.0)
    return marked[:: max(1, ceil(room * len(marked) / width))] if width else marked


def roomy(
    low: float, high: float, width: float, wide: Callable[[str], float], whole: bool = False
) -> list[tuple[float, str]]:
    """As many round numbers as there is room for: 0, 50 and 100 where 0, 20, 40 and so on do not fit."""
    for most in range(MOST_TICKS, 0, -1):
        marked = ticks(low, high, whole, most)
        if spaced(marked, width, wide) == marked:
            return marked
    return spaced(ticks(low, high, whole), width, wide)


def rounded(low: float, high: float) -> tuple[float, float]:
    """The round numbers just outside two others."""
    step = step_of(low, high)
    ends = floor(low / step + DISPLAY_TOLERANCE) * step, ceil(high / step - DISPLAY_TOLERANCE) * step
    return float(f"{ends[0]:.12g}"), float(f"{ends[1]:.12g}")


def apart(low: float, high: float) -> tuple[float, float]:
    """Two different ends; a single value is put in the middle of its scale."""
    return (low, high) if low != high else (low - 0.5, high + 0.5)


def scale_of(values: Iterable[float], low: float | None, high: float | None) -> tuple[float, float]:
    """The ends of a scale: those given, or round numbers if none are given or values lie beyond them.

    A reversed scale, as for ranks, keeps the ends given.
    """
    if low is not None and high is not None and low > high:
        return low, high
    known = [value for value in values if isfinite(value)] or [0.0]
    least = min(known) if low is None or min(known) < low else low
    most = max(known) if high is None or max(known) > high else high
    if most - least < SMALLEST_RANGE:
        return apart(least, least)
    first, last = rounded(least, most)
    return low if least == low else first, high if most == high else last


def needed(values: Iterable[float], low: float, high: float) -> tuple[float, float]:
    """The range on which values are drawn: their scale, or the part of it that they take up.

    If low is the larger end, the scale is reversed, and so is the part of it.
    """
    known = [value for value in values if isfinite(value)]
    span = max(known) - min(known) if known else 0.0
    least, most = sorted(apart(low, high))
    if 0 < span <= NARROW * (most - least):
        ends = rounded(min(known), max(known))
        least, most = max(ends[0], min(least, min(known))), min(ends[1], max(most, max(known)))
    return (most, least) if low > high else (least, most)


def dot_range(chart: Dots) -> tuple[float, float]:
    """The range on which dots are drawn; marks and the rule are always in sight."""
    return _range_of([chart])


def panel_range(chart: Panels) -> tuple[float, float]:
    """The range that all panels have in common."""
    return _range_of(chart.panels)


def _range_of(charts: Sequence[Dots]) -> tuple[float, float]:
    """The range on which the dots of some charts are drawn, whose scale is that of the first."""
    charts = [in_sight(chart) for chart in charts]
    low, high = charts[0].low, charts[0].high
    marks = [value for chart in charts for one in chart.series for value in one.values if isfinite(value)]
    marks += [chart.rule for chart in charts if chart.rule is not None]
    lows = [interval.low for chart in charts for interval in chart.intervals if isfinite(interval.low)]
    highs = [interval.high for chart in charts for interval in chart.intervals if isfinite(interval.high)]
    if low is None and high is None:
        least, most = _most_need(marks, lows, highs)
    else:
        least, most = lows, highs
    shown = [*marks, *least, *most]
    return needed(shown, *scale_of(shown, low, high))


def _most_need(marks: list[float], lows: list[float], highs: list[float]) -> tuple[list[float], list[float]]:
    """The ends of intervals, without the few so distant that all others would be squeezed."""
    out = ceil(OUT_OF_SIGHT * len(lows)) if len(lows) > 2 else 0
    least, most = sorted(lows)[out:], sorted(highs)[: len(highs) - out]
    if not out or not least or not most:
        return lows, highs
    first, last = min(*least, *marks, least[0]), max(*most, *marks, most[-1])
    room = TIMES_THE_ROOM * (last - first)
    return least if first - min(lows) > room else lows, most if max(highs) - last > room else highs


def line_scale(chart: Lines) -> tuple[float, float]:
    """The lower and upper end of the vertical axis: from 0, unless all values are far from it."""
    heights = [y for _, trace in chart.told for _, y in trace.points if isfinite(y)]
    close = bool(heights) and min(heights) > NARROW * max(heights)
    low = 0.0 if chart.low is None and not close and min(heights, default=0.0) >= 0 else chart.low
    return scale_of(heights, low, chart.high)


def box_scale(chart: Boxes) -> tuple[float, float]:
    """The range on which boxes are drawn."""
    return scale_of((value for box in (*chart.boxes, *chart.outside) for value in box), chart.low, chart.high)


def bar_height(chart: Bars) -> float:
    """The value of a bar that fills the height of its panel."""
    return scale_of((0.0, *(value for one in chart.series for value in one.values)), 0.0, chart.high)[1]


def heat_scale(chart: Heat) -> tuple[float, float]:
    """The values of the faintest and the strongest cell; if some are negative, of the strongest on either side."""
    values = [0.0, *(value for one in chart.series for value in one.values)]
    return scale_of(values if chart.low is None else values[1:] or [0.0], chart.low, chart.high)


def point_scales(chart: Points) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ends of both axes: y as the chart says, or a part of it; x with room beyond its last point."""
    across = [point.x for point in chart.placed] or [0.0, 1.0]
    up = [point.y for point in chart.placed]
    first, last = rounded(*needed(across, *apart(min(0.0, *across), max(0.0, *across))))
    if max(across) > first + 0.95 * (last - first):
        last += step_of(first, last)
    return (first, last), needed(up, *scale_of(up, chart.low, chart.high))


def fitted(chart: Dots) -> str:
    """A note beside an axis that shows only a part of the chart's scale; otherwise empty."""
    low, high = dot_range(chart)
    if chart.low is None or chart.high is None or abs(high - low) >= abs(chart.high - chart.low):
        return ""
    out = "; ◀ is below it" * any(value < min(low, high) for one in chart.series for value in one.values)
    ends = [written(end) for end in (low, high, chart.low, chart.high)]
    return "truncated axis: {} to {} (of {} to {})".format(*ends) + out


def written(value: float) -> str:
    """A number at the end of an axis: without decimals if it is an integer, and not too long."""
    whole = abs(value) < POWERS_OF_TEN_FROM and value == round(value)
    return (f"{value:,.0f}" if whole else f"{value:,.4g}").replace("-", "−")


def cut(name: str, longest: int = LONGEST_NAME) -> str:
    """A long name without its middle, in whole words if one ends near there."""
    if len(name) <= longest:
        return name
    if counted := COUNTED.match(name):
        kept = counted["name"][len(name) - longest + 1 :]
        # What comes last in an identifier says most; in whole words, if one begins there.
        if kept:
            return f"…{re.sub(r'^[^:-]*[:-]', '', kept) or kept}{counted['count']}"
    half = longest // 2 - 1
    start, end = name[:half], name[-half:]
    near = half // 2
    last = max((at + 1 for at, sign in enumerate(start) if not sign.isalnum()), default=0)
    first = next((at for at, sign in enumerate(end) if not sign.isalnum()), half)
    return f"{start[:last] if last > near else start}…{end[first:] if first < near else end}"


def shortened(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """The names of a chart, none longer than `longest`, and still all different.

    Several long names lose the beginning and ending that they share; one that is still long loses its middle. Those
    that this makes equal keep the places where they differ; finally they are numbered.
    """
    distinct = list(dict.fromkeys(map(spelled_out, names)))
    several = sum(len(name) > longest for name in distinct) > 1
    bare = _without_ends(distinct, longest) if several else {name: name for name in distinct}
    made = {name: cut(bare[name], longest) for name in distinct}
    _resolve(made, lambda alike: _distinguishing([bare[name] for name in alike], longest))
    _resolve(made, lambda alike: _numbered(alike, set(made.values()), longest))
    return [made[spelled_out(name)] for name in names]


def _clashes(made: dict[str, str]) -> list[list[str]]:
    """Groups of names that would be shown alike."""
    by_look: dict[str, list[str]] = {}
    for name, look in made.items():
        by_look.setdefault(look, []).append(name)
    return [alike for alike in by_look.values() if len(alike) > 1]


def _resolve(made: dict[str, str], looks: Callable[[list[str]], list[str]]) -> None:
    for alike in _clashes(made):
        made.update(zip(alike, looks(alike), strict=True))


def _without_ends(names: list[str], longest: int) -> dict[str, str]:
    """Names without the beginning and ending shared by the long ones, if they have these."""
    long = [name for name in names if len(name) > longest]
    begin = _shared(long, names)
    end = _shared([name[::-1] for name in long], [name[::-1] for name in names])[::-1]
    # A bracket alone, or `_DE`, is not worth an ellipsis.
    begin, end = (part if sum(map(str.isalnum, part)) >= FEWEST_SPARED else "" for part in (begin, end))
    made = {}
    for name in names:
        if name.startswith(begin) and name.endswith(end) and len(name) > len(begin) + len(end):
            made[name] = "…" * bool(begin) + name[len(begin) : len(name) - len(end)] + "…" * bool(end)
        else:
            made[name] = name
    return made


def _shared(long: list[str], names: list[str]) -> str:
    """The common beginning of long names, in whole words, as far as all names with the same first word share it."""
    begin = _beginning(long)
    first = begin[: next((place + 1 for place, sign in enumerate(begin) if not sign.isalnum()), 0)]
    whole = _beginning([name for name in names if name.startswith(first)]) if first else ""
    return whole[: max((place + 1 for place, sign in enumerate(whole) if not sign.isalnum()), default=0)]


def _beginning(names: Sequence[str]) -> str:
    """The common beginning of names, which is that of the first and the last in sorted order."""
    first, last = min(names, default=""), max(names, default="")
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _distinguishing(names: list[str], longest: int) -> list[str]:
    """Names with the same beginning and ending, showing these and the places where they differ."""
    before, after = KEPT_AROUND
    made = []
    for name in names:
        places = {len(_beginning([name, other])) for other in names if other != name}
        ends = (longest - len(places) * (before + after + 1) - 1) // 2
        keep = {at for place in places for at in range(place - before, place + after)}
        keep |= {*range(ends), *range(len(name) - ends, len(name))} if ends > 0 else set()
        shown = [sign if at in keep else "\0" for at, sign in enumerate(name)]
        made.append(re.sub("\0+", "…", "".join(shown)).replace("……", "…"))
    return [cut(name, longest) for name in made]


def _numbered(names: list[str], taken: set[str], longest: int) -> list[str]:
    """Names with numbers, if nothing else distinguishes them."""
    made = []
    for name in names:
        look = next(
            look for number in count(1) if (look := f"{cut(name, longest - len(f' {number}'))} {number}") not in taken
        )
        taken.add(look)
        made.append(look)
    return made


def teller(values: Iterable[float]) -> Callable[[float], str]:
    """How to write these values: with three decimals, one if they are large, none if all are whole, such as ranks."""
    known = [value for value in values if isfinite(value)]
    whole = all(value == round(value) for value in known) and any(abs(value) > 1 for value in known)
    digits = 0 if whole else 1 if median(map(abs, known or [0.0])) >= LARGE else 3
    return lambda value: "undefined" if value != value else fields.written(value, digits)


def numbers(series: Sequence[Series]) -> Callable[[float], str]:
    """How to write the values of these series."""
    return teller(value for one in series for value in one.values)


def packed(chart: Dots) -> tuple[Joined, str]:
    """The lines in as few columns as possible, and a note if there were too many, in which case the largest are drawn.

    From the top, each line takes the first free column, and no arrangement needs fewer columns.
    """
    groups = [sorted({row for row in group if 0 <= row < len(chart.labels)}) for group in chart.groups]
    groups = [rows for rows in groups if len(rows) > 1]
    kept: list[list[int]] = []
    for rows in sorted(groups, key=len, reverse=True):
        if _deepest([*kept, rows]) <= MOST_COLUMNS:
            kept.append(rows)
    free: list[int] = []
    made: Joined = []
    for rows in sorted(kept):
        column = next((column for column, last in enumerate(free) if last < rows[0]), len(free))
        free[column : column + 1] = [rows[-1]]
        made.append((column, rows))
    left_out = len(groups) - len(kept)
    return made, f"{left_out:,} of {len(groups):,} groups are not drawn, since there is no room" if left_out else ""


def _deepest(groups: list[list[int]]) -> int:
    """The most lines beside one row."""
    return max(sum(rows[0] <= row <= rows[-1] for rows in groups) for row in range(max(map(max, groups)) + 1))
