"""The linguistic engine, after VENSES: structures are matched, checks are asked in order, thresholds are learnt.

First it is reckoned how well T has the words of H, and has them in the relations that they have in H. Then the checks
are asked in their order, and one threshold, and one bound for contradiction, make answers of scores and checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats, Singles
from karat.engines.batch import LEAST_ALIGNED, Batch
from karat.engines.checks.base import BatchView, cue, in_order, view
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.kernels.structures import match_triples
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.threshold import (
    CONTRADICTION_CODE,
    ENTAILMENT_CODE,
    UNDER,
    UNKNOWN_CODE,
    Goal,
    between,
    confidence,
    distinct,
    plateau,
)
from karat.engines.rarity import Rarity, count_rarity
from karat.engines.text.trees import Role
from karat.labels import THREE, Codes

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
        batch.t.starts,
        batch.h.starts,
        batch.match.blocks,
        seen.batch.support,
        LEAST_ALIGNED,
        batch.t_trees.heads,
        seen.t.roles,
        batch.t_trees.sentences,
        batch.h_trees.heads,
        seen.h.roles,
        _FORTH,
        _BACK,
        LOOSER,
        WORDS_NEAR,
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
FORBIDS = frozenset(
    ("attitude", "modality", "condition", "question", "future", "quantifier", "former", "alleged", "date")
)
"""Checks that forbid entailment where they are sure, beside all that speak for contradiction."""
DOWNGRADE = 0.15
"""What a check takes off, if it has no weight of its own."""
TAKES_OFF = {
    "no_number": 0.225, "part": 0.225, "condition": 0.225, "question": 0.225, "other_name": 0.225,
    "quantifier": 0.225, "modality": 0.075, "future": 0.075, "restriction": 0.0, "kind": 0.0,
}  # fmt: skip
"""Weights that differ: chosen by cross-validation on development sets; where a check fires on entailments as often as
on others it explains and takes nothing off."""


@dataclass(frozen=True, eq=False)
class CheckedBatch:
    """What the checks say of each pair."""

    off: Floats
    """What the first check that fires takes off the score."""
    forbidden: Bools
    """Where one is so sure that the pair is no entailment, whatever its score."""
    contradicted: Bools
    """Where one speaks for contradiction."""


def weight(name: str) -> float:
    """What a check takes off the score where it is the first to fire."""
    return TAKES_OFF.get(name, DOWNGRADE)


def check(batch: Batch) -> CheckedBatch:
    """All checks together, for each pair."""
    off = np.zeros(len(batch))
    forbidden, contradicted = np.zeros(len(batch), dtype=bool), np.zeros(len(batch), dtype=bool)
    for entry in reversed(in_order()):
        found = cue(batch, entry.name)
        if worth := weight(entry.name):
            off[found.fired] = worth
        if entry.facts["verdict"] == "contradiction":
            contradicted |= found.fired
        elif entry.name in FORBIDS:
            forbidden |= found.strength >= FORBIDS_FROM
    return CheckedBatch(off, forbidden | contradicted, contradicted)


def join(parts: Sequence[CheckedBatch]) -> CheckedBatch:
    """What the checks say of several batches, as of one."""
    return CheckedBatch(
        np.concatenate([part.off for part in parts]),
        np.concatenate([part.forbidden for part in parts]),
        np.concatenate([part.contradicted for part in parts]),
    )


def grounds() -> tuple[str, ...]:
    """The checks that answers rest on: those that take something off or forbid."""
    return tuple(
        entry.name
        for entry in in_order()
        if weight(entry.name) or entry.name in FORBIDS or entry.facts["verdict"] == "contradiction"
    )


Weights = tuple[float, float, float]
"""What a right answer is worth where the key says entailment, unknown, contradiction."""
ALIKE = 1e-9
LOWEST = -0.45
"""The score at which nothing is left of confidence."""
DOUBTED_LIMIT, DENIED_LIMIT = 0.8, 0.4
"""How far from even the confidence in entailment may rise where a check forbids it, or speaks for contradiction: so
much of one half."""


def balanced_weights(codes: Codes) -> Weights:
    """Weights under which every class of the key counts alike, however rare it is."""
    counts = np.bincount(codes, minlength=3)
    shares = np.where(counts > 0, len(codes) / np.maximum(counts, 1) / 3, 0.0)
    return float(shares[0]), float(shares[1]), float(shares[2])


class Decision(msgspec.Struct, frozen=True):
    """What is learnt: from which score on entailment is answered, and from which contradiction, where a check says so.

    Where no pair is contradicted, `contradiction` is `None`.
    """

    entailment: float
    contradiction: float | None = None

    def decide(self, raw: Floats, checked: CheckedBatch) -> Codes:
        """Entailment from a score on, unless a check forbids it; contradiction where one says so and T has enough."""
        accepted = (raw - checked.off >= self.entailment) & ~checked.forbidden
        codes = np.where(accepted, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)
        if self.contradiction is not None:
            codes[checked.contradicted & (raw >= self.contradiction)] = CONTRADICTION_CODE
        return codes

    def confidence(self, raw: Floats, checked: CheckedBatch) -> Floats:
        """How sure it is that T entails H: less than even wherever a check forbids it."""
        sure = confidence(raw - checked.off, self.entailment, LOWEST, 1.0)
        limit = np.where(checked.contradicted, DENIED_LIMIT, DOUBTED_LIMIT)
        return np.where(checked.forbidden, np.minimum(sure * limit / 2, UNDER), sure)


def learn(raw: Floats, checked: CheckedBatch, codes: Codes, weights: Weights, contradicts: bool) -> Decision:
    """The threshold over the pairs that no check forbids and the bound over those that one contradicts.

    Each pair hangs on one of them, so that both together are the best there are.
    """
    free, cued = ~checked.forbidden, checked.contradicted
    accept, _ = _best_cut((raw - checked.off)[free], codes[free], weights, ENTAILMENT_CODE)
    if not contradicts:
        return Decision(accept)
    bound, gain = _best_cut(raw[cued], codes[cued], weights, CONTRADICTION_CODE)
    return Decision(accept, bound if gain > ALIKE else None)


def _best_cut(scores: Floats, codes: Codes, weights: Weights, answer: int) -> tuple[float, float]:
    """From which score on an answer rather than unknown gains most, and how much."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    worth = np.asarray(weights)[codes[order]] * ((codes[order] == answer) * 1.0 - (codes[order] == UNKNOWN_CODE))
    gain = np.append(np.cumsum(worth[::-1])[::-1], 0.0)
    allowed, cuts = distinct(ordered), between(ordered)
    best = float(np.where(allowed, gain, -np.inf).max())
    return float(cuts[plateau(allowed & (gain >= best - ALIKE), allowed, cuts)]), best


BELIEVED = 3.0
"""What a contradiction counts where thresholds are learnt: checks fire seldom, and a few training pairs are too few to
overrule one. Under cross-validation on development sets it costs no accuracy, and finds more contradictions."""


class LearntChecks(msgspec.Struct, frozen=True):
    """What the engine learns: rarity, from which score on it accepts, and from which it contradicts."""

    rarity: Rarity
    decision: Decision


class Linguistic:
    """A score from structures, less what the first check that fires takes off it, unless one forbids to accept."""

    learns = LearntChecks
    grounds = grounds()
    """The checks that its answers rest on."""

    def __init__(self, setup: Setup, goal: Goal) -> None:
        self.setup = setup
        self.goal = goal

    def fit(self, training: Training) -> LearntChecks:
        """Learn from which score on to accept; in three ways also from which a check's word means contradiction."""
        batches = list(training.batches())
        rarity = count_rarity(batches)
        raw = np.concatenate([scores(batch, rarity) for batch in batches])
        checked = join([check(batch) for batch in batches])
        codes, three = training.codes, self.setup.way is THREE
        weights = balanced_weights(codes) if self.goal == "macro_f1" else (1.0, 1.0, BELIEVED if three else 1.0)
        return LearntChecks(rarity, learn(raw, checked, codes, weights, three))

    def answer(self, batch: Batch, learnt: LearntChecks) -> BatchAnswers:
        """Accept from a score on, unless a check forbids it; contradict where one says so and T has enough of H."""
        raw, checked = scores(batch, learnt.rarity), check(batch)
        codes = learnt.decision.decide(raw, checked)
        return BatchAnswers(codes, learnt.decision.confidence(raw, checked))


@engines.register(
    "linguistic",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=(*SWITCHES, "structure", *(entry.name for entry in in_order())),
    source="after VENSES (Delmonte and others 2005-2009): head-dependent structures, then ordered rules",
)
def linguistic(
    setup: Setup, goal: Annotated[Goal, Meta(description="what the contradictions answered are chosen by")] = "accuracy"
) -> Engine:
    """Who does what to whom in H, found again in T; then ordered checks of what speaks against it."""
    return Linguistic(setup, goal)
