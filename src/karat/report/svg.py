"""Charts as SVG that takes its colours from the page, so that it reads by day and by night."""

from __future__ import annotations

from html import escape

from karat.data.result import Chart

ROW, WIDTH, HEIGHT, TOP = 26, 480, 240, 34
"""Height of a row, width of the scale, height of a field of lines, room for the legend."""
SHAPES = ("circle", "diamond", "triangle", "square")
DASHES = ("", ' stroke-dasharray="7 3"', ' stroke-dasharray="2 3"', ' stroke-dasharray="9 3 2 3"')


def draw(chart: Chart) -> str:
    """The chart as one element that says in words what it shows."""
    return draw_lines(chart) if chart.kind == "lines" else draw_rows(chart)


def draw_rows(chart: Chart) -> str:
    """One row a label: one mark a series, shape and colour both telling which; or a box from its five numbers."""
    left = 20 + 9 * max((len(label) for label in chart.labels), default=4)
    height = TOP + ROW * len(chart.labels) + 30
    total = left + WIDTH + 24
    described = f"{chart.title}: " + "; ".join(
        f"{label} " + ", ".join(f"{name} {values[place]:.3f}" for name, values in chart.series.items())
        for place, label in enumerate(chart.labels)
    )
    parts = [_open(total, height, described), *(_legend(chart, left) if chart.kind == "dots" else [])]
    for tick in range(5):
        x = left + WIDTH * tick / 4
        value = chart.low + (chart.high - chart.low) * tick / 4
        bottom = height - 26
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{value:.4g}</text>')
    for row, label in enumerate(chart.labels):
        y = TOP + ROW * row + ROW / 2
        parts.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        across = [
            left + WIDTH * (values[row] - chart.low) / (chart.high - chart.low) for values in chart.series.values()
        ]
        if chart.kind == "boxes":
            parts += _box(across, y) if all(x == x for x in across) else []
        else:
            parts += [_mark(place, x, y) for place, x in enumerate(across) if x == x]
    return "".join([*parts, "</svg>"])


def _box(across: list[float], y: float) -> list[str]:
    """Whiskers to the ends, a box over the middle half, a bar at the median."""
    low, lower, median, upper, high = across
    return [
        f'<line x1="{low:.1f}" y1="{y:.1f}" x2="{lower:.1f}" y2="{y:.1f}" class="whisker"/>',
        f'<line x1="{upper:.1f}" y1="{y:.1f}" x2="{high:.1f}" y2="{y:.1f}" class="whisker"/>',
        f'<rect x="{lower:.1f}" y="{y - 7:.1f}" width="{max(upper - lower, 1):.1f}" height="14" class="box"/>',
        f'<line x1="{median:.1f}" y1="{y - 9:.1f}" x2="{median:.1f}" y2="{y + 9:.1f}" class="median"/>',
    ]


def draw_lines(chart: Chart) -> str:
    """A line a series over x; colour, dashes and the mark at its end all tell the series."""
    left, bottom = 64, TOP + HEIGHT
    total, height = left + WIDTH + 24, bottom + 48
    (first, last), (low, high) = chart.reach, (chart.low, chart.high)
    described = f"{chart.title}: {chart.axes[1]} by {chart.axes[0]}; " + "; ".join(
        f"{name} " + (_told(points) if (points := chart.points(name)) else "undefined") for name in chart.series
    )
    parts = [_open(total, height, described), *_legend(chart, left)]
    for tick in range(5):
        x, y = left + WIDTH * tick / 4, bottom - HEIGHT * tick / 4
        at, value = first + (last - first) * tick / 4, low + (high - low) * tick / 4
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{at:.6g}</text>')
    across, up = (escape(axis) for axis in chart.axes)
    parts.append(f'<text x="{left + WIDTH / 2:.0f}" y="{bottom + 38}" text-anchor="middle">{across}</text>')
    turned = f'transform="rotate(-90 14 {TOP + HEIGHT // 2})"'
    parts.append(f'<text x="14" y="{TOP + HEIGHT // 2}" text-anchor="middle" {turned}>{up}</text>')
    if chart.rule is not None and low <= chart.rule <= high:
        y = bottom - HEIGHT * (chart.rule - low) / (high - low)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" class="rule"/>')
    for place, name in enumerate(chart.series):
        places = [
            (
                left + WIDTH * (x - first) / (last - first),
                bottom - HEIGHT * (min(max(y, low), high) - low) / (high - low),
            )
            for x, y in chart.points(name)
        ]
        if places:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            dashes = DASHES[place % len(DASHES)]
            parts.append(f'<polyline points="{path}" class="line-{place % len(SHAPES)}"{dashes}/>')
            parts += [_mark(place, x, y) for x, y in (places if name in chart.marked else places[-1:])]
    return "".join([*parts, "</svg>"])


def _told(points: list[tuple[float, float]]) -> str:
    """A line in words: where it begins and where it ends."""
    (first, start), (last, end) = points[0], points[-1]
    return f"{start:.3f} at {first:g} to {end:.3f} at {last:g}"


def _open(total: float, height: float, described: str) -> str:
    return (
        f'<svg viewBox="0 0 {total} {height}" width="{total}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'aria-label="{escape(described, quote=True)}" class="chart">'
    )


def _legend(chart: Chart, left: float) -> list[str]:
    """The name of every series beside its mark."""
    parts, at = [], float(left)
    for place, name in enumerate(chart.series):
        parts.append(_mark(place, at, 12))
        parts.append(f'<text x="{at + 10:.0f}" y="16">{escape(name)}</text>')
        at += 30 + 10 * len(name)
    return parts


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
