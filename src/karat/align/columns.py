"""Columns of a file with the place of each row, how they are found, and the checks that every kind of file needs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.data.provenance import Source
from karat.errors import Problem, Problems
from karat.files import as_number
from karat.labels import ENTAILMENT, UNKNOWN, Spellings, is_code

MAX_TABLE_CELLS = 1 << 26
"""Rows times columns: few bytes can encode one value a billion times."""
CellPlace = tuple[int | None, int | None]
"""Line and column, where they are known."""
K = TypeVar("K", bound=Hashable)
PROBABILITY_WORDS = frozenset(
    "p pr prob probs proba probability score scores conf confidence softmax logit logits".split()
)
"""Words that mark a column as one of probabilities; of logits."""
PREDICTION = frozenset("pred preds predicted prediction predictions ypred".split())
"""Words that mark a column as predictions: `y_pred`, `predictedLabel`, `bert-prediction`."""
ANSWER = frozenset("judgment answer response output model_label model_answer system_label system_answer".split())
"""Other names of the column of answers."""
CODED = ("0", "1")
"""Columns of probabilities that are called by codes, as data frames made of arrays call them; there may be more."""
LABEL_WORDS = 3
"""The most words of a label and its mark: `p_not_entailment`."""
PROBABILITY_FIELDS = ("probabilities", "probs", "label_dist", "label_probs", "distribution")
"""Names of a field with the probabilities of all labels."""


@dataclass
class Columns:
    """Columns of equal length by role, in file order, spelled as in the file unless the reader says otherwise."""

    source: Source
    values: dict[str, Any]
    lines: Sequence[int | None]
    """The line on which each row begins; Parquet has no lines."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Statements about the file as a whole."""
    at: Callable[[int, str], CellPlace] | None = None
    """Line and column of a cell, computed only when a problem is reported."""
    inside: dict[str, Sequence[Any]] = field(default_factory=dict)
    """Columns of objects that were opened by dotted names."""

    @classmethod
    def of_rows(cls, source: Source, names: Sequence[str], rows: Sequence[tuple[Any, ...]], **facts: Any) -> Columns:
        """Columns from rows, each of which begins with its line."""
        values = {name: [row[at] for row in rows] for at, name in enumerate(names, 1)}
        return cls(source, values, [row[0] for row in rows], facts)

    @property
    def file(self) -> str:
        """The file's name."""
        return self.source.name

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, name: str) -> Sequence[Any]:
        """A column; empty in every row if the file does not have it."""
        found: Sequence[Any] | None = self.values.get(name)
        return self._nothing if found is None else found

    @cached_property
    def _nothing(self) -> Sequence[str]:
        return [""] * len(self.lines)

    def get(self, name: str) -> Sequence[Any] | None:
        """A column, or None if the file does not have it."""
        return self.values.get(name)

    def rows(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """The rows, of some columns."""
        return zip(*map(self.__getitem__, names), strict=True)

    def place(self, row: int, name: str = "") -> CellPlace:
        """Line and column of a row, or of one of its cells."""
        return self.at(row, name) if self.at else (self.lines[row], None)

    def of_rows_at(self, rows: Sequence[int], **facts: Any) -> Columns:
        """Some of the rows, with further facts."""
        values = {name: [column[row] for row in rows] for name, column in self.values.items()}
        lines = [self.lines[row] for row in rows]
        return Columns(
            self.source, values, lines, {**self.facts, **facts}, lambda row, name: self.place(rows[row], name)
        )

    def report(self, problems: Problems, code: str, found: str, row: int, name: str = "", **facts: str) -> None:
        """Report a problem with one row."""
        line, column = self.place(row, name)
        problems.add(code, found, file=self.file, line=line, column=column, **facts)

    def need_rows(self, problems: Problems, found: str, what: str) -> None:
        """Report an empty file, unless another problem explains it."""
        if not len(self) and not problems.failed(self.file):
            problems.add("empty-file", found, file=self.file, what=what)


def seen_before(met: dict[K, int | None], key: K, line: int | None) -> str | None:
    """Where a key first occurred, in words, if it was seen before; otherwise None, and its line is remembered."""
    if key not in met:
        met[key] = line
        return None
    return first_in(met[key])


def first_in(line: int | None) -> str:
    """Where something first occurred, in words, if the line is known."""
    return f" (first in line {line})" if line else ""


def warnings_of(sources: Iterable[Source], problems: Problems) -> tuple[Problem, ...]:
    """The warnings about some of the files that were read."""
    files = {source.name for source in sources}
    return tuple(problem for problem in problems.warnings if problem.file in files)


def report_same_runs(parts: Sequence[tuple[Sequence[str], str]], problems: Problems) -> None:
    """Report every run that is in more than one file."""
    home: dict[str, str] = {}
    for runs, file in parts:
        for run in runs:
            if run in home:
                problems.add("duplicate-run", f"a run {run!r} again (first {home[run]})", file=file)
            home.setdefault(run, file)


def find_column(
    rows: Columns,
    role: str,
    names: Sequence[str],
    problems: Problems,
    option: str | None = None,
    given: Mapping[str, str] = MappingProxyType({}),
    needed: bool = True,
) -> str | None:
    """The column of a role: the given one, which must be there, or the first of `names` in the file.

    A given name may lead into objects and lists: `doc.premise`, `choices.0`. If a needed column is missing, a problem
    suggests `option`.
    """
    names = [given[role]] if role in given else names
    if role in given:
        open_nested(rows, given[role])
    name = next((name for name in names if name in rows.values), None)
    if name:
        problems.recognise(rows.file)
    if name is None and option and (needed or role in given):
        has, what = lacking(rows, names)
        problems.add("no-column", has, file=rows.file, line=1, what=what, role=_assigned(role, option), option=option)
    return name


def with_usual_names(rows: Columns, usual: Sequence[str], named: Iterable[str]) -> Columns:
    """Columns called as usual but for their case (`ID`, `Gold Label`) by the usual names, if the user named others."""
    folded = {_folded(name): name for name in reversed(usual)}
    kept = {*rows.values, *named}
    values = {}
    for name, column in rows.values.items():
        plain = folded.get(_folded(name), name)
        values[name if plain in kept or name in named or plain in values else plain] = column
    return replace(rows, values=values)


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip()).casefold()


def _assigned(role: str, option: str) -> str:
    """How an option names a column: by its role, except that columns of runs have only names."""
    return "" if option == "--run-columns" else f"{role}="


def open_nested(rows: Columns, name: str) -> None:
    """Add what a dotted name leads to as a column, in place of the objects that contain it."""
    top, *path = name.split(".")
    if name in rows.values or not path or top not in rows.inside | rows.values.keys():
        return
    cells = rows.inside.setdefault(top, rows.values.pop(top, ()))
    found = [within(parsed(cell), path) for cell in cells]
    if any(value is not None for value in found):
        rows.values[name] = found


def within(value: object, path: Sequence[str]) -> Any:
    """What a path of keys and places leads to in objects and lists; None if it leads nowhere."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def lacking(rows: Columns, names: Sequence[str]) -> tuple[str, str]:
    """In words: the columns of a file, and those of which it should have one."""
    return f"columns {', '.join(rows.values) or 'none'}", f"a column {' or '.join(filter(None, names))}"


def texts_of(rows: Columns, name: str) -> list[str]:
    """A column as texts, stripped."""
    try:
        return list(map(str.strip, rows.values[name]))  # nearly always all are texts
    except TypeError:
        return [cell_text(value) for value in rows.values[name]]


def cell_text(value: object) -> str:
    """A value as text, stripped; None is empty."""
    return (text_of(value) or "").strip()


def text_of(value: object) -> str | None:
    """A value as text: lists are joined by semicolons, and None stays None."""
    match value:
        case None:
            return None
        case str():
            return value
        case list() if not any(isinstance(part, list | dict) for part in value):
            return "; ".join(text_of(part) or "" for part in value)
        case bool() | dict() | list():
            return msgspec.json.encode(value, enc_hook=str).decode()
        case float() if value.is_integer():
            return str(int(value))
    return str(value)


def parsed(cell: Any) -> Any:
    """A list or an object that a delimited file holds as text; any other cell as it is."""
    if not isinstance(cell, str) or cell.strip()[:1] not in ("[", "{"):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def holds_number_lists(cells: Sequence[Any]) -> bool:
    """Whether every cell that is not empty is a list of numbers, such as the probabilities of all labels."""
    found = False
    for cell in cells:
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            continue
        numbers = parsed(cell)
        if not isinstance(numbers, list) or not numbers or not all(type(one) in (int, float) for one in numbers):
            return False
        found = True
    return found


def as_numbers(cells: Sequence[object]) -> Floats:
    """Cells as numbers, NaN if they are not; fast if all are numbers, or all are strings with numbers."""
    kinds = set(map(type, cells))
    try:
        if kinds <= {int, float}:
            return np.array(list(map(float, cells)))  # type: ignore[arg-type]
        if kinds == {str} and "_" not in (joined := "".join(cells)) and joined.isascii():  # type: ignore[arg-type]
            return np.array(list(map(float, cells)))  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        pass
    return np.array(list(map(as_number, cells)))


def named_after(column: str) -> tuple[str, bool]:
    """What a column is named after, without a word that marks it as one of probabilities, and whether it has one."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column.strip()).casefold()
    parts = [part for part in re.split(r"[^\w]+|_", words) if part]
    marked = len(parts) > 1 and (parts[0] in PROBABILITY_WORDS or parts[-1] in PROBABILITY_WORDS)
    if marked:
        parts = parts[1:] if parts[0] in PROBABILITY_WORDS else parts[:-1]
    return "_".join(parts), marked


def words_of(column: str) -> list[str]:
    """A column's name in lower case with _ between its words, and the words."""
    folded = re.sub(r"[\s_-]+|(?<=[a-z0-9])(?=[A-Z])", "_", column.strip()).casefold()
    return [folded, *folded.split("_")]


def says_prediction(column: str) -> bool:
    """Whether a column is called predictions."""
    return not PREDICTION.isdisjoint(words_of(column)[1:])


def is_answer(column: str) -> bool:
    """Whether a column is called answers, in any of the usual ways."""
    return words_of(column)[0] in ANSWER or says_prediction(column)


def run_and_label(column: str, spellings: Mapping[str, str | None]) -> tuple[str, str | None]:
    """The run and the label that a column is named after: `bert_entailment`, `bert-p-neutral`, `p_neutral_bert`."""
    words = list(re.finditer(r"[^\W_]+", column))
    for size in range(min(LABEL_WORDS, len(words) - 1), 0, -1):
        start, end = words[-size].start(), words[size - 1].end()
        for part, rest in ((column[start:], column[:start]), (column[:end], column[end:])):
            if label := spellings[named_after(part)[0]]:
                return _without_marks(rest), label
    return "", None


def _without_marks(run: str) -> str:
    """A run's name without words at its ends that say prediction or probability, and what separates them."""
    marks = PROBABILITY_WORDS | PREDICTION
    words = list(re.finditer(r"[^\W_]+", run))
    while words and words[0][0].casefold() in marks:
        del words[0]
    while words and words[-1][0].casefold() in marks:
        del words[-1]
    return run[words[0].start() : words[-1].end()] if words else ""


def columns_of_runs(names: Iterable[str], spellings: Mapping[str, str | None]) -> dict[str, dict[str, str]]:
    """The columns that are named after a run and a label, by run and by label."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        run, label = run_and_label(name, spellings)
        if run and label:
            found.setdefault(run, {}).setdefault(label, name)
    return {run: columns for run, columns in found.items() if len(columns) > 1}


def has_probabilities(names: Iterable[str]) -> bool:
    """Whether a table with these columns has probabilities, as far as their names tell."""
    spellings, columns = Spellings(), list(names)
    named = [(word, marked, spellings[word]) for word, marked in map(named_after, columns)]
    marked = any(marked and (label or is_code(word)) for word, marked, label in named)
    return (
        marked
        or set(CODED) <= {*columns}
        or {ENTAILMENT, UNKNOWN} <= {label for *_, label in named}
        or not set(PROBABILITY_FIELDS).isdisjoint(columns)
        or bool(columns_of_runs(columns, spellings))
    )
