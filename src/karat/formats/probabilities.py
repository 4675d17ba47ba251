"""Probabilities of labels in a table of answers: a column per label, or a field with all of them.

A column is recognised by the name of its label (`entailment`, `neutral`, …), usually with a word that marks it as a
probability (`p_entailment`, `prob_neutral`, `contradiction_score`). In a table of several runs, the name of the run
stands before or after it (`bert_entailment`). A field `probabilities` holds an object with a
number for each label, or a list whose places are codes, which --label explains; so may a column of answers. Numbers
of which some are negative are logits or logarithms of probabilities, and become probabilities by softmax.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.align.columns import (
    CODED,
    PROBABILITY_FIELDS,
    Columns,
    as_numbers,
    cell_text,
    columns_of_runs,
    named_after,
    parsed,
)
from karat.arrays import DISPLAY_TOLERANCE, Floats
from karat.data.provenance import PROBABILITY_ROLES, Reading
from karat.errors import Problems
from karat.files import as_number
from karat.labels import (
    AMBIGUOUS_NO,
    CONTRADICTION,
    ENTAILMENT,
    FALSE,
    NO_ENTAILMENT,
    THREE,
    TWO,
    UNKNOWN,
    Spellings,
)

WHOLE = (THREE.labels, TWO.labels, (ENTAILMENT,))
"""The labels that a run can have probabilities of; one alone leaves the rest to its opposite."""
NOT_RUNS = frozenset("gold true label reference human target expected".split())
"""Columns named after these have the key's labels, as shares of people, and are no run's."""
EMPTY = ("", "nan", "na")
"""Cells without a number, which are reported with their rows."""
TOLERANCE = 0.015
"""How far from 1 a sum may be: as three numbers that were rounded to two digits."""


@dataclass(frozen=True)
class ProbabilityCells:
    """The probabilities in a file: the cells of every label, and the columns that they are in."""

    cells: dict[str, Sequence[Any]]
    columns: frozenset[str]
    run: str = ""
    """The run that the columns are named after, if any."""


def find_probabilities(rows: Columns, reading: Reading, problems: Problems) -> list[ProbabilityCells]:
    """The probabilities in a table, of each run: named by --run-column, or else found by common names."""
    spellings = Spellings(reading.label)
    named = {role: reading.run_column[role] for role in PROBABILITY_ROLES if role in reading.run_column}
    if missing := [name for name in named.values() if name not in rows.values]:
        what = f"a column {' and '.join(missing)}"
        found = f"columns {', '.join(rows.values)}"
        role, option = next(iter(named)), "--run-column"
        problems.add("no-column", found, file=rows.file, line=1, what=what, role=f"{role}=", option=option)
        return []
    if not named or "probabilities" in named:
        fields = [named["probabilities"]] if named else [name for name in PROBABILITY_FIELDS if name in rows.values]
        if fields and any(isinstance(parsed(cell), list | dict) for cell in rows.values[fields[0]]):
            one = probabilities_in(rows, fields[0], reading, problems)
            return [one] if one else []
    columns = {_of_role(role): name for role, name in named.items()} or _by_name(rows, spellings)
    if columns:
        one = _whole({label: rows.values[name] for label, name in columns.items()}, rows, columns.values(), problems)
        return [one] if one else []
    if not named and _unexplained(rows, spellings, problems):
        return []
    return [] if named else of_runs(rows, spellings)


def _unexplained(rows: Columns, spellings: Spellings, problems: Problems) -> bool:
    """Whether columns called 0, 1, … are the only ones that may be probabilities: their labels must be given."""
    coded = [str(place) for place in range(len(rows.values)) if str(place) in rows.values]
    if tuple(coded[:2]) != CODED or spellings[coded[0]] or not all(_numeric(rows.values[name]) for name in coded):
        return False
    needed = " ".join(f"--label {name}=LABEL" for name in coded)
    found = f"numbers in the columns {', '.join(coded)}, with no word on which label each is of"
    problems.add("probability-list", found, file=rows.file, line=rows.lines[0] if rows.lines else None, needed=needed)
    return True


def of_runs(rows: Columns, spellings: Spellings) -> list[ProbabilityCells]:
    """The probabilities in columns that are named after a run and a label, of all labels, which mostly sum to 1."""
    found = []
    for run, columns in columns_of_runs(rows.values, spellings).items():
        cells = _in_order({label: rows.values[name] for label, name in columns.items()})
        if run.casefold() not in NOT_RUNS and cells is not None and _mostly_sum_to_1(list(cells.values())):
            found.append(ProbabilityCells(cells, frozenset(columns.values()), run))
    return found


def _mostly_sum_to_1(columns: Sequence[Sequence[Any]]) -> bool:
    shares = np.stack([as_numbers(cells) for cells in columns])
    with np.errstate(invalid="ignore"):
        whole = (np.abs(shares.sum(axis=0) - 1) <= TOLERANCE) & (shares >= 0).all(axis=0)
    return bool(2 * whole.sum() > whole.size)


def _of_role(role: str) -> str:
    return role.upper().replace("NEUTRAL", UNKNOWN)


def _by_name(rows: Columns, spellings: Spellings) -> dict[str, str]:
    """Columns by the label they are named after; those that are marked are preferred to those that are not."""
    found: dict[str, str] = {}
    certain = False
    for name in rows.values:
        word, marked = named_after(name)
        label = spellings[word]
        if label and (marked or _numeric(rows.values[name])) and (label not in found or marked):
            found[label] = name
            certain |= marked
    # A single number called `entailment` may be anything.
    return found if certain or len(found) > 1 else {}


def _numeric(cells: Sequence[Any]) -> bool:
    numbers = [as_number(cell) for cell in cells[:1000] if cell_text(cell).casefold() not in EMPTY]
    return bool(numbers) and all(map(np.isfinite, numbers))


def probabilities_in(rows: Columns, name: str, reading: Reading, problems: Problems) -> ProbabilityCells | None:
    """The probabilities in a field: an object by label, or a list by code."""
    cells: dict[str, list[Any]] = {}
    spellings = Spellings(reading.label)
    for row, cell in enumerate(map(parsed, rows.values[name])):
        said = cell if isinstance(cell, Mapping) else dict(enumerate(cell)) if isinstance(cell, list) else {}
        for spelled, number in said.items():
            label = spellings[str(spelled)]
            if label is None:
                if isinstance(cell, list):
                    needed = " ".join(f"--label {place}=LABEL" for place in range(len(cell)))
                    found = f"a list of {len(cell)} numbers in {name}, with no word on which label each is of"
                    rows.report(problems, "probability-list", found, row, needed=needed)
                else:
                    labels = ", ".join(THREE.labels)
                    found = f"{spelled!r} in {name}"
                    rows.report(problems, "label-outside-task", found, row, spelled=str(spelled), labels=labels)
                return None
            cells.setdefault(label, [None] * len(rows))[row] = number
    return _whole(dict(cells), rows, [name], problems) if cells else None


def _whole(
    cells: dict[str, Sequence[Any]], rows: Columns, columns: Iterable[str], problems: Problems
) -> ProbabilityCells | None:
    """What was found, if it has all labels of a way; otherwise a problem is reported."""
    whole = _in_order(cells)
    if whole is not None:
        return ProbabilityCells(whole, frozenset(columns))
    problems.add("probability-labels", f"probabilities of {', '.join(cells)}", file=rows.file, line=1)
    return None


def _in_order(cells: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]] | None:
    """The cells of all labels of a way, in their order; None if they are not those of a way."""
    refuted = CONTRADICTION if UNKNOWN in cells else NO_ENTAILMENT
    plain = {refuted if label in (AMBIGUOUS_NO, FALSE) else label: column for label, column in cells.items()}
    labels = next((labels for labels in WHOLE if plain.keys() == set(labels)), None)
    return None if labels is None else {label: plain[label] for label in labels}


def read_probabilities(found: ProbabilityCells, ids: Sequence[str], rows: Columns, problems: Problems) -> Floats:
    """The probabilities (rows, labels), which sum to 1; every row that has none is reported."""
    shares = np.stack([as_numbers(cells) for cells in found.cells.values()], axis=-1)
    if shares.shape[-1] == 1:
        shares = np.concatenate([shares, 1 - shares], axis=-1)
    with np.errstate(invalid="ignore"):
        total = shares.sum(axis=-1, keepdims=True)
        wrong = ~((shares >= 0).all(axis=-1) & (np.abs(total[:, 0] - 1) <= TOLERANCE))
    if not wrong.any():
        return np.where(np.abs(total - 1) > DISPLAY_TOLERANCE, shares / total, shares)

    def told(row: int) -> str:
        cells = ", ".join(cell_text(column[row]) or "nothing" for column in found.cells.values())
        return f"{cells} for {', '.join(found.cells)} of pair {ids[row]!r}"

    bad = np.flatnonzero(wrong).tolist()
    if len(bad) > max(1, len(shares) // 2):  # not a slip in some rows: these are other numbers altogether
        numbers = f"numbers that are no probabilities in {len(bad):,} of {len(shares):,} rows, first {told(bad[0])}"
        logits = len(found.cells) > 1 and bool(np.isfinite(shares).all() and (shares < 0).any())
        rows.report(problems, "logits" if logits else "probability", numbers, bad[0])
        if logits:
            raised = np.exp(shares - shares.max(axis=-1, keepdims=True))
            return raised / raised.sum(axis=-1, keepdims=True)
    else:
        for row in problems.first(bad, "probability", rows.file):
            rows.report(problems, "probability", told(row), row)
    return shares


def likeliest(found: ProbabilityCells, shares: Floats) -> list[str]:
    """The most probable label of every row; of equals the first of ENTAILMENT, UNKNOWN, CONTRADICTION."""
    labels = labels_of(found)
    return [labels[place] for place in np.nan_to_num(shares, nan=-1.0).argmax(axis=-1).tolist()]


def labels_of(found: ProbabilityCells) -> tuple[str, ...]:
    """The labels of the probabilities, with the one that has what is left."""
    return tuple(found.cells) if len(found.cells) > 1 else TWO.labels
