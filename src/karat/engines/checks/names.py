"""Checks of names: H speaks of somebody or some place that T does not mention, or that T says something else of."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools
from karat.engines.batch import Batch
from karat.engines.checks.registry import Cue, checks
from karat.engines.checks.view import view
from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.kernels.opposed import find_holders
from karat.engines.lexicon.wordnet import FIELDS

SAME_POST = 0.9
_PERSON = FIELDS.index("noun.person")
_SAME_PLACE = np.isin(
    np.arange(len(Dependency)),
    (Dependency.NSUBJ, Dependency.NSUBJ_PASS, Dependency.OBJ, Dependency.OBL, Dependency.OBL_AGENT, Dependency.NMOD),
)


@checks.register("name", rank=62, verdict="unknown", says="The text does not mention {h}.")
def name(batch: Batch) -> Cue:
    """A name of H is not in T, nor anything that stands for it."""
    seen = view(batch)
    return seen.fire(_missing(batch), np.full(len(seen.pair), -1, dtype=np.int32))


@checks.register("other_name", rank=38, verdict="unknown", says="In the text it is {t}, not {h}.")
def other_name(batch: Batch) -> Cue:
    """Where H has one name T has another, in the same relation to the same word."""
    seen = view(batch)
    h_trees, t_trees = batch.h_trees, batch.t_trees
    able = _missing(batch) & seen.covered[seen.pair] & (h_trees.heads >= 0) & _SAME_PLACE[h_trees.dependencies]
    rows = np.flatnonzero(able)
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    over = seen.t_row[batch.h.starts[seen.pair[rows]] + h_trees.heads[rows]]
    # The T words under the word that stands for the head, in the same relation, and names themselves.
    under = np.where(t_trees.heads >= 0, batch.t.starts[seen.t_pair] + t_trees.heads, -1)
    named = np.flatnonzero((t_trees.tags == Tag.PROPN) & (under >= 0))
    keys = under[named] * len(Dependency) + t_trees.dependencies[named]
    order = np.argsort(keys, kind="stable")
    asked = over * len(Dependency) + h_trees.dependencies[rows]
    at = np.searchsorted(keys, asked, sorter=order)
    hit = (over >= 0) & (at < len(keys))
    hit[hit] &= keys[order[at[hit]]] == asked[hit]
    place[rows[hit]] = seen.batch.t.place[named[order[at[hit]]]]
    return seen.fire(place >= 0, place)


@checks.register("holder", rank=24, verdict="contradiction", says="In the text that is {t}, not {h}.")
def holder(batch: Batch) -> Cue:
    """H says what somebody is, and T says it of another: the name beside that word in T is not in H."""
    seen = view(batch)
    h_trees = batch.h_trees
    place, subject = find_holders(
        batch.t.starts,
        batch.h.starts,
        h_trees.heads,
        h_trees.dependencies,
        batch.t_trees.tags,
        batch.t_trees.sentences,
        seen.t_row,
        seen.h_names,
        seen.t_taken,
        _posts(batch) & (seen.strength >= SAME_POST),
    )
    return seen.fire((place >= 0) & seen.covered[seen.pair], place, 1.0, subject)


def _posts(batch: Batch) -> Bools:
    """H words for what a person can be: president, spokesman, son."""
    fields, lemmas = batch.knowledge.wordnet.field_n, batch.h_trees.lemmas
    known = lemmas < len(fields)
    found = np.zeros(len(lemmas), dtype=bool)
    found[known] = fields[lemmas[known]] == _PERSON
    return found


def _missing(batch: Batch) -> Bools:
    seen = view(batch)
    return seen.h_names & (seen.t_row < 0)
