"""Types of arrays, named after their elements, and tolerances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Int32s = NDArray[np.int32]
Bytes = NDArray[np.int8]
Integers = NDArray[np.integer]
"""Integers of any width."""
Bools = NDArray[np.bool_]
NAN = float("nan")
EXACT_TOLERANCE = 1e-12
"""Numbers closer than this are equal: the same number computed in two ways."""
DISPLAY_TOLERANCE = 1e-9
"""Numbers closer than this look the same wherever they are displayed."""
