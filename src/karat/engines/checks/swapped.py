"""The check of roles: T has subject and object the other way round."""

from __future__ import annotations

from karat.engines.batch import Batch
from karat.engines.checks.registry import Cue, checks
from karat.engines.checks.structures import Role
from karat.engines.checks.view import view
from karat.kernels.triples import find_swaps

SURE = 0.8


@checks.register("swap", rank=33, verdict="contradiction", says="In the text it is {t} who does it, not {h}.")
def swap(batch: Batch) -> Cue:
    """The same is done, but by the one to the other and not the other to the one."""
    seen = view(batch)
    place, _ = find_swaps(
        batch.t.starts,
        batch.h.starts,
        batch.match.blocks,
        seen.support,
        SURE,
        batch.t_trees.heads,
        seen.t_roles,
        batch.h_trees.heads,
        seen.h_roles,
        int(Role.SUBJECT),
        int(Role.OBJECT),
    )
    return seen.fire(place >= 0, place)
