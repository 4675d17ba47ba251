"""Other keys from ballots: by the rules of `data.keys`, by Dawid and Skene's model, and of random assessors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.ballots import Ballots
from karat.data.keys import Key, MajorityTies, named_keys
from karat.data.pairs import Pairs
from karat.data.parameters import generator
from karat.kernels.counting import divide
from karat.labels import Codes, fold
from karat.progress import track
from karat.statistics.dawid_skene import NEEDED_ASSESSORS, Fitted, dawid_skene
from karat.statistics.rank_correlation import discordant, ranks, tau
from karat.studies.keys.result import RandomKeys, RandomRun
from karat.studies.scorer import Scorer

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
            f"with {each:.2g} assessors per unit the model is not identifiable: it cannot tell which of them is "
            f"reliable. It needs {NEEDED_ASSESSORS} per unit on average"
        )
    return ""


def fit(ballots: Ballots) -> Fitted:
    """Dawid and Skene's model fitted to ballots."""
    shape = (len(ballots.units), len(ballots.assessors), len(ballots.scale.values))
    return dawid_skene(ballots.unit, ballots.assessor, ballots.code, shape)


LABELS_AT_ONCE = 4_000_000
"""Labels of random keys drawn at a time; results depend on it."""


def random_keys(scorer: Scorer, ballots: Ballots, official: Codes, draws: int, level: float, seed: int) -> RandomKeys:
    """The distribution of scores, ranks and tau over keys that take one random ballot for each unit."""
    counts = np.where((official >= 0)[:, None], ballots.counts(), 0)
    judged = counts.sum(axis=1) > 0
    there = scorer.values(np.where(judged, official, np.int8(-1)))
    rows = max(1, LABELS_AT_ONCE // max(1, counts.size))
    parts = []
    for block, done in enumerate(track(range(0, draws, rows), "drawing keys")):
        random = generator(seed, "keys", "random", block)
        parts.append(scorer.values(draw(counts, min(rows, draws - done), random)))
    drawn = np.concatenate(parts)
    taus, same, places = tau(there, drawn), discordant(there, drawn) == 0, ranks(drawn)
    mean, deviation = expected(scorer, counts)
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(drawn, tails, axis=0)
    rank_low, rank_high = np.quantile(places, tails, axis=0, method="inverted_cdf")
    first = (drawn >= np.fmax.reduce(drawn, axis=-1, keepdims=True) - EXACT_TOLERANCE).mean(axis=0)
    columns: list[Floats] = [there, mean, deviation, drawn.mean(axis=0), drawn.std(axis=0), low, high]
    columns += [places.mean(axis=0), rank_low, rank_high, first]
    return RandomKeys(
        draws=draws,
        units=int(judged.sum()),
        tau_mean=float(taus.mean()),
        tau_low=float(np.quantile(taus, tails[0])),
        tau_high=float(np.quantile(taus, tails[1])),
        same_order=float(same.mean()),
        runs=[
            RandomRun(name, *row)
            for name, row in zip(scorer.runs.names, np.stack(columns, axis=-1).tolist(), strict=True)
        ],
    )


def draw(counts: NDArray[np.int64], draws: int, random: np.random.Generator) -> Codes:
    """Keys (draws, units) of one random ballot per unit; −1 if a unit has none."""
    total = counts.sum(axis=1)
    chosen = random.random((draws, len(counts))) * total
    codes = np.zeros(chosen.shape, dtype=np.int8)
    for reached in np.cumsum(counts, axis=1).T[:-1]:
        codes += chosen >= reached
    return np.where(total > 0, codes, np.int8(-1))


def expected(scorer: Scorer, counts: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each run's accuracy; NaN for other measures.

    A unit is right with probability p, the share of its ballots that agree with the run. Units are drawn independently,
    so the mean is Σp/N and the variance Σp(1−p)/N².
    """
    runs = len(scorer.runs)
    if not (scorer.measure.facts["mean"] and scorer.averaged.all()):
        return np.full(runs, np.nan), np.full(runs, np.nan)
    judged = counts.sum(axis=1) > 0
    labels = fold(np.arange(counts.shape[1], dtype=np.int8), scorer.way)
    folded = counts[judged] @ np.eye(len(scorer.way.labels))[labels]
    answers = scorer.runs.answers(scorer.way)[:, judged]
    agreeing = np.take_along_axis(np.broadcast_to(folded, (runs, *folded.shape)), answers[..., None], axis=-1)[..., 0]
    p = agreeing / counts[judged].sum(axis=1)
    size = np.asarray(float(judged.sum()))
    return divide(p.sum(axis=-1), size), np.sqrt(divide((p * (1 - p)).sum(axis=-1), size**2))
