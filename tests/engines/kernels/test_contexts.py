"""What stands under a negation, a modal or a verb with a clause under it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels import contexts as c
from karat.engines.kernels.word_match import Grid

WORDS = {
    "not": (c.NEGATES, 0, 0, 0), "nor": (c.DENIES_TOO, 0, 0, 0),
    "only": (c.LETS_OFF, 0, 0, 0), "may": (c.POSSIBLE, 0, 0, 1),
    "will": (c.FUTURE, 0, 0, 1), "if": (c.SUPPOSES, 0, 0, 0), ",": (c.ENDS_CLAUSE, 0, 0, 0),
    "to": (c.CARRIES_ON, 0, 0, 0), "did": (0, 0, 0, 1), "win": (0, 0, 0, 2), "dog": (0, 0, 0, 0),
    "fail": (0, c.TURNS, c.TURNS, 2), "know": (0, c.SAYS_SO, c.SAYS_SO, 2), "believe": (0, c.OPEN, c.OPEN, 2),
    "refuse": (0, c.SAYS_NOT, c.OPEN, 2), "manage": (0, c.KEEPS, c.KEEPS, 2), "?": (0, 0, 0, 0),
    "(": (0, 0, 0, 0), ")": (0, 0, 0, 0),
}  # fmt: skip
"""Kind, what it does asserted and denied, and whether it is a verb (2) or an auxiliary (1)."""


def scan(text: str) -> tuple[list[int], list[int], list[int], list[int]]:
    """Polarity, mood and both cues of the words of one sentence."""
    words = text.split()
    kinds, asserted, denied, verbs = np.array([WORDS[word] for word in words], dtype=np.int8).reshape(-1, 4).T.copy()
    questions = np.array([{"?": c.ASKS, "(": c.OPENS}.get(word, 0) for word in words], dtype=np.int8)
    starts, sentences = np.array([0, len(words)], dtype=np.int64), np.zeros(len(words), dtype=np.int32)
    found = c.scan_contexts(starts, sentences, kinds, asserted, denied, verbs, questions)
    return found[0].tolist(), found[1].tolist(), found[2].tolist(), found[3].tolist()


@pytest.mark.parametrize(
    ("text", "polarity", "mood"),
    [
        ("dog win", 1, c.PLAIN),
        ("dog did not win", -1, c.PLAIN),
        ("dog did not only win", 1, c.PLAIN),
        ("dog fail to win", -1, c.PLAIN),
        ("dog did not fail to win", 1, c.PLAIN),
        ("dog did not know dog win", 1, c.PLAIN),
        ("dog refuse to win", -1, c.PLAIN),
        ("dog did not refuse to win", -1, c.ATTITUDE),
        ("dog manage to win", 1, c.PLAIN),
        ("dog did not manage to win", -1, c.PLAIN),
        ("dog believe dog win", 1, c.ATTITUDE),
        ("dog may win", 1, c.MAYBE),
        ("dog may not win", -1, c.PLAIN),
        ("dog will win", 1, c.COMING),
        ("if dog win", 1, c.CONDITION),
        ("did dog win ?", 1, c.QUESTION),
        ("dog win ( did dog fail ? )", 1, c.PLAIN),
        ("dog fail ( did dog win ? )", 1, c.QUESTION),
        ("dog did not know , dog win", 1, c.PLAIN),
        ("not dog dog win", -1, c.PLAIN),
        ("not dog nor dog win", -1, c.PLAIN),
    ],
)
def test_last_verb(text: str, polarity: int, mood: int) -> None:
    """The last verb stands under what is written before it, and not under what has ended."""
    polarities, moods, _, _ = scan(text)
    last = max(place for place, word in enumerate(text.split()) if word == "win")
    assert (polarities[last], moods[last]) == (polarity, mood)


@given(st.lists(st.sampled_from(sorted(WORDS)), max_size=14).map(" ".join))
@settings(deadline=None)
def test_cues_explain(text: str) -> None:
    """What is denied names a word before it that does so, and what is open a word of the sentence that does so."""
    words = text.split()
    for place, (sign, mood, turned, moved) in enumerate(zip(*scan(text), strict=True)):
        assert sign in (1, -1)
        if sign < 0:
            assert turned < place
            assert words[turned] in ("not", "nor", "fail", "refuse")
        assert (mood == c.PLAIN) == (moved == -1)
        if mood != c.PLAIN:
            assert words[moved] in ("may", "will", "if", "believe", "refuse", "?")


def test_compared() -> None:
    """A word disagrees only where no T word that best stands for it is in the same context."""
    grid = Grid(*(np.array([0, many], dtype=np.int64) for many in (2, 1, 2)))

    def contexts(polarities: list[int], moods: list[int]) -> c.Contexts:
        none = np.full(len(moods), -1, dtype=np.int32)
        return c.Contexts(np.array(polarities, dtype=np.int8), np.array(moods, dtype=np.int8), none, none)

    def compare(polarities: list[int], moods: list[int], support: list[float], own: int = c.PLAIN) -> tuple[int, int]:
        differs, place = c.compare_contexts(
            grid, np.array(support, dtype=np.float32), 0.5, np.array([True]), np.zeros(1, dtype=np.int32),
            contexts(polarities, moods), contexts([1], [own]),
        )  # fmt: skip
        return int(differs[0]), int(place[0])

    assert compare([-1, 1], [0, 0], [1.0, 0.0]) == (-1, 0)
    assert compare([-1, 1], [0, 0], [1.0, 1.0]) == (0, -1)
    assert compare([-1, 1], [0, 0], [1.0, 0.7]) == (-1, 0)
    assert compare([1, 1], [c.MAYBE, 0], [0.9, 0.1]) == (c.MAYBE, 0)
    assert compare([-1, 1], [0, 0], [1.0, 0.0], c.COMING) == (-1, 0)
    assert compare([-1, 1], [0, 0], [1.0, 0.0], c.MAYBE) == (0, -1)
    assert compare([1, 1], [0, 0], [0.2, 0.1]) == (0, -1)
