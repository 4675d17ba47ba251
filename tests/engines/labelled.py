"""Labelled pairs written by tests, and engines that learn from them and answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.engines.answering import Answerer
from karat.engines.batch import Batch, chunks_of
from karat.engines.engine import BatchAnswers, Decisions
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.model import Model, fit, revive
from karat.engines.predicting import predict
from karat.labels import TWO, Way

LETTERS = {"E": 0, "U": 1, "N": 1, "C": 2}


def labelled(
    rows: Sequence[tuple[str, str, str]],
    way: Way = TWO,
    attributes: Mapping[str, Sequence[str | None]] | None = None,
    ids: Sequence[str] | None = None,
) -> Pairs:
    """Pairs from (T, H, letter of the label)."""
    texts, hypotheses, letters = zip(*rows, strict=True)
    return Pairs(
        ids=tuple(ids or map(str, range(len(rows)))),
        texts=texts,
        hypotheses=hypotheses,
        labels=np.array([LETTERS[letter] for letter in letters], dtype=np.int8),
        way=way,
        source=Source("made up", "0" * 64),
        attributes={name: tuple(values) for name, values in (attributes or {}).items()},
    )


def bare_knowledge() -> Knowledge:
    """No dictionary."""
    return load_knowledge(without=["wordnet"])


def decide(
    engine: str, train: Pairs | None, test: Pairs, way: Way = TWO, *, seed: int = 0, knowledge: Knowledge | None = None
) -> tuple[Model, Decisions]:
    """What an engine learns, and what it answers and says after."""
    known = knowledge or bare_knowledge()
    model = fit(engine, train, way, seed=seed, knowledge=known)
    return model, predict(model, test, justify=True, knowledge=known)


def answer(model: Model, test: Pairs, knowledge: Knowledge | None = None) -> BatchAnswers:
    """The answers as the engine gives them, with how sure it is of entailment."""
    known = knowledge or bare_knowledge()
    engine, _, learnt = revive(model, known)
    parts = [engine.answer(Batch(known, *chunk), learnt) for chunk in chunks_of(test)]
    return BatchAnswers(np.concatenate([one.codes for one in parts]), np.concatenate([one.confidence for one in parts]))


def in_pieces(model: Model, test: Pairs, size: int, knowledge: Knowledge | None = None) -> list[int]:
    """The codes of a test set that is answered so many pairs at a time."""
    answerer = Answerer(model, False, knowledge or bare_knowledge())
    return [code for chunk in chunks_of(test, size) for code in answerer.answer(chunk).codes.tolist()]
