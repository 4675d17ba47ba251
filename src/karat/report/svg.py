"""Charts as SVG that takes its colours from the page, so that it reads by day and by night."""

from __future__ import annotations

from html import escape

from karat.data.result import Chart

ROW, WIDTH, TOP = 26, 480, 34
"""Height of a row, width of the scale, room for the legend."""
SHAPES = ("circle", "diamond", "triangle", "square")


def draw(chart: Chart) -> str:
    """One row a label, one mark a series; shape and colour both tell the series."""
    left = 16 + 7 * max((len(label) for label in chart.labels), default=4)
    height = TOP + ROW * len(chart.labels) + 30
    total = left + WIDTH + 24
    described = f"{chart.title}: " + "; ".join(
        f"{label} " + ", ".join(f"{name} {values[place]:.3f}" for name, values in chart.series.items())
        for place, label in enumerate(chart.labels)
    )
    parts = [
        f'<svg viewBox="0 0 {total} {height}" width="{total}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'aria-label="{escape(described, quote=True)}" class="chart">'
    ]
    at = float(left)
    for place, name in enumerate(chart.series):
        parts.append(_mark(place, at, 12))
        parts.append(f'<text x="{at + 10:.0f}" y="16">{escape(name)}</text>')
        at += 26 + 8 * len(name)
    for tick in range(5):
        x = left + WIDTH * tick / 4
        value = chart.low + (chart.high - chart.low) * tick / 4
        bottom = height - 26
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{value:g}</text>')
    for row, label in enumerate(chart.labels):
        y = TOP + ROW * row + ROW / 2
        parts.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        for place, values in enumerate(chart.series.values()):
            value = values[row]
            if value == value:
                x = left + WIDTH * (value - chart.low) / (chart.high - chart.low)
                parts.append(_mark(place, x, y))
    return "".join([*parts, "</svg>"])


def _mark(series: int, x: float, y: float) -> str:
    shape, colour = SHAPES[series % len(SHAPES)], f'class="series-{series % len(SHAPES)}"'
    match shape:
        case "circle":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {colour}/>'
        case "square":
            return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" {colour}/>'
        case "diamond":
            points = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y:.1f} {x:.1f},{y + 6:.1f} {x - 6:.1f},{y:.1f}"
        case _:
            points = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y + 5:.1f} {x - 6:.1f},{y + 5:.1f}"
    return f'<polygon points="{points}" {colour}/>'
