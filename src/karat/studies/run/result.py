"""The run of an engine: the result of `run`, its tables and findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from karat.data.fields import Shown, Why
from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.data.responses import Responses
from karat.data.result import Column, Field, Finding, Findings, Sheet
from karat.data.runs import Run, RunInfo
from karat.engines.decisions import Decisions, Failure, Span
from karat.engines.engine import engines
from karat.engines.lexicon.reading import how_to_get
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.model import Model, bare_spelling
from karat.labels import WAYS
from karat.studies.base import StudyResult, sources_of
from karat.studies.wording import counted


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
            Sheet(
                f"Answers of {self.engine}",
                (
                    Column("label", list(self.labels)),
                    Column("pairs", list(self.labels.values())),
                    Column("share", [count / many for count in self.labels.values()], 3),
                ),
            )
        ]
        fields = (Field("pair", "id"), Field("what went wrong", "reason"))
        if self.failures:
            note = "Answered UNKNOWN (NO ENTAILMENT in two ways) at confidence 0."
            sheets.append(self.sheet("Pairs that failed", self.failures, *fields, notes=(note,)))
        if self.speechless:
            sheets.append(self.sheet("Pairs without a justification", self.speechless, *fields))
        return sheets

    def records(self) -> Sheet:
        """One row per answer."""
        return self.sheet("Run", self.answers, "id label confidence justification")

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
    spread = ", ".join(f"{count} {label.replace('_', ' ')}" for label, count in result.labels.items())
    yield Finding(f"{result.engine} answers {counted(len(result.answers), 'pair')}: {spread}.")


def failed(result: EngineRun) -> Iterable[Finding]:
    """The engine failed on some pairs."""
    if result.failures:
        yield Finding(
            f"{result.engine} failed on {counted(len(result.failures), 'pair')} of {len(result.answers)}: "
            "they are answered at confidence 0 and listed."
        )


def seen(result: EngineRun) -> Iterable[Finding]:
    """The engine was trained on the pairs that it answers."""
    if result.seen:
        yield Finding(f"{result.engine} learnt from the very pairs that it answers: scores will flatter it.")


def one_label(result: EngineRun) -> Iterable[Finding]:
    """All pairs have the same answer."""
    met = [label for label, count in result.labels.items() if count]
    if len(met) == 1 and len(result.answers) > 1:
        yield Finding(f"Every pair is answered {met[0].replace('_', ' ')}.")


def no_dictionary(result: EngineRun) -> Iterable[Finding]:
    """There was no dictionary, and how to get one."""
    uses = "wordnet" in engines.parse(result.engine).facts["switches"]
    if uses and "wordnet" not in result.without and result.knowledge["dictionary"] == NO_WORDNET.name:
        yield Finding(f"No dictionary was at hand: words count as related only where they are the same. {how_to_get()}")


FINDINGS: Findings = (answers, failed, seen, one_label, no_dictionary)
