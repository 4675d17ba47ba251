"""Runs as tables with named columns: JSON lines, CSV, TSV, Parquet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from karat.align.columns import Columns, cell_text, find_column, text_of, texts_of
from karat.data.provenance import Reading
from karat.data.responses import Responses
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, Head
from karat.formats.probabilities import (
    find_probabilities,
    has_probabilities,
    labels_of,
    likeliest,
    read_probabilities,
)
from karat.formats.registry import Fit, run_formats
from karat.formats.rows import IDS, in_line, read_rows, write_rows
from karat.labels import Spellings, is_code

COLUMN_NAMES: dict[str, tuple[str, ...]] = {
    "id": IDS,
    "confidence": ("confidence", "score", "probability"),
    "weight": ("weight",),
    "justification": ("justification", "explanation"),
}
PREDICTION = frozenset("pred preds predicted prediction predictions ypred".split())
"""Words that mark a column as predictions: `y_pred`, `predictedLabel`, `bert-prediction`."""
ANSWER = frozenset("judgment answer response output model_label model_answer system_label system_answer".split())
"""Other names of the column of answers."""
EITHER = ("label", "gold_label")
"""Names of the column of answers if none is called a prediction; HANS uses `gold_label`."""
GOLD = ("gold", "gold_label", "label")
"""Names of the column of gold labels if the run contains them too."""
FLAGS = frozenset({"true", "false", "yes", "no"})
"""Labels that other columns may contain too (`correct`, `negated`)."""
ROWS_LOOKED_AT = 1000
"""The number of rows checked to see whether a column contains labels."""


def sniff(head: Head) -> Fit:
    """Certain of a column of ids and a column of labels."""
    if head.is_parquet:
        return Fit.CERTAIN
    labelled = not head.fields.isdisjoint(EITHER) or any(_is_prediction(name) for name in head.fields)
    labelled |= has_probabilities(head.fields)
    named = labelled and not head.fields.isdisjoint(IDS)
    return Fit.CERTAIN if named else Fit.POSSIBLE if head.json_object else Fit.NO


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


@run_formats.register("table", sniff=sniff, write=write, what="JSON lines, CSV, TSV or Parquet with named columns")
def read(document: Document, reading: Reading, problems: Problems) -> Columns | None:
    """Read the columns named by --run-column, or else by common names."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    found: dict[str, str] = {}
    for role, names in COLUMN_NAMES.items():
        name = find_column(rows, role, names, problems, "--run-column", reading.run_column, needed=role == "id")
        if name is not None:
            found[role] = name
    stated = find_probabilities(rows, reading, problems)
    used = set(found.values()) | (stated.columns if stated else set())
    label = None
    if stated is None or _says_answers(rows, used, reading):
        label = _answer_column(rows, used, reading, problems)
    if (label is None and stated is None) or "id" not in found or problems.failed(rows.file):
        return None
    values: dict[str, Any] = {role: rows.values[name] for role, name in found.items()}
    values["id"] = texts_of(rows, found["id"])
    facts: dict[str, Any] = {}
    if stated is not None:
        shares = read_probabilities(stated, values["id"], rows, problems)
        facts = {"probabilities_of": labels_of(stated), "likeliest": label is None}
        values |= {"probabilities": shares, "label": likeliest(stated, shares)}
    if label is not None:
        values["label"] = texts_of(rows, label)
    gold = next((name for name in GOLD if name in rows.values and name != label), None)
    for role, name in (("justification", found.get("justification")), ("gold", gold)):
        if name is not None:
            values[role] = [text_of(value) or "" for value in rows.values[name]]
    return Columns(rows.source, values, rows.lines, facts, at=in_line(rows.lines))


def _says_answers(rows: Columns, used: set[str], reading: Reading) -> bool:
    """Whether a table with probabilities has a column of answers too; `label` is then taken for the key."""
    spellings = Spellings(reading.label)
    named = (_words(rows.values[name]) for name in rows.values if name not in used and _is_prediction(name))
    return "label" in reading.run_column or any(words and all(spellings[word] for word in words) for words in named)


def _is_prediction(name: str) -> bool:
    folded = re.sub(r"[\s_-]+|(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).casefold()
    return folded in ANSWER or not PREDICTION.isdisjoint(folded.split("_"))


def _answer_column(rows: Columns, used: set[str], reading: Reading, problems: Problems) -> str | None:
    """The column of answers: named by the user, called a prediction, or the only one with labels.

    A file may contain the key as well, and the key scored against itself gives 1.000: if it is not clear which column
    contains the answers, the user must say.
    """
    if "label" in reading.run_column:
        return find_column(rows, "label", (), problems, "--run-column", reading.run_column)
    spellings = Spellings(reading.label)
    met = {name: _words(rows.values[name]) for name in rows.values if name not in used}
    words = {name: met[name] if all(spellings[word] for word in met[name]) else set() for name in met}
    predicted = [name for name in met if _is_prediction(name)]
    either = next((name for name in EITHER if name in met), None)
    answers = [name for name in predicted if words[name]]
    if not answers:
        # A prediction with codes or an invalid label is read, so that these are reported; the text or confidence of a
        # model is not.
        wrong = (name for name in predicted if any(is_code(word) or spellings[word] for word in met[name]))
        answers = list(wrong if either else predicted)[:1]
    if not answers and either is not None:
        # Another column of labels may be the answers and this one the key; a column of flags is neither.
        flags = words[either] <= FLAGS
        others = (name for name in words if name not in GOLD and words[name] and flags >= (words[name] <= FLAGS))
        answers = [either, *others]
    if not answers:
        return find_column(rows, "label", ["prediction", *EITHER], problems, "--run-column")
    if len(answers) > 1 and len({tuple(map(text_of, rows.values[name])) for name in answers}) > 1:
        problems.add("which-column", f"labels in the columns {', '.join(answers)}", file=rows.file, line=1)
        return None
    return answers[0]


def _words(cells: Sequence[Any]) -> set[str]:
    return {cell_text(cell).casefold() for cell in cells[:ROWS_LOOKED_AT]} - {""}
