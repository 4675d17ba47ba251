"""How far the votes of a norming round agree, before and after the discussion, by the library's own study."""

from __future__ import annotations

from typing import Any, NamedTuple

from karat.campaign.definition import Task
from karat.campaign.judging.files import given
from karat.campaign.judging.kinds import labels_of
from karat.campaign.state import Campaign

FEW_UNITS = 30
"""With fewer units, agreement is called uncertain."""
SHOWN = {"agreement": "Observed agreement", "alpha": "Krippendorff's alpha"}


class Agreed(NamedTuple):
    """The agreement of the votes at one time."""

    units: int
    """Those with two votes or more."""
    figures: dict[str, str]
    """The coefficients with their intervals, in words, by name."""

    @property
    def few(self) -> bool:
        """Whether there are too few units to be certain of anything."""
        return self.units < FEW_UNITS


def agreement(state: Campaign, task: Task, copy: int) -> Agreed | None:
    """The agreement of the blind votes (1) or of the votes after the discussion (2); None if no two can be compared."""
    rows = [
        (item.unit, ballot.said.assessor, ballot.label)
        for item, ballot in given(state.work_of(task.name), "norming", copy=copy)
        if ballot.label is not None
    ]
    units = [unit for unit, _, _ in rows]
    if not any(units.count(unit) > 1 for unit in set(units)):
        return None
    from karat.studies.agree.study import agree  # here: it loads scipy, and the server answers before that

    result = agree(_ballots(rows, task))
    return Agreed(result.paired, {name: _written(result.coefficients[key]) for key, name in SHOWN.items()})


def _ballots(rows: list[tuple[str, str, str]], task: Task) -> Any:
    import numpy as np

    from karat.data.ballots import Ballots, Scale

    labels = labels_of(task)
    units, people = (tuple(dict.fromkeys(row[place] for row in rows)) for place in (0, 1))
    columns = [(units.index(unit), people.index(who), labels.index(label)) for unit, who, label in rows]
    unit, assessor, code = (np.array(column, dtype=np.int32) for column in zip(*columns, strict=True))
    return Ballots(units=units, assessors=people, scale=Scale(labels), unit=unit, assessor=assessor, code=code)


def _written(one: Any) -> str:
    """A coefficient with its interval."""
    if one.value != one.value:
        return f"undefined: {getattr(one.value, 'why', 'it cannot be computed')}"
    between = f" (95% CI {one.low:.2f} to {one.high:.2f})" if one.low == one.low else ", without an interval"
    return f"{one.value:.2f}{between}".replace("-", "−")
