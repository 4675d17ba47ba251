"""Labels in memory: lists, arrays and columns of data frames become runs, checked and aligned like files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from karat.align.columns import PROBABILITY_FIELDS, Columns, has_probabilities, text_of
from karat.align.pairs import make_pairs
from karat.align.runs import align, report_two_way
from karat.data.parameters import WayOption, checked
from karat.data.provenance import MissingAnswers, Reading, Source, Unparsed
from karat.data.responses import Responses
from karat.errors import Problems, UsageError, counted
from karat.formats.probabilities import find_probabilities, labels_of, likeliest, read_probabilities
from karat.labels import Spellings, is_code

ROWS_NAMED = 5
"""The most rows that a message names."""
A_TABLE = (
    "is a table; expected one label per pair: for several runs, give y_pred as a dict or a data frame with one column "
    "of labels per run; for probabilities, a data frame with one column per label, or for several runs a dict of these"
)
UNEXPLAINED = "probability-list"
"""The problem of probabilities whose labels nobody has said; others are told where the columns are read as labels."""
NUMERIC = ("f", "i", "u")
"""The kinds of numpy's types that are numbers."""


@runtime_checkable
class LabelArray(Protocol):
    """A label for every pair: a numpy array, a column of pandas or polars; or several such columns."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __array__(self, *args: Any, **named: Any) -> Any: ...


Labels = list[Any] | LabelArray
"""Labels in memory; a text is none, although it has a length and elements."""


@checked
def responses(
    y_true: Labels,
    y_pred: Labels | Mapping[str, Any],
    *,
    label: Mapping[Any, str] | None = None,
    missing: MissingAnswers = "refuse",
    unparsed: Unparsed = "refuse",
    answer_pattern: str | None = None,
    way: WayOption = "auto",
) -> Responses:
    """Runs from labels in memory: the key, and the labels of one run, or of several in a dict or data frame.

    Labels are words in any spelling that files may have, or codes that `label` explains: `label={0: "ENTAILMENT"}`. A
    run may also be a data frame, or a dict of columns, with the probability of each label, or an array with a row of
    probabilities for each pair, whose places `label` explains. Pairs are called by their row numbers or, in pandas, by
    the index, by which runs are aligned too. An answer that is missing, or no label, is refused, or counts as `missing`
    says ("wrong"), or as `unparsed` says ("wrong" or "unknown"); `answer_pattern` finds the label in a longer one. With
    `way="2"`, NO in a run means no entailment.
    """
    spelled = {str(code): str(meaning) for code, meaning in (label or {}).items()}
    reading = Reading(label=spelled, missing=missing, unparsed=unparsed, answer_pattern=answer_pattern, way=way)
    ids, labels = index_of(y_true), _texts("y_true", y_true)
    names = [str(row) for row in range(len(labels))] if ids is None or len(set(ids)) < len(ids) else ids
    problems = Problems()
    read = {name: _run(name, column, ids, names, reading, problems) for name, column in _runs(y_pred, reading).items()}
    _explain_codes({"y_true": labels, **{name: one["label"] for name, one in read.items()}}, reading)
    key = make_pairs(_columns("y_true", names, labels, textless=True), reading, problems)
    runs = [(name, align(key, columns, reading, problems)) for name, columns in read.items()]
    problems.raise_errors()
    made = [replace(run, info=replace(run.info, name=name)) for name, run in runs if run is not None]
    report_two_way(key, made, reading, problems)
    return replace(Responses.of(key, made, reading), warnings=problems.warnings)


def _columns(name: str, ids: Sequence[str], labels: Sequence[str], **facts: Any) -> Columns:
    values = {"id": ids, "label": labels}
    return Columns(Source.of_columns(name, ids, labels), values, [None] * len(ids), facts)


def _run(
    name: str, column: Any, ids: list[str] | None, names: list[str], reading: Reading, problems: Problems
) -> Columns:
    """The labels of a run, or its probabilities, with the ids of its rows."""
    cells = _table(column)
    labels = _texts(name, column, gaps=reading.missing != "refuse") if cells is None else []
    rows = len(labels) if cells is None else len(next(iter(cells.values()), []))
    if rows != len(names):
        several = ", or a dict of several runs: {'NAME': labels}" if isinstance(column, list) else ""
        unlike = f"y_true has {counted(len(names), 'label')} and {name} has {rows:,}"
        raise UsageError(f"{unlike}; give one per pair{several}")
    own = _rows_of(name, index_of(column), ids, names)
    if cells is None:
        return _columns(name, own, labels)
    table = Columns(Source.of_columns(name, own, *cells.values()), cells, [None] * rows)
    found = find_probabilities(table, reading, problems)
    if len(found) != 1:
        problems.raise_errors()
        raise UsageError(f"{name} {A_TABLE}")
    [stated] = found
    shares = read_probabilities(stated, own, table, problems)
    values = {"id": own, "label": likeliest(stated, shares), "probabilities": shares}
    return replace(table, values=values, facts={"probabilities_of": labels_of(stated), "likeliest": True})


def _table(column: Any) -> dict[str, list[Any]] | None:
    """The columns of a run that is a table: a data frame, a dict, or an array with a row of numbers for each pair."""
    if getattr(column, "ndim", 1) == 2 and getattr(getattr(column, "dtype", None), "kind", "") in NUMERIC:
        return {PROBABILITY_FIELDS[0]: _listed(column)}
    if not isinstance(column, Mapping) and not hasattr(column, "columns"):
        return None
    names = column if isinstance(column, Mapping) else column.columns
    return {str(name): _listed(column[name]) for name in names}


def _listed(column: Any) -> list[Any]:
    """The values of a column as plain objects."""
    made = getattr(column, "tolist", None) or getattr(column, "to_list", None)
    return list(column if made is None else made())


def _explain_codes(columns: Mapping[str, Sequence[str]], reading: Reading) -> None:
    """Refuse codes without a meaning, all at once: they differ between data sets, and are never guessed."""
    spellings = Spellings(reading.label)
    for name, labels in columns.items():
        codes = sorted({one for one in set(labels) if is_code(one) and not spellings[one]}, key=float)
        if codes:
            some = ", ".join(f"{code}: '…'" for code in codes[:ROWS_NAMED])
            raise UsageError(
                f"{name} has the codes {', '.join(codes[:ROWS_NAMED])}, which mean different labels in different data "
                f"sets; say what they mean: label={{{some}}}"
            )


def index_of(column: Any) -> list[str] | None:
    """The index of a column or frame of pandas; None for other columns, which have none."""
    index = getattr(column, "index", None)
    if index is None or callable(index) or not hasattr(index, "is_unique"):
        return None
    return [text_of(one) or str(one) for one in index.tolist()]


def _rows_of(name: str, own: list[str] | None, ids: list[str] | None, names: list[str]) -> list[str]:
    """What the rows of a run are called: by its index, if both sides have one and they differ; else by their order."""
    if own is None or ids is None or own == ids:
        return names
    known = set(ids)
    if len(set(own)) < len(own) or len(known) < len(ids):
        said = "differ, and one has an entry twice, so the rows cannot be put together by them"
    elif other := [one for one in own if one not in known]:
        said = f"have different entries ({len(other):,} of {name} are not in y_true, first {other[0]!r})"
    else:
        return own
    raise UsageError(
        f"the indexes of y_true and {name} {said}; give both the same index or, if they are in the same order, "
        f"leave the index out: {name}.to_numpy()"
    )


def _runs(y_pred: Any, reading: Reading) -> dict[str, Any]:
    """The columns of the runs by name; columns of a data frame may also be the probabilities of one run, or of each."""
    if isinstance(y_pred, Mapping):
        runs = {str(name): column for name, column in y_pred.items()}
    elif hasattr(y_pred, "columns"):
        runs = {str(name): y_pred[name] for name in y_pred.columns}
        table = Columns(Source("y_pred", ""), {name: _listed(column) for name, column in runs.items()}, [])
        told = Problems()
        stated = find_probabilities(table, reading, told) if has_probabilities(runs) else []
        if any(one.code == UNEXPLAINED for one in told):
            told.raise_errors()
        for one in stated:
            runs = {name: column for name, column in runs.items() if name not in one.columns}
            runs[one.run or "y_pred"] = y_pred[[name for name in y_pred.columns if str(name) in one.columns]]
    else:
        named = getattr(y_pred, "name", None)
        runs = {str(named) if named else "y_pred": y_pred}
    if not runs:
        raise UsageError("y_pred has no runs; give the labels of one, or a dict of several")
    return runs


def _texts(name: str, column: Any, gaps: bool = False) -> list[str]:
    """The labels of a column as texts; a gap is refused, unless `gaps` are taken as answers that are no label."""
    if isinstance(column, str) or not hasattr(column, "__iter__") or not hasattr(column, "__len__"):
        raise UsageError(f"{name} is of type {type(column).__name__}; expected a list, an array or a column of labels")
    if getattr(column, "ndim", 1) != 1 or hasattr(column, "columns"):
        raise UsageError(f"{name} {A_TABLE}")
    texts = [None if _is_gap(value) else (text_of(value) or "").strip() for value in _listed(column)]
    if not gaps and (empty := [row for row, text in enumerate(texts) if not text]):
        rows = ", ".join(map(str, empty[:ROWS_NAMED])) + "…" * (len(empty) > ROWS_NAMED)
        which = "row" if len(empty) == 1 else "rows"
        raise UsageError(
            f"{name} has no label in {which} {rows} ({len(empty):,} in all); fill them in, or drop them"
            + ("" if name == "y_true" else ', or count them as wrong: missing="wrong"')
        )
    return [text or "" for text in texts]


def _is_gap(value: Any) -> bool:
    """Whether a value is None, NaN, or the NA of pandas, which equals nothing."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True
