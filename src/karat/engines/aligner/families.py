"""The registry of feature families: each is a function of a batch's words, and can be switched off by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

import numpy as np

from karat.arrays import Floats
from karat.engines.aligner.word_features import Words
from karat.registry import Registry

Columns = Mapping[str, Floats]
"""Features by name: a number for each pair."""

families = Registry("feature family", "asks")
"""asks: what the family asks of a pair, in a few words."""


def columns(words: Words, wanted: Iterable[str]) -> dict[str, Floats]:
    """The features of some families, by `family.feature`."""
    made = {}
    for name in wanted:
        function = cast(Callable[[Words], Columns], families[name].function)
        for feature, values in function(words).items():
            made[f"{name}.{feature}"] = values
    return made


def table(words: Words, wanted: Iterable[str], names: Iterable[str]) -> Floats:
    """The named features as columns (pairs, features); what a model knows but no family gives any more is 0."""
    made = columns(words, wanted)
    nothing = np.zeros(len(words))
    return np.column_stack([np.zeros((len(words), 0)), *(made.get(name, nothing) for name in names)])
