"""Hypothesis strategies that several tests share: texts, pairs, runs."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from karat.data.ballots import Scale, anonymous_ballots
from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.data.responses import Run, RunInfo
from karat.labels import THREE, TWO

SOURCE = Source("memory", "0" * 64)

characters = st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" \"'&<>,;=—\u00a0\u3000é\U0001f600")
"""Everything that prints, and quotes and brackets more often than chance would have it."""
texts = st.text(characters, min_size=1, max_size=40).filter(lambda text: text == text.strip() and bool(text))
"""Texts as readers keep them: something, without blanks around."""
multiline_texts = st.lists(texts, min_size=1, max_size=3).map("\n".join)
ids = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=":=%"), min_size=1, max_size=8)
"""Ids as every carrier holds them; a colon could make a header of them, = and % a banner."""
attribute_values = texts | st.none()


@st.composite
def pair_sets(
    draw: st.DrawFn, texts: st.SearchStrategy[str] = texts, ballots: bool = False, blind: bool = True
) -> Pairs:
    """A test set, two-way, three-way or (where `blind` allows) without key; some pairs without label."""
    names = draw(
        st.lists(ids.filter(lambda name: not name.startswith(("=", "%"))), min_size=1, max_size=5, unique=True)
    )
    size = len(names)
    way = draw(st.sampled_from([TWO, THREE, None] if blind else [TWO, THREE]))
    top = len(way.labels) - 1 if way else -1
    labels = draw(st.lists(st.integers(-1, top), min_size=size, max_size=size))
    if way:
        labels[0] = top  # so that the key shows which way it is
    given = draw(st.lists(st.lists(st.integers(0, top), max_size=5), min_size=size, max_size=size)) if ballots else []
    columns = [draw(st.lists(texts, min_size=size, max_size=size)) for _ in range(2)]
    tasks = draw(st.lists(texts, min_size=size, max_size=size))
    return Pairs(
        ids=tuple(names),
        texts=tuple(columns[0]),
        hypotheses=tuple(columns[1]),
        labels=np.array(labels, dtype=np.int8),
        way=way,
        source=SOURCE,
        attributes={"task": tuple(tasks)},
        ballots=anonymous_ballots(names, given, Scale(way.labels)) if ballots and way else None,
    )


@st.composite
def runs_on(draw: st.DrawFn, key: Pairs) -> Run:
    """A complete run on a key, with or without confidence, weights and justifications."""
    size = len(key)
    way = key.way or THREE
    codes = draw(st.lists(st.integers(0, len(way.labels) - 1), min_size=size, max_size=size))
    if way is THREE:
        codes[0] = 2  # so that the run shows which way it is
    finite = st.floats(0, 1e6, allow_nan=False)
    columns = [draw(st.none() | st.lists(finite, min_size=size, max_size=size)) for _ in range(2)]
    # A plain line cannot tell a justification that is a number from a confidence.
    words = texts.map("because {}".format)
    justifications = draw(st.none() | st.lists(words, min_size=size, max_size=size))
    return Run(
        info=RunInfo("run", way, SOURCE, numeric=columns[0] is not None),
        codes=np.array(codes, dtype=np.int8),
        position=np.array(draw(st.permutations(range(size))), dtype=np.int32),
        confidence=None if columns[0] is None else np.array(columns[0]),
        weights=None if columns[1] is None else np.array(columns[1]) + 1,
        justifications=None if justifications is None else tuple(justifications),
    )
