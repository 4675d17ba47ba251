"""LaTeX: one booktabs table per sheet, for papers of one or two columns, and for pdfLaTeX."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from karat.data.result import Column, Result, Sheet
from karat.render.paper import TablePiece, best_rows, laid_out, notes_below

SIGNS = "⊢◇⊣△▽□¬→↔⇒|∞≥≤≠×±·ΣΔαβθκπρστψ★"
NAMES = (
    "vdash Diamond dashv triangle triangledown Box neg rightarrow leftrightarrow Rightarrow mid infty geq leq neq "
    "times pm cdot Sigma Delta alpha beta theta kappa pi rho sigma tau psi bigstar"
)
"""The signs as commands of LaTeX's math mode, in the same order."""
SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"$\\{name}$" for character, name in zip(SIGNS, NAMES.split(), strict=True)},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}\hspace{0pt}",  # a line may end there: id<TAB>text has no blank
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
PACKAGES = r"\usepackage{amssymb,array,booktabs,graphicx}"
LONG_WORD, ENDLESS, CUT = 14, 20, 12
"""Words with more letters than `LONG_WORD` may be broken at some marks; more letters in a row than `ENDLESS` are not a
word of any language, and may be broken after every `CUT`."""
FLOATS_AT_A_TIME = 10
"""After this many floats of one table, LaTeX is told to print them, because it can hold only a few."""
LAST_LATIN = "\u017f"
"""The last letter that pdfLaTeX can print by default."""
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Scales a table down only on a paper narrower than any expected; otherwise nothing changes."""


def escaped(text: str) -> str:
    """Text that LaTeX prints unchanged, on one line."""
    apart = re.sub("-(?=-)", "-\0", _one_line(text))  # or two hyphens would become a dash
    return "".join(SPECIAL.get(character, character) for character in apart).replace("\0", "{}")


def render(result: Result) -> str:
    """Every sheet as a table, with signature and packages as comments; the parts of a composite result come first."""
    chapters = [f"% {_one_line(chapter.heading)}\n{render(chapter.result)}" for chapter in result.chapters()]
    sheets = result.sheets()
    return "\n".join([*chapters, _document(result, sheets, _labels(result.study, sheets))])


def table(result: Result, sheet: Sheet, label: str) -> str:
    """One table."""
    return _document(result, [sheet], [label])


def label_of(result: Result, sheet: Sheet) -> str:
    """The label that one of the sheets has among all of the result."""
    sheets = result.sheets()
    return next(label for label, one in zip(_labels(result.study, sheets), sheets, strict=True) if one is sheet)


def _document(result: Result, sheets: Sequence[Sheet], labels: Sequence[str]) -> str:
    tables = [_table(sheet, label, notes_below(result, sheet)) for sheet, label in zip(sheets, labels, strict=True)]
    comments = [str(result.signature), PACKAGES]
    if foreign := sorted({letter for one in tables for letter in one if letter > LAST_LATIN}):
        comments.append(f"needs LuaLaTeX or XeLaTeX, and a font that has {' '.join(foreign)}")
    return "\n".join([*(f"% {_one_line(comment)}" for comment in comments), *tables]) + "\n"


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def _label(study: str, title: str) -> str:
    """The label of a table in a paper: the first words of its title, in letters, digits and hyphens."""
    words = re.findall(r"[a-z0-9]+", title.lower())[:6]
    return "-".join([f"tab:{study}", *words])


def _labels(study: str, sheets: Iterable[Sheet]) -> list[str]:
    """One label per sheet, numbered if titles begin alike."""
    made: list[str] = []
    for place, sheet in enumerate(sheets, 1):
        label = _label(study, sheet.title)
        while label in made:
            label = f"{label}-{place}"
        made.append(label)
    return made


def _table(sheet: Sheet, label: str, notes: Sequence[str]) -> str:
    layout = laid_out(sheet, sheet.title, notes)
    kind, place = ("table*", "tp") if layout.across else ("table", "tbp")
    lines, best = [], best_rows(sheet)
    for number, parts in enumerate(layout.floats):
        if number and number % FLOATS_AT_A_TIME == 0:
            lines.append(r"\clearpage")
        lines += [rf"\begin{{{kind}}}[{place}]", r"\centering", rf"\{layout.print.name}"]
        lines += [rf"\setlength{{\tabcolsep}}{{{layout.print.gap:g}pt}}"]
        lines += [rf"Table~\ref{{{label}}}, continued" if number else _caption(sheet.title, label)]
        lines += [line for part in parts for line in (r"\par\medskip", *_part(part, best))]
        if number == len(layout.floats) - 1 and notes:
            lines += [r"\par\smallskip", "{\\footnotesize\\raggedright", *map(_note, notes), "}"]
        lines.append(rf"\end{{{kind}}}")
    return "\n".join(lines)


def _caption(title: str, label: str) -> str:
    return rf"\caption{{{_sentence(title)}}}\label{{{label}}}"


def _note(text: str) -> str:
    return rf"{_sentence(text)}\par"


def _sentence(text: str) -> str:
    """A text with exactly one full stop, escaped."""
    return f"{escaped(text.rstrip('.'))}."


def _part(part: TablePiece, best: Mapping[str, Collection[int]]) -> list[str]:
    """Some columns of some rows as a separate table, with the best values in bold."""
    alignment = "".join(map(_alignment, part.columns, part.shares))
    head = _row(map(_heading, part.columns, part.headings))
    cells = [
        [_cell(column.text(column.values[row]), share, row in best.get(column.name, ())) for row in part.rows]
        for column, share in zip(part.columns, part.shares, strict=True)
    ]
    top = [FITTED, rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}", r"\toprule", head, r"\midrule"]
    return [*top, *map(_row, zip(*cells, strict=True)), r"\bottomrule", r"\end{tabular}}"]


def _cell(text: str, share: float | None, best: bool) -> str:
    made = escaped(text) if share is None else _wrapping(text)
    return rf"\textbf{{{made}}}" if best else made


def _alignment(column: Column, share: float | None) -> str:
    """Numbers are aligned right, since they have the same number of decimals; sentences wrap.

    LaTeX does not hyphenate the first word of a paragraph, so a space of width 0 precedes it.
    """
    if share is not None:
        return rf">{{\raggedright\arraybackslash\hspace{{0pt}}}}p{{{share:.3f}\linewidth}}"
    return "r" if column.numeric else "l"


def _heading(column: Column, lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return escaped(lines[0])
    stacked = r"\\".join(map(escaped, lines))
    return rf"\shortstack[{'r' if column.numeric else 'l'}]{{{stacked}}}"


def _row(cells: Iterable[str]) -> str:
    """A row of a table, protected from being read as an option of the previous row."""
    line = " & ".join(cells) + r" \\"
    return "{}" + line if line.startswith(("[", "*")) else line


def _wrapping(text: str) -> str:
    """Text whose long words may break after marks and before brackets; LaTeX itself hyphenates natural words."""
    return " ".join(_breakable(word) if len(word) > LONG_WORD else escaped(word) for word in _one_line(text).split(" "))


def _breakable(word: str) -> str:
    marked = re.sub(r"(?<=[_\-/,;:=)])(?=\w)|(?<=\.)(?=[^\W\d])|(?<=\w)(?=\()", "\0", word)
    marked = re.sub(rf"[^\W_]{{{ENDLESS + 1},}}", lambda run: re.sub(rf".{{{CUT}}}(?=.)", "\\g<0>\0", run[0]), marked)
    return r"\allowbreak{}".join(map(escaped, marked.split("\0")))
