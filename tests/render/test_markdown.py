"""Markdown: tables that GitHub reads, whatever the names, findings first and the signature last."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tools.examples import result_of

from karat import examples
from karat.data.result import Column, Sheet
from karat.errors import spelled_out
from karat.render import render
from karat.render.markdown import escaped
from tests.render.test_latex import SIGNATURE, Tables
from tests.render.test_renderers import NASTY, sample

MARKS = "ab \\`*_[]<>|~#&$!-+.1)(@:\n"


def rows_of(text: str) -> list[list[str]]:
    """The cells of every row of every table, split where GitHub splits them."""
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("| ")]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<b>&amp;", r"\<b\>\&amp;"),
        ("*x* _y_ a_b", r"\*x\* \_y\_ a_b"),
        ("1. first", r"1\. first"),
        ("- item", r"\- item"),
        ("-0.5", "-0.5"),
        ("0.25", "0.25"),
        ("a\nb", r"a\\nb"),
        ("# [x](y)", r"\# \[x\](y)"),
    ],
)
def test_escapes(text: str, shown: str) -> None:
    """What would be markup is shown as it is."""
    assert escaped(text) == shown


def test_tables_of_nasty_names() -> None:
    """Every row has as many cells as the heading, whatever is in them."""
    rows = rows_of(render(sample([*NASTY, "a|b\\", "c\nd"]), "markdown"))
    assert len(rows) == 2 + len(NASTY) + 2
    assert {len(row) for row in rows} == {2}
    assert rows[1] == [" --- ", " ---: "]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.text(st.sampled_from("ab \\`*_[]<>|~#&$!-+.1)(@:\n"), min_size=1, max_size=8), min_size=1, max_size=3)
)
def test_read_again(names: list[str]) -> None:
    """A reader of Markdown finds the names as they are, in cells as in findings."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(render(sample(names), "markdown"))
    inline = [token for token in tokens if token.type == "inline"]
    assert {child.type for token in inline for child in token.children or ()} <= {"text", "text_special", "code_inline"}
    read = ["".join(child.content for child in token.children or ()).strip() for token in inline]
    for name in names:
        assert spelled_out(name).strip() in read


def test_parts_in_order() -> None:
    """Findings, tables with notes and the best in bold, and the whole signature, folded."""
    columns = (Column("run", ["a", "b"]), Column("kappa", [0.5, -0.25], 2, "beyond chance"))
    sheet = Sheet("Scores", columns, ("a note with `code_in_it`",), best=("kappa",))
    text = render(Tables(study="sample", signature=SIGNATURE, tables=[sheet]), "markdown")
    assert text.startswith("# karat sample\n\n## Scores\n\n| run | kappa |\n| --- | ---: |\n| a | **0.50** |\n")
    assert "| b | −0.25 |\n\na note with `code_in_it`\n\nkappa: beyond chance\n" in text
    assert text.endswith(f"\n\n<details><summary>Signature {SIGNATURE.short}</summary>\n\n"
                         f"{escaped(str(SIGNATURE))}\n\n</details>\n")  # fmt: skip


def test_findings_come_first() -> None:
    """What was found is read before any table."""
    result = result_of("compare")
    text = render(result, "markdown")
    assert text.index("\n- ") < text.index("\n| ")
    assert text.count("\n- ") == len(result.findings())
    assert text.count("\n| --- |") == len(result.sheets())
    assert examples.PAIRS.name in text


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_a_report_says_each_finding_once(format: str) -> None:
    """What the report says first its sections do not repeat, and the other way round; nothing is lost."""
    result = result_of("report")
    lines = render(result, format).splitlines()
    said = [line for line in lines if line.startswith(("- ", "• "))]
    assert len(said) == len(set(said))
    each = {one for part in (result, *(chapter.result for chapter in result.chapters())) for one in part.findings()}
    opening = result.first_screen()
    assert opening
    on_top = {sentence for view in opening.views for sentence in (view.verdict, view.resolution)}
    assert len(said) == len(each - on_top)


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_a_report_opens_with_its_first_screen(format: str) -> None:
    """Facts, verdict, resolution, grades and the leaderboard come before any section, in this order."""
    result = result_of("report", "pairs.xml runs --without swap --without sensitivity")
    text = re.sub(r"\\(.)", r"\1", render(result, format))
    opening = result.first_screen()
    assert opening
    (view, other), grade = opening.views, opening.grades[0].grade
    parts = [opening.facts[0], view.verdict, view.resolution, grade.word, grade.text, view.board.first_sheet().title]
    parts += [f"Three-way: {other.verdict}", other.board.first_sheet().title, result.chapters()[0].heading]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    first = text[places[5] : places[6]]
    assert [line for entry in view.board.entries for line in first.splitlines() if f" {entry.run} " in line]
    assert "The first 5 are not significantly different from the leader" in first
    assert "The best baseline, always-entailment, scores 50.0%." in first
