"""Checks of context: what H asserts is denied in T, or is only possible, to come, believed, conditional or asked."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints
from karat.engines.batch import Batch
from karat.engines.checks.base import HALF_SURE, BatchView, Cue, checks, view
from karat.engines.checks.marks import LISTS, Marks
from karat.engines.kernels.contexts import (
    ATTITUDE,
    COMING,
    CONDITION,
    DENIES_TOO,
    LETS_OFF,
    MAYBE,
    NEGATES,
    PLAIN,
    QUESTION,
    compare_contexts,
)
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


NEAR = 3
"""Words before a word within which a negation may be of it."""


@checks.register("denied", rank=32, verdict="contradiction", says="The hypothesis says {h}, where the text has {t}.")
def denied(batch: Batch) -> Cue:
    """T has a negation just before a word that stands for what H says, and H has none at all."""
    seen = view(batch)
    denies = _negations(seen)[1]
    asked = _predicates(seen) & (seen.t_row >= 0) & ~_any(seen, seen.pair, _negations(seen)[0])[seen.pair]
    some = np.flatnonzero(asked)
    some = some[seen.t_about_h[seen.t_row[some]]]
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    for back in range(NEAR, 0, -1):
        rows = seen.t_row[some] - back
        same = (rows >= 0) & (seen.t_pair[rows] == seen.pair[some])
        same &= batch.t_trees.sentences[rows] == batch.t_trees.sentences[seen.t_row[some]]
        found = some[same & denies[rows]]
        place[found] = batch.t.place[seen.t_row[found] - back]
    return seen.fire(place >= 0, place, HALF_SURE)


@checks.register("denies", rank=33, verdict="contradiction", says="The hypothesis says {h}, the text {t}.")
def denies(batch: Batch) -> Cue:
    """H has a negation, and T, which has most of H, has none near the words that they share."""
    seen = view(batch)
    own, theirs = _negations(seen)
    near = np.zeros(len(seen.t_pair), dtype=bool)
    rows = seen.t_row[(seen.t_row >= 0) & seen.h.content]
    for back in range(NEAR + 1):
        before = np.maximum(rows - back, 0)
        near[before[seen.t_pair[before] == seen.t_pair[rows]]] = True
    fired = own & ~_any(seen, seen.t_pair, theirs & near)[seen.pair] & seen.covered[seen.pair]
    shared = np.flatnonzero((seen.t_row >= 0) & seen.h.content)[::-1]
    # What is shown of T is a verb; where it shares none, all that it says of the matter.
    anchor = np.full(len(batch), -1, dtype=np.int32)
    verbs = shared[batch.t_trees.tags[seen.t_row[shared]] == Tag.VERB]
    anchor[seen.pair[verbs]] = batch.t.place[seen.t_row[verbs]]
    return seen.fire(fired, anchor[seen.pair], HALF_SURE)


def _negations(seen: BatchView) -> tuple[Bools, Bools]:
    """Words of H and of T that deny what follows: not “not only”, “not far” or “no longer”."""
    made = []
    for kinds in (seen.h.kinds, seen.t.kinds):
        lets_off = np.append(kinds[1:] == LETS_OFF, False)
        made.append(((kinds == NEGATES) | (kinds == DENIES_TOO)) & ~lets_off)
    return made[0], made[1]


def _predicates(seen: BatchView) -> Bools:
    """H words that assert something: verbs, adjectives that do not stand before their noun, and what all hangs on."""
    trees = seen.batch.h_trees
    said = (trees.tags == Tag.VERB) | (trees.tags == Tag.ADJ) | (trees.heads < 0)
    return seen.h.content & said & (trees.dependencies != Dependency.AMOD)


def _any(seen: BatchView, pairs: Ints, rows: Bools) -> Bools:
    """Pairs that have such a row."""
    return np.bincount(pairs[rows], minlength=len(seen.batch)) > 0


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


@checks.register("condition", rank=52, verdict="unknown", says="The text leaves open whether this is so: {t}.")
def condition(batch: Batch) -> Cue:
    """What H asserts is in T possible, still to come, asked, or so only if something else is; sure where it is the
    whole of H that is left open.
    """
    seen = view(batch)
    differs, place = _compared(batch, seen)
    rows = np.isin(differs, (MAYBE, COMING, CONDITION, QUESTION))
    return _surest(seen, rows, _is_whole(seen, place), _at(seen, place, seen.t.context.moved))


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
        batch.cues[_COMPARED] = compare_contexts(
            batch.grid,
            batch.support,
            COMPARED_FROM,
            _predicates(seen),
            batch.alignment.to,
            seen.t.context,
            seen.h.context,
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
