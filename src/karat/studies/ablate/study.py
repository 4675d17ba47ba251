"""Ablate: an engine without each of its parts in turn (`karat ablate`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import NAN, Bools
from karat.data.pairs import Pairs, attribute_slices
from karat.data.parameters import IntervalOption, SeedOption
from karat.data.result import Estimate
from karat.engines.answering import predict
from karat.engines.engine import Decisions, engines
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.model import bare_spelling, check_without, fit
from karat.engines.validation import cross_validate
from karat.errors import Problem, UsageError
from karat.labels import THREE, TWO, Way, fold
from karat.progress import track
from karat.statistics.intervals import wilson
from karat.statistics.multiple_testing import holm
from karat.statistics.paired import Paired, adjusted_interval, mcnemar
from karat.studies.ablate.result import FIGURES, FINDINGS, Ablation, Worth
from karat.studies.base import study
from karat.studies.run import AnswerWay, Trees, way_to_answer


class AblateParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `ablate`."""

    PATHS: ClassVar = ("trees",)

    way: AnswerWay = "auto"
    without: Annotated[
        tuple[str, ...],
        Meta(description="a part to switch off, one option each; by default every part in turn"),
    ] = ()
    by: Annotated[str | None, Meta(description="an attribute of the pairs by which the change is also reported")] = None
    folds: Annotated[int, Meta(description="folds of the cross-validation, if there is no --train", ge=2)] = 10
    interval: IntervalOption = 0.95
    trees: Trees = "chunker"
    seed: SeedOption = 0


def parts_of(engine: str, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The parts to switch off: those asked for, or all parts of the engine."""
    bound = engines.parse(engine)
    check_without(engine, tuple(asked))
    if not bound.facts["switches"]:
        raise UsageError(f"{bound} has no part that can be switched off")
    return tuple(dict.fromkeys(asked or bound.facts["switches"]))


@study("ablate", AblateParameters, findings=FINDINGS, figures=FIGURES)
def ablate(
    engine: str,
    key: Pairs,
    asked: AblateParameters,
    *,
    train: Pairs | None = None,
) -> Ablation:
    """The worth of each part of an engine, which is trained and run again without it on the same pairs."""
    if key.way is None:
        raise UsageError(
            f"{key.source.name} has no labels, and the contribution of a part can be measured on labelled pairs only"
        )
    for given in (key, train):
        if given is not None:
            given.need_texts("an engine")
    bound, switches = engines.parse(engine), parts_of(engine, asked.without)
    way = way_to_answer(asked.way, train, key)
    if key.way is TWO and way is THREE:
        if asked.way == "3":
            raise UsageError(f"{key.source.name} has two labels: use --way 2")
        way = TWO
    full_knowledge = load_knowledge(asked.trees)
    rows: list[Bools] = []
    warnings: list[Problem] = []
    for off in track(("", *switches), lambda off: f"without {off}" if off else "with all parts"):
        knowledge = full_knowledge if not off else load_knowledge(asked.trees, (off,))
        decisions = _decisions(engine, key, train, way, knowledge, asked)
        rows.append(decisions.codes == fold(key.labels, way))
        warnings += decisions.warnings
    scored = key.labels >= 0
    right = np.array(rows)[:, scored]
    slices: list[Worth] = []
    if asked.by is not None:
        values, within = attribute_slices(key, asked.by)
        for value, members in zip(values, within[:, scored], strict=True):
            slices += _worths(switches, value, right[:, members], asked.interval) if members.any() else []
    mean = right[0].mean()
    low, high = wilson(np.array(mean), np.array(right.shape[1]), asked.interval)
    return Ablation(
        engine=bare_spelling(bound),
        way=way.name,
        knowledge=full_knowledge.names,
        validated=f"trained on {train.source.bare.name}" if train else f"{asked.folds}-fold cross-validation",
        pairs=right.shape[1],
        accuracy=Estimate(float(mean), float(low), float(high)),
        parts=_corrected(_worths(switches, None, right, asked.interval)),
        slices=_corrected(slices),
        warnings=tuple(warnings),
    )


def _decisions(
    engine: str, key: Pairs, train: Pairs | None, way: Way, knowledge: Knowledge, asked: AblateParameters
) -> Decisions:
    if train is None:
        return cross_validate(engine, key, way, folds=asked.folds, seed=asked.seed, knowledge=knowledge)
    without = tuple(knowledge.without)
    model = fit(engine, train, way, seed=asked.seed, trees=asked.trees, without=without, knowledge=knowledge)
    return predict(model, key, knowledge=knowledge)


def _worths(switches: tuple[str, ...], value: str | None, right: Bools, level: float) -> list[Worth]:
    """The worth of every part on some pairs, before correction; the first row of `right` is with all parts."""
    others = np.arange(1, len(right))
    paired = Paired.of(right.astype(np.float64), np.zeros_like(others), others)
    gained, lost = paired.wins
    low, high = adjusted_interval(paired, level)
    p = mcnemar(gained, lost)
    return [
        Worth(
            without=name,
            value=value,
            pairs=right.shape[1],
            accuracy=float(right[place + 1].mean()),
            worth=Estimate(float(paired.differences[place]), float(low[place]), float(high[place])),
            gained=int(gained[place]),
            lost=int(lost[place]),
            p=float(p[place]),
            p_corrected=NAN,
        )
        for place, name in enumerate(switches)
    ]


def _corrected(rows: list[Worth]) -> list[Worth]:
    """The rows of one table with p corrected for all of them."""
    raised = holm(np.array([row.p for row in rows])) if rows else np.zeros(0)
    return [replace(row, p_corrected=float(p)) for row, p in zip(rows, raised, strict=True)]
