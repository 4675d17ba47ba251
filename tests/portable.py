"""What is the same on every machine, and another machine to try it on: this one with less of its processor.

`python -m tests.portable` prints the text, JSON and CSV of every example as one JSON object; with `features`, the names
of what this processor has beyond the oldest that numpy runs on.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from tools.examples import ARGUMENTS, result_of

from karat.arrays import EXACT_TOLERANCE

COMPARED = 9
"""Significant digits that are the same on every machine."""


def differences(one: str, other: str) -> list[str]:
    """Where two JSON texts differ: in anything but numbers, or in digits that every machine should agree on."""
    return list(_differences(json.loads(one), json.loads(other), ""))


def _differences(one: Any, other: Any, at: str) -> Iterator[str]:
    if isinstance(one, float) and isinstance(other, float):
        if not math.isclose(one, other, rel_tol=10.0**-COMPARED, abs_tol=EXACT_TOLERANCE):
            yield f"{at}: {one} and {other}"
    elif isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for name in one:
            yield from _differences(one[name], other[name], f"{at}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (here, there) in enumerate(zip(one, other, strict=True)):
            yield from _differences(here, there, f"{at}/{place}")
    elif one != other:
        yield f"{at}: {one!r:.200} and {other!r:.200}"


def features() -> str:
    """What numpy would use of this processor and can do without."""
    built: Any = np.show_config(mode="dicts")
    return " ".join(built["SIMD Extensions"]["found"])


def older_processor() -> dict[str, str]:
    """The environment in which numpy and BLAS use no instruction that an old processor lacks."""
    return {"NPY_DISABLE_CPU_FEATURES": features(), **os.environ, "OPENBLAS_CORETYPE": "Prescott"}


def one_thread() -> dict[str, str]:
    """The environment in which nothing is computed by several threads."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")
    return {**os.environ, **dict.fromkeys(names, "1")}


if __name__ == "__main__" and sys.argv[1:] == ["features"]:
    sys.stdout.write(features())
elif __name__ == "__main__":
    forms = ("text", "json", "csv")
    made = {command: {form: result_of(command).render(form) for form in forms} for command in ARGUMENTS}
    json.dump(made, sys.stdout)
