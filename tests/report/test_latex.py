"""LaTeX tables: every table of every study is whole, and pdfLaTeX takes them where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from karat.data.result import Column, Result, Sheet, Signature
from karat.errors import UsageError
from karat.report import render
from karat.report.latex import LONG, PACKAGES, escaped

NASTY = ["[0.1, 0.2]", "*starred", "a_b & 5% {x} \\y", "⊢ ◇ ⊣ ≥ × – − β² “q” …", "a--b <c> `d`", "ünïcode", ""]


@dataclass(frozen=True, kw_only=True)
class Tables(Result):
    """A result of given sheets."""

    tables: Sequence[Sheet]

    def sheets(self) -> list[Sheet]:
        """As given."""
        return list(self.tables)


def numbered(title: str, names: Sequence[str], notes: tuple[str, ...] = ()) -> Sheet:
    """Names, each with a number; the last is undefined."""
    numbers = [place - 1.5 for place in range(len(names) - 1)] + [float("nan")]
    return Sheet(title, (Column("run", names), Column("a − b", numbers, 2)), notes)


SHEETS = (
    numbered("First: 100 % of them", NASTY, ("A note_1.", "another")),
    numbered("Long", [f"run {place}" for place in range(LONG + 1)], ("below",)),
    numbered("Long", ["a sentence that is much too long to be set on one line of a table & has to wrap"]),
)
SIGNATURE = Signature("1", "sample", (), (), None, None, None, 0)
RESULT = Tables(study="sample", signature=SIGNATURE, tables=SHEETS)


def columns_of(alignment: str) -> int:
    """How many columns an alignment is of."""
    return len(re.sub(r"p\{[^}]*\}", "p", alignment))


def check_tables(text: str) -> int:
    """Braces balance, environments close, each row has as many cells as columns; how many tables there are."""
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    bare = body.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert body.count(r"\begin{") == body.count(r"\end{")
    assert body.replace(r"\$", "").count("$") % 2 == 0
    tables = re.findall(r"\\begin\{(tabular|longtable)\}\{((?:[lr]|p\{[^}]*\})+)\}\n(.*?)\\end\{\1\}", body, re.DOTALL)
    for _, alignment, inside in tables:
        rows = [line for line in inside.splitlines() if line.endswith(r" \\")]
        assert rows
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {columns_of(alignment)}
        assert not any(row.startswith(("[", "*")) for row in rows)
    labels = re.findall(r"\\label\{([^}]*)\}", body)
    assert len(set(labels)) == len(labels) == len(tables) == body.count(r"\caption{")
    return len(tables)


def test_whole_tables() -> None:
    """Nasty names, long tables and tables of one title come out whole, each with a label of its own."""
    text = render(RESULT, "latex")
    assert check_tables(text) == len(SHEETS)
    assert r"\caption{First: 100 \% of them.}\label{tab:sample-first-100-of-them}" in text
    assert "\nA note\\_1.\\par\nanother.\\par\n" in text
    assert "{}[0.1, 0.2] & $-$1.50 \\\\" in text
    assert " & -- \\\\" in text
    assert text.count(r"\begin{longtable}") == 1


def test_planted_table() -> None:
    """The check finds a row with a cell too few."""
    with pytest.raises(AssertionError):
        check_tables(render(RESULT, "latex").replace("run 3 & ", "run 3 "))


def test_signs() -> None:
    """What pdfLaTeX has no letter for is set as mathematics or as its own ligature."""
    assert escaped("⊢≥×–") == r"$\vdash$$\geq$$\times$--"
    assert escaped("a---b\nc") == "a-{}-{}-b c"
    assert escaped(NASTY[3]).isascii()


def test_one_table() -> None:
    """A table alone, by its number or the beginning of its title."""
    assert check_tables(render(RESULT, "latex", "2")) == 1
    assert render(RESULT, "latex", "first") == render(RESULT, "latex", "1")
    assert render(RESULT, "csv", "1").splitlines()[:2] == ["run,a − b", '"[0.1, 0.2]",-1.5']
    with pytest.raises(UsageError, match="names 2 tables"):
        render(RESULT, "csv", "long")
    with pytest.raises(UsageError, match="names no tables of this result: choose one of 1 First"):
        render(RESULT, "csv", "4")
    with pytest.raises(UsageError, match="csv or latex, not in json"):
        render(RESULT, "json", "1")


INSTALLED = shutil.which("pdflatex") is not None


def compiled(tables: str, folder: Path) -> None:
    """pdfLaTeX makes pages of tables without complaint."""
    page = [r"\documentclass{article}", PACKAGES, r"\begin{document}", tables, r"\end{document}"]
    (folder / "page.tex").write_text("\n".join(page), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]


@pytest.mark.skipif(not INSTALLED, reason="pdflatex is not installed")
def test_compiles(tmp_path: Path) -> None:
    """Nasty names and long tables compile."""
    compiled(render(RESULT, "latex"), tmp_path)
