"""Edit distance of token sequences: the least cost of turning a text into a hypothesis, for many pairs at once.

Pair i has the T tokens `t_starts[i]:t_starts[i + 1]` and the H tokens `h_starts[i]:h_starts[i + 1]`; what its tokens
have in common is a block |T| × |H| of `match`, row by row from `m_starts[i]` (0: the same; 1: nothing). Starts need
not begin at 0, so a slice of them is a batch too, and batches may run in threads.

To delete or insert a token costs what `delete` and `insert` say of it; to substitute h for t costs
match × (substitute + share × (delete of t + insert of h)): one price for all with share 0, and with substitute 0 and
share 1 as EDITS 3 reckons. Where H is empty all of T is deleted (for nothing where deleting is free); where T is
empty all of H is inserted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from karat.arrays import Floats, Ints
from karat.kernels.compiled import compiled

Matches = NDArray[np.float32]

KEEP, SUBSTITUTE, DELETE, INSERT = range(4)
"""What is done in one step of a script; a step that keeps pairs two tokens whose match is 0."""
NONE = -1
"""The token of T in an insertion, the token of H in a deletion."""


def edit_distance(
    t_starts: Ints,
    h_starts: Ints,
    m_starts: Ints,
    match: Matches,
    delete: Floats,
    insert: Floats,
    substitute: float = 1.0,
    share: float = 0.0,
) -> Floats:
    """The distance of each pair (pairs,)."""
    costs = np.array([[1.0, 1.0, substitute]])
    return edit_distances(t_starts, h_starts, m_starts, match, delete, insert, costs, share)[0]


def edit_distances(
    t_starts: Ints,
    h_starts: Ints,
    m_starts: Ints,
    match: Matches,
    delete: Floats,
    insert: Floats,
    costs: ArrayLike,
    share: float = 0.0,
) -> Floats:
    """The distance of each pair under each row of costs (schemes, 3): (schemes, pairs).

    A row multiplies `delete` and `insert`, and its third number is the price of a substitution.
    """
    schemes = real(costs).reshape(-1, 3)
    made = np.empty((len(schemes), len(t_starts) - 1))
    line = np.empty(int(np.diff(h_starts).max(initial=0)) + 1)
    blocks = np.ascontiguousarray(match, dtype=np.float32)
    starts = whole(t_starts), whole(h_starts), whole(m_starts)
    _distances(*starts, blocks, real(delete), real(insert), schemes, float(share), line, made)
    return made


def edit_script(
    match: NDArray[np.floating], delete: Floats, insert: Floats, substitute: float = 1.0, share: float = 0.0
) -> Ints:
    """The cheapest steps of one pair from its block (|T|, |H|): rows (step, token of T, token of H), from the left.

    Of equally cheap ways, that which pairs tokens furthest to the right.
    """
    block = np.asarray(match, dtype=np.float64)
    change = block * (substitute + share * (np.asarray(delete)[:, None] + np.asarray(insert)[None, :]))
    rows, columns = block.shape
    table = np.zeros((rows + 1, columns + 1))
    _table(np.ascontiguousarray(change), real(delete), real(insert), table)
    steps = []
    t, h = rows, columns
    while t or h:
        paired = table[t - 1, h - 1] + change[t - 1, h - 1] if t and h else np.inf
        deleted = table[t - 1, h] + delete[t - 1] if t else np.inf
        inserted = table[t, h - 1] + insert[h - 1] if h else np.inf
        if paired <= deleted and paired <= inserted:
            t, h = t - 1, h - 1
            steps.append((SUBSTITUTE if block[t, h] else KEEP, t, h))
        elif deleted <= inserted:
            t -= 1
            steps.append((DELETE, t, NONE))
        else:
            h -= 1
            steps.append((INSERT, NONE, h))
    return np.array(steps[::-1], dtype=np.int64).reshape(-1, 3)


def totals(starts: Ints, values: Floats) -> Floats:
    """The sum of each segment: what deleting all of T, or inserting all of H, costs; distances are divided by it."""
    made = np.empty(len(starts) - 1)
    _totals(whole(starts), real(values), made)
    return made


def whole(values: ArrayLike) -> Ints:
    """As the compiled code takes whole numbers: one kind, so that it is compiled once."""
    return np.ascontiguousarray(values, dtype=np.int64)


def real(values: ArrayLike) -> Floats:
    """As the compiled code takes numbers."""
    return np.ascontiguousarray(values, dtype=np.float64)


@compiled
def _distances(
    t_starts: Ints,
    h_starts: Ints,
    m_starts: Ints,
    match: Matches,
    delete: Floats,
    insert: Floats,
    costs: Floats,
    share: float,
    line: Floats,
    made: Floats,
) -> None:
    """One row of the table at a time; `line[j]` is the cost of making the first j tokens of H."""
    for scheme in range(len(costs)):
        deleting, inserting, changing = costs[scheme, 0], costs[scheme, 1], costs[scheme, 2]
        for pair in range(len(t_starts) - 1):
            h_start = h_starts[pair]
            width = h_starts[pair + 1] - h_start
            line[0] = 0.0
            for h in range(width):
                line[h + 1] = line[h] + inserting * insert[h_start + h]
            cell = m_starts[pair]
            for t in range(t_starts[pair], t_starts[pair + 1]):
                gone = deleting * delete[t]
                diagonal = line[0]
                left = diagonal + gone
                line[0] = left
                for h in range(width):
                    come = inserting * insert[h_start + h]
                    above = line[h + 1]
                    # Only the last of the three waits for the cell to the left, so it comes last.
                    best = min(above + gone, diagonal + match[cell + h] * (changing + share * (gone + come)))
                    left = min(best, left + come)
                    line[h + 1] = left
                    diagonal = above
                cell += width
            made[scheme, pair] = line[width]


@compiled
def _table(change: Floats, delete: Floats, insert: Floats, table: Floats) -> None:
    """The whole table of one pair, which a script is read from."""
    rows, columns = change.shape
    for t in range(rows):
        table[t + 1, 0] = table[t, 0] + delete[t]
    for h in range(columns):
        table[0, h + 1] = table[0, h] + insert[h]
    for t in range(rows):
        for h in range(columns):
            best = min(table[t, h + 1] + delete[t], table[t + 1, h] + insert[h])
            table[t + 1, h + 1] = min(best, table[t, h] + change[t, h])


@compiled
def _totals(starts: Ints, values: Floats, made: Floats) -> None:
    for segment in range(len(starts) - 1):
        total = 0.0
        for place in range(starts[segment], starts[segment + 1]):
            total += values[place]
        made[segment] = total
