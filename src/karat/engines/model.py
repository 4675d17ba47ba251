"""Models: an engine, what it knows and what it learnt, as one JSON document."""

from __future__ import annotations

import typing
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from karat import __version__
from karat.arrays import Ints
from karat.data.pairs import Pairs
from karat.data.parameters import checked, checked_noun
from karat.data.provenance import Source
from karat.engines.engine import Engine, Setup, Training, engines
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.text.chunker import SUFFIX, is_file
from karat.engines.text.trees import CONLLU
from karat.errors import Problem, UsageError
from karat.files import read_bytes, write_whole
from karat.labels import WAYS, Way
from karat.progress import step
from karat.registry import Bound

PATHS = ("model", "network")
"""Arguments of engines that name files."""
OUTSIDE = ("command", "model", "network")
"""Arguments of engines that name a program, or files, that are not part of a model."""
MODEL_BYTES = 64 << 20
"""Bytes of a model; those of karat's own engines have some thousands."""


@checked_noun
@dataclass(frozen=True, kw_only=True)
class Model:
    """Everything it takes to answer pairs again exactly so."""

    engine: str
    way: str
    seed: int = 0
    version: str = __version__
    knowledge: dict[str, str]
    trees: str = "chunker"
    without: tuple[str, ...] = ()
    trained_on: Source | None = None
    state: dict[str, Any]
    warnings: tuple[Problem, ...] = ()
    """What was warned of when the files it learnt from were read; not kept with it."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """What signatures name: the pairs it was learnt from, and a hash of what was learnt."""
        return (*filter(None, [self.trained_on]), Source.of_columns("model", [self._encoded()]))

    def _encoded(self) -> bytes:
        trees = SUFFIX if is_file(self.trees) else self.trees
        engine = bare_spelling(engines.parse(self.engine))
        return msgspec.json.encode(replace(self, engine=engine, warnings=(), trees=trees))

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        write_whole(path, msgspec.json.format(self._encoded(), indent=1) + b"\n")


@checked
def load_model(path: str | Path, engine: str) -> Model:
    """Read a model of the engine named, by its name alone or as the model spells it.

    No model says which files are read or which programs are run: an engine that needs one is named here in full, and
    the parses of other texts are given anew.
    """
    try:
        content = read_bytes(path, MODEL_BYTES)
        if len(content) > MODEL_BYTES:
            raise UsageError(f"{path} has more than {MODEL_BYTES >> 20} MiB, which no model of karat has")
        model = replace(msgspec.json.decode(content, type=Model), warnings=())
        model = replace(model, trees=SUFFIX) if is_file(model.trees) else model
    except OSError as error:
        raise UsageError(f"cannot read the model {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # ValueError: msgspec's own, and bytes that are no text
        raise UsageError(
            f"{path} is not a model of karat: {error}; `karat run … --model-out FILE` writes one"
        ) from None
    given, kept = engines.parse(engine), engines.parse(model.engine)
    if bare_spelling(given) == bare_spelling(kept):
        model = replace(model, engine=str(given))
    elif engine.strip() != kept.entry.name:
        raise UsageError(f"{path} is a model of {model.engine}, not of {given}")
    elif outside := [name for name, value in kept.arguments if name in OUTSIDE and value]:
        raise UsageError(
            f"{path} is a model of {kept.entry.name} with a {outside[0]} of its own: name the engine in full, as when "
            f"it was learnt, {kept.entry.name}({outside[0]}=…); no model says what is read or run"
        )
    if model.way not in WAYS:
        raise UsageError(f"{path} answers in {model.way!r} ways; a model answers in 2 or 3")
    if model.version != __version__:
        raise UsageError(f"{path} was trained by karat {model.version}, and this is {__version__}: train it again")
    check_without(model.engine, model.without)
    return model


def make_engine(spelling: str, setup: Setup) -> Engine:
    """The engine that `overlap(variant=idf)` names."""
    bound = engines.parse(spelling)
    if setup.way.name not in bound.facts["ways"]:
        raise UsageError(f"{bound} answers only in {' or '.join(bound.facts['ways'])} ways, not in {setup.way.name}")
    _check_arguments(bound)
    engine: Engine = bound(setup)
    return engine


def _check_arguments(bound: Bound) -> None:
    """Check arguments against the engine's signature; the engine itself checks their combinations."""
    hints = typing.get_type_hints(bound.entry.function)
    for name, value in bound.arguments:
        kind, what = hints[name], f"{name} of {bound.entry.name}"
        if typing.get_origin(kind) is typing.Literal and value not in typing.get_args(kind):
            raise UsageError.unknown(what, str(value), [str(known) for known in typing.get_args(kind)])
        wrong = (kind is bool and not isinstance(value, bool)) or (
            kind in (int, float) and not (isinstance(value, int | float | Fraction) and kind(value) == value)
        )
        if wrong:
            wanted = {bool: "True or False", int: "a whole number", float: "a number"}[kind]
            raise UsageError(f"{what} is {value!r}; expected {wanted}")


def bare_spelling(bound: Bound) -> str:
    """An engine as results name it: files and folders without where they lie."""
    named = [(name, Path(str(value)).name if name in PATHS else value) for name, value in bound.arguments]
    return str(replace(bound, arguments=tuple(named)))


def names_of(engine: Engine) -> dict[str, str]:
    """What an engine brings along that its answers depend on, such as the weights of a network, by name."""
    names: dict[str, str] = getattr(engine, "names", {})
    return names


def check_without(spelling: str, without: tuple[str, ...]) -> None:
    """Refuse to switch off what the engine does not have."""
    bound = engines.parse(spelling)
    for name in without:
        if name not in bound.facts["switches"]:
            raise UsageError.unknown(f"thing that {bound.entry.name} could do without", name, bound.facts["switches"])


def fit(
    spelling: str,
    pairs: Pairs | None,
    way: Way,
    *,
    seed: int = 0,
    trees: str = "chunker",
    without: tuple[str, ...] = (),
    knowledge: Knowledge | None = None,
    rows: Ints | None = None,
) -> Model:
    """Learn a model from labelled pairs (or some rows of them); engines that learn nothing take None."""
    bound = engines.parse(spelling)
    check_without(spelling, without)
    knowledge = knowledge or load_knowledge(trees, without)
    setup = Setup(knowledge, way, seed)
    engine = make_engine(spelling, setup)
    state: dict[str, Any] = {}
    learns = bound.facts["learns"]
    warnings = knowledge.warnings
    if learns == "must" and pairs is None:
        raise UsageError(f"{bound.entry.name} learns: give labelled pairs with --train FILE")
    if learns != "no" and pairs is not None:
        if pairs.way is None:
            raise UsageError(f"{pairs.source.name} has no labels to learn from")
        if pairs.way.name == "2" and way.name == "3":
            raise UsageError(f"{pairs.source.name} has two labels, so three cannot be learnt from it; use --way 2")
        training = Training(pairs, setup, rows)
        if len(training.rows) < 2:
            raise UsageError(f"{pairs.source.name} has {len(training.rows)} labelled pairs: too few to learn from")
        with step("learning"):
            state = msgspec.json.decode(msgspec.json.encode(engine.fit(training)))
        knowledge.remember()
        warnings = (*pairs.warnings, *warnings, *getattr(engine, "warnings", ()))
    return Model(
        engine=str(bound),
        way=way.name,
        seed=seed,
        knowledge=known(bound, knowledge) | names_of(engine),
        trees=trees,
        without=tuple(sorted(without)),
        trained_on=pairs.source.bare if pairs is not None and learns != "no" else None,
        state=state,
        warnings=warnings,
    )


def revive(model: Model, knowledge: Knowledge | None = None) -> tuple[Engine, Setup, Any]:
    """A model's engine, what that is made with, and what was learnt; with other knowledge than then it is refused."""
    setup = Setup(knowledge or load_knowledge(model.trees, model.without), WAYS[model.way], model.seed)
    engine = make_engine(model.engine, setup)
    here = known(engines.parse(model.engine), setup.knowledge) | names_of(engine)
    for name, was in model.knowledge.items():
        found = here.get(name, was)  # what an engine keeps in its model, such as rules, need not be here
        # Other texts have other parses; that the same parser made them is for the user to see to.
        both_files = found.startswith(CONLLU) and was.startswith(CONLLU)
        if found != was and not both_files:
            raise UsageError(
                f"the model of {model.engine} was learnt with {was}, but here the {name} is {found}: "
                "its answers would differ; train it again with --train"
            )
    try:
        learnt = msgspec.convert(model.state, getattr(engine, "learns", dict[str, Any]))
    except msgspec.ValidationError as error:
        raise UsageError(f"what the model of {model.engine} learnt cannot be read: {error}; train it again") from None
    return engine, setup, learnt


def known(bound: Bound, knowledge: Knowledge) -> dict[str, str]:
    """What an engine knows besides the pairs, by name, if it uses it."""
    return {name: value for name, value in knowledge.names.items() if name in bound.facts["knows"]}
