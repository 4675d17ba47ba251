"""Justifications of answers: one mechanism for every engine that works on words.

A justification says in a sentence or two what decides, in words of the pair itself, and where those stand. It depends
on the pair, its label and what the engine rests on, so that the same answer is always justified in the same words.
"""

from __future__ import annotations

from collections.abc import Collection

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Justification
from karat.engines.explaining.contradicted import say_contradicted
from karat.engines.explaining.cues import Doubts, FirstCues
from karat.engines.explaining.entailed import say_entailed
from karat.engines.explaining.linting import REPEATED_H, REPEATED_T, repeats
from karat.engines.explaining.phrases import glued
from karat.engines.explaining.quoting import Pair, Quotes, SideWords, read_pairs
from karat.engines.explaining.unknown import mentions, say_unknown
from karat.engines.explaining.wording import listed, sentence
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, Way


def say_briefly(pair: Pair, label: str, quotes: Quotes) -> str:
    """A sentence with no more than a word of T and a word of H."""
    if label == ENTAILMENT and repeats(pair.t.text, pair.h.text, REPEATED_H):
        quotes.note((0, len(pair.t) - 1))
        return "The text says this in the same words"
    if label == ENTAILMENT and pair.covered:
        runs = [run for run in mentions(pair) if pair.t.size(run) < REPEATED_H]
        if runs:
            return f"The text as a whole speaks of {listed([quotes.t(run) for run in runs])}"
        return f"The text as a whole speaks of {quotes.h(glued(pair.h, (pair.covered[-1],) * 2))}"
    h = quotes.h(glued(pair.h, (pair.content[-1],) * 2))
    if label == ENTAILMENT:
        return f"{h} is inferred from the text as a whole"
    if label == CONTRADICTION:
        place = _telling(pair.t)
        return f"What the text says of {quotes.t(glued(pair.t, (place, place)))} does not go together with {h}"
    return f"The text does not say this of {h}"


def _telling(words: SideWords) -> int:
    return next((place for place in range(len(words)) if words.says_something(place)), 0)


def explain(
    batch: Batch, answers: BatchAnswers, way: Way, grounds: Collection[str] | None = None
) -> list[Justification]:
    """Why each pair of a batch is answered as it is.

    `grounds` names the checks that the answers rest on (None: all of them; empty: none); no other is spoken of.
    """
    labels = [way.labels[code] for code in answers.codes.tolist()]
    writer = _Writer(batch, set(labels), grounds)
    return [writer.write(pair, labels[pair.place]) for pair in read_pairs(batch, list(range(len(batch))))]


class _Writer:
    """Writes the justifications of a batch; asks checks only where an answer wants them."""

    def __init__(self, batch: Batch, labels: set[str], grounds: Collection[str] | None) -> None:
        against = bool(labels & {CONTRADICTION, NO_ENTAILMENT})
        open_ = bool(labels - {CONTRADICTION, ENTAILMENT})
        self._against = FirstCues(batch, "contradiction", grounds) if against else None
        self._open = FirstCues(batch, "unknown", grounds) if open_ else None
        self._doubts = Doubts(batch) if ENTAILMENT in labels else None

    def write(self, pair: Pair, label: str) -> Justification:
        quotes = Quotes(pair)
        said = self._say(pair, label, quotes)
        if repeats(said, pair.t.text, REPEATED_T) or repeats(said, pair.h.text, REPEATED_H):
            quotes = Quotes(pair)
            said = say_briefly(pair, label, quotes)
        return Justification(sentence(said), tuple(quotes.evidence))

    def _say(self, pair: Pair, label: str, quotes: Quotes) -> str:
        if label == ENTAILMENT and self._doubts:
            return say_entailed(pair, quotes, self._doubts)
        if label in (CONTRADICTION, NO_ENTAILMENT) and self._against and self._against.fires(pair):
            return self._against.sentence(pair, quotes, both=True)
        if label == CONTRADICTION:
            return say_contradicted(pair, quotes)
        if self._open and self._open.fires(pair) and self._open.fits(pair):
            return self._open.sentence(pair, quotes, both=False)
        return say_unknown(pair, quotes)
