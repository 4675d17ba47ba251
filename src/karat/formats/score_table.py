"""Scores in tables: matrices with one row per run and one column per unit, and long tables with one row per score.

In a matrix, a row called `cluster` is not a run: it names the cluster of every unit (its series, its text); a unit
without one is its own cluster. A matrix with one row per unit is read with `transpose`. Karat writes long tables, which
say what the scores are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from karat.align.columns import Columns, cell_text, texts_of
from karat.align.scores import CLUSTER, FEW_ROWS, numbers_in, without_words
from karat.data.provenance import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems, counted
from karat.formats.documents import Document
from karat.formats.registry import answer_formats, match_formats, score_formats
from karat.formats.rows import IDS, INDEX, RUN_NAMES, read_rows
from karat.formats.sniffing import Fit, anything
from karat.formats.wrapped import unwrapped
from karat.formats.writing import write_rows

UNIT_HEADINGS = frozenset(
    "item item_id itemid unit unit_id question question_id qid topic topic_id query query_id pair pair_id pairid uid "
    "example example_id instance instance_id".split()
)
RUN_HEADINGS = frozenset(
    "run run_id system system_id model model_name name team engine method user userid user_id".split()
)
"""Headings of the first column if rows are units, and if they are runs."""
ID_HEADINGS = frozenset("id idx index".split())
"""Headings of units, if there are more rows than columns: a run may have an id too."""
NAMES = frozenset("name user userid user_id".split())
"""Those that may name anything: many rows under them are probably units."""
LONG = {
    "run": (*RUN_NAMES, "runid", "run_tag", "runtag", "team", "method", "engine", "userid", "user_id", "user"),
    "unit": (
        *("unit", "unit_id", "item", "item_id", "question", "question_id", "qid", "topic", "topic_id", "query_id"),
        *("example", "example_id", "instance", "instance_id", "request_id", "narrative_id"),
        *IDS[:-2],
    ),
    "measure": ("measure", "metric", "score_name"),
    "score": ("score", "value", "correct", "is_correct"),
    "judge": ("judge", "judge_id", "assessor", "assessor_id", "annotator", "annotator_id", "rater", "rater_id"),
    "cluster": (CLUSTER,),
}
"""The columns of a long table. `measure`, `judge` and `cluster` may be missing; there may be several scores by other
names; and a file of one run, whose scores are named, may be called like it."""


def write(scores: Scores, suffix: str = "") -> bytes:
    """One row per run and unit, with the name of the score; the score is empty if the unit is not scored."""
    runs, units = len(scores.runs), len(scores.units)
    columns: dict[str, list[Any]] = {
        "run": [run for run in scores.runs for _ in range(units)],
        "unit": [*scores.units] * runs,
        "measure": [scores.measure] * (runs * units),
        "score": [None if value != value else value for value in scores.values.ravel().tolist()],
    }
    if scores.clusters is not None:
        columns[CLUSTER] = [*scores.clusters] * runs
    return write_rows(columns, suffix)


@score_formats.register(
    "table",
    sniff=anything,
    write=write,
    what="one row per run and one column per unit, or one row per run and unit: CSV, JSON, Excel, Parquet",
)
def read(document: Document, reading: ScoreReading, problems: Problems) -> Columns | None:
    """Read the rows: those of a long table, or of a matrix, transposed if the user or the first heading says so."""
    if document.head.json_object and _holds_answers(document, problems):
        return None
    rows = read_rows(document, problems)
    if rows is None:
        return None
    nested = len(rows) == 1 and all(isinstance(column[0], dict) for column in rows.values.values())
    rows = unwrapped(rows)
    long = _long(rows, reading)
    if long is not None or called(list(rows.values)[:1]) in UNIT_HEADINGS | RUN_HEADINGS:
        problems.recognise(document.name)
    if long is not None:
        return long
    rows = _without_notes(rows, problems)
    heading = called(list(rows.values)[:1])
    name = next(iter(rows.values), "")
    told, first = heading in UNIT_HEADINGS, f"called {name}" if heading else "an index of numbers"
    if heading not in UNIT_HEADINGS | RUN_HEADINGS and len(rows) > max(len(rows.values) - 1, FEW_ROWS):
        names = texts_of(rows, name)
        told = heading in ID_HEADINGS or (name in INDEX and (nested or all(map(str.isdecimal, names))))
        first = "the longer side of the object" if nested else first
        if not told and _are_scores(rows.values[name]):
            told, first = True, "one of scores, like the others"
            rows = replace(rows, values={"": list(map(str, range(len(rows)))), **rows.values})
    if told and not reading.transpose:
        runs = len(rows.values) - 1 - (CLUSTER in rows.values)
        found = f"{counted(len(rows), 'unit')} (rows) × {counted(runs, 'run')} (columns)"
        problems.add("transposed", found, file=document.name, line=1, heading=first)
    if told or reading.transpose:
        return _transposed(rows, problems)
    return replace(rows, facts={"settled": heading in RUN_HEADINGS - NAMES})


def _holds_answers(document: Document, problems: Problems) -> bool:
    """Refuse what has to be scored first: numbers in it, such as the length of an answer, would pass for scores."""
    for formats, name, found, how in (
        (match_formats, "nuggetizer", "nuggets of answers", "karat nuggets NUGGETS FILE (or meta --nuggets NUGGETS)"),
        (answer_formats, "rag", "answers", "karat support JUDGMENTS FILE"),
    ):
        if formats[name].facts["sniff"](document.head) is not Fit.NO:
            problems.recognise(document.name)
            fix = f"score them first, with --scores-out: {how}"
            problems.add("format", found, file=document.name, what="scores", fix=fix)
            return True
    return False


def _long(rows: Columns, reading: ScoreReading) -> Columns | None:
    """The columns of a long table, by their usual names; None if it is none.

    If no column is called score, all that contain numbers, or words for right and wrong, are scores by their own names.
    """
    names = {called([name]): name for name in rows.values}
    found = {role: next((names[name] for name in usual if name in names), None) for role, usual in LONG.items()}
    run, unit, score = found["run"], found["unit"], found["score"]
    if unit is None or (run is None and None in (score, found["measure"])):
        return None
    named_by = {role: name for role, name in found.items() if name is not None and role != "score"}
    values: dict[str, Any] = {role: texts_of(rows, name) for role, name in named_by.items()}
    values.setdefault("run", [rows.source.stem] * len(rows))
    if score is not None and reading.score not in rows.values:
        values["score"] = rows.values[score]
        return Columns(rows.source, values, rows.lines, {"long": True})
    known = [found[role] for role in ("run", "unit", "measure", "judge", "cluster")]
    others = [name for name in rows.values if name not in known]
    named = [name for name in others if any(map(cell_text, rows.values[name])) and not numbers_in(rows.values[name])[1]]
    if not named or len(set(values["run"])) == len(rows):  # a row for each run is a matrix
        return None
    kept: dict[str, Any] = {
        role: values[role] * len(named) for role in ("run", "unit", "judge", "cluster") if role in values
    }
    kept["measure"] = [name for name in named for _ in range(len(rows))]
    scores = (one for name in named for one in numbers_in(rows.values[name])[0].tolist())
    kept["score"] = [None if one != one else one for one in scores]
    return Columns(rows.source, kept, [*rows.lines] * len(named), {"long": True})


def _without_notes(rows: Columns, problems: Problems) -> Columns:
    """The matrix without columns in which nothing is a number, if everything in the others is one."""
    names = [name for name in list(rows.values)[1:] if name != CLUSTER]
    odd = {name: numbers_in(rows.values[name])[1] for name in names}
    notes = [name for name in names if odd[name] and len(odd[name]) == sum(map(bool, texts_of(rows, name)))]
    rest = [name for name in names if name not in notes]
    if not notes or len(rows) < 2 or not rest or any(odd[name] for name in rest):
        return rows
    problems.recognise(rows.file)
    found = f"{counted(len(notes), 'column')} of texts: {', '.join(notes)}"
    problems.add("notes", found, file=rows.file, line=1)
    return replace(rows, values={name: cells for name, cells in rows.values.items() if name not in notes})


def _are_scores(cells: Sequence[Any]) -> bool:
    """Whether what should name rows are numbers that cannot: some are there twice, or are not whole."""
    names = list(map(cell_text, cells))
    whole = all(map(str.isdecimal, names)) and len(set(names)) == len(names)
    return all(names) and not whole and not numbers_in(cells)[1]


def _transposed(rows: Columns, problems: Problems) -> Columns:
    """The transposed matrix; a column `cluster` becomes the row of that name."""
    name, *runs = rows.values or [""]
    columns: dict[str, list[Any]] = {"": list(runs)}
    scores = {run: rows.values[run] if run == CLUSTER else without_words(rows.values[run]) for run in runs}
    for row, cell in enumerate(rows.values.get(name, [])):
        unit = cell_text(cell)
        if not unit:
            rows.report(problems, "no-id", "a row without the name of its unit", row)
        elif unit in columns:
            rows.report(problems, "duplicate-id", f"unit {unit!r} again", row)
        columns.setdefault(unit, [scores[run][row] for run in runs])
    return Columns(rows.source, columns, [None] * len(runs), {"settled": True})


def called(header: Sequence[str]) -> str:
    """A heading as the usual names are spelled."""
    return "".join(header).strip().casefold().replace(" ", "_").replace("-", "_")
