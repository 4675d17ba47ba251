"""Scores: matrices with one row per run and one column per unit, and long tables with one row per run and unit.

A row called `cluster` is not a run: it names the cluster of every unit (its series, its text); a unit without one is
its own cluster. A matrix with one row per unit is read with `transpose`. Several files are joined by their units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from karat.align.columns import (
    Columns,
    as_numbers,
    cell_text,
    first_in,
    report_same_runs,
    text_of,
    texts_of,
)
from karat.arrays import Floats
from karat.data.judgments import Judgments
from karat.data.parameters import checked, takes
from karat.data.provenance import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems, UsageError, counted
from karat.formats.documents import Document, FilePath, FilePaths, read_documents
from karat.formats.parquet import MAX_TABLE_CELLS
from karat.formats.registry import anything, read_columns, score_formats, without_errors, write_file
from karat.formats.rows import IDS, read_rows, write_rows

CLUSTER = "cluster"
"""The row that names clusters."""
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
TRUTH = dict.fromkeys("true correct right yes pass passed".split(), 1)
TRUTH |= dict.fromkeys("false incorrect wrong no fail failed".split(), 0)
"""Right and wrong in words, which are scores if a column contains nothing else."""
FEW_ROWS = 20
"""If there are more rows than this, and more than columns, they are probably units."""
MOST_COMPARED = 1000
"""With more runs, a study that compares each with every other would not finish."""


LONG = {
    "run": ("run", "run_id", "system", "system_id", "model", "model_name", "model_id"),
    "unit": (
        *("unit", "unit_id", "item", "item_id", "question", "question_id", "qid", "topic", "topic_id"),
        *("example", "example_id", "instance", "instance_id"),
        *IDS[:-2],
    ),
    "measure": ("measure", "metric", "score_name"),
    "score": ("score", "value", "correct", "is_correct"),
    "judge": ("judge", "judge_id", "assessor", "assessor_id", "annotator", "annotator_id", "rater", "rater_id"),
}
"""The columns of a long table; `measure` and `judge` may be missing, and there may be several scores by other names."""


@takes(ScoreReading)
def read_scores(paths: FilePaths, reading: ScoreReading, measure: str = "") -> Scores:
    """Scores from files or folders: matrices, long tables, or logs of evaluation harnesses.

    A matrix has one row per run, named in the first column, and one column per unit; empty cells are not scored, and
    neither are the units that only other files have. The measure is what the mean over units is called: by default
    the score's name in the file, else accuracy if every score is 0 or 1, as of answers that are right or wrong, else
    mean score.
    """
    problems = Problems()
    found = _by_judge(paths, reading, measure, problems)
    if len(found) > 1:
        who, what = f"scores by {', '.join(map(repr, found))}", "one score per run and unit"
        problems.add("which-judge", who, file=next(iter(found.values())).sources[0].name, what=what)
    return without_errors(next(iter(found.values()), None), problems)


@takes(ScoreReading)
def read_judgments(paths: FilePaths, reading: ScoreReading) -> Judgments:
    """Scores of the same runs by several judges: a file or folder per judge, or one table with a column `judge`.

    A file or folder that does not name its judge is called by its own name. The first judge is the reference.
    """
    problems, found = Problems(), dict[str, Scores]()
    for path in [paths] if isinstance(paths, str | PathLike) else paths:
        for judge, scores in _by_judge([path], reading, "", problems).items():
            name = judge or Path(path).stem
            if name in found:
                problems.add("duplicate-judge", f"scores by {name!r} again", file=scores.sources[0].name)
            found[name] = scores
    problems.raise_errors()
    return without_errors(Judgments.of(found), problems)


def _by_judge(paths: FilePaths, reading: ScoreReading, measure: str, problems: Problems) -> dict[str, Scores]:
    """The scores of all files by their judge; the name is empty for files that do not name it."""
    parts: dict[str, list[Scores]] = {}
    first: dict[str, str] = {}
    for document in read_documents(paths, problems, scored=True):
        columns = read_columns(score_formats, document, problems, reading=reading)
        for judge, rows in {} if columns is None else _judges(columns).items():
            part = _scores(rows, reading, problems)
            if part is not None:
                part = _by_documents(part, rows.facts.get("documents") or {}, first, problems)
                parts.setdefault(judge, []).append(part)
    joined = {judge: _joined(some, problems) for judge, some in parts.items()}
    for scores in joined.values():
        none = np.flatnonzero(np.isnan(scores.values).all(axis=0)).tolist()
        if none and scores.runs:
            found = f"{counted(len(none), 'unit')} without a score of any run, first {scores.units[none[0]]!r}"
            problems.add("no-score", found, file=scores.sources[0].name)
    return {judge: replace(scores, measure=measure or _measure(scores)) for judge, scores in joined.items()}


def _judges(columns: Columns) -> dict[str, Columns]:
    """The rows of each judge of a long table; anything else whole, under an empty name."""
    if "judge" not in columns.values or not columns.facts.get("long"):
        return {"": columns}
    rows: dict[str, list[int]] = {}
    for row, judge in enumerate(columns["judge"]):
        rows.setdefault(judge, []).append(row)
    return {judge: columns.of_rows_at(some) for judge, some in rows.items()}


def _by_documents(part: Scores, asked: Mapping[str, str], first: dict[str, str], problems: Problems) -> Scores:
    """The scores of a log with its units called as in the logs before it; other documents by the same ids are refused.

    Harnesses number the documents of a task, so that an id says nothing about which document it is.
    """
    differ = [unit for unit in part.units if unit in asked and first.get(unit, asked[unit]) != asked[unit]]
    known = {document: unit for unit, document in first.items()}
    if (
        differ
        and len(known) == len(first) == len(part.units)
        and {asked.get(unit) for unit in part.units} == set(known)
    ):
        return replace(part, units=tuple(known[asked[unit]] for unit in part.units))
    if differ:
        name = part.sources[0].name
        found = f"{len(differ):,} of {len(part.units):,} samples are other documents than in the log before it"
        found += f" (first: sample {differ[0]!r})"
        fix = "compare runs of one task, version and split: logs number the documents, so that ids alone say nothing"
        problems.add("log", found, file=name, what="the same documents by the same ids", fix=fix)
    for unit, document in asked.items():
        first.setdefault(unit, document)
    return part


def _measure(scores: Scores) -> str:
    """What scores other than right and wrong are, only the file knows; nor those of clusters, which are means."""
    right_or_wrong = scores.clusters is None and np.isin(scores.values[~np.isnan(scores.values)], (0, 1)).all()
    return scores.measure or ("accuracy" if right_or_wrong else "mean score")


def _joined(parts: Sequence[Scores], problems: Problems) -> Scores:
    """The scores of all files by the names of their units; the name of the score stays if all have it."""
    if len(parts) == 1:
        return parts[0]
    report_same_runs([(part.runs, part.sources[0].name) for part in parts], problems)
    units = tuple(dict.fromkeys(unit for part in parts for unit in part.units))
    place = {unit: number for number, unit in enumerate(units)}
    clusters: dict[str, str | None] = {}
    rows = []
    for part in parts:
        values = np.full((len(part.runs), len(units)), np.nan)
        values[:, [place[unit] for unit in part.units]] = part.values
        rows.append(values)
        for unit, name in zip(part.units, part.clusters or (), strict=False):
            if clusters.setdefault(unit, name) != name:
                found, what = f"cluster {name!r} of unit {unit!r}", f"{clusters[unit]!r} as in another file"
                fix = "correct one of the two"
                problems.add("format", found, file=part.sources[0].name, what=what, fix=fix)
    return replace(
        parts[0],
        runs=tuple(run for part in parts for run in part.runs),
        units=units,
        values=np.concatenate(rows),
        measure=parts[0].measure if len({part.measure for part in parts}) == 1 else "",
        clusters=tuple(map(clusters.get, units)) if clusters else None,
        sources=tuple(source for part in parts for source in part.sources),
    )


def write(scores: Scores, suffix: str = "") -> bytes:
    """One row per run and one column per unit, empty if not scored; clusters are a row of their own."""
    clusters = scores.clusters
    if CLUSTER in scores.runs:
        raise UsageError(f"a run called {CLUSTER!r} would be read as the clusters of the units: rename it")
    if "run" in scores.units:
        raise UsageError("a unit called 'run' would be read as the runs' names: rename it")
    columns: dict[str, list[Any]] = {"run": [*([] if clusters is None else [CLUSTER]), *scores.runs]}
    as_text = suffix == ".parquet"  # a column has one type, and names of clusters are texts
    for place, unit in enumerate(scores.units):
        cells: list[Any] = [None if value != value else value for value in scores.values[:, place].tolist()]
        if clusters is not None:
            cells = [clusters[place], *(str(cell) if as_text and cell is not None else cell for cell in cells)]
        columns[unit] = cells
    return write_rows(columns, suffix)


@score_formats.register(
    "table",
    sniff=anything,
    write=write,
    what="one row per run and one column per unit, or one row per run and unit: CSV, JSON, Excel, Parquet",
)
def read(document: Document, reading: ScoreReading, problems: Problems) -> Columns | None:
    """Read the rows: those of a long table, or of a matrix, transposed if the user or the first heading says so."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    long = _long(rows, reading)
    if long is not None or _called(list(rows.values)[:1]) in UNIT_HEADINGS | RUN_HEADINGS:
        problems.recognise(document.name)
    if long is not None:
        return long
    heading = _called(list(rows.values)[:1])
    told = heading in UNIT_HEADINGS or (heading in ID_HEADINGS and len(rows) > max(len(rows.values) - 1, FEW_ROWS))
    if told and not reading.transpose:
        found = f"{counted(len(rows), 'unit')} (rows) × {counted(len(rows.values) - 1, 'run')} (columns)"
        problems.add("transposed", found, file=document.name, line=1, heading=next(iter(rows.values)))
    return _transposed(rows, problems) if told or reading.transpose else rows


def _long(rows: Columns, reading: ScoreReading) -> Columns | None:
    """The columns of a long table, by their usual names; None if it is none.

    If no column is called score, all that contain numbers, or words for right and wrong, are scores by their own names.
    """
    called = {_called([name]): name for name in rows.values}
    found = {role: next((called[name] for name in names if name in called), None) for role, names in LONG.items()}
    run, unit, score = found["run"], found["unit"], found["score"]
    if run is None or unit is None:
        return None
    values: dict[str, Any] = {role: texts_of(rows, name) for role, name in found.items() if name is not None}
    if score is not None and reading.score not in rows.values:
        values["score"] = rows.values[score]
        return Columns(rows.source, values, rows.lines, {"long": True})
    others = [name for name in rows.values if name not in (run, unit, found["measure"], found["judge"])]
    named = [name for name in others if any(map(cell_text, rows.values[name])) and not _numbers(rows.values[name])[1]]
    if not named or len(set(values["run"])) == len(rows):  # a row for each run is a matrix
        return None
    values = {role: values[role] * len(named) for role in ("run", "unit", "judge") if role in values}
    values["measure"] = [name for name in named for _ in range(len(rows))]
    values["score"] = [None if one != one else one for name in named for one in _numbers(rows.values[name])[0].tolist()]
    return Columns(rows.source, values, [*rows.lines] * len(named), {"long": True})


def _of_long(rows: Columns, reading: ScoreReading, problems: Problems) -> Scores | None:
    """The matrix of one score; a unit that a run has no row for is not scored."""
    if reading.transpose:
        what, fix = "a matrix, which --transpose applies to", "leave --transpose out"
        problems.add("format", "one row per run and unit", file=rows.file, what=what, fix=fix)
    names = list(dict.fromkeys(rows.get("measure") or ()))
    chosen = reading.score if reading.score is not None else names[0] if len(names) == 1 else None
    if len(names) > 1 and chosen is None:
        found = f"scores called {', '.join(names)}"
        what, fix = "one score per run and unit", f"choose one: --score NAME, for example --score {names[0]}"
        problems.add("which-score", found, file=rows.file, what=what, fix=fix)
    elif chosen is not None and chosen not in names:
        found = f"scores called {', '.join(names)}" if names else "scores without names"
        fix = "choose one that is there" if names else "leave --score out"
        problems.add("which-score", found, file=rows.file, what=f"a score called {chosen!r}", fix=fix)
    if problems.failed(rows.file):
        return None
    kept = [row for row, name in enumerate(rows["measure"]) if not names or name == chosen]
    runs, units = (
        {name: place for place, name in enumerate(dict.fromkeys(rows[role][row] for row in kept))}
        for role in ("run", "unit")
    )
    if len(runs) * len(units) > MAX_TABLE_CELLS:
        found = f"{len(runs):,} runs × {len(units):,} units"
        problems.add("too-large", found, file=rows.file, limit=f"{MAX_TABLE_CELLS:,} scores")
        return None
    numbers, bad = _numbers([rows["score"][row] for row in kept])
    for place in bad:
        row = kept[place]
        found = f"score {text_of(rows['score'][row])!r} of run {rows['run'][row]!r} on unit {rows['unit'][row]!r}"
        rows.report(problems, "score", found, row)
    values = np.full((len(runs), len(units)), np.nan)
    first: dict[tuple[str, str], int | None] = {}
    for row, number in zip(kept, numbers.tolist(), strict=True):
        run, unit = rows["run"][row], rows["unit"][row]
        if not run or not unit:
            rows.report(problems, "no-id", f"a score without its {'unit' if run else 'run'}", row)
        elif (run, unit) in first:
            found = f"unit {unit!r} of run {run!r} again{first_in(first[run, unit])}"
            rows.report(problems, "duplicate-id", found, row)
        first.setdefault((run, unit), rows.lines[row])
        values[runs[run], units[unit]] = number
    if not kept and not problems.failed(rows.file):
        problems.add("empty-file", "no scores", file=rows.file, what="one row per run and unit")
    if problems.failed(rows.file):
        return None
    problems.recognise(rows.file)
    return Scores(tuple(runs), tuple(units), values, chosen or "", None, (rows.source,), reading=reading)


def _scores(rows: Columns, reading: ScoreReading, problems: Problems) -> Scores | None:
    """The matrix; every row has a unique name, and every cell is a number or empty."""
    if problems.failed(rows.file):
        return None
    if rows.facts.get("long"):
        return _of_long(rows, reading, problems)
    if reading.score is not None:
        what, fix = f"a score called {reading.score!r}", "leave --score out, or give a long table or a log"
        problems.add("which-score", "a matrix, whose scores have no names", file=rows.file, what=what, fix=fix)
        return None
    name, *units = rows.values or [""]
    runs = [cell_text(value) for value in rows.values.get(name, [])]
    if not set(runs) - {CLUSTER} or not units:
        problems.add("empty-file", "no scores", file=rows.file, what="one row per run and one column per unit")
        return None
    met: set[str] = set()
    for row, run in enumerate(runs):
        if not run:
            rows.report(problems, "run-line", "a row without a name", row, what="the run's name in the first column")
        elif run in met:
            rows.report(problems, "duplicate-run", f"a run {run!r} again", row)
        met.add(run)
    scored = [row for row, run in enumerate(runs) if run != CLUSTER]
    values = np.full((len(scored), len(units)), np.nan)
    for place, unit in enumerate(units):
        cells = rows.values[unit]
        values[:, place], bad = _numbers(cells if len(scored) == len(cells) else [cells[row] for row in scored])
        if len(bad) < len(scored):
            problems.recognise(rows.file)
        for row in (scored[one] for one in bad):
            found = f"score {text_of(cells[row])!r} of run {runs[row]!r} on unit {unit!r}"
            rows.report(problems, "score", found, row)
    if problems.failed(rows.file):
        return None
    clusters = None
    if len(scored) < len(runs):
        named = [cell_text(rows.values[unit][runs.index(CLUSTER)]) for unit in units]
        clusters = tuple(name or None for name in named) if any(named) else None
    names = tuple(runs[row] for row in scored)
    settled = rows.facts.get("transposed") or _called([name]) in RUN_HEADINGS - NAMES
    if not settled and len(names) > max(len(units), FEW_ROWS):
        code = "units-as-rows" if len(names) <= MOST_COMPARED else "too-many-runs"
        problems.add(
            code, f"{counted(len(names), 'run')} (rows) × {counted(len(units), 'unit')} (columns)", file=rows.file
        )
    return Scores(names, tuple(units), values, "", clusters, (rows.source,), reading=reading)


def _transposed(rows: Columns, problems: Problems) -> Columns:
    """The transposed matrix; a column `cluster` becomes the row of that name."""
    name, *runs = rows.values or [""]
    columns: dict[str, list[Any]] = {"": list(runs)}
    scores = {run: rows.values[run] if run == CLUSTER else _without_words(rows.values[run]) for run in runs}
    for row, cell in enumerate(rows.values.get(name, [])):
        unit = cell_text(cell)
        if not unit:
            rows.report(problems, "no-id", "a row without the name of its unit", row)
        elif unit in columns:
            rows.report(problems, "duplicate-id", f"unit {unit!r} again", row)
        columns.setdefault(unit, [scores[run][row] for run in runs])
    return Columns(rows.source, columns, [None] * len(runs), {"transposed": True})


def _called(header: Sequence[str]) -> str:
    return "".join(header).strip().casefold().replace(" ", "_").replace("-", "_")


def _without_words(cells: Sequence[Any]) -> Sequence[Any]:
    """Cells with 1 and 0 for right and wrong: in JSON and Parquet, or in words if there is nothing else."""
    if bool in (kinds := set(map(type, cells))):
        return [int(cell) if isinstance(cell, bool) else cell for cell in cells]
    words = [cell_text(cell).casefold() for cell in cells] if str in kinds else []
    if words and all(word in TRUTH or not word for word in words):
        return [TRUTH.get(word, cell) for word, cell in zip(words, cells, strict=True)]
    return cells


def _numbers(cells: Sequence[Any]) -> tuple[Floats, list[int]]:
    """The scores of a unit, NaN if empty, and the rows whose cells are neither."""
    values = as_numbers(cells := _without_words(cells))
    odd = np.flatnonzero(~np.isfinite(values)).tolist()
    values[odd] = np.nan
    return values, [row for row in odd if cell_text(cells[row])]


@checked
def write_scores(scores: Scores, path: FilePath) -> None:
    """Write a score matrix: one row per run, one column per unit, empty if not scored; clusters are a separate row."""
    write_file(score_formats["table"], path, scores)
