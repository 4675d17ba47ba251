"""A definition is checked whole."""

from __future__ import annotations

import pytest

from karat.campaign.definition import build
from karat.errors import DataError


def test_the_order_of_dates_is_checked_beside_other_problems() -> None:
    """A wrong task does not hide a wrong date."""
    dates = {"opens": "2027-05-08T00:00", "closes": "2027-05-01T00:00", "reports": "2027-04-01T00:00"}
    table = {"name": "x", "title": "X", "dates": dates, "tasks": [{"name": "t", "test": "p.xml", "runs": 100}]}
    with pytest.raises(DataError) as caught:
        build(table, "form")
    found = [one.found.partition(":")[0] for one in caught.value.problems]
    assert sorted(found) == ["dates.closes", "dates.reports", "tasks[1].runs"]
