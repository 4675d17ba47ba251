"""Files that organisers bring: judgments that were given elsewhere, and lists of units."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from karat.align.columns import find_column, texts_of
from karat.campaign.judging import brought, importing
from karat.campaign.judging.commands import ImportBallots
from karat.campaign.judging.files import CONTROL
from karat.campaign.judging.kinds import kinds_of
from karat.errors import DataError, Problems
from karat.formats.documents import document_of
from karat.formats.rows import read_rows
from karat.server.accounts import HOST
from karat.server.assigning import counts
from karat.server.store import digest_of, execute, material, now, state_of

UNIT_COLUMNS = ("unit", "id", "pair", "pair_id", "qid", "pairID")


def import_ballots(campaign: str, task: str, name: str, raw: bytes, actor: str = HOST) -> dict[str, Any]:
    """Bring in the judgments of a file: all of them, or none if anything is wrong with one.

    What is there already is left as it is, so that a file can be brought twice.
    """
    state, problems = state_of(campaign), Problems()
    about = material(state, task)
    runs = {run.name: run.received.id for run in state.active(task=task)}
    ballots = brought.read(name, raw, runs, problems)
    # In a table, the parts of a unit stand with a blank between them.
    kinds = kinds_of(about.task)
    index = {CONTROL.sub(" ", unit): unit for unit in (kinds["labels"].units(about) if "labels" in kinds else ())}
    ballots = [
        replace(one, item=replace(one.item, unit=index.get(CONTROL.sub(" ", one.item.unit), one.item.unit)))
        for one in ballots
    ]
    command = ImportBallots(task=task, file=name, sha256=digest_of(raw), ballots=tuple(ballots))
    importing.rehearse(command, state, about.library, now(), problems)
    problems.raise_errors()
    made = execute(campaign, command, actor, {command.sha256: raw})
    new = next((entry.event.count for entry in made.entries if hasattr(entry.event, "count")), 0)
    done = {"file": name, "sha256": command.sha256, "imported": new, "already": len(ballots) - new}
    return counts(campaign, task) | done


def listed_units(name: str, raw: bytes) -> list[str]:
    """The units of a file: a table with a column of them, such as a sample sheet, or one id per line."""
    problems = Problems()
    document = document_of(name, raw, problems)
    lines = None if document is None else document.lines(problems)
    problems.raise_errors()
    if document is None or lines is None:
        raise DataError(problems)
    if document.head.is_parquet or document.head.json_object or _has_columns(lines):
        rows = read_rows(document, problems)
        column = None if rows is None else find_column(rows, "unit", UNIT_COLUMNS, problems, "a column called unit")
        problems.raise_errors()
        assert rows is not None
        assert column is not None
        found = texts_of(rows, column)
    else:
        found = [line.strip() for line in lines]
    return list(dict.fromkeys(unit for unit in found if unit))


def _has_columns(lines: list[str]) -> bool:
    """Whether a file begins with the names of columns; an id has neither tabs nor commas in it."""
    first = lines[0] if lines else ""
    return "\t" in first or "," in first or first.strip() in UNIT_COLUMNS
