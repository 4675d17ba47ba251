"""Checks of numbers: T has another number where H has one, another year, or none at all."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bytes, Floats, Int32s
from karat.engines.batch import Batch
from karat.engines.checks.registry import Cue, checks
from karat.engines.checks.view import view
from karat.engines.checks.words import LISTS, Marks
from karat.engines.kernels import quantities as q
from karat.engines.kernels.grammar import Tag
from karat.engines.text.closed import MONTHS
from karat.engines.text.tokens import Tokens
from karat.engines.text.trees import Trees
from karat.engines.text.vocabulary import Flag

_BEFORE = Marks(
    {
        **dict.fromkeys(LISTS["at-least"], q.AT_LEAST),
        **dict.fromkeys(LISTS["at-most"], q.AT_MOST),
        **dict.fromkeys(LISTS["about"], q.ABOUT),
        "than": q.THAN,
        "more": q.MORE,
        "greater": q.MORE,
        "less": q.LESS,
        "fewer": q.LESS,
    },
    "spelling",
)
_UNITS = Marks(
    {
        **dict.fromkeys(sorted(LISTS["percent"]), q.IS_PERCENT),
        **dict.fromkeys(sorted(LISTS["currency"]), q.IS_MONEY),
        **dict.fromkeys(MONTHS, q.IS_MONTH),
        "-": q.IS_HYPHEN,
    }
)
_NOUNS = np.isin(np.arange(len(Tag)), (Tag.NOUN, Tag.PROPN)).astype(np.int8)
_COMPARED = "(numbers)"
_DATES = (q.YEAR, q.DAY)


@checks.register("number", rank=20, verdict="contradiction", says="The text says {t}, not {h}.")
def number(batch: Batch) -> Cue:
    """T gives another number of the same things than H."""
    seen = view(batch)
    verdict, place, kinds = _compared(batch)
    rows = (verdict == q.DISAGREES) & ~np.isin(kinds, _DATES) & seen.covered_beside
    return seen.fire(rows, place)


@checks.register("date", rank=35, verdict="unknown", says="The text gives {t} as the date, not {h}.")
def date(batch: Batch) -> Cue:
    """T gives another date than H, and not that of H."""
    seen = view(batch)
    verdict, place, kinds = _compared(batch)
    rows = (verdict == q.DISAGREES) & np.isin(kinds, _DATES) & seen.covered[seen.pair]
    return seen.fire(rows, place)


@checks.register("no_number", rank=36, verdict="unknown", says="The text does not give the number {h}.")
def no_number(batch: Batch) -> Cue:
    """T has no number that agrees with one of H."""
    seen = view(batch)
    verdict, place, _ = _compared(batch)
    return seen.fire(verdict != q.AGREES, place)


def _compared(batch: Batch) -> tuple[Bytes, Int32s, Bytes]:
    """What T says to the number at each H word, at which place, and what kind of number it is."""
    if _COMPARED not in batch.cues:
        t = _read(batch, batch.t, batch.t_trees)
        h = _read(batch, batch.h, batch.h_trees)
        verdict, place = q.compare_quantities(batch.t.starts, batch.h.starts, *t, *h, view(batch).t_about_h)
        batch.cues[_COMPARED] = verdict, place, h[2]
    found: tuple[Bytes, Int32s, Bytes] = batch.cues[_COMPARED]
    return found


def _read(batch: Batch, tokens: Tokens, trees: Trees) -> tuple[Floats, Floats, Bytes, Int32s]:
    before = _BEFORE.of(batch.knowledge, tokens.forms)
    units = _UNITS.of(batch.knowledge, trees.lemmas)
    table = batch.knowledge.vocabulary.table
    flags = table.flags[tokens.forms]
    numeric = (flags & (Flag.NUMBER | Flag.ORDINAL)) > 0
    # One is a pronoun as often as a number, and second a part of a minute.
    numeric &= (trees.tags != Tag.PRON) & (trees.tags != Tag.DET)
    traits = units.copy()
    traits[numeric] |= q.IS_NUMBER
    traits[(flags & Flag.MULTIPLIER) > 0] |= q.IS_MULTIPLIER
    traits[(flags & Flag.ORDINAL) > 0] |= q.IS_ORDINAL
    return q.read_quantities(tokens.starts, table.value[tokens.forms], traits, before, _NOUNS[trees.tags], trees.lemmas)
