"""Counts on a log scale, with gutters beside it."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter, NullLocator

from karat.data.charts import Counts
from karat.render.figures.canvas import KIND, ROW, WIDTH, Canvas, wide
from karat.render.figures.palette import LIGHT
from karat.render.figures.words import printable, short
from karat.render.scale import written

TOP, GUTTER, WIDEST, TICKS = 40, 80, 1000, 4
"""Room above, width of a gutter, the widest such chart, and in how many parts the scale is divided."""


def draw(chart: Counts) -> Figure:
    """A row a label: a disc for the units at each place of the scale, larger for more; gutters hold the rest."""
    scale = chart.on_scale()
    gutters = [name for name in chart.series if name not in scale]
    left = 20 + max((wide(short(label)) for label in chart.labels), default=32)
    edge, bottom = left + GUTTER * len(gutters), TOP + ROW * max(len(chart.labels), 1)
    start = edge + ROW
    width = max(min(WIDTH, WIDEST - 24 - start), WIDTH / 4)
    at = {name: left + GUTTER * (place + 0.5) for place, name in enumerate(gutters)}
    at |= {name: start + width * share for name, share in scale.items()}
    canvas = Canvas(start + width + 24, bottom + 52)
    axes = canvas.axes(start, TOP - 6, start + width, bottom)
    axes.set_xscale("log")
    axes.set(xlim=(chart.low, chart.high), ylim=(1, 0))
    values = [chart.low * (chart.high / chart.low) ** (tick / TICKS) for tick in range(TICKS + 1)]
    axes.set_xticks(values, [f"{value:.3g}" if value < 1000 else written(value) for value in values])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_yticks([])
    canvas.ruled(axes, "x")
    canvas.text(start + width / 2, bottom + 38, f"{chart.axes[0]} (log scale)", "center", "axis")
    if gutters:
        canvas.stroke([(edge, TOP - 6), (edge, bottom)], "rule", LIGHT["soft"], dashes=(4, 4))
    for name in gutters:
        canvas.text(at[name], TOP - 16, short(name, 12), "center", "gutter")
    most = max([1.0, *(count for name in scale for count in chart.series[name] if count == count)])
    for place, count in enumerate(dict.fromkeys((1.0, most))):  # what the size of a disc means
        x = start + 12 + 60 * place
        _disc(canvas, x, 14, radius(count, most), "size")
        canvas.text(x + radius(count, most) + 6, 14, f"{count:g}", kind="soft")
    for row, label in enumerate(chart.labels):
        y = TOP + ROW * (row + 0.5)
        canvas.text(left - 12, y, short(label), "right")
        for name, counts in chart.series.items():
            count = counts[row]
            if name not in scale:
                canvas.text(at[name], y, f"{count:g}" if count == count else "–", "center", "gutter")
            elif count > 0:
                _disc(canvas, at[name], y, radius(count, most), f"disc:{count:g} at {printable(name)}")
    return canvas.figure


def _disc(canvas: Canvas, x: float, y: float, size: float, kind: str) -> None:
    made = Line2D([x], [y], linestyle="none", marker="o", markersize=2 * size, transform=canvas.pixels)
    made.set(markerfacecolor=(LIGHT["a"], 0.6), markeredgecolor=LIGHT["a"], markeredgewidth=1, gid=f"{KIND}{kind}")
    canvas.figure.add_artist(made)


def radius(count: float, most: float) -> float:
    """The area of a disc tells the number."""
    return 2 + (ROW / 2 - 3) * (count / most) ** 0.5
