"""A probe for artefacts: how much the words of a hypothesis give away when nobody reads the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, cast

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Floats, Int32s, Ints
from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Engine, Justification, Setup, Span, Training, engines
from karat.engines.learning.threshold import ENTAILMENT_CODE, EVEN, UNDER
from karat.engines.text.trees import find_spans
from karat.engines.text.vocabulary import Flag, Vocabulary
from karat.labels import Codes

Kind = Literal["bernoulli", "multinomial"]


class NaiveBayes(msgspec.Struct, frozen=True):
    """Log-probabilities of the classes met in training, and of each word in each of them."""

    kind: Kind
    classes: tuple[int, ...]
    priors: tuple[float, ...]
    words: tuple[tuple[float, ...], ...]
    """By class, then by word: that a word is there (bernoulli), or is the next one (multinomial)."""

    def log_joint(self, starts: Ints, ids: Ints) -> Floats:
        """log P(class, words) of each document (documents, classes); words never met in training say nothing."""
        words = np.array(self.words)
        document, word = _known(starts, ids, words.shape[1], self.kind)
        absent = np.log1p(-np.exp(words)) if self.kind == "bernoulli" else np.zeros_like(words)
        said = (words - absent)[:, word]
        sums = np.array([np.bincount(document, weights=row, minlength=len(starts) - 1) for row in said])
        return (sums.T + absent.sum(axis=1) + np.array(self.priors)).reshape(len(starts) - 1, len(self.classes))

    def probability(self, starts: Ints, ids: Ints) -> Floats:
        """P(class | words) of each document (documents, classes)."""
        joint = self.log_joint(starts, ids)
        shares = np.exp(joint - joint.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def decide(self, starts: Ints, ids: Ints) -> Codes:
        """The likeliest class of each document; of equals the one with the lowest code."""
        return np.array(self.classes, dtype=np.int8)[self.log_joint(starts, ids).argmax(axis=1)]


def fit(
    starts: Ints, ids: Ints, codes: Codes, vocabulary: int, kind: Kind = "bernoulli", extra: float = 1.0
) -> NaiveBayes:
    """Counts of words in documents, with `extra` more of each outcome than were seen (Laplace: 1).

    Document d has the word ids from starts[d] up to before starts[d + 1]; ids outside the vocabulary are passed over.
    """
    classes, label, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    document, word = _known(starts, ids, vocabulary, kind)
    counts = np.zeros((len(classes), vocabulary))
    np.add.at(counts, (label[document], word), 1.0)
    outcomes = sizes[:, None] + 2 * extra if kind == "bernoulli" else counts.sum(1, keepdims=True) + extra * vocabulary
    words = np.log((counts + extra) / outcomes)
    priors = np.log(sizes / len(codes))
    return NaiveBayes(
        kind, tuple(classes.tolist()), tuple(priors.tolist()), tuple(tuple(row) for row in words.tolist())
    )


def _known(starts: Ints, ids: Ints, vocabulary: int, kind: Kind) -> tuple[Ints, Ints]:
    """Document and id of every word of the vocabulary; each word once a document where only presence counts."""
    document = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    known = (ids >= 0) & (ids < vocabulary)
    document, word = document[known], ids[known]
    if kind == "bernoulli" and vocabulary:
        cells = np.unique(document * vocabulary + word)
        return cells // vocabulary, cells % vocabulary
    return document, word


ALONE = "The answer rests on the hypothesis alone"


class Numbering:
    """The places of some words in a list of their own, by their ids in a vocabulary that grows."""

    def __init__(self, words: Sequence[str], vocabulary: Vocabulary) -> None:
        ids = [vocabulary[word] for word in words]
        self._places = np.full(len(vocabulary), -1, dtype=np.int64)
        self._places[ids] = np.arange(len(words))

    def of(self, forms: Int32s) -> Ints:
        """The place of each spelling, -1 for those not in the list."""
        if (more := int(forms.max(initial=-1)) + 1 - len(self._places)) > 0:
            self._places = np.concatenate([self._places, np.full(more, -1, dtype=np.int64)])
        return self._places[forms]


class LearntWords(msgspec.Struct, dict=True):
    """The words of the training hypotheses, sorted, and what each says of the labels."""

    words: tuple[str, ...]
    bayes: NaiveBayes

    def places(self, batch: Batch) -> Ints:
        """The place of each word of the hypotheses among those learnt, -1 for others."""
        of, numbering = self.__dict__.get("_numbering", (None, None))
        if of is not (vocabulary := batch.knowledge.vocabulary):
            numbering = Numbering(self.words, vocabulary)
            self.__dict__["_numbering"] = vocabulary, numbering
        return cast(Numbering, numbering).of(lower_forms(batch))


def lower_forms(batch: Batch) -> Int32s:
    """The words of the hypotheses, in lower case."""
    forms = batch.h.forms
    return batch.knowledge.vocabulary.table.lower[forms]


class HypothesisOnly:
    """Naive Bayes over the words of H."""

    learns = LearntWords

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def fit(self, training: Training) -> LearntWords:
        """Count the words of the hypotheses of each label."""
        batches = list(training.batches())
        vocabulary = batches[0].knowledge.vocabulary
        ids = np.concatenate([lower_forms(batch) for batch in batches])
        sizes = np.concatenate([np.diff(batch.h.starts) for batch in batches])
        words = tuple(sorted(vocabulary.forms[form] for form in np.unique(ids).tolist()))
        numbering = Numbering(words, vocabulary)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return LearntWords(words, fit(starts, numbering.of(ids), training.codes, len(words), self.kind))

    def answer(self, batch: Batch, learnt: LearntWords) -> BatchAnswers:
        """The likeliest label by the words of H."""
        bayes, places = learnt.bayes, learnt.places(batch)
        codes = bayes.decide(batch.h.starts, places)
        sure = np.zeros(len(batch))
        if ENTAILMENT_CODE in bayes.classes:
            sure = bayes.probability(batch.h.starts, places)[:, bayes.classes.index(ENTAILMENT_CODE)]
        # The likeliest of three may be less than even; ranked by this number, entailment still comes first.
        return BatchAnswers(codes, np.where(codes == ENTAILMENT_CODE, np.maximum(sure, EVEN), np.minimum(sure, UNDER)))

    def explain(self, batch: Batch, answers: BatchAnswers, learnt: LearntWords) -> Sequence[Justification]:
        """That the text was not read, and which word of the hypothesis spoke most for the answer."""
        places = learnt.places(batch)
        spoken = np.array(learnt.bayes.words)
        table = batch.knowledge.vocabulary.table
        empty = (table.flags[batch.h.forms] & Flag.PUNCTUATION) != 0
        made = []
        for row, code in enumerate(answers.codes.tolist()):
            rows = batch.h.rows(row)
            own = learnt.bayes.classes.index(code)
            others = np.delete(spoken, own, axis=0).max(axis=0, initial=-np.inf)
            met = (places[rows] >= 0) & ~empty[rows]
            gain = np.full(len(met), -np.inf)
            gain[met] = (spoken[own] - others)[places[rows][met]]
            made.append(_justified(batch, row, int(gain.argmax()) if gain.max(initial=-np.inf) > 0 else None))
        return made


def _justified(batch: Batch, row: int, word: int | None) -> Justification:
    """The justification of one pair: with the word that said most, where one said anything for the answer."""
    if word is None:
        return Justification(f"{ALONE}; the text was not read.")
    forms = [batch.knowledge.vocabulary.forms[form] for form in batch.h.forms[batch.h.rows(row)].tolist()]
    begin, end = find_spans(batch.hypotheses[row], forms)[word]
    return Justification(f'{ALONE}, above all on "{forms[word]}"; the text was not read.', (Span("H", begin, end),))


@engines.register(
    "hypothesis-only",
    learns="must",
    ways=("2", "3"),
    knows=("trees",),
    switches=(),
    source="Gururangan et al. 2018; Poliak et al. 2018",
)
def hypothesis_only(
    setup: Setup, kind: Annotated[Kind, Meta(description="whether a word is there, or how often")] = "bernoulli"
) -> Engine:
    """Naive Bayes over the words of the hypothesis alone, to find what a set gives away without its texts.

    Where it does better than the commonest label, hypotheses of some label are worded in a way of their own, and a
    system may score by that without reading. `kind` is bernoulli (a word is there or not) or multinomial (how often).
    """
    del setup
    return HypothesisOnly(kind)
