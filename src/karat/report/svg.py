"""Charts as SVG that takes its colours from the page, so that it reads by day and by night."""

from __future__ import annotations

from html import escape

from karat.data.result import Chart
from karat.report.scale import dot_range, fitted, rounded, ticks

ROW, WIDTH, HEIGHT, TOP, LABEL = 26, 480, 240, 34, 18
"""Height of a row, width of the scale, height of a field of lines, room for the legend, height of a name."""
COLOURS = 6
GUTTER = 80
"""Width of a gutter beside a log scale."""
WIDEST, LONGEST = 1000, 32
"""A chart with gutters is no wider than this, and its names no longer."""
SHAPES = ("circle", "diamond", "triangle", "square")
DASHES = ("", *(f' stroke-dasharray="{dashes}"' for dashes in ("7 3", "2 3", "9 3 2 3", "12 4")))
"""Five, so that with six colours thirty lines differ."""


def draw(chart: Chart) -> str:
    """The chart as one element that says in words what it shows."""
    return {"lines": draw_lines, "counts": draw_counts}.get(chart.kind, draw_rows)(chart)


def draw_rows(chart: Chart) -> str:
    """One row a label: one mark a series, shape and colour both telling which; a bar between ends; or a box of five."""
    dots = chart.kind == "dots"
    (low, high), fit = (dot_range(chart), fitted(chart)) if dots else ((chart.low, chart.high), "")
    left = 20 + 9 * max((len(label) for label in chart.labels), default=4)
    legend, top = _legend(chart, left) if dots else ([], TOP)
    bottom = top + ROW * len(chart.labels) + 4
    height, total = bottom + (44 if fit else 26), left + WIDTH + 24
    described = f"{chart.title}: " + "; ".join(
        f"{label} " + ", ".join(f"{name} {values[place]:.3f}" for name, values in chart.series.items())
        for place, label in enumerate(chart.labels)
    )
    parts = [_open(total, height, described), *legend]
    for value, written in ticks(low, high):
        x = left + WIDTH * (value - low) / (high - low)
        parts.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{written}</text>')
    if fit:
        parts.append(
            f'<text x="{left + WIDTH / 2:.0f}" y="{bottom + 38}" text-anchor="middle" class="soft">{fit}</text>'
        )
    for row, label in enumerate(chart.labels):
        y = top + ROW * row + ROW / 2
        parts.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        across = {name: left + WIDTH * (values[row] - low) / (high - low) for name, values in chart.series.items()}
        known = {name: x for name, x in across.items() if x == x}
        if not dots:
            parts += _box(list(across.values()), y) if len(known) == len(across) else []
            continue
        if chart.ends and all(end in known for end in chart.ends):
            first, last = (known[end] for end in chart.ends)
            parts += _bar(first, last, y)
        parts += [_mark(place, known[name], y) for place, name in enumerate(chart.dots) if name in known]
    return "".join([*parts, "</svg>"])


def _bar(low: float, high: float, y: float) -> list[str]:
    """An interval, with a stroke at either end."""
    strokes = ((low, y, high, y), (low, y - 5, low, y + 5), (high, y - 5, high, y + 5))
    return [f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" class="interval"/>' for a, b, c, d in strokes]


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
    """A line a series over x, its name at its end; colour, dashes and marks tell the series too."""
    left, top = 64, TOP // 2
    bottom = top + max(HEIGHT, LABEL * len(chart.series))
    total, height = left + WIDTH + 44 + 8 * max(map(len, chart.series), default=0), bottom + 48
    (first, last), (low, high) = chart.reach, rounded(chart.low, chart.high)
    described = f"{chart.title}: {chart.axes[1]} by {chart.axes[0]}; " + "; ".join(
        f"{name} " + (_told(chart, points) if (points := chart.points(name)) else "undefined") for name in chart.series
    )

    def placed(x: float, y: float) -> tuple[float, float]:
        share = (min(max(y, low), high) - low) / (high - low)
        return left + WIDTH * (x - first) / (last - first), bottom - (bottom - top) * share

    parts = [_open(total, height, described)]
    for value, written in ticks(low, high):
        _, y = placed(first, value)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{written}</text>')
    whole = all(x == round(x) for name in chart.series for x, _ in chart.points(name))
    named = [(float(place), escape(label)) for place, label in enumerate(chart.labels)]
    for at, written in named or ticks(first, last, whole):
        x, _ = placed(at, low)
        parts.append(f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 4}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{written}</text>')
    across, up = (escape(axis) for axis in chart.axes)
    parts.append(f'<text x="{left + WIDTH / 2:.0f}" y="{bottom + 38}" text-anchor="middle">{across}</text>')
    middle = (top + bottom) // 2
    turned = f'transform="rotate(-90 14 {middle})"'
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" {turned}>{up}</text>')
    if chart.rule is not None and low <= chart.rule <= high:
        _, y = placed(first, chart.rule)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" class="rule"/>')
    ends: dict[str, tuple[float, float]] = {}
    for place, name in enumerate(chart.series):
        dashes, colour = DASHES[place % len(DASHES)], place % COLOURS
        for stretch in chart.stretches(name):
            points = [placed(x, y) for x, y in stretch]
            ends[name] = points[-1]
            if len(points) > 1:
                path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
                parts.append(f'<polyline points="{path}" class="line-{colour}"{dashes}/>')
            if name in chart.marked:
                parts += [_mark(place, x, y) for x, y in points]
            elif len(points) == 1:  # between two holes there is a point and no line
                parts.append(f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="2" class="series-{colour}"/>')
    return "".join([*parts, *_names(ends, list(chart.series), left + WIDTH + 20, bottom), "</svg>"])


def _names(ends: dict[str, tuple[float, float]], series: list[str], x: float, bottom: float) -> list[str]:
    """The name of every line with its mark, at the height of its end or as near as other names leave room."""
    parts, order = [], sorted(ends, key=lambda name: ends[name][1])
    heights: list[float] = []
    for name in order:
        heights.append(max(ends[name][1], heights[-1] + LABEL if heights else 0.0))
    for place in range(len(heights) - 1, -1, -1):
        most = heights[place + 1] - LABEL if place + 1 < len(heights) else float(bottom)
        heights[place] = min(heights[place], most)
    for name, y in zip(order, heights, strict=True):
        from_x, from_y = ends[name]
        parts.append(f'<line x1="{from_x:.1f}" y1="{from_y:.1f}" x2="{x:.1f}" y2="{y:.1f}" class="leader"/>')
        parts.append(_mark(series.index(name), x, y))
        parts.append(f'<text x="{x + 12:.1f}" y="{y + 4:.1f}">{escape(name)}</text>')
    return parts


def draw_counts(chart: Chart) -> str:
    """A row a label: a disc for the units at each place of the log scale, larger for more; gutters hold the rest."""
    scale = chart.on_scale()
    gutters = [name for name in chart.series if name not in scale]
    left = 20 + 9 * max((len(_short(label)) for label in chart.labels), default=4)
    edge, bottom = left + GUTTER * len(gutters), TOP + ROW * len(chart.labels)
    start = edge + ROW
    width = min(WIDTH, WIDEST - 24 - start)
    at = {name: left + GUTTER * (place + 0.5) for place, name in enumerate(gutters)}
    at |= {name: start + width * share for name, share in scale.items()}
    described = f"{chart.title}: " + "; ".join(
        f"{label} " + ", ".join(f"{values[row]:g} at {name}" for name, values in chart.series.items() if values[row])
        for row, label in enumerate(chart.labels)
    )
    total = start + width + 24
    parts = [_open(total, bottom + 48, described)]
    parts.append(f'<line x1="{edge}" y1="{TOP - 6}" x2="{edge}" y2="{bottom}" class="rule"/>')
    parts += [f'<text x="{at[name]:.1f}" y="{TOP - 12}" text-anchor="middle">{escape(name)}</text>' for name in gutters]
    for tick in range(5):
        x, value = start + width * tick / 4, chart.low * (chart.high / chart.low) ** (tick / 4)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:.3g}</text>')
    axis = f"{chart.axes[0]} (log scale)"
    parts.append(f'<text x="{total / 2:.0f}" y="{bottom + 38}" text-anchor="middle">{escape(axis)}</text>')
    most = max([1.0, *(count for name in scale for count in chart.series[name])])
    for place, count in enumerate(dict.fromkeys((1.0, most))):  # what the size of a disc means
        x = start + 12 + 60 * place
        parts.append(f'<circle cx="{x}" cy="14" r="{_radius(count, most):.1f}" class="disc"/>')
        parts.append(f'<text x="{x + 16}" y="18" class="soft">{count:g}</text>')
    for row, label in enumerate(chart.labels):
        y = TOP + ROW * row + ROW / 2
        parts.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(_short(label))}</text>')
        for name, values in chart.series.items():
            if name not in scale:
                parts.append(f'<text x="{at[name]:.1f}" y="{y + 4:.1f}" text-anchor="middle">{values[row]:g}</text>')
            elif values[row]:
                radius = _radius(values[row], most)
                title = f"<title>{values[row]:g} at {escape(name)}</title>"
                parts.append(f'<circle cx="{at[name]:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="disc">{title}</circle>')
    return "".join([*parts, "</svg>"])


def _radius(count: float, most: float) -> float:
    """The area of a disc tells the number."""
    return 2 + (ROW / 2 - 3) * (count / most) ** 0.5


def _short(label: str) -> str:
    """A long name without its middle."""
    half = LONGEST // 2 - 1
    return label if len(label) <= LONGEST else f"{label[:half]}…{label[-half:]}"


def _told(chart: Chart, points: list[tuple[float, float]]) -> str:
    """A line in words: where it begins and where it ends."""
    (first, start), (last, end) = points[0], points[-1]
    return f"{start:.3f} at {chart.told(first)} to {end:.3f} at {chart.told(last)}"


def _open(total: float, height: float, described: str) -> str:
    return (
        f'<svg viewBox="0 0 {total} {height}" width="{total}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'aria-label="{escape(described, quote=True)}" class="chart">'
    )


def _legend(chart: Chart, left: float) -> tuple[list[str], int]:
    """The name of every series beside its mark, in as many rows as they need; and where the rows below them begin."""
    parts, at, y = [], float(left), 12
    names = [*chart.dots, *(["interval"] if chart.ends else [])]
    for place, name in enumerate(names):
        if at > left and at + 10 + 8 * len(name) > left + WIDTH:
            at, y = float(left), y + LABEL
        parts += [_mark(place, at, y)] if place < len(chart.dots) else _bar(at - 8, at + 6, y)
        parts.append(f'<text x="{at + 10:.0f}" y="{y + 4}">{escape(name)}</text>')
        at += 30 + 10 * len(name)
    return parts, y + TOP - 12


def _mark(series: int, x: float, y: float) -> str:
    """Four shapes, full and then hollow, in six colours: two dozen series differ."""
    shape, hollow = SHAPES[series % len(SHAPES)], " hollow" if series // len(SHAPES) % 2 else ""
    colour = f'class="series-{series % COLOURS}{hollow}"'
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
