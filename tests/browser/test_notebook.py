"""A notebook: its cells are run, and what they show is looked at in the colours of JupyterLab."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from html import escape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tools.examples import EVERYTHING, result_of

from karat.render.figures.palette import DARK, LIGHT

NOTEBOOK = Path(__file__).with_name("evaluation.ipynb")
THEMES = {"light": LIGHT, "dark": DARK}
# How JupyterLab 4 styles what it shows.
JUPYTER = """
body { margin: 0; font-family: serif; background: var(--jp-layout-color0); color: var(--jp-content-font-color1); }
[data-jp-theme-light=true] { --jp-layout-color0: white; --jp-content-font-color1: rgb(0, 0, 0); }
[data-jp-theme-light=false] { --jp-layout-color0: #111; --jp-content-font-color1: rgb(255, 255, 255); }
.jp-RenderedHTMLCommon table { border-collapse: collapse; table-layout: fixed; font-size: 12px; margin: 0 auto 1em; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr { vertical-align: middle;
  padding: 0.5em; line-height: normal; white-space: normal; max-width: none; border: none; }
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td, :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon th,
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon tr { text-align: right; }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: var(--jp-layout-color0); }
.jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: #888; }
.jp-RenderedHTMLCommon h3 { font-size: 1.2em; font-weight: 500; line-height: 1; }
.jp-RenderedHTMLCommon a:link { text-decoration: none; color: #00f; }
"""


def executed(cells: list[dict[str, Any]]) -> list[str]:
    """What the cells of code show, as a kernel does it: the last expression by its HTML, and what is printed."""
    names: dict[str, Any] = {}
    shown = []
    for cell in cells:
        if cell["cell_type"] == "code":
            parsed = ast.parse("".join(cell["source"]))
            last = parsed.body.pop() if isinstance(parsed.body[-1], ast.Expr) else None
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(parsed, "cell", "exec"), names)
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None  # type: ignore[attr-defined]
            html = "" if value is None else value._repr_html_()
            shown.append(html or f"<pre>{escape(printed.getvalue())}</pre>")
    return shown


@pytest.fixture(scope="module")
def outputs() -> list[str]:
    """What each cell of the notebook shows."""
    return executed(json.loads(NOTEBOOK.read_text("utf-8"))["cells"])


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    """One of JupyterLab's themes, in a browser that prefers the other."""
    return str(request.param)


@pytest.fixture
def notebook(browser: Browser, outputs: list[str], theme: str) -> Page:
    """The outputs in JupyterLab, with a table of somebody else's below them."""
    page = browser.new_page(color_scheme="dark" if theme == "light" else "light")
    areas = "".join(f'<div class="jp-RenderedHTMLCommon">{one}</div>' for one in outputs)
    own = '<div class="jp-RenderedHTMLCommon"><table id="own"><tr><td>1</td></tr></table><p id="said">own</p></div>'
    page.set_content(
        f'<!doctype html><style>{JUPYTER}</style><body data-jp-theme-light="{str(theme == "light").lower()}">'
        f"{areas}{own}</body>"
    )
    return page


def _style(page: Page, selector: str, name: str) -> set[str]:
    """The computed values of a property, of everything that is selected."""
    script = "(found, name) => found.map((one) => getComputedStyle(one)[name])"
    return set(page.eval_on_selector_all(selector, script, name))


def _rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_a_result_shows_a_board_a_figure_and_a_table(notebook: Page) -> None:
    """Without anything being opened."""
    compared = notebook.locator(".karat").nth(1)
    assert compared.locator(".board .leader .run").inner_text() == "careful"
    assert compared.locator("svg.chart:visible").count() == 1
    assert compared.locator(".scroll table:visible").first.locator("td.number").first.inner_text() == "78.8"


def test_lines_and_whiskers_have_the_colours_of_the_theme(notebook: Page, theme: str) -> None:
    """Every stroke and fill of a figure is a colour of the theme: none is black because its variable is missing."""
    colours = {_rgb(colour) for colour in THEMES[theme].values()}
    for name in ("stroke", "fill"):
        drawn = _style(notebook, f"svg.chart [style*='{name}: var(--']", name)
        assert _rgb(THEMES[theme]["run-1"]) in drawn
        assert drawn <= colours
    whiskers = _style(notebook, "svg.chart [style*='stroke: var(--run-1)']", "stroke")
    assert whiskers == {_rgb(THEMES[theme]["run-1"])}
    assert _style(notebook, "svg.chart text", "fill") <= {
        _rgb(THEMES[theme][name]) for name in ("ink", "soft", "paper")
    }


def test_a_result_has_the_paper_and_the_ink_of_the_theme(notebook: Page, theme: str) -> None:
    """JupyterLab's theme counts, not what the browser prefers."""
    assert _style(notebook, ".karat", "backgroundColor") == {_rgb(THEMES[theme]["paper"])}
    assert _style(notebook, ".karat", "color") == {_rgb(THEMES[theme]["ink"])}
    assert _style(notebook, ".karat .board .ends b", "backgroundColor") == {
        _rgb(THEMES[theme][name]) for name in ("a", "soft")
    }


def test_the_styles_stay_inside(notebook: Page, theme: str) -> None:
    """Nothing else in the notebook changes."""
    assert _style(notebook, "#own td", "textAlign") == {"right"}
    assert _style(notebook, "#own", "fontSize") == {"12px"}
    assert _style(notebook, "#said", "fontFamily") == {"serif"}
    assert _style(notebook, "#said", "color") == {"rgb(0, 0, 0)" if theme == "light" else "rgb(255, 255, 255)"}
    assert notebook.evaluate("getComputedStyle(document.body).getPropertyValue('--ink')") == ""


def test_names_are_left_and_numbers_right(notebook: Page) -> None:
    """Karat's styles hold inside, whatever JupyterLab says of tables."""
    assert _style(notebook, ".karat .scroll tbody th", "textAlign") == {"left"}
    assert _style(notebook, ".karat .scroll td.number", "textAlign") == {"right"}
    assert _style(notebook, ".karat .board :is(th, td).run, .karat .board .cut td", "textAlign") == {"left"}


def test_rows_and_headings_are_as_on_a_page(notebook: Page, theme: str) -> None:
    """JupyterLab's own stripes, headings and links do not show through."""
    assert _style(notebook, ".karat .board tbody tr", "backgroundColor") == {"rgba(0, 0, 0, 0)"}
    assert _style(notebook, ".karat .scroll tbody tr:nth-child(odd)", "backgroundColor") == {"rgba(0, 0, 0, 0)"}
    assert _style(notebook, ".karat h3", "fontWeight") == {"700"}
    assert _style(notebook, ".karat a.signed", "color") == {_rgb(THEMES[theme]["soft"])}


def test_print_shows_the_text_table(outputs: list[str]) -> None:
    """The last cell prints."""
    assert "run a" in outputs[-1]
    assert "71.8–84.4" in outputs[-1]


@pytest.mark.parametrize("prefers", ["light", "dark"])
def test_elsewhere_the_theme_is_the_browsers(browser: Browser, outputs: list[str], prefers: str) -> None:
    """Where no theme is told, as in an exported notebook."""
    page = browser.new_page(color_scheme="dark" if prefers == "dark" else "light")
    page.set_content(f"<!doctype html><body>{outputs[1]}</body>")
    assert _style(page, ".karat", "backgroundColor") == {_rgb(THEMES[prefers]["paper"])}


def test_a_report_opens_with_its_verdict(browser: Browser) -> None:
    """The verdict and the leaderboard; sections are closed, and no figure is there twice."""
    page = browser.new_page()
    page.set_content(f"<!doctype html><body>{result_of('report', EVERYTHING)._repr_html_()}</body>")
    assert "careful scores highest (78.8%)" in page.locator(".verdict").first.inner_text()
    assert page.locator(".board .leader .run").first.inner_text() == "careful"
    assert page.locator(".board:visible").count() == 1
    assert page.get_by_text("Scored three-way").count() == 1
    assert page.locator("svg.chart:visible").count() == 0
    ids = page.eval_on_selector_all("svg.chart", "(found) => found.map((one) => one.id || one.outerHTML)")
    assert len(set(ids)) == len(ids) > 20
