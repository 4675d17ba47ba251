"""LaTeX: a booktabs table a sheet, ready for an overview paper."""

from __future__ import annotations

from karat.data.result import Column, Result, Sheet

SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "⊢": r"$\vdash$",
    "◇": r"$\Diamond$",
    "⊣": r"$\dashv$",
    "△": r"$\triangle$",
    "▽": r"$\triangledown$",
    "¬": r"$\neg$",
    "→": r"$\rightarrow$",
    "–": "--",
    "|": r"$\mid$",
    "≥": r"$\geq$",
    "×": r"$\times$",
}


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(SPECIAL.get(character, character) for character in text)


def render(result: Result) -> str:
    """Every sheet as a table, the signature as a comment. Needs the packages booktabs and amssymb."""
    parts = [f"% {result.signature!s}", "% \\usepackage{amssymb,booktabs}"]
    return "\n".join([*parts, *(_table(sheet) for sheet in result.sheets())]) + "\n"


def _table(sheet: Sheet) -> str:
    alignment = "".join(_alignment(column) for column in sheet.columns)
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines.append(" & ".join(escaped(column.name) for column in sheet.columns) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(escaped(cell) for cell in row) + r" \\" for row in sheet.rows()]
    lines += [r"\bottomrule", r"\end{tabular}"]
    notes = "".join(f" {escaped(note.rstrip('.'))}." for note in sheet.notes)
    lines += [rf"\caption{{{escaped(sheet.title)}.{notes}}}", r"\end{table}"]
    return "\n".join(lines)


def _alignment(column: Column) -> str:
    return "r" if column.numeric else "l"
