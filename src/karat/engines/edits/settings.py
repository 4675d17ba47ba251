"""How an edit distance is reckoned: presets, what may be said after one, what goes with what; and cost schemes.

A cost scheme says what each word weighs, written as a small sum of products, as in EDITS 3:
`STOPWORD * (1 + 2 * IDF + NOUN)`: numbers, the names of `CALCULATORS`, + - * / ** and brackets. It is read, never run
as Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, get_args, get_type_hints

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Floats
from karat.errors import UsageError

CALCULATORS: dict[str, str] = {
    "IDF": "how rare the word is among the training texts: log(N / n)",
    "STOPWORD": "0 for words of the closed classes and punctuation, 1 for all others",
    "NOUN": "1 for common nouns, else 0",
    "NAME": "1 for proper nouns, else 0",
    "NUMBER": "1 for numbers, else 0",
    "VERB": "1 for verbs, else 0",
    "ADJ": "1 for adjectives, else 0",
    "ADV": "1 for adverbs, else 0",
}

NAMED = {"uniform": "1", "idf": "IDF"}
"""Schemes that have a name."""

_OPERATIONS: dict[type[ast.operator], Callable[[Floats, Floats], Floats]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}


class Scheme:
    """A scheme as it was read."""

    def __init__(self, spelled: str) -> None:
        self.spelled = spelled
        try:
            self._tree = ast.parse(NAMED.get(spelled, spelled).strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise UsageError(
                f"{spelled!r} is not a cost scheme; expected for example 'STOPWORD * (1 + 2 * IDF + NOUN)'"
            ) from None
        self._check(self._tree)

    def _check(self, node: ast.expr) -> None:
        match node:
            case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
                self._check(left)
                self._check(right)
            case ast.Constant(value=int() | float()):
                pass
            case ast.Name(id=name):
                if name not in CALCULATORS:
                    raise UsageError.unknown("calculator of cost schemes", name, CALCULATORS)
            case _:
                raise UsageError(
                    f"the cost scheme {self.spelled!r} has {ast.unparse(node)!r} in it; expected numbers, "
                    f"{', '.join(CALCULATORS)}, + - * / ** and brackets"
                )

    @cached_property
    def names(self) -> frozenset[str]:
        """The calculators that it asks for."""
        return frozenset(node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name))

    def weigh(self, values: Mapping[str, Floats], many: int) -> Floats:
        """The weight of so many words from what the calculators say of them; what is negative or undefined weighs 0."""
        with np.errstate(all="ignore"):
            made = np.broadcast_to(self._value(self._tree, values), many)
        return np.maximum(np.where(np.isfinite(made), made, 0.0), 0.0)

    def _value(self, node: ast.expr, values: Mapping[str, Floats]) -> Floats:
        match node:
            case ast.BinOp(left=left, op=operation, right=right):
                return _OPERATIONS[type(operation)](self._value(left, values), self._value(right, values))
            case ast.Name(id=name):
                return values[name]
        assert isinstance(node, ast.Constant)
        return np.array(float(node.value))  # type: ignore[arg-type]


Spelled = str | float | Fraction
"""An argument as it is spelled; the empty word stands for what the preset says."""

TREE, OVERLAP = "tree", "overlap"
PRICED = ("token", "lemma", TREE)
"""Distances that have costs of deleting, inserting and substituting."""
DISTANCES = (*PRICED, OVERLAP)


def _said(what: str, *values: str) -> Meta:
    """What a setting is and which values it takes, for `karat engines`; one of several values is a choice."""
    return Meta(description=what, examples=[" | ".join(values)], extra={"values": values})


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be said of an edit distance."""

    distance: Annotated[str, _said("what is reckoned", *DISTANCES)] = "lemma"
    delete: Annotated[float, _said("cost of leaving out a word of T", "a number")] = 0.0
    insert: Annotated[float, _said("cost of a word of H that T has not", "a number")] = 1.0
    substitute: Annotated[float, _said("cost of one word for another", "a number")] = 1.0
    substitution: Annotated[
        str, _said("price: as `substitute` says; sum: a share of deleting and inserting", "price", "sum")
    ] = "price"
    """price: what a substitution costs; sum: the share of deleting the one word and inserting the other (EDITS 3)."""
    weights: Annotated[
        str, _said("what each word's costs are multiplied by", "uniform | idf | a scheme such as `IDF * (1 + NOUN)`")
    ] = "uniform"
    normalise: Annotated[str, _said("what costs are divided by", "default", "hypothesis")] = "default"
    """default: words of T × delete + words of H × insert; hypothesis: what it costs to insert all of H."""
    stop_words: Annotated[str, _said("which words are left out beforehand", "none", "pos", "list")] = "pos"
    dictionary: Annotated[
        str, _said("whether related words match, and whether by strength", "none", "boolean", "graded")
    ] = "none"
    """boolean: synonyms and hypernyms of the same part of speech are the same; graded: by how strong a relation is."""
    window: Annotated[int, _said("words of the stretch of T that is looked at; 0: all", "a whole number")] = 0
    outside: Annotated[float, _said("what a word beyond the stretch is worth to an overlap", "from 0 to 1")] = 0.0
    threshold: Annotated[
        str, _said("even: where both answers are as likely; eop: as that platform sweeps", "even", "eop")
    ] = "even"


SAID: dict[str, Meta] = {
    name: get_args(hint)[1] for name, hint in get_type_hints(Settings, include_extras=True).items()
}
CHOICES: dict[str, tuple[str, ...]] = {
    name: values for name, said in SAID.items() if said.extra and len(values := said.extra["values"]) > 1
}
"""The values of those that are a choice between names."""


Preset = Literal["best", "faithful"]
PRESETS: dict[Preset, Settings] = {
    "best": Settings(
        distance=OVERLAP,
        substitution="sum",
        weights="IDF ** 0.5",
        normalise="hypothesis",
        stop_words="list",
        dictionary="graded",
        window=8,
        outside=0.5,
    ),
    "faithful": Settings(threshold="eop"),
}
"""best: chosen by cross-validation on the development sets of RTE-1, 2, 3 and 5; faithful: EDITS as the Excitement
platform ships it (FixedWeightLemmaEditDistance; numbers are stop words there)."""


def settings(preset: Preset, given: Mapping[str, Spelled]) -> Settings:
    """A preset, with what was given beside it in its place."""
    named = {name: value for name, value in given.items() if value != ""}
    base = PRESETS[preset]
    made = msgspec.structs.replace(base, **{name: _read(name, value, base) for name, value in named.items()})
    return _fitting(made, named)


def _read(name: str, value: Spelled, base: Settings) -> str | float | int:
    was = getattr(base, name)
    if isinstance(was, str):
        if name in CHOICES and str(value) not in CHOICES[name]:
            raise UsageError.unknown(f"{name} of edit-distance", str(value), CHOICES[name])
        return str(value)
    if isinstance(value, str) or value < 0:
        raise UsageError(f"edit-distance: {name} is {value}; expected a number that is not negative")
    if isinstance(was, int):
        if value != int(value):
            raise UsageError(f"edit-distance: {name} is {value}; expected a whole number of tokens")
        return int(value)
    return float(value)


def _fitting(made: Settings, named: Mapping[str, Spelled]) -> Settings:
    """Refuse what was named but does not go with the distance; what only the preset says is dropped."""
    if made.outside > 1:
        raise UsageError(f"edit-distance: outside is {made.outside}; expected a share from 0 to 1")
    if made.window and made.distance != OVERLAP:
        if "window" in named:
            raise UsageError(f"edit-distance: a window goes with distance={OVERLAP}, not with {made.distance}")
        made = msgspec.structs.replace(made, window=0)
    Scheme(made.weights)  # told now, not when the first pair is answered
    return made
