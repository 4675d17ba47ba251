"""Cohen's kappa."""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.tables import Table
from karat.kernels.counting import divide
from karat.measures.facts import measure


@measure(
    "kappa",
    of=Table,
    range=(-1, 1),
    respects={"negation", "transposition", "scaling"},
    undefined="key and run use one and the same label only, so chance alone agrees always",
    source="Cohen 1960",
)
def kappa(table: Table) -> Floats:
    """Agreement beyond chance; undefined where chance alone would agree always."""
    total = table.total
    observed = table.diagonal.sum(axis=-1) * total
    chance = (table.key * table.response).sum(axis=-1)
    # Counts instead of shares, so that 1 - chance is exactly 0 where it should be, and kappa is exactly 0 for a run
    # that is independent of the key.
    beyond = np.where(np.abs(observed - chance) < EXACT_TOLERANCE * total**2, 0.0, observed - chance)
    return divide(beyond, total**2 - chance)
