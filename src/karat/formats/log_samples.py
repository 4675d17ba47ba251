"""The samples of a log, and the test set, runs and scores that are made of them, alike for every harness."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from karat.align.columns import Columns, cell_text, lacking, text_of, within
from karat.data.provenance import TEXTS, Reading
from karat.errors import Problems
from karat.files import as_number
from karat.formats.documents import Document
from karat.formats.json_objects import unique_keys
from karat.formats.pair_table import LAYOUT, PairLayout, both_texts, read_layout
from karat.formats.rows import in_line, too_sparse
from karat.labels import Spellings

ID, TARGET = "id", "target"
"""The columns of a test set that was read from a log."""
KEY_FIELDS = {ID, TARGET, *LAYOUT.label}
"""Fields of a sample that would be taken for these columns; the harness has read them already."""
SCALAR = str | int | float | bool | None


@dataclass(frozen=True)
class LogSample:
    """One answer in a log."""

    id: object
    run: str
    answer: object = None
    """None if the run has not answered."""
    target: object = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What else the test set says: texts and attributes."""
    document: object = None
    """What was asked, which tells whether two logs mean the same sample by an id; None if the log does not say."""
    scores: Mapping[str, object] = field(default_factory=dict)
    repeat: str = ""
    """Which of several answers of the run this is: runs of their own, but one score, their mean."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """The sample as in the file, for options that name a field."""
    line: int | None = None


def pairs_of(document: Document, samples: list[LogSample], reading: Reading, problems: Problems) -> Columns | None:
    """The test set: each id once, with its target as the label."""
    samples = _each_once(document, samples, reading.column.get("id"), problems)
    if not _has_labels(document, samples, reading, problems):
        return None
    names = dict.fromkeys(name for sample in samples for name in sample.fields if name not in KEY_FIELDS)
    if too_sparse(document, len(samples), len(names), "different fields", problems):
        return None
    columns = {name: [sample.fields.get(name) for sample in samples] for name in names}
    flat = {name: column for name, column in columns.items() if all(isinstance(cell, SCALAR) for cell in column)}
    lines = [sample.line for sample in samples]
    ids, targets = [sample.id for sample in samples], [sample.target for sample in samples]
    rows = Columns(document.source, {ID: ids, **flat, TARGET: targets}, lines)
    for name in reading.column.values():
        top, *path = name.split(".")
        (rows.inside if path else rows.values)[top] = [sample.record.get(top) for sample in samples]
    return read_layout(rows, _layout(flat, reading), document, reading, problems)


def _layout(fields: Mapping[str, Any], reading: Reading) -> PairLayout:
    """The usual names of texts, if the samples have both a text and a hypothesis: else they have neither."""
    both = all(role in reading.column or not fields.keys().isdisjoint(getattr(LAYOUT, role)) for role in TEXTS)
    layout = replace(LAYOUT, id=(ID,), label=(TARGET,))
    return layout if both else replace(layout, text=(), hypothesis=())


def _each_once(document: Document, samples: list[LogSample], path: str | None, problems: Problems) -> list[LogSample]:
    """The first sample of each id; one with another target is reported."""
    first: dict[str, LogSample] = {}
    kept = []
    for sample in samples:
        name = cell_text(within(sample.record, path.split(".")) if path else sample.id)
        met = first.setdefault(name, sample) if name else sample
        if met is sample:
            kept.append(sample)
        elif cell_text(met.target) != cell_text(sample.target):
            found = f"sample {name!r} again with another target"
            problems.add("duplicate-id", found, file=document.name, line=sample.line)
    return kept


def _has_labels(document: Document, samples: list[LogSample], reading: Reading, problems: Problems) -> bool:
    """Whether some target is a label, or there is none at all; otherwise a log can only be compared by its scores."""
    if "label" in reading.column:
        return True
    spellings = Spellings(reading.label)
    targets = [text for sample in samples if not spellings.is_none(text := cell_text(sample.target))]
    if not targets or any(spellings[target] for target in targets):
        return True
    what = "labels: entailment, neutral, contradiction…"
    fix = "say what they mean (--label SPELLING=LABEL), or compare by the scores of the log (--scores FILE)"
    found = f"targets that are no labels, first {targets[0]!r}"
    problems.add("log", found, file=document.name, line=samples[0].line, what=what, fix=fix)
    return False


def runs_of(document: Document, samples: list[LogSample], reading: Reading, problems: Problems) -> Columns | None:
    """The runs: what was not answered is missing; several answers to a sample are as many runs."""
    several = {run for run, repeats in _repeats(samples).items() if len(repeats) > 1}
    named = {role: name.split(".") for role, name in reading.run_column.items()}
    values: dict[str, list[Any]] = {}
    answered = [sample for sample in samples if sample.answer is not None or "label" in named]
    for role, path in named.items():
        values[role] = [within(sample.record, path) for sample in answered]
        if all(value is None for value in values[role]):
            tops = Columns(document.source, dict(samples[0].record), [])
            has, what = lacking(tops, [".".join(path)])
            problems.add("no-column", has, file=document.name, what=what, role=f"{role}=", option="--run-column")
    if not answered:
        fix = "compare by its scores (--scores FILE), or name the field of answers: --run-column label=NAME"
        problems.add("log", "no answers", file=document.name, what="samples with answers", fix=fix)
    if problems.failed(document.name):
        return None
    values.setdefault("id", [sample.id for sample in answered])
    values.setdefault("label", [sample.answer for sample in answered])
    values.setdefault(
        "run", [f"{one.run}:{one.repeat}" if one.run in several and one.repeat else one.run for one in answered]
    )
    for role in ("id", "label", "run", "justification"):
        if role in values:
            values[role] = list(map(cell_text, values[role]))
    if any(sample.target is not None for sample in answered):
        values["gold"] = [cell_text(sample.target) for sample in answered]
    for role, name in both_texts(answered[0].fields).items():
        values[role] = [cell_text(sample.fields.get(name)) for sample in answered]
    lines = [sample.line for sample in answered]
    choices = sorted(set(values.get("gold", ())))
    return Columns(document.source, values, lines, {"choices": choices}, in_line(lines))


def _repeats(samples: Sequence[LogSample]) -> dict[str, set[str]]:
    repeats: dict[str, set[str]] = {}
    for sample in samples:
        repeats.setdefault(sample.run, set()).add(sample.repeat)
    return repeats


def scores_of(document: Document, samples: list[LogSample], _: object, problems: Problems) -> Columns | None:
    """One row per run, unit and score; several answers of a run to a sample have the mean of their scores."""
    found: dict[tuple[str, str, str], list[float]] = {}
    met: set[tuple[str, str, str]] = set()
    lines: dict[tuple[str, str, str], int | None] = {}
    for sample in samples:
        unit = cell_text(sample.id)
        if (sample.run, unit, sample.repeat) in met:
            problems.add("duplicate-id", f"sample {unit!r} again", file=document.name, line=sample.line)
        met.add((sample.run, unit, sample.repeat))
        for name, value in sample.scores.items():
            number = float(value) if isinstance(value, bool | int | float) else as_number(value)
            lines.setdefault((sample.run, unit, name), sample.line)
            scored = found.setdefault((sample.run, unit, name), [])
            scored += [number] if number == number else []  # NaN is not scored
    if not found:
        fix = "check the log; if it has answers and targets, score them: karat score KEY FILE"
        problems.add("log", "no scores", file=document.name, what="samples with scores", fix=fix)
    if problems.failed(document.name):
        return None
    rows = [
        (line, *place, sum(scored) / len(scored) if scored else None)
        for (place, scored), line in zip(found.items(), lines.values(), strict=True)
    ]
    asked = {cell_text(sample.id): _fingerprint(sample.document) for sample in samples if sample.document}
    return Columns.of_rows(document.source, ("run", "unit", "measure", "score"), rows, long=True, documents=asked)


def _fingerprint(asked: object) -> str:
    """Short, since logs are long, and the same for the same document."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()[:16]


def records_of(rows: Columns) -> Iterator[tuple[dict[str, Any], int | None]]:
    """The objects of JSON lines or an array, each with its line."""
    names = list(rows.values)
    for line, *cells in zip(rows.lines, *rows.values.values(), strict=True):
        yield dict(zip(names, cells, strict=True)), line


def whole_json(document: Document, problems: Problems) -> Any:
    """The whole file as one JSON value; None if it is not valid, which is reported."""
    text = document.text(problems)
    return None if text is None else decode_json(document, text, "the file", problems)


def decode_json(document: Document, text: str, where: str, problems: Problems) -> Any:
    """A JSON value, in which NaN may stand for no number; None if it is not valid, which is reported."""
    try:
        return json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        fix = "write the log again, or check that it was not cut off"
        problems.add("log", f"invalid JSON in {where} ({error})", file=document.name, what="a whole log", fix=fix)
        return None


def variant_names(run: str, variants: Sequence[str]) -> dict[str, str]:
    """The name of each variant of a run: that of the run, if there is only one."""
    different = dict.fromkeys(variants)
    return {one: f"{run}:{one}" if len(different) > 1 and one else run for one in different}


def field_text(value: object) -> str | None:
    """A text of a log, which may be a list of parts of a message."""
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        return "\n".join(text for part in value if (text := text_of(part.get("text"))))
    return text_of(value)


def target_in(fields: object) -> object:
    """The target among fields, by the usual names of labels."""
    if not isinstance(fields, dict):
        return None
    return next((fields[name] for name in LAYOUT.label if fields.get(name) is not None), None)
