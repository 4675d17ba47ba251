"""The report: every section the data allow, nothing hidden, one page that needs nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import karat
from karat import examples
from karat.errors import UsageError
from karat.studies.report.result import Report
from karat.studies.report.study import QUESTIONS, report
from tests.undefined import all_explained

KEY = karat.read_pairs(examples.PAIRS)
RUNS = karat.read_runs(examples.RUNS, KEY)


@pytest.fixture(scope="module")
def whole() -> Report:
    """A report with everything in it."""
    decomposed = karat.read_decomposition(examples.DECOMPOSED)
    return report(
        KEY,
        RUNS,
        ballots=karat.read_ballots(examples.BALLOTS, KEY),
        decomposed=decomposed,
        decomposed_runs=karat.read_runs(examples.DECOMPOSED_RUNS, decomposed.pairs),
        ratings=karat.read_justifications(examples.RATINGS),
    )


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.headers = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note ids, links, headings and what heads a table."""
        found = dict(attrs)
        self.ids += [value for value in [found.get("id")] if value]
        self.links += [value for name in ("href", "src") if (value := found.get(name))]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "th":
            assert found.get("scope") == "col"
            self.headers += 1


def test_every_section(whole: Report) -> None:
    """With everything given every section is there, and none was left out for an error."""
    assert [section.name for section in whole.sections] == list(QUESTIONS)
    assert whole.left_out == []


def test_sections_are_the_studies(whole: Report) -> None:
    """A section is what the command of its name gives by itself."""
    alone = karat.compare(KEY, RUNS)
    inside = next(section.result for section in whole.sections if section.name == "compare")
    assert inside.render("json") == alone.render("json")
    assert set(alone.findings()) <= set(whole.findings())


def test_what_is_not_given_is_not_there() -> None:
    """Without ballots, decomposition and ratings their sections are absent, and what is asked away is too."""
    result = report(KEY, RUNS, without=["swap", "sensitivity"])
    assert [section.name for section in result.sections] == ["score", "compare", "size", "items"]
    with pytest.raises(UsageError, match="did you mean 'swap'"):
        report(KEY, RUNS, without=["swop"])


def test_what_cannot_be_made_is_told() -> None:
    """One run cannot be compared: the report says so and has the rest."""
    one = karat.read_runs([min(examples.RUNS.iterdir())], KEY)
    result = report(KEY, one)
    assert "compare" in [left.name for left in result.left_out]
    assert "score" in [section.name for section in result.sections]
    assert "Left out" in result.render("html")


def test_every_null_has_its_reason(whole: Report) -> None:
    """Nulls inside sections keep the reasons that their studies give."""
    reasons = all_explained(whole)
    assert any("does not apply" not in reason for reason in reasons.values())


def test_methods_name_their_sources(whole: Report) -> None:
    """The appendix says how every measure that was used is computed, and where that comes from."""
    methods = {method.name: method for method in whole.methods}
    assert methods["accuracy"].what
    assert methods["kappa"].source
    assert set(QUESTIONS) <= set(methods)


def test_the_page(whole: Report) -> None:
    """Headings go down one level at a time, links lead to sections of the page, and nothing is fetched."""
    text = whole.render("html")
    page = Page(text)
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert page.headers > 50
    for section in whole.sections:
        assert str(section.result.signature)[:40] in text
