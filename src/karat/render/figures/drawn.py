"""How a chart is drawn: each way of drawing files itself here, by the class of chart that it draws."""

from __future__ import annotations

from functools import singledispatch

from matplotlib.figure import Figure

from karat.data.charts import Chart


@singledispatch
def drawn(chart: Chart) -> Figure:
    """The chart as a figure."""
    raise TypeError(f"no figure of {type(chart).__name__}")
