"""Registries of functions by name: measures, coefficients, engines and studies, with the facts declared for each.

A decorator registers a function under a name with its facts and returns it unchanged. A name with arguments is a
value whose spelling round-trips: `decided_f(weight=1/3)` is the same in Python, on the command line, as a dictionary
key and as the heading of a table.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeVar

from karat.errors import UsageError
from karat.labels import canonical

ENTRY_POINTS = "karat.extensions"
"""Other packages name a module under this group; importing it registers what it defines."""

F = TypeVar("F", bound=Callable[..., Any])
Argument = str | int | float | Fraction


@dataclass(frozen=True, eq=False)
class Registered:
    """A function, its name, and the facts declared with it."""

    kind: str
    name: str
    function: Callable[..., Any] = field(repr=False)
    facts: Mapping[str, Any] = field(repr=False)
    alias: str = ""
    """What to say of an entry that is only another name of one."""

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The parameters that may be given in brackets after the name: all but the first, which is the data."""
        parameters = list(inspect.signature(self.function).parameters.values())
        return {parameter.name: parameter for parameter in parameters[1:]}

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.alias or (inspect.getdoc(self.function) or "").partition("\n")[0]

    def bind(self, *positional: Argument, **named: Argument) -> Bound:
        """This entry with arguments, and defaults for the others."""
        slots = list(self.parameters)
        if len(positional) > len(slots):
            raise UsageError(f"{self.name} takes at most {len(slots)} arguments, {len(positional)} given")
        given: dict[str, Argument] = dict(zip(slots, positional, strict=False))
        if twice := set(given) & set(named):
            raise UsageError(f"{self.name}: {sorted(twice)[0]} is given twice; give it once")
        given |= named
        if stray := set(given) - set(slots):
            raise UsageError.unknown(f"argument of {self.name}", sorted(stray)[0], slots)
        arguments: dict[str, Argument] = {}
        for slot, parameter in self.parameters.items():
            value = given.get(slot, parameter.default)
            if value is inspect.Parameter.empty:
                raise UsageError(f"{self.name} needs its argument {slot}: {self.name}({slot.upper()})")
            if _is_number(parameter.default) and not _is_number(value):
                raise UsageError(f"{self.name}: {slot} is {value!r}; expected a number, for example {slot}=0.5")
            arguments[slot] = canonical(str(value)) if slot == "label" and value else value
        return Bound(self, tuple(arguments.items()))


def _is_number(value: object) -> bool:
    """Whether a value is a number that a formula can use: finite, and within the range of a float."""
    try:
        return type(value) in (int, float, Fraction) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


@dataclass(frozen=True)
class Bound:
    """An entry with its arguments: callable, comparable, and with one spelling."""

    entry: Registered
    arguments: tuple[tuple[str, Argument], ...]

    def __call__(self, subject: Any) -> Any:
        """The value for a table, an order, or whatever the entry is a function of."""
        return self.entry.function(subject, **dict(self.arguments))

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts of the entry."""
        return self.entry.facts

    def __str__(self) -> str:
        inside = []
        for name, value in self.arguments:
            if name == "label" and value:
                inside.append(str(value))  # a label is shown without its parameter's name
            elif not isinstance(value, str | bool):
                inside.append(f"{name}={value}")
            elif value != self.entry.parameters[name].default:  # words are shown only if they are not the default
                inside.append(f"{name}={value if str(value).isidentifier() else repr(value)}")
        return f"{self.entry.name}({', '.join(inside)})" if inside else self.entry.name


class Registry:
    """Entries of one kind by name; the module that registers one (its home) is imported when the entry is needed."""

    def __init__(self, kind: str, *facts: str, homes: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self._facts = set(facts)
        self._homes = homes or {}
        self._entries: dict[str, Registered] = {}

    def register(self, name: str, **facts: Any) -> Callable[[F], F]:
        """A decorator that registers a function under `name`; all facts of the registry must be declared."""
        if set(facts) != self._facts:
            raise TypeError(f"{self.kind} {name!r} must declare exactly {sorted(self._facts)}")

        def file(function: F) -> F:
            if name in self._entries:
                raise TypeError(f"two of kind {self.kind} are called {name!r}")
            self._entries[name] = Registered(self.kind, name, function, facts)
            return function

        return file

    def alias(self, name: str, of: str, summary: str) -> None:
        """Register another name for an entry; results asked for by that name have it too."""
        if name in self._entries:
            raise TypeError(f"two of kind {self.kind} are called {name!r}")
        known = self._entries[of]
        self._entries[name] = replace(known, name=name, alias=summary)

    def __getitem__(self, name: str) -> Registered:
        if name in self._homes:
            import_module(self._homes[name])
        elif name not in self._entries:
            load_extensions()
        if name not in self._entries:
            raise UsageError.unknown(self.kind, name, {*self._homes, *self._entries})
        return self._entries[name]

    def named(self, spelling: str) -> Registered | None:
        """The entry of a spelling, whatever its arguments; None for other words, such as a column of scores."""
        name = spelling.partition("(")[0]
        return next((entry for entry in self if entry.name == name), None)

    def __iter__(self) -> Iterator[Registered]:
        load_extensions()
        at_home = [self[name] for name in self._homes]
        yield from [*at_home, *(entry for entry in self._entries.values() if entry not in at_home)]

    def parse(self, spelling: str) -> Bound:
        """The value of a spelling: a name, or a name with arguments in brackets."""
        match = re.fullmatch(r"([\w-]+)\s*(\(.*\))?", spelling.strip(), re.DOTALL)
        if not match:
            raise UsageError(f"{spelling!r} is not a {self.kind}: write NAME or NAME(ARGUMENT, name=VALUE)")
        entry = self[match[1]]
        if not match[2]:
            return entry.bind()
        try:
            call = ast.parse(f"f{match[2]}", mode="eval").body
            assert isinstance(call, ast.Call)
            positional = [_argument(node) for node in call.args]
            named = {keyword.arg: _argument(keyword.value) for keyword in call.keywords if keyword.arg}
            assert len(named) == len(call.keywords)  # each once, and no **
        except (SyntaxError, ValueError, AssertionError, ZeroDivisionError):
            raise UsageError(
                f"cannot read the arguments of {spelling!r}: write NAME(name=VALUE), and what is no number and no "
                "plain word in quotes: NAME(name='a file.tsv')"
            ) from None
        return entry.bind(*positional, **named)


_loaded = False


def load_extensions() -> None:
    """Import, once, what other packages registered under the entry-point group."""
    global _loaded
    if not _loaded:
        _loaded = True
        for point in entry_points(group=ENTRY_POINTS):
            point.load()


def _argument(node: ast.expr) -> Argument:
    """A word, a number or a fraction; nothing is evaluated."""
    match node:
        case ast.Name(id=word):
            return word
        case ast.Constant(value=int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return Fraction(Fraction(_argument(left)), Fraction(_argument(right)))
    raise ValueError(ast.dump(node))
