"""Units of sentences against a loop over Python lists; how far a phrase or group goes is taken from the kernels."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels import chunking as u
from karat.engines.kernels.grammar import Kind, Sentence, WordKey
from karat.engines.kernels.noun_phrases import begins_phrase, hang_phrase, leads_to_noun, phrase_end

LONE = {
    Kind.ADVERB: u.ADVERBS, Kind.NOT: u.ADVERBS, Kind.AND: u.JOINS, Kind.COMMA: u.COMMAS, Kind.MARK: u.MARKS,
    Kind.RELATIVE: u.RELATIVES, Kind.STOP: u.BREAKS, Kind.PUNCTUATION: u.BREAKS,
}  # fmt: skip
"""What a word is that belongs to no phrase and no group."""
words = st.lists(st.tuples(st.sampled_from(Kind), st.sampled_from(WordKey)), min_size=1, max_size=12)
Unit = tuple[int, int, int, int]
"""Type, head, first and last row."""


def sentence(words: list[tuple[Kind, WordKey]]) -> Sentence:
    """Words of these kinds, nothing hung yet."""
    kinds, keys = (np.array(column, dtype=np.int8) for column in zip(*words, strict=True))
    many = len(words)
    heads, traits, none = np.full(many, -1, np.int32), np.zeros(many, np.int32), np.zeros(many, np.int8)
    return Sentence(kinds, keys, traits, heads, none, np.zeros((many + 2, u.WIDTH), np.int32), heads[:, None], heads)


def unit_at(s: Sentence, row: int, governed: bool) -> Unit | None:
    """The unit that begins at a row, without its preposition; None for a word that is none."""
    kinds, end = s.kinds.tolist(), len(s.kinds)
    after = kinds[row + 1] if row + 1 < end else None
    adverb = kinds[row] == Kind.ADVERB and after in (Kind.ADJECTIVE, Kind.NUMBER, Kind.ADVERB)
    reduced = kinds[row] == Kind.PARTICIPLE and governed and leads_to_noun(row, end, s.kinds)
    if begins_phrase(kinds[row]) or adverb or reduced:
        stop = phrase_end(row, end, s)
        if stop > row:
            head = hang_phrase(row, stop, s)
            alone = kinds[row] not in (Kind.DETERMINER, Kind.POSSESSIVE)
            kind = {Kind.ADJECTIVE: u.ADJECTIVES if alone else u.NOUNS, Kind.ADVERB: u.ADVERBS}
            return kind.get(Kind(kinds[head]), u.NOUNS), head, row, stop - 1
    if u.is_auxiliary(kinds[row]) or u.is_verb(kinds[row]) or kinds[row] == Kind.TO:
        stop = u.group_end(row, end, s.kinds)
        return u.VERBS, u.group_verb(row, stop, s.kinds), row, stop - 1
    quoted = kinds[row] == Kind.PUNCTUATION and s.keys[row] == WordKey.QUOTE
    return None if quoted or kinds[row] not in LONE else (LONE[Kind(kinds[row])], row, row, row)


def naive_units(s: Sentence) -> list[Unit]:
    """One unit after the other: a preposition goes with what it governs, a particle with the verb before it."""
    found: list[Unit] = []
    row, end = 0, len(s.kinds)
    while row < end:
        if s.kinds[row] != Kind.PREPOSITION and s.keys[row] != WordKey.INCLUDING:
            unit = unit_at(s, row, False)
            found += [unit] if unit else []
            row = unit[3] + 1 if unit else row + 1
            continue
        before = found[-1] if found and found[-1][0] == u.VERBS and found[-1][3] == row - 1 else None
        if before and s.keys[row] == WordKey.PARTICLE and not (row + 1 < end and s.keys[row + 1] == WordKey.OF):
            found[-1] = (*before[:3], row)
            row += 1
            continue
        at = row + 1
        while at < end and s.kinds[at] == Kind.PREPOSITION:
            at += 1
        unit = unit_at(s, at, True) if at < end else None
        doing = unit and unit[0] == u.VERBS and u.group_shape(at, unit[1], s) & u.GERUND
        if unit and (unit[0] in (u.NOUNS, u.RELATIVES) or doing):
            found.append((unit[0], unit[1], row, unit[3]))
            row = unit[3] + 1
        else:
            found.append((u.PREPS, row, row, at - 1))
            row = at
    return found


@settings(deadline=None, max_examples=300)
@given(words)
def test_units(words: list[tuple[Kind, WordKey]]) -> None:
    """The same units, in the same order, with the same heads."""
    s = sentence(words)
    count = u.find_units(0, len(words), s)
    made = [tuple(unit) for unit in s.units[:count, [u.TYPE, u.HEAD, u.FIRST, u.LAST]].tolist()]
    assert made == naive_units(sentence(words))
