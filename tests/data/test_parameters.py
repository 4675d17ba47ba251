"""Random numbers depend on seed and purpose alone; arguments are compared with annotations, also through aliases."""

from __future__ import annotations

from typing import Any

import numpy as np

from karat.data.parameters import fits, generator


def test_generator_is_keyed() -> None:
    """The same key gives the same numbers, another purpose others."""
    assert generator(1, "a", 2).integers(1 << 60) == generator(1, "a", 2).integers(1 << 60)
    others = {int(generator(*key).integers(1 << 60)) for key in ((1, "a"), (2, "a"), (1, "b"), (1, "a", 0))}
    assert len(others) == 4


def test_an_alias_is_what_it_stands_for() -> None:
    """Annotations may be aliases, as numpy's `NDArray` is from version 2.5 on."""
    from typing_extensions import TypeAliasType, TypeVar

    element = TypeVar("element", bound=np.generic)
    alias = TypeAliasType("alias", np.ndarray[Any, np.dtype[element]], type_params=(element,))
    for hint in (alias, alias[np.float64], alias | None):
        assert fits(np.zeros(3), hint)
        assert not fits([0.0], hint)
