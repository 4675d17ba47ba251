"""Units of a sentence, left to right: noun phrases with their prepositions, verb groups, and what joins them."""

from __future__ import annotations

from karat.arrays import Bytes, Int32s
from karat.engines.kernels.grammar import Dependency, Key, Kind
from karat.engines.kernels.noun_phrases import begins_phrase, hang_phrase, leads_to_noun, phrase_end
from karat.engines.kernels.verb_groups import (
    GERUND,
    group_end,
    group_shape,
    group_verb,
    hang_group,
    is_auxiliary,
    is_verb,
)
from karat.kernels.compiled import compiled

ADJECTIVE, ADVERB, PREPOSITION = int(Kind.ADJECTIVE), int(Kind.ADVERB), int(Kind.PREPOSITION)
PARTICIPLE, ING, NUMBER = int(Kind.PARTICIPLE), int(Kind.ING), int(Kind.NUMBER)
TO, NOT, DETERMINER, POSSESSIVE = int(Kind.TO), int(Kind.NOT), int(Kind.DETERMINER), int(Kind.POSSESSIVE)
AND, COMMA, STOP, PUNCTUATION = int(Kind.AND), int(Kind.COMMA), int(Kind.STOP), int(Kind.PUNCTUATION)
MARK, RELATIVE = int(Kind.MARK), int(Kind.RELATIVE)
INCLUDING, PARTICLE, QUOTE, OF = int(Key.INCLUDING), int(Key.PARTICLE), int(Key.QUOTE), int(Key.OF)
CASE, COMPOUND, PUNCT, ADVMOD = (
    int(Dependency.CASE),
    int(Dependency.COMPOUND),
    int(Dependency.PUNCT),
    int(Dependency.ADVMOD),
)

TYPE, HEAD, FIRST, LAST, PREP, SHAPE = 0, 1, 2, 3, 4, 5
"""Columns of a unit: its type, head, first and last row, preposition (-1 none) and what a verb group is."""
WIDTH = 6
NOUNS, VERBS, ADJECTIVES, ADVERBS, JOINS, COMMAS, MARKS, RELATIVES, PREPS, BREAKS, OTHERS = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
)
"""Types of units."""


@compiled
def find_units(
    first: int, last: int, kinds: Bytes, keys: Bytes, traits: Int32s, heads: Int32s, relations: Bytes, units: Int32s
) -> int:
    """Write the units of the sentence at rows `first` to `last`, and hang what is inside them; how many there are."""
    count = 0
    row = first
    while row < last:
        kind = kinds[row]
        prep, after_prep = -1, row
        if kind == PREPOSITION or keys[row] == INCLUDING:
            joined = count > 0 and units[count - 1, TYPE] == VERBS and units[count - 1, LAST] == row - 1
            if joined and keys[row] == PARTICLE and not (row + 1 < last and keys[row + 1] == OF):
                heads[row], relations[row] = units[count - 1, HEAD], COMPOUND
                units[count - 1, LAST] = row
                row += 1
                continue
            prep = row
            after_prep = row + 1
            while after_prep < last and kinds[after_prep] == PREPOSITION:
                after_prep += 1
        at = after_prep
        end = at
        if at < last:
            end = _unit(at, last, prep >= 0, kinds, keys, traits, heads, relations, units, count)
        unit = units[count]
        if prep >= 0:
            takes = end > at and (
                unit[TYPE] == NOUNS or unit[TYPE] == RELATIVES or (unit[TYPE] == VERBS and (unit[SHAPE] & GERUND) != 0)
            )
            if takes:
                unit[PREP] = prep
                unit[FIRST] = prep
                for each in range(prep, at):
                    heads[each], relations[each] = unit[HEAD], CASE
            else:
                end = at
                unit[TYPE], unit[HEAD], unit[FIRST], unit[LAST] = PREPS, prep, prep, at - 1
                unit[PREP], unit[SHAPE] = -1, 0
                for each in range(prep + 1, at):
                    heads[each], relations[each] = prep, CASE
        row = end
        if units[count, TYPE] != OTHERS:
            count += 1
    return count


@compiled
def _unit(
    row: int,
    last: int,
    governed: bool,
    kinds: Bytes,
    keys: Bytes,
    traits: Int32s,
    heads: Int32s,
    relations: Bytes,
    units: Int32s,
    count: int,
) -> int:
    """Write the unit that begins at a row, without its preposition, and give back the row after it."""
    kind = kinds[row]
    unit = units[count]
    unit[HEAD], unit[FIRST], unit[LAST], unit[PREP], unit[SHAPE] = row, row, row, -1, 0
    after = kinds[row + 1] if row + 1 < last else -1
    adverb = kind == ADVERB and (after in (ADJECTIVE, NUMBER, ADVERB))
    reduced = kind == PARTICIPLE and governed and leads_to_noun(row, last, kinds)
    if begins_phrase(kind) or adverb or reduced:
        end = phrase_end(row, last, kinds, keys, traits)
        if end > row:
            head = hang_phrase(row, end, kinds, keys, heads, relations)
            unit[HEAD], unit[LAST] = head, end - 1
            unit[TYPE] = NOUNS
            if kinds[head] == ADJECTIVE and kinds[row] != DETERMINER and kinds[row] != POSSESSIVE:
                unit[TYPE] = ADJECTIVES
            elif kinds[head] == ADVERB:
                unit[TYPE] = ADVERBS
            return end
    if is_auxiliary(kind) or is_verb(kind) or kind == TO:
        end = group_end(row, last, kinds)
        verb = group_verb(row, end, kinds)
        hang_group(row, end, verb, kinds, heads, relations)
        unit[TYPE], unit[HEAD], unit[LAST] = VERBS, verb, end - 1
        unit[SHAPE] = group_shape(row, verb, kinds, keys)
        return end
    if kind in (ADVERB, NOT):
        unit[TYPE] = ADVERBS
    elif kind == AND:
        unit[TYPE] = JOINS
    elif kind == COMMA:
        unit[TYPE] = COMMAS
    elif kind == MARK:
        unit[TYPE] = MARKS
    elif kind == RELATIVE:
        unit[TYPE] = RELATIVES
    elif (kind == PUNCTUATION and keys[row] != QUOTE) or kind == STOP:
        unit[TYPE] = BREAKS
    else:
        unit[TYPE] = OTHERS
    return row + 1
