"""Dispatch of drawing: each module registers here how it draws a class of charts."""

from __future__ import annotations

from functools import singledispatch

from matplotlib.figure import Figure

from karat.data.charts import Chart


@singledispatch
def drawn(chart: Chart) -> Figure:
    """The chart as a matplotlib figure."""
    raise TypeError(f"no figure of {type(chart).__name__}")
