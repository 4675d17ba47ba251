"""Run: an engine's answers to a test set (`karat run`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.fields import Shown, Why
from karat.data.pairs import Pairs
from karat.data.parameters import MOST_JOBS, SeedOption, takes
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.responses import Responses, Run, RunInfo
from karat.data.result import Field, Finding, Findings, Sheet
from karat.engines.answering import Executor, predict
from karat.engines.engine import Decisions, Failure, Span, engines
from karat.engines.lexicon.loading import how_to_get
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.model import Model, bare_spelling, fit
from karat.engines.text.chunker import is_file
from karat.errors import UsageError
from karat.labels import THREE, TWO, WAYS, Way
from karat.studies.base import StudyResult, sources_of, study
from karat.studies.wording import counted

AnswerWay = Annotated[
    Literal["auto", "2", "3"], Meta(description="labels of the answers; auto: those of the training pairs")
]
Trees = Annotated[
    str, Meta(description="source of syntactic trees: chunker, spacy, or a CoNLL-U file", examples=["NAME|FILE"])
]


class RunParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `run`."""

    PATHS: ClassVar = ("trees", "train_trees")

    way: AnswerWay = "auto"
    justify: Annotated[bool, Meta(description="justify each answer in one or two sentences")] = False
    without: Annotated[
        tuple[str, ...],
        Meta(description="a resource or check to switch off; `karat engines` lists them", examples=["NAME"]),
    ] = ()
    trees: Trees = "chunker"
    train_trees: Annotated[
        str, Meta(description="trees of the training pairs, if --trees is a file", examples=["FILE"])
    ] = ""
    seed: SeedOption = 0


@dataclass(frozen=True)
class Answered:
    """The answer to one pair."""

    id: str
    label: str
    confidence: Annotated[float, Shown(digits=6)]
    """The engine's confidence in its answer."""
    justification: Annotated[str | None, Why("justifications were not asked for")]
    evidence: list[Span]
    """The evidence for the justification, as character spans of T and H."""


@dataclass(frozen=True, kw_only=True, repr=False)
class EngineRun(StudyResult):
    """The result of `run`: an answer to every pair, and the pairs on which the engine failed."""

    engine: str
    way: str
    knowledge: dict[str, str]
    labels: dict[str, int]
    seed: int
    without: list[str]
    seen: bool
    """Whether it was trained on the pairs that it answers."""
    failures: list[Failure]
    speechless: list[Failure]
    """Pairs that were answered but could not be explained."""
    answers: list[Answered]
    RECORDS: ClassVar[Records] = Records("id, label, confidence, justification", RowsAt("answers.*"))

    @property
    def failed(self) -> bool:
        """Whether the engine failed on every pair."""
        return bool(self.answers) and len(self.failures) == len(self.answers)

    @property
    def resolved(self) -> dict[str, Any]:
        """The engine with all its arguments and its knowledge, for the signature."""
        return {"engine": self.engine, "seed": self.seed, "without": self.without, **self.knowledge}

    def citations(self) -> list[str]:
        """The source of the engine as well."""
        return [*super().citations(), *sources_of(engines, [self.engine])]

    def make_sheets(self) -> list[Sheet]:
        """The frequency of each label, and the failures."""
        many = max(len(self.answers), 1)
        sheets = [
            Sheet.listed(
                f"Answers of {self.engine}",
                ("label", "pairs", "share"),
                [(label, count, count / many) for label, count in self.labels.items()],
            )
        ]
        fields = (Field("pair", "id"), Field("what went wrong", "reason"))
        if self.failures:
            note = "They are answered UNKNOWN (two-way: NO ENTAILMENT) with confidence 0."
            sheets.append(self.sheet("Pairs that failed", self.failures, *fields, notes=(note,)))
        if self.speechless:
            sheets.append(self.sheet("Pairs without a justification", self.speechless, *fields))
        return sheets

    def responses(self, pairs: Pairs) -> Responses:
        """The run as responses to score."""
        return Responses.of(pairs, [self.as_run])

    @cached_property
    def as_run(self) -> Run:
        """The answers as a run."""
        way = WAYS[self.way]
        spelled = [answer.justification for answer in self.answers]
        columns = ([getattr(answer, name) for answer in self.answers] for name in ("id", "label", "confidence"))
        return Run(
            info=RunInfo(
                name=self.engine,
                way=way,
                source=Source.of_columns(self.engine, *columns, spelled),
                ranked_by="response",
                numeric=True,
            ),
            codes=np.array([way.code(answer.label) for answer in self.answers], dtype=np.int8),
            position=np.arange(len(self.answers), dtype=np.int32),
            confidence=np.array([answer.confidence for answer in self.answers]),
            weights=None,
            justifications=tuple(text or "" for text in spelled) if any(spelled) else None,
        )


def as_result(model: Model, pairs: Pairs, decisions: Decisions) -> EngineRun:
    """The result for an engine's decisions."""
    way, why = decisions.way, decisions.justifications
    rows = zip(pairs.ids, decisions.codes.tolist(), decisions.confidence.tolist(), strict=True)
    answers = [
        Answered(
            id=name,
            label=way.labels[code],
            confidence=confidence,
            justification=None if why is None else why[place].text,
            evidence=[] if why is None else list(why[place].evidence),
        )
        for place, (name, code, confidence) in enumerate(rows)
    ]
    counts = np.bincount(decisions.codes, minlength=len(way.labels)).tolist()
    return EngineRun(
        engine=bare_spelling(engines.parse(model.engine)),
        way=way.name,
        knowledge=model.knowledge,
        labels=dict(zip(way.labels, counts, strict=True)),
        seed=model.seed,
        without=list(model.without),
        seen=model.trained_on is not None and model.trained_on.sha256 == pairs.source.sha256,
        failures=list(decisions.failures),
        speechless=list(decisions.speechless),
        answers=answers,
        warnings=decisions.warnings,
    )


def answers(result: EngineRun) -> Iterable[Finding]:
    """The frequency of each label."""
    spread = ", ".join(f"{count:,} {label.replace('_', ' ')}" for label, count in result.labels.items())
    yield Finding(f"{result.engine} answers {counted(len(result.answers), 'pair')}: {spread}.")


def failed(result: EngineRun) -> Iterable[Finding]:
    """The engine failed on some pairs."""
    if result.failures:
        yield Finding(
            f"{result.engine} failed on {len(result.failures):,} of {counted(len(result.answers), 'pair')}, which are "
            "answered with confidence 0 and listed."
        )


def seen(result: EngineRun) -> Iterable[Finding]:
    """The engine was trained on the pairs that it answers."""
    if result.seen:
        yield Finding(
            f"{result.engine} was trained on the pairs that it answers, so its scores are likely to be too high."
        )


def one_label(result: EngineRun) -> Iterable[Finding]:
    """All pairs have the same answer."""
    met = [label for label, count in result.labels.items() if count]
    if len(met) == 1 and len(result.answers) > 1:
        yield Finding(f"Every pair gets the same answer, {met[0].replace('_', ' ')}.")


def no_dictionary(result: EngineRun) -> Iterable[Finding]:
    """There was no dictionary, and how to get one."""
    uses = "wordnet" in engines.parse(result.engine).facts["switches"]
    if uses and "wordnet" not in result.without and result.knowledge["dictionary"] == NO_WORDNET.name:
        yield Finding(f"No dictionary was found, so only identical words count as related. {how_to_get()}")


FINDINGS: Findings = (answers, failed, seen, one_label, no_dictionary)


def way_to_answer(asked: str, *pairs: Pairs | None) -> Way:
    """The way asked for, or that of the first labelled pairs, or three."""
    if asked != "auto":
        return WAYS[asked]
    known = next((one.way for one in pairs if one is not None and one.way is not None), THREE)
    return known if known in (TWO, THREE) else TWO


@takes(RunParameters)
def learn(engine: str, train: Pairs | None, asked: RunParameters, pairs: Pairs | None = None) -> Model:
    """A model trained on labelled pairs, for any number of runs."""
    for given in (train, pairs):
        if given is not None:
            given.need_texts("an engine")
    way = way_to_answer(asked.way, train, pairs)
    trees = asked.train_trees or asked.trees
    model = fit(engine, train, way, seed=asked.seed, trees=trees, without=asked.without)
    return replace(model, trees=asked.trees)


def _as_asked(model: Model, train: Pairs | None, asked: RunParameters) -> Model:
    """A trained model, for which only the file of parses may change, since other texts have other parses."""
    if train is not None:
        raise UsageError("a model is already trained: give --train or --model, not both")
    plain = RunParameters()
    files = is_file(model.trees) and is_file(asked.trees)
    for name in ("way", "without", "seed", "trees", "train_trees"):
        if getattr(asked, name) != getattr(plain, name) and not (name == "trees" and files):
            raise UsageError(
                f"--{name.replace('_', '-')} is part of what the model has learnt: train it again with --train"
            )
    return replace(model, trees=asked.trees) if files else model


@study("run", RunParameters, findings=FINDINGS)
def run(
    engine: str | Model,
    pairs: Pairs,
    asked: RunParameters,
    *,
    train: Pairs | None = None,
    on: Executor = "here",
    jobs: Annotated[int, Meta(ge=1, le=MOST_JOBS)] | None = None,
) -> EngineRun:
    """Answer every pair, with an engine trained on `train` if it learns, or with a trained model."""
    pairs.need_texts("an engine")
    if isinstance(engine, Model):
        model = _as_asked(engine, train, asked)
    else:
        model = learn(engine, train, pairs, **msgspec.structs.asdict(asked))
    decisions = predict(model, pairs, justify=asked.justify, on=on, jobs=jobs)
    return as_result(model, pairs, decisions)
