"""The report: every section the data allow, nothing hidden, one page that needs nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import karat
from karat import examples
from karat.errors import Problems, UsageError
from karat.formats.question_set import QuestionFiles, read_question_set
from karat.labels import TWO
from karat.statistics.power import connor_power, t_power
from karat.studies.report.portraits import named_run
from karat.studies.report.result import Report
from karat.studies.report.sections import SECTIONS
from karat.studies.report.study import report
from tests.undefined import all_explained

KEY = karat.read_pairs(examples.PAIRS)
RUNS = karat.read_runs(examples.RUNS, KEY)


def question_nouns() -> dict[str, Any]:
    """The question series, with all that belongs to them."""
    folder = examples.QUESTIONS
    files = QuestionFiles(
        judgments=str(folder / "judgments.tsv"),
        nuggets=str(folder / "nuggets.tsv"),
        matches=(str(folder / "matches.tsv"),),
        patterns=str(folder / "patterns.txt"),
    )
    found = read_question_set(folder / "questions.xml", folder / "runs", files, Problems())
    return {"questions": found.questions, "answers": found.answers, **found.nouns()}


@pytest.fixture(scope="module")
def whole() -> Report:
    """A report with everything in it."""
    decomposed = karat.read_decomposition(examples.DECOMPOSED)
    return report(
        KEY,
        RUNS,
        ballots=karat.read_ballots(examples.BALLOTS, KEY),
        judged=karat.read_ballots(examples.JUDGED, KEY),
        automatic=["auto"],
        decomposed=decomposed,
        decomposed_runs=karat.read_runs(examples.DECOMPOSED_RUNS, decomposed.pairs),
        ratings=karat.read_justifications(examples.RATINGS),
        **question_nouns(),
        generated=karat.read_matches(examples.RAG / "assignments", karat.read_nuggets(examples.RAG / "nuggets.jsonl")),
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
            assert found.get("scope") in ("col", "row")
            self.headers += found["scope"] == "col"


def test_every_section(whole: Report) -> None:
    """With everything given every section is there, and none was left out for an error."""
    assert [section.name for section in whole.sections] == list(SECTIONS)
    assert whole.left_out == []


def test_sections_are_the_studies(whole: Report) -> None:
    """A section is what the command of its name gives by itself."""
    alone = karat.compare(KEY, RUNS)
    inside = next(section.result for section in whole.sections if section.name == "compare")
    assert inside.render("json") == alone.render("json")
    assert set(alone.headlines()) <= set(whole.headlines())


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
    assert {section.result.study for section in whole.sections} <= set(methods)


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
    assert set(re.findall('class="signed" href="#(signature-[^"]*)"', text)) <= set(page.ids)
    assert text.count('class="signed"') == sum(
        len(section.result.sheets()) + len(section.result.charts()) for section in whole.sections
    )


def test_scores_alone() -> None:
    """A score matrix is enough for what needs no labels, and there are no pairs to open."""
    result = report(RUNS.right(TWO))
    assert [section.name for section in result.sections] == ["compare", "size", "swap", "sensitivity"]
    assert result.items is None
    assert 'id="pairs"' not in result.render("html")


def test_questions_alone() -> None:
    """Questions need no pairs; their runs are compared by series."""
    result = report(**question_nouns())
    assert [section.name for section in result.sections] == ["qa", "qa-compare"]
    assert any(sentence.startswith("On the questions, ") for sentence in result.findings())
    with pytest.raises(UsageError, match="nothing to report on"):
        report()
    with pytest.raises(UsageError, match="a key and its runs"):
        report(KEY)


def test_automatic_assessors_make_no_key() -> None:
    """With one file of ballots the judge is judged, and agreement and keys are those of people."""
    result = report(KEY, RUNS, ballots=karat.read_ballots(examples.JUDGED, KEY), automatic=["auto"], without=["swap"])
    assert {"anna", "ben", "cleo"} == set(result.of("agree").assessors)
    assert [judge.judge for judge in result.of("judge").judges] == ["auto"]
    assert result.items is not None
    assert set(result.items.assessors) == {"anna", "ben", "cleo"}


def test_undecided_by_hand(whole: Report) -> None:
    """Neighbours that share a letter; the units asked for are the fewest that have the power, by the formula itself."""
    compared = whole.of("compare")
    right = dict(zip(RUNS.names, RUNS.right(TWO).values, strict=True))
    letters = {row.run: set(row.letters) for row in compared.runs}
    ranked = [row.run for row in compared.runs]
    assert [(one.a, one.b) for one in whole.undecided] == [
        (a, b) for a, b in pairwise(ranked) if letters[a] & letters[b]
    ]
    for one in whole.undecided:
        gap = right[one.a] - right[one.b]
        assert one.difference == pytest.approx(gap.mean())
        if gap.mean() == 0:
            assert one.units is None
            continue
        assert one.units is not None
        powers = [float(connor_power(units, abs(gap).mean(), gap.mean())) for units in (one.units - 1, one.units)]
        assert powers[0] < 0.8 <= powers[1] + 1e-9


def test_undecided_of_graded_scores() -> None:
    """Where scores are graded the t test says how many units it takes."""
    random = np.random.default_rng(3)
    base = random.random(40)
    values = np.stack([base + random.normal(0.02, 0.3, 40), base])
    scores = karat.Scores(("a", "b"), tuple(map(str, range(40))), values, measure="f")
    (one,) = report(scores, without=["swap", "sensitivity"]).undecided
    gap = values[0] - values[1] if one.a == "a" else values[1] - values[0]
    assert one.units is not None
    powers = [float(t_power(units, gap.std(ddof=1), gap.mean())) for units in (one.units - 1, one.units)]
    assert powers[0] < 0.8 <= powers[1]


def test_findings_join_the_sections(whole: Report) -> None:
    """What opens the page: who is first and how surely, what cannot be told apart, what is wrong with single runs."""
    found = " ".join(whole.findings())
    assert "careful is first of 10 runs" in found
    assert "where a trivial system has 0.500" in found
    first = whole.undecided[0]
    assert f"{first.a} and {first.b} cannot be told apart on this test set" in found
    assert "it would take about" in found
    assert "contradict" in found
    assert all(sentence in whole.headlines() for sentence in whole.of("score").headlines())


def test_a_run_by_itself(whole: Report) -> None:
    """A run's portrait has every row that names it, and no row that does not."""
    portraits = {portrait.run: portrait for portrait in whole.portraits()}
    assert set(RUNS.names) <= set(portraits)
    careful = portraits["careful"]
    table = next(sheet for sheet in careful.sheets if sheet.title == "Answers by key, 3-way")
    counts = np.array([column.values for column in table.columns[1:]])
    assert counts.sum() == len(KEY)
    assert counts.trace() == (RUNS.runs[RUNS.names.index("careful")].codes == KEY.labels).sum()
    pairs = next(sheet for sheet in careful.sheets if sheet.columns[0].name == "run a")
    rows = list(zip(pairs.columns[0].values, pairs.columns[1].values, strict=True))
    assert len(rows) == 9
    assert all("careful" in row for row in rows)
    assert any(sentence.startswith("careful is first") or "careful" in sentence for sentence in careful.findings)
    assert not any("self-contradictory's" in sentence for sentence in portraits["chatty"].findings)


def test_names_inside_names() -> None:
    """A run called `a` is not named by a sentence on `a-b`; a star marks a manual run and is no part of its name."""
    assert named_run("manual*") == "manual"
    scores = karat.Scores(("a", "a-b", "c"), tuple("12345678"), np.array([[1.0] * 8, [0.0] * 8, [1.0, 0.0] * 4]))
    portraits = {one.run: one for one in report(scores, without=["swap", "size"]).portraits()}
    assert all(re.search(r"(?<![\w-])a(?![\w-])", sentence) for sentence in portraits["a"].findings)


def test_hostile_names() -> None:
    """Names are text: in links, in data, in attributes."""
    nasty = 'x"><script>alert(1)</script>'
    scores = karat.Scores((nasty, "b"), tuple("12345678"), np.array([[1.0, 0.0] * 4, [0.0, 1.0, 1.0, 1.0] * 2]))
    text = report(scores).render("html")
    assert "<script>alert" not in text
    assert Page(text).links
