"""Arguments held against the signature they are given to: whatever does not fit is a `UsageError` in words."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Annotated, Any, Literal, TypeVar

from karat.errors import UsageError, printable

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

READERS = {"Responses": "read_runs", "UnitWeights": "read_weights", "Model": "load_model"}
"""What makes a noun that is not read by `read_` and its name."""
PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "True or False", type(None): "None"}
SHOWN = 60
"""Characters of a wrong argument that are repeated."""


def checked(function: F) -> F:
    """A public function whose arguments are checked at the door."""
    signature = inspect.signature(function)
    name = function.__name__

    @functools.wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        check_call(name, function, signature, positional, named)
        return function(*positional, **named)

    return call  # type: ignore[return-value]


def checked_noun(noun: C) -> C:
    """A class whose constructor is checked at the door."""
    make, signature, name = noun.__init__, inspect.signature(noun), noun.__name__

    @functools.wraps(make)
    def init(self: Any, *positional: Any, **named: Any) -> None:
        check_call(name, make, signature, positional, named)
        make(self, *positional, **named)

    noun.__init__ = init  # type: ignore[misc]
    return noun
