"""Run: an engine's answers to a test set (`karat run`)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from os import fspath
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat import __version__
from karat.data.fields import Shown, Why
from karat.data.pairs import Pairs
from karat.data.parameters import MOST_JOBS, SeedOption, takes
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.responses import Responses, Run, RunInfo
from karat.data.result import Field, Finding, Findings, Sheet
from karat.engines.engine import Decisions, Failure, Span, engines
from karat.engines.lexicon.loading import how_to_get
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.model import Model, bare_spelling, fit
from karat.engines.predicting import chunk_size, open_engine
from karat.engines.text.chunker import is_file
from karat.errors import Problem, UsageError
from karat.formats.documents import FilePath
from karat.formats.growing import ASIDE, Growing
from karat.formats.pair_files import PIECE, BadPair, PairFiles, Piece
from karat.labels import THREE, TWO, WAYS, Way
from karat.places import check_place
from karat.studies.base import StudyResult, sources_of, study
from karat.studies.running import (
    Collected,
    RunTally,
    Written,
    answer_all,
    check_ending,
    piece_of,
    portions,
)
from karat.studies.wording import counted

AnswerWay = Annotated[
    Literal["auto", "2", "3"], Meta(description="labels of the answers; auto: those of the training pairs")
]
Trees = Annotated[
    str, Meta(description="source of syntactic trees: chunker, or a CoNLL-U file", examples=["NAME|FILE"])
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
    pairs: int
    """Pairs that were answered, those on which the engine failed included."""
    failed_pairs: int
    unjustified_pairs: int
    bad_pairs: int
    """Rows of the files that are no pairs; they have no answer."""
    resumed_pairs: int
    """Pairs that an earlier call had answered before it was stopped."""
    written_to: Annotated[str | None, Why("the answers were not written to a file")]
    """The file with the answers, which are then not here; of pairs with trouble, only the first are."""
    seed: int
    without: list[str]
    seen: bool
    """Whether it was trained on the pairs that it answers."""
    failures: list[Failure]
    speechless: list[Failure]
    """Pairs that were answered but could not be explained."""
    bad: list[BadPair]
    answers: list[Answered]
    RECORDS: ClassVar[Records] = Records("id, label, confidence, justification", RowsAt("answers.*"))

    @property
    def failed(self) -> bool:
        """Whether the engine failed on every pair."""
        return 0 < self.pairs == self.failed_pairs

    @property
    def partial(self) -> bool:
        """Whether rows of the files have no answer, since they are no pairs."""
        return bool(self.bad_pairs)

    @property
    def resolved(self) -> dict[str, Any]:
        """The engine with all its arguments and its knowledge, for the signature."""
        return {"engine": self.engine, "seed": self.seed, "without": self.without, **self.knowledge}

    def citations(self) -> list[str]:
        """The source of the engine as well."""
        return [*super().citations(), *sources_of(engines, [self.engine])]

    def make_sheets(self) -> list[Sheet]:
        """The frequency of each label, and the failures."""
        many = max(self.pairs, 1)
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
        if self.bad:
            where = (Field("file", "file"), Field("line", "line"), Field("id", "id"), Field("reason", "reason"))
            sheets.append(self.sheet("Rows that are no pairs", self.bad, *where, notes=("They have no answer.",)))
        return sheets

    def records(self) -> Sheet:
        """The answers; of a run in a file, the frequency of each label."""
        return super().records() if self.written_to is None else self.sheets()[0]

    def responses(self, pairs: Pairs) -> Responses:
        """The run as responses to score."""
        if self.written_to is not None:
            raise UsageError(f"the answers are in {self.written_to}: read them with read_runs")
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


def answered(ids: Sequence[str], decisions: Decisions) -> Iterator[Answered]:
    """Decisions as they are shown."""
    why = decisions.justifications
    for place, (name, code, sure) in enumerate(
        zip(ids, decisions.codes.tolist(), decisions.confidence.tolist(), strict=True)
    ):
        yield Answered(
            id=name,
            label=decisions.way.labels[code],
            confidence=sure,
            justification=None if why is None else why[place].text,
            evidence=[] if why is None else list(why[place].evidence),
        )


def as_result(model: Model, pairs: Pairs, decisions: Decisions) -> EngineRun:
    """The result for an engine's decisions on a test set in memory."""
    tally = RunTally(labels=[0] * len(decisions.way.labels))
    (whole,) = portions([piece_of(pairs)], max(len(pairs), 1), sealing=False)
    tally.add(whole, decisions, None)
    collected = Collected([(pairs.ids, decisions)])
    return _result(model, tally, collected, 0, {pairs.source.sha256}, decisions.warnings)


def _result(
    model: Model,
    tally: RunTally,
    sink: Collected | Written,
    resumed: int,
    hashes: Collection[str],
    warnings: tuple[Problem, ...],
) -> EngineRun:
    return EngineRun(
        engine=bare_spelling(engines.parse(model.engine)),
        way=model.way,
        knowledge=model.knowledge,
        labels=dict(zip(WAYS[model.way].labels, tally.labels, strict=True)),
        pairs=tally.pairs,
        failed_pairs=tally.failed,
        unjustified_pairs=tally.unjustified,
        bad_pairs=tally.bad,
        resumed_pairs=resumed,
        written_to=Path(sink.file.name).name if isinstance(sink, Written) else None,
        seed=model.seed,
        without=list(model.without),
        seen=model.trained_on is not None and model.trained_on.sha256 in hashes,
        failures=tally.failures,
        speechless=tally.speechless,
        bad=[replace(one, file=Path(one.file).name) for one in tally.bad_pairs],
        answers=[]
        if isinstance(sink, Written)
        else [one for ids, decisions in sink.decisions for one in answered(ids, decisions)],
        warnings=warnings,
    )


def answers(result: EngineRun) -> Iterable[Finding]:
    """The frequency of each label."""
    spread = ", ".join(f"{count:,} {label.replace('_', ' ')}" for label, count in result.labels.items())
    yield Finding(f"{result.engine} answers {counted(result.pairs, 'pair')}: {spread}.")


def failed(result: EngineRun) -> Iterable[Finding]:
    """The engine failed on some pairs."""
    if result.failed_pairs:
        yield Finding(
            f"{result.engine} failed on {result.failed_pairs:,} of {counted(result.pairs, 'pair')}, which are "
            "answered with confidence 0 and listed."
        )


def bad(result: EngineRun) -> Iterable[Finding]:
    """Some rows are no pairs."""
    if result.bad_pairs:
        were = "are no pairs: they have" if result.bad_pairs > 1 else "is no pair: it has"
        listed = f" {result.written_to}{ASIDE} lists them." if result.written_to not in (None, "-") else ""
        first = result.bad[0]
        place = f"{first.file}:{first.line}" if first.line else first.file
        yield Finding(
            f"{counted(result.bad_pairs, 'row')} of the files {were} no answer. First: {place}: {first.reason}.{listed}"
        )


def resumed(result: EngineRun) -> Iterable[Finding]:
    """An earlier call had answered some pairs."""
    if result.resumed_pairs:
        yield Finding(
            f"{result.resumed_pairs:,} of {counted(result.pairs, 'pair')} were answered by an earlier call, which was "
            "stopped."
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
    if len(met) == 1 and result.pairs > 1:
        yield Finding(f"Every pair gets the same answer, {met[0].replace('_', ' ')}.")


def no_dictionary(result: EngineRun) -> Iterable[Finding]:
    """There was no dictionary, and how to get one."""
    uses = "wordnet" in engines.parse(result.engine).facts["switches"]
    if uses and "wordnet" not in result.without and result.knowledge["dictionary"] == NO_WORDNET.name:
        yield Finding(f"No dictionary was found, so only identical words count as related. {how_to_get()}")


FINDINGS: Findings = (answers, failed, bad, resumed, seen, one_label, no_dictionary)


def way_to_answer(asked: str, *pairs: Pairs | Piece | None) -> Way:
    """The way asked for, or that of the first labelled pairs, or three."""
    if asked != "auto":
        return WAYS[asked]
    known = next((one.way for one in pairs if one is not None and one.way is not None), THREE)
    return known if known in (TWO, THREE) else TWO


@takes(RunParameters)
def learn(engine: str, train: Pairs | None, asked: RunParameters, pairs: Pairs | None = None) -> Model:
    """A model trained on labelled pairs, for any number of runs."""
    return _learn(engine, train, asked, pairs)


def _learn(engine: str, train: Pairs | None, asked: RunParameters, pairs: Pairs | Piece | None) -> Model:
    for given in (train, pairs):
        if isinstance(given, Pairs):
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
    pairs: Pairs | PairFiles,
    asked: RunParameters,
    *,
    train: Pairs | None = None,
    output: FilePath | None = None,
    model_output: FilePath | None = None,
    on: str = "here",
    jobs: Annotated[int, Meta(ge=1, le=MOST_JOBS)] | None = None,
    gpus_per_worker: Annotated[float, Meta(ge=0)] = 0,
    chunk: Annotated[int, Meta(ge=1, le=PIECE)] | None = None,
) -> EngineRun:
    """Answer every pair, with an engine trained on `train` if it learns, or with a trained model.

    The answers are in the result or, if `output` names a file, in that file, which is written as they come; it has its
    name only when it is whole. The same call goes on from there if it was stopped.
    """
    check_place(on)
    if isinstance(pairs, Pairs):
        pairs.need_texts("an engine")
    suffix = "" if output is None else check_ending(fspath(output))
    pieces = pairs.pieces() if isinstance(pairs, PairFiles) else iter([piece_of(pairs)])
    begun = list(islice(pieces, 2))
    first = begun[0]
    model = _as_asked(engine, train, asked) if isinstance(engine, Model) else _learn(engine, train, asked, first)
    if model_output is not None:
        model.save(fspath(model_output))
    few = len(begun[0].pairs) if len(begun) == 1 else None
    total = pairs.size if isinstance(pairs, PairFiles) else len(pairs)
    size = chunk or chunk_size(on, jobs, few)
    where: Any = {"jobs": jobs, "gpus_per_worker": gpus_per_worker, "pairs": few}
    with ExitStack() as stack:
        sink: Collected | Written = Collected([])
        tally = RunTally(labels=[0] * len(WAYS[model.way].labels))
        if output is not None:
            file = stack.enter_context(Growing(output, pairs.paths if isinstance(pairs, PairFiles) else ()))
            sink = Written(file, suffix, asked.justify, _call(model, asked.justify, suffix))
            tally = sink.begin(tally)
        resumed = tally.pairs
        place = stack.enter_context(open_engine(on, model, justify=asked.justify, **where))
        warnings = answer_all(place, chain(begun, pieces), size, total, sink, tally)
        if isinstance(sink, Written):
            sink.finish(tally)
    sources = pairs.sources if isinstance(pairs, PairFiles) else (pairs.source,)
    return _result(model, tally, sink, resumed, {source.sha256 for source in sources}, warnings)


def _call(model: Model, justify: bool, suffix: str) -> str:
    """Stands for all that the lines of a run depend on, except for the pairs."""
    said = (__version__, model.sources[-1].sha256, justify, suffix)
    return hashlib.sha256(repr(said).encode()).hexdigest()
