"""Checks of modifiers: H adds a restriction, singles out, or leaves out that something is fake, alleged or former."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s
from karat.engines.batch import Batch
from karat.engines.checks.base import HALF_SURE, BatchView, Cue, checks, view
from karat.engines.checks.marks import LISTS, QUANTIFIERS, Marks
from karat.engines.kernels.grammar import Dependency, Tag

_PRIVATIVE, _DOUBTED = Marks(LISTS["privative"], "spelling"), Marks(LISTS["doubted"], "spelling")
_FORMER, _WAS = Marks(LISTS["former"], "spelling"), Marks(["was", "were"], "spelling")
_HYPHEN = Marks(["-"], "spelling")
_SUPERLATIVE = Marks(sorted(LISTS["superlative"]), "spelling")
_QUANTIFIERS = Marks(QUANTIFIERS, "spelling")
_MODIFIES = np.isin(np.arange(len(Dependency)), (Dependency.AMOD, Dependency.COMPOUND, Dependency.NMOD))
_BETWEEN = np.isin(np.arange(len(Tag)), (Tag.NOUN, Tag.PROPN, Tag.ADJ, Tag.NUM, Tag.X, Tag.ADV))
_NOUNS = np.isin(np.arange(len(Tag)), (Tag.NOUN, Tag.PROPN))
BACK = 3
"""How many tokens before a noun its modifiers are looked for."""


@checks.register(
    "privative", rank=32, verdict="contradiction", says="The text calls it {t}, which the hypothesis leaves out."
)
def privative(batch: Batch) -> Cue:
    """T calls fake, failed or imaginary what H takes for real."""
    return _left_out(batch, _PRIVATIVE, gated=True)


@checks.register("alleged", rank=55, verdict="unknown", says="The text speaks only of something {t}.")
def alleged(batch: Batch) -> Cue:
    """T calls alleged, suspected or planned what H takes for a fact."""
    return _left_out(batch, _DOUBTED, gated=False)


@checks.register("former", rank=56, verdict="unknown", says="The text says {t}; the hypothesis speaks of the present.")
def former(batch: Batch) -> Cue:
    """T calls former what H takes to be so still: sure where H does not speak of the past, nor of somebody by name."""
    seen, found = view(batch), _left_out(batch, _FORMER, gated=False)
    row = batch.h.starts[:-1] + np.maximum(found.h, 0)
    fired = np.flatnonzero(found.fired)
    was = np.zeros(len(seen.pair), dtype=bool)
    heads = np.where(batch.h_trees.heads >= 0, batch.h.starts[seen.pair] + batch.h_trees.heads, np.arange(len(was)))
    was[heads[(batch.h_trees.dependencies == Dependency.COP) & (_WAS.of(batch.knowledge, batch.h.forms) > 0)]] = True
    named = np.append(batch.h_trees.tags[1:] == Tag.PROPN, False) | (batch.h_trees.tags == Tag.PROPN)
    strength = found.strength.copy()
    strength[fired[named[row[fired]]]] = HALF_SURE
    past = fired[was[heads[row[fired]]] | was[row[fired]]]
    strength[past] = 0
    t, h = found.t.copy(), found.h.copy()
    t[past], h[past] = -1, -1
    return Cue(strength, t, h)


@checks.register("quantifier", rank=57, verdict="unknown", says="The text says {t}, which is less than {h}.")
def quantifier(batch: Batch) -> Cue:
    """H claims more of the same things than T: all where T says some or most."""
    seen = view(batch)
    h_codes = _QUANTIFIERS.of(batch.knowledge, batch.h.forms)
    t_codes = _QUANTIFIERS.of(batch.knowledge, batch.t.forms)
    h_nearest, h_at = _before(seen.batch.h.place, batch.h_trees.tags, h_codes)
    t_nearest, t_at = _before(seen.batch.t.place, batch.t_trees.tags, t_codes)
    nouns = _NOUNS[batch.h_trees.tags] & (seen.t_row >= 0)
    rows = np.flatnonzero(nouns & (h_nearest >= 4))
    under = t_nearest[seen.t_row[rows]]
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    fewer = (under > 0) & (under < h_nearest[rows])
    place[rows[fewer]] = t_at[seen.t_row[rows[fewer]]]
    return seen.fire(place >= 0, place, 1.0, h_at)


@checks.register("superlative", rank=58, verdict="unknown", says="The text does not say {h}.")
def superlative(batch: Batch) -> Cue:
    """H singles out (only, first, largest) what T does not."""
    seen = view(batch)
    rows = (_SUPERLATIVE.of(batch.knowledge, batch.h.forms) > 0) & (seen.t_row < 0)
    return seen.fire(rows, np.full(len(rows), -1, dtype=np.int32))


@checks.register("restriction", rank=60, verdict="unknown", says="The text does not say that it is {h}.")
def restriction(batch: Batch) -> Cue:
    """H narrows down by a modifier that T does not have what T does have."""
    seen = view(batch)
    trees = batch.h_trees
    loose = seen.h.content & (seen.t_row < 0) & _MODIFIES[trees.dependencies] & (trees.heads >= 0)
    rows = np.flatnonzero(loose & (trees.tags != Tag.PROPN))
    heads = batch.h.starts[seen.pair[rows]] + trees.heads[rows]
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    held = seen.t_row[heads] >= 0
    place[rows[held]] = seen.batch.t.place[seen.t_row[heads[held]]]
    return seen.fire(place >= 0, place)


def _left_out(batch: Batch, marks: Marks, gated: bool) -> Cue:
    """Where a T noun that stands for an H noun has a modifier of a list and the H noun has none."""
    seen = view(batch)
    codes = marks.of(batch.knowledge, batch.t.forms)
    # Has failed, was planned: a verb, not a modifier.
    codes[1:][batch.t_trees.tags[:-1] == Tag.AUX] = 0
    # In ex-president a hyphen stands between.
    tags = batch.t_trees.tags.copy()
    tags[1:][(codes[:-1] > 0) & (_HYPHEN.of(batch.knowledge, batch.t.forms[1:]) > 0)] = Tag.X
    t_marked, t_at = _before(seen.batch.t.place, tags, codes)
    h_has = _per_pair(seen, marks.of(batch.knowledge, batch.h.forms) > 0)
    nouns = _NOUNS[batch.h_trees.tags] & (seen.t_row >= 0) & ~h_has[seen.pair]
    if gated:
        nouns &= seen.covered[seen.pair]
    rows = np.flatnonzero(nouns)
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    marked = t_marked[seen.t_row[rows]] > 0
    place[rows[marked]] = t_at[seen.t_row[rows[marked]]]
    return seen.fire(place >= 0, place)


def _per_pair(seen: BatchView, rows: Bools) -> Bools:
    return np.bincount(seen.pair[rows], minlength=len(seen.batch)) > 0


def _before(places: Int32s, tags: Bytes, codes: Bytes) -> tuple[Bytes, Int32s]:
    """The code of the nearest marked token in the same phrase before each token, and its place in the text."""
    nearest = np.zeros(len(codes), dtype=np.int8)
    at = np.full(len(codes), -1, dtype=np.int32)
    reachable = np.ones(len(codes), dtype=bool)
    for back in range(1, min(BACK, len(codes) - 1) + 1):
        reachable &= places >= back
        free = np.flatnonzero(reachable & (nearest == 0))
        marked = free[codes[free - back] > 0]
        nearest[marked] = codes[marked - back]
        at[marked] = places[marked] - back
        reachable[free] &= _BETWEEN[tags[free - back]]
    return nearest, at
