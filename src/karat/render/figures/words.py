"""What a chart shows, in words, for those who cannot see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isfinite

from karat.data.charts import Bars, Boxes, Chart, Counts, Dots, Heat, Lines, Points

LONGEST = 32
"""Names beside a scale are no longer than this."""
ENOUGH = 150
"""So many numbers are told one by one; of more, what stands out."""


def described(chart: Chart) -> str:
    """The chart in one sentence: every number of it that matters."""
    match chart:
        case Lines():
            told = f"{_axes(chart.axes)}{_lines(chart)}"
        case Counts():
            told = _rows(chart.labels, lambda row: _counts(chart, row))
        case Dots():
            told = _rows(chart.labels, lambda row: _all(chart, row)) + _groups(chart)
        case Boxes():
            told = _rows(chart.labels, lambda row: _all(chart, row))
        case Bars():
            told = _axes(chart.axes) + _bars(chart)
        case Heat():
            told = _axes(chart.axes) + _heat(chart)
        case Points():
            told = _axes(chart.axes) + _points(chart)
        case _:
            raise TypeError(f"no words for {type(chart).__name__}")
    return printable(f"{chart.title}: {told}")


def teller(values: Iterable[float]) -> Callable[[float], str]:
    """How some values are written: with three digits, or whole where all are, as ranks and counts."""
    known = [value for value in values if isfinite(value)]
    whole = all(value == round(value) for value in known) and any(abs(value) > 1 for value in known)
    return lambda value: "undefined" if value != value else f"{value:,.0f}" if whole else f"{value:.3f}"


def numbers_of(chart: Chart) -> Callable[[float], str]:
    """How the values of a chart are written."""
    return teller(value for values in chart.series.values() for value in values)


def printable(text: str) -> str:
    """The text with what XML forbids, or would break a line, spelled out."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def short(label: str, longest: int = LONGEST) -> str:
    """A long name without its middle."""
    half = longest // 2 - 1
    return label if len(label) <= longest else f"{label[:half]}…{label[-half:]}"


def _rows(labels: Sequence[str], told: Callable[[int], str]) -> str:
    return "; ".join(f"{label} {told(row)}" for row, label in enumerate(labels))


def _axes(axes: tuple[str, str]) -> str:
    """What is told by what, where both are named."""
    return f"{axes[1]} by {axes[0]}; " if all(axes) else ""


def _all(chart: Chart, row: int) -> str:
    """Every number of a row."""
    number = numbers_of(chart)
    return ", ".join(f"{name} {number(values[row])}" for name, values in chart.series.items())


def _groups(chart: Dots) -> str:
    """Which rows are joined."""
    if not chart.groups:
        return ""
    if sum(map(len, chart.groups)) > ENOUGH:
        return f"; {len(chart.groups)} groups are joined"
    return "; joined: " + "; ".join(", ".join(group) for group in chart.groups)


def _counts(chart: Counts, row: int) -> str:
    """Every count of a row that is not 0."""
    counts = {name: values[row] for name, values in chart.series.items() if values[row]}
    return ", ".join(f"{count:g} at {name}" for name, count in counts.items() if count == count) or "none"


def _bars(chart: Bars) -> str:
    """Every bar, or the highest of each panel."""
    return "; ".join(f"{name} {_panel(chart, values)}" for name, values in chart.series.items())


def _panel(chart: Bars, values: Sequence[float]) -> str:
    number = numbers_of(chart)
    known = [(value, label) for value, label in zip(values, chart.labels, strict=True) if value == value]
    if not known:
        return "undefined"
    if len(chart.labels) * len(chart.series) <= ENOUGH:
        return ", ".join(f"{number(value)} at {label}" for value, label in known)
    most = max(value for value, _ in known)
    return f"most {number(most)} at {next(label for value, label in known if value == most)}"


def _heat(chart: Heat) -> str:
    """Every field, or the least and the most of each row."""
    if len(chart.labels) * len(chart.series) <= ENOUGH:
        return _rows(chart.labels, lambda row: _all(chart, row))
    return _rows(chart.labels, lambda row: _range(chart, row))


def _range(chart: Heat, row: int) -> str:
    """From which value to which, and where they stand."""
    number = numbers_of(chart)
    known = {name: values[row] for name, values in chart.series.items() if values[row] == values[row]}
    if not known:
        return "undefined"
    least, most = min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])
    return f"from {number(known[least])} at {least} to {number(known[most])} at {most}"


def _points(chart: Points) -> str:
    """Where each point stands, by series."""
    told, up, across = [], numbers_of(chart), teller(chart.x)
    for name, values in chart.series.items():
        places = [
            f"{label} {up(y)} at {across(x)}"
            for label, x, y in zip(chart.labels, chart.x, values, strict=True)
            if y == y and x == x
        ]
        told.append(f"{name}: {', '.join(places) or 'none'}")
    return "; ".join(told)


def _lines(chart: Lines) -> str:
    """Every point of lines that have few; of others, where they begin and end, and what lies beyond both."""
    few = sum(len(chart.points(name)) for name in chart.series) <= ENOUGH
    return "; ".join(f"{name} {_line(chart, chart.points(name), few)}" for name in chart.series)


def _line(chart: Lines, points: list[tuple[float, float]], few: bool) -> str:
    number = numbers_of(chart)
    if not points:
        return "undefined"
    if few:
        return ", ".join(f"{number(y)} at {chart.told(x)}" for x, y in points)
    (first, start), (last, end) = points[0], points[-1]
    told = f"{number(start)} at {chart.told(first)} to {number(end)} at {chart.told(last)}"
    for word, (x, y) in (
        ("least", min(points, key=lambda point: point[1])),
        ("most", max(points, key=lambda point: point[1])),
    ):
        if not min(start, end) <= y <= max(start, end):
            told += f", {word} {number(y)} at {chart.told(x)}"
    return told
