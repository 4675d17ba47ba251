"""Ballots from the columns of files, and their alignment with the units and labels of a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from karat.align.ballot_cells import BallotCell, cells_of
from karat.align.ballot_scales import scale_of
from karat.align.columns import Columns
from karat.align.pairs import make_pairs
from karat.data.ballots import Adjudication, Ballots, Reason, Scale, check_units
from karat.data.coincidences import table_ballots
from karat.data.pairs import Pairs
from karat.data.provenance import BallotReading, Reading
from karat.errors import Problems, UsageError, counted
from karat.files import whole_number
from karat.labels import THREE, TWO


def align_ballots(ballots: Ballots, key: Pairs) -> Ballots:
    """The ballots with the units and labels of the key; a mismatch is an error."""
    if key.way is None:
        raise UsageError(f"{key.source.name} has no key to compare other keys with")
    check_units(ballots.units, key.index, key.source.name, "key")
    codes = np.arange(len(ballots.scale.values), dtype=np.int32)
    if ballots.scale.values == THREE.labels and key.way is TWO:
        codes = np.array(TWO.from_three, dtype=np.int32)
    elif ballots.scale.values != key.way.labels:
        raise UsageError(
            f"the ballots say {', '.join(ballots.scale.values[:5])}, the key {', '.join(key.way.labels)}: "
            "say what their labels mean (--label SPELLING=LABEL)"
        )
    place = np.array([key.index[unit] for unit in ballots.units], dtype=np.int32)
    said = {name: dict(zip(ballots.units, values, strict=True)) for name, values in ballots.attributes.items()}
    attributes = {name: tuple(map(values.get, key.ids)) for name, values in said.items()}
    scale = replace(ballots.scale, values=key.way.labels)
    return replace(
        ballots,
        units=key.ids,
        scale=scale,
        unit=place[ballots.unit],
        code=codes[ballots.code],
        adjudications=tuple(replace(one, code=int(codes[one.code])) for one in ballots.adjudications),
        attributes=attributes | key.groupings,
    )


def ballots_of_rows(
    files: Sequence[Columns], key: Pairs | None, reading: BallotReading, problems: Problems
) -> Ballots | None:
    """The ballots in the rows of files; None if they have errors."""
    cells, others = cells_of(files, reading, problems)
    _check(cells, key, problems)
    cells = [cell for cell in cells if cell.label]
    failed = any(problems.failed(rows.file) for rows in files)
    if not cells and not failed:
        problems.add("empty-file", "no ballots", file=files[0].file, what="a ballot")
    if not cells or failed:
        return None
    scale, codes = scale_of(cells, key, reading, problems)
    if any(problems.failed(rows.file) for rows in files):
        return None
    decided = [cell for cell in cells if cell.reason]
    for name, count in Counter(cell.file for cell in decided).items():
        problems.add("adjudications", f"{count} with a reason", file=name)
    given = [cell for cell in cells if not cell.reason]
    if not given:
        problems.add("empty-file", "only adjudications", file=files[0].file, what="a ballot")
        return None
    adjudications = tuple(
        Adjudication(cell.unit, cell.assessor, codes[cell.label], cast(Reason, cell.reason), cell.kind)
        for cell in decided
    )
    programs = tuple(dict.fromkeys(cell.assessor for cell in given if cell.program))
    if programs:
        problems.add("programs", f"ballots of {', '.join(programs)}", file=files[0].file)
    comments = {(cell.unit, cell.assessor): cell.comment for cell in cells if cell.comment}
    made = _ballots(given, scale, codes, key, reading)
    attributes = {name: tuple(map(values.get, made.units)) for name, values in others.items()}
    attributes |= {} if key is None else key.groupings
    return replace(made, adjudications=adjudications, programs=programs, comments=comments, attributes=attributes)


def _check(cells: Sequence[BallotCell], key: Pairs | None, problems: Problems) -> None:
    """Each assessor judges a unit once, a unit is adjudicated once, and all units are in the key."""
    rewritten = _check_forms(cells, key, problems)
    seen: dict[tuple[str, str | None], BallotCell] = {}
    for cell in cells:
        if not cell.unit or not cell.assessor:
            message = f"a ballot of unit {cell.unit!r} without an assessor" if cell.unit else "a ballot on no unit"
            problems.add("no-id", message, file=cell.file, line=cell.line)
        if key is not None and cell.unit not in key.index and cell.unit not in rewritten:
            problems.add("unknown-id", f"unit {cell.unit!r}", file=cell.file, line=cell.line)
        if cell.label:
            first = seen.setdefault((cell.unit, None if cell.reason else cell.assessor), cell)
            if first is not cell:
                where = f" (first in {first.file}" if first.file != cell.file else " (first in"
                where = f"{where} line {first.line})" if first.line else ""
                done = "adjudicated" if cell.reason else "judged"
                found = f"unit {cell.unit!r} {done} again by {cell.assessor!r}{where}"
                problems.add("duplicate-id", found, file=cell.file, line=cell.line)


def _check_forms(cells: Sequence[BallotCell], key: Pairs | None, problems: Problems) -> dict[str, str]:
    """Units whose numbers are written otherwise than in the key, or than by others, and how they are written there.

    Without a key, `8` and `08` are two units if somebody judged both, and one that a spreadsheet rewrote if nobody did.
    """
    judges: dict[str, set[str]] = {}
    for cell in cells:
        if cell.label:
            judges.setdefault(cell.unit, set()).add(cell.assessor)
    known = judges if key is None else key.index
    forms = {number: unit for unit in sorted(known, key=len) if (number := whole_number(unit))}
    meant = {}
    for unit, those in judges.items():
        first = forms.get(whole_number(unit) or "", unit)
        if first != unit and (those.isdisjoint(judges[first]) if key is None else unit not in key.index):
            meant[unit] = first
    found: dict[str, dict[str, BallotCell]] = {}
    for cell in cells:
        if cell.label and cell.unit in meant:
            found.setdefault(cell.file, {}).setdefault(cell.unit, cell)
    for file, units in found.items():
        (unit, cell), many = next(iter(units.items())), counted(len(units), "unit")
        said = f"{many} written otherwise than elsewhere, first {unit!r} for {meant[unit]!r}"
        problems.add("id-form", said, file=file, line=cell.line)
    return meant


def _ballots(
    cells: Sequence[BallotCell], scale: Scale, codes: dict[str, int], key: Pairs | None, reading: BallotReading
) -> Ballots:
    units = key.ids if key is not None else tuple(dict.fromkeys(cell.unit for cell in cells))
    assessors = tuple(dict.fromkeys(cell.assessor for cell in cells))
    unit_place = {name: place for place, name in enumerate(units)}
    assessor_place = {name: place for place, name in enumerate(assessors)}
    return Ballots(
        units=units,
        assessors=assessors,
        scale=scale,
        unit=np.array([unit_place[cell.unit] for cell in cells], dtype=np.int32),
        assessor=np.array([assessor_place[cell.assessor] for cell in cells], dtype=np.int32),
        code=np.array([codes[cell.label] for cell in cells], dtype=np.int32),
        exchangeable=reading.exchangeable,
    )


def ballots_of_counts(columns: Columns, reading: BallotReading, problems: Problems) -> Ballots | None:
    """The ballots counted in the table; None if it is not valid."""
    scale = Scale(tuple(columns["label"]), reading.level or "nominal", said=reading.level is not None)
    try:
        ballots = table_ballots(columns.facts["table"], scale, columns.facts["assessors"])
    except UsageError as error:
        what = columns.facts["what"]
        problems.add("format", error.on_command_line, file=columns.file, what=what, fix="correct the table")
        return None
    return replace(ballots, exchangeable=True) if reading.exchangeable else ballots


def ballots_of_key(columns: Columns, reading: BallotReading, problems: Problems) -> Ballots | None:
    """The ballots of a test set; None if it has errors or no ballots."""
    pairs = make_pairs(columns, Reading(label=reading.label), problems)
    ballots = pairs.ballots
    if problems.failed(columns.file):
        return None
    if ballots is None:
        what = "several labels per pair, or rows of unit, assessor and label"
        problems.add("empty-file", "a test set without ballots", file=columns.file, what=what)
        return None
    return replace(ballots, scale=ballots.scale.at(reading.level), attributes=pairs.groupings)
