"""Runs as tables with named columns: CSV, TSV, JSON, Excel, Parquet; one table may contain several runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from karat.align.columns import (
    Columns,
    cell_text,
    find_column,
    has_probabilities,
    holds_number_lists,
    says_prediction,
    text_of,
    texts_of,
    with_usual_names,
    words_of,
)
from karat.data.provenance import PROBABILITY_ROLES, TEXTS, Reading
from karat.data.responses import Responses
from karat.errors import Problems, UsageError
from karat.formats.classifier_output import opened
from karat.formats.documents import Document, Head
from karat.formats.label_columns import FLAGS, LABEL, REFERENCE, TRUE, key_column, mostly_labels, refers, words_in
from karat.formats.pair_table import (
    LAYOUT,
    both_texts,
    named_in,
    places_in_runs,
    run_column_of,
)
from karat.formats.probabilities import (
    ProbabilityCells,
    find_probabilities,
    labels_of,
    likeliest,
    probabilities_in,
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
AFFIX = re.compile(r"(?i)^(y_)?pred(ict(ed|ions?)|s)?[-_. ]|[-_. ]?pred(ict(ed|ions?)|s)?([-_. ]?label)?$")
"""The same at the beginning or end of a name that contains that of the run."""
ANSWER = frozenset("judgment answer response output model_label model_answer system_label system_answer".split())
"""Other names of the column of answers."""
EITHER = ("label", "gold_label")
"""Names of the column of answers if none is called a prediction; HANS uses `gold_label`."""
GOLD = ("gold", "gold_label", *TRUE, "label")
"""Names of the column of gold labels if the run contains them too."""
UNNAMED = frozenset({"", "y", "model", "system", *GOLD})
"""What is left of names such as `y_pred` and `predicted_label`, which name no run."""
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
    runs = _runs_in(rows, document.of_key, set(found.values()), reading, problems)
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
    elif (document.of_key or len(reading.answers) == 1) and _names_a_run(runs[0].answers or runs[0].name):
        values["run"] = [runs[0].name] * len(rows)
    elif run := _names_runs(rows, values["id"], reading, problems):
        values["run"] = texts_of(rows, run)
    values |= said
    lines = [*rows.lines] * len(runs)
    return Columns(rows.source, values, lines, facts, in_line(lines))


@dataclass(frozen=True)
class _RunInTable:
    """The column of a run's answers, and its probabilities; it has either or both."""

    name: str
    answers: str | None = None
    stated: ProbabilityCells | None = None

    @property
    def columns(self) -> set[str]:
        """The columns of the run."""
        return {*([self.answers] if self.answers else ()), *(self.stated.columns if self.stated else ())}


def _runs_in(rows: Columns, of_key: bool, used: set[str], reading: Reading, problems: Problems) -> list[_RunInTable]:
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
        return [_RunInTable(run_names(answers)[0], answers[0], unnamed)]
    listed = {} if reading.answers else _lists_of_probabilities(rows, answers, reading)
    runs = []
    for name, column in zip(run_names(answers), answers, strict=True):
        its = groups.pop(_folded(name), None)
        if its is None and (cells := listed.pop(_folded(name), None)):
            its = probabilities_in(rows, cells, reading, problems)
        if its is None and holds_number_lists(rows.values[column]):
            runs.append(_RunInTable(name, None, probabilities_in(rows, column, reading, problems)))
        else:
            runs.append(_RunInTable(name, column, its))
    for column in listed.values():
        runs.append(_RunInTable(run_names([column])[0], None, probabilities_in(rows, column, reading, problems)))
    if not reading.answers or named:
        runs += [_RunInTable(one.run, None, one) for one in groups.values()]
    if not runs and unnamed:
        return [_RunInTable("", None, unnamed)]
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


def _read(
    runs: Sequence[_RunInTable], ids: Sequence[str], rows: Columns, problems: Problems
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


def _says_answers(rows: Columns, used: set[str], reading: Reading) -> bool:
    """Whether a table with probabilities has a column of answers too; `label` is then taken for the key."""
    spellings = Spellings(reading.label)
    named = (words_in(rows.values[name]) for name in rows.values if name not in used and is_answer(name))
    said = bool(reading.answers) or "label" in reading.run_column
    return said or any(words and all(spellings[word] for word in words) for words in named)


def _names_runs(rows: Columns, ids: Sequence[str], reading: Reading, problems: Problems) -> str | None:
    """The column that names the run of each row, if the file has several: then ids occur more than once."""
    if "run" not in reading.run_column and len(set(ids)) == len(ids):
        return None
    return find_column(rows, "run", RUN_NAMES, problems, "--run-column", reading.run_column, needed=False)


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


def is_answer(name: str) -> bool:
    """Whether a column is called answers, in any of the usual ways."""
    return words_of(name)[0] in ANSWER or says_prediction(name)


def _names_a_run(column: str) -> bool:
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
