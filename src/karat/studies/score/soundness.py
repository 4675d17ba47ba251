"""Soundness: do a run's labels and its ranking say the same?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.data.orders import Ties
from karat.data.responses import Responses
from karat.errors import NotApplicable
from karat.kernels.ranking import tie_groups


@dataclass(frozen=True)
class Soundness:
    """Whether some cut-off r makes the labels "the first r entail", the best r, and how many labels disagree."""

    sound: bool
    cutoff: int
    disagreements: int
    by_sign: bool
    """The ranking was made from confidences by the sign of the label, and is sound by construction."""


def soundness(responses: Responses, run: int, ties: Ties = "expected") -> Soundness | None:
    """The soundness of one run; None where it is not ranked by entailment. Ties are read in its favour."""
    try:
        scores = responses.rank_scores(run, "entailment")
    except NotApplicable:
        return None
    # A matter of the run alone: every pair it answered counts, whether the key has a label for it or not.
    answered = responses.codes[run] >= 0
    tie_break = responses.tie_break(run, ties)
    order, group = tie_groups(scores[answered], None if tie_break is None else tie_break[answered])
    entailing = (responses.codes[run][answered] == 0)[order]
    # Within a tie the order is free, so what is called entailing may come first.
    entailing = entailing[np.lexsort((~entailing, group))]
    above_wrong = np.concatenate([[0], np.cumsum(~entailing)])
    below_wrong = entailing.sum() - np.concatenate([[0], np.cumsum(entailing)])
    disagreements = above_wrong + below_wrong
    cutoff = int(disagreements.argmin())
    least = int(disagreements[cutoff])
    return Soundness(least == 0, cutoff, least, responses.ranked_by_sign(run))
