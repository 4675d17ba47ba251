"""Slices: the pairs with each value of an attribute."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from karat.data.pairs import Pairs
from karat.errors import UsageError

NO_VALUE = "(none)"
MOST = 500
"""More values than this, and the attribute is an identifier or free text."""


def attribute_slices(key: Pairs, attribute: str) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Each value of an attribute, in order, with the pairs that have it; pairs without one are a slice too."""
    if attribute not in key.attributes:
        raise UsageError.unknown("attribute of the pairs", attribute, key.attributes)
    values = np.array([NO_VALUE if value is None else value for value in key.attributes[attribute]], dtype=object)
    distinct = sorted(set(values.tolist()), key=lambda value: (value == NO_VALUE, value))
    if len(distinct) > MOST:
        raise UsageError(f"{attribute} has {len(distinct)} values, which are no slices (at most {MOST})")
    for value in distinct:
        yield value, values == value
