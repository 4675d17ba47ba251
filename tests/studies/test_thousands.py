"""Counts from a thousand on have separators wherever people read them: in sentences, tables, figures and on pages."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from benchmarks.synthetic import key_codes, pairs_of, run_codes

import karat
from karat.data.ballots import Ballots, Scale
from karat.data.provenance import Source
from karat.data.responses import Responses, Run, RunInfo
from karat.labels import THREE
from karat.studies.report.study import report

PAIRS = 6_400
BARE = re.compile(r"(?<![\w.,:·/-])(?!(?:19|20)\d\d\b)\d{4,}(?![\w%]|\.\d)")
"""A number from a thousand on without separators, that is neither a year nor part of a name."""


class Words(HTMLParser):
    """The text of a page with the texts of its attributes; not of styles, scripts, signatures and drawn paths."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.unread = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Titles and labels are read, too."""
        self.unread = tag if tag in ("style", "script", "footer") else self.unread
        self.words += [value for name, value in attrs if value and name in ("title", "aria-label", "data-paper")]

    def handle_endtag(self, tag: str) -> None:
        """Back to what is read."""
        self.unread = "" if tag == self.unread else self.unread

    def handle_data(self, data: str) -> None:
        """Some text."""
        if not self.unread:
            self.words.append(data)


def large_runs() -> Responses:
    """Runs on thousands of pairs, of which four share each text, with confidences and a task."""
    codes = key_codes(PAIRS)
    key = pairs_of(codes)
    key = replace(
        key,
        texts=tuple(f"text {place // 4}" for place in range(PAIRS)),
        attributes={"task": tuple("QA" if place % 3 else "IE" for place in range(PAIRS))},
    )
    random = np.random.default_rng(1)
    order = np.arange(PAIRS, dtype=np.int32)
    constant = np.zeros(PAIRS, np.int8)
    made = [
        Run(
            RunInfo(f"run {name}", THREE, Source(f"run {name}", f"{place:064}")),
            *(answers, order, None if place % 2 else random.random(PAIRS), None, None),
        )
        for place, (name, answers) in enumerate(zip("abcdef", [*run_codes(codes, 5), constant], strict=True))
    ]
    return Responses.of(key, made)


def large_ballots(key: karat.Pairs) -> Ballots:
    """Three people and a program, who are mostly of the key's opinion."""
    random = np.random.default_rng(2)
    unit = np.tile(np.arange(PAIRS, dtype=np.int32), 4)
    who = np.repeat(np.arange(4, dtype=np.int32), PAIRS)
    said = np.where(random.random(len(unit)) < 0.9, np.tile(key.labels, 4), random.integers(0, 3, len(unit)))
    return Ballots(key.ids, ("ann", "ben", "cem", "auto"), Scale(THREE.labels), unit, who, said.astype(np.int32))


@pytest.fixture(scope="module")
def large() -> karat.Report:
    """A report with all sections on pairs."""
    runs = large_runs()
    return report(runs, ballots=large_ballots(runs.key), automatic=("auto",))


def bare(text: str) -> list[str]:
    """The numbers without separators, with a few words around them."""
    return [text[max(0, found.start() - 30) : found.end() + 30] for found in BARE.finditer(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [("9815 pairs", True), ("(9815", True), ("9,815 pairs", False), ("Cohen 1960", False), ("p1234 0.1234", False)],
)
def test_what_is_found(text: str, found: bool) -> None:
    """The test of these tests."""
    assert bool(bare(text)) == found


def test_sentences_and_tables(large: karat.Report) -> None:
    """Findings, facts, tiles, titles, notes and cells."""
    results = [large, *(chapter.result for chapter in large.chapters())]
    said: list[str] = [one for result in results for one in result.findings()]
    said += [*large.opening.facts, *(one.grade.text for one in large.opening.grades)]
    said += [text for view in large.opening.views for text in (view.verdict, view.resolution)]
    sheets = [sheet for result in results for sheet in result.sheets()]
    said += [text for sheet in sheets for text in (sheet.title, *sheet.notes)]
    said += [cell for sheet in sheets for row in sheet.rows() for cell in row]
    said += [column.heading for sheet in sheets for column in sheet.columns]
    assert any("6,400" in one for one in said)
    assert [found for one in said for found in bare(one)] == []


def test_the_page(large: karat.Report) -> None:
    """Figures with their captions and alternative texts, and all else that a browser shows."""
    words = Words(large.render("html")).words
    assert sum("6,400" in one for one in words) > 10
    assert [found for one in words for found in bare(one)] == []


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_without_a_page(large: karat.Report, format: str) -> None:
    """Text with its charts as characters, and Markdown."""
    text = large.render(format)
    assert text.count("6,400") > 10
    assert bare(re.sub("<details>.*?</details>", "", text, flags=re.DOTALL)) == []
