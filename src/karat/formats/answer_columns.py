"""Which columns of a table have the answers of which run, and its probabilities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.align.columns import (
    ANSWER,
    PROBABILITY_FIELDS,
    Columns,
    find_column,
    has_probabilities,
    holds_number_lists,
    is_answer,
    parsed,
    text_of,
    words_of,
)
from karat.data.provenance import PROBABILITY_ROLES, Reading
from karat.errors import Problems
from karat.formats.label_columns import FLAGS, LABEL, REFERENCE, TRUE, key_column, mostly_labels, words_in
from karat.formats.probabilities import ProbabilityCells, find_probabilities, probabilities_in
from karat.labels import Spellings, is_code

AFFIX = re.compile(r"(?i)^(y_)?pred(ict(ed|ions?)|s)?[-_. ]|[-_. ]?pred(ict(ed|ions?)|s)?([-_. ]?label)?$")
"""The word for predictions, at the beginning or end of a name that contains that of the run."""
EITHER = ("label", "gold_label")
"""Names of the column of answers if none is called a prediction; HANS uses `gold_label`."""
GOLD = ("gold", "gold_label", *TRUE, "label")
"""Names of the column of gold labels if the run contains them too."""
UNNAMED = frozenset({"", "y", "model", "system", *GOLD})
"""What is left of names such as `y_pred` and `predicted_label`, which name no run."""


SCORED = {"label", "score"}
"""The fields of an object that a classifier of Hugging Face returns for a text, or one for each label."""


@dataclass(frozen=True)
class RunInTable:
    """The column of a run's answers, and its probabilities; it has either or both."""

    name: str
    answers: str | None = None
    stated: ProbabilityCells | None = None

    @property
    def columns(self) -> set[str]:
        """The columns of the run."""
        return {*([self.answers] if self.answers else ()), *(self.stated.columns if self.stated else ())}


def runs_in(rows: Columns, of_key: bool, used: set[str], reading: Reading, problems: Problems) -> list[RunInTable]:
    """The runs in a table: columns of answers, with the probabilities of the same name, and other probabilities.

    In the table of the key, `label` is the key's.
    """
    stated: list[ProbabilityCells] = []
    if has_probabilities(rows.values) or not reading.run_column.keys().isdisjoint(PROBABILITY_ROLES):
        stated = find_probabilities(rows, reading, problems)
    if problems.failed(rows.file):
        return []
    used = used.union(*(one.columns for one in stated))
    if of_key and (key := key_column(rows, LABEL, False, reading)[0]):
        used.add(key)
    groups = {_folded(one.run): one for one in stated if one.run}
    named = {name for name in reading.answers if name not in rows.values and _folded(name) in groups}
    if named:
        groups = {run: one for run, one in groups.items() if run in map(_folded, reading.answers)}
    answers: list[str] = []
    if not stated or _says_answers(rows, used, reading):
        answers = _answer_columns(rows, used, named, reading, problems)
    unnamed = next((one for one in stated if not one.run), None)
    if len(answers) == 1 and unnamed:
        return [RunInTable(run_names(answers)[0], answers[0], unnamed)]
    listed = {} if reading.answers else _lists_of_probabilities(rows, answers, reading)
    runs = []
    for name, column in zip(run_names(answers), answers, strict=True):
        its = groups.pop(_folded(name), None)
        if its is None and (cells := listed.pop(_folded(name), None)):
            its = probabilities_in(rows, cells, reading, problems)
        if its is None and holds_number_lists(rows.values[column]):
            runs.append(RunInTable(name, None, probabilities_in(rows, column, reading, problems)))
        else:
            runs.append(RunInTable(name, column, its))
    for column in listed.values():
        runs.append(RunInTable(run_names([column])[0], None, probabilities_in(rows, column, reading, problems)))
    if not reading.answers or named:
        runs += [RunInTable(one.run, None, one) for one in groups.values()]
    if not runs and unnamed:
        return [RunInTable("", None, unnamed)]
    if not runs and not problems.failed(rows.file):
        there = "the same file as the key, with the " if of_key else ""
        problems.add("no-answers", f"{there}columns {', '.join(rows.values)}", file=rows.file, line=1)
    return runs


def _folded(name: str) -> str:
    return words_of(name)[0]


def _lists_of_probabilities(rows: Columns, answers: Sequence[str], reading: Reading) -> dict[str, str]:
    """Columns of lists that belong to columns of answers, by the name of the run, if --label explains the places."""
    spellings = Spellings(reading.label)
    lists = [name for name in rows.values if name not in answers and is_answer(name)]
    lists = [name for name in lists if spellings["0"] and spellings["1"] and holds_number_lists(rows.values[name])]
    return {_folded(AFFIX.sub("", name)): name for name in lists}


def _says_answers(rows: Columns, used: set[str], reading: Reading) -> bool:
    """Whether a table with probabilities has a column of answers too; `label` is then taken for the key."""
    spellings = Spellings(reading.label)
    named = (words_in(rows.values[name]) for name in rows.values if name not in used and is_answer(name))
    said = bool(reading.answers) or "label" in reading.run_column
    return said or any(words and all(spellings[word] for word in words) for words in named)


def run_names(answers: Sequence[str]) -> list[str]:
    """The names of runs in a table with one column per run: those of the columns, less the word for predictions."""
    bare = [AFFIX.sub("", name) for name in answers]
    return bare if all(bare) and len(set(bare)) == len(bare) else list(answers)


def _columns_of_runs(rows: Columns, named: Sequence[str], reading: Reading, problems: Problems) -> list[str]:
    """The columns with these names, or with answers of the runs that results call so; those absent are told at once."""
    spellings = Spellings(reading.label)
    found: dict[str, str | None] = {}
    called: dict[str, list[str]] = {}
    for column in filter(is_answer, rows.values):
        called.setdefault(AFFIX.sub("", column), []).append(column)
    for name in dict.fromkeys(named):
        of_run = called.get(name, [])
        labelled = (one for one in of_run if mostly_labels(rows.values[one], spellings))
        there = find_column(rows, "label", (), problems, None, {"label": name})
        found[name] = there or next(labelled, of_run[0] if of_run else None)
    if absent := [name for name, column in found.items() if column is None]:
        has, what = f"columns {', '.join(rows.values)}", f"a column {absent[0]}"
        what = f"columns {', '.join(absent)}" if len(absent) > 1 else what
        problems.add("no-column", has, file=rows.file, line=1, what=what, role="", option="--run-columns")
    return [column for column in dict.fromkeys(found.values()) if column is not None]


def names_a_run(column: str) -> bool:
    """Whether a column of answers is called by its run, and not as such columns are called in files of single runs."""
    return AFFIX.sub("", column).casefold() not in UNNAMED | ANSWER


def _answer_columns(rows: Columns, used: set[str], groups: set[str], reading: Reading, problems: Problems) -> list[str]:
    """The columns of answers: named by the user, called predictions, or the only one with labels.

    A file may contain the key as well, and the key scored against itself gives 1.000: if it is not clear which column
    contains the answers, the user must say.
    """
    named = reading.answers or ((reading.run_column["label"],) if "label" in reading.run_column else ())
    if named:
        single = [name for name in named if name not in groups]
        if reading.answers:
            return _columns_of_runs(rows, single, reading, problems)
        found = find_column(rows, "label", (), problems, "--run-column", {"label": single[0]})
        return [] if found is None else [found]
    spellings = Spellings(reading.label)
    met = {name: words_in(rows.values[name]) for name in rows.values if name not in used}
    words = {name: met[name] if mostly_labels(rows.values[name], spellings) else set() for name in met}
    predicted = [name for name in met if is_answer(name)]
    either = next((name for name in EITHER if name in met), None)
    answers = [name for name in predicted if words[name]]
    answers = answers or [name for name in predicted if holds_number_lists(rows.values[name])]
    if answers:
        same = len({tuple(map(text_of, rows.values[name])) for name in answers}) == 1
        return answers[:1] if same else answers
    # A prediction with codes or an invalid label is read, so that these are reported; the text or confidence of a
    # model is not.
    wrong = (name for name in predicted if any(is_code(word) or spellings[word] for word in met[name]))
    if answers := list(wrong if either else predicted)[:1]:
        return answers
    if either is None:
        labelled = [name for name in words if name not in GOLD and words[name] and not words[name] <= FLAGS]
        if labelled:
            return [name for name in labelled if name not in REFERENCE] or labelled
        if used.isdisjoint(EITHER):
            find_column(rows, "label", ["prediction", *EITHER], problems, "--run-column")
        return []
    # Another column of labels may be the answers and this one the key; a column of flags is neither.
    flags = words[either] <= FLAGS
    others = [
        name for name in words if name not in (*GOLD, *REFERENCE) and words[name] and flags >= (words[name] <= FLAGS)
    ]
    if any(list(map(text_of, rows.values[name])) != list(map(text_of, rows.values[either])) for name in others):
        unclear = f"labels in the columns {', '.join([either, *others])}"
        problems.recognise(rows.file)
        problems.add("which-column", unclear, file=rows.file, line=1, names=",".join(others))
        return []
    return [either]


def opened(rows: Columns) -> Columns:
    """A table with what classifiers return in columns: an answer and its confidence, or probabilities of all labels."""
    values: dict[str, Any] = {}
    for name, column in rows.values.items():
        cells = [parsed(cell) for cell in column] if _is_output(column) else []
        if cells and all(map(_is_scored, cells)):
            values[name] = [cell["label"] for cell in cells]
            values.setdefault("confidence", [cell["score"] for cell in cells])
        elif cells and all(isinstance(cell, list) and cell and all(map(_is_scored, cell)) for cell in cells):
            values[PROBABILITY_FIELDS[0]] = [{one["label"]: one["score"] for one in cell} for cell in cells]
        else:
            values[name] = column
    return replace(rows, values=values)


def _is_output(column: Any) -> bool:
    """Whether the first cell is such an object or list: most columns are none, and are looked at no further."""
    first = parsed(column[0]) if len(column) else None
    return _is_scored(first) or (isinstance(first, list) and bool(first) and _is_scored(first[0]))


def _is_scored(cell: Any) -> bool:
    return isinstance(cell, dict) and cell.keys() == SCORED and isinstance(cell["label"], str)
