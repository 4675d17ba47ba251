"""Numbers as ranges, and whether two texts agree on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from karat.engines.kernels import opposed as o

NUMBER, TIMES = o.IS_NUMBER, o.IS_NUMBER | o.IS_MULTIPLIER
WORDS: dict[str, tuple[float, int, int, int]] = {
    "million": (1e6, TIMES, 0, 0), "hundred": (100, TIMES, 0, 0), "twenty": (20, NUMBER, 0, 0),
    "-": (math.nan, o.IS_HYPHEN, 0, 0), "%": (math.nan, o.IS_PERCENT, 0, 0), "$": (math.nan, o.IS_MONEY, 0, 0),
    "May": (math.nan, o.IS_MONTH, 0, 0), "third": (3, NUMBER | o.IS_ORDINAL, 0, 0),
    "over": (math.nan, 0, o.AT_LEAST, 0), "under": (math.nan, 0, o.AT_MOST, 0), "about": (math.nan, 0, o.ABOUT, 0),
    "than": (math.nan, 0, o.THAN, 0),
    "more": (math.nan, 0, o.MORE, 0), "less": (math.nan, 0, o.LESS, 0), "in": (math.nan, 0, 0, 0),
    "a": (math.nan, 0, o.ARTICLE, 0), "or": (math.nan, 0, o.OR, 0),
    "dogs": (math.nan, 0, 0, 1), "cats": (math.nan, 0, 0, 1), "big": (math.nan, 0, 0, 0),
}  # fmt: skip
"""Value, traits, what it says of a number after it, and whether it is a noun."""
LEMMAS = {word: place for place, word in enumerate(WORDS)}
INF = math.inf


def read(text: str) -> o.Quantities:
    """The quantities of one text; digits are numbers."""
    words = text.split()
    rows = [WORDS[word] if word in WORDS else (float(word), NUMBER, 0, 0) for word in words]
    values, traits, before, nouns = (list(column) for column in zip(*rows, strict=True))
    return o.read_quantities(
        np.array([0, len(words)], dtype=np.int64),
        np.array(values, dtype=np.float64),
        np.array(traits, dtype=np.int8),
        np.array(before, dtype=np.int8),
        np.array(nouns, dtype=np.int8),
        np.array([LEMMAS.get(word, 99) for word in words], dtype=np.int32),
    )


@pytest.mark.parametrize(
    ("text", "lower", "upper", "kind", "unit"),
    [
        ("5 dogs", 5, 5, o.COUNT, "dogs"),
        ("5 big dogs", 5, 5, o.COUNT, "dogs"),
        ("2 million dogs", 2e6, 2e6, o.COUNT, "dogs"),
        ("twenty - 4 dogs", 24, 24, o.COUNT, "dogs"),
        ("over 5 dogs", 5, INF, o.COUNT, "dogs"),
        ("over a million dogs", 1e6, INF, o.COUNT, "dogs"),
        ("twenty 4 dogs", 24, 24, o.COUNT, "dogs"),
        ("more than 5 dogs", 5, INF, o.COUNT, "dogs"),
        ("less than 5 dogs", -INF, 5, o.COUNT, "dogs"),
        ("5 or more dogs", 5, INF, o.COUNT, "dogs"),
        ("5 or less", -INF, 5, o.COUNT, None),
        ("under 5 %", -INF, 5, o.PERCENT, None),
        ("about 100 %", 85, 115, o.PERCENT, None),
        ("$ 3 million", 3e6, 3e6, o.MONEY, None),
        ("in 1999", 1999, 1999, o.YEAR, None),
        ("1999 dogs", 1999, 1999, o.COUNT, "dogs"),
        ("May 9", 9, 9, o.DAY, None),
        ("third dogs", 3, 3, o.ORDINAL, "dogs"),
    ],
)
def test_read(text: str, lower: float, upper: float, kind: int, unit: str | None) -> None:
    """A number is read with its multiplier, bounds, kind and unit."""
    found = read(text)
    place = int(np.flatnonzero(found[2])[0])
    assert (found[0][place], found[1][place], found[2][place]) == (pytest.approx(lower), pytest.approx(upper), kind)
    assert found[3][place] == (LEMMAS[unit] if unit else -1)
    assert np.count_nonzero(found[2]) == 1


@pytest.mark.parametrize(
    ("t", "h", "verdict"),
    [
        ("5 dogs", "5 dogs", o.AGREES),
        ("5 dogs", "6 dogs", o.DISAGREES),
        ("5 dogs", "6 cats", o.ABSENT),
        ("5 dogs 6 cats", "6 dogs", o.DISAGREES),
        ("7 dogs", "over 5 dogs", o.AGREES),
        ("over 5 dogs", "7 dogs", o.ABSENT),
        ("over 9 dogs", "7 dogs", o.DISAGREES),
        ("about 100 dogs", "101 dogs", o.AGREES),
        ("3 %", "5 %", o.DISAGREES),
        ("3 %", "$ 5", o.ABSENT),
        ("in 1999", "in 1998", o.DISAGREES),
        ("1000 dogs", "1004 dogs", o.AGREES),
        ("big dogs", "5 dogs", o.ABSENT),
    ],
)
def test_compared(t: str, h: str, verdict: int) -> None:
    """Numbers of the same kind and unit that have nothing in common disagree; others are only absent."""
    t_read, h_read = read(t), read(h)
    starts = [np.array([0, len(text.split())], dtype=np.int64) for text in (t, h)]
    allowed = np.ones(len(t.split()), dtype=bool)
    found, place = o.compare_quantities(starts[0], starts[1], t_read, h_read, allowed)
    here = int(np.flatnonzero(h_read[2])[0])
    assert found[here] == verdict
    assert (place[here] >= 0) == (verdict != o.ABSENT)
    if verdict == o.DISAGREES:
        assert o.compare_quantities(starts[0], starts[1], t_read, h_read, ~allowed)[0][here] == o.ABSENT
