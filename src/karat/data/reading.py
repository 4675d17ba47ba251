"""Options for reading files: what the files do not say themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import WayOption
from karat.errors import UsageError

TEXTS = ("text", "hypothesis")
ROLES = ("id", *TEXTS, "label")
RUN_ROLES = ("id", "label", "confidence", "weight", "justification")
BALLOT_ROLES = ("unit", "assessor", "label", "reason", "kind")
"""The columns of a test set, a run and a file of ballots that options can name."""
Level = Literal["nominal", "ordinal", "interval"]


def _check_roles(option: str, given: Iterable[str], roles: tuple[str, ...]) -> None:
    for role in given:
        if role not in roles:
            raise UsageError.unknown(f"role for {option}", role, roles)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How test sets and runs are read."""

    reader: Annotated[str | None, Meta(description="format of the key, if it cannot be detected")] = None
    run_reader: Annotated[str | None, Meta(description="format of the runs, if it cannot be detected")] = None
    label: Annotated[
        dict[str, str], Meta(description="the meaning of a spelling of a label", examples=["NO=CONTRADICTION"])
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
        Meta(description="lines of a run are in order: most certain of ENTAILMENT, or of its own answer, first"),
    ] = None
    confidence: Annotated[
        Literal["response", "entailment"],
        Meta(description="what the confidences are in"),
    ] = "response"
    manual: Annotated[tuple[str, ...], Meta(description="a run that involved manual work; shown with a star")] = ()

    def __post_init__(self) -> None:
        _check_roles("--column", self.column, ROLES)
        _check_roles("--run-column", self.run_column, RUN_ROLES)


AS_IS = Reading()
"""No options: files that need none."""


class BallotReading(msgspec.Struct, frozen=True, kw_only=True):
    """How ballots are read."""

    level: Annotated[
        Level | None,
        Meta(description="the level of measurement of labels: names, ranks or amounts; required if they are numbers"),
    ] = None
    assessor: Annotated[
        tuple[str, ...], Meta(description="a column of one assessor's labels, in a file with one column per assessor")
    ] = ()
    ballot_column: Annotated[
        dict[str, str],
        Meta(
            description="which column is unit (or row: the row itself), assessor, label, reason or kind",
            examples=["unit=pairID"],
        ),
    ] = {}
    order: Annotated[
        tuple[str, ...], Meta(description="the labels of an ordinal scale from low to high, one option each")
    ] = ()
    label: Annotated[
        dict[str, str], Meta(description="the meaning of a spelling of a label", examples=["NO=CONTRADICTION"])
    ] = {}
    leading: Annotated[
        tuple[str, ...],
        Meta(description="a label at the beginning of a text, if ballots are texts; other texts are no ballots"),
    ] = ()
    same: Annotated[
        tuple[str, ...],
        Meta(description="a column that must agree between files for a unit; otherwise the ballot is left out"),
    ] = ()
    exchangeable: Annotated[
        bool, Meta(description="assessors are not identified; the first differs from unit to unit")
    ] = False

    def __post_init__(self) -> None:
        _check_roles("--ballot-column", self.ballot_column, BALLOT_ROLES)


class RatingReading(msgspec.Struct, frozen=True, kw_only=True):
    """How ratings of justifications are read."""

    criterion: Annotated[
        tuple[str, ...],
        Meta(
            description="a criterion, its lowest and highest value, and the condition under which it is asked; "
            "by default understandable:1..5 and 'compelling:1..5?understandable>=3'",
            examples=["NAME:LOW..HIGH[?OTHER>=N]"],
        ),
    ] = ()
    not_applicable: Annotated[
        tuple[str, ...], Meta(description="a value that means that a criterion does not apply", examples=["NUMBER"])
    ] = ()
    unasked: Annotated[
        Literal["refuse", "drop"], Meta(description="how ratings are treated that should not have been asked for")
    ] = "refuse"
    rating_column: Annotated[
        dict[str, str],
        Meta(description="which column is run, unit, assessor or a criterion", examples=["unit=pairID"]),
    ] = {}
    exchangeable: Annotated[bool, Meta(description="raters are not identified; a column of judges is ignored")] = False


class ScoreReading(msgspec.Struct, frozen=True, kw_only=True):
    """How a score matrix is read."""

    transpose: Annotated[bool, Meta(description="the score matrix has one row per unit and one column per run")] = False


RUNS_AS_ROWS = ScoreReading()


class PatternReading(msgspec.Struct, frozen=True, kw_only=True):
    """How patterns are read."""

    ignore_case: bool = False


AS_THEY_ARE = PatternReading()


class QuestionFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files used with questions and runs, and how they are read."""

    PATHS: ClassVar = ("judgments", "nuggets", "matches", "patterns", "target_types")

    judgments: Annotated[
        tuple[str, ...],
        Meta(description="verdicts on answers: qid doc answer verdict group; a file, or a folder", examples=["FILE"]),
    ] = ()
    nuggets: Annotated[str | None, Meta(description="what answers to other questions should say")] = None
    matches: Annotated[
        tuple[str, ...],
        Meta(description="which nuggets the answers hold: a file, or a folder", examples=["FILE"]),
    ] = ()
    patterns: Annotated[
        tuple[str, ...],
        Meta(description="regular expressions that accept answers: a file, or a folder", examples=["FILE"]),
    ] = ()
    ignore_case: Annotated[bool, Meta(description="patterns ignore case")] = False
    exclude: Annotated[tuple[str, ...], Meta(description="a question, or a series, to leave out", examples=["ID"])] = ()
    target_types: Annotated[str | None, Meta(description="the type of each series' target, one per line")] = None
    question_reader: Annotated[str | None, Meta(description="format of the questions, if it cannot be detected")] = None
    answers: Annotated[
        int, Meta(description="ranked answers that a factoid may have; more than one scores by reciprocal rank", ge=1)
    ] = 1

    def __post_init__(self) -> None:
        if self.matches and self.nuggets is None:
            raise UsageError("--matches says which nuggets the answers hold: give the nuggets too, --nuggets FILE")
