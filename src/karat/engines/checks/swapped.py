"""The check of roles: T has subject and object, or the two sides of a comparison, the other way round."""

from __future__ import annotations

import numpy as np

from karat.engines.batch import Batch
from karat.engines.checks.marks import Marks
from karat.engines.checks.registry import Cue, checks
from karat.engines.checks.structures import Role
from karat.engines.checks.view import view
from karat.engines.checks.word_kinds import MUTUAL
from karat.engines.kernels.structures import find_swaps
from karat.engines.text.tags import Dependency

SURE = 0.8
_MUTUAL, _BY = Marks(MUTUAL), Marks(["by"])
_FIRST = np.isin(np.arange(len(Role)), (Role.SUBJECT, Role.BEING))
_SECOND = np.isin(np.arange(len(Role)), (Role.OBJECT, Role.OBLIQUE))
"""Who does it (or is older), and whom it is done to (or than whom)."""


@checks.register("swap", rank=33, verdict="contradiction", says="In the text it is {t} who does it, not {h}.")
def swap(batch: Batch) -> Cue:
    """The same is done, but by the one to the other and not the other to the one."""
    seen = view(batch)
    t_roles = seen.t_roles.copy()
    # Injuries caused by fireworks: whatever the parser makes of it, the fireworks do it.
    by = (batch.t_trees.dependencies == Dependency.CASE) & (_BY.of(batch.knowledge, batch.t_trees.lemmas) > 0)
    agents = (batch.t.starts[seen.t_pair] + batch.t_trees.heads)[by & (batch.t_trees.heads >= 0)]
    t_roles[agents[t_roles[agents] == Role.OBLIQUE]] = Role.NONE
    place, _ = find_swaps(
        batch.t.starts,
        batch.h.starts,
        batch.match.blocks,
        seen.support,
        SURE,
        batch.t_trees.heads,
        t_roles,
        batch.h_trees.heads,
        seen.h_roles,
        _MUTUAL.of(batch.knowledge, batch.h_trees.lemmas) > 0,
        _FIRST,
        _SECOND,
    )
    return seen.fire(place >= 0, place)
