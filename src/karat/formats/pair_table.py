"""Pairs in tables: most formats differ only in the names of their columns, which a layout declares.

The format `table` takes any CSV, TSV, JSON, Excel or Parquet file, by named columns or common column names; labels
alone are a key too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from karat.align.columns import (
    Columns,
    cell_text,
    find_column,
    holds_number_lists,
    open_nested,
    says_prediction,
    text_of,
    with_usual_names,
)
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.provenance import ROLES, TEXTS, Reading
from karat.errors import Problems, UsageError
from karat.formats.documents import Document
from karat.formats.label_columns import LABEL, key_column, says_labels
from karat.formats.probabilities import of_runs
from karat.formats.registry import pair_formats
from karat.formats.rows import IDS, RUN_NAMES, in_line, only_numbers_rows, read_rows
from karat.formats.sniffing import Fit, Sniff, best_of, has_columns
from karat.formats.wrapped import unwrapped
from karat.formats.writing import write_rows
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, UNKNOWN, Spellings

NLI_WORDS = {
    ENTAILMENT: "entailment",
    UNKNOWN: "neutral",
    CONTRADICTION: "contradiction",
    NO_ENTAILMENT: "not_entailment",
}


PLACE = "place in its run"
"""The ids of a table that has one row per run and pair, and no ids."""
FEWEST_RUNS = 2


@dataclass(frozen=True)
class PairLayout:
    """The columns of a pair format. If a role has several names, the first in the file counts."""

    text: Sequence[str]
    hypothesis: Sequence[str]
    label: Sequence[str] = ()
    id: Sequence[str] = ()
    """If empty, or if the file has none and `textless` is set, rows are numbered from 0."""
    ballots: Sequence[str] = ()
    """One column of lists of labels, or several columns with one label each."""
    words: Mapping[str, str] = field(default_factory=lambda: NLI_WORDS)
    """How labels are spelled in the file when written."""
    suffix: str = ".tsv"
    """The type of file to write if its name has no suffix."""
    textless: bool = False
    """Whether labels are enough, as they are for scoring."""


LAYOUTS: dict[str, PairLayout] = {}
"""The layouts by format."""


def register_layout(
    name: str,
    layout: PairLayout,
    *,
    what: str,
    needs: Collection[str] = (),
    without: Collection[str] = (),
    sniff: Sniff | None = None,
) -> None:
    """Register a layout, by default certain of files with its columns, all of `needs` and none of `without`."""
    columns = [*filter(None, (layout.id, layout.text, layout.hypothesis)), *([column] for column in needs)]
    LAYOUTS[name] = layout

    def write(pairs: Pairs, suffix: str = layout.suffix) -> bytes:
        return write_layout(pairs, layout, suffix)

    @pair_formats.register(name, sniff=sniff or has_columns(*columns, without=without), write=write, what=what)
    def read(document: Document, reading: Reading, problems: Problems) -> Columns:
        rows = read_rows(document, problems)
        rows = None if rows is None else unwrapped(rows)
        return read_table(rows, layout, document, reading, problems)


def read_table(
    rows: Columns | None, layout: PairLayout, document: Document, reading: Reading, problems: Problems, first: int = 0
) -> Columns:
    """A table as pairs; its columns may be called as usual but for their case if labels alone would do."""
    if rows is not None and layout.textless:
        usual = [*layout.id, *layout.text, *layout.hypothesis, *layout.label, *RUN_NAMES]
        rows = with_usual_names(rows, usual, named_in(reading))
        there = {*rows.values, *reading.column}
        label, unclear = key_column(rows, layout.label, there.isdisjoint((*layout.text, *TEXTS)), reading)
        if unclear:
            problems.recognise(rows.file)
            problems.add("which-key", f"labels in the columns {', '.join(unclear)}", file=rows.file, line=1)
            return Columns(document.source, {}, [])
        layout = replace(layout, label=layout.label if label is None else (label,))
    return read_layout(rows, layout, document, reading, problems, first)


def named_in(reading: Reading) -> list[str]:
    """The columns that the user named."""
    return [*reading.column.values(), *reading.run_column.values(), *reading.answers]


def read_layout(
    rows: Columns | None, layout: PairLayout, document: Document, reading: Reading, problems: Problems, first: int = 0
) -> Columns:
    """Rows as pairs: columns by the options or the layout; all other columns are attributes.

    The rows may be those of a part of a file; the number of its first row is then `first`.
    """
    nothing = Columns(document.source, {}, [])
    if rows is None:
        return nothing
    named = {role: [reading.column[role]] if role in reading.column else list(getattr(layout, role)) for role in ROLES}
    for name in reading.column.values():
        open_nested(rows, name)
    textless = layout.textless and reading.column.keys().isdisjoint(TEXTS) and _is_textless(rows.values, named)
    if textless:  # one text without the other is an attribute
        named |= {role: [] for role in TEXTS}
    optional = {"label", *(TEXTS if textless else ()), *(("id",) if layout.textless else ())} - set(reading.column)
    columns = {
        role: find_column(rows, role, names, problems, "--column", reading.column, needed=role not in optional)
        for role, names in named.items()
        if role != "id" or names
    }
    if any(name is None and role not in optional for role, name in columns.items()):
        return nothing
    by_row = layout.id and (columns["id"] is None or only_numbers_rows(rows, columns["id"], reading.column))
    if by_row and (places := places_in_runs(rows, reading)) is not None:
        rows.values[PLACE], columns["id"] = places, PLACE
    if layout.id and columns["id"] is None:
        problems.add("no-ids", "rows without ids", file=rows.file, line=1, option="--column")
        del columns["id"]
    rows = _each_pair_once(rows, columns, reading)
    raw = {role: [None] * len(rows) if name is None else rows.values[name] for role, name in columns.items()}
    raw.setdefault("id", [str(number) for number in range(first, first + len(rows))])
    values: dict[str, Sequence[object]] = {role: list(map(cell_text, raw[role])) for role in ("id", *TEXTS)}
    values["label"] = list(map(text_of, raw["label"]))
    if ballots := [name for name in layout.ballots if name in rows.values]:
        values["ballots"] = [_labels(row) for row in zip(*(rows.values[name] for name in ballots), strict=True)]
    taken = {*columns.values(), *ballots, *reading.answers}
    taken = taken.union(*(one.columns for one in of_runs(rows, Spellings(reading.label))))
    rest = [name for name in rows.values if name not in taken and not _is_of_a_run(name, rows.values[name], reading)]
    attributes = {name: list(map(text_of, rows.values[name])) for name in rest}
    return Columns(
        rows.source, values, rows.lines, {"attributes": attributes, "textless": textless}, in_line(rows.lines)
    )


def run_column_of(rows: Columns, reading: Reading, taken: Collection[str | None] = ()) -> str | None:
    """The column that says which run a row belongs to, if the table has one that is not taken for something else."""
    named = reading.run_column.get("run")
    return next((name for name in ([named] if named else RUN_NAMES) if name in rows.values and name not in taken), None)


def places_in_runs(rows: Columns, reading: Reading) -> list[str] | None:
    """The place of each row among those of its run, if a table without ids has one row per run and pair.

    It has if all runs have as many rows, and if what it says about the pairs is the same for each of them.
    """
    run = run_column_of(rows, reading)
    names = list(map(cell_text, rows.values[run])) if run else []
    times = Counter(names)
    if len(times) < FEWEST_RUNS or len(set(times.values())) > 1 or max(times.values()) == 1:
        return None
    met: Counter[str] = Counter()
    places = []
    for name in names:
        places.append(met[name])
        met[name] += 1
    about = [rows.values[name] for role in (*TEXTS, "label") for name in getattr(LAYOUT, role) if name in rows.values]
    said = [tuple(map(cell_text, cells)) for cells in zip(*about, strict=True)]
    first = dict(zip(reversed(places), reversed(said), strict=True)) if said else {}
    if any(first[place] != cells for place, cells in zip(places, said, strict=False)):
        return None
    return list(map(str, places))


def _each_pair_once(rows: Columns, columns: Mapping[str, str | None], reading: Reading) -> Columns:
    """The test set in a table with one row per run and pair, without what its runs say.

    A pair that is not the same in all its rows is left as it is, to be reported as a duplicate.
    """
    run = run_column_of(rows, reading, columns.values())
    if run is None or not columns.get("id"):
        return rows
    same = [rows.values[name] for name in columns.values() if name]
    first: dict[tuple[str, ...], int] = {}
    place = [first.setdefault(tuple(map(cell_text, cells)), row) for row, cells in enumerate(zip(*same, strict=True))]
    runs = {(str(at), cell_text(name)) for at, name in zip(place, rows.values[run], strict=True)}
    if len(first) == len(rows) or len(runs) < len(rows):
        return rows
    cells_of = {name: list(map(cell_text, column)) for name, column in rows.values.items()}
    said = {name for name, cells in cells_of.items() if any(cells[row] != cells[at] for row, at in enumerate(place))}
    kept = rows.of_rows_at(list(first.values()))
    return replace(kept, values={name: column for name, column in kept.values.items() if name not in said})


def _is_of_a_run(name: str, cells: Sequence[object], reading: Reading) -> bool:
    """Whether a column is what some model said, and no attribute of the pairs: numbers for all labels, or labels."""
    if holds_number_lists(cells):
        return True
    spellings = Spellings(reading.label)
    words = set(map(cell_text, cells)) - {""} if says_prediction(name) else set()
    return bool(words) and all(spellings[word] for word in words)


def _is_textless(columns: Collection[str], named: Mapping[str, Sequence[str]]) -> bool:
    """Whether a table has labels but not both texts and hypotheses."""
    there = {role for role, names in named.items() if not set(names).isdisjoint(columns)}
    return "label" in there and not there.issuperset(TEXTS)


def _labels(cells: tuple[object, ...]) -> list[str]:
    """The labels in one cell with a list, or in several cells with one each, without empty ones."""
    parts = [part for cell in cells for part in (cell if isinstance(cell, list) else [cell])]
    return [text for part in parts if (text := text_of(part))]


def write_layout(pairs: Pairs, layout: PairLayout, suffix: str) -> bytes:
    """Pairs as rows, with the first name of each column; attributes keep their names."""
    columns: dict[str, Sequence[object]] = {}
    if layout.id:
        columns[layout.id[0]] = pairs.ids
    elif pairs.ids != tuple(map(str, range(len(pairs)))):
        raise UsageError("this format has no ids: only pairs numbered from 0 in order come back as they were")
    if pairs.has_texts:
        columns[layout.text[0]], columns[layout.hypothesis[0]] = pairs.texts, pairs.hypotheses
    elif not layout.textless:
        raise UsageError(f"{pairs.source.name} has no texts, and this format needs them: write a table (.csv, .jsonl)")
    if layout.label and pairs.way:
        spelled = [layout.words.get(label, label) for label in pairs.way.labels]
        columns[layout.label[0]] = [spelled[code] if code >= 0 else "-" for code in pairs.labels.tolist()]
    if pairs.ballots is not None and layout.ballots:
        columns |= _ballot_columns(pairs.ballots, layout, suffix)
    taken = {*columns, *layout.ballots, *(() if pairs.way else layout.label)}
    for name, values in pairs.attributes.items():
        # An attribute with the name of another column is renamed, so that it is read as an attribute.
        columns[f"attribute {name}" if name in taken else name] = values
    return write_rows(columns, suffix)


def _ballot_columns(ballots: Ballots, layout: PairLayout, suffix: str) -> dict[str, Sequence[object]]:
    """One column of lists if the type of file has lists, otherwise one column per label."""
    lists: list[list[str]] = [[] for _ in ballots.units]
    for unit, code in zip(ballots.unit.tolist(), ballots.code.tolist(), strict=True):
        label = ballots.scale.values[code]
        lists[unit].append(layout.words.get(label, label))
    if suffix not in (".csv", ".tsv", ".txt", ".xlsx"):
        return {layout.ballots[0]: lists}
    singles, most = layout.ballots[1:], max(map(len, lists), default=0)
    if most > len(singles):
        raise UsageError(f"{suffix} has room for {len(singles)} labels a pair, here are {most}: write .jsonl")
    return {name: [row[place] if place < len(row) else "" for row in lists] for place, name in enumerate(singles)}


LAYOUT = PairLayout(
    id=IDS,
    text=("text", "t", "premise", "sentence1", "sentence_A", "context", "grounding", "doc"),
    hypothesis=("hypothesis", "h", "sentence2", "sentence_B", "statement", "claim", "generated_text"),
    label=LABEL,
    words={},
    suffix=".jsonl",
    textless=True,
)


def both_texts(fields: Collection[str]) -> dict[str, str]:
    """The names of the text and the hypothesis among those of a run, by their usual names; neither without the other.

    They tell whether an id means the same pair in the run and in the key.
    """
    found = {role: next((name for name in getattr(LAYOUT, role) if name in fields), None) for role in TEXTS}
    return {role: name for role, name in found.items() if name} if all(found.values()) else {}


register_layout(
    "table",
    LAYOUT,
    what="CSV, TSV, JSON, Excel or Parquet by column names; labels alone will do",
    # Never certain: column names are only conventions.
    sniff=best_of(
        has_columns(LAYOUT.text, LAYOUT.hypothesis, fit=Fit.POSSIBLE, parquet=Fit.POSSIBLE),
        has_columns(LAYOUT.label, fit=Fit.POSSIBLE),
        says_labels,
    ),
)
