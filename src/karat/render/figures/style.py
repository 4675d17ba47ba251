"""How figures are drawn: each module registers its class of charts; one set of settings, whatever the user's own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatch
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from karat.data.charts import Chart

SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, and has ⊢ ◇ ⊣
    "font.size": 13,
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "text.usetex": False,
    "axes.unicode_minus": False,
    "axes.formatter.use_locale": False,
    "path.simplify": False,
    "path.sketch": None,
    "path.effects": [],
    "pdf.fonttype": 42,
    "svg.hashsalt": "karat",
    "savefig.bbox": None,
    "savefig.pad_inches": 0.0,
    "savefig.transparent": False,
}


@contextmanager
def styled(**more: Any) -> Iterator[None]:
    """Apply the settings temporarily, without warnings about characters missing in the font."""
    settings: Any = {**SETTINGS, **more}  # some versions of matplotlib type the keys as literals, others do not
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph|.*font family|.*Matplotlib currently does not support")
        yield


@singledispatch
def drawn(chart: Chart) -> Figure:
    """The chart as a matplotlib figure."""
    raise TypeError(f"no figure of {type(chart).__name__}")
