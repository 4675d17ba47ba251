"""What the result of `qa` says of several assessors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karat.data.fields import Shown, Why
from karat.studies.rankings import NO_SCORE, RankingChange

NO_NEXT = "no run follows, or one of the two has no score"


@dataclass(frozen=True, kw_only=True)
class AssessorsRanking(RankingChange):
    """The ranking under one assessor's verdicts, compared with that under the majority's."""

    assessor: str
    verdicts: Annotated[int, Shown(note="answers that this assessor judged; the majority's verdict counts on others")]
    differ: Annotated[int, Shown("not the majority's", note="right instead of not right, or the reverse")]


@dataclass(frozen=True)
class RandomVerdicts:
    """The score of a run if each question is judged by one of its assessors, drawn at random; exact, not simulated.

    Best first by the majority's verdicts.
    """

    run: str
    majority: Annotated[float, Why(NO_SCORE)]
    mean: Annotated[float, Shown("random assessor"), Why(NO_SCORE)]
    deviation: Annotated[float, Shown(note="standard deviation over all ways of drawing the assessors"), Why(NO_SCORE)]
    lead: Annotated[float, Shown("lead over the next", note="mean over these ways"), Why(NO_NEXT)]
    lead_deviation: Annotated[float, Shown("deviation of the lead"), Why(NO_NEXT)]


@dataclass(frozen=True)
class SeveralAssessors:
    """What the ranking owes to the choice of the assessor."""

    judged: int
    """Answers with verdicts of two assessors or more."""
    disputed: int
    """Those of them that are right by some, and not right by others."""
    assessors: list[AssessorsRanking]
    random: list[RandomVerdicts]
    """Empty if runs are ranked by a measure that was asked for."""
