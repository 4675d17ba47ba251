"""LaTeX tables: each is whole, fits its page, and pdfLaTeX takes it where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from karat.data.fields import Missing
from karat.data.result import Column, Result, RunName, Sheet, Signature
from karat.errors import UsageError
from karat.render import render
from karat.render.latex import FITTED, PACKAGES, escaped

NASTY = [
    "[0.1, 0.2]",
    "*starred",
    "a_b & 5% {x} \\y",
    "⊢ ◇ ⊣ ≥ × – − β² “q” …",
    "a--b <c> `d`",
    "ünïcode",
    "$x$\0^",
    "",
]
ENDLESS = "x" * 300


@dataclass(frozen=True, kw_only=True)
class Tables(Result):
    """A result of given sheets."""

    tables: Sequence[Sheet]

    def make_sheets(self) -> list[Sheet]:
        """As given."""
        return list(self.tables)


def numbered(title: str, names: Sequence[str], notes: tuple[str, ...] = ()) -> Sheet:
    """Names, each with a number; the last is undefined."""
    numbers = [place - 1.5 for place in range(len(names) - 1)] + [Missing("nobody_knows")]
    return Sheet(title, (Column("run", names), Column("a − b", numbers, 2, "the difference")), notes)


def wide(columns: int, rows: int = 3) -> Sheet:
    """So many columns of numbers, which say where they stand."""
    runs = Column("run", [f"run {row}" for row in range(rows)])
    return Sheet(
        "Wide", (runs, *(Column(f"m{at}", [at + row / 100 for row in range(rows)], 2) for at in range(columns)))
    )


SHEETS = (
    numbered("First: 100 % of them", NASTY, ("A note_1.", "another")),
    numbered("Long", [f"run {place}" for place in range(120)], ("below",)),
    numbered("Long", ["a sentence that is much too long to be set on one line of a table & has to wrap", ENDLESS]),
    wide(40, 5),
    Sheet("No rows", (Column("run", []), Column("x", []))),
    Sheet("One column", (Column("run", ["a", "b"]),)),
)
SIGNATURE = Signature("1", "sample", (), (), None, None, None, 0)
RESULT = Tables(study="sample", signature=SIGNATURE, tables=SHEETS)
TABULAR = re.compile(
    r"\\begin\{tabular\}\{@\{\}([^\n]+)@\{\}\}\n\\toprule\n(.*?)\\bottomrule\n\\end\{tabular\}", re.DOTALL
)


def columns_of(alignment: str) -> int:
    """How many columns an alignment is of."""
    letters = re.sub(r">\{\S+?\}p\{[\d.]+\\linewidth\}", "p", alignment)
    assert re.fullmatch(r"[lrp]+", letters)
    return len(letters)


def tables_of(text: str) -> list[tuple[str, list[list[str]]]]:
    """The alignment and the cells of each tabular, as they stand in LaTeX."""
    found = []
    for alignment, inside in TABULAR.findall(text):
        lines = [line.removesuffix(r" \\") for line in inside.splitlines() if line.endswith(r" \\")]
        found.append((alignment, [re.split(r"(?<!\\) & ", line) for line in lines]))
    return found


def check_tables(text: str) -> int:
    """Braces balance, environments close, each row has as many cells as columns; how many tables there are."""
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    bare = re.sub(r"\\[\\{}$]", "", body)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    opened: list[str] = []
    for step, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", body):
        if step == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    tables = tables_of(body)
    assert len(tables) == body.count(r"\begin{tabular}")
    for alignment, rows in tables:
        assert rows
        assert {len(row) for row in rows} == {columns_of(alignment)}
        assert not any(row[0].startswith(("[", "*")) for row in rows)
    labels = re.findall(r"\\label\{([^}]*)\}", body)
    assert len(set(labels)) == len(labels) == body.count(r"\caption{")
    assert set(re.findall(r"\\ref\{([^}]*)\}", body)) <= set(labels)
    return len(labels)


def test_whole_tables() -> None:
    """Nasty names, high and wide tables and tables of one title come out whole, each with a label of its own."""
    text = render(RESULT, "latex")
    assert check_tables(text) == len(SHEETS)
    assert r"\caption{First: 100 \% of them.}\label{tab:sample-first-100-of-them}" in text
    assert (
        "\nA note\\_1.\\par\nanother.\\par\na $-$ b: the difference.\\par\n-- is undefined: nobody\\_knows.\\par\n"
        in text
    )
    assert text.count("is undefined") == 3, "below tables that have a dash, and no others"
    assert "{}[0.1, 0.2] & $-$1.50 \\\\" in text
    assert " & -- \\\\" in text
    assert r"\label{tab:sample-long}" in text
    assert r"\label{tab:sample-long-3}" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("run 3 & ", "run 3 "),
        (r"\end{table}", r"\end{table*}"),
        (r"\end{tabular}", ""),
        ("tab:sample-long-3", "tab:x}"),
    ],
)
def test_planted_table(old: str, new: str) -> None:
    """The check finds a row with a cell too few, an environment closed as another, one left open, and a loose brace."""
    with pytest.raises(AssertionError):
        check_tables(render(RESULT, "latex").replace(old, new, 1))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.title)
def test_nothing_is_lost(sheet: Sheet) -> None:
    """Put together again, pieces and parts hold each cell once, and begin with the names of their rows."""
    text = render(Tables(study="sample", signature=SIGNATURE, tables=[sheet]), "latex")
    found: dict[str, list[tuple[str, str]]] = {}
    for _, (heads, *rows) in tables_of(text.replace(r"\allowbreak{}", "")):
        for place, head in enumerate(heads):
            held = found.setdefault(head, [])
            held += [(row[0].removeprefix("{}"), row[place].removeprefix("{}")) for row in rows]
    first, *rest = [
        [escaped(re.sub("^-", "−", column.text(value))) for value in column.values] for column in sheet.columns
    ]
    assert set(found.pop(escaped(sheet.columns[0].name))) == set(zip(first, first, strict=True))
    for column, texts in zip(sheet.columns[1:], rest, strict=True):
        assert found.pop(escaped(column.name)) == list(zip(first, texts, strict=True))
    assert found == {}


def test_columns_of_two_papers() -> None:
    """A narrow table stays in its column, a wide one goes across; no `longtable` is used, which needs one column."""
    text = render(RESULT, "latex")
    assert "longtable" not in text + PACKAGES
    assert text.index(r"\begin{table}") < text.index(r"\caption{First")
    before = text[: text.index(r"\caption{Wide")]
    assert before.rindex(r"\begin{table*}") > before.rindex(r"\end{table")
    assert text.count(r"Table~\ref{tab:sample-long}, continued") >= 1


def test_many_floats() -> None:
    """So many floats come at once that LaTeX would lose count are printed in between."""
    text = render(Tables(study="sample", signature=SIGNATURE, tables=[wide(2, 3000)]), "latex")
    held = [part.count(r"\begin{table}") for part in text.split(r"\clearpage")]
    assert len(held) > 2
    assert max(held) == 10


def test_signs() -> None:
    """What pdfLaTeX has no letter for is set as mathematics or as its own ligature."""
    assert escaped("⊢≥×–") == r"$\vdash$$\geq$$\times$--"
    assert escaped("a---b\nc") == "a-{}-{}-b c"
    assert escaped(NASTY[3]).isascii()


def test_long_words() -> None:
    """Where a column wraps, long words may break at marks, and what is no word anywhere; short ones stay whole."""
    said = f"a sentence with self-contradictory, {'y' * 30} and mean_information_corrected(prior=0.25)"
    text = render(Tables(study="sample", signature=SIGNATURE, tables=[numbered("T", [said, "b"])]), "latex")
    assert r"self-\allowbreak{}contradictory, " in text
    assert rf"{'y' * 12}\allowbreak{{}}{'y' * 12}\allowbreak{{}}{'y' * 6} " in text
    assert r"mean\_\allowbreak{}information\_\allowbreak{}corrected\allowbreak{}(prior=\allowbreak{}0.25)" in text
    assert "a sentence with " in text


def test_foreign_letters() -> None:
    """Letters that pdfLaTeX has none for are named in a comment; what it has, and signs, need none."""
    plain = render(Tables(study="sample", signature=SIGNATURE, tables=[numbered("T", NASTY)]), "latex")
    assert "LuaLaTeX" not in plain
    foreign = render(Tables(study="sample", signature=SIGNATURE, tables=[numbered("T", ["日本", "б"])]), "latex")
    assert "\n% needs LuaLaTeX or XeLaTeX, and a font that has б 日 本\n" in foreign


def test_one_table() -> None:
    """A table alone, by its number or the beginning of its title, has the label that it has among all."""
    assert check_tables(render(RESULT, "latex", "2")) == 1
    assert render(RESULT, "latex", "first") == render(RESULT, "latex", "1")
    assert r"\label{tab:sample-long-3}" in render(RESULT, "latex", "3")
    assert render(RESULT, "latex", "3").startswith("% karat 1 | sample | seed:0\n% \\usepackage{")
    with pytest.raises(UsageError, match="names 2 tables"):
        render(RESULT, "csv", "long")
    with pytest.raises(UsageError, match="names no table of this result, which has 1: First"):
        render(RESULT, "csv", "9")
    with pytest.raises(UsageError, match="csv, latex, markdown or text, not as json"):
        render(RESULT, "json", "1")


def test_the_best_is_bold() -> None:
    """The highest value of a run, as shown, and what ties with it; not a baseline, nor what is undefined."""
    names = [RunName.of("a"), RunName.of("b"), RunName.of("c"), RunName.of("all", trivial=True)]
    columns = (
        Column("run", names),
        Column("kappa", [0.5001, 0.5002, 0.1, 0.9], 2),
        Column("error", [3.0, 2.0, 1.0, 9.0], 1),
        Column("same", [0.5] * 4, 1),
        Column("some", [float("nan"), 0.25, 0.75, 0.9], 2),
    )
    sheet = Sheet("T", columns, best=("kappa", "same", "some"))
    text = render(Tables(study="sample", signature=SIGNATURE, tables=[sheet]), "latex")
    rows = [line for line in text.splitlines() if line.endswith(r"\\")][1:]
    assert rows == [
        r"a & \textbf{0.50} & 3.0 & 0.5 & -- \\",
        r"b & \textbf{0.50} & 2.0 & 0.5 & 0.25 \\",
        r"c & 0.10 & 1.0 & 0.5 & \textbf{0.75} \\",
        r"(all) & 0.90 & 9.0 & 0.5 & 0.90 \\",
    ]


def test_labels_never_meet() -> None:
    """A label that gets a number is no other table's."""
    tables = [numbered(title, ["a", "b"]) for title in ("A 3", "A", "A", "A 3 3", "A")]
    text = render(Tables(study="sample", signature=SIGNATURE, tables=tables), "latex")
    assert check_tables(text) == len(tables)


def test_csv() -> None:
    """CSV has twelve digits, nothing for undefined, and no heading or cell that a spreadsheet would run."""
    assert render(RESULT, "csv", "1").splitlines()[:2] == ["run,a − b", '"[0.1, 0.2]",-1.5']
    assert render(RESULT, "csv", "1").splitlines()[-1] == ","
    hostile = Sheet("T", (Column("run", ["=1+1", "a"]), Column("=cmd()", [0.1 + 0.2, float("nan")], 2)))
    text = render(Tables(study="sample", signature=SIGNATURE, tables=[hostile]), "csv", "1")
    assert text == "run,'=cmd()\n'=1+1,0.3\na,\n"


INSTALLED = bool(shutil.which("pdflatex") and shutil.which("kpsewhich")) and not any(
    subprocess.run(["kpsewhich", f"{name}.sty"], capture_output=True, check=False).returncode
    for name in PACKAGES.partition("{")[2].rstrip("}").split(",")
)
MEASURED = r"\newcommand\measured[1]{\sbox0{#1}\typeout{<\the\wd0>\the\linewidth<}\usebox0}"


def compiled(tables: str, folder: Path, options: str = "") -> None:
    """pdfLaTeX makes pages of tables: nothing is made smaller to fit, nothing stands out, no float is too high."""
    page = [rf"\documentclass{options}{{article}}", PACKAGES, MEASURED, r"\begin{document}"]
    page += [tables.replace(FITTED, r"\measured{%"), r"\end{document}"]
    (folder / "page.tex").write_text("\n".join(page), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    said = done.stdout.decode("latin-1")
    assert done.returncode == 0, said[-2000:]
    widths = re.findall(r"<([\d.]+)pt>([\d.]+)pt<", said)
    assert len(widths) == tables.count(FITTED)
    assert [(table, line) for table, line in widths if float(table) > float(line) + 0.01] == []
    assert re.findall(r"Overfull \\hbox.*", said) == []
    assert re.findall(r".*Float too large.*", said) == []


@pytest.mark.skipif(not INSTALLED, reason="pdflatex with its usual packages is not installed")
@pytest.mark.parametrize("options", ["", "[twocolumn]", "[11pt,a4paper]"])
def test_compiles(tmp_path: Path, options: str) -> None:
    """Nasty names, and tables too high and too wide, fit the pages of papers of one column and of two."""
    compiled(render(RESULT, "latex"), tmp_path, options)
