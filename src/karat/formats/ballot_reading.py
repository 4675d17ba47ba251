"""What a user says about files of ballots that they do not say themselves."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from karat.data.ballots import Level
from karat.errors import UsageError

NAMES = {
    "unit": (
        *("unit", "id", "pair", "pair_id", "item", "orig_id", "pairID", "pair_ID", "uid", "idx", "item_id", "qid"),
        *("question_id", "example_id", "unit_id", "Unit", "ID", "Id"),
    ),
    "assessor": ("assessor", "annotator", "judge", "rater", "worker", "!amt_worker_ids"),
    "label": ("label", "judgment", "rating", "value", "response"),
    "reason": ("reason",),
    "kind": ("kind",),
}
"""What a column can be, and what it is usually called."""
ADJUDICATED = ("reason", "kind")
"""Columns that need not be there: rows with a reason are adjudications."""

ROW = "row"
"""Said of the unit, the row is the unit, unless a column is called so."""


class BallotReading(msgspec.Struct, frozen=True, kw_only=True):
    """How ballots are read."""

    level: Annotated[
        Level | None, Meta(description="what labels are: names, ranks or amounts; must be given where they are numbers")
    ] = None
    assessor: Annotated[
        tuple[str, ...], Meta(description="a column that is an assessor, in a file of a column an assessor")
    ] = ()
    ballot_column: Annotated[
        dict[str, str],
        Meta(
            description="which column is unit (or row: the row itself), assessor, label, reason or kind",
            examples=["unit=pairID"],
        ),
    ] = {}
    order: Annotated[
        tuple[str, ...], Meta(description="the labels from low to high, one a time, for an ordinal scale")
    ] = ()
    label: Annotated[
        dict[str, str], Meta(description="what a label's spelling means", examples=["NO=CONTRADICTION"])
    ] = {}
    leading: Annotated[
        tuple[str, ...],
        Meta(description="a label that a text begins with, where ballots are texts; one without is no ballot"),
    ] = ()
    same: Annotated[
        tuple[str, ...],
        Meta(description="a column that must say the same of a unit in every file; else the ballot is left out"),
    ] = ()
    exchangeable: Annotated[
        bool, Meta(description="first and second assessor differ from unit to unit; no column need name them")
    ] = False

    def __post_init__(self) -> None:
        for role in self.ballot_column:
            if role not in NAMES:
                raise UsageError.unknown("role for --ballot-column", role, NAMES)
