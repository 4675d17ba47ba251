"""Tests of the words that an engine keeps while it answers: never more than a bound, with the same answers."""

from __future__ import annotations

import pytest

from karat.engines import answering
from karat.engines.answering import Answerer
from karat.engines.batch import chunks_of
from karat.engines.model import fit
from karat.labels import THREE
from tests.engines.labelled import labelled

FEW, EACH = 30, 10
ANIMALS, MET = ("dogs", "dogs", "cats"), "Blork{} met {} zibs{}."
TRAIN = labelled(
    [(f"Ann saw {n} dogs.", f"Ann saw {n + (n % 3 > 0)} {ANIMALS[n % 3]}.", "EUC"[n % 3]) for n in range(60)], THREE
)
TEST = labelled(
    [(MET.format(n, n + 999, " in Klar"), MET.format(n * 7 % 40, n + 999 - n % 2, ""), "E") for n in range(80)]
)


@pytest.mark.parametrize("engine", ["overlap", "edit-distance", "hypothesis-only", "linguistic"])
def test_words_are_forgotten(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many new words come, only some are kept, and every answer is that of an engine that forgets none."""
    model = fit(engine, TRAIN, THREE, without=() if engine == "hypothesis-only" else ("wordnet",))
    patient, forgetful = Answerer(model, True), Answerer(model, True)
    begun, most = len(forgetful.knowledge.vocabulary), 0
    for chunk in chunks_of(TEST, EACH):
        monkeypatch.setattr(answering, "MOST_MET", 10**9)
        expected = patient.answer(chunk)
        monkeypatch.setattr(answering, "MOST_MET", FEW)
        found = forgetful.answer(chunk)
        assert found.codes.tolist() == expected.codes.tolist()
        assert found.confidence.tolist() == expected.confidence.tolist()
        assert (found.justifications, found.failures) == (expected.justifications, expected.failures)
        most = max(most, len(forgetful.knowledge.vocabulary) - begun)
    in_a_chunk = 4 * EACH
    # Words that an earlier process met and kept on disk are not new here.
    assert most <= min(FEW + in_a_chunk, len(patient.knowledge.vocabulary) - begun)
