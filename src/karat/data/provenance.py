"""Where data came from, as named in every signature: the files, and the options with which they were read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import WayOption
from karat.errors import UsageError

PROVENANCE = ("source", "sources", "reading", "warnings", "places", "lines")
"""Fields of a noun that say where it came from, not what it contains."""


SHEET = re.compile(r"(.+\.xlsx)#(.+)", re.IGNORECASE | re.DOTALL)
"""A workbook and one of its sheets, which is called like this wherever a file is named."""


@dataclass(frozen=True)
class Source:
    """A file's name and the SHA-256 of its bytes; for data made in memory, of its columns."""

    name: str
    sha256: str

    @property
    def bare(self) -> Source:
        """The same without its folder, which is private."""
        return Source(PurePath(self.name).name, self.sha256)

    @property
    def sheet(self) -> str:
        """The sheet of a workbook that the name asks for."""
        return named[2] if (named := SHEET.fullmatch(self.name)) else ""

    def same_rows(self, other: Source) -> bool:
        """Whether this is the same file, and the same sheet of it."""
        return (self.sha256, self.sheet) == (other.sha256, other.sheet)

    @property
    def stem(self) -> str:
        """The name without folder and suffix, or that of the sheet: what a run is called."""
        if self.sheet:
            return self.sheet
        name = PurePath(self.name).name.removesuffix(".gz")
        return PurePath(name).stem if "." in name.lstrip(".") else name

    @classmethod
    def of_bytes(cls, name: str, data: bytes) -> Source:
        """The source of a file with these bytes."""
        return cls(name, hashlib.sha256(data).hexdigest())

    @classmethod
    def of_columns(cls, name: str, *columns: Iterable[object]) -> Source:
        """The source of data that was never a file."""
        digest = hashlib.sha256()
        for column in columns:
            for value in column:
                digest.update(repr(value).encode() + b"\x1f")
            digest.update(b"\x1e")
        return cls(name, digest.hexdigest())

    @classmethod
    def of_noun(cls, noun: object) -> Source:
        """The source of a noun made in memory: a hash of all its columns."""
        kind = type(noun).__name__.lower()
        fields = getattr(noun, "__dataclass_fields__", ())
        held = [getattr(noun, name) for name in fields if name not in PROVENANCE]
        return cls.of_columns(f"{kind} in memory", *(_values(value) for value in held))


def _values(column: object) -> Iterable[object]:
    """A column as plain values; a noun inside another as the hash of its columns."""
    if hasattr(column, "tolist"):
        return [column.tolist()]
    if hasattr(column, "__dataclass_fields__"):
        return [Source.of_noun(column).sha256]
    return column if isinstance(column, tuple | list) else [column]


IN_MEMORY = Source("", "")
"""The source of data that was not read from a file."""

TEXTS = ("text", "hypothesis")
ROLES = ("id", *TEXTS, "label")
PROBABILITY_ROLES = ("entailment", "unknown", "neutral", "contradiction", "no_entailment", "probabilities")
RUN_ROLES = ("id", "label", "confidence", "weight", "justification", "run", *PROBABILITY_ROLES)
BALLOT_ROLES = ("unit", "assessor", "label", "reason", "kind")
PREFERENCE_ROLES = ("left", "right", "verdict", "unit", "assessor", "shown")
"""The columns of a test set, a run, and files of ballots and of preferences that options can name."""
VERDICTS = ("left", "right", "tie", "both bad")
"""What a preference can be."""
Unparsed = Literal["refuse", "wrong", "unknown"]
MissingAnswers = Literal["refuse", "wrong"]
DespiteMemory = Annotated[bool, Meta(description="go on where a study needs more memory than this machine has free")]
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
            description="which column of the runs is id, label, confidence, weight, justification, the run's name, or "
            "the probability of a label: entailment, unknown, contradiction, no_entailment; probabilities has all of "
            "them in a list or an object",
            examples=["label=prediction"],
        ),
    ] = {}
    run_columns: Annotated[
        tuple[str, ...],
        Meta(description="a column of one run's answers, in a table with one column per run", examples=["NAME,NAME"]),
    ] = ()
    answer_pattern: Annotated[
        str | None,
        Meta(
            description="a regular expression that finds the label in a longer answer: its group, or all that it "
            "matches; if it finds different labels, the answer has none",
            examples=["REGEX"],
        ),
    ] = None
    missing: Annotated[MissingAnswers, Meta(description="how a pair without an answer is treated")] = "refuse"
    unparsed: Annotated[
        Unparsed,
        Meta(description="how an answer that is no label is treated: as an error, as wrong, or as UNKNOWN"),
    ] = "refuse"
    skip_bad_runs: Annotated[bool, Meta(description="leave out runs with errors, and say so")] = False
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
        if self.run_columns and "label" in self.run_column:
            raise UsageError("--run-columns and --run-column label=NAME both name the answers: give one of them")
        if twice := [name for name in self.answers if self.answers.count(name) > 1]:
            raise UsageError(f"--run-columns names {twice[0]} twice; give each column once")

    @property
    def answers(self) -> tuple[str, ...]:
        """The columns of answers that the user named; an option may name several with commas between."""
        return tuple(name.strip() for given in self.run_columns for name in given.split(","))


AS_IS = Reading()
"""No options: files that need none."""


class BallotReading(msgspec.Struct, frozen=True, kw_only=True):
    """How ballots are read."""

    UNSIGNED: ClassVar = ("despite_memory",)

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
            description="which column is unit (several: a+b; or row: the row itself), assessor, label, reason or kind",
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
        Meta(description="a label at the beginning of a text, if ballots are texts; other texts do not count"),
    ] = ()
    same: Annotated[
        tuple[str, ...],
        Meta(description="a column that must agree between files for a unit; otherwise the ballot is left out"),
    ] = ()
    exchangeable: Annotated[
        bool, Meta(description="assessors are not identified; the first differs from unit to unit")
    ] = False
    despite_memory: DespiteMemory = False

    def __post_init__(self) -> None:
        _check_roles("--ballot-column", self.ballot_column, BALLOT_ROLES)


BALLOTS_AS_THEY_ARE = BallotReading()


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


class PreferenceReading(msgspec.Struct, frozen=True, kw_only=True):
    """How preferences are read."""

    preference_column: Annotated[
        dict[str, str],
        Meta(
            description="which column is left, right (the two runs), verdict, unit, assessor, or shown (both runs, "
            "that on the left first)",
            examples=["left=NAME"],
        ),
    ] = {}
    verdict: Annotated[
        dict[str, str],
        Meta(description="the meaning of a verdict: left, right, tie or both bad", examples=["1=left"]),
    ] = {}

    def __post_init__(self) -> None:
        _check_roles("--preference-column", self.preference_column, PREFERENCE_ROLES)
        for meaning in self.verdict.values():
            if meaning not in VERDICTS:
                raise UsageError.unknown("verdict", meaning, VERDICTS)


class ScoreReading(msgspec.Struct, frozen=True, kw_only=True):
    """How scores are read."""

    UNSIGNED: ClassVar = ("despite_memory",)

    transpose: Annotated[bool, Meta(description="the score matrix has one row per unit and one column per run")] = False
    score: Annotated[
        str | None,
        Meta(
            description="which score, if there are several; all of its names, with commas, if files call it differently"
        ),
    ] = None
    despite_memory: DespiteMemory = False


RUNS_AS_ROWS = ScoreReading()


class PatternReading(msgspec.Struct, frozen=True, kw_only=True):
    """How patterns are read."""

    ignore_case: bool = False


AS_THEY_ARE = PatternReading()


class QuestionFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files used with questions and runs, and how they are read."""

    PATHS: ClassVar = ("judgments", "nuggets", "matches", "patterns", "accepted", "target_types")

    judgments: Annotated[
        tuple[str, ...],
        Meta(description="verdicts on answers: qid doc answer verdict group; a file, or a folder", examples=["FILE"]),
    ] = ()
    nuggets: Annotated[str | None, Meta(description="what answers to other questions should say")] = None
    matches: Annotated[
        tuple[str, ...],
        Meta(description="which nuggets the answers contain: a file or a folder", examples=["FILE"]),
    ] = ()
    patterns: Annotated[
        tuple[str, ...],
        Meta(description="regular expressions that accept answers: a file, or a folder", examples=["FILE"]),
    ] = ()
    ignore_case: Annotated[bool, Meta(description="patterns ignore case")] = False
    accepted: Annotated[
        tuple[str, ...],
        Meta(
            description="accepted answers in words, compared as SQuAD does: qid answer; a file, or a folder",
            examples=["FILE"],
        ),
    ] = ()
    exclude: Annotated[tuple[str, ...], Meta(description="a question, or a series, to leave out", examples=["ID"])] = ()
    target_types: Annotated[str | None, Meta(description="the type of each series' target, one per line")] = None
    question_reader: Annotated[str | None, Meta(description="format of the questions, if it cannot be detected")] = None
    answers: Annotated[
        int, Meta(description="ranked answers that a factoid may have; more than one scores by reciprocal rank", ge=1)
    ] = 1

    def __post_init__(self) -> None:
        if self.matches and self.nuggets is None:
            raise UsageError("--matches needs the nuggets too: --nuggets FILE")
        if self.accepted and self.patterns:
            raise UsageError("--accepted: give accepted answers or patterns, not both")
