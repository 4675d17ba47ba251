"""Distances of sequences against definitions by subsets, recursion and published examples."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels.token_distances import ngram_distance, rouge_w_distance
from tests.engines.kernels.batches import by_name, pack, texts

pytestmark = pytest.mark.usefixtures("loaded")
Pairs = list[tuple[list[int], list[int]]]


def longest(t: list[int], h: list[int]) -> int:
    """The longest list of tokens of H, in order, that T has in order."""

    def within(part: tuple[int, ...]) -> bool:
        left = iter(t)
        return all(token in left for token in part)

    return max(size for size in range(len(h) + 1) if any(map(within, combinations(h, size))))


def f_distance(precision: float, recall: float) -> float:
    """1 less the harmonic mean."""
    return 1 - 2 * precision * recall / (precision + recall) if precision and recall else 1.0


@given(texts)
def test_lcs(pairs: Pairs) -> None:
    """Over the length of H; and for ROUGE-L, F over both lengths."""
    expected = [1 - longest(t, h) / len(h) if h else 0.0 for t, h in pairs]
    assert by_name("lcs_distance", pairs) == pytest.approx(expected)
    expected = [f_distance(longest(t, h) / max(len(t), 1), longest(t, h) / len(h)) if h else 0.0 for t, h in pairs]
    assert by_name("rouge_l_distance", pairs) == pytest.approx(expected)


@given(texts)
def test_rouge_s(pairs: Pairs) -> None:
    """Counted bags of ordered pairs; ROUGE-L where H has no pair."""
    expected = by_name("rouge_l_distance", pairs)
    for place, (t, h) in enumerate(pairs):
        if len(h) > 1:
            one, other = (Counter(combinations(side, 2)) for side in (t, h))
            both = (one & other).total()
            expected[place] = f_distance(both / max(one.total(), 1), both / other.total())
    assert by_name("rouge_s_distance", pairs) == pytest.approx(expected)


@pytest.mark.parametrize(("t", "distance"), [("ABCD", 0), ("ABEC", 1 / 2), ("EADB", 2 / 3), ("EFGH", 1), ("DCBA", 1)])
def test_a_known_rouge_s(t: str, distance: float) -> None:
    """As by hand: of the six pairs in ABCD the others have six, three, two and none."""
    assert by_name("rouge_s_distance", [([*map(ord, t)], [*map(ord, "ABCD")])]) == pytest.approx([distance])


@settings(deadline=None)  # the first example compiles
@given(texts, st.sampled_from([1.0, 1.5, 2.0]))
def test_rouge_w(pairs: Pairs, power: float) -> None:
    """Lin's recurrence as a recursion that carries the run along."""
    expected = []
    for t, h in pairs:

        @cache
        def worth(a: int, b: int, t: tuple[int, ...] = tuple(t), h: tuple[int, ...] = tuple(h)) -> tuple[float, int]:
            if not a or not b:
                return 0.0, 0
            if t[a - 1] != h[b - 1]:
                return max(worth(a - 1, b)[0], worth(a, b - 1)[0]), 0
            before, run = worth(a - 1, b - 1)
            return before + (run + 1) ** power - run**power, run + 1

        whole = worth(len(t), len(h))[0]
        shares = [(whole / max(len(side), 1) ** power) ** (1 / power) for side in (t, h)]
        expected.append(f_distance(*shares) if h else 0.0)
    assert rouge_w_distance(*pack(pairs), power).tolist() == pytest.approx(expected, abs=1e-12)


def test_a_run_is_worth_more() -> None:
    """Lin's example: ABCD in a row is nearer to ABCDEFG than with gaps, though ROUGE-L sees no difference."""
    pairs = [([*map(ord, t)], [*map(ord, "ABCDEFG")]) for t in ("ABCDHIK", "AHBKCID")]
    assert by_name("rouge_l_distance", pairs) == pytest.approx([3 / 7, 3 / 7])
    # 4² and 1² + 1² + 1² + 1² of 7², and the root.
    assert by_name("rouge_w_distance", pairs) == pytest.approx([1 - 4 / 7, 1 - 2 / 7])


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("MARTHA", "MARHTA", 0.961),
        ("DWAYNE", "DUANE", 0.840),
        ("DIXON", "DICKSONX", 0.813),
        ("JONES", "JOHNSON", 0.832),
    ],
)
def test_published_jaro_winkler(one: str, other: str, alike: float) -> None:
    """Winkler's own table."""
    made = by_name("jaro_winkler_distance", [([*map(ord, one)], [*map(ord, other)])])
    assert made == pytest.approx([1 - alike], abs=5e-4)


def test_a_long_prefix() -> None:
    """Four tokens of it count: (7/8 + 7/8 + 1) / 3 = 11/12, and 4/10 of the rest."""
    made = by_name("jaro_winkler_distance", [([*map(ord, "ABCDEFGX")], [*map(ord, "ABCDEFGY")])])
    assert made == pytest.approx([0.6 / 12])


@given(texts)
def test_jaro_winkler(pairs: Pairs) -> None:
    """Lists of what was taken, in the order of either side."""
    expected = []
    for t, h in pairs:
        reach = max(max(len(t), len(h)) // 2 - 1, 0)
        free, taken = dict(enumerate(h)), []
        for place, token in enumerate(t):
            near = [at for at, other in free.items() if other == token and abs(at - place) <= reach]
            if near:
                taken.append((token, near[0]))
                del free[near[0]]
        if not taken:
            expected.append(float(bool(h)))
            continue
        in_h = [h[at] for _, at in sorted(taken, key=lambda item: item[1])]
        crossed = sum(token != other for (token, _), other in zip(taken, in_h, strict=True)) // 2
        n = len(taken)
        alike = (n / len(t) + n / len(h) + (n - crossed) / n) / 3
        prefix = next((at for at, (a, b) in enumerate(zip(t, h, strict=False)) if a != b), min(len(t), len(h)))
        expected.append(1 - alike - (min(prefix, 4) * 0.1 * (1 - alike) if alike > 0.7 else 0))
    assert by_name("jaro_winkler_distance", pairs) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(texts, st.integers(1, 4))
def test_ngrams(pairs: Pairs, size: int) -> None:
    """N-grams cut out of texts with marks before them, edited."""
    expected = []
    for t, h in pairs:
        one, other = ([([None] * (size - 1) + side)[at : at + size] for at in range(len(side))] for side in (t, h))

        @cache
        def rest(a: int, b: int, one: tuple = tuple(map(tuple, one)), other: tuple = tuple(map(tuple, other))) -> float:  # type: ignore[type-arg]
            if not a or not b:
                return float(a + b)
            seen = [x != y for x, y in zip(one[a - 1], other[b - 1], strict=True) if (x, y) != (None, None)]
            return min(rest(a - 1, b) + 1, rest(a, b - 1) + 1, rest(a - 1, b - 1) + sum(seen) / len(seen))

        expected.append(rest(len(t), len(h)) / max(len(t), len(h)) if h else 0.0)
    assert ngram_distance(*pack(pairs), size).tolist() == pytest.approx(expected)


def test_no_pairs() -> None:
    """Of no pair there is no distance."""
    assert rouge_w_distance(*pack([])).shape == ngram_distance(*pack([])).shape == (0,)
    assert np.array(by_name("rouge_s_distance", [])).shape == (0,)
