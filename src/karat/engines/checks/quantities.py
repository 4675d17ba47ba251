"""Quantities of both sides in one spelling: $2m is 2 million dollars, 47% is 47 per cent, twenty-four is 24."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints
from karat.engines.batch import Batch
from karat.engines.checks.marks import LISTS, Marks
from karat.engines.kernels import opposed
from karat.engines.kernels.grammar import Tag
from karat.engines.text.closed import MONTHS
from karat.engines.text.trees import Tokens, Trees
from karat.engines.text.vocabulary import Flag

_BEFORE = Marks(
    {
        **dict.fromkeys(LISTS["at-least"], opposed.AT_LEAST),
        **dict.fromkeys(LISTS["at-most"], opposed.AT_MOST),
        **dict.fromkeys(LISTS["about"], opposed.ABOUT),
        "than": opposed.THAN,
        "a": opposed.ARTICLE,
        "an": opposed.ARTICLE,
        "more": opposed.MORE,
        "greater": opposed.MORE,
        "less": opposed.LESS,
        "fewer": opposed.LESS,
        "or": opposed.OR,
    },
    "spelling",
)
_UNITS = Marks(
    {
        **dict.fromkeys(sorted(LISTS["percent"]), opposed.IS_PERCENT),
        **dict.fromkeys(sorted(LISTS["currency"]), opposed.IS_MONEY),
        **dict.fromkeys(MONTHS, opposed.IS_MONTH),
        "-": opposed.IS_HYPHEN,
    }
)
_ONE = Marks(["one"], "spelling")
_PER, _CENT = 1, 2
_CENTS = Marks({"per": _PER, "cent": _CENT}, "spelling")
_THOUSAND = 3
_LETTERS = Marks({"k": _THOUSAND, "m": 6, "b": 9, "tn": 12}, "spelling")
"""Letters after a number, by the power of ten that they stand for."""
_NOUNS = np.isin(np.arange(len(Tag)), (Tag.NOUN, Tag.PROPN)).astype(np.int8)

_READ = "(quantities)"


def quantities(batch: Batch) -> tuple[opposed.Quantities, opposed.Quantities]:
    """Those of T and of H, read once."""
    if _READ not in batch.cues:
        batch.cues[_READ] = _read(batch, batch.t, batch.t_trees), _read(batch, batch.h, batch.h_trees)
    found: tuple[opposed.Quantities, opposed.Quantities] = batch.cues[_READ]
    return found


def compared(batch: Batch, allowed: Bools) -> tuple[Bytes, Int32s]:
    """What T says to the number at each H word, and at which place; only T words that are allowed can disagree."""
    t, h = quantities(batch)
    return opposed.compare_quantities(batch.t.starts, batch.h.starts, t, h, allowed)


def agreed(batch: Batch) -> tuple[Ints, Ints]:
    """H rows that are part of a number that T has too, with its multiplier and unit, and the T row where it begins."""
    verdict, place = compared(batch, np.zeros(len(batch.t.forms), dtype=bool))
    t_kinds, kinds = (side.kinds for side in quantities(batch))
    begins = np.flatnonzero((kinds > 0) & (verdict == opposed.AGREES))
    begins = begins[t_kinds[batch.t.starts[batch.h.pair[begins]] + place[begins]] == kinds[begins]]
    there = batch.t.starts[batch.h.pair[begins]] + place[begins]
    rows, at = [begins], [there]
    written = _written(batch)
    for step in (-1, 1, 2, 3, 4):
        beside = begins + step
        inside = (beside >= 0) & (beside < len(kinds))
        beside, begins_, there_ = beside[inside], begins[inside], there[inside]
        same = (batch.h.pair[beside] == batch.h.pair[begins_]) & written[beside]
        rows.append(beside[same])
        at.append(there_[same])
        if step > 0:
            begins, there = begins_[same], there_[same]
    return np.concatenate(rows), np.concatenate(at)


def _written(batch: Batch) -> Bools:
    """H words that only write a number out: multipliers, currencies, per cent."""
    table = batch.knowledge.vocabulary.table
    units = _UNITS.of(batch.knowledge, batch.h_trees.lemmas) & (opposed.IS_MONEY | opposed.IS_PERCENT)
    multiplies = table.flags[batch.h.forms] & Flag.MULTIPLIER
    return (units > 0) | (multiplies > 0) | (_CENTS.of(batch.knowledge, batch.h.forms) > 0)


def _decades(batch: Batch, tokens: Tokens, numeric: Bools) -> Bools:
    """The 1990s, which are not 1990."""
    forms = np.unique(tokens.forms[numeric])
    spelled = batch.knowledge.vocabulary.forms
    return np.isin(tokens.forms, [form for form in forms.tolist() if spelled[form].endswith(("0s", "0S"))])


def _read(batch: Batch, tokens: Tokens, trees: Trees) -> opposed.Quantities:
    """The quantities of a side, whatever their spelling: $2m and 2 million dollars, 47% and 47 per cent."""
    before = _BEFORE.of(batch.knowledge, tokens.forms)
    traits = _UNITS.of(batch.knowledge, trees.lemmas)
    table = batch.knowledge.vocabulary.table
    flags, values = table.flags[tokens.forms], table.value[tokens.forms]
    numeric = (flags & (Flag.NUMBER | Flag.ORDINAL)) > 0
    # One is a pronoun or an article as often as a number, and second a part of a minute.
    numeric &= (trees.tags != Tag.PRON) & (trees.tags != Tag.DET) & (_ONE.of(batch.knowledge, tokens.forms) == 0)
    numeric &= ~_decades(batch, tokens, numeric)
    words = _CENTS.of(batch.knowledge, tokens.forms)
    per = np.flatnonzero((words[:-1] == _PER) & (words[1:] == _CENT))
    traits[per], traits[per + 1] = opposed.IS_PERCENT, 0
    money = (traits & opposed.IS_MONEY) > 0
    traits[numeric] |= opposed.IS_NUMBER
    traits[(flags & Flag.MULTIPLIER) > 0] |= opposed.IS_MULTIPLIER
    traits[(flags & Flag.ORDINAL) > 0] |= opposed.IS_ORDINAL
    letters = _LETTERS.of(batch.knowledge, tokens.forms)
    # 65k is 65,000; $2m is two million, but 2 m are metres.
    after = np.flatnonzero(letters > 0)
    after = after[(after > 0) & numeric[after - 1]]
    after = after[(letters[after] == _THOUSAND) | (money[after - 2] & (after > 1))]
    values[after] = 10.0 ** letters[after]
    traits[after] = opposed.IS_MULTIPLIER
    return opposed.read_quantities(tokens.starts, values, traits, before, _NOUNS[trees.tags], trees.lemmas)
