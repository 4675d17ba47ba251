"""Parameters of `qa`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from karat.data.fields import readable
from karat.data.parameters import IntervalOption, parameters
from karat.data.verdicts import CORRECT, INEXACT, UNSUPPORTED
from karat.measures.questions import TREC
from karat.studies.nuggets.parameters import AllowanceOption, BetaOption, LengthOption, MissingOption, RecallOption

JudgedBy = Literal["people", "patterns", "people and patterns", "accepted answers"]
"""Who judges the answers."""
RankBy = Literal[
    "auto",
    "series_score",
    "type_score",
    "factoid_accuracy",
    "reciprocal_rank",
    "token_f1",
    "confidence_weighted",
    "nil_precision",
    "nil_recall",
    "list_f",
    "nugget_f",
    "nugget_precision",
    "nugget_recall",
]
"""The measures that runs can be ranked by."""
RANK_NAMES: dict[RankBy, str] = {
    "confidence_weighted": "confidence-weighted score",
    "nil_precision": "NIL precision",
    "nil_recall": "NIL recall",
    "reciprocal_rank": "mean reciprocal rank",
}
"""What people call them, where it is not the name read aloud."""
ACCEPTED = {"inexact": INEXACT, "unsupported": UNSUPPORTED}


class QaParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of `qa`."""

    answers: Annotated[
        int, Meta(description="ranked answers that a factoid may have; more than one scores by reciprocal rank", ge=1)
    ] = 1
    accept: Annotated[
        tuple[Literal["inexact", "unsupported"], ...], Meta(description="a further verdict that counts as right")
    ] = ()
    unjudged: Annotated[
        Literal["refuse", "wrong", "patterns"], Meta(description="how unjudged answers are treated")
    ] = "refuse"
    assessor: Annotated[
        str | None, Meta(description="score by the verdicts of this assessor alone, if several judged")
    ] = None
    beta: BetaOption = 3.0
    length: LengthOption = "characters"
    allowance: AllowanceOption = 100.0
    recall: RecallOption = "vital"
    missing: MissingOption = "missing"
    weights: Annotated[tuple[float, float, float], Meta(description="weights of factoid, list and other questions")] = (
        TREC
    )
    no_list: Annotated[
        Literal["literal", "exact"],
        Meta(description="a series without list questions: .67 and .33 as in TREC 2004, or the given weights"),
    ] = "literal"
    no_other: Annotated[
        Literal["left-out", "reweighted"],
        Meta(description="a series whose other question is not scored: left out as in TREC 2004, or scored without it"),
    ] = "left-out"
    ranked: Annotated[
        bool, Meta(description="the order of questions in a run is its confidence, most certain first (TREC 2002)")
    ] = False
    rank_by: Annotated[
        RankBy,
        Meta(description="the measure that ranks runs; auto: series_score, or without series type_score"),
    ] = "auto"
    interval: IntervalOption = 0.95

    @property
    def right(self) -> list[int]:
        """The verdicts that count as right."""
        return [CORRECT, *(ACCEPTED[name] for name in self.accept)]


def rank_name(measure: RankBy) -> str:
    """A measure in a heading or a sentence."""
    return RANK_NAMES.get(measure, readable(measure))


AS_USUAL = QaParameters()
"""The default way of scoring questions."""


def scoring_of(given: Mapping[str, Any]) -> QaParameters:
    """From the options of a command that reads runs on pairs and ballots too, to which some of them belong."""
    own = [name for name in QaParameters.__struct_fields__ if name not in ("missing", "assessor")]
    return parameters(QaParameters, {name: given[name] for name in own if name in given})
