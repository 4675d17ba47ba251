"""The linguistic engine, after VENSES: structures are matched, checks are asked in order, thresholds are learnt.

First it is reckoned how well T has the words of H, and has them in the relations that they have in H. Then the checks
are asked in their order, and one threshold makes answers of scores and checks; contradictions are those of the rule
that all engines share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from karat.arrays import Bools, Floats, Singles
from karat.engines.batch import LEAST_ALIGNED, Batch
from karat.engines.checks.base import BatchView, cue, in_order, view
from karat.engines.contradiction import Contradiction, learn, overrule
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.kernels.structures import RelationWorth, Structure, match_triples
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.threshold import UNDER, UNKNOWN_CODE, ScoreCurve, fit_curve
from karat.engines.rarity import Rarity, count_rarity
from karat.engines.text.trees import Role
from karat.engines.unaccounted import less_sure

RELATION_WEIGHTS = {
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
WORDS_NEAR = 6

COVERAGE, RARE_COVERAGE, STRUCTURE, NAMES = 0.4, 0.4, 0.1, 0.1
"""What goes into the score, and with what share: words, words by rarity, relations, names.

Relations have the share of four tried with which accuracy on sets of other years was best.
"""


def _tables() -> tuple[Singles, Singles]:
    forth = np.full((len(Role), len(Role)), OTHER, dtype=np.float32)
    back = np.full((len(Role), len(Role)), OTHER_BACK, dtype=np.float32)
    np.fill_diagonal(forth, 1.0)
    for (one, other), worth in FORTH.items():
        forth[one, other] = forth[other, one] = worth
    for (one, other), worth in BACK.items():
        back[one, other] = worth
    return forth, back


_WORTH = RelationWorth(*_tables(), *LOOSER, WORDS_NEAR)
_WEIGHTS = np.array([RELATION_WEIGHTS.get(role, 0.0) for role in Role])


def scores(batch: Batch, rarity: Rarity) -> Floats:
    """How well T has what H says, from 0 to 1, before the checks are asked."""
    seen = view(batch)
    lemmas = batch.h_trees.lemmas  # before the weights: all lemmas have their ids then
    rare = rarity.weights(batch.knowledge.vocabulary)[lemmas]
    plain, strength = np.ones(len(rare)), seen.strength.astype(np.float64)
    words = _mean(seen, seen.h.content, plain, strength, np.zeros(len(batch)))
    rare_words = _mean(seen, seen.h.content, rare, strength, words)
    names = _mean(seen, seen.h_names, plain, (seen.t_row >= 0).astype(np.float64), np.ones(len(batch)))
    if "structure" in batch.knowledge.without:
        relations = rare_words
    else:
        related = _related(batch, seen)
        relations = _mean(seen, related, rare * _WEIGHTS[seen.h.roles], triples(batch), rare_words)
    return COVERAGE * words + RARE_COVERAGE * rare_words + STRUCTURE * relations + NAMES * names


def triples(batch: Batch) -> Floats:
    """How well T has each H word in its relation to its head."""
    seen = view(batch)
    value = match_triples(
        batch.grid,
        batch.support,
        LEAST_ALIGNED,
        Structure(batch.t_trees.heads, seen.t.roles),
        Structure(batch.h_trees.heads, seen.h.roles),
        batch.t_trees.sentences,
        _WORTH,
    )
    return value.astype(np.float64)


def _related(batch: Batch, seen: BatchView) -> Bools:
    """H words in a relation that counts: both it and its head say something."""
    heads = np.where(batch.h_trees.heads >= 0, batch.h.starts[seen.pair] + batch.h_trees.heads, 0)
    return (seen.h.roles > 0) & seen.h.content & seen.h.content[heads]


def _mean(seen: BatchView, rows: Bools, weights: Floats, values: Floats, where_none: Floats) -> Floats:
    """The weighted mean over some H rows of each pair; something else where a pair has none of weight."""
    pairs, many = seen.pair[rows], len(seen.batch)
    total = np.bincount(pairs, weights=weights[rows], minlength=many)
    summed = np.bincount(pairs, weights=(weights * values)[rows], minlength=many)
    return np.divide(summed, total, out=where_none.copy(), where=total > 0)


FORBIDS_FROM = 1.0
"""The strength from which on a check forbids entailment, if it is one that may."""
FORBIDS = frozenset(("attitude", "condition"))
"""Checks that forbid entailment where they are sure, beside all that speak for contradiction."""
DOWNGRADE = 0.15
"""What a check takes off, if it has no weight of its own."""
TAKES_OFF = {"no_number": 0.225, "condition": 0.225}
"""Weights that differ: chosen by cross-validation on development sets."""


@dataclass(frozen=True, eq=False)
class CheckedBatch:
    """What the checks say of each pair."""

    off: Floats
    """What the first check that fires takes off the score."""
    forbidden: Bools
    """Where one is so sure that the pair is no entailment, whatever its score."""
    contradicted: Bools
    """Where one is sure that both cannot hold."""


def weight(name: str) -> float:
    """What a check takes off the score where it is the first to fire."""
    return TAKES_OFF.get(name, DOWNGRADE)


def check(batch: Batch) -> CheckedBatch:
    """All checks together, for each pair."""
    off = np.zeros(len(batch))
    forbidden, contradicted = np.zeros(len(batch), dtype=bool), np.zeros(len(batch), dtype=bool)
    for entry in reversed(in_order()):
        found = cue(batch, entry.name)
        off[found.fired] = weight(entry.name)
        sure = found.strength >= FORBIDS_FROM
        if entry.facts["verdict"] == "contradiction":
            contradicted |= sure
        elif entry.name in FORBIDS:
            forbidden |= sure
    return CheckedBatch(off, forbidden | contradicted, contradicted)


def join(parts: Sequence[CheckedBatch]) -> CheckedBatch:
    """What the checks say of several batches, as of one."""
    return CheckedBatch(
        np.concatenate([part.off for part in parts]),
        np.concatenate([part.forbidden for part in parts]),
        np.concatenate([part.contradicted for part in parts]),
    )


DOUBTED_LIMIT, DENIED_LIMIT = 0.8, 0.4
"""How far from even the confidence in entailment may rise where a check forbids it, or speaks for contradiction: so
much of one half."""


class LearntChecks(msgspec.Struct, frozen=True):
    """What the engine learns: rarity, from which score on it accepts, and when it contradicts."""

    rarity: Rarity
    curve: ScoreCurve
    contradiction: Contradiction | None = None

    def decide(self, raw: Floats, checked: CheckedBatch) -> BatchAnswers:
        """Entailment from a score on, unless a check forbids it; what is forbidden is less than even."""
        free = self.curve.decide(raw - checked.off)
        limit = np.where(checked.contradicted, DENIED_LIMIT, DOUBTED_LIMIT)
        return BatchAnswers(
            np.where(checked.forbidden, UNKNOWN_CODE, free.codes).astype(np.int8),
            np.where(checked.forbidden, np.minimum(free.confidence * limit / 2, UNDER), free.confidence),
        )


class Linguistic:
    """A score from structures, less what the first check that fires takes off it, unless one forbids to accept."""

    learns = LearntChecks

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def fit(self, training: Training) -> LearntChecks:
        """Learn from which score on to accept, over the pairs that no check forbids; in three ways also when to
        contradict.
        """
        batches = list(training.batches())
        rarity = count_rarity(batches)
        raw = np.concatenate([scores(batch, rarity) for batch in batches])
        checked = join([check(batch) for batch in batches])
        free = ~checked.forbidden
        curve = fit_curve((raw - checked.off)[free], training.codes[free])
        return LearntChecks(rarity, curve, learn(batches, training))

    def answer(self, batch: Batch, learnt: LearntChecks) -> BatchAnswers:
        """Accept from a score on, unless a check forbids it; contradict where one says so and the rule believes it."""
        answers = learnt.decide(scores(batch, learnt.rarity), check(batch))
        return overrule(less_sure(answers, batch), learnt.contradiction, batch)


@engines.register(
    "linguistic",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=(*SWITCHES, "structure", *(entry.name for entry in in_order())),
    source="after VENSES (Delmonte and others 2005-2009): head-dependent structures, then ordered rules",
)
def linguistic(setup: Setup) -> Engine:
    """Who does what to whom in H, found again in T; then ordered checks of what speaks against it."""
    return Linguistic(setup)
