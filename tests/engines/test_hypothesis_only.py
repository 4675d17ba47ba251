"""The probe that reads hypotheses alone."""

from __future__ import annotations

import numpy as np
import pytest

from karat.errors import UsageError
from karat.labels import THREE
from tests.engines.labelled import answer, decide, in_pieces, labelled

ROWS = [
    ("No text.", "Somebody sleeps.", "E"),
    ("No text.", "Somebody eats.", "E"),
    ("No text.", "Nobody sleeps.", "N"),
    ("No text.", "Nobody eats here.", "N"),
]


@pytest.mark.parametrize("kind", ["bernoulli", "multinomial"])
def test_artefact(kind: str) -> None:
    """A word that comes with one label alone decides, whatever the text says, and is named."""
    train = labelled(ROWS)
    test = labelled([("Somebody drinks.", "Nobody drinks.", "E"), ("Nobody drinks.", "SOMEBODY drinks.", "E")])
    model, decisions = decide(f"hypothesis-only(kind={kind})", train, test)
    assert decisions.codes.tolist() == [1, 0]
    assert decisions.justifications is not None
    first, second = decisions.justifications
    assert '"Nobody"' in first.text
    assert [(span.side, span.start, span.end) for span in second.evidence] == [("H", 0, 8)]
    assert in_pieces(model, test, 1) == [1, 0]


def test_probability() -> None:
    """Bernoulli by hand: each word there or not, one more of either outcome than were seen."""
    train = labelled([("t", "a", "E"), ("t", "a", "E"), ("t", "b", "N")])
    model, _ = decide("hypothesis-only", train, train)
    entailed = 2 / 3 * (3 / 4) * (3 / 4)
    other = 1 / 3 * (1 / 3) * (1 / 3)
    sure = answer(model, labelled([("t", "a", "E"), ("t", "unheard", "E")])).confidence
    neither = 2 / 3 * (1 / 4) * (3 / 4), 1 / 3 * (2 / 3) * (1 / 3)
    assert sure == pytest.approx([entailed / (entailed + other), neither[0] / sum(neither)])


def test_nothing_to_go_by() -> None:
    """A hypothesis without a word that was met is answered as most are, and no word is named."""
    train = labelled([*ROWS, ("No text.", "Somebody drinks.", "E")])
    _, decisions = decide("hypothesis-only(kind=multinomial)", train, labelled([("t", "", "E"), ("t", "xyz", "E")]))
    assert decisions.codes.tolist() == [0, 0]
    assert decisions.justifications is not None
    assert {one.text for one in decisions.justifications} == {
        "The answer rests on the hypothesis alone; the text was not read."
    }


def test_three_ways() -> None:
    """Each label can be the likeliest; the number it ranks by is even or more for entailment alone."""
    rows = [("t", word, letter) for word, letter in zip("abc", "EUC", strict=True) for _ in range(4)]
    train = labelled(rows, THREE)
    model, decisions = decide("hypothesis-only", train, train, THREE)
    assert decisions.codes.tolist() == train.labels.tolist()
    assert ((answer(model, train).confidence >= 0.5) == (train.labels == 0)).all()


def test_likeliest_of_three() -> None:
    """Entailment may be the likeliest at less than even; it still ranks before all that is answered otherwise."""
    train = labelled([("t", "a", letter) for letter in "EEUC"], THREE)
    model, decisions = decide("hypothesis-only(kind=multinomial)", train, labelled([("t", "", "E")], THREE), THREE)
    assert decisions.codes.tolist() == [0]
    assert answer(model, labelled([("t", "", "E")], THREE)).confidence.tolist() == [0.5]
    fewer = labelled([("t", "a", letter) for letter in "EEEUUCC"], THREE)
    model, _ = decide("hypothesis-only(kind=multinomial)", fewer, fewer, THREE)
    assert answer(model, fewer).confidence.tolist() == [0.5] * 7


def test_one_label_only() -> None:
    """Where all training pairs have one label, all are answered so."""
    train = labelled([("t", "a", "N"), ("t", "b", "N")])
    model, decisions = decide("hypothesis-only", train, train)
    assert decisions.codes.tolist() == [1, 1]
    assert np.array_equal(answer(model, train).confidence, [0.0, 0.0])
    assert not decisions.failures


def test_no_word_at_all() -> None:
    """Hypotheses without a word teach how common the labels are, and nothing else."""
    train = labelled([("t", "", "N"), ("t", "", "N"), ("t", "", "E")])
    for kind in ("bernoulli", "multinomial"):
        _, decisions = decide(f"hypothesis-only(kind={kind})", train, labelled(ROWS))
        assert decisions.codes.tolist() == [1] * 4
        assert decisions.justifications is not None
        assert all("alone; the text" in one.text for one in decisions.justifications)


def test_refused() -> None:
    """Another kind of naive Bayes than the two."""
    with pytest.raises(UsageError, match="gaussian"):
        decide("hypothesis-only(kind=gaussian)", labelled(ROWS), labelled(ROWS))
