"""Cross-validation: every pair answered by a model that never saw it, nor another pair about the same text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.arrays import Ints
from karat.data.pairs import Pairs
from karat.engines.answering import Answerer
from karat.engines.batch import chunks_of
from karat.engines.engine import Decisions, engines, join
from karat.engines.knowledge import Knowledge
from karat.engines.learning.folds import stratified
from karat.engines.model import fit
from karat.errors import UsageError
from karat.labels import Way
from karat.progress import track


def cross_validate(
    spelling: str, pairs: Pairs, way: Way, *, folds: int = 10, seed: int = 0, knowledge: Knowledge
) -> Decisions:
    """Decisions on all pairs, each by the model of the folds it is not in; engines that learn nothing just answer."""
    if pairs.way is None or (pairs.labels < 0).any():
        raise UsageError(f"{pairs.source.name} must have a label on every pair to be validated on")
    learns = engines.parse(spelling).facts["learns"] != "no"
    texts = len(set(pairs.texts))
    if learns and texts < 2:
        raise UsageError(f"{pairs.source.name} is about one text: there is nothing else to learn from; give --train")
    count = min(folds, texts) if learns else 1
    fold = stratified(pairs.labels, count, seed, groups=pairs.texts) if learns else np.zeros(len(pairs), dtype=np.int64)
    parts, order = [], []
    for number in track(range(count), "folds"):
        unseen = np.flatnonzero(fold == number)
        seen = np.flatnonzero(fold != number)
        model = fit(spelling, pairs, way, seed=seed, knowledge=knowledge, rows=seen if learns else None)
        answerer = Answerer(model, justify=False, knowledge=knowledge)
        parts += [answerer.answer(chunk) for chunk in chunks_of(pairs, rows=unseen)]
        order.append(unseen)
    return in_order(join(parts, way), np.concatenate(order))


def in_order(decisions: Decisions, places: Ints) -> Decisions:
    """Decisions back in the order of the pairs: the i-th was on the pair at places[i]."""
    codes, confidence = np.empty_like(decisions.codes), np.empty_like(decisions.confidence)
    codes[places], confidence[places] = decisions.codes, decisions.confidence
    failures = sorted(
        (replace(failure, place=int(places[failure.place])) for failure in decisions.failures),
        key=lambda one: one.place,
    )
    return replace(decisions, codes=codes, confidence=confidence, failures=tuple(failures))
