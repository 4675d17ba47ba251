"""The scale of ballots: labels of the key, a given order, numbers or words; and labels that may be misspelled."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence

from karat.align.ballot_cells import BallotCell
from karat.data.ballots import Scale, numbers_of
from karat.data.pairs import Pairs
from karat.data.provenance import BallotReading
from karat.errors import Problems, UsageError
from karat.labels import Spellings, code_table, way_of

NOT_NUMBERS = {
    "ordinal": "give the labels from low to high: --order LABEL for each",
    "interval": "use --level ordinal",
}
RARE_COUNT, RARE_SHARE = 2, 0.01
"""A label may be misspelled if it occurs at most this often, and in less than this share of the ballots."""
MOST_UNORDERED_LABELS = 30
"""A column with more different values, without an order, is probably not one of labels."""


def scale_of(
    cells: Sequence[BallotCell], key: Pairs | None, reading: BallotReading, problems: Problems
) -> tuple[Scale, dict[str, int]]:
    """The scale, and the code of each spelling; spellings that are not on the scale are reported."""
    spelled = list(dict.fromkeys(cell.label for cell in cells))
    if reading.order:
        _report_outside(cells, reading.order, problems)
        codes = {label: place for place, label in enumerate(reading.order)}
        return Scale(reading.order, reading.level or "ordinal"), codes
    meanings = Spellings(reading.label)
    meanings.beside(spelled)
    known = [meaning for label in spelled if (meaning := meanings[label])]
    way = None if key is None else key.way
    # YES and NO alone may mean anything; with a key, or with a three-way label, they mean entailment.
    if (
        way is None
        and _is_entailment(cells, known, len(spelled), meanings)
        and (reading.label or way_of(known).name == "3")
    ):
        way = way_of(known)
    # With a key an unknown label is an error, unless all are unknown: then they are ratings of something else.
    if way is not None and known:
        table = code_table(way)
        codes = {label: table[meaning] for label in spelled if (meaning := meanings[label]) in table}
        _report_meaningless(cells, codes, way.labels, problems)
        return Scale(way.labels, reading.level or "nominal"), codes
    scale, codes = _found(spelled, reading)
    if scale.level == "nominal":
        _report_odd(cells, scale, codes, problems)
    return scale, codes


def _is_entailment(cells: Sequence[BallotCell], known: Sequence[str], spelled: int, meanings: Spellings) -> bool:
    """Whether all labels are of entailment; or most are and one is spelled in two ways, which must be counted as one.

    A label that is unknown is then an error: the others cannot be unified without saying what it is.
    """
    if len(known) == spelled:
        return True
    return len(set(known)) < len(known) and 2 * sum(bool(meanings[one.label]) for one in cells) > len(cells)


def _found(spelled: list[str], reading: BallotReading) -> tuple[Scale, dict[str, int]]:
    """The labels as found: numbers by size, words in alphabetical order."""
    numbers = numbers_of(spelled)
    if numbers is None:
        if reading.level in NOT_NUMBERS:
            word = next(label for label in spelled if numbers_of([label]) is None)
            raise UsageError(f"--level {reading.level}: {word!r} is not a number; {NOT_NUMBERS[reading.level]}")
        words = sorted(spelled)
        return Scale(tuple(words)), {label: place for place, label in enumerate(words)}
    # 1 and 1.0 are one number; the first spelling counts.
    values = sorted(set(numbers))
    place = {number: at for at, number in enumerate(values)}
    first = dict(zip(reversed(numbers), reversed(spelled), strict=True))
    codes = {label: place[number] for label, number in zip(spelled, numbers, strict=True)}
    made = tuple(first[number] for number in values)
    return Scale(made, reading.level or "nominal", said=reading.level is not None), codes


def _report_outside(cells: Sequence[BallotCell], order: Sequence[str], problems: Problems) -> None:
    """Report all labels missing from the order in one problem, since the option is wrong and not each line."""
    first: dict[str, BallotCell] = {}
    for cell in cells:
        if cell.label not in order:
            first.setdefault(cell.label, cell)
    if first:
        where = next(iter(first.values()))
        found = f"{'labels' if len(first) > 1 else 'a label'} missing from --order: {', '.join(map(repr, first))}"
        fix = f"put in --order {' --order '.join(first)} where they belong, or correct the file"
        problems.add("format", found, file=where.file, line=where.line, what=f"one of {', '.join(order)}", fix=fix)


def _report_meaningless(
    cells: Sequence[BallotCell], codes: dict[str, int], labels: Sequence[str], problems: Problems
) -> None:
    for cell in cells:
        if cell.label not in codes:
            what = f"one of {', '.join(labels)}"
            found = f"label {cell.label!r} of unit {cell.unit!r} by {cell.assessor!r}"
            problems.add("label", found, file=cell.file, line=cell.line, what=what, spelled=cell.label)


def _report_odd(cells: Sequence[BallotCell], scale: Scale, codes: dict[str, int], problems: Problems) -> None:
    """Report labels that may be misspelled, and columns that are probably not labels."""
    if len(scale.values) > MOST_UNORDERED_LABELS:
        found = f"{len(scale.values)} different labels in {len(cells)} ballots"
        problems.add("many-labels", found, file=cells[0].file)
        return
    counts = Counter(codes[cell.label] for cell in cells)
    rare = {code for code, count in counts.items() if count <= RARE_COUNT and count < RARE_SHARE * len(cells)}
    common = [label for label, code in codes.items() if code not in rare]
    for cell in cells:
        if codes[cell.label] in rare:
            near = difflib.get_close_matches(cell.label, common, n=1)
            fix = f"correct it if {near[0]!r} was meant" if near else "correct it if it is a slip"
            times = "once" if counts[codes[cell.label]] == 1 else "twice"
            found = f"label {cell.label!r}, {times} in {len(cells)} ballots (unit {cell.unit!r}, {cell.assessor!r})"
            problems.add("rare-label", found, file=cell.file, line=cell.line, labels=", ".join(common), fix=fix)
