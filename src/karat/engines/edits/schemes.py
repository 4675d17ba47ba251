"""Cost schemes: what each word weighs, written as a small sum of products, as in EDITS 3.

`STOPWORD * (1 + 2 * IDF + NOUN)`: numbers, the names of `CALCULATORS`, + - * / ** and brackets. It is read, never run
as Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

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
                f"{spelled!r} is no cost scheme; expected such as 'STOPWORD * (1 + 2 * IDF + NOUN)'"
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
