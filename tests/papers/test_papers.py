"""Every figure of the source papers comes out, slips noted."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.papers.figures import figures, work_out


@pytest.mark.parametrize(("name", "figure"), [pytest.param(name, figure, id=name) for name, figure in figures()])
def test_figure(name: str, figure: dict[str, Any]) -> None:
    """The exact figure comes out to six digits."""
    assert work_out(figure) == pytest.approx(figure["exact"], abs=5.1e-7), name


@pytest.mark.parametrize(("name", "figure"), [pytest.param(name, figure, id=name) for name, figure in figures()])
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
