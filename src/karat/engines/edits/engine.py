"""The engine `edit-distance`: a distance, what its words weigh, and what is learnt of it."""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Floats
from karat.engines.batch import Batch
from karat.engines.contradiction import Contradiction, names, overrule
from karat.engines.contradiction import learn as learn_contradiction
from karat.engines.edits.distances import compare, distances
from karat.engines.edits.settings import SAID, Preset, Scheme, Settings, Spelled, settings
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.threshold import ScoreCurve, fit_curve, fit_first_best
from karat.engines.rarity import Rarity, count_rarity
from karat.labels import THREE


class LearntEdits(msgspec.Struct, frozen=True):
    """What the engine learns."""

    curve: ScoreCurve
    contradiction: Contradiction | None = None
    rarity: Rarity | None = None


class EditDistance:
    """A distance and a threshold."""

    learns = LearntEdits

    def __init__(self, setup: Setup, chosen: Settings) -> None:
        self.setup = setup
        self.settings = chosen
        self.scheme = Scheme(chosen.weights)
        # The Excitement platform, whose threshold the other is, answers in two ways.
        self.contradicts = setup.way is THREE and chosen.threshold == "even"
        self.grounds = names() if self.contradicts else ()

    def fit(self, training: Training) -> LearntEdits:
        """Count rarity, work out distances, and learn what they tell."""
        batches = list(training.batches())
        rarity = count_rarity(batches) if "IDF" in self.scheme.names else None
        scores = np.concatenate([self._scores(batch, rarity) for batch in batches])
        curve = (fit_first_best if self.settings.threshold == "eop" else fit_curve)(scores, training.codes)
        return LearntEdits(curve, learn_contradiction(batches, training) if self.contradicts else None, rarity)

    def answer(self, batch: Batch, learnt: LearntEdits) -> BatchAnswers:
        """Hold the distance of each pair against the threshold."""
        return overrule(learnt.curve.decide(self._scores(batch, learnt.rarity)), learnt.contradiction, batch)

    def _scores(self, batch: Batch, rarity: Rarity | None) -> Floats:
        """Distances turned round: 0 is nearest."""
        return -distances(compare(batch, self.settings, self.scheme, rarity))


@engines.register(
    "edit-distance",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=(*names(), *SWITCHES),
    source="after EDITS (Kouylekov and Magnini 2005; Negri et al. 2009) and the Excitement Open Platform",
)
def edit_distance(
    setup: Setup,
    preset: Annotated[Preset, Meta(description="what holds where nothing else is said")] = "best",
    **given: Spelled,
) -> Engine:
    """How much it takes to turn the text into the hypothesis, and a learnt threshold."""
    return EditDistance(setup, settings(preset, given))


def _name_settings() -> None:
    """Have the signature name every setting, as `karat engines` and the registry read it."""
    signature = inspect.signature(edit_distance)
    kinds = {name: Annotated[Spelled, said] for name, said in SAID.items()}
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default="", annotation=kind) for name, kind in kinds.items()]
    fixed = list(signature.parameters.values())[:-1]
    edit_distance.__signature__ = signature.replace(parameters=[*fixed, *named])  # type: ignore[attr-defined]
    edit_distance.__annotations__ |= kinds


_name_settings()
