"""Columns of labels in tables: which of them is the key's, and which others there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.align.columns import Columns, cell_text
from karat.data.provenance import Reading
from karat.formats.documents import Head
from karat.formats.sniffing import Fit
from karat.labels import UNANSWERED, Spellings, is_code

TRUE = ("y_true", "true_label", "ground_truth", "label_gold", "label_true")
"""What notebooks call the key."""
LABEL = ("label", "gold_label", "gold", "entailment", "entailment_judgment", "judgment", "majority_label", *TRUE)
"""Names of the column of the key's labels."""
SAME = frozenset({"label", "gold_label", "gold", *TRUE})
"""Those of them that mean the same thing; other names may be those of answers."""
REFERENCE = ("reference", "expected", "target", "true", "correct_label", "correct_answer")
"""Further names of it, if it contains labels and not only True and False."""
FLAGS = frozenset({"true", "false", "yes", "no"})
"""Labels that other columns may contain too (`correct`, `negated`)."""
ROWS_LOOKED_AT = 1000
"""The number of rows checked to see whether a column contains labels."""


def words_in(cells: Sequence[Any]) -> set[str]:
    """What is said in a column."""
    return {cell_text(cell).casefold() for cell in cells[:ROWS_LOOKED_AT]} - UNANSWERED


def mostly_labels(cells: Sequence[Any], spellings: Spellings) -> bool:
    """Whether more than half of the answers in a column are labels: others may be refusals, which are reported."""
    said = [word for cell in cells[:ROWS_LOOKED_AT] if (word := cell_text(cell).casefold()) not in UNANSWERED]
    return 2 * sum(spellings[word] is not None for word in said) > len(said)


def refers(cells: Sequence[Any], spellings: Spellings) -> bool:
    """Whether a column called as in `REFERENCE` has the key: labels, or codes of labels, and not only flags."""
    words = words_in(cells)
    return bool(words) and not words <= FLAGS and (mostly_labels(cells, spellings) or all(map(is_code, words)))


def says_labels(head: Head) -> Fit:
    """Possible if the first row under a header without labels has one, or the first JSON object."""
    spelled, named = Spellings(), [*LABEL, *REFERENCE]
    if head.json_object:
        return (
            Fit.POSSIBLE if any(isinstance(one, str) and spelled[one] for one in head.json_object.values()) else Fit.NO
        )
    first, second = (
        [spelled[cell.strip().strip('"')] for cell in line.split(head.delimiter)]
        for line in (head.first_line, head.second_line)
    )
    headed = not any(first) and len(first) > 1 and (any(second) or not head.fields.isdisjoint(named))
    return Fit.POSSIBLE if headed else Fit.NO


def key_column(rows: Columns, names: Sequence[str], alone: bool, reading: Reading) -> tuple[str | None, list[str]]:
    """The column of the key's labels, by its usual names, or by a further one if it contains labels; and if it is not
    clear which it is, those with labels.

    Columns that mean the same thing must say the same. If nothing else is there (`alone`), labels in columns of other
    names may be those of the key.
    """
    if "label" in reading.column:
        return reading.column["label"], []
    spellings = Spellings(reading.label)
    labelled = [name for name, cells in rows.values.items() if words_in(cells) and mostly_labels(cells, spellings)]
    same = {name: [spellings[cell_text(cell)] for cell in rows.values[name]] for name in labelled if name in SAME}
    if any(said != next(iter(same.values())) for said in same.values()):
        return None, list(same)
    if usual := [name for name in names if name in rows.values]:
        return next((name for name in usual if name in labelled), usual[0]), []
    further = next((name for name in REFERENCE if name in rows.values and refers(rows.values[name], spellings)), None)
    return further, labelled if alone and further is None else []
