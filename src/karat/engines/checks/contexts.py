"""Checks of context: what H asserts is denied in T, or is only possible, to come, believed, conditional or asked."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s
from karat.engines.batch import Batch
from karat.engines.checks.base import HALF_SURE, BatchView, Cue, checks, view
from karat.engines.checks.marks import LISTS, Marks
from karat.engines.kernels.contexts import ATTITUDE, COMING, CONDITION, MAYBE, PLAIN, QUESTION, compare_contexts
from karat.engines.kernels.grammar import Dependency, Tag

_SAYS, _PARTIES = Marks(LISTS["says"]), Marks(LISTS["parties"])


def find_opinions(batch: Batch) -> tuple[Bools, Int32s]:
    """H words that T has as what somebody says, where it is a judgement or a party says it; the places of the saying.

    A judgement is an adjective (they say that it is *bad*); a party is critics, rivals, fans, sceptics.
    """
    seen, trees = view(batch), batch.t_trees
    over = np.where(trees.heads >= 0, batch.t.starts[seen.t_pair] + trees.heads, -1)
    says = np.append(_SAYS.of(batch.knowledge, trees.lemmas) > 0, False)
    party = np.zeros(len(over) + 1, dtype=bool)
    party[over[(trees.dependencies == Dependency.NSUBJ) & (_PARTIES.of(batch.knowledge, trees.lemmas) > 0)]] = True
    told = (trees.dependencies == Dependency.CCOMP) & says[over] & (over < np.arange(len(over)))
    told &= (party[over] & (over >= 0)) | (trees.tags == Tag.ADJ)
    held = np.zeros(len(seen.pair), dtype=bool)
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    some = np.flatnonzero((batch.alignment.to >= 0) & (seen.h.context.mood == PLAIN))
    rows = batch.t.starts[seen.pair[some]] + batch.alignment.to[some]
    held[some] = told[rows]
    place[some] = np.where(told[rows], trees.heads[rows], -1)
    return held, place


COMPARED_FROM = 0.75
"""How well a T word must stand for an H word before their contexts are compared."""
OPPOSITE_POLARITY = -1
_COMPARED = "(contexts)"


@checks.register("negation", rank=30, verdict="contradiction", says="Where the hypothesis says {h}, the text has {t}.")
def negation(batch: Batch) -> Cue:
    """What H asserts is denied in T, or the other way round."""
    seen = view(batch)
    differs, place = _compared(batch, seen)
    rows = (differs == OPPOSITE_POLARITY) & seen.covered[seen.pair] & _about_h(seen, place)
    turned = _at(seen, place, seen.t.context.turned)
    # A hypothesis that denies what the text asserts shows its own negation.
    own = seen.h.context.turned
    return seen.fire(rows, np.where(turned >= 0, turned, place), 1.0, np.where(own >= 0, own, seen.batch.h.place))


@checks.register("modality", rank=50, verdict="unknown", says="The text says only that this is possible: {t}.")
def modality(batch: Batch) -> Cue:
    """What H asserts is only possible in T."""
    return _open(batch, MAYBE)


@checks.register("future", rank=53, verdict="unknown", says="In the text this is still to come: {t}.")
def future(batch: Batch) -> Cue:
    """What H asserts is in T still to come."""
    return _open(batch, COMING)


@checks.register(
    "attitude",
    rank=51,
    verdict="unknown",
    says="The text reports this as believed, wanted or claimed ({t}), not as a fact.",
)
def attitude(batch: Batch) -> Cue:
    """What H asserts is in T only believed, planned, claimed, feared, or somebody's opinion."""
    seen = view(batch)
    differs, place = _compared(batch, seen)
    opinion, said = find_opinions(batch)
    opinion &= (differs == 0) & _is_whole(seen, batch.alignment.to)
    rows, sure = (differs == ATTITUDE) | opinion, opinion | _is_whole(seen, place)
    return _surest(seen, rows, sure, np.where(opinion, said, _at(seen, place, seen.t.context.moved)))


@checks.register("condition", rank=52, verdict="unknown", says="The text says this only under a condition: {t}.")
def condition(batch: Batch) -> Cue:
    """What H asserts holds in T only if something else does."""
    return _open(batch, CONDITION)


@checks.register(
    "question", rank=54, verdict="unknown", says="The text asks about this and does not say that it is so."
)
def question(batch: Batch) -> Cue:
    """What H asserts is in T a question."""
    return _open(batch, QUESTION)


def _open(batch: Batch, mood: int) -> Cue:
    """Where T leaves open in one way what H asserts: sure where it is the whole of H that is left open."""
    seen = view(batch)
    differs, place = _compared(batch, seen)
    return _surest(seen, differs == mood, _is_whole(seen, place), _at(seen, place, seen.t.context.moved))


def _surest(seen: BatchView, rows: Bools, sure: Bools, t_place: Int32s) -> Cue:
    """A cue of strength 1 where some row of a pair is sure, of HALF_SURE where it fires and none is."""
    settled = np.zeros(len(seen.batch), dtype=bool)
    settled[seen.pair[rows & sure]] = True
    return seen.fire(rows & (sure | ~settled[seen.pair]), t_place, np.where(sure, 1.0, HALF_SURE).astype(np.float32))


def _is_whole(seen: BatchView, place: Int32s) -> Bools:
    """H predicates that all of H hangs on, whose T word at a place is a predicate like them, in a sentence with the
    rest of H.
    """
    batch, some = seen.batch, place >= 0
    rows = batch.t.starts[seen.pair] + np.maximum(place, 0)
    alike = np.zeros(len(place), dtype=bool)
    alike[some] = batch.t_trees.tags[rows[some]] == batch.h_trees.tags[some]
    return alike & (batch.h_trees.heads < 0) & (_at(seen, place, seen.t_in_full.astype(np.int32)) == 1)


def _compared(batch: Batch, seen: BatchView) -> tuple[Bytes, Int32s]:
    """How the predicates of H differ in context from the T words that stand for them."""
    if _COMPARED not in batch.cues:
        tags = batch.h_trees.tags
        said = (tags == Tag.VERB) | (tags == Tag.ADJ) | (batch.h_trees.heads < 0)
        # What stands before its noun asserts nothing of its own.
        predicates = seen.h.content & said & (batch.h_trees.dependencies != Dependency.AMOD)
        t_context, h_context = seen.t.context, seen.h.context
        batch.cues[_COMPARED] = compare_contexts(
            batch.t.starts,
            batch.h.starts,
            batch.match.blocks,
            seen.batch.support,
            COMPARED_FROM,
            predicates,
            batch.alignment.to,
            t_context.polarity,
            t_context.mood,
            h_context.polarity,
            h_context.mood,
        )
    found: tuple[Bytes, Int32s] = batch.cues[_COMPARED]
    return found


def _at(seen: BatchView, place: Int32s, of_t: Int32s) -> Int32s:
    """What is said of T words at places by H row; -1 where there is none."""
    rows = seen.batch.t.starts[seen.pair] + np.maximum(place, 0)
    found: Int32s = np.full(len(place), -1, dtype=np.int32)
    some = place >= 0
    found[some] = of_t[rows[some]]
    return found


def _about_h(seen: BatchView, place: Int32s) -> Bools:
    return _at(seen, place, seen.t_about_h.astype(np.int32)) == 1
