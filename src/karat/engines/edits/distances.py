"""The distances of the suite, each from 0 (H is there) on, for all pairs of a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from karat.arrays import Floats, Ints
from karat.engines.batch import Batch
from karat.engines.edits.matching import Blocks, match_sides, tokens_of
from karat.engines.edits.rules import RuleTable
from karat.engines.edits.schemes import Scheme
from karat.engines.edits.settings import OVERLAP, PRICED, TREE, Settings
from karat.engines.edits.sides import Side, side_of
from karat.engines.kernels import token_distances
from karat.engines.kernels.edit_distance import edit_distances, totals
from karat.engines.kernels.edit_match import best_stretch
from karat.engines.kernels.tree_distance import postorder, tree_distances
from karat.engines.rarity import Rarity

SEQUENCES: dict[str, Callable[..., Floats]] = {
    "cosine": token_distances.cosine_distance,
    "jaccard": token_distances.jaccard_distance,
    "lcs": token_distances.lcs_distance,
    "rouge_l": token_distances.rouge_l_distance,
    "rouge_s": token_distances.rouge_s_distance,
    "rouge_w": token_distances.rouge_w_distance,
    "jaro_winkler": token_distances.jaro_winkler_distance,
    "ngram": token_distances.ngram_distance,
}
"""Distances of plain sequences, which know neither costs nor a dictionary."""


@dataclass(frozen=True, eq=False)
class Compared:
    """A batch with its words compared: all that a distance needs, whatever its costs."""

    settings: Settings
    t: Side
    h: Side
    blocks: Blocks | None
    """None where words are only the same or not."""

    def __len__(self) -> int:
        return len(self.t.starts) - 1


def compare(batch: Batch, settings: Settings, scheme: Scheme, rarity: Rarity | None, rules: RuleTable) -> Compared:
    """Compare the words of a batch, and cut its texts to their best stretches where that is asked for."""
    t, h = (side_of(batch, side, settings, scheme, rarity) for side in ("T", "H"))
    if settings.distance in SEQUENCES and not len(rules.lefts):
        return Compared(settings, t, h, None)
    made = Compared(settings, t, h, match_sides(t, h, settings, batch.knowledge, rules))
    return cut(made) if settings.window and settings.distance in PRICED else made


def distances(compared: Compared, costs: Floats) -> Floats:
    """The distance of each pair under each row of costs (schemes, 3); other distances than edits have one row."""
    settings, t, h = compared.settings, compared.t, compared.h
    if settings.distance in SEQUENCES:
        sequences = tokens_of(t, settings), t.starts, tokens_of(h, settings), h.starts
        return SEQUENCES[settings.distance](*sequences)[None]
    if settings.distance == OVERLAP:
        return stretches(compared)[1][None]
    assert compared.blocks is not None
    schemes, share = costs.copy(), 0.0
    if settings.substitution == "sum":
        schemes[:, 2], share = 0.0, settings.substitute
    blocks = compared.blocks.starts, compared.blocks.match
    if settings.distance == TREE:
        assert t.heads is not None
        assert h.heads is not None
        trees = postorder(t.heads, t.starts), postorder(h.heads, h.starts)
        made = tree_distances(*trees, *blocks, t.weights, h.weights, schemes, share)
    else:
        made = edit_distances(t.starts, h.starts, *blocks, t.weights, h.weights, schemes, share)
    below = NORMALISATIONS[settings.normalise](t, h, costs)
    return np.divide(made, below, out=np.zeros(made.shape), where=below > 0)


def stretches(compared: Compared) -> tuple[Ints, Floats]:
    """Where the best stretch of each text begins, and how far the hypothesis is from it."""
    settings, t, h, blocks = compared.settings, compared.t, compared.h, compared.blocks
    assert blocks is not None
    size = settings.window or max(int(np.diff(t.starts).max(initial=0)), 1)
    nearest = np.empty(int(np.diff(h.starts).max(initial=0)), dtype=np.float32)
    begins, made = np.zeros(len(compared), dtype=np.int64), np.empty(len(compared))
    where = t.starts, h.starts, blocks.starts, blocks.match
    best_stretch(*where, h.weights, size, settings.outside, nearest, begins, made)
    return begins, made


def cut(compared: Compared) -> Compared:
    """Texts cut to their best stretch."""
    t, h, blocks = compared.t, compared.h, compared.blocks
    assert blocks is not None
    sizes = np.diff(t.starts)
    pair = np.repeat(np.arange(len(compared)), sizes)
    place = np.arange(len(t.forms)) - t.starts[pair] - stretches(compared)[0][pair]
    inside = (place >= 0) & (place < compared.settings.window)
    before = np.zeros(len(inside) + 1, dtype=np.int64)
    np.cumsum(inside, out=before[1:])
    cells = np.repeat(inside, np.diff(h.starts)[pair])
    starts = before[t.starts]
    short = Side(starts, t.forms[inside], t.lemmas[inside], t.tags[inside], t.weights[inside], None)
    begins = np.zeros(len(starts), dtype=np.int64)
    np.cumsum(np.diff(starts) * np.diff(h.starts), out=begins[1:])
    return replace(compared, t=short, blocks=Blocks(begins, blocks.match[cells], blocks.against))


def _counts(t: Side, h: Side, costs: Floats) -> Floats:
    return costs[:, :1] * np.diff(t.starts) + costs[:, 1:2] * np.diff(h.starts)


def _lengths(t: Side, h: Side, costs: Floats) -> Floats:
    return np.broadcast_to(np.diff(t.starts) + np.diff(h.starts), (len(costs), len(t.starts) - 1)).astype(np.float64)


def _weighed(t: Side, h: Side, costs: Floats) -> Floats:
    return costs[:, :1] * totals(t.starts, t.weights) + _inserted(t, h, costs)


def _inserted(t: Side, h: Side, costs: Floats) -> Floats:
    del t
    return costs[:, 1:2] * totals(h.starts, h.weights)


NORMALISATIONS: dict[str, Callable[[Side, Side, Floats], Floats]] = {
    "default": _counts,
    "long": _lengths,
    "edits3": _weighed,
    "hypothesis": _inserted,
}
"""default: words of T × delete + words of H × insert; long: the words of both; edits3: what it costs to delete all of T
and insert all of H; hypothesis: what it costs to insert all of H."""
