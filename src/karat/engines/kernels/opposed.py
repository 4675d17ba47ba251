"""What speaks against a hypothesis although its words are there: opposites and other numbers."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints, Singles
from karat.engines.kernels.contexts import PLAIN
from karat.kernels.compiled import compiled


@compiled
def is_listed(first: int, second: int, keys: Ints) -> bool:
    """Whether a pair of lemmas is among sorted keys of `first << 32 | second`."""
    key = (np.int64(first) << 32) | np.int64(second)
    place = np.searchsorted(keys, key)
    return bool(place < len(keys) and keys[place] == key)


@compiled
def find_opposites(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    strength: Singles,
    relation: Bytes,
    opposite: int,
    least: float,
    listed: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    asked: Bools,
    allowed: Bools,
    t_polarity: Bytes,
    h_polarity: Bytes,
    t_mood: Bytes,
    aligned: Int32s,
    anchors: Bools,
    reach: int,
) -> Int32s:
    """For each H word that is asked about the place of the nearest fitting opposite in T, -1 for none.

    A T word fits that is allowed, asserted or denied as the H word is, stated as a fact, and has within reach the
    stand-in of an anchor, which is another word of H.
    """
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


@compiled
def read_quantities(
    starts: Ints, values: Floats, traits: Bytes, before: Bytes, nouns: Bytes, lemmas: Int32s
) -> tuple[Floats, Floats, Bytes, Int32s]:
    """Lower and upper bound, kind (0: no number begins here) and unit (a lemma, -1 for none) at each token.

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
    return lower, upper, kinds, units


@compiled
def compare_quantities(
    t_starts: Ints,
    h_starts: Ints,
    t_lower: Floats,
    t_upper: Floats,
    t_kinds: Bytes,
    t_units: Int32s,
    h_lower: Floats,
    h_upper: Floats,
    h_kinds: Bytes,
    h_units: Int32s,
    t_allowed: Bools,
) -> tuple[Bytes, Int32s]:
    """Whether T agrees with the number at each H word, has none like it, or has another of the same kind and unit.

    The second array is the place of the T number that agrees or disagrees, -1 for none; only T words that are allowed
    can disagree.
    """
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
