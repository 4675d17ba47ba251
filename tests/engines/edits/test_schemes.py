"""Cost schemes against Python's own arithmetic, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.edits.settings import CALCULATORS, NAMED, Scheme
from karat.errors import UsageError

VALUES = {name: np.array([0.0, 1.0, 2.5]) + place for place, name in enumerate(CALCULATORS)}
spelled = st.recursive(
    st.sampled_from([*CALCULATORS, "2", "0.5"]),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda part: f"({' '.join(part)})"),
    max_leaves=6,
)


@given(spelled)
def test_arithmetic(scheme: str) -> None:
    """Weights are what Python makes of the sum for each word, and never negative."""
    expected = [
        max(float(eval(scheme, {name: values[place] for name, values in VALUES.items()})), 0.0) for place in range(3)
    ]
    assert Scheme(scheme).weigh(VALUES, 3).tolist() == pytest.approx(expected)


def test_powers_and_divisions() -> None:
    """What is undefined weighs nothing."""
    assert Scheme("IDF ** 0.5").weigh({"IDF": np.array([4.0, 0.0])}, 2).tolist() == [2.0, 0.0]
    assert Scheme("1 / IDF").weigh({"IDF": np.array([4.0, 0.0])}, 2).tolist() == [0.25, 0.0]


def test_named_schemes() -> None:
    """uniform is 1 everywhere and asks for nothing; idf asks for rarity."""
    assert set(NAMED) == {"uniform", "idf"}
    assert Scheme("uniform").weigh({}, 2).tolist() == [1.0, 1.0]
    assert Scheme("uniform").names == frozenset()
    assert Scheme("STOPWORD * (1 + 2 * IDF)").names == {"STOPWORD", "IDF"}


@pytest.mark.parametrize(
    ("scheme", "told"),
    [
        ("__import__('os')", "numbers"),
        ("IDF.real", "numbers"),
        ("IDF if 1 else 2", "numbers"),
        ("'IDF'", "numbers"),
        ("-IDF", "numbers"),
        ("1 +", "is not a cost scheme"),
        ("", "is not a cost scheme"),
        ("IDFS", "did you mean 'IDF'"),
    ],
)
def test_refused(scheme: str, told: str) -> None:
    """Nothing but numbers, calculators and arithmetic is read."""
    with pytest.raises(UsageError, match=told):
        Scheme(scheme)
