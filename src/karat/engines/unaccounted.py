"""Entailments are less sure if no one sentence of T has the words of H, and not answered if T lacks what H turns on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.engines.batch import Batch
from karat.engines.checks.base import against, cue, view
from karat.engines.engine import BatchAnswers
from karat.engines.kernels.grammar import NOMINAL, Dependency, Tag
from karat.engines.learning.threshold import ENTAILMENT_CODE, EVEN, UNKNOWN_CODE
from karat.engines.text.trees import Tokens, Trees
from karat.engines.text.vocabulary import Flag

LEAST_ACCOUNTED = 2 / 3
"""T must have so much of the content words of H, or more."""
LACKING = ("name", "no_number")
"""Checks that find a name or a number of H that is not in T."""
REPORTED = "attitude"
"""The check that finds what T reports as a view."""
SURE = 1.0
CLOSE = 0.1
"""How far below even the confidence in entailment falls where it is not answered for what T lacks."""
BEFORE = 2
"""How far before the words that T shares with H a word that denies them may stand."""


def less_sure(answers: BatchAnswers, batch: Batch) -> BatchAnswers:
    """Entailments drawn towards even by the share of H's content words that no one sentence of T has.

    Entailment is not answered where T lacks a name, a number, the noun that H is built on, or a third of H's content
    words; where it denies these words or reports them as a view; and where a check finds what cannot both hold.
    """
    entailed = answers.codes == ENTAILMENT_CODE
    drawn = EVEN + (answers.confidence - EVEN) * _together(batch)
    doubts = [_headless(batch), _accounted(batch) < LEAST_ACCOUNTED, _denied(batch)]
    doubts += [cue(batch, name).fired for name in LACKING]
    doubts += [cue(batch, name).strength >= SURE for name in (REPORTED, *(entry.name for entry in against()))]
    lacks = entailed & np.any(doubts, axis=0)
    codes = np.where(lacks, UNKNOWN_CODE, answers.codes).astype(np.int8)
    # Just below even, in the order in which they were.
    under = np.nextafter(EVEN - (1 - drawn) * CLOSE, 0.0)
    confidence = np.where(entailed, np.where(lacks, under, drawn), answers.confidence)
    return replace(answers, codes=codes, confidence=confidence)


def _accounted(batch: Batch) -> Floats:
    """The share of H's content words for which T has a word that is the same or bears on it; 1 where there are none."""
    seen = view(batch)
    asked, had = seen.h.content, seen.h.content & (seen.t_row >= 0)
    return _share(seen.pair[had], seen.pair[asked], len(batch))


def _together(batch: Batch) -> Floats:
    """The share of H's content words that one sentence of T has."""
    seen = view(batch)
    pairs, _ = _in_best_sentence(batch)
    return _share(pairs, seen.pair[seen.h.content], len(batch))


def _share(part: Ints, whole: Ints, many: int) -> Floats:
    asked = np.bincount(whole, minlength=many)
    return np.where(asked > 0, np.bincount(part, minlength=many) / np.maximum(asked, 1), 1.0)


def _in_best_sentence(batch: Batch) -> tuple[Ints, Ints]:
    """The pairs and T rows of the content words of H that the first of the sentences with most of them has."""
    seen, sentences = view(batch), batch.t_trees.sentences
    rows = seen.h.content & (seen.t_row >= 0)
    pairs, places = seen.pair[rows], seen.t_row[rows]
    width = int(sentences.max(initial=0)) + 1
    counts = np.bincount(pairs * width + sentences[places], minlength=len(batch) * width).reshape(-1, width)
    best = sentences[places] == counts.argmax(axis=1)[pairs]
    return pairs[best], places[best]


def _headless(batch: Batch) -> Bools:
    """Whether T has nothing for a noun that H is built on: clerk in “is a clerk”, films in “made films”, or for a %."""
    seen, trees = view(batch), batch.h_trees
    nouns = np.isin(trees.dependencies, (Dependency.ROOT, Dependency.OBJ)) & np.isin(trees.tags, NOMINAL)
    lacking = (nouns | (trees.tags == Tag.SYM)) & seen.h.content & (seen.t_row < 0)
    return np.bincount(seen.pair[lacking], minlength=len(batch)) > 0


def _denied(batch: Batch) -> Bools:
    """Whether one of T and H denies, in T among the words they share or shortly before, and the other does not."""
    seen = view(batch)
    pairs, places = _in_best_sentence(batch)
    first, last = np.full(len(batch), len(batch.t.forms)), np.full(len(batch), -1)
    np.minimum.at(first, pairs, places)
    np.maximum.at(last, pairs, places)
    denials = np.append(0, np.cumsum(_denials(batch, batch.t, batch.t_trees)))
    begin, sentences = first.copy(), np.append(batch.t_trees.sentences, -1)
    for _ in range(BEFORE):
        inside = begin > batch.t.starts[:-1]
        begin -= inside & (sentences[begin - inside] == sentences[first])
    t_denies = (last >= 0) & (denials[last + 1] > denials[np.minimum(begin, last + 1)])
    # Who did not fail to win won.
    context = seen.t.context
    righted = (context.polarity[places] > 0) & (context.turned[places] >= 0)
    t_denies &= np.bincount(pairs[righted], minlength=len(batch)) == 0
    h_denies = np.bincount(seen.pair[_denials(batch, batch.h, batch.h_trees)], minlength=len(batch)) > 0
    return t_denies != h_denies


def _denials(batch: Batch, tokens: Tokens, trees: Trees) -> Bools:
    """Words that deny; not the Without of Doctors Without Borders."""
    flags = batch.knowledge.vocabulary.table.flags[tokens.forms]
    inside = np.diff(trees.sentences + tokens.pair * len(tokens.forms), prepend=-1) == 0
    return (flags & Flag.NEGATION > 0) & ~((flags & Flag.CAPITAL > 0) & inside)
