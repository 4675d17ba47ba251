"""Long lists of runs, some at a time: large campaigns have thousands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.http import HttpRequest

MOST_RUNS = 200
"""The runs of a task that are shown at a time."""
V = TypeVar("V")


def first_asked(request: HttpRequest) -> int:
    """The place of the first run that is asked for."""
    given = request.GET.get("runs", "")
    return max(0, int(given) - 1) if given.isascii() and given.isdecimal() and len(given) < 10 else 0


def portion(runs: Sequence[V], first: int) -> Sequence[V]:
    """The runs that are shown, from a place on."""
    return runs[first : first + MOST_RUNS]


def others(many: int, first: int) -> list[tuple[int, int]]:
    """The numbers of the first and last run of the portions before and after."""
    places = (first - MOST_RUNS, first + MOST_RUNS)
    return [(place + 1, min(place + MOST_RUNS, many)) for place in places if 0 <= place < many]
