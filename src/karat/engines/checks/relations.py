"""Checks of opposites and of roles: T says the opposite of the same thing, or has it the other way round."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from karat.arrays import Bools, Int32s, Ints
from karat.engines.batch import Batch
from karat.engines.checks.base import BatchView, Cue, checks, view
from karat.engines.checks.marks import LISTS, Marks
from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.kernels.opposed import Opposable, Opposites, find_opposites
from karat.engines.kernels.structures import Structure, find_swaps
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.relations import Relation
from karat.engines.text.trees import Role, Trees

OPPOSITE_FROM = 0.7
"""Weaker opposites, by way of a similar adjective, are often none."""
HELD = 0.9
"""An H word that T has itself is not looked at."""
ANCHOR_WITHIN = 8

_OTHERS = np.isin(np.arange(len(Dependency)), (Dependency.OBJ, Dependency.IOBJ, Dependency.OBL))
_listed: WeakKeyDictionary[Knowledge, Ints] = WeakKeyDictionary()


@checks.register("antonym", rank=31, verdict="contradiction", says="{t} in the text is the opposite of {h}.")
def antonym(batch: Batch) -> Cue:
    """T has, beside the words that it shares with H, what a dictionary knows as the opposite of an H word."""
    return _opposed(batch, int(Relation.ANTONYM), np.zeros(0, dtype=np.int64))


@checks.register("contrary", rank=34, verdict="contradiction", says="What the text says with {t} rules out {h}.")
def contrary(batch: Batch) -> Cue:
    """T has a word that a list of ours has as ruling out an H word: who was arrested was not released."""
    return _opposed(batch, -1, _contraries(batch.knowledge))


def _opposed(batch: Batch, relation: int, listed: Ints) -> Cue:
    seen = view(batch)
    place = find_opposites(
        batch.grid,
        batch.match.strength,
        batch.match.relation,
        Opposites(relation, OPPOSITE_FROM, listed),
        Opposable(
            batch.t_trees.lemmas,
            seen.t.context,
            seen.t_about_rest & seen.t.content & _compared(batch, batch.t_trees),
        ),
        Opposable(
            batch.h_trees.lemmas,
            seen.h.context,
            seen.h.content & (batch.alignment.strength < HELD) & seen.covered_beside & _compared(batch, batch.h_trees),
        ),
        batch.alignment.to,
        seen.h.content,
        ANCHOR_WITHIN,
    )
    return seen.fire((place >= 0) & ~_turned_round(seen, place) & ~_thing_and_deed(seen, place), place)


def _thing_and_deed(seen: BatchView, place: Int32s) -> Bools:
    """H words of which one is a noun and their opposite a verb, or the other way round: jails, to free."""
    batch, rows = seen.batch, np.flatnonzero(place >= 0)
    tags, there = batch.h_trees.tags[rows], batch.t_trees.tags[batch.t.starts[seen.pair[rows]] + place[rows]]
    mixed = np.zeros(len(place), dtype=bool)
    mixed[rows] = ((tags == Tag.NOUN) & (there == Tag.VERB)) | ((tags == Tag.VERB) & (there == Tag.NOUN))
    return mixed


_MEASURES = Marks(["-", "year", "month", "week", "day"])


def _compared(batch: Batch, trees: Trees) -> Bools:
    """Words that may be opposites: no part of a name, no age (55-year-old, ten years old)."""
    after = np.append(False, _MEASURES.of(batch.knowledge, trees.lemmas)[:-1] > 0)
    return (trees.tags != Tag.PROPN) & ~after


def _turned_round(seen: BatchView, place: Int32s) -> Bools:
    """H words whose subject is in T something else to the opposite at a place: older than Mary, and Mary is younger."""
    batch, trees = seen.batch, seen.batch.h_trees
    turned = np.zeros(len(place), dtype=bool)
    rows = np.flatnonzero((trees.dependencies == Dependency.NSUBJ) & (seen.t_row >= 0) & (trees.heads >= 0))
    over = batch.h.starts[seen.pair[rows]] + trees.heads[rows]
    there = seen.t_row[rows]
    under = (place[over] >= 0) & (batch.t_trees.heads[there] == place[over])
    turned[over[under & _OTHERS[batch.t_trees.dependencies[there]]]] = True
    return turned


def _contraries(knowledge: Knowledge) -> Ints:
    """The listed contraries in both directions, as sorted keys; they are ours, not the dictionary's."""
    if knowledge not in _listed:
        of = knowledge.vocabulary.lemma_id
        pairs = [pair.split("/") for pair in LISTS["contraries"]]
        keys = {
            of(one) << 32 | of(other) for first, second in pairs for one, other in ((first, second), (second, first))
        }
        _listed[knowledge] = np.array(sorted(keys), dtype=np.int64)
    return _listed[knowledge]


SWAPPED_FROM = 0.8
_MUTUAL, _BY = Marks(LISTS["mutual"]), Marks(["by"])
_FIRST = np.isin(np.arange(len(Role)), (Role.SUBJECT, Role.BEING))
_SECOND = np.isin(np.arange(len(Role)), (Role.OBJECT, Role.OBLIQUE))
"""Who does it (or is older), and whom it is done to (or than whom)."""


@checks.register("swap", rank=29, verdict="contradiction", says="In the text it is {t} who does it, not {h}.")
def swap(batch: Batch) -> Cue:
    """The same is done, but by the one to the other and not the other to the one."""
    seen = view(batch)
    t_roles = seen.t.roles.copy()
    # Injuries caused by fireworks: whatever the parser makes of it, the fireworks do it.
    by = (batch.t_trees.dependencies == Dependency.CASE) & (_BY.of(batch.knowledge, batch.t_trees.lemmas) > 0)
    agents = (batch.t.starts[seen.t_pair] + batch.t_trees.heads)[by & (batch.t_trees.heads >= 0)]
    t_roles[agents[t_roles[agents] == Role.OBLIQUE]] = Role.NONE
    place = find_swaps(
        batch.grid,
        batch.support,
        SWAPPED_FROM,
        Structure(batch.t_trees.heads, t_roles),
        Structure(batch.h_trees.heads, seen.h.roles),
        _MUTUAL.of(batch.knowledge, batch.h_trees.lemmas) > 0,
        _FIRST,
        _SECOND,
    )
    return seen.fire(place >= 0, place)
