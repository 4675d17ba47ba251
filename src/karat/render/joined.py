"""Rows that belong together, as lines beside them: which line stands in which column."""

from __future__ import annotations

from karat.data.charts import Dots

COLUMNS = 16
"""More lines than this, side by side, are no help to anybody."""

Joined = list[tuple[int, list[int]]]
"""A column, and the rows that the line in it joins, from the top."""


def packed(chart: Dots) -> tuple[Joined, str]:
    """The lines, in as few columns as can be, and a note where there were too many: then the largest are drawn.

    From the top, each line takes the first column that is free: no way to arrange them needs fewer.
    """
    groups = [sorted({row for row in group if 0 <= row < len(chart.labels)}) for group in chart.groups]
    groups = [rows for rows in groups if len(rows) > 1]
    kept: list[list[int]] = []
    for rows in sorted(groups, key=len, reverse=True):
        if _deepest([*kept, rows]) <= COLUMNS:
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
    """The most lines that stand beside one row."""
    return max(sum(rows[0] <= row <= rows[-1] for rows in groups) for row in range(max(map(max, groups)) + 1))
