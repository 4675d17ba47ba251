"""Lines beside rows that belong together: which line is in which column."""

from __future__ import annotations

from karat.data.charts import Dots

MOST_COLUMNS = 16
"""The most lines side by side; more would not help anybody."""

Joined = list[tuple[int, list[int]]]
"""A column, and the rows that the line in it joins, from the top."""


def packed(chart: Dots) -> tuple[Joined, str]:
    """The lines in as few columns as possible, and a note if there were too many, in which case the largest are drawn.

    From the top, each line takes the first free column, and no arrangement needs fewer columns.
    """
    groups = [sorted({row for row in group if 0 <= row < len(chart.labels)}) for group in chart.groups]
    groups = [rows for rows in groups if len(rows) > 1]
    kept: list[list[int]] = []
    for rows in sorted(groups, key=len, reverse=True):
        if _deepest([*kept, rows]) <= MOST_COLUMNS:
            kept.append(rows)
    free: list[int] = []
    made: Joined = []
    for rows in sorted(kept):
        column = next((column for column, last in enumerate(free) if last < rows[0]), len(free))
        free[column : column + 1] = [rows[-1]]
        made.append((column, rows))
    left_out = len(groups) - len(kept)
    return made, f"{left_out} of {len(groups)} groups are not drawn: no room beside larger ones" if left_out else ""


def _deepest(groups: list[list[int]]) -> int:
    """The most lines beside one row."""
    return max(sum(rows[0] <= row <= rows[-1] for rows in groups) for row in range(max(map(max, groups)) + 1))
