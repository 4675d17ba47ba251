"""All the keys that ballots give: by the rules of `data.keys`, and by Dawid and Skene's model."""

from __future__ import annotations

import numpy as np

from karat.data.ballots import Ballots
from karat.data.keys import Key, MajorityTies, named_keys
from karat.data.pairs import Pairs
from karat.statistics.dawid_skene import NEEDED_ASSESSORS, Fitted, dawid_skene

MODEL = "dawid-skene"
SHARED = ("majority", "disagreement-unknown", "unanimous")
"""Keys by rules on several ballots of a unit."""


def alternative_keys(
    ballots: Ballots, key: Pairs, anchor: Pairs | None = None, ties: MajorityTies = "adjudicated", share: float = 0.5
) -> tuple[list[Key], dict[str, str]]:
    """The keys, and by name the reason for each that is withheld. `ballots` are aligned with the key."""
    made, withheld = named_keys(ballots, key, anchor, ties, share)
    if not (ballots.counts().sum(axis=1) > 1).any():
        # One ballot a unit: each of these rules would give that ballot back under another name.
        made = [one for one in made if one.name not in SHARED]
        withheld |= dict.fromkeys(SHARED, "no unit has ballots of two assessors")
    if reason := not_identifiable(ballots):
        withheld[MODEL] = reason
    else:
        model = fit(ballots)
        likeliest = np.where(np.isnan(model.posterior[:, 0]), -1, np.nan_to_num(model.posterior).argmax(axis=1))
        made.append(Key(MODEL, likeliest.astype(np.int8), "the likeliest label, assessors weighed by a model of them"))
    return made, withheld


def not_identifiable(ballots: Ballots) -> str:
    """Why the model would claim more than the ballots hold; empty where it would not."""
    if ballots.exchangeable:
        return "it models persons, and these ballots do not say who cast them"
    judged = np.unique(ballots.unit)
    each = len(ballots) / max(len(judged), 1)
    if each < NEEDED_ASSESSORS:
        return (
            f"with {each:.1f} assessors a unit it is not identifiable: whoever is called reliable is right. "
            f"It needs {NEEDED_ASSESSORS} a unit on average"
        )
    return ""


def fit(ballots: Ballots) -> Fitted:
    """The model fitted to ballots."""
    shape = (len(ballots.units), len(ballots.assessors), len(ballots.scale.values))
    return dawid_skene(ballots.unit, ballots.assessor, ballots.code, shape)
