"""One table for a paper: chosen columns, caption and label."""

from __future__ import annotations

import pytest
from tools.examples import result_of

from karat.data.result import Column, Note, Sheet
from karat.errors import UsageError
from karat.render import render
from karat.render.paper import notes_below
from tests.render.test_latex import SIGNATURE, Tables

FIRST = Sheet("First", (Column("run", ["a"]), Column("vital", [1.0]), Column("vital, strict", [2.0])))
SECOND = Sheet("Second", (Column("run", ["a"]), Column("95 % interval", ["0 – 1"]), Column("kappa", [3.0])))
RESULT = Tables(study="sample", signature=SIGNATURE, tables=[FIRST, SECOND])


@pytest.mark.parametrize(
    ("columns", "head"),
    [
        ("run,vital", "run,vital"),
        ("vital, strict,run", '"vital, strict",run'),
        ("Run,VITAL,vital, strict", 'run,vital,"vital, strict"'),
        ("kappa,95", "kappa,95 % interval"),
        ("run", "run"),
    ],
)
def test_columns(columns: str, head: str) -> None:
    """By heading, in any case, or its beginning; headings may have commas; the first table that has all is taken."""
    assert render(RESULT, "csv", columns=columns).splitlines()[0] == head


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"columns": "run,kapa"}, "no column is called 'kapa'; did you mean 'kappa'"),
        ({"columns": "run,vital,kappa"}, "no table has all of the columns run,vital,kappa"),
        ({"columns": "kappa", "table": "1"}, "no column is called 'kappa'"),
        ({"columns": "run,,kappa"}, "no column is called ''"),
        ({"caption": "Scores"}, "belong to one table: say which"),
        ({"label": "tab:x"}, "belong to one table: say which"),
        ({"label": "tab:{x}", "table": "1"}, "'tab:{x}' is no label"),
    ],
)
def test_refused(settings: dict[str, str], told: str) -> None:
    """What is not there is named, with what is."""
    with pytest.raises(UsageError, match=told.replace("{", r"\{")):
        render(RESULT, "latex", **settings)  # type: ignore[arg-type]


def test_caption_and_label() -> None:
    """Given ones replace those of the table; a caption is text, not LaTeX."""
    text = render(RESULT, "latex", "2", caption="100 % of $x$", label="tab:mine", columns="run,kappa")
    assert r"\caption{100 \% of \$x\$.}\label{tab:mine}" in text
    assert r"\caption{Second.}\label{tab:sample-second}" in render(RESULT, "latex", columns="kappa")
    assert render(RESULT, "markdown", "2", caption="Mine").startswith("## Mine\n")
    only = Tables(study="sample", signature=SIGNATURE, tables=[FIRST])
    assert r"\caption{Mine.}" in render(only, "latex", caption="Mine")


def test_notes_go_with_their_columns() -> None:
    """A note on a column that is left out would explain nothing; those of the table stay."""
    letters = Note.of("runs that share a letter are not significantly different", "letters")
    sheet = Sheet("Ranking", (Column("run", ["a"]), Column("letters", ["a"])), (letters, "one row per run"))
    result = Tables(study="sample", signature=SIGNATURE, tables=[sheet])
    assert letters in render(result, "latex", "1")
    short = render(result, "latex", columns="run")
    assert letters not in short
    assert "one row per run" in short.lower()
    assert letters in render(result, "latex", columns="letters")


@pytest.mark.parametrize(
    ("command", "columns", "gone"),
    [
        ("score", "run,accuracy", "some cut-off of the run"),
        ("compare", "run,accuracy,95% CI", "share a letter"),
        ("swap", "difference,error, fresh", "through the procedure's rates"),
        ("diagnose", "run,monothematic", "correlation index"),
        ("nuggets", "run,vital", "components of F"),
    ],
)
def test_notes_of_studies(command: str, columns: str, gone: str) -> None:
    """The studies say which columns their notes explain, and no meaning is given twice."""
    result = result_of(command)
    whole, part = render(result, "latex"), render(result, "latex", columns=columns)
    assert gone in whole
    assert gone not in part
    for sheet in result.sheets():
        notes = notes_below(result, sheet)
        assert len(notes) == len(set(notes))
        assert not any(note in other for note in sheet.notes for other in notes if note != other)
