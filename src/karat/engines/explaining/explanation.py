"""Justifications of answers: one mechanism for every engine that works on words.

A justification says in a sentence or two what decides, in words of the pair itself, and where those stand. It depends
on the pair and its label alone, so that the same answer is always justified in the same words.
"""

from __future__ import annotations

from karat.engines.batch import Batch
from karat.engines.decisions import Answers, Justification
from karat.engines.explaining.briefly import say_briefly
from karat.engines.explaining.contradicted import say_contradicted
from karat.engines.explaining.cues import FirstCues
from karat.engines.explaining.entailed import say_entailed
from karat.engines.explaining.grammar import sentence
from karat.engines.explaining.linting import REPEATED_H, REPEATED_T, repeats
from karat.engines.explaining.unknown import say_unknown
from karat.engines.explaining.words import Pair, Quotes, read_pairs
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, Way


def explain(batch: Batch, answers: Answers, way: Way) -> list[Justification]:
    """Why each pair of a batch is answered as it is."""
    labels = [way.labels[code] for code in answers.codes.tolist()]
    writer = _Writer(batch, set(labels))
    return [writer.write(pair, labels[pair.place]) for pair in read_pairs(batch, list(range(len(batch))))]


class _Writer:
    """Writes the justifications of a batch; asks checks only where an answer wants them."""

    def __init__(self, batch: Batch, labels: set[str]) -> None:
        against = bool(labels & {CONTRADICTION, NO_ENTAILMENT})
        open_ = bool(labels - {CONTRADICTION, ENTAILMENT})
        self._against = FirstCues(batch, "contradiction") if against else None
        self._open = FirstCues(batch, "unknown") if open_ else None

    def write(self, pair: Pair, label: str) -> Justification:
        quotes = Quotes(pair)
        said = self._say(pair, label, quotes)
        if repeats(said, pair.t.text, REPEATED_T) or repeats(said, pair.h.text, REPEATED_H):
            quotes = Quotes(pair)
            said = say_briefly(pair, label, quotes)
        return Justification(sentence(said), tuple(quotes.evidence))

    def _say(self, pair: Pair, label: str, quotes: Quotes) -> str:
        if label == ENTAILMENT:
            return say_entailed(pair, quotes)
        if label in (CONTRADICTION, NO_ENTAILMENT) and self._against and self._against.fires(pair):
            return self._against.sentence(pair, quotes, both=True)
        if label == CONTRADICTION:
            return say_contradicted(pair, quotes)
        if self._open and self._open.fires(pair):
            return self._open.sentence(pair, quotes, both=False)
        return say_unknown(pair, quotes)
