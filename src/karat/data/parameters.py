"""Parameters of studies, one frozen struct per study; random numbers from a seed; checks of arguments.

Keywords, command-line options and signatures are derived from the struct, and arguments checked against annotations.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import operator
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from os import PathLike
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union

import msgspec
import numpy as np
from msgspec import Meta, Struct

from karat.errors import UsageError, in_python, printable

_AUTO = "auto: 3 if the key and all runs are three-way, otherwise 2. With 2, NO in a run means no entailment"
WayOption = Annotated[Literal["auto", "2", "3", "both"], Meta(description=f"labels to show; {_AUTO}")]
OneWayOption = Annotated[Literal["auto", "2", "3"], Meta(description=f"labels to work in; {_AUTO}")]
"""For studies that are either two-way or three-way."""
SeedOption = Annotated[int, Meta(description="seed of every random number")]
ClusterOption = Annotated[
    str | None, Meta(description="an attribute of the pairs, or `text`: pairs with the same value form a cluster")
]
UnitClusterOption = Annotated[
    str | None,
    Meta(description="a column of the ballots, or an attribute of the key: units with the same value form a cluster"),
]

MOST_DRAWS = 1_000_000
"""The largest number of resamples, flips or trials."""
MOST_JOBS = 1024
"""The largest number of processes."""
TAIL = 1e-6
"""Levels and powers must be at least this far from 0 and 1; beyond, approximations fail."""
IntervalOption = Annotated[float, Meta(description="level of the intervals", ge=TAIL, le=1 - TAIL)]
SMALLEST_DIFFERENCE, LARGEST_AMOUNT = 1e-5, 1e9
"""The smallest difference to detect, and the largest weight, width or margin; beyond, arithmetic fails."""

P = TypeVar("P", bound=msgspec.Struct)


def parameters(kind: type[P], options: Mapping[str, Any], also: Iterable[str] = ()) -> P:
    """A struct from keywords; a wrong name or value is a `UsageError`, which names the other keywords `also`."""
    names = kind.__struct_fields__
    if stray := set(options) - set(names):
        raise UsageError.unknown("keyword", sorted(stray)[0], [*names, *also])
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        # "Invalid enum value '4' - at `$.way`" becomes "--way is '4'; expected one of 'auto', '2', '3', 'both'".
        what, _, where = str(error).partition(" - at `$.")
        name, *places = re.split(r"\W+", where.rstrip("`]"))
        if name not in names:
            raise UsageError(what) from None
        told, value, hint = f"--{name.replace('_', '-')}", given[name], _hints(kind)[name]
        for place in filter(str.isdigit, places):
            bare = typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint
            hint = typing.get_args(bare)[0] if typing.get_origin(bare) in SERIES else hint
            told = told if len(value) == 1 else f"one of the values of {told}"
            value = value[int(place)]
        raise UsageError(f"{told} is {_shown(value)}; expected {_expected(hint)}") from None


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """Random numbers that depend only on seed and purpose, not on threads or order; from a counter-based generator."""
    digest = hashlib.sha256(repr((seed, *purpose)).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))


F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)
R = TypeVar("R")

READ = frozenset(
    "Answers Ballots Decomposition Judges Judgments Matches Nuggets Pairs Patterns Preferences Questions Ratings "
    "Scores Support Verdicts".split()
)
"""Classes of data that `read_` and their name returns."""
MADE = {
    "Responses": "read_runs",
    "UnitWeights": "read_weights",
    "Model": "learn or load_model",
    "PairFiles": "pair_files",
}
"""The functions that return other classes."""
PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "True or False", NoneType: "None"}
BOUNDS = {
    "ge": (operator.ge, "at least {}"),
    "gt": (operator.gt, "more than {}"),
    "le": (operator.le, "at most {}"),
    "lt": (operator.lt, "less than {}"),
    "min_length": (lambda value, least: not isinstance(value, Sized) or len(value) >= least, "at least {} of them"),
}
UNIONS, SERIES = (Union, UnionType), (tuple, list, Sequence, Iterable)
ELEMENTS_LOOKED_AT = 100
"""The number of elements of a sequence that are checked: a test set may have millions."""


def checked(function: F) -> F:
    """Decorator: check the arguments of a public function against its annotations."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        check_arguments(function, signature, positional, named)
        return function(*positional, **named)

    return call  # type: ignore[return-value]


def takes(kind: type[P]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Decorator: callers give the fields of a function's struct as keywords, and see them; arguments are checked."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        public, struct = without_struct(function, kind)

        @functools.wraps(function)
        def call(*positional: Any, **options: Any) -> R:
            named = {name: options.pop(name) for name in public.parameters if name in options}
            given = check_arguments(function, public, positional, named)
            return function(**given, **{struct: parameters(kind, options)})

        call.__signature__ = flat(public, kind)  # type: ignore[attr-defined]
        call.__doc__ = explained(function, kind)
        return call

    return decorate


def without_struct(function: Callable[..., Any], kind: type[Struct]) -> tuple[inspect.Signature, str]:
    """The signature of a function without its struct, and the name of the struct."""
    taken = inspect.signature(function)
    kept = [one for one in taken.parameters.values() if one.annotation not in (kind, kind.__name__)]
    (struct,) = taken.parameters.keys() - {one.name for one in kept}
    return taken.replace(parameters=kept), struct


def flat(public: inspect.Signature, kind: type[Struct]) -> inspect.Signature:
    """The signature that callers see: the subjects, then every field of the struct as a keyword."""
    hints, usual = typing.get_type_hints(kind), msgspec.structs.asdict(kind())
    fields = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
        for name, default in usual.items()
    ]
    return public.replace(parameters=[*public.parameters.values(), *fields])


def explained(function: Callable[..., Any], kind: type[Struct]) -> str:
    """The docstring of a function, and what each keyword from the struct means, as `help` shows it."""
    hints = typing.get_type_hints(kind, include_extras=True)
    said = {name: getattr(hints[name], "__metadata__", (Meta(),))[0].description for name in kind.__struct_fields__}
    told = [f"    {name}: {in_python(what)}" if what else f"    {name}" for name, what in said.items()]
    return "\n".join([inspect.getdoc(function) or "", "", "Keywords:", *told])


def checked_noun(noun: C) -> C:
    """Class decorator: check the arguments of the constructor against its annotations."""
    make, signature = noun.__init__, inspect.signature(noun)  # type: ignore[misc]

    @functools.wraps(make)
    def init(self: Any, *positional: Any, **named: Any) -> None:
        check_arguments(noun, signature, positional, named)
        make(self, *positional, **named)

    noun.__init__ = init  # type: ignore[misc]
    return noun


def check_arguments(
    of: Callable[..., Any], signature: inspect.Signature, positional: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments by name; an error if the call does not match the signature or the annotations."""
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError as error:
        raise UsageError(f"{of.__name__}: {error}; write {of.__name__}({_parameters(signature)})") from None
    hints = _hints(of)
    for name, value in given.items():
        if not fits(value, hints.get(name, Any)):
            raise UsageError(f"{of.__name__}: {name} is {_shown(value)}; expected {_expected(hints[name])}")
    return given


def _parameters(signature: inspect.Signature) -> str:
    """The required parameters of a call, and an ellipsis for optional ones."""
    needed = [one.name for one in signature.parameters.values() if one.default is one.empty]
    return ", ".join([*needed, *(["…"] if len(needed) < len(signature.parameters) else [])])


@functools.cache
def _hints(of: Callable[..., Any]) -> dict[str, Any]:
    made = of.__init__ if isinstance(of, type) and "__init__" in vars(of) else of  # type: ignore[misc]
    return typing.get_type_hints(inspect.unwrap(made), include_extras=True)


def fits(value: Any, hint: Any) -> bool:
    """Whether a value matches an annotation; of long sequences only the beginning is checked."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if (meant := getattr(origin or hint, "__value__", None)) is not None:  # an alias, as numpy's NDArray is since 2.5
        return fits(value, meant)
    if origin in UNIONS:
        return any(fits(value, one) for one in inside)
    if hint is Any or getattr(origin or hint, "_is_protocol", False):  # anything that can become an array
        return True
    if origin is Annotated:
        return fits(value, inside[0]) and all(test(value) for test, _ in _bounds(inside[1:]))
    if origin is Literal:
        return isinstance(value, str | int) and value in inside
    if hint in (int, float):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole or (hint is float and isinstance(value, float | np.floating))
    if origin in SERIES:
        if isinstance(value, str | bytes) or not isinstance(value, Iterable if origin is Iterable else Sequence):
            return False
        alike = origin is not tuple or Ellipsis in inside
        return (
            not alike
            or not isinstance(value, Sequence)
            or all(fits(one, inside[0]) for one in value[:ELEMENTS_LOOKED_AT])
        )
    return isinstance(value, origin or hint)


def _bounds(metas: Iterable[Any]) -> Iterator[tuple[Callable[[Any], bool], str]]:
    """The bounds in `msgspec.Meta`, each as a test and in words."""
    for meta in metas:
        for name, (test, words) in BOUNDS.items():
            bound = getattr(meta, name, None)
            if bound is not None:
                yield lambda value, test=test, bound=bound: test(value, bound), words.format(bound)  # type: ignore[misc]


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple) and not value:
        return f"an empty {type(value).__name__}"
    return printable(repr(value)) if type(value) in PLAIN else f"of type {type(value).__name__}"


def _expected(hint: Any) -> str:
    """What an annotation requires, in words."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in UNIONS:
        # A path is a text or an object; callers do not pass the struct that a study makes from keywords.
        paths = {one for one in inside if one is str or typing.get_origin(one) is PathLike}
        others = [one for one in inside if len(paths) < 2 or one not in paths]
        words = [_expected(one) for one in others if not (isinstance(one, type) and issubclass(one, Struct))]
        return " or ".join(["a path"] * (len(paths) == 2) + words)
    if origin is Annotated:
        bounds = ", ".join(words for _, words in _bounds(inside[1:]))
        return _expected(inside[0]) + f" ({bounds})" * bool(bounds)
    if origin is Literal:
        return f"one of {', '.join(map(repr, inside))}"
    if origin in SERIES:
        return f"a list, each element {_expected(inside[0])}"
    name = getattr(origin or hint, "__name__", str(hint))
    reader = MADE.get(name) or (f"read_{name.lower()}" if name in READ else "")
    return PLAIN.get(hint) or (f"{name} (from {reader})" if reader else f"a {name}")
