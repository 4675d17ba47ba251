"""The settings every figure is drawn and saved under, whatever the user's own are."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib

SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, and has ⊢ ◇ ⊣
    "font.size": 13,
    "text.parse_math": False,  # a dollar in a name is a dollar
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
    """Settings for a while; a letter that the font lacks is no reason to warn."""
    settings: Any = {**SETTINGS, **more}  # keys are typed literally by some versions of matplotlib, and not by others
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph|.*font family|.*Matplotlib currently does not support")
        yield
