"""Scores as programs of TREC print them: lines of names and a value, grades of whole answers, and scores of TREC RAG.

trec_eval prints `measure topic value` and ir_measures `topic measure value`, one file per run; leaderboards of
AutoJudge have the run too: `run topic measure value`, `run measure topic value` or `topic run measure value`. A header
tells which column has the topics; so does the topic `all` of the means, or a column of numbers, since topics are
numbered and runs and measures are not.
"""

from __future__ import annotations

from collections.abc import Sequence

from karat.align.columns import Columns, cell_text
from karat.align.scores import ALL, TRUTH
from karat.data.provenance import ScoreReading
from karat.errors import Problems, counted
from karat.files import as_number
from karat.formats.documents import Document, Head
from karat.formats.qrels import read_grades
from karat.formats.qrels import sniff as sniff_qrels
from karat.formats.rag_metrics import SCORES
from karat.formats.registry import score_formats
from karat.formats.rows import read_rows, report_empty_lines
from karat.formats.score_table import LONG, RUN_HEADINGS, UNIT_HEADINGS, called
from karat.formats.sniffing import Fit, has_keys

RUN_ID = "runid"
"""The measure under which trec_eval prints the name of the run."""
ROLES = {name: role for role in ("run", "unit", "measure", "score") for name in LONG[role]}
LAYOUTS = {
    (3, 0): ("unit", "measure", "score"),
    (3, 1): ("measure", "unit", "score"),
    (4, 0): ("unit", "run", "measure", "score"),
    (4, 1): ("run", "unit", "measure", "score"),
    (4, 2): ("run", "measure", "unit", "score"),
}
"""What the columns are, by their number and the place of the topics."""
HEADER = "run topic measure value"


def _is_value(text: str) -> bool:
    return as_number(text) == as_number(text) or text.casefold() in TRUTH


def _header(fields: Sequence[str]) -> tuple[str, ...] | None:
    """The roles of the columns, if this line names them."""
    roles = tuple(ROLES.get(called([field]), "") for field in fields)
    named = {"unit", "measure", "score"} <= set(roles) and len(set(roles)) == len(roles)
    return roles if named and "" not in roles else None


def sniff(head: Head) -> Fit:
    """Certain of lines of three or four fields that end in a value and do not look like rows of a matrix."""
    if head.is_parquet or head.is_zip or head.json_object or head.is_json_array or head.is_xml:
        return Fit.NO
    lines = [line.split() for line in head.text.split("\n")[:-1] or [head.text] if line.strip()]
    if lines and len(lines[0]) in (3, 4) and _header(lines[0]):
        return Fit.CERTAIN if "\t" not in head.first_line else Fit.NO  # with tabs it is a table
    if not lines or any("," in field for field in lines[0][:1]):
        return Fit.NO
    first, *rest = lines
    if len(first) not in (3, 4) or called(first[:1]) in RUN_HEADINGS | UNIT_HEADINGS:
        return Fit.NO
    if not all(len(line) == len(first) and (_is_value(line[-1]) or line[0] == RUN_ID) for line in (first, *rest[:1])):
        return Fit.NO
    # In a row of a matrix, everything but the name of its run is a number; and no run has two rows.
    names = [line[0] for line in lines]
    repeated = len(set(names)) < len(names) or any(ALL in line[:2] for line in lines)
    words = any(as_number(field) != as_number(field) for field in first[1:-1])
    return Fit.CERTAIN if words or (len(first) == 3 and repeated) else Fit.NO


@score_formats.register(
    "lines",
    sniff=sniff,
    what="lines of trec_eval -q and ir_measures, one file per run, and of AutoJudge's leaderboards; means are skipped",
)
def read(document: Document, _: ScoreReading, problems: Problems) -> Columns | None:
    """Read the names and values; without a column of runs, the run is called as trec_eval says, or like the file."""
    lines = document.lines(problems)
    if lines is None:
        return None
    problems.recognise(document.name)
    report_empty_lines(document.name, lines, problems)
    rows = [(number, line.split()) for number, line in enumerate(lines, 1) if line.strip()]
    roles = _header(rows[0][1])
    rows = rows[1:] if roles else rows
    width = len(roles) if roles else len(rows[0][1])
    for number, fields in rows:
        if len(fields) != width:
            found, what = f"{counted(len(fields), 'field')}: {' '.join(fields)[:60]!r}", f"{width} as in the first line"
            problems.add("columns", found, file=document.name, line=number, column=1, what=what)
    rows = [(number, fields) for number, fields in rows if len(fields) == width]
    run = next((fields[2] for _, fields in rows if fields[:2] == [RUN_ID, ALL]), document.source.stem)
    rows = [(number, fields) for number, fields in rows if fields[0] != RUN_ID or width != 3]
    roles = roles or _layout(document.name, width, [fields for _, fields in rows], problems)
    if roles is None or problems.failed(document.name):
        return None
    values: dict[str, list[str]] = {"run": [run] * len(rows)}
    values |= {role: [fields[at] for _, fields in rows] for at, role in enumerate(roles)}
    return Columns(document.source, values, [number for number, _ in rows], {"long": True})


def _layout(file: str, width: int, rows: Sequence[Sequence[str]], problems: Problems) -> tuple[str, ...] | None:
    """What the columns are, by which of them has topics; None if nothing tells."""
    columns = [{row[at] for row in rows} for at in range(width - 1)]
    topics = [at for at, names in enumerate(columns) if ALL in names]
    topics = topics or [at for at, names in enumerate(columns) if all(map(str.isdecimal, names))]
    if len(topics) == 1:
        return LAYOUTS[width, topics[0]]
    found = f"lines such as {' '.join(rows[0])[:60]!r}" if rows else "no scores"
    what = f"one column of topics, told by the topic {ALL!r} or by numbers"
    names = HEADER if width == 4 else HEADER.removeprefix("run ")
    fix = f"say what the columns are in a first line, in their order, for example: {names}"
    problems.add("format", found, file=file, line=1, what=what, fix=fix)
    return None


def sniff_graded(head: Head) -> Fit:
    """Certain of qrels whose documents have names: the header and rows of a small matrix of numbers look alike."""
    fields = head.first_line.split()
    named = len(fields) == 4 and as_number(fields[2]) != as_number(fields[2])
    return sniff_qrels(head) if named and called(fields[:1]) not in RUN_HEADINGS | UNIT_HEADINGS else Fit.NO


@score_formats.register(
    "qrels", sniff=sniff_graded, what="qrels whose documents are the runs, `topic 0 run grade`: grades of whole answers"
)
def read_qrels(document: Document, _: ScoreReading, problems: Problems) -> Columns | None:
    """Read the grade of each run on each topic."""
    rows = read_grades(document, problems)
    if rows is None:
        return None
    made = [(number, run, topic, "grade", grade) for number, topic, run, grade in rows]
    return Columns.of_rows(document.source, ("run", "unit", "measure", "score"), made, long=True)


@score_formats.register(
    "rag", sniff=has_keys(("qid",), *((name,) for name in SCORES)), what="TREC RAG scores, one file per run: JSON lines"
)
def read_rag(document: Document, _: ScoreReading, problems: Problems) -> Columns | None:
    """Read the six scores of each topic; the run is called like the file."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    problems.recognise(document.name)
    size = len(rows)
    values = {
        "run": [document.source.stem] * (size * len(SCORES)),
        "unit": list(map(cell_text, rows["qid"])) * len(SCORES),
        "measure": [name for name in SCORES for _ in range(size)],
        "score": [score for name in SCORES for score in rows[name]],
    }
    return Columns(document.source, values, [*rows.lines] * len(SCORES), {"long": True})
