"""The aligner-classifier: features of how the words of H stand in T, and a logistic regression over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Ints
from karat.engines.aligner.features import WeighedWords, against, columns, contradicted, families, table
from karat.engines.batch import Batch
from karat.engines.checks.base import checks, in_order
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.classifiers import (
    KernelMachine,
    Logistic,
    Platt,
    fit_kernel_machine,
    fit_logistic,
    fit_platt,
    fit_validated,
)
from karat.engines.learning.folds import grouped, numbered, one_thread, out_of_fold
from karat.engines.learning.threshold import CONTRADICTION_CODE, ENTAILMENT_CODE, EVEN, UNDER, UNKNOWN_CODE, Goal
from karat.engines.rarity import Rarity, count_rarity
from karat.errors import UsageError
from karat.labels import THREE, Codes

if TYPE_CHECKING:
    from karat.engines.neural.reading import Reader

Classifier = Literal["both", "logistic", "kernel"]
FOLDS = 10
ODDS = 2.0
"""A kernel machine's margin is near 1 where a logistic one is near 2."""
MOST_ROWS = 4000
"""With more rows than this a kernel machine takes too long to learn, and the straight classifier needs no help."""


class Classifiers(msgspec.Struct, frozen=True):
    """A straight and a curved classifier, or one of them; the mean of their margins decides."""

    calibration: Platt
    straight: Logistic | None = None
    curved: KernelMachine | None = None

    def probability(self, features: Floats) -> Floats:
        """How sure it is of yes for each row (rows, features)."""
        return self.calibration.probability(_margin(self.straight, self.curved, features))


def _margin(straight: Logistic | None, curved: KernelMachine | None, features: Floats) -> Floats:
    margins = []
    if straight is not None:
        margins.append(straight.margin(features))
    if curved is not None:
        margins.append(ODDS * curved.margin(features))
    return np.mean(margins, axis=0)


def learn_judge(
    features: Floats, yes: Bools, groups: Ints, classifier: Classifier = "both", seed: int = 0
) -> tuple[Classifiers, Floats]:
    """A judge under the penalties that do best on unseen rows, and what it says of each row unseen.

    Rows of one group, pairs about the same text, are never on both sides: what is learnt of a text would flatter what
    is foretold of the other pairs about it. Where nearly all are about one text, that cannot be helped.
    """
    if len(yes) > MOST_ROWS:
        if classifier == "kernel":
            raise UsageError(
                f"a kernel machine learns from {MOST_ROWS} pairs at most, not {len(yes)}: classifier=logistic"
            )
        classifier = "logistic"
    codes = np.where(yes, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)
    folds = grouped(codes, groups, FOLDS, seed)
    straight = fit_validated(features, yes, folds) if classifier != "kernel" else None
    curved = fit_kernel_machine(features, yes)[0] if classifier != "logistic" else None

    def foretell(seen: Ints, unseen: Ints) -> Floats:
        known, answers = features[seen], yes[seen]
        line = fit_logistic(known, answers, straight.penalty) if straight else None
        curve = None
        if curved:
            width = curved.width * max(1, sum(scale > 0 for scale in curved.scaling.scales))
            curve = fit_kernel_machine(known, answers, (width,), (curved.penalty,))[0]
        return _margin(line, curve, features[unseen])

    margins = out_of_fold(folds, foretell)
    calibration = fit_platt(margins, codes)
    return Classifiers(calibration, straight, curved), calibration.probability(margins)


FEWEST_CONTRADICTIONS = 8
"""With fewer contradictions than this among the training pairs none is ever answered."""
DIGITS = 12
"""Decimals that count of a probability."""
TRIED = 200
"""Operating points that are tried."""


class AlignerDecider(msgspec.Struct, frozen=True):
    """Entailment from even odds on; contradiction where a check fires and the odds of it reach `cut`."""

    entails: Classifiers
    contradicts: Classifiers | None = None
    """Contradiction against unknown, of pairs that are not entailed."""
    cut: float | None = None
    """None: contradiction is never answered."""

    def decide(self, features: Floats, fired: Bools) -> tuple[Codes, Floats]:
        """Three-way codes, and how sure it is that T entails H: below even wherever entailment is not answered."""
        # The last bits of a product of matrices depend on how many pairs are in the batch.
        sure = self.entails.probability(features).round(DIGITS)
        codes = np.where(sure >= EVEN, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)
        if self.contradicts is not None and self.cut is not None:
            contradicted = self.contradicts.probability(features).round(DIGITS)
            against = fired & (odds(sure, contradicted) >= self.cut)
            codes[against] = CONTRADICTION_CODE
            sure = np.where(against, np.minimum(np.minimum(sure, 1 - sure), UNDER), sure)
        return codes, sure


def odds(entailed: Floats, contradicted: Floats) -> Floats:
    """How much likelier contradiction is than the likelier of the other two answers."""
    against = (1 - entailed) * contradicted
    return against / np.maximum(np.maximum(entailed, (1 - entailed) * (1 - contradicted)), 1e-12)


def learn(
    features: Floats,
    codes: Codes,
    fired: Bools,
    groups: Ints,
    goal: Goal = "accuracy",
    classifier: Classifier = "both",
    seed: int = 0,
) -> AlignerDecider:
    """Learn to decide from labelled pairs; of two-way codes nothing is learnt of contradiction."""
    entails, sure = learn_judge(features, codes == ENTAILMENT_CODE, groups, classifier, seed)
    rest = np.flatnonzero(codes != ENTAILMENT_CODE)
    if (codes == CONTRADICTION_CODE).sum() < FEWEST_CONTRADICTIONS or (
        codes == UNKNOWN_CODE
    ).sum() < FEWEST_CONTRADICTIONS:
        return AlignerDecider(entails)
    contradicts, unseen = learn_judge(features[rest], codes[rest] == CONTRADICTION_CODE, groups[rest], "logistic", seed)
    # Entailed pairs had no part in the second judge: what it says of them is said of pairs unseen.
    against = contradicts.probability(features)
    against[rest] = unseen
    return AlignerDecider(entails, contradicts, choose_cut(odds(sure, against), sure >= EVEN, codes, fired, goal))


def choose_cut(scores: Floats, entailed: Bools, codes: Codes, fired: Bools, goal: Goal) -> float | None:
    """The operating point of contradiction that serves the goal best on unseen pairs; None where none is better."""
    answers = np.where(entailed, ENTAILMENT_CODE, UNKNOWN_CODE)
    candidates = np.unique(scores[fired])[::-1]
    if len(candidates) > TRIED:
        candidates = candidates[np.linspace(0, len(candidates) - 1, TRIED).astype(np.int64)]
    best, chosen = _value(answers, codes, goal), None
    for cut in candidates.tolist():
        value = _value(np.where(fired & (scores >= cut), CONTRADICTION_CODE, answers), codes, goal)
        if value > best + 1e-12:
            best, chosen = value, cut
    return chosen


def _value(answers: NDArray[np.integer], codes: Codes, goal: Goal) -> float:
    """What answers are worth: the share that is right, or the mean F1 of the three labels."""
    if goal == "accuracy":
        return float((answers == codes).mean())
    right = np.bincount(codes[answers == codes], minlength=3)
    asked, given = np.bincount(codes, minlength=3), np.bincount(answers, minlength=3)
    return float(np.mean(2 * right / np.maximum(asked + given, 1)))


FAMILIES = tuple(entry.name for entry in families)
FEWEST_PAIRS = 10
"""With fewer training pairs than this nothing can be learnt."""


class LearntAligner(msgspec.Struct, frozen=True):
    """What the aligner learns."""

    features: tuple[str, ...]
    settings: tuple[str, ...]
    rarity: Rarity
    decider: AlignerDecider


class Aligner:
    """Features, a classifier of entailment and, in three ways, one of contradiction."""

    learns = LearntAligner

    def __init__(self, setup: Setup, classifier: Classifier, goal: Goal, network: str) -> None:
        self.setup = setup
        self.classifier = classifier
        self.goal = goal
        self.families = [name for name in FAMILIES if not setup.without(name)]
        self._network: Reader | None = None
        if network and "network" in self.families:
            from karat.engines.neural.reading import NetworkOptions, reader_of  # here: few ask for a network

            self._network = reader_of(NetworkOptions(network))
        self.names = {"network": self._network.signature} if self._network else {}
        gate = in_order() if "checks" in self.families else against() if setup.way is THREE else []
        self.grounds = tuple(entry.name for entry in gate)

    def fit(self, training: Training) -> LearntAligner:
        """Count rarity, work out the features, learn to decide by them."""
        if len(training.rows) < FEWEST_PAIRS:
            raise UsageError(
                f"{training.pairs.source.name} has {len(training.rows)} labelled pairs: the aligner weighs some fifty "
                f"features, and learns from {FEWEST_PAIRS} pairs at least"
            )
        batches = list(training.batches())
        rarity = count_rarity(batches)
        settings = tuple(sorted({setting for setting in training.settings if setting}))
        made = [columns(self._weighed(batch, rarity, settings), self.families) for batch in batches]
        names = tuple(made[0]) if made else ()
        features = np.concatenate([np.column_stack([part[name] for name in names]) for part in made])
        fired = np.concatenate([contradicted(batch) for batch in batches])
        texts = [text for batch in batches for text in batch.texts]
        with one_thread():
            decider = learn(
                features, training.codes, fired, numbered(texts), self.goal, self.classifier, self.setup.seed
            )
        return LearntAligner(names, settings, rarity, decider)

    def answer(self, batch: Batch, learnt: LearntAligner) -> BatchAnswers:
        """Decide by the features of each pair."""
        features = table(self._weighed(batch, learnt.rarity, learnt.settings), self.families, learnt.features)
        codes, sure = learnt.decider.decide(features, contradicted(batch))
        return BatchAnswers(codes, sure)

    def _weighed(self, batch: Batch, rarity: Rarity, settings: tuple[str, ...]) -> WeighedWords:
        return WeighedWords(batch, rarity, settings, self._network)


@engines.register(
    "aligner",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=tuple(dict.fromkeys((*FAMILIES, *(entry.name for entry in checks), *SWITCHES))),
    source="after the coverage classifiers of RTE-3 (P1EDA of the Excitement Open Platform; de Marneffe et al. 2008)",
)
def aligner(
    setup: Setup,
    classifier: Annotated[Classifier, Meta(description="logistic regression, a kernel machine, or both")] = "both",
    goal: Annotated[Goal, Meta(description="what the contradictions answered are chosen by")] = "accuracy",
    network: Annotated[str, Meta(description="the folder of a neural network whose outputs are features too")] = "",
) -> Engine:
    """How the words of the hypothesis stand in the text, and a classifier learnt over some fifty such features."""
    return Aligner(setup, classifier, goal, network)
