"""Preferences from the columns of files: whose verdict says what about which two runs, with every problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from karat.align.columns import Columns
from karat.arrays import Bools, Int32s, Integers
from karat.data.preferences import BOTH_BAD, LEFT, RIGHT, TIE, Preferences, numbered
from karat.data.provenance import VERDICTS, PreferenceReading, Source
from karat.errors import Problems, printable

SIDES = {"left": LEFT, "right": RIGHT}
"""Words for the sides as they were shown, …"""
COLUMN_WORDS = {
    **dict.fromkeys(("a", "[[a]]", "model_a", "run_a", "system_a", "answer_a", "response_a", "first"), LEFT),
    **dict.fromkeys(("b", "[[b]]", "model_b", "run_b", "system_b", "answer_b", "response_b", "second"), RIGHT),
}
"""… and for the two columns of runs: the same, unless a column says which of them was shown on the left."""
UNDECIDED = {
    **dict.fromkeys(("tie", "tied", "draw", "equal", "same", "c", "[[c]]", "both good", "tie (both good)"), TIE),
    **dict.fromkeys(("both bad", "both_bad", "bothbad", "tie (bothbad)", "tie (both bad)", "neither"), BOTH_BAD),
}
SPELLED = SIDES | COLUMN_WORDS | UNDECIDED
"""Spellings of verdicts, in any case."""
UNREAD = -1


class _Part(NamedTuple):
    """The rows of one file, by name."""

    source: Source
    left: list[str]
    right: list[str]
    verdict: Integers
    unit: list[str] | None
    assessor: list[str] | None


def align_preferences(parts: Sequence[Columns], reading: PreferenceReading, problems: Problems) -> Preferences | None:
    """The preferences of one or more files, or None if a file has errors (all of them are in `problems`).

    Columns are left, right and verdict, and optionally unit, assessor and shown (both names, the left one first). Of
    several files, one without assessors is that of one assessor, who is called like the file.
    """
    made = [_part(columns, reading, len(parts) > 1, problems) for columns in parts]
    for columns, one in zip(parts, made, strict=True):
        if one.unit is None and any(other.unit is not None for other in made):
            has, what = f"columns {', '.join(columns.values)}", "units, as in the other files"
            problems.add("columns", has, file=columns.file, line=1, what=what)
    if any(problems.failed(columns.file) for columns in parts):
        return None
    runs, both = numbered([*_all(one.left for one in made), *_all(one.right for one in made)])
    left, right = np.split(both, 2)
    units, unit = numbered(_all(one.unit or () for one in made))
    assessors, assessor = numbered(_all(one.assessor or () for one in made))
    preferences = Preferences(
        runs=runs,
        left=left,
        right=right,
        verdict=np.concatenate([one.verdict for one in made]).astype(np.int8),
        units=units,
        unit=unit if units else None,
        assessors=assessors,
        assessor=assessor if assessors else None,
        sources=tuple(one.source for one in made),
        reading=reading,
    )
    _report_repeated(preferences, [len(one.left) for one in made], problems)
    return preferences


def _all(columns: Iterable[Sequence[str]]) -> list[str]:
    return [name for column in columns for name in column]


def _part(columns: Columns, reading: PreferenceReading, several: bool, problems: Problems) -> _Part:
    columns.need_rows(problems, "no preferences", "at least one comparison of two runs")
    left, right = (list(columns[side]) for side in SIDES)
    unit, assessor = (_named(columns, role) for role in ("unit", "assessor"))
    named = {"run on the left": left, "run on the right": right, "unit": unit, "assessor": assessor}
    for what, names in named.items():
        for row in np.flatnonzero(_where(names, "")).tolist() if names is not None and "" in names else ():
            columns.report(problems, "no-id", f"a comparison without the name of the {what}", row)
    swapped = _swapped(columns, left, right, problems)
    verdict = _verdicts(columns, left, right, swapped, reading, problems)
    one_run = np.fromiter((a == b != "" for a, b in zip(left, right, strict=True)), dtype=bool, count=len(left))
    _report(columns, one_run, "same-run", lambda row: f"{printable(left[row])!r} on both sides", problems)
    if swapped.any():
        sides = list(zip(left, right, swapped.tolist(), strict=True))
        left, right = ([two[at ^ turned] for *two, turned in sides] for at in (0, 1))
    if assessor is None and several:
        assessor = [columns.source.stem] * len(left)
    return _Part(columns.source, left, right, verdict, unit, assessor)


def _named(columns: Columns, role: str) -> list[str] | None:
    """A column of names, or None if it is missing or empty."""
    names = list(columns[role])
    return names if any(names) else None


def _where(names: Sequence[str], name: str) -> Bools:
    return np.fromiter((one == name for one in names), dtype=bool, count=len(names))


def _report(
    columns: Columns, rows: Bools, code: str, found: Callable[[int], str], problems: Problems, **facts: Any
) -> None:
    for row in np.flatnonzero(rows).tolist():
        columns.report(problems, code, found(row), row, **facts)


def _swapped(columns: Columns, left: list[str], right: list[str], problems: Problems) -> Bools:
    """Whether the run of the second column was shown on the left, in files that say so."""
    shown = columns.get("shown")
    if shown is None:
        return np.zeros(len(left), dtype=bool)
    rows = list(zip(shown, left, right, strict=True))
    turned = np.array([text == f"{b} {a}" for text, a, b in rows], dtype=bool)
    lost = np.array([text not in (f"{a} {b}", f"{b} {a}") for text, a, b in rows], dtype=bool)

    def found(row: int) -> str:
        text, a, b = (printable(one) for one in rows[row])
        return f"{text!r} as the runs shown, where {a!r} and {b!r} are compared"

    what = "both names, that of the run on the left first"
    _report(columns, lost, "format", found, problems, what=what, fix="correct it, or leave the column out")
    return turned


def _verdicts(
    columns: Columns, left: list[str], right: list[str], swapped: Bools, reading: PreferenceReading, problems: Problems
) -> Int32s:
    """The code of every verdict: a word for a side or a tie, or the name of one of the two runs."""
    texts, text = numbered(columns["verdict"])
    said = {word.casefold(): VERDICTS.index(meaning) for word, meaning in reading.verdict.items()}
    words = np.array([said.get(one.casefold(), SPELLED.get(one.casefold(), UNREAD)) for one in texts], dtype=np.int32)
    as_shown = np.array([one.casefold() in SIDES or one.casefold() in said for one in texts], dtype=bool)
    runs, both = numbered([*left, *right, *texts])
    one, other, named = both[: len(left)], both[len(left) : 2 * len(left)], both[2 * len(left) :]
    del runs
    by_word, by_name = words[text], named[text]
    by_name = np.where(by_name == one, LEFT, np.where(by_name == other, RIGHT, UNREAD)).astype(np.int32)

    def turned(codes: Int32s, which: Bools) -> Int32s:
        return np.where(which & (codes >= LEFT) & (codes <= RIGHT), RIGHT - codes, codes).astype(np.int32)

    by_word, by_name = turned(by_word, swapped & ~as_shown[text]), turned(by_name, swapped)

    def told(row: int) -> str:
        return f"verdict {printable(texts[text[row]])!r}" if texts[text[row]] else "no verdict"

    def of_both(row: int) -> str:
        a, b = printable(left[row]), printable(right[row])
        return f"{told(row)} on {a!r} and {b!r}, which is a word for {VERDICTS[by_word[row]]!r} and the name of a run"

    clash = (by_word != UNREAD) & (by_name != UNREAD) & (by_word != by_name)
    _report(columns, clash, "ambiguous-preference", of_both, problems)
    unread = (by_word == UNREAD) & (by_name == UNREAD)
    _report(
        columns, unread, "preference",
        lambda row: f"{told(row)} on {printable(left[row])!r} and {printable(right[row])!r}", problems,
    )  # fmt: skip
    return np.where(by_word == UNREAD, by_name, by_word).astype(np.int32)


def _report_repeated(preferences: Preferences, rows: Sequence[int], problems: Problems) -> None:
    """Warn if an assessor compared two runs on a unit twice in the same order."""
    if preferences.unit is None or preferences.assessor is None:
        return
    key = preferences.unit.astype(np.int64)
    for codes, size in (
        (preferences.assessor, len(preferences.assessors)),
        (preferences.left, len(preferences.runs)),
        (preferences.right, len(preferences.runs)),
    ):
        _, key = np.unique(key * size + codes, return_inverse=True)
    first = np.zeros(len(key), dtype=bool)
    first[np.unique(key, return_index=True)[1]] = True
    again = np.split(~first, np.cumsum(rows)[:-1])
    for source, one in zip(preferences.sources, again, strict=True):
        if one.any():
            problems.add("compared-twice", f"{int(one.sum()):,} of {len(one):,} rows", file=source.name)
