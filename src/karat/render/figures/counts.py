"""Counts on a log scale, with gutters beside it."""

from __future__ import annotations

from collections import Counter

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter, NullLocator

from karat.data.charts import Counts, field
from karat.errors import spelled_out
from karat.render.figures.canvas import KIND, LABEL, ROW, WIDTH, Canvas, Space, both, drawn, wide, wrapped
from karat.render.figures.palette import LIGHT
from karat.render.scale import LONGEST_NAME, written

TOP, GUTTER, NARROW_GUTTER, WIDEST = 40, 80, 46, 1000
"""The room above, the width of a gutter if there is room and if there is little, and the largest width of the chart."""

SHORT_NAME = 16
"""The longest name where there is little room, which gutters take as well."""


@drawn.register
def draw(chart: Counts, space: Space) -> Figure:
    """One row per label: a disc for the units at each place of the scale, larger for more; gutters hold the rest."""
    names = both(chart.labels, SHORT_NAME if space.narrow else LONGEST_NAME)
    left = 20 + max((wide(shown) for shown, _ in names), default=32)
    gutter = NARROW_GUTTER if space.narrow else GUTTER
    edge, bottom = left + gutter * len(chart.gutters), TOP + ROW * max(len(chart.labels), 1)
    start = edge + ROW
    width = space.scale_width(24 + start, min(WIDTH, WIDEST - 24 - start))
    axis = f"{chart.axes[0]} (log scale)"
    whole = start + width + 24
    canvas = Canvas(space, whole, bottom + 34 + LABEL * len(wrapped(axis, whole)), chart.note)
    axes = canvas.axes(start, TOP - 6, start + width, bottom)
    axes.set_xscale("log")
    axes.set(xlim=(chart.low, chart.high), ylim=(1, 0))
    marked = marked_places(chart, width)
    axes.set_xticks([x for x, _ in marked], [shown for _, shown in marked])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_yticks([])
    canvas.ruled(axes, "x")
    canvas.axis_name(start + width / 2, bottom + 38, axis)
    if chart.gutters:
        canvas.strokes([[(edge, TOP - 6), (edge, bottom)]], "rule", LIGHT["soft"], dashes=(4, 4))
    heads = both([place.name for place in chart.gutters], 6 if space.narrow else 12)
    most = max([1.0, *(count for place, _ in chart.on_scale for count in place.counts if count == count)])
    for at, count in enumerate(dict.fromkeys((1.0, most))):  # the legend for the size of a disc
        x = start + 12 + 60 * at
        _disc(canvas, x, 14, radius(count, most), "size")
        canvas.text(x + radius(count, most) + 6, 14, f"{count:,g}", kind="soft")
    for row, name in enumerate(names):
        canvas.name(left - 12, TOP + ROW * (row + 0.5), name, "right")
    for at, (head, place) in enumerate(zip(heads, chart.gutters, strict=True)):
        x = left + gutter * (at + 0.5)
        canvas.name(x, TOP - 16, head, "center", "gutter")
        for row, count in enumerate(place.counts):
            canvas.text(x, TOP + ROW * (row + 0.5), field(count), "center", "gutter")
    for place, at_x in chart.on_scale:
        x = start + width * chart.share(at_x)
        for row, count in enumerate(place.counts):
            if count > 0:
                told = f"disc:{count:,g} at {spelled_out(place.name)}"
                _disc(canvas, x, TOP + ROW * (row + 0.5), radius(count, most), told)
    return canvas.figure


def marked_places(chart: Counts, width: float) -> list[tuple[float, str]]:
    """The ends of the scale, and the places on it with the largest counts, as far as there is room for their names."""
    weights: Counter[tuple[float, str]] = Counter()
    for place, x in chart.on_scale:
        weights[x, spelled_out(place.name)] += 1 + round(sum(count for count in place.counts if count == count))
    by_weight = [one for one, _ in sorted(weights.items(), key=lambda one: (-one[1], one[0]))]
    named = dict(by_weight)
    ends = [(x, named.get(x, written(x))) for x in (chart.low, chart.high)]
    kept: list[tuple[float, str]] = []
    for x, shown in [*ends, *by_weight]:
        room = (wide(shown) + 8) / width
        if all(
            abs(chart.share(x) - chart.share(other)) >= (room + (wide(word) + 8) / width) / 2 for other, word in kept
        ):
            kept.append((x, shown))
    return sorted(kept)


def _disc(canvas: Canvas, x: float, y: float, size: float, kind: str) -> None:
    made = Line2D([x], [y], linestyle="none", marker="o", markersize=2 * size * canvas.scale, transform=canvas.pixels)
    made.set(
        markerfacecolor=(LIGHT["soft"], 0.6),
        markeredgecolor=LIGHT["soft"],
        markeredgewidth=canvas.scale,
        gid=f"{KIND}{kind}",
    )
    canvas.figure.add_artist(made)


def radius(count: float, most: float) -> float:
    """The radius of a disc whose area represents the count."""
    return 2 + (ROW / 2 - 3) * (count / most) ** 0.5
