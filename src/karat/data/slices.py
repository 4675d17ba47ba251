"""Slices: the pairs with each value of an attribute."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.data.pairs import Pairs
from karat.errors import UsageError

NO_VALUE = "(none)"
MOST = 500
"""More values than this, and the attribute is an identifier or free text."""


def attribute_slices(key: Pairs, attribute: str) -> tuple[list[str], NDArray[np.bool_]]:
    """The values of an attribute in order, and which pairs have each (values, units); none is a value too."""
    if attribute not in key.attributes:
        raise UsageError.unknown("attribute of the pairs", attribute, key.attributes)
    values = [NO_VALUE if value is None else value for value in key.attributes[attribute]]
    distinct = sorted(set(values), key=lambda value: (value == NO_VALUE, value))
    if len(distinct) > MOST:
        raise UsageError(f"{attribute} has {len(distinct)} values, which are no slices (at most {MOST})")
    place = {value: number for number, value in enumerate(distinct)}
    codes = np.array([place[value] for value in values])
    return distinct, codes == np.arange(len(distinct))[:, None]
