"""What follows from a state of many judgments, made anew only where what it follows from has changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """The newest answer to each of so many questions.

    Maps of a state are never changed in place: an answer holds as long as it was made from these very objects.
    """

    def __init__(self, most: int = 1024) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, tuple[tuple[object, ...], V]] = OrderedDict()

    def of(self, question: Hashable, given: tuple[object, ...], make: Callable[[], V]) -> V:
        """The answer, which `make` makes from what is given if that is not what it was made from."""
        found = self._made.get(question)
        if found is None or not _same(found[0], given):
            found = self._made[question] = given, make()
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return found[1]


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
