"""Stage one: how well T has the words of H, and has them in the relations that they have in H."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Singles
from karat.engines.batch import Batch
from karat.engines.checks.structures import Role
from karat.engines.checks.view import View, view
from karat.engines.kernels.structures import match_triples
from karat.engines.rarity import Rarity

WEIGHTS = {
    Role.SUBJECT: 1.0, Role.OBJECT: 1.0, Role.BEING: 0.9, Role.OBLIQUE: 0.7, Role.MODIFIER: 0.5, Role.CLAUSE: 0.4,
}  # fmt: skip
"""What a relation of H weighs."""
FORTH = {
    (Role.SUBJECT, Role.MODIFIER): 0.85,  # Rome's destruction of Carthage: Rome destroyed Carthage
    (Role.OBJECT, Role.MODIFIER): 0.85,
    (Role.OBLIQUE, Role.MODIFIER): 0.85,
    (Role.BEING, Role.MODIFIER): 0.85,  # President Carter: Carter is the president
    (Role.BEING, Role.SUBJECT): 0.7,
    (Role.OBJECT, Role.OBLIQUE): 0.7,
    (Role.SUBJECT, Role.OBLIQUE): 0.6,
}
"""How far one relation stands for another, in either direction; the same is 1, others are OTHER."""
OTHER = 0.5
BACK = {
    (Role.BEING, Role.BEING): 1.0,  # Carter, the president: the president, Carter
    (Role.BEING, Role.MODIFIER): 0.9,
    (Role.MODIFIER, Role.BEING): 0.9,
    (Role.SUBJECT, Role.CLAUSE): 0.85,  # the company that sold it: the company sold it
    (Role.OBJECT, Role.CLAUSE): 0.85,
    (Role.MODIFIER, Role.MODIFIER): 0.7,
}
"""The same where in T the head depends on the word and not the word on the head."""
OTHER_BACK = 0.45
LOOSER = (0.7, 0.6, 0.4, 0.2)
"""One word between them, near each other, in one sentence, in one text: a parser of few rules misses relations."""
NEAR = 6
LEAST = 0.5

COVERAGE, RARE_COVERAGE, STRUCTURE, NAMES = 0.3, 0.3, 0.3, 0.1
"""What goes into the score, and with what share: words, words by rarity, relations, names."""


def _tables() -> tuple[Singles, Singles]:
    forth = np.full((len(Role), len(Role)), OTHER, dtype=np.float32)
    back = np.full((len(Role), len(Role)), OTHER_BACK, dtype=np.float32)
    np.fill_diagonal(forth, 1.0)
    for (one, other), worth in FORTH.items():
        forth[one, other] = forth[other, one] = worth
    for (one, other), worth in BACK.items():
        back[one, other] = worth
    return forth, back


_FORTH, _BACK = _tables()
_WEIGHTS = np.array([WEIGHTS.get(role, 0.0) for role in Role])


def scores(batch: Batch, rarity: Rarity) -> Floats:
    """How well T has what H says, from 0 to 1, before the checks are asked."""
    seen = view(batch)
    lemmas = batch.h_trees.lemmas  # before the weights: all lemmas have their ids then
    rare = rarity.weights(batch.knowledge.vocabulary)[lemmas]
    plain, strength = np.ones(len(rare)), seen.strength.astype(np.float64)
    words = _mean(seen, seen.h_content, plain, strength, np.zeros(len(batch)))
    rare_words = _mean(seen, seen.h_content, rare, strength, words)
    names = _mean(seen, seen.h_names, plain, (seen.t_row >= 0).astype(np.float64), np.ones(len(batch)))
    if "structure" in batch.knowledge.without:
        relations = rare_words
    else:
        related = _related(batch, seen)
        relations = _mean(seen, related, rare * _WEIGHTS[seen.h_roles], triples(batch), rare_words)
    return COVERAGE * words + RARE_COVERAGE * rare_words + STRUCTURE * relations + NAMES * names


def triples(batch: Batch) -> Floats:
    """How well T has each H word in its relation to its head."""
    seen = view(batch)
    value, _, _ = match_triples(
        batch.t.starts,
        batch.h.starts,
        batch.match.blocks,
        seen.support,
        LEAST,
        batch.t_trees.heads,
        seen.t_roles,
        batch.t_trees.sentences,
        batch.h_trees.heads,
        seen.h_roles,
        _FORTH,
        _BACK,
        LOOSER,
        NEAR,
    )
    return value.astype(np.float64)


def _related(batch: Batch, seen: View) -> Bools:
    """H words in a relation that counts: both it and its head say something."""
    heads = np.where(batch.h_trees.heads >= 0, batch.h.starts[seen.pair] + batch.h_trees.heads, 0)
    return (seen.h_roles > 0) & seen.h_content & seen.h_content[heads]


def _mean(seen: View, rows: Bools, weights: Floats, values: Floats, where_none: Floats) -> Floats:
    """The weighted mean over some H rows of each pair; something else where a pair has none of weight."""
    pairs, many = seen.pair[rows], len(seen.batch)
    total = np.bincount(pairs, weights=weights[rows], minlength=many)
    summed = np.bincount(pairs, weights=(weights * values)[rows], minlength=many)
    return np.divide(summed, total, out=where_none.copy(), where=total > 0)
