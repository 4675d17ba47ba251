"""Opinions: what T has as somebody's judgement. Other reports are taken at their word, as readers of news take them."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Int32s
from karat.engines.batch import Batch
from karat.engines.checks.marks import Marks
from karat.engines.checks.view import view
from karat.engines.checks.word_kinds import PARTIES, SAYS
from karat.engines.kernels.contexts import PLAIN
from karat.engines.text.tags import Dependency, Tag

_SAYS, _PARTIES = Marks(SAYS), Marks(PARTIES)


def find_opinions(batch: Batch) -> tuple[Bools, Int32s]:
    """H words that T has as what somebody says, where it is a judgement or a party says it; the places of the saying.

    A judgement is an adjective (they say that it is *bad*); a party is critics, rivals, fans, sceptics.
    """
    seen, trees = view(batch), batch.t_trees
    over = np.where(trees.heads >= 0, batch.t.starts[seen.t_pair] + trees.heads, -1)
    says = np.append(_SAYS.of(batch.knowledge, trees.lemmas) > 0, False)
    party = np.zeros(len(over) + 1, dtype=bool)
    party[over[(trees.dependencies == Dependency.NSUBJ) & (_PARTIES.of(batch.knowledge, trees.lemmas) > 0)]] = True
    told = (trees.dependencies == Dependency.CCOMP) & says[over] & (over < np.arange(len(over)))
    told &= (party[over] & (over >= 0)) | (trees.tags == Tag.ADJ)
    held = np.zeros(len(seen.pair), dtype=bool)
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    some = np.flatnonzero((batch.alignment.to >= 0) & (seen.h_context.mood == PLAIN))
    rows = batch.t.starts[seen.pair[some]] + batch.alignment.to[some]
    held[some] = told[rows]
    place[some] = np.where(told[rows], trees.heads[rows], -1)
    return held, place
