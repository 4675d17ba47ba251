"""The cost of edits.

Tokens are numbers; pair i has those of T at `t_starts[i]:t_starts[i + 1]` and those of H likewise. An empty H asks for
nothing: distance 0. An empty T gives nothing: distance 1, unless H is empty too.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints, Singles
from karat.kernels.compiled import compiled


@compiled
def edit_distances(
    t_starts: Ints,
    h_starts: Ints,
    m_starts: Ints,
    match: Singles,
    delete: Floats,
    insert: Floats,
    costs: Floats,
    share: float = 0.0,
) -> Floats:
    """The least cost of turning each T into its H, under each row of costs (schemes, 3): (schemes, pairs).

    What the tokens of a pair have in common is a block |T| × |H| of `match`, row by row from `m_starts[i]` (0: the
    same; 1: nothing). To delete or insert a token costs what `delete` and `insert` say of it; to substitute h for t
    costs match × (substitute + share × (delete of t + insert of h)): one price for all with share 0, and with
    substitute 0 and share 1 as EDITS 3 reckons. A row multiplies `delete` and `insert`, and its third number is
    `substitute`. Starts need not begin at 0, so a slice of them is a batch too.
    """
    made = np.empty((len(costs), len(t_starts) - 1))
    for pair in range(len(t_starts) - 1):
        h_start = h_starts[pair]
        width = h_starts[pair + 1] - h_start
        # One row of the table at a time; `line[j]` is the cost of making the first j tokens of H.
        line = np.empty(width + 1)
        for scheme in range(len(costs)):
            deleting, inserting, changing = costs[scheme, 0], costs[scheme, 1], costs[scheme, 2]
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
    return made


@compiled
def totals(starts: Ints, values: Floats) -> Floats:
    """The sum of each segment: what deleting all of T, or inserting all of H, costs; distances are divided by it."""
    made = np.zeros(len(starts) - 1)
    for segment in range(len(made)):
        for place in range(starts[segment], starts[segment + 1]):
            made[segment] += values[place]
    return made
