"""All keys that can be made from ballots: by the rules of `data.keys`, and by Dawid and Skene's model."""

from __future__ import annotations

import numpy as np

from karat.data.ballots import Ballots
from karat.data.keys import Key, MajorityTies, named_keys
from karat.data.pairs import Pairs
from karat.statistics.dawid_skene import NEEDED_ASSESSORS, Fitted, dawid_skene

MODEL = "dawid-skene"
NEED_TWO_BALLOTS = ("majority", "disagreement-unknown", "unanimous")
"""Keys whose rules need several ballots on a unit."""


def alternative_keys(
    ballots: Ballots, key: Pairs, anchor: Pairs | None = None, ties: MajorityTies = "adjudicated", share: float = 0.5
) -> tuple[list[Key], dict[str, str]]:
    """The keys, and the reason for each key that is withheld, by name. `ballots` are aligned with the key."""
    made, withheld = named_keys(ballots, key, anchor, ties, share)
    if not (ballots.counts().sum(axis=1) > 1).any():
        # With one ballot per unit, all these rules would give the same key.
        made = [one for one in made if one.name not in NEED_TWO_BALLOTS]
        withheld |= dict.fromkeys(NEED_TWO_BALLOTS, "no unit has ballots from two assessors")
    if reason := _not_identifiable(ballots):
        withheld[MODEL] = reason
    else:
        model = fit(ballots)
        likeliest = np.where(np.isnan(model.posterior[:, 0]), -1, np.nan_to_num(model.posterior).argmax(axis=1))
        made.append(
            Key(
                MODEL,
                likeliest.astype(np.int8),
                "the most likely label, with assessors weighted by a model of their errors",
            )
        )
    return made, withheld


def _not_identifiable(ballots: Ballots) -> str:
    """Why the model cannot be identified from the ballots; empty if it can."""
    if ballots.exchangeable:
        return "it models individual assessors, and these ballots do not say who cast them"
    each = len(ballots) / max(len(np.unique(ballots.unit)), 1)
    if each < NEEDED_ASSESSORS:
        return (
            f"with {each:.1f} assessors per unit the model is not identifiable: it cannot tell which of them is "
            f"reliable. It needs {NEEDED_ASSESSORS} per unit on average"
        )
    return ""


def fit(ballots: Ballots) -> Fitted:
    """Dawid and Skene's model fitted to ballots."""
    shape = (len(ballots.units), len(ballots.assessors), len(ballots.scale.values))
    return dawid_skene(ballots.unit, ballots.assessor, ballots.code, shape)
