"""Every figure of the source papers comes out twice, from the package and by hand; slips noted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.papers.by_hand import by_hand
from tests.papers.figures import figures, work_out

FIGURES = [pytest.param(name, figure, id=name) for name, figure in figures()]


@pytest.mark.parametrize(("name", "figure"), FIGURES)
@pytest.mark.parametrize("implementation", [work_out, by_hand])
def test_figure(implementation: Callable[[dict[str, Any]], float], name: str, figure: dict[str, Any]) -> None:
    """The exact figure comes out to six digits, or within the noise that a simulated one is given with."""
    assert implementation(figure) == pytest.approx(figure["exact"], abs=figure.get("within", 5.1e-7)), name


@pytest.mark.parametrize(("name", "figure"), FIGURES)
def test_printed(name: str, figure: dict[str, Any]) -> None:
    """What the paper prints is the exact figure rounded, or a note says why not."""
    if "printed" in figure:
        digits = figure["printed"].rstrip("%")
        scale = 100 if "%" in figure["printed"] else 1
        places = len(re.sub(r"^[^.]*\.?", "", digits))
        rounded = abs(float(digits) - figure["exact"] * scale) <= 0.5 * 10.0**-places + 1e-9
        assert rounded or figure.get("note"), name


def test_no_figure_twice() -> None:
    """Names tell figures apart."""
    names = [name for name, _ in figures()]
    assert len(names) == len(set(names)) > 50
