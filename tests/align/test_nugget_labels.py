"""Tests of the labels of nuggets."""

from __future__ import annotations

from karat.align.nugget_labels import degree_code, importance_code
from karat.data.nuggets import NEITHER, NOT, OKAY, PARTIAL, SUPPORT, UNKNOWN_DEGREE, VITAL


def test_codes_of_labels() -> None:
    """Case and blanks around are no matter; anything else means nothing."""
    assert [importance_code(one) for one in ("vital", " OKAY ", "failed", "")] == [VITAL, OKAY, NEITHER, NEITHER]
    spelled = ("support", "Partial_Support", "not_support", "", "supports", "2", "nan")
    assert [degree_code(one) for one in spelled] == [
        SUPPORT,
        PARTIAL,
        NOT,
        UNKNOWN_DEGREE,
        UNKNOWN_DEGREE,
        UNKNOWN_DEGREE,
        UNKNOWN_DEGREE,
    ]
    assert [degree_code(one) for one in ("1", "1.0", " 0.5", "0")] == [SUPPORT, SUPPORT, PARTIAL, NOT]
