"""Tests of sums over neighbours against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from karat.kernels import segments
from karat.kernels.segments import segment_counts, segment_sums

CASES = st.tuples(
    st.integers(0, 4),  # rows
    st.lists(st.integers(0, 5), min_size=1, max_size=6),  # cells of each segment
    st.integers(1, 20),  # traits
)


@given(CASES, st.data())
def test_counts_and_sums(case: tuple[int, list[int], int], data: st.DataObject) -> None:
    """Whatever is empty, and however many counters share an integer."""
    rows, sizes, traits = case
    codes = data.draw(arrays.arrays(np.uint8, (rows, sum(sizes)), elements=st.integers(0, 15)))
    table = data.draw(arrays.arrays(np.bool_, (16, traits)))
    weights = data.draw(arrays.arrays(np.float64, sum(sizes), elements=st.integers(0, 9).map(float)))
    ends = np.cumsum(sizes)
    counts, sums = np.zeros((traits, rows, len(sizes))), np.zeros((traits, rows, len(sizes)))
    for trait in range(traits):
        for row in range(rows):
            for segment, size in enumerate(sizes):
                for cell in range(ends[segment] - size, ends[segment]):
                    counts[trait, row, segment] += table[codes[row, cell], trait]
                    sums[trait, row, segment] += table[codes[row, cell], trait] * weights[cell]
    np.testing.assert_array_equal(segment_counts(codes, table, ends), counts)
    np.testing.assert_allclose(segment_sums(codes, table, weights, ends), sums)


@pytest.mark.parametrize("size", [1, 3, 127, 128, 5000])
def test_full_segments_and_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No counter runs over into the next, and blocks do not show."""
    monkeypatch.setattr(segments, "CELLS_AT_A_TIME", 2 * size)
    counts = segment_counts(
        np.full((7, 2 * size), 3, dtype=np.uint8), np.ones((4, 9), dtype=bool), np.array([size, 2 * size])
    )
    assert (counts == size).all()
    assert counts.shape == (9, 7, 2)
