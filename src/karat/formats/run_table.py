"""Runs as tables with named columns: CSV, TSV, JSON, Excel, Parquet; one table may contain several runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from karat.align.columns import (
    Columns,
    cell_text,
    find_column,
    has_probabilities,
    is_answer,
    text_of,
    texts_of,
    with_usual_names,
)
from karat.data.provenance import TEXTS, Reading
from karat.data.responses import Responses
from karat.errors import Problems, UsageError
from karat.formats.answer_columns import EITHER, GOLD, RunInTable, names_a_run, opened, runs_in
from karat.formats.documents import Document, Head
from karat.formats.label_columns import REFERENCE, refers
from karat.formats.pair_table import (
    LAYOUT,
    both_texts,
    named_in,
    places_in_runs,
    run_column_of,
)
from karat.formats.probabilities import (
    labels_of,
    likeliest,
    read_probabilities,
)
from karat.formats.registry import run_formats
from karat.formats.rows import IDS, INDEX, RUN_NAMES, in_line, only_numbers_rows, read_rows
from karat.formats.sniffing import Fit
from karat.formats.wrapped import unwrapped
from karat.formats.writing import write_rows
from karat.labels import Spellings, is_code

COLUMN_NAMES: dict[str, tuple[str, ...]] = {
    "id": IDS,
    "confidence": ("confidence", "score", "probability"),
    "weight": ("weight",),
    "justification": ("justification", "explanation"),
}
NUMBER = re.compile(r"[+-]?[\d.,]+")
FEWEST_BY_ID = 2
"""An object with fewer labels is a row, not a run by id."""


def sniff(head: Head) -> Fit:
    """Certain of a column of ids and a column of labels; columns of other names may contain labels too."""
    if head.is_parquet:
        return Fit.CERTAIN
    labelled = not head.fields.isdisjoint(EITHER) or any(is_answer(name) for name in head.fields)
    labelled |= has_probabilities(head.fields)
    with_ids = not head.fields.isdisjoint(IDS)
    if labelled and with_ids:
        return Fit.CERTAIN
    spelled, delimiter = Spellings(), head.delimiter
    first, second = (
        any(spelled[cell] for cell in line.split(delimiter)) for line in (head.first_line, head.second_line)
    )
    named = not any(NUMBER.fullmatch(cell.strip()) for cell in head.first_line.split(delimiter))  # numbers are no names
    other = delimiter in head.first_line and named and second and not first
    return Fit.POSSIBLE if labelled or other or head.json_object or head.is_zip else Fit.NO


def write(responses: Responses, run: int, suffix: str = ".jsonl") -> bytes:
    """A run as rows, with confidence and justification if it has them."""
    answers, info = responses.runs[run], responses.runs[run].info
    if info.ranked_by and not info.numeric:
        raise UsageError(f"{info.name} is ranked by the order of its lines, which a table does not keep: write .txt")
    units = [u for u in sorted(range(len(responses.key)), key=answers.position.__getitem__) if answers.codes[u] >= 0]
    columns: dict[str, Sequence[Any]] = {
        "id": [responses.key.ids[unit] for unit in units],
        "label": [info.way.labels[answers.codes[unit]] for unit in units],
    }
    if answers.probabilities is not None:
        columns["prediction"] = columns.pop("label")  # beside probabilities, `label` would be the key
        for at, label in enumerate(info.way.labels):
            columns[f"p_{label.lower()}"] = [float(answers.probabilities[unit, at]) for unit in units]
    elif answers.confidence is not None:
        columns["confidence"] = [float(answers.confidence[unit]) for unit in units]
    if answers.weights is not None:
        columns["weight"] = [float(answers.weights[unit]) for unit in units]
    if answers.justifications is not None:
        columns["justification"] = [answers.justifications[unit] for unit in units]
    return write_rows(columns, suffix)


@run_formats.register("table", sniff=sniff, write=write, what="CSV, TSV, JSON, Excel or Parquet with named columns")
def read(document: Document, reading: Reading, problems: Problems) -> Columns | None:
    """Read the columns named by the user, or else by common names; a table may contain several runs.

    They are told apart by a column `run`: the file's own, or the names of the columns of answers, whose rows then
    follow one another.
    """
    rows = read_rows(document, problems)
    if rows is None:
        return None
    texts = [name for role in TEXTS for name in getattr(LAYOUT, role)]
    usual = [name for names in COLUMN_NAMES.values() for name in names] + [*GOLD, *RUN_NAMES, *texts]
    rows = with_usual_names(opened(_by_id(unwrapped(rows), reading)), usual, named_in(reading))
    found: dict[str, str] = {}
    for role, names in COLUMN_NAMES.items():
        name = find_column(rows, role, names, problems, "--run-column", reading.run_column, needed=False)
        if name is not None:
            found[role] = name
    runs = runs_in(rows, document.of_key, set(found.values()), reading, problems)
    if not runs or problems.failed(rows.file):
        return None
    used = {name for run in runs for name in run.columns} | set(found.values())
    facts: dict[str, Any] = {}
    if "id" in found and only_numbers_rows(rows, found["id"], reading.run_column):
        del found["id"]
        facts["index"] = "an index without a name, which only numbers the rows"
    numbered = "id" not in found
    values: dict[str, Any] = {role: rows.values[name] for role, name in found.items()}
    facts["numbered"] = numbered
    if not numbered:
        values["id"] = texts_of(rows, found["id"])
        if "id" not in reading.run_column and (second := _other_ids(rows, found["id"])):
            values["other_id"], facts["id_columns"] = texts_of(rows, second), (found["id"], second)
    elif (places := places_in_runs(rows, reading)) is not None:
        values["id"] = places
    else:
        values["id"] = list(map(str, range(len(rows))))
        facts["untold"] = run_column_of(rows, reading)
    if {*(pair := both_texts(rows.values)).values()}.isdisjoint(used):
        values |= {role: texts_of(rows, name) for role, name in pair.items()}
    # The same name may mean the answers.
    spellings = Spellings(reading.label)
    keys = [*GOLD, *(name for name in REFERENCE if name in rows.values and refers(rows.values[name], spellings))]
    answers = [run.answers for run in runs if run.answers]
    gold = next((name for name in keys if name in rows.values and name not in answers), None)
    facts["label_beside_probabilities"] = gold == "label" and not answers and not document.of_key
    for role, name in (("justification", found.get("justification")), ("gold", gold)):
        if name is not None:
            values[role] = [text_of(value) or "" for value in rows.values[name]]
    said, more = _read(runs, values["id"], rows, problems)
    if problems.failed(rows.file):
        return None
    facts |= more
    if len(runs) > 1:
        for role in ("confidence", "justification"):  # whose they are, a table of several runs does not say
            values.pop(role, None)
        values = {role: [*column] * len(runs) for role, column in values.items()}
        values["run"] = [run.name for run in runs for _ in range(len(rows))]
    elif (document.of_key or len(reading.answers) == 1) and names_a_run(runs[0].answers or runs[0].name):
        values["run"] = [runs[0].name] * len(rows)
    elif run := _names_runs(rows, values["id"], reading, problems):
        values["run"] = texts_of(rows, run)
    values |= said
    lines = [*rows.lines] * len(runs)
    return Columns(rows.source, values, lines, facts, in_line(lines))


def _read(
    runs: Sequence[RunInTable], ids: Sequence[str], rows: Columns, problems: Problems
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """The labels and probabilities of the runs, one after the other; without a column of answers, the likeliest.

    Rows of runs with labels alone have no probabilities. The facts say of which labels the others are.
    """
    labels: list[str] = []
    shares: list[Any] = []
    facts: dict[str, Any] = {}
    for run in runs:
        numbers = None
        if run.stated is not None:
            if facts.setdefault("probabilities_of", labels_of(run.stated)) != labels_of(run.stated):
                unlike = f"probabilities of {', '.join(labels_of(run.stated))} for {run.name}, and of others elsewhere"
                problems.add("probability-labels", unlike, file=rows.file, line=1)
                return {}, {}
            numbers = read_probabilities(run.stated, ids, rows, problems)
        if run.answers is not None:
            labels += texts_of(rows, run.answers)
        elif run.stated is not None and numbers is not None:
            labels += likeliest(run.stated, numbers)
            facts["likeliest"] = True
        shares += [None] * len(rows) if numbers is None else list(numbers)
    return {"label": labels} | ({"probabilities": shares} if facts else {}), facts


def _other_ids(rows: Columns, taken: str) -> str | None:
    """The next column called ids."""
    return next((name for name in IDS if name in rows.values and name != taken and name not in INDEX), None)


def _by_id(rows: Columns, reading: Reading) -> Columns:
    """A single object whose values are all labels is a run by id: its names are those of pairs, not of runs."""
    spellings = Spellings(reading.label)
    usual = {*IDS, *EITHER, *GOLD, *RUN_NAMES}
    if len(rows) != 1 or len(rows.values) < FEWEST_BY_ID or any(n in usual or is_answer(n) for n in rows.values):
        return rows
    labels = [cell_text(column[0]) for column in rows.values.values()]
    if not all(spellings[label] or is_code(label) for label in labels):
        return rows
    return Columns(rows.source, {"id": list(rows.values), "label": labels}, [rows.lines[0]] * len(labels))


def _names_runs(rows: Columns, ids: Sequence[str], reading: Reading, problems: Problems) -> str | None:
    """The column that names the run of each row, if the file has several: then ids occur more than once."""
    if "run" not in reading.run_column and len(set(ids)) == len(ids):
        return None
    return find_column(rows, "run", RUN_NAMES, problems, "--run-column", reading.run_column, needed=False)
