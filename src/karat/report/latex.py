"""LaTeX: a booktabs table a sheet, ready for an overview paper and for pdfLaTeX."""

from __future__ import annotations

import re

from karat.data.result import Column, Result, Sheet

SIGNS = "⊢◇⊣△▽□¬→↔⇒|∞≥≤≠×±·ΣΔαβθκπρστψ★"
NAMES = (
    "vdash Diamond dashv triangle triangledown Box neg rightarrow leftrightarrow Rightarrow mid infty geq leq neq "
    "times pm cdot Sigma Delta alpha beta theta kappa pi rho sigma tau psi bigstar"
)
"""Signs in LaTeX's mathematics, in the same order."""
SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"$\\{name}$" for character, name in zip(SIGNS, NAMES.split(), strict=True)},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
    "“": "``",
    "”": "''",
    "’": "'",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "…": r"\ldots{}",
    "²": "$^2$",
    "³": "$^3$",
    "½": r"$\frac{1}{2}$",
}
PACKAGES = r"\usepackage{amssymb,booktabs,graphicx,longtable}"
LONG = 45
"""Tables of more rows than this go on over pages."""
SENTENCE = 40
"""Words beyond this wrap."""
PAGE = 0.95
"""The share of a line that wrapping columns may have between them."""
LEAST = 0.25
"""The share that each has at least in a table that can be made smaller."""
MANY = 6
"""More columns than this stand closer."""
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""A table wider than the line is made as small as it must be; others are left as they are."""


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is, on one line."""
    apart = re.sub("-(?=-)", "-\0", _one_line(text))  # else two hyphens would be a dash
    return "".join(SPECIAL.get(character, character) for character in apart).replace("\0", "{}")


def render(result: Result) -> str:
    """Every sheet as a table; the signature, what to load and why cells are undefined as comments."""
    return _document(result, result.sheets())


def table(result: Result, sheet: Sheet) -> str:
    """One sheet of the result in the same way."""
    return _document(result, [sheet])


def _document(result: Result, sheets: list[Sheet]) -> str:
    labels: list[str] = []
    for sheet in sheets:
        label, place = _label(result.study, sheet.title), len(labels) + 1
        labels.append(f"{label}-{place}" if label in labels else label)
    comments = [str(result.signature), PACKAGES]
    if reasons := result.reasons_shown():
        comments.append(f"-- is undefined: {'; '.join(reasons)}")
    tables = [_table(sheet, label) for sheet, label in zip(sheets, labels, strict=True)]
    return "\n".join([*(f"% {_one_line(comment)}" for comment in comments), *tables]) + "\n"


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def _label(study: str, title: str) -> str:
    """What a paper refers to the table by: letters, digits and hyphens of its first words."""
    words = re.findall(r"[a-z0-9]+", title.lower())[:6]
    return "-".join([f"tab:{study}", *words])


def _table(sheet: Sheet, label: str) -> str:
    long = len(sheet.rows()) > LONG
    alignment = "".join(_alignments(sheet.columns, 0 if long else LEAST))
    head = _row([column.name for column in sheet.columns])
    rows = [
        _row([_cell(column, text) for column, text in zip(sheet.columns, row, strict=True)]) for row in sheet.rows()
    ]
    named = rf"\caption{{{_sentence(sheet.title)}}}\label{{{label}}}"
    notes = [rf"{_sentence(note)}\par" for note in sheet.notes]
    below = ["{\\footnotesize\\raggedright", *notes, "}"] if notes else []
    if long:
        top = [r"\toprule", head, r"\midrule"]
        begin = [r"\begingroup\small", rf"\begin{{longtable}}{{{alignment}}}", rf"{named}\\", *top, r"\endfirsthead"]
        begin += [*top, r"\endhead", r"\bottomrule", r"\endfoot"]
        return "\n".join([*begin, *rows, r"\end{longtable}", *below, r"\endgroup"])
    tight = [r"\setlength{\tabcolsep}{3pt}"] if len(sheet.columns) > MANY else []
    begin = [r"\begin{table}[tbp]", r"\centering", *tight, named, FITTED, rf"\begin{{tabular}}{{{alignment}}}"]
    body = [r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}}"]
    return "\n".join([*begin, *body, *([r"\par\smallskip", *below] if below else []), r"\end{table}"])


def _sentence(text: str) -> str:
    """Escaped, with one full stop."""
    return f"{escaped(text.rstrip('.'))}."


def _row(cells: list[str]) -> str:
    """A line of a table; what would be taken for an option of the line before is not."""
    line = " & ".join(map(escaped, cells)) + r" \\"
    return "{}" + line if line.startswith(("[", "*")) else line


def _cell(column: Column, text: str) -> str:
    """A number's hyphen is its sign."""
    return f"−{text[1:]}" if column.numeric and text.startswith("-") else text


def _alignments(columns: tuple[Column, ...], least: float) -> list[str]:
    """Numbers flush right: they have as many digits each, so their points stand below each other. Long words wrap."""
    wrapping = [_wraps(column) for column in columns]
    share = max(least, PAGE / max(2, sum(wrapping) + 1))
    wide = rf"p{{{share:.2f}\linewidth}}"
    return [wide if wraps else "r" if column.numeric else "l" for column, wraps in zip(columns, wrapping, strict=True)]


def _wraps(column: Column) -> bool:
    return not column.numeric and any(len(column.text(value)) > SENTENCE for value in column.values)
