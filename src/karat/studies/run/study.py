"""Run: an engine's answers to a test set (`karat run`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from karat.data.pairs import Pairs
from karat.data.parameters import MOST_JOBS, checked, parameters
from karat.engines.answering import Place, predict
from karat.engines.model import Model, fit
from karat.engines.text.chunker import is_file
from karat.errors import UsageError
from karat.labels import THREE, TWO, WAYS, Way
from karat.studies.base import study
from karat.studies.run.result import FINDINGS, EngineRun, as_result

AnswerWay = Annotated[
    Literal["auto", "2", "3"], Meta(description="labels of the answers; auto: those of the training pairs")
]
Trees = Annotated[
    str, Meta(description="source of syntactic trees: chunker, spacy, or a CoNLL-U file", examples=["NAME|FILE"])
]
Seed = Annotated[int, Meta(description="seed of every random number")]


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
    seed: Seed = 0


def way_to_answer(asked: str, *pairs: Pairs | None) -> Way:
    """The way asked for, or that of the first labelled pairs, or three."""
    if asked != "auto":
        return WAYS[asked]
    known = next((one.way for one in pairs if one is not None and one.way is not None), THREE)
    return known if known in (TWO, THREE) else TWO


@checked
def learn(engine: str, train: Pairs | None, pairs: Pairs | None = None, **options: Any) -> Model:
    """A model trained on labelled pairs, for any number of runs."""
    asked = parameters(RunParameters, options)
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
        raise UsageError("a model has learnt already: give --train or --model, not both")
    plain = RunParameters()
    files = is_file(model.trees) and is_file(asked.trees)
    for name in ("way", "without", "seed", "trees", "train_trees"):
        if getattr(asked, name) != getattr(plain, name) and not (name == "trees" and files):
            raise UsageError(f"--{name.replace('_', '-')} is part of what was learnt: learn anew with --train")
    return replace(model, trees=asked.trees) if files else model


@study("run", RunParameters, findings=FINDINGS)
def run(
    engine: str | Model,
    pairs: Pairs,
    asked: RunParameters,
    *,
    train: Pairs | None = None,
    on: Place = "here",
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
