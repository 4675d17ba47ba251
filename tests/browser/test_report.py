"""The report in a browser: sorted, filtered, opened, by mouse and by keyboard, by day, by night and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from karat import examples, read_pairs, read_runs, report
from karat.data.composite import Board, Entry
from karat.render.leaderboard import __file__ as leaderboard_file
from karat.render.leaderboard import leaderboard

KEY = read_pairs(examples.PAIRS)


@pytest.fixture
def page(browser: Browser, report: str) -> Iterator[Page]:
    """The report, opened; whatever goes wrong in it is a failure."""
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    wrong: list[str] = []
    asked: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(report)
    yield opened
    assert wrong == []
    assert asked == [report]
    opened.close()


def column(page: Page, place: int) -> list[str]:
    """The cells of a column of the first table of scores, as shown."""
    rows = page.locator("#score table:visible").first.locator("tbody tr:not([hidden])")
    return [row.locator("td, th").nth(place).inner_text().strip() for row in rows.all()]


def numbers(cells: list[str]) -> list[float]:
    """Cells that hold a number."""
    return [float(cell) for cell in cells if cell]


def test_nothing_else_is_run_or_asked_for(browser: Browser, report: str, tmp_path: Path) -> None:
    """What somebody got into a page runs nothing, asks for nothing and sends nothing."""
    bad = (
        "<script>document.title = 'run'</script><img src='x' onerror=\"document.title = 'run'\">"
        "<img src='http://127.0.0.1:9/x'><iframe src='data:text/html,x'></iframe><base href='http://127.0.0.1:9/'>"
        "<style>body { background: url(http://127.0.0.1:9/y) }</style>"
    )
    text = Path(report.removeprefix("file://")).read_text("utf-8")
    (tmp_path / "bad.html").write_text(text.replace("<main>", f"<main>{bad}", 1), "utf-8")
    opened = browser.new_page()
    refused: list[str | None] = []
    said: list[str] = []
    opened.on("requestfailed", lambda request: refused.append(request.failure))
    opened.on("console", lambda message: said.append(message.text))
    opened.goto((tmp_path / "bad.html").as_uri())
    assert opened.title() != "run"
    assert set(refused) == {"csp"}  # not by a network that is not there
    assert any("Content Security Policy" in one for one in said)
    assert opened.locator("#score th button").count() > 0  # its own script runs
    opened.close()


def test_sorting(page: Page) -> None:
    """The heading says how a table is sorted, from the start; a click turns it; what is undefined stays last."""
    page.locator("#way-3").check()  # in which one run is not scored
    heading = page.locator("#score table:visible").first.locator("th").nth(1)
    assert heading.get_attribute("aria-sort") == "descending"
    arrow = "(button) => getComputedStyle(button, '::after').content"
    assert "↓" in heading.locator("button").evaluate(arrow)
    for order, down in (("ascending", False), ("descending", True)):
        heading.locator("button").click()
        assert heading.get_attribute("aria-sort") == order
        cells = column(page, 1)
        assert numbers(cells) == sorted(numbers(cells), reverse=down)
        assert cells[-1] == ""
    other = page.locator("#score table:visible").first.locator("th").nth(3)
    other.locator("button").click()  # numbers begin with the largest
    assert other.get_attribute("aria-sort") == "descending"
    assert heading.get_attribute("aria-sort") is None


def test_the_arrow_of_the_leaderboard(page: Page) -> None:
    """It cannot be sorted otherwise, but says by what it is."""
    heading = page.locator(".board:visible th[aria-sort=descending]").first
    assert "↓" in heading.evaluate("(heading) => getComputedStyle(heading, '::after').content")


def test_sorting_by_keyboard(page: Page) -> None:
    """A heading can be reached and pressed without a mouse."""
    page.locator("#score table:visible").first.locator("th").first.locator("button").focus()
    page.keyboard.press("Enter")
    names = [name.lower() for name in column(page, 0)]
    assert names == sorted(names)


def test_filtering(page: Page) -> None:
    """What is typed above a table hides the rows without it."""
    field = page.locator("#score .filter:visible input").first
    field.fill("care")
    assert column(page, 0) == ["careful"]
    field.fill("no such run")
    assert page.locator("#score .filter", has_text="no row has that").locator("visible=true").first.is_visible()
    field.fill("")
    assert len(column(page, 0)) > 10


def test_pairs_without_texts(browser: Browser, tmp_path: Path) -> None:
    """Of a key that has ids and labels alone a page shows these and the answers, and finds pairs by their ids."""
    names = [KEY.way.labels[code] for code in KEY.labels.tolist()] if KEY.way else []
    rows = "".join(f"{unit},{label}\n" for unit, label in zip(KEY.ids, names, strict=True))
    (tmp_path / "key.csv").write_text(f"id,label\n{rows}")
    key = read_pairs(tmp_path / "key.csv")
    made = report(read_runs(examples.RUNS / "careful.jsonl", key), without=["compare", "swap", "size"])
    (tmp_path / "report.html").write_text(made.render("html"), encoding="utf-8")
    opened = browser.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto((tmp_path / "report.html").as_uri())
    listed = opened.locator("#explorer [role=listitem]")
    opened.locator("#explorer [name=q]").fill("undefined")
    assert listed.count() == 0
    opened.locator("#explorer [name=q]").fill(KEY.ids[1])
    opened.locator("#explorer [name=sort]").select_option("file")
    listed.first.locator("button").click()
    assert f"key {names[1].lower()}" in opened.locator("#explorer .detail").inner_text()
    assert "careful" in opened.locator("#explorer .detail li").inner_text()
    assert wrong == []
    opened.close()


def test_opening_a_run(page: Page) -> None:
    """The name of a run in a table leads to its own section, which opens; from there, to the pairs it got wrong."""
    page.locator("#score table:visible").first.get_by_role("link", name="always-entailment", exact=True).click()
    opened = page.locator("details.run[open]")
    assert opened.locator("summary").inner_text() == "always-entailment"
    assert opened.locator("caption", has_text="Answers by key, three-way").count() == 1
    assert 0 <= opened.locator("summary").evaluate("node => node.getBoundingClientRect().top") < 900
    page.locator("#explorer [name=q]").fill("Vanderkooi")
    opened.get_by_role("link", name="The pairs it got wrong").click()  # whatever was searched for before
    wrong = int((KEY.labels != 0).sum())
    expect(page.locator("#explorer [name=wrong]")).to_have_value("always-entailment")
    assert page.get_by_role("status").inner_text() == f"{wrong} of {len(KEY)} pairs, scored two-way"
    opened.scroll_into_view_if_needed()
    opened.get_by_role("link", name="The pairs it got wrong").click()  # once more, to the same address
    expect(page.get_by_role("status")).to_be_in_viewport()


def test_every_run_in_the_order_of_the_leaderboard(page: Page) -> None:
    """Closed runs stand side by side, by rank; one that is opened takes the whole width."""
    ranked = page.locator(".board:visible").first.locator("tbody .run").all_inner_texts()
    listed = page.locator("details.run summary")
    assert listed.all_inner_texts()[: len(ranked)] == ranked
    tops = listed.evaluate_all("all => all.slice(0, 2).map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1]
    listed.first.click()
    opened, section = (page.locator(one).bounding_box() for one in ("details.run[open]", "#runs"))
    assert opened is not None
    assert section is not None
    assert opened["width"] == section["width"]


def test_opening_a_run_by_its_address(browser: Browser, report: str) -> None:
    """An address that ends in a run opens the page there, by whatever means the browser has."""
    page = browser.new_page()
    page.goto(f"{report}#run-2")
    assert page.locator("details.run").nth(1).get_attribute("open") is not None
    page.close()


@pytest.mark.nightly
def test_the_menu(page: Page) -> None:
    """The menu is reached by keyboard, leads to every section, and marks those that need attention."""
    links = page.get_by_role("navigation").get_by_role("link")
    anchors = [link.get_attribute("href") for link in links.all()]
    assert anchors[:3] == ["#result", "#score", "#compare"]
    assert {"#runs", "#pairs", "#appendix"} <= set(anchors)
    links.nth(2).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#compare"
    marked = [link.get_attribute("href") for link in page.get_by_role("link", name="!").all()]
    assert marked == ["#compare", "#size", "#swap", "#sensitivity", "#agree", "#judge"]


@pytest.mark.nightly
def test_the_other_way(page: Page) -> None:
    """One switch shows verdict, leaderboard and tables in the other way of scoring."""
    assert page.locator(".board:visible .value").nth(1).inner_text() == "78.8"
    assert page.locator("#score table:visible caption").first.inner_text().startswith("Two-way")
    page.locator("#way-3").check()
    assert "careful scores highest (76.2%)" in page.locator(".verdict:visible").inner_text()
    assert page.locator(".board:visible").first.get_by_role("link", name="two-way", exact=True).count() == 0
    assert page.locator("#score table:visible caption").first.inner_text().startswith("Three-way")
    tiles = page.locator(".grade:visible").all_inner_texts()
    assert [text for text in tiles if text.startswith("Test set")] == [tiles[0]]
    assert tiles[0].endswith("three-way")
    assert [text.partition(":")[0] for text in tiles] == ["Test set", "Ranking", "Assessors", "Judge “auto”"]
    assert "1 of the 8 other runs" in tiles[1]
    assert tiles[3].endswith("(three-way)")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("format", "beginning"),
    [
        ("CSV", "rank,run,accuracy,95% CI,vs leader,difference,flags\n1–5,careful,0.7875,0.718 – 0.844,0,leader,over"),
        ("LaTeX", "\\begin{tabular}{llrlrll}"),
        ("Markdown", "| rank | run | accuracy % | 95% CI | vs leader | difference | flags |\n| --- | --- | ---: |"),
        ("cite", "@"),
    ],
)
def test_taking_a_table_away(page: Page, format: str, beginning: str) -> None:
    """The leaderboard can be copied as CSV, LaTeX and Markdown, and so can the sources behind it."""
    page.locator(".tools:visible").first.get_by_role("button", name=format).click()
    text = page.locator("#export textarea").input_value()
    assert text.startswith(beginning)
    assert page.locator("#export textarea").evaluate("area => [area.scrollTop, area.selectionEnd]") == [0, len(text)]
    page.keyboard.press("Escape")
    assert not page.locator("#export").is_visible()


@pytest.mark.nightly
def test_figures_are_told_in_words(page: Page) -> None:
    """Every figure has a name and a description, a caption, and a way to its signature."""
    drawn = page.locator("figure:has(svg.chart)")
    assert drawn.count() >= 8
    for figure in drawn.all():
        image = figure.locator("svg.chart").first
        for part in ("aria-labelledby", "aria-describedby"):
            named = page.locator(f"[id='{image.get_attribute(part)}']")
            assert named.count() == 1
            assert named.text_content()
        assert len(figure.locator("figcaption").text_content() or "") > 40
        assert figure.locator("a.signed").count() == 1


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.nightly)])
def test_accessible(browser: Browser, report: str, scheme: Literal["light", "dark"]) -> None:
    """Nothing that an accessibility checker complains of, by day and by night, pairs opened."""
    page = browser.new_page(color_scheme=scheme)
    page.goto(report)
    page.locator("#explorer [role=listitem] button").first.click()
    page.locator("details.run summary").first.click()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    page.close()


@pytest.mark.nightly
def test_phone(browser: Browser, report: str) -> None:
    """On a phone nothing but tables and figures is wider than the screen."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(report)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for summary in page.locator("details summary").all()[:12]:
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_leader_is_on_the_first_screen(browser: Browser, report: str, width: int) -> None:
    """Who won, by how much and whether to believe it are seen without scrolling, on a desk and on a phone."""
    page = browser.new_page(viewport={"width": width, "height": 900 if width > 800 else 844})
    page.goto(report)
    expect(page.locator(".verdict:visible")).to_be_in_viewport(ratio=1)
    for row in page.locator(".board:visible").first.locator("tr:is(.leader, .near)").all()[:4]:
        expect(row).to_be_in_viewport(ratio=1)
    page.close()


WIDTHS = [390, 700, 900, 1024, 1100, 1200, 1280, 1366, 1440, 1920]


@pytest.mark.nightly
def test_leaderboards_fit_every_screen(browser: Browser, report: str) -> None:
    """No leaderboard is wider than its page, and its intervals keep their room."""
    page = browser.new_page()
    page.goto(report)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for board in page.locator(".board:visible").all():
            assert board.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, width
            assert board.locator("tbody .ends > div").first.evaluate("one => one.clientWidth") > 150
    page.close()


@pytest.mark.nightly
def test_long_names_and_flags_fit_every_screen(browser: Browser, tmp_path: Path) -> None:
    """Names that share much, as long as they are shown, beside flags: flags are never cut, nor hidden altogether."""
    runs = [f"MaxEntClassificationEDA_Base+GNPos+{part}+TPPos+TS_DE" for part in ("DS+DBPos", "TransDmPos+TP", "DBPos")]
    flags = ("constant answer", "identical"), ("overconfident",), ()
    entries = tuple(
        Entry(run, (1, 3), 0.6 - place / 100, (0.55, 0.65), -place / 100, None if not place else False, flags[place])
        for place, run in enumerate(runs)
    )
    board = Board("accuracy", "2", 800, "pair", 0.95, "paired exact test", (runs[0],), entries, percent=True)
    rules = "".join((Path(leaderboard_file).parent / name).read_text("utf-8") for name in ("page.css", "board.css"))
    text = f"<!doctype html><html><style>{rules}</style><body><nav class=menu></nav><main>{leaderboard(board, {}, '')}"
    (tmp_path / "board.html").write_text(text, "utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "board.html").as_uri())
    shown = page.locator(".board")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, width
        below = shown.locator("tbody .run").first.evaluate("one => getComputedStyle(one, '::after').content")
        assert shown.locator("td.flags").first.is_visible() == (below == "none"), width
    page.close()


@pytest.mark.nightly
def test_no_name_is_cut_on_a_phone(browser: Browser, report: str) -> None:
    """The first cell of a row, which says what the row is about, and the ranks are shown whole."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(report)
    cells = page.locator("main tbody tr > :first-child:visible")
    assert cells.count() > 50
    wider = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert cells.evaluate_all(wider) == []
    page.goto(f"{report}#run-1")
    assert page.locator("main .scroll thead th:visible").evaluate_all(wider) == []
    below_menu = page.locator("nav.menu").evaluate("menu => menu.getBoundingClientRect().bottom")
    assert page.locator("details[open] > summary").evaluate("one => one.getBoundingClientRect().top") >= below_menu
    page.close()


@pytest.mark.nightly
def test_colours_are_printed(browser: Browser, report: str) -> None:
    """The dots and intervals of the leaderboard are backgrounds, which browsers do not print unless told to."""
    page = browser.new_page()
    page.goto(report)
    page.emulate_media(media="print")
    for part in (".board .ends u", ".board .ends b", ".grade"):
        adjusted = page.locator(part).first.evaluate("one => getComputedStyle(one).printColorAdjust")
        assert adjusted == "exact", part
    page.close()


@pytest.mark.nightly
def test_paper_is_not_wasted(browser: Browser, report: str, tmp_path: Path) -> None:
    """The demo takes at most 14 pages; what is closed on the page is not on paper, and neither is an empty section."""
    page = browser.new_page()
    page.goto(report)
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert 5 < len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "report.pdf").read_bytes())) <= 14
    page.emulate_media(media="print")
    assert page.locator("details:not([open]):visible").count() == 0
    assert not page.locator("#runs").is_visible()
    page.close()


@pytest.mark.nightly
def test_on_paper(browser: Browser, report: str) -> None:
    """On paper there is no menu, nothing to click on, and no figure wider than the page."""
    page = browser.new_page(viewport={"width": 700, "height": 1000})
    page.goto(report)
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator("#pairs").is_visible()
    widths = page.locator("section svg.chart").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert max(widths) <= 700
    page.close()


@pytest.mark.nightly
def test_the_rules_of_the_grades_are_on_paper(browser: Browser, report: str) -> None:
    """On a screen they appear under the pointer; paper has all of them, once each."""
    page = browser.new_page()
    page.goto(report)
    rules = page.locator(".rules")
    assert not rules.is_visible()
    page.emulate_media(media="print")
    assert rules.is_visible()
    parts = [part.partition(":")[0] for part in page.locator(".grade strong").all_text_contents()]
    assert rules.locator("strong").all_text_contents() == [f"{part}." for part in dict.fromkeys(parts)]
    assert "Voorhees 2001" in rules.inner_text()
    page.close()
