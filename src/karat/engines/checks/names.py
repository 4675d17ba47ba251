"""Checks of names and numbers: T does not mention somebody, some place or a number of H, or has another instead."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s
from karat.engines.batch import Batch
from karat.engines.checks.base import Cue, checks, view
from karat.engines.checks.marks import LISTS, Marks
from karat.engines.kernels import opposed
from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import FIELDS
from karat.engines.text.closed import MONTHS
from karat.engines.text.trees import Tokens, Trees
from karat.engines.text.vocabulary import Flag

SAME_POST = 0.9
_PERSON = FIELDS.index("noun.person")
_SAME_PLACE = np.isin(
    np.arange(len(Dependency)),
    (Dependency.NSUBJ, Dependency.NSUBJ_PASS, Dependency.OBJ, Dependency.OBL, Dependency.OBL_AGENT, Dependency.NMOD),
)


@checks.register("name", rank=62, verdict="unknown", says="The text does not mention {h}.")
def name(batch: Batch) -> Cue:
    """A name of H is not in T, nor anything that stands for it."""
    seen = view(batch)
    return seen.fire(_missing(batch), np.full(len(seen.pair), -1, dtype=np.int32))


@checks.register("other_name", rank=38, verdict="unknown", says="In the text it is {t}, not {h}.")
def other_name(batch: Batch) -> Cue:
    """Where H has one name T has another, in the same relation to the same word."""
    seen = view(batch)
    h_trees, t_trees = batch.h_trees, batch.t_trees
    able = _missing(batch) & seen.covered[seen.pair] & (h_trees.heads >= 0) & _SAME_PLACE[h_trees.dependencies]
    rows = np.flatnonzero(able)
    place = np.full(len(seen.pair), -1, dtype=np.int32)
    over = seen.t_row[batch.h.starts[seen.pair[rows]] + h_trees.heads[rows]]
    # The T words under the word that stands for the head, in the same relation, and names themselves.
    under = np.where(t_trees.heads >= 0, batch.t.starts[seen.t_pair] + t_trees.heads, -1)
    named = np.flatnonzero((t_trees.tags == Tag.PROPN) & (under >= 0))
    keys = under[named] * len(Dependency) + t_trees.dependencies[named]
    order = np.argsort(keys, kind="stable")
    asked = over * len(Dependency) + h_trees.dependencies[rows]
    at = np.searchsorted(keys, asked, sorter=order)
    hit = (over >= 0) & (at < len(keys))
    hit[hit] &= keys[order[at[hit]]] == asked[hit]
    place[rows[hit]] = seen.batch.t.place[named[order[at[hit]]]]
    return seen.fire(place >= 0, place)


@checks.register("holder", rank=24, verdict="contradiction", says="In the text that is {t}, not {h}.")
def holder(batch: Batch) -> Cue:
    """H says what somebody is, and T says it of another: the name beside that word in T is not in H."""
    seen = view(batch)
    h_trees = batch.h_trees
    place, subject = opposed.find_holders(
        batch.t.starts,
        batch.h.starts,
        h_trees.heads,
        h_trees.dependencies,
        batch.t_trees.tags,
        batch.t_trees.sentences,
        seen.t_row,
        seen.h_names,
        seen.t_taken,
        _posts(batch) & (seen.strength >= SAME_POST),
    )
    return seen.fire((place >= 0) & seen.covered[seen.pair], place, 1.0, subject)


def _posts(batch: Batch) -> Bools:
    """H words for what a person can be: president, spokesman, son."""
    fields, lemmas = batch.knowledge.wordnet.fields[Part.NOUN], batch.h_trees.lemmas
    known = lemmas < len(fields)
    found = np.zeros(len(lemmas), dtype=bool)
    found[known] = fields[lemmas[known]] == _PERSON
    return found


def _missing(batch: Batch) -> Bools:
    seen = view(batch)
    return seen.h_names & (seen.t_row < 0)


_BEFORE = Marks(
    {
        **dict.fromkeys(LISTS["at-least"], opposed.AT_LEAST),
        **dict.fromkeys(LISTS["at-most"], opposed.AT_MOST),
        **dict.fromkeys(LISTS["about"], opposed.ABOUT),
        "than": opposed.THAN,
        "more": opposed.MORE,
        "greater": opposed.MORE,
        "less": opposed.LESS,
        "fewer": opposed.LESS,
    },
    "spelling",
)
_UNITS = Marks(
    {
        **dict.fromkeys(sorted(LISTS["percent"]), opposed.IS_PERCENT),
        **dict.fromkeys(sorted(LISTS["currency"]), opposed.IS_MONEY),
        **dict.fromkeys(MONTHS, opposed.IS_MONTH),
        "-": opposed.IS_HYPHEN,
    }
)
_NOUNS = np.isin(np.arange(len(Tag)), (Tag.NOUN, Tag.PROPN)).astype(np.int8)
_COMPARED = "(numbers)"
_DATES = (opposed.YEAR, opposed.DAY)


@checks.register("number", rank=20, verdict="contradiction", says="The text says {t}, not {h}.")
def number(batch: Batch) -> Cue:
    """T gives another number of the same things than H."""
    seen = view(batch)
    verdict, place, kinds = _compared(batch)
    rows = (verdict == opposed.DISAGREES) & ~np.isin(kinds, _DATES) & seen.covered_beside
    return seen.fire(rows, place)


@checks.register("date", rank=35, verdict="unknown", says="The text gives {t} as the date, not {h}.")
def date(batch: Batch) -> Cue:
    """T gives another date than H, and not that of H."""
    seen = view(batch)
    verdict, place, kinds = _compared(batch)
    rows = (verdict == opposed.DISAGREES) & np.isin(kinds, _DATES) & seen.covered[seen.pair]
    return seen.fire(rows, place)


@checks.register("no_number", rank=36, verdict="unknown", says="The text does not give the number {h}.")
def no_number(batch: Batch) -> Cue:
    """T has no number that agrees with one of H."""
    seen = view(batch)
    verdict, place, _ = _compared(batch)
    return seen.fire(verdict != opposed.AGREES, place)


def _compared(batch: Batch) -> tuple[Bytes, Int32s, Bytes]:
    """What T says to the number at each H word, at which place, and what kind of number it is."""
    if _COMPARED not in batch.cues:
        t = _read(batch, batch.t, batch.t_trees)
        h = _read(batch, batch.h, batch.h_trees)
        verdict, place = opposed.compare_quantities(batch.t.starts, batch.h.starts, *t, *h, view(batch).t_about_h)
        batch.cues[_COMPARED] = verdict, place, h[2]
    found: tuple[Bytes, Int32s, Bytes] = batch.cues[_COMPARED]
    return found


def _read(batch: Batch, tokens: Tokens, trees: Trees) -> tuple[Floats, Floats, Bytes, Int32s]:
    before = _BEFORE.of(batch.knowledge, tokens.forms)
    units = _UNITS.of(batch.knowledge, trees.lemmas)
    table = batch.knowledge.vocabulary.table
    flags = table.flags[tokens.forms]
    numeric = (flags & (Flag.NUMBER | Flag.ORDINAL)) > 0
    # One is a pronoun as often as a number, and second a part of a minute.
    numeric &= (trees.tags != Tag.PRON) & (trees.tags != Tag.DET)
    traits = units.copy()
    traits[numeric] |= opposed.IS_NUMBER
    traits[(flags & Flag.MULTIPLIER) > 0] |= opposed.IS_MULTIPLIER
    traits[(flags & Flag.ORDINAL) > 0] |= opposed.IS_ORDINAL
    return opposed.read_quantities(
        tokens.starts, table.value[tokens.forms], traits, before, _NOUNS[trees.tags], trees.lemmas
    )
