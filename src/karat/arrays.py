"""Arrays of numbers, named once: a name says what one element is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Int32s = NDArray[np.int32]
Bytes = NDArray[np.int8]
Bools = NDArray[np.bool_]
NAN = float("nan")
