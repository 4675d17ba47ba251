"""What a user says about files that the files do not say themselves."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import WayOption
from karat.errors import UsageError

TEXTS = ("text", "hypothesis")
ROLES = ("id", *TEXTS, "label")
RUN_ROLES = ("id", "label", "confidence", "weight", "justification")
"""What a column can be, in a test set and in a run."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How files are read; every reader and every command takes these."""

    reader: Annotated[str | None, Meta(description="format of the key, where it cannot be told")] = None
    run_reader: Annotated[str | None, Meta(description="format of the runs, where it cannot be told")] = None
    label: Annotated[
        dict[str, str], Meta(description="what a label's spelling means", examples=["NO=CONTRADICTION"])
    ] = {}
    column: Annotated[
        dict[str, str],
        Meta(description="which column of the key is id, text, hypothesis or label", examples=["id=pairID"]),
    ] = {}
    run_column: Annotated[
        dict[str, str],
        Meta(
            description="which column of the runs is id, label, confidence, weight or justification",
            examples=["label=prediction"],
        ),
    ] = {}
    way: WayOption = "auto"
    ranked_by: Annotated[
        Literal["entailment", "response"] | None,
        Meta(description="what the order of lines in a run means: ⊢ most certain first, or its own answer"),
    ] = None
    confidence: Annotated[
        Literal["response", "entailment"],
        Meta(description="what a confidence column is the confidence in"),
    ] = "response"
    manual: Annotated[tuple[str, ...], Meta(description="a run that people had a hand in; shown with a star")] = ()

    def __post_init__(self) -> None:
        for option, given, roles in (
            ("--column", self.column, ROLES),
            ("--run-column", self.run_column, RUN_ROLES),
        ):
            for role in given:
                if role not in roles:
                    raise UsageError.unknown(f"role for {option}", role, roles)


AS_IS = Reading()
"""Files that say everything themselves."""
