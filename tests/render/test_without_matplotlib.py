"""Without matplotlib: pages describe their figures in words, and whoever asks for one is told what to install."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from karat.render import figures


@pytest.fixture(autouse=True)
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it were not installed."""
    monkeypatch.setattr(figures, "drawable", lambda: False)


def test_pages(runs: karat.Responses) -> None:
    """Each figure of a page is a paragraph, which names the extra; a notebook has the same."""
    result = karat.compare(runs)
    page = result.render("html")
    assert page.count("figures need matplotlib") == len(result.charts())
    assert "<svg" not in page.split("<main", 1)[-1].split("figures need")[0][-500:]
    assert "figures need matplotlib" in result._repr_html_()


def test_figures(runs: karat.Responses, tmp_path: Path) -> None:
    """A figure itself is refused, in every way to ask for it."""
    picture = karat.compare(runs).figure("groups")
    for ask in (picture.draw, picture._repr_html_, lambda: picture.save(tmp_path / "x.pdf")):
        with pytest.raises(karat.UsageError, match=r"pip install 'karat\[figures\]'"):
            ask()
