"""The texts that a run repeats from the test set, which tell whether its ids mean the same pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat.align.columns import Columns
from karat.arrays import Ints
from karat.data.pairs import Pairs
from karat.errors import Problems

QUOTED = 60
"""The most characters of a text that a message quotes."""
MOST = 0.5
"""If more than this share of the pairs have other texts, the run is of other pairs."""


def by_texts(key: Pairs, run: Columns) -> Columns:
    """The rows of a run without ids by the ids of the pairs with their texts, if each row has those of one pair."""
    if not _has_both(key, run) or run.facts.get("untold"):
        return run
    known = dict(zip(_plain(key.texts, key.hypotheses), key.ids, strict=True))
    ids = [known.get(words) for words in _plain(run["text"], run["hypothesis"])]
    if len(known) < len(key) or None in ids:
        return run
    return replace(run, values={**run.values, "id": ids}, facts={**run.facts, "numbered": False})


def check_texts(key: Pairs, run: Columns, units: Ints, problems: Problems) -> None:
    """The texts of a run must be those of the key: if most are not, its ids are those of other pairs."""
    if not _has_both(key, run):
        return
    keyed = _plain(key.texts, key.hypotheses)
    said = _plain(run["text"], run["hypothesis"])
    rows = [row for row in np.flatnonzero(units >= 0).tolist() if any(said[row])]
    differ = [row for row in rows if said[row] != keyed[units[row]]]
    if not differ:
        return
    row, unit = differ[0], int(units[differ[0]])
    role, given = ("text", key.texts) if said[row][0] != keyed[unit][0] else ("hypothesis", key.hypotheses)
    found = (
        f"texts of other pairs ({len(differ):,} of {len(rows):,}), first {run[role][row][:QUOTED]!r} in pair "
        f"{run['id'][row]!r}, where the key has {given[unit][:QUOTED]!r}"
    )
    run.report(problems, "other-texts" if len(differ) > MOST * len(rows) else "some-other-texts", found, row, role)


def _has_both(key: Pairs, run: Columns) -> bool:
    return run.get("text") is not None and run.get("hypothesis") is not None and key.has_texts


def _plain(texts: Sequence[str], hypotheses: Sequence[str]) -> list[tuple[str, str]]:
    """Both texts of each pair without case, blanks and punctuation, which tokenisers change."""
    return [(_letters(text), _letters(hypothesis)) for text, hypothesis in zip(texts, hypotheses, strict=True)]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
