"""Lists that assessors have finished: of several people's lists for one unit, which one is taken."""

from __future__ import annotations

from karat.campaign.events import Item, Stage
from karat.campaign.judging.kinds.kind import Kind
from karat.campaign.judging.work import Ballot, Work


def holders(work: Work, stage: Stage, unit: str) -> list[str]:
    """The people who were given a unit, in the order in which units of this stage were first given to them."""
    item = Item(stage, unit)
    return [who for (of, who), items in work.queues.items() if of == stage and item in items and _is_person(work, who)]


def _is_person(work: Work, who: str) -> bool:
    return who not in work.programs


def chosen(work: Work, kind: Kind, unit: str) -> tuple[Ballot, list[Ballot]] | None:
    """The finished list for a unit of whoever of its holders comes first; None if nobody has finished one.

    A list that was changed afterwards, so that it could not be finished like that, is not finished.
    """
    item = Item(kind.stage, unit)
    for who in holders(work, kind.stage, unit):
        ballot = work.of(who).get(item)
        if ballot is None or ballot.said.skipped or any(True for _ in kind.check(work, item, who, ballot.said.values)):
            continue
        return ballot, list(work.entries(who, item).values())
    return None
