"""Cells of files: reading and writing numbers, and protection against formulas."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.arrays import Floats


def as_number(value: object) -> float:
    """A cell as a number, or NaN if it is not one; `1_0`, `٣` and `true` are numbers only to Python."""
    if isinstance(value, bool) or (isinstance(value, str) and ("_" in value or not value.isascii())):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def as_numbers(cells: Sequence[object]) -> Floats:
    """Cells as numbers, NaN if they are not; fast if all are numbers, or all are strings with numbers."""
    kinds = set(map(type, cells))
    try:
        if kinds <= {int, float}:
            return np.array(list(map(float, cells)))  # type: ignore[arg-type]
        if kinds == {str} and "_" not in (joined := "".join(cells)) and joined.isascii():  # type: ignore[arg-type]
            return np.array(list(map(float, cells)))  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        pass
    return np.array(list(map(as_number, cells)))


WRITTEN_DIGITS = 12
"""Significant digits of all numbers written; different machines agree on at least the first nine."""


def rounded(value: float) -> float:
    """The number rounded as in output."""
    return float(f"{value:.{WRITTEN_DIGITS}g}")


DROPPED = r"""'"\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff"""
"""Characters that a spreadsheet may remove or hide at the beginning of a cell."""
FORMULA = re.compile(rf"[{DROPPED}]*[=+\-@＝＋－＠]|['\"]*[\t\r\n]")
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def guarded(value: Any) -> Any:
    """A value as a cell of CSV or TSV, with an apostrophe before formulas; numbers are unchanged.

    A carriage return becomes a line feed: some readers take it for the end of a row, and the next row could begin with
    a formula.
    """
    if not isinstance(value, str):
        return value
    value = value.replace("\r\n", "\n").replace("\r", "\n") if "\r" in value else value
    return "'" + value if is_formula(value) else value


def unguarded(cell: str) -> str:
    """The text of a cell without an apostrophe added by `guarded`."""
    return cell[1:] if cell[:1] == "'" and is_formula(cell[1:]) else cell


def is_formula(text: str) -> bool:
    """Whether a spreadsheet could run a text as a formula: `-1.5+3` is one, `-1.5` is a number.

    A formula after apostrophes is one too, so that `unguarded` removes exactly what `guarded` added.
    """
    return FORMULA.match(text) is not None and NUMBER.fullmatch(text) is None
