"""What speaks against a hypothesis although its words are there: opposites and other numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints, Singles
from karat.engines.kernels.contexts import PLAIN, Contexts
from karat.engines.kernels.word_match import Grid
from karat.kernels.compiled import compiled


class Opposites(NamedTuple):
    """What counts as an opposite: a relation at least so strong, or a pair of listed lemmas (`is_listed`)."""

    relation: int
    least: float
    listed: Ints


class Opposable(NamedTuple):
    """The words of T or of H: their lemmas, their contexts, and which of them may be opposites."""

    lemmas: Int32s
    contexts: Contexts
    asked: Bools


@compiled
def is_listed(first: int, second: int, keys: Ints) -> bool:
    """Whether a pair of lemmas is among sorted keys of `first << 32 | second`."""
    key = (np.int64(first) << 32) | np.int64(second)
    place = np.searchsorted(keys, key)
    return bool(place < len(keys) and keys[place] == key)


@compiled
def find_opposites(
    grid: Grid,
    strength: Singles,
    relation: Bytes,
    opposites: Opposites,
    t_words: Opposable,
    h_words: Opposable,
    aligned: Int32s,
    anchors: Bools,
    reach: int,
) -> Int32s:
    """For each H word that is asked about the place of the nearest fitting opposite in T, -1 for none.

    A T word fits that is asked about too, asserted or denied as the H word is, stated as a fact, and has within reach
    the stand-in of an anchor, which is another word of H.
    """
    t_starts, h_starts, blocks = grid
    opposite, least, listed = opposites
    t_lemmas, t_contexts, allowed = t_words
    h_lemmas, h_contexts, asked = h_words
    t_polarity, t_mood, h_polarity = t_contexts.polarity, t_contexts.mood, h_contexts.polarity
    found = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        many_h = h_starts[pair + 1] - h_starts[pair]
        for h in range(many_h):
            row = h_starts[pair] + h
            if not asked[row]:
                continue
            nearest = reach + 1
            for t in range(t_starts[pair + 1] - t_starts[pair]):
                t_row = t_starts[pair] + t
                cell = blocks[pair] + t * many_h + h
                if not allowed[t_row] or t_polarity[t_row] != h_polarity[row] or t_mood[t_row] != PLAIN:
                    continue
                if not (relation[cell] == opposite and strength[cell] >= least) and not is_listed(
                    t_lemmas[t_row], h_lemmas[row], listed
                ):
                    continue
                for other in range(h_starts[pair], h_starts[pair + 1]):
                    if other != row and anchors[other] and aligned[other] >= 0 and aligned[other] != t:
                        away = abs(aligned[other] - t)
                        if away < nearest:
                            nearest = away
                            found[row] = t
    return found


COUNT, PERCENT, MONEY, YEAR, ORDINAL, DAY = 1, 2, 3, 4, 5, 6
"""Kinds of numbers; only numbers of a kind are compared."""
IS_NUMBER, IS_MULTIPLIER, IS_ORDINAL, IS_PERCENT, IS_MONEY, IS_MONTH, IS_HYPHEN = 1, 2, 4, 8, 16, 32, 64
AT_LEAST, AT_MOST, ABOUT, THAN, MORE, LESS, ARTICLE, OR = 1, 2, 3, 4, 5, 6, 7, 8
"""Words about a number: over, under, about; more than, less than; or more, or less."""
SOFT = 0.15
"""What "about" leaves open, as a share; numbers a hundredth apart count as the same, since T is often rounded in H."""
ROUNDED = 0.01
AGREES, ABSENT, DISAGREES = 0, 1, 2


class Quantities(NamedTuple):
    """The numbers of T or of H, by the token they begin at."""

    lower: Floats
    upper: Floats
    kinds: Bytes
    """0: no number begins here."""
    units: Int32s
    """A lemma; -1 for none."""


@compiled
def read_quantities(
    starts: Ints, values: Floats, traits: Bytes, before: Bytes, nouns: Bytes, lemmas: Int32s
) -> Quantities:
    """The quantity that begins at each token.

    `values` are NaN for other words; `traits` the bits above; `before` the words above; `nouns` marks what can be
    counted.
    """
    many = len(values)
    lower, upper = np.zeros(many), np.zeros(many)
    kinds, units = np.zeros(many, dtype=np.int8), np.full(many, -1, dtype=np.int32)
    for text in range(len(starts) - 1):
        row, end = starts[text], starts[text + 1]
        while row < end:
            if np.isnan(values[row]) or traits[row] & IS_NUMBER == 0:
                row += 1
                continue
            first, value = row, values[row]
            kind = ORDINAL if traits[row] & IS_ORDINAL else COUNT
            row += 1
            tens = kind == COUNT and 20 <= value < 100 and value % 10 == 0
            if tens and row + 1 < end and traits[row] & IS_HYPHEN and 1 <= values[row + 1] < 10:  # twenty-four
                value += values[row + 1]
                row += 2
            elif tens and row < end and 1 <= values[row] < 10:  # twenty four
                value += values[row]
                row += 1
            while row < end and kind == COUNT and traits[row] & IS_MULTIPLIER:
                value *= values[row]
                row += 1
            low = high = value
            if first > starts[text]:
                at = first - 1
                if before[at] == ARTICLE and at > starts[text]:  # over a thousand
                    at -= 1
                word = before[at]
                if word == THAN and at > starts[text]:
                    word = AT_LEAST if before[at - 1] == MORE else AT_MOST if before[at - 1] == LESS else 0
                if word == AT_LEAST:
                    high = np.inf
                elif word == AT_MOST:
                    low = -np.inf
                elif word == ABOUT:
                    low, high = value * (1 - SOFT), value * (1 + SOFT)
                if traits[first - 1] & IS_MONEY and kind == COUNT:
                    kind = MONEY
                elif traits[first - 1] & IS_MONTH and value <= 31:
                    kind = DAY
            if row + 1 < end and before[row] == OR:
                high = np.inf if before[row + 1] == MORE else high
                low = -np.inf if before[row + 1] == LESS else low
            if kind == COUNT:
                if row < end and traits[row] & IS_PERCENT:
                    kind = PERCENT
                elif row < end and traits[row] & IS_MONEY:
                    kind = MONEY
                elif row < end and traits[row] & IS_MONTH and value <= 31:
                    kind = DAY
                elif row == first + 1 and 1500 <= value <= 2100 and value % 1 == 0 and not (row < end and nouns[row]):
                    kind = YEAR
            if kind in (COUNT, ORDINAL):
                for ahead in range(row, min(row + 3, end)):
                    if nouns[ahead]:
                        units[first] = lemmas[ahead]
                        if not (ahead + 1 < end and nouns[ahead + 1]):
                            break
            lower[first], upper[first], kinds[first] = low, high, kind
    return Quantities(lower, upper, kinds, units)


@compiled
def compare_quantities(
    t_starts: Ints, h_starts: Ints, t_quantities: Quantities, h_quantities: Quantities, t_allowed: Bools
) -> tuple[Bytes, Int32s]:
    """Whether T agrees with the number at each H word, has none like it, or has another of the same kind and unit.

    The second array is the place of the T number that agrees or disagrees, -1 for none; only T words that are allowed
    can disagree.
    """
    t_lower, t_upper, t_kinds, t_units = t_quantities
    h_lower, h_upper, h_kinds, h_units = h_quantities
    verdict = np.zeros(h_starts[-1], dtype=np.int8)
    place = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        for h in range(h_starts[pair], h_starts[pair + 1]):
            if h_kinds[h] == 0:
                continue
            verdict[h] = ABSENT
            counted = False  # whether T counts the same things
            for t in range(t_starts[pair], t_starts[pair + 1]):
                counted |= t_kinds[t] == h_kinds[h] and h_units[h] >= 0 and t_units[t] == h_units[h]
            slack = ROUNDED * abs(h_lower[h]) if h_kinds[h] != YEAR and np.isfinite(h_lower[h]) else 0.0
            for t in range(t_starts[pair], t_starts[pair + 1]):
                if t_kinds[t] == 0:
                    continue
                inside = t_lower[t] >= h_lower[h] - slack and t_upper[t] <= h_upper[h] + slack
                # About 5,000 in T is enough for 5,000 in H; over 1,000 is not.
                soft = np.isfinite(t_lower[t]) and np.isfinite(t_upper[t])
                inside |= soft and t_lower[t] <= h_lower[h] and t_upper[t] >= h_upper[h]
                if inside and (not counted or t_units[t] == h_units[h]):
                    verdict[h], place[h] = AGREES, t - t_starts[pair]
                    break
                apart = t_lower[t] > h_upper[h] + slack or t_upper[t] < h_lower[h] - slack
                if not apart or t_kinds[t] != h_kinds[h] or not t_allowed[t] or verdict[h] == DISAGREES:
                    continue
                if h_kinds[h] in (COUNT, ORDINAL) and (h_units[h] < 0 or h_units[h] != t_units[t]):
                    continue
                verdict[h], place[h] = DISAGREES, t - t_starts[pair]
    return verdict, place
