"""Whether every null of a result's JSON has its reason, and every reason its null."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from karat.data.fields import NO_REASON, NOT_EXPLAINED, pointer, reached
from karat.studies.base import StudyResult


def json_nulls(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[str]:
    """The pointer of every null."""
    if value is None:
        yield pointer(*at)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from json_nulls(one, (*at, name))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from json_nulls(one, (*at, place))


def all_explained(result: StudyResult) -> dict[str, str]:
    """The reason of every null, by its pointer, after looking that none is missing, twice told or without sense."""
    return json_explained(json.loads(result.render("json")))


def json_explained(told: Mapping[str, Any]) -> dict[str, str]:
    """The same of a result that is JSON already; a list may be empty for a reason, as if it were null."""
    reasons = {one["path"]: one["reason"] for one in told["undefined"]}
    assert len(reasons) == len(told["undefined"])
    nulls = set(json_nulls({name: value for name, value in told.items() if name not in NOT_EXPLAINED}))
    assert nulls - set(reasons) == set()
    assert [path for path in set(reasons) - nulls if reached(told, path.split("/")[1:]) != []] == []
    assert not [path for path, reason in reasons.items() if reason in ("", NO_REASON)]
    return reasons
