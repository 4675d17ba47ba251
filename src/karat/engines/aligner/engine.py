"""The aligner-classifier: features of how the words of H stand in T, and a logistic regression over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats, Ints
from karat.engines.aligner.features import (
    WeighedWords,
    columns,
    families,
    table,
)
from karat.engines.batch import Batch
from karat.engines.checks.base import against, checks, in_order
from karat.engines.contradiction import Contradiction, learn, overrule
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
from karat.engines.learning.threshold import ENTAILMENT_CODE, EVEN, UNKNOWN_CODE
from karat.engines.rarity import Rarity, count_rarity
from karat.engines.unaccounted import less_sure
from karat.errors import UsageError
from karat.labels import THREE

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


DIGITS = 12
"""Decimals that count of a probability."""


FAMILIES = tuple(entry.name for entry in families)
FEWEST_PAIRS = 10
"""With fewer training pairs than this nothing can be learnt."""


class LearntAligner(msgspec.Struct, frozen=True):
    """What the aligner learns."""

    features: tuple[str, ...]
    rarity: Rarity
    judge: Classifiers
    settings: tuple[str, ...] = ()
    """Those of the training pairs."""
    ranges: tuple[tuple[float, float], ...] = ()
    """The least and the greatest value of each feature; nothing was learnt of what lies beyond, as of longer texts."""
    contradiction: Contradiction | None = None


class Aligner:
    """Features, and a classifier of entailment."""

    learns = LearntAligner

    def __init__(self, setup: Setup, classifier: Classifier, network: str, setting: bool) -> None:
        self.setup = setup
        self.classifier = classifier
        self.families = [name for name in FAMILIES if not setup.without(name) and (setting or name != "setting")]
        self._network: Reader | None = None
        if network and "network" in self.families:
            from karat.engines.neural.reading import NetworkOptions, reader_of  # here: few ask for a network

            self._network = reader_of(NetworkOptions(network))
        self.names = {"network": self._network.signature} if self._network else {}
        gate = in_order() if "checks" in self.families else against() if setup.way is THREE else []
        self.grounds = tuple(entry.name for entry in gate)

    def fit(self, training: Training) -> LearntAligner:
        """Count rarity, work out the features, and learn to judge by them."""
        if len(training.rows) < FEWEST_PAIRS:
            raise UsageError(
                f"{training.pairs.source.name} has {len(training.rows)} labelled pairs: the aligner weighs some forty "
                f"features, and learns from {FEWEST_PAIRS} pairs at least"
            )
        batches = list(training.batches())
        rarity = count_rarity(batches)
        settings = tuple(sorted({setting for setting in training.settings if setting}))
        made = [columns(self._weighed(batch, rarity, settings), self.families) for batch in batches]
        names = tuple(made[0]) if made else ()
        features = np.concatenate([np.column_stack([part[name] for name in names]) for part in made])
        yes = training.codes == ENTAILMENT_CODE
        texts = numbered([text for batch in batches for text in batch.texts])
        with one_thread():
            judge, _ = learn_judge(features, yes, texts, self.classifier, self.setup.seed)
        ranges = tuple(zip(features.min(axis=0).tolist(), features.max(axis=0).tolist(), strict=True))
        return LearntAligner(names, rarity, judge, settings, ranges, learn(batches, training))

    def answer(self, batch: Batch, learnt: LearntAligner) -> BatchAnswers:
        """Decide by the features of each pair, from even odds on; contradict where a check says so and the rule
        believes it.
        """
        features = table(self._weighed(batch, learnt.rarity, learnt.settings), self.families, learnt.features)
        least, greatest = np.array(learnt.ranges).reshape(-1, 2).T
        features = features.clip(least, greatest)
        # The last bits of a product of matrices depend on how many pairs are in the batch.
        sure = learnt.judge.probability(features).round(DIGITS)
        codes = np.where(sure >= EVEN, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)
        return overrule(less_sure(BatchAnswers(codes, sure), batch), learnt.contradiction, batch)

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
    network: Annotated[str, Meta(description="the folder of a neural network whose outputs are features too")] = "",
    setting: Annotated[
        bool, Meta(description="the setting of a pair is a feature: for test sets of the same year")
    ] = False,
) -> Engine:
    """How the words of the hypothesis stand in the text, and a classifier learnt over some forty such features."""
    return Aligner(setup, classifier, network, setting)
