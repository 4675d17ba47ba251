"""An automatic assessor at work: unit after unit, until nothing is left that it can judge."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import msgspec

from karat.client.answers import Judgment, UnreadableError
from karat.client.campaigns import JudgingClient, Unit
from karat.client.judges import Assessor
from karat.errors import DataError

IN_A_ROW = 10
"""Units without a judgment, one after the other, after which a judge is given up."""


class AssessCounts(msgspec.Struct):
    """What has become of the units so far."""

    judged: int = 0
    skipped: int = 0
    """Of those, how many with a reason instead of answers."""
    unreadable: int = 0
    """Units left unjudged, since no answer could be used."""
    refused: int = 0
    """Units left unjudged, since the server took no judgment about them."""
    tried_again: int = 0
    """Answers that could not be used, where another attempt followed."""
    tokens_in: int = 0
    tokens_out: int = 0
    untold: int = 0
    """Answers for which no tokens were told."""
    last_problem: str = ""

    @property
    def left(self) -> int:
        """How many units were left unjudged."""
        return self.unreadable + self.refused

    def count(self, one: Judgment) -> None:
        """Add what an answer cost."""
        if one.tokens_in is None or one.tokens_out is None:
            self.untold += 1
        self.tokens_in += one.tokens_in or 0
        self.tokens_out += one.tokens_out or 0

    def cost(self, price_in: float | None, price_out: float | None) -> float | None:
        """The cost by prices for a million tokens; None without prices, or if tokens were not told."""
        if price_in is None or price_out is None or self.untold:
            return None
        return round((self.tokens_in * price_in + self.tokens_out * price_out) / 1_000_000, 6)


def assess(
    server: JudgingClient,
    judge: Assessor,
    tally: AssessCounts,
    *,
    tries: int = 3,
    limit: int | None = None,
    told: Callable[[Unit, AssessCounts], None] = lambda *_: None,
) -> bool:
    """Judge what there is; a unit whose answers cannot be used is left unjudged. `tally` is kept up to date.

    Whether nothing is waiting any more but what was left unjudged.
    """
    after, failed, row = "", set[str](), 0
    while limit is None or tally.judged + tally.left < limit:
        unit = server.next(after)
        if unit is None or unit.unit in failed:  # all others have been judged
            return True
        told(unit, tally)
        after = unit.unit
        if _one(server, judge, unit, tally, tries):
            row = 0
            continue
        failed.add(unit.unit)
        row += 1
        if row >= IN_A_ROW:
            return False
    return server.next(after) is None


def _one(server: JudgingClient, judge: Assessor, unit: Unit, tally: AssessCounts, tries: int) -> bool:
    """Judge one unit; whether there is a judgment now."""
    guidelines = server.guidelines(unit.guidelines)
    for attempt in range(1, tries + 1):
        try:
            said = judge.judge(unit, guidelines)
        except UnreadableError as error:
            tally.last_problem = str(error)
            if error.cost is not None:
                tally.count(error.cost)
            if attempt < tries:
                tally.tried_again += 1
            continue
        tally.count(said)
        return _send(server, judge, unit, said, tally)
    tally.unreadable += 1
    return False


def _send(server: JudgingClient, judge: Assessor, unit: Unit, said: Judgment, tally: AssessCounts) -> bool:
    ballot = {
        "id": str(uuid.uuid4()),
        "unit": unit.unit,
        "values": said.values,
        "skipped": said.skipped[:2000],
        "comment": said.comment[:2000],
        "guidelines": unit.guidelines,
        "program": judge.facts | said.about,
    }
    try:
        server.judge(ballot)
    except DataError as error:
        tally.refused += 1
        tally.last_problem = "; ".join(map(str, error.problems))
        return False
    tally.judged += 1
    tally.skipped += bool(said.skipped)
    return True
