"""Checks of names and numbers: T does not mention somebody, some place or a number of H, or has another instead."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s
from karat.engines.batch import Batch
from karat.engines.checks.base import Cue, checks, view
from karat.engines.checks.quantities import compared, quantities
from karat.engines.kernels import opposed
from karat.engines.lexicon.wordnet import FIELDS

_PERSON = FIELDS.index("noun.person")


@checks.register("name", rank=62, verdict="unknown", says="The text does not mention {h}.")
def name(batch: Batch) -> Cue:
    """A name of H is not in T, nor anything that stands for it."""
    seen = view(batch)
    return seen.fire(_missing(batch), np.full(len(seen.pair), -1, dtype=np.int32))


def _missing(batch: Batch) -> Bools:
    seen, forms = view(batch), batch.knowledge.vocabulary.forms
    missing = seen.h_names & (seen.t_row < 0)
    for row in np.flatnonzero(missing[:-1]).tolist():
        # The letters of U. S. are no names.
        missing[row] = len(forms[batch.h.forms[row]]) > 1 or forms[batch.h.forms[row + 1]] != "."
    return missing


_COMPARED = "(numbers)"
_DATES = (opposed.YEAR, opposed.DAY)


@checks.register("number", rank=20, verdict="contradiction", says="The text says {t}, not {h}.")
def number(batch: Batch) -> Cue:
    """T gives another number of the same things than H."""
    seen = view(batch)
    verdict, place, kinds = _compared(batch)
    rows = (verdict == opposed.DISAGREES) & ~np.isin(kinds, _DATES) & seen.covered_beside
    return seen.fire(rows, place)


@checks.register("no_number", rank=36, verdict="unknown", says="The text does not give the number {h}.")
def no_number(batch: Batch) -> Cue:
    """T has no number that agrees with one of H; 56 per cent are not 56."""
    seen = view(batch)
    verdict, place, kinds = _compared(batch)
    numbers = np.flatnonzero((kinds > 0) & (place >= 0))
    there = quantities(batch)[0][2][batch.t.starts[seen.pair[numbers]] + place[numbers]]
    lacking = verdict != opposed.AGREES
    lacking[numbers] |= (kinds[numbers] == opposed.PERCENT) != (there == opposed.PERCENT)
    return seen.fire(lacking, place)


def _compared(batch: Batch) -> tuple[Bytes, Int32s, Bytes]:
    """What T says to the number at each H word, at which place, and what kind of number it is."""
    if _COMPARED not in batch.cues:
        batch.cues[_COMPARED] = *compared(batch, view(batch).t_about_h), quantities(batch)[1].kinds
    found: tuple[Bytes, Int32s, Bytes] = batch.cues[_COMPARED]
    return found
