"""Numbers of every example as people read them, and as programs do."""

from __future__ import annotations

import re

import pytest
from tools.examples import ARGUMENTS, result_of

from karat.data.result import RunName, Sheet
from karat.errors import in_python
from karat.render.html import table

EXAMPLES = [name for name in ARGUMENTS if name not in ("check", "engines", "measures", "formats", "report")]


def _sorted_values(sheet: Sheet) -> list[float]:
    """What the sheet says it is sorted by, of runs and not of baselines."""
    column = next(column for column in sheet.columns if column.name == sheet.sorted_by)
    cells = zip(sheet.columns[0].values, column.values, strict=True)
    kept = [value for name, value in cells if not isinstance(name, RunName) or name.run is not None]
    return [value for value in kept if isinstance(value, float) and value == value]


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_number_has_a_hyphen_or_five_digits_in_a_row(name: str) -> None:
    """A true minus, and thousands separated."""
    for sheet in result_of(name).sheets():
        for column in sheet.columns:
            if column.numeric:
                for value in column.values:
                    assert not re.search(r"^-|\d{4}", column.text(value).partition(".")[0]), (sheet.title, column.name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_sheets_are_sorted_by_what_they_say(name: str) -> None:
    """The column is there, and its values fall, or rise."""
    for sheet in result_of(name).sheets():
        if sheet.sorted_by in [column.name for column in sheet.columns]:
            values = _sorted_values(sheet)
            assert values == sorted(values, reverse=not sheet.ascending), sheet.title


@pytest.mark.parametrize("name", ["score", "compare", "justify", "nuggets", "qa"])
def test_rankings_say_what_they_are_sorted_by(name: str) -> None:
    """The heading has it from the start, with its direction."""
    sheet = result_of(name).sheets()[0]
    assert table(sheet).count('aria-sort="descending"') == 1
    assert sheet.sorted_by


def test_phenomena_begin_with_the_hardest() -> None:
    """The smallest accuracy comes first."""
    sheet = result_of("diagnose").sheet_named("Phenomena")
    assert 'aria-sort="ascending"' in table(sheet)


def test_accuracy_in_per_cent_beside_its_interval() -> None:
    """People read 78.8 and 71.8–84.4; what is taken away as CSV is the share."""
    result = result_of("score")
    sheet = result.sheets()[0]
    assert [column.heading for column in sheet.columns][:3] == ["run", "accuracy %", "95% CI"]
    assert sheet.rows()[0][:3] == ["careful", "78.8", "71.8–84.4"]
    html = table(sheet)
    assert '<td class="number" data-value="0.7875">78.8</td>' in html
    assert 'data-value="accuracy" aria-sort="descending">accuracy %</th>' in html
    assert 'data-value="0.718 – 0.844">71.8–84.4</td>' in html
    header, first = result.render("csv", table="1").splitlines()[:2]
    assert header.startswith("run,accuracy,95% CI,")
    assert first.startswith("careful,0.7875,0.718 – 0.844,")


def test_differences_of_percentages_are_points() -> None:
    """The unit of a difference is in its heading, and its interval has the same digits."""
    sheet = result_of("compare").sheets()[1]
    assert [column.heading for column in sheet.columns][3:5] == ["a − b, points", "95% CI"]
    assert sheet.rows()[0][3:5] == ["3.8", "−3.9 to 11.3"]


def test_latex_and_text_have_the_same_numbers() -> None:
    """Per cent, and a minus that LaTeX sets as one."""
    result = result_of("compare")
    assert r"accuracy \%" in result.render("latex")
    assert "$-$3.9 to 11.3" in result.render("latex")
    assert "accuracy %" in result.render()
    assert "−3.9 to 11.3" in result.render()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_result_prints_as_text_and_is_short_in_a_list(name: str) -> None:
    """`print(result)` is the tables below any warnings, with options as keywords; what a debugger shows is one line."""
    result = result_of(name)
    text = in_python(result.render("text"))
    assert str(result).endswith(text)
    told = str(result).removesuffix(text)
    assert told.count("\n") == (len(result.warnings) + 1 if result.warnings else 0)
    assert len(repr(result)) < 60
