"""Features of pairs whose words can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

import karat.engines.aligner.engine  # noqa: F401 - files the families
from karat.arrays import Floats
from karat.engines.aligner.engine import FAMILIES
from karat.engines.aligner.features import WeighedWords, columns, table
from karat.engines.batch import Batch
from karat.engines.rarity import Rarity
from tests.engines.labelled import bare_knowledge

T = "Smith sold the old mill to Jones in 1990. The river did not flood."
HYPOTHESES = [
    "Smith sold the mill in 1990.",
    "Jones sold the mill to Smith.",
    "The river did flood.",
    "Brown bought 12 castles.",
    "",
    "It was of the.",
    "?!",
]
TEXTS = [*[T] * len(HYPOTHESES), "", "..."]


def features(settings: tuple[str, ...] = ()) -> dict[str, Floats]:
    """All features of all pairs; the last two have no word in T."""
    hypotheses = [*HYPOTHESES, "Smith sold a mill.", ""]
    given: dict[str, list[str | None]] = {"task": [*["QA", "IE", None], *["QA"] * 6]}
    batch = Batch(bare_knowledge(), [str(n) for n in range(len(TEXTS))], TEXTS, hypotheses, given)
    return columns(WeighedWords(batch, Rarity(4, {}), settings), FAMILIES)


def test_every_feature_is_a_number() -> None:
    """Whatever is empty, no feature is NaN or infinite, and each has one number a pair."""
    for name, values in features(("IE", "QA")).items():
        assert values.shape == (len(TEXTS),), name
        assert values.dtype == np.float64, name
        assert np.isfinite(values).all(), name


def test_coverage() -> None:
    """Four words of the first are all there; nothing of the fourth is; where H asks nothing, nothing is missing."""
    made = features()
    assert made["coverage.dictionary"][[0, 3, 4, 5, 7]].tolist() == [1, 0, 1, 1, 0]
    assert made["coverage.spelled"][0] == 1


def test_windows() -> None:
    """A stretch that has all of H scores 1; the second sentence does not begin T."""
    made = features()
    assert made["windows.stretch"][[0, 1, 3]].tolist() == [1, 1, 0]
    assert made["windows.sentence"][0] == 1
    assert made["windows.first"][[0, 2]].tolist() == [1, 0]


def test_polarity() -> None:
    """A negation just before an aligned word of T that H lacks."""
    assert features()["polarity.negation_text"][[0, 2]].tolist() == [0, 1]


def test_settings() -> None:
    """A setting that training pairs had is told apart; one never met, or none, is all 0."""
    made = features(("IE",))
    assert made["setting.IE"].tolist() == [0, 1, *[0] * 7]
    assert "setting.QA" not in made


def test_a_pair_has_the_same_features_in_any_batch() -> None:
    """What is beside a pair in its batch changes nothing."""
    whole = features()
    knowledge = bare_knowledge()
    for place, hypothesis in enumerate(HYPOTHESES):
        words = WeighedWords(Batch(knowledge, ["1"], [TEXTS[place]], [hypothesis]), Rarity(4, {}))
        for name, value in columns(words, FAMILIES).items():
            assert value[0] == pytest.approx(whole[name][place]), name


def test_features_are_taken_by_name() -> None:
    """A model's features come in its own order; one that no family gives is 0."""
    words = WeighedWords(Batch(bare_knowledge(), ["1"], [T], [HYPOTHESES[0]]), Rarity(4, {}))
    made = table(words, ["polarity", "coverage"], ["coverage.lemma", "gone.away", "polarity.modal_text"])
    assert made.tolist() == [[1, 0, 0]]
    assert table(words, ["polarity"], []).shape == (1, 0)
