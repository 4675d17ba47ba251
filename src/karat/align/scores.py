"""Scores from the columns of files: one matrix from several files and judges; every problem is reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from karat.align.columns import MAX_TABLE_CELLS, Columns, as_numbers, cell_text, first_in, report_same_runs, text_of
from karat.arrays import Floats
from karat.data.provenance import ScoreReading
from karat.data.scores import RagMetrics, Scores
from karat.errors import Problems, counted

CLUSTER = "cluster"
"""The row, or column, that names clusters."""
ALL = "all"
"""What programs of TREC call the unit of a mean over all units, which is no unit."""
TRUTH = dict.fromkeys("true correct right yes pass passed".split(), 1)
TRUTH |= dict.fromkeys("false incorrect wrong no fail failed".split(), 0)
"""Right and wrong in words, which are scores if a column contains nothing else."""
FEW_ROWS = 20
"""If there are more rows than this, and more than columns, they are probably units."""
MOST_COMPARED = 1000
"""With more runs, a study that compares each with every other would not finish."""


def align_scores(files: Iterable[Columns], reading: ScoreReading, measure: str, problems: Problems) -> Scores | None:
    """The scores of all files, by one judge; None if there are none."""
    found = scores_by_judge(files, reading, measure, problems)
    if len(found) > 1:
        who, what = f"scores by {', '.join(map(repr, found))}", "one score per run and unit"
        problems.add("which-judge", who, file=next(iter(found.values())).sources[0].name, what=what)
    return next(iter(found.values()), None)


def align_judges(
    files: Iterable[tuple[str, Iterable[Columns]]], reading: ScoreReading, problems: Problems
) -> dict[str, Scores]:
    """The scores by each judge, from the columns of files or folders and their names, which unnamed judges get."""
    found: dict[str, Scores] = {}
    for stem, columns in files:
        for judge, scores in scores_by_judge(columns, reading, "", problems).items():
            name = judge or stem
            if name in found:
                problems.add("duplicate-judge", f"scores by {name!r} again", file=scores.sources[0].name)
            found[name] = scores
    return found


def scores_by_judge(
    files: Iterable[Columns], reading: ScoreReading, measure: str, problems: Problems
) -> dict[str, Scores]:
    """The scores of all files by their judge; the name is empty for files that do not name it."""
    parts: dict[str, list[Scores]] = {}
    first: dict[str, str] = {}
    for columns in files:
        for judge, rows in _judges(columns).items():
            part = _matrix(rows, reading, problems)
            if part is not None:
                part = _by_documents(part, rows.facts.get("documents") or {}, first, problems)
                parts.setdefault(judge, []).append(part)
    joined = {judge: _joined(some, problems) for judge, some in parts.items()}
    for scores in joined.values():
        none = np.flatnonzero(np.isnan(scores.values).all(axis=0)).tolist()
        if none and scores.runs:
            found = f"{counted(len(none), 'unit')} without a score of any run, first {scores.units[none[0]]!r}"
            problems.add("no-score", found, file=scores.sources[0].name)
    return {judge: replace(scores, measure=measure or measure_of(scores)) for judge, scores in joined.items()}


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


def _matrix(rows: Columns, reading: ScoreReading, problems: Problems) -> Scores | None:
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
        values[:, place], bad = numbers_in(cells if len(scored) == len(cells) else [cells[row] for row in scored])
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
    if not rows.facts.get("settled") and len(names) > max(len(units), FEW_ROWS):
        code = "units-as-rows" if len(names) <= MOST_COMPARED else "too-many-runs"
        problems.add(
            code, f"{counted(len(names), 'run')} (rows) × {counted(len(units), 'unit')} (columns)", file=rows.file
        )
    return Scores(names, tuple(units), values, "", clusters, (rows.source,), reading=reading)


def _of_long(rows: Columns, reading: ScoreReading, problems: Problems) -> Scores | None:
    """The matrix of one score; a unit that a run has no row for is not scored."""
    if reading.transpose:
        what, fix = "a matrix, which --transpose applies to", "leave --transpose out"
        problems.add("format", "one row per run and unit", file=rows.file, what=what, fix=fix)
    run_of, unit_of, measure_of, score_of = (rows[role] for role in ("run", "unit", "measure", "score"))
    means = ALL in unit_of and len(set(unit_of)) > 1
    single = [row for row, unit in enumerate(unit_of) if unit != ALL] if means else range(len(rows))
    names = list(dict.fromkeys(measure_of[row] for row in single)) if "measure" in rows.values else []
    chosen = _chosen(names, rows, reading, problems)
    if problems.failed(rows.file):
        return None
    kept = [row for row in single if measure_of[row] == chosen] if names else list(single)
    runs, units = (
        {name: place for place, name in enumerate(dict.fromkeys(column[row] for row in kept))}
        for column in (run_of, unit_of)
    )
    if len(runs) * len(units) > MAX_TABLE_CELLS:
        found = f"{len(runs):,} runs × {len(units):,} units"
        problems.add("too-large", found, file=rows.file, limit=f"{MAX_TABLE_CELLS:,} scores")
        return None
    numbers, bad = numbers_in([score_of[row] for row in kept])
    for place in bad:
        row = kept[place]
        found = f"score {text_of(score_of[row])!r} of run {run_of[row]!r} on unit {unit_of[row]!r}"
        rows.report(problems, "score", found, row)
    cells = np.array([runs[run_of[row]] * len(units) + units[unit_of[row]] for row in kept], dtype=np.int64)
    values = np.full(len(runs) * len(units), np.nan)
    values[cells] = numbers
    if "" in runs or "" in units or len(np.unique(cells)) < len(cells):
        _report_cells(rows, kept, problems)
    if not kept and not problems.failed(rows.file):
        problems.add("empty-file", "no scores", file=rows.file, what="one row per run and unit")
    problems.recognise(rows.file)
    clusters = _clusters(rows, kept, problems) if any(rows["cluster"]) else None
    if problems.failed(rows.file):
        return None
    named = None if clusters is None else tuple(map(clusters.get, units))
    table = values.reshape(len(runs), len(units))
    return Scores(tuple(runs), tuple(units), table, chosen or "", named, (rows.source,), reading=reading)


def _report_cells(rows: Columns, kept: Sequence[int], problems: Problems) -> None:
    """Report scores without a run or a unit, and those of a run on a unit that has one."""
    first: dict[tuple[str, str], int | None] = {}
    for row in kept:
        run, unit = rows["run"][row], rows["unit"][row]
        if not run or not unit:
            rows.report(problems, "no-id", f"a score without its {'unit' if run else 'run'}", row)
        elif (run, unit) in first:
            found = f"unit {unit!r} of run {run!r} again{first_in(first[run, unit])}"
            rows.report(problems, "duplicate-id", found, row)
        first.setdefault((run, unit), rows.lines[row])


def _chosen(names: Sequence[str], rows: Columns, reading: ScoreReading, problems: Problems) -> str | None:
    """The score that is asked for, or the only one; files may call it differently, if all names are given."""
    if reading.score is None and len(names) < 2:
        return names[0] if names else None
    if reading.score is None:
        found = f"scores called {', '.join(names)}"
        what, fix = "one score per run and unit", f"choose one: --score NAME, for example --score {names[0]}"
        problems.add("which-score", found, file=rows.file, what=what, fix=fix)
        return None
    asked = [reading.score] if reading.score in names else [name.strip() for name in reading.score.split(",")]
    there = [name for name in names if name in asked]
    if len(there) == 1:
        return there[0]
    found = f"scores called {', '.join(names)}" if names else "scores without names"
    what = f"only one of {' and '.join(map(repr, there))}" if there else f"a score called {reading.score!r}"
    fix = "choose one that is there" if names else "leave --score out"
    problems.add("which-score", found, file=rows.file, what=what, fix="choose one of them" if there else fix)
    return None


def _clusters(rows: Columns, kept: Sequence[int], problems: Problems) -> dict[str, str | None]:
    """The cluster of each unit, which is the same in every row."""
    found: dict[str, str | None] = {}
    units, clusters = rows["unit"], rows["cluster"]
    for row in kept:
        unit, name = units[row], clusters[row] or None
        if found.setdefault(unit, name) != name:
            what, fix = f"{found[unit] or ''!r} as in a row before it", "correct one of the two"
            rows.report(problems, "format", f"cluster {name or ''!r} of unit {unit!r}", row, what=what, fix=fix)
    return found


def measure_of(scores: Scores) -> str:
    """What the mean of scores is called: other than of right and wrong, only the file knows; clusters have means."""
    right_or_wrong = scores.clusters is None and np.isin(scores.values[~np.isnan(scores.values)], (0, 1)).all()
    return scores.measure or ("accuracy" if right_or_wrong else "mean score")


def numbers_in(cells: Sequence[Any]) -> tuple[Floats, list[int]]:
    """The scores of a unit, NaN if empty, and the rows whose cells are neither."""
    values = as_numbers(cells := without_words(cells))
    odd = np.flatnonzero(~np.isfinite(values)).tolist()
    values[odd] = np.nan
    return values, [row for row in odd if cell_text(cells[row])]


def without_words(cells: Sequence[Any]) -> Sequence[Any]:
    """Cells with 1 and 0 for right and wrong: in JSON and Parquet, or in words if there is nothing else."""
    if bool in (kinds := set(map(type, cells))):
        return [int(cell) if isinstance(cell, bool) else cell for cell in cells]
    words = [cell_text(cell).casefold() for cell in cells] if str in kinds else []
    if words and all(word in TRUTH or not word for word in words):
        return [TRUTH.get(word, cell) for word, cell in zip(words, cells, strict=True)]
    return cells


def make_rag_metrics(rows: Columns, problems: Problems) -> RagMetrics | None:
    """Stored scores of one run: every topic must occur once, with scores from 0 to 1."""
    names = [name for name in rows.values if name != "qid"]
    found_at: dict[str, int] = {}
    for row, value in enumerate(rows["qid"]):
        unit = cell_text(value)
        if unit in found_at:
            rows.report(problems, "duplicate-id", f"topic {unit!r} again", row)
        found_at.setdefault(unit, row)
        for name in names:
            if not _is_score(rows[name][row]):
                rows.report(problems, "score", f"{name} {text_of(rows[name][row])!r} of topic {unit!r}", row)
    if problems.failed(rows.file):
        return None
    mean = found_at.pop(ALL, None)
    return RagMetrics(
        units=tuple(found_at),
        scores={name: np.array([rows[name][row] for row in found_at.values()], np.float64) for name in names},
        means={} if mean is None else {name: float(rows[name][mean]) for name in names},
        source=rows.source,
    )


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
