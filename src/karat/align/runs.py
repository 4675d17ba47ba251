"""Runs from the columns of files: aligned with the key, every problem reported, and labels become codes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns, as_numbers, first_in
from karat.align.own_texts import by_texts, check_texts
from karat.align.probabilities import align_probabilities, of_answers, shares_in_key_order
from karat.arrays import Floats
from karat.data.orders import RankedBy
from karat.data.pairs import Pairs
from karat.data.provenance import Reading
from karat.data.responses import Run, RunInfo
from karat.errors import Problems, UsageError, counted
from karat.files import whole_number
from karat.kernels.id_index import distinct
from karat.kernels.regex import compile_regex
from karat.labels import (
    AMBIGUOUS_NO,
    CONTRADICTION,
    ENTAILMENT,
    FALSE,
    NO_ENTAILMENT,
    THREE,
    TWO,
    UNKNOWN,
    Codes,
    Spellings,
    Way,
    code_table,
    fold,
    is_code,
)

Rows = NDArray[np.int64]
OPTION = "--run-column"
WORDS_OF_SENTENCE = 4
"""An answer of so many words is what a model said, and no spelling of a label."""
NAMED = 5
"""The most runs that a warning names."""
SUSPICIOUS_FROM = 5
"""A run that is right on all of at least this many labelled pairs is reported."""


def split_runs(columns: Columns) -> list[Columns]:
    """One table per run, if a column says which run a row belongs to."""
    names = columns.get("run")
    if names is None:
        return [columns]
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)
    runs = [columns.of_rows_at(some, run=name) for name, some in rows.items()]
    for run in runs:
        if all(shares is None for shares in run.values.get("probabilities", ())):
            run.values.pop("probabilities", None)  # its answers are labels, beside runs that state probabilities
    return runs


def run_name(run: Columns) -> str:
    """The name of a run: that in its table, or that of its file."""
    return run.facts.get("run") or run.source.stem


def align(key: Pairs, run: Columns, reading: Reading, problems: Problems) -> Run | None:
    """The run in the order of the key, or None if it has errors (all of them are in `problems`).

    Besides ids and labels a run may have `confidence`, `weight`, `justification`, and its copies of the key: `gold`,
    `text` and `hypothesis`; `other_id` is a second column that may have the ids. Its facts are `run`, its name if the
    file has several, `numbered` (whether ids are only the numbers of the rows), `id_columns`, the names of both columns
    of ids, `untold`, a column that would name runs if rows had ids, `choices`, the labels that could be answered, as
    far as its file says, `ranked` (whether lines are in rank order), `ranked_by`, `manual`, and `reported`, the rows
    whose labels were already reported.
    """
    spellings = Spellings(reading.label)
    if reading.missing == "wrong":
        run = _answered(run, spellings)
    if reading.answer_pattern is not None:
        run = replace(run, values={**run.values, "label": _found_in(run["label"], reading.answer_pattern, spellings)})
    run = by_texts(key, run) if run.facts.get("numbered") else _with_known_ids(key, run, problems)
    ids, facts, name = run["id"], run.facts, run_name(run)
    words, which = distinct(run["label"])
    spellings.beside([*words, *run.facts.get("choices", ())])
    units = key.places(ids)
    if (units >= 0).any() or any(spellings[word] for word in words):
        problems.recognise(run.file)
    if facts.get("numbered"):
        in_order = key.ids == tuple(map(str, range(len(key))))
        untold = f", so the column {facts['untold']} is not read as the name of the run" if facts.get("untold") else ""
        found = f"{facts.get('index') or 'rows without ids'}{untold}"
        if not (in_order and not untold and run.source.same_rows(key.source)):  # the rows are the same
            problems.add("no-ids" if in_order else "ids-needed", found, file=run.file, line=1, option=OPTION)
        if not in_order:
            return None
    if not facts.get("numbered") and not facts.get("ranked"):
        _check_order(key, run, units, problems)
    missing = _check_ids(key, run, units, reading, problems)
    check_texts(key, run, units, problems)
    way = _way(key, run, words, spellings, reading, problems)
    codes, unparsed = _codes(run, words, which, spellings, way, reading, problems)
    shares = align_probabilities(run, way, codes, problems) if "probabilities" in run.values else None
    confidence = _numbers(run, "confidence", problems) if shares is None else of_answers(shares, codes)
    weights = _numbers(run, "weight", problems)
    if missing:  # the order and the weights of pairs without an answer are unknown
        shares = confidence = weights = None
    if problems.failed(run.file):
        return None
    if weights is not None and not key.blind and not weights[key.labels[units] >= 0].sum() > 0:
        problems.add("weight", "weights that are all zero on the pairs with a label", file=run.file)
        return None
    if run.get("gold") is not None:
        _check_gold(key, run, units, spellings, problems)
        if problems.failed(run.file):
            return None
    # The header of a file takes precedence over the option, which applies to all files.
    said: RankedBy | None = facts.get("ranked_by")
    ranked_by = said or (reading.ranked_by if confidence is None else reading.confidence)
    if shares is not None:
        ranked_by = "response"
    if None not in (said, reading.ranked_by) and said != reading.ranked_by:
        problems.add("ranked-otherwise", f"a run that says it is ranked by {said}", file=run.file)
    if confidence is not None and ranked_by == "response":
        confidence[unparsed] = np.nan  # it is in none of the labels
    if (facts.get("ranked") is False or missing) and confidence is None:
        ranked_by = None
    elif facts.get("ranked") and ranked_by is None:
        problems.add("ranked-by", "a ranked run that does not say by what", file=run.file)

    aligned = np.full(len(key), -1, dtype=np.int8)
    aligned[units] = codes
    _check_not_key(key, run, aligned, way, problems)
    position = np.full(len(key), -1, dtype=np.int32)
    position[units] = np.arange(len(units))
    if ranked_by == "entailment" and confidence is None:
        _check_sound(run, codes, problems)
    texts = run.get("justification")
    return Run(
        info=RunInfo(
            name=name,
            way=way,
            source=run.source,
            manual=facts.get("manual", False) or name in reading.manual,
            missing=missing,
            unparsed=len(unparsed),
            ranked_by=ranked_by,
            numeric=confidence is not None,
        ),
        codes=aligned,
        position=position,
        confidence=None if confidence is None else _in_key_order(confidence, units, len(key), np.nan),
        weights=None if weights is None else _in_key_order(weights, units, len(key), np.nan),
        justifications=None if texts is None else tuple(_in_key_order(texts, units, len(key), "").tolist()),
        probabilities=None if shares is None else shares_in_key_order(shares, units, len(key)),
    )


def _answered(run: Columns, spellings: Spellings) -> Columns:
    """The rows that have an answer; where answers may be missing, an empty cell or nan is not one."""
    kept = [row for row, label in enumerate(run["label"]) if not spellings.unanswered(label)]
    return run if len(kept) in (0, len(run)) or "reported" in run.facts else run.of_rows_at(kept)


def _found_in(answers: Sequence[str], pattern: str, spellings: Spellings) -> list[str]:
    """What a pattern finds in each answer; where it finds nothing, or different labels, the answer stays as it is."""
    try:
        finds = compile_regex(pattern)
    except ValueError as error:
        raise UsageError(f"--answer-pattern {pattern}: no regular expression ({error})") from None
    if finds.groups > 1:
        raise UsageError(f"--answer-pattern {pattern}: {finds.groups} groups; expected one, around the label")
    found = []
    for answer in answers:
        parts = [match[finds.groups] for match in finds.finditer(answer)]
        same = len({spellings[part or ""] or part for part in parts}) == 1
        found.append(parts[-1] if same and parts[-1] else answer)
    return found


def _with_known_ids(key: Pairs, run: Columns, problems: Problems) -> Columns:
    """Of two columns of ids, that with the ids of the key; if both have them, a warning names the one that is read."""
    first, second = run["id"], run.get("other_id")
    if second is None or len(set(second)) < len(second) or (key.places(second) < 0).any():
        return run
    if (key.places(first) < 0).any():
        return replace(run, values={**run.values, "id": second})
    if list(first) != list(second):
        taken, other = run.facts["id_columns"]
        found = f"two columns with different ids of the test set, {taken} and {other}"
        problems.add("two-id-columns", found, file=run.file, line=1, taken=taken, other=other)
    return run


def _check_order(key: Pairs, run: Columns, units: Rows, problems: Problems) -> None:
    """If the key has no ids, those of a run must number its rows: any others belong to another test set."""
    if all(warning.code != "no-ids" for warning in key.warnings):
        return
    back = np.flatnonzero((units[1:] < units[:-1]) & (units[1:] >= 0)) + 1
    if len(back):
        row = int(back[0])
        found = (
            f"ids in another order than 0 to {len(key) - 1:,} (first {run['id'][row]!r} after {run['id'][row - 1]!r})"
        )
        run.report(problems, "ids-beside-none", found, row, "id")


def _check_ids(key: Pairs, run: Columns, units: Rows, reading: Reading, problems: Problems) -> int:
    """Every id is in the key, and every pair of the key is answered once; returns how many are not, if they may."""
    if reform := _written_otherwise(key, run["id"], units):
        row = int(np.flatnonzero(units < 0)[0])
        example = f"first {run['id'][row]!r} for {reform!r}"
        found = f"{(units < 0).sum():,} ids in a different form from those of the test set, {example}"
        run.report(problems, "id-form", found, row, "id")
        return 0
    for row in problems.first(np.flatnonzero(units < 0).tolist(), "unknown-id", run.file):
        run.report(problems, "unknown-id", f"pair {run['id'][row]!r}", row, "id")
    answers = np.bincount(units[units >= 0], minlength=len(key))
    if (answers > 1).any():
        first = np.full(len(key), -1)
        first[units[::-1]] = np.arange(len(units))[::-1]
        again = np.flatnonzero((units >= 0) & (first[units] != np.arange(len(units))))
        for row in problems.first(again.tolist(), "duplicate-id", run.file):
            before = run.place(int(first[units[row]]), "id")[0]
            run.report(problems, "duplicate-id", f"pair {run['id'][row]!r} again{first_in(before)}", row, "id")
    # A pair without a label is never scored and needs no answer; in a blind set every pair needs one.
    needed = (key.labels >= 0) | key.blind
    missing = np.flatnonzero(needed & (answers == 0)).tolist()
    # A run that answers nothing is a run of something else.
    if missing and reading.missing == "wrong" and len(missing) < needed.sum():
        found = f"{len(missing):,} of {needed.sum():,} pairs without an answer of {run_name(run)}"
        problems.add("missing-answers", found, file=run.file)
        return len(missing)
    for unit in problems.first(missing, "missing-id", run.file):
        problems.add("missing-id", f"no line for pair {key.ids[unit]!r}", file=run.file)
    return 0


def _written_otherwise(key: Pairs, ids: Sequence[str], units: Rows) -> str | None:
    """The key's form of the first unknown id, if all unknown ids are numbers of the key in another form: 1.0, 0001."""
    unknown = np.flatnonzero(units < 0).tolist()
    if not unknown:
        return None
    forms = {number: name for name in key.ids if (number := whole_number(name))}
    meant = [forms.get(whole_number(ids[row]) or "") for row in unknown]
    return meant[0] if None not in meant and len(set(meant)) == len(meant) else None


def _way(key: Pairs, run: Columns, words: list[str], spellings: Spellings, reading: Reading, problems: Problems) -> Way:
    """Whether the run is two-way or three-way: as the key, unless the run can only be two-way."""
    used = {meaning for label in words if (meaning := spellings[label])} | {*run.facts.get("probabilities_of", ())}
    three_way_words = used & {UNKNOWN, CONTRADICTION}
    if key.way is not TWO and used & {AMBIGUOUS_NO, FALSE}:
        offered = {spellings[label] for label in run.facts.get("choices", ())}
        three_way_words |= {label for label in (UNKNOWN, CONTRADICTION) if label in offered}
        if NO_ENTAILMENT not in used and used.intersection(key.settled):
            three_way_words.add(CONTRADICTION)  # a word that a three-way key uses means the same in a run
    if key.way is TWO:
        if three_way_words:
            problems.add("folded", f"three-way labels ({', '.join(sorted(used))})", file=run.file)
        return TWO
    if three_way_words:
        return THREE
    if AMBIGUOUS_NO in used and NO_ENTAILMENT not in used and reading.way != "2":
        row = next(row for row, label in enumerate(run["label"]) if spellings[label] == AMBIGUOUS_NO)
        found = f"{run['label'][row]!r}, and never UNKNOWN, CONTRADICTION or NO ENTAILMENT"
        run.report(problems, "ambiguous-no-blind" if key.blind else "ambiguous-no", found, row, "label")
    one_label = not used & {NO_ENTAILMENT, AMBIGUOUS_NO, FALSE}
    return THREE if one_label and not key.blind else TWO


def report_two_way(key: Pairs, runs: Sequence[Run], reading: Reading, problems: Problems) -> None:
    """Say because of which runs a three-way key is scored two-way."""
    if key.way is not THREE or reading.way != "auto":
        return
    two = [run for run in runs if run.info.way is TWO]
    if two:
        names = ", ".join(run.info.name for run in two[:NAMED]) + f" and {len(two) - NAMED} more" * (len(two) > NAMED)
        found = f"{counted(len(two), 'run')} of {len(runs):,} with two-way answers beside a three-way key: {names}"
        problems.add("two-way-runs", found, file=two[0].info.source.name)


def _codes(
    run: Columns,
    words: list[str],
    which: Rows,
    spellings: Spellings,
    way: Way,
    reading: Reading,
    problems: Problems,
) -> tuple[Codes, list[int]]:
    """The code of each answer, and the rows whose answers are no label but coded as the user says; or reported."""
    table = code_table(way)
    codes = np.array([table.get(spellings[word] or "", -1) for word in words], dtype=np.int8)[which]
    labels = ", ".join(way.labels)
    reported = set(run.facts.get("reported", ()))
    wrong = [row for row in np.flatnonzero(codes < 0).tolist() if row not in reported]
    empty = [row for row in wrong if spellings.unanswered(run["label"][row])]
    # If no answer is a label, the wrong column was read, or nobody has said what the codes mean. An empty cell is no
    # answer that is no label: `missing` says what becomes of it.
    if wrong and not empty and reading.unparsed != "refuse" and len(wrong) < len(codes):
        if reading.unparsed == "unknown":
            codes[wrong] = table[UNKNOWN]
        first = run["label"][wrong[0]]
        found = f"{len(wrong):,} of {len(codes):,} answers of {run_name(run)} that are no label, first {first!r}"
        treated = "wrong" if reading.unparsed == "wrong" else way.labels[table[UNKNOWN]]
        run.report(problems, "unparsed", found, wrong[0], "label", labels=labels, treated=treated)
        return codes, wrong
    if reading.unparsed != "refuse" and len(empty) < len(wrong) < len(codes):
        wrong = empty
    numeric = [row for row in wrong if is_code(run["label"][row])]
    said = [row for row in wrong if _is_said(run["label"][row])]
    others = sorted({*wrong}.difference(numeric, empty, said))
    kinds = (
        ("label-code", numeric),
        ("unanswered", empty),
        ("unparsed-answer", said),
        ("label-outside-task", others),
    )
    for code, rows in kinds:
        for row in problems.first(rows, code, run.file):
            spelled = run["label"][row]
            found = f"label {spelled!r} of pair {run['id'][row]!r}"
            run.report(problems, code, found, row, "label", labels=labels, spelled=shlex.quote(spelled))
    return codes, []


def _is_said(answer: str) -> bool:
    """Whether an answer is what a model or a program said, and no spelling of a label."""
    return len(answer.split()) >= WORDS_OF_SENTENCE or answer.casefold().startswith("error")


def _numbers(run: Columns, name: str, problems: Problems) -> Floats | None:
    """A column of finite numbers; weights must not be negative."""
    column = run.get(name)
    if column is None:
        return None
    numbers = as_numbers(column)
    wrong = ~np.isfinite(numbers) | ((name == "weight") & (numbers < 0))
    for row in problems.first(np.flatnonzero(wrong).tolist(), name, run.file):
        run.report(problems, name, f"{name} {column[row]!r} of pair {run['id'][row]!r}", row, name)
    return numbers


def _check_gold(key: Pairs, run: Columns, units: Rows, spellings: Spellings, problems: Problems) -> None:
    """A gold column that differs from the key suggests that the run is of another test set."""
    if key.way is None:
        return
    labels = run["gold"]
    # A two-way gold column is compared with the folded key.
    met = {spellings[label] for label in set(labels)}
    way = THREE if key.way is THREE and {UNKNOWN, CONTRADICTION} & met else TWO
    table = code_table(way)
    codes_of = {label: table.get(spellings[label] or "", -1) for label in set(labels)}
    gold = np.fromiter(map(codes_of.__getitem__, labels), dtype=np.int8, count=len(labels))
    keyed = fold(key.labels, way)[units]
    differing = np.flatnonzero((gold != keyed) & (keyed >= 0))
    if len(differing):
        row = int(differing[0])
        found = f"gold labels that are not the key's ({len(differing)}), first {labels[row]!r} of {run['id'][row]!r}"
        if run.facts.get("label_beside_probabilities"):
            found = f"a column label beside probabilities, and {len(differing)} of its labels are not the key's"
            found += f", first {labels[row]!r} of {run['id'][row]!r}"
            run.report(problems, "label-beside-probabilities", found, row, "gold")
        else:
            run.report(problems, "gold-differs", found, row, "gold")


def _check_not_key(key: Pairs, run: Columns, codes: Codes, way: Way, problems: Problems) -> None:
    """A run without errors is probably a copy of the key, or the wrong column of a file with both."""
    keyed = fold(key.labels, way)
    scored = keyed >= 0
    if scored.sum() >= SUSPICIOUS_FROM and (codes[scored] == keyed[scored]).all():
        found = f"the key's label on every one of {scored.sum()} pairs"
        problems.add("equals-key", found, file=run.file)


def _check_sound(run: Columns, ranked_codes: Codes, problems: Problems) -> None:
    """A run ranked by entailment should have its ENTAILMENT lines first."""
    late = np.flatnonzero((ranked_codes[1:] == 0) & (np.maximum.accumulate(ranked_codes != 0)[:-1])) + 1
    if len(late):
        found = f"{ENTAILMENT} below lines with another label ({counted(len(late), 'time')})"
        run.report(problems, "not-sound", found, int(late[0]), "label")


def _in_key_order(values: Floats | Sequence[str], units: Rows, size: int, absent: float | str) -> NDArray[Any]:
    ordered = np.full(size, absent, dtype=object if isinstance(absent, str) else np.float64)
    ordered[units] = values
    return ordered
