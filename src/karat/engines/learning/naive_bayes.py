"""Naive Bayes over words: what a hypothesis alone gives away, as a probe for artefacts of a set."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from karat.arrays import Floats, Ints
from karat.engines.learning.threshold import Codes

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
