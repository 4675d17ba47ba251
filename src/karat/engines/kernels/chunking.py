"""Units of a sentence, left to right: noun phrases with their prepositions, verb groups, and what joins them."""

from __future__ import annotations

from karat.arrays import Bytes
from karat.engines.kernels.grammar import Dependency, Kind, Sentence, WordKey
from karat.engines.kernels.noun_phrases import begins_phrase, hang_phrase, leads_to_noun, phrase_end
from karat.kernels.compiled import compiled

FINITE, INFINITIVE, GERUND, REDUCED, PASSIVE, COPULA, UNSURE = 1, 2, 4, 8, 16, 32, 64
"""What a group is; UNSURE: a past that may be a participle. A bare participle is REDUCED and PASSIVE."""


@compiled
def is_verb(kind: int) -> bool:
    """A full verb in any form."""
    return kind in (Kind.BASE, Kind.PRESENT, Kind.PAST, Kind.PARTICIPLE, Kind.ING)


@compiled
def is_auxiliary(kind: int) -> bool:
    """A form of be, have or do, or a modal."""
    return kind in (Kind.BE, Kind.HAVE, Kind.DO, Kind.MODAL)


@compiled
def continues(auxiliary: int, kind: int) -> bool:
    """Whether a group goes on with a word of this kind after such an auxiliary."""
    if auxiliary == Kind.BE:
        return kind in (Kind.PARTICIPLE, Kind.PAST, Kind.ING, Kind.BE)
    if auxiliary == Kind.HAVE:
        return kind in (Kind.PARTICIPLE, Kind.PAST, Kind.BE, Kind.HAVE)
    if auxiliary == Kind.DO:
        return kind in (Kind.BASE, Kind.PRESENT, Kind.HAVE, Kind.DO)
    return kind in (Kind.BASE, Kind.PRESENT, Kind.BE, Kind.HAVE, Kind.DO)


@compiled
def group_end(first: int, last: int, kinds: Bytes) -> int:
    """The row after the verb of a group that begins at `first`; what is skipped are adverbs and negations."""
    row = first
    state = kinds[first]
    if not is_auxiliary(state) and state != Kind.TO:
        return first + 1
    end = first + 1
    while True:
        row += 1
        while row < last and kinds[row] in (Kind.ADVERB, Kind.NOT):
            if kinds[row] == Kind.NOT and row == end:
                end = row + 1
            row += 1
        if row >= last or not continues(state, kinds[row]):
            return end
        end = row + 1
        state = kinds[row]
        if not is_auxiliary(state):
            return end


@compiled
def group_verb(first: int, end: int, kinds: Bytes) -> int:
    """The main verb: the last word that is one, or the last auxiliary."""
    row = end - 1
    while row > first and kinds[row] in (Kind.NOT, Kind.ADVERB):
        row -= 1
    return row


@compiled
def group_shape(first: int, verb: int, s: Sentence) -> int:
    """What the group is: the flags above."""
    begins, ends = s.kinds[first], s.kinds[verb]
    if begins == Kind.TO:
        shape = INFINITIVE
    elif begins == Kind.ING or s.keys[first] == WordKey.BEING:
        shape = GERUND
    elif begins == Kind.PARTICIPLE:
        shape = REDUCED | PASSIVE
    else:
        shape = FINITE
        if verb == first and begins == Kind.PAST:
            shape |= UNSURE
    if ends == Kind.BE:
        shape |= COPULA
    if verb > first and (ends in (Kind.PARTICIPLE, Kind.PAST)):
        for row in range(first, verb):
            if s.kinds[row] == Kind.BE:
                shape |= PASSIVE
    return shape


@compiled
def hang_group(first: int, end: int, verb: int, s: Sentence) -> None:
    """Hang everything in a group on its verb."""
    passive = s.kinds[verb] == Kind.PARTICIPLE or s.kinds[verb] == Kind.PAST
    last_be = -1
    for row in range(first, verb):
        if s.kinds[row] == Kind.BE:
            last_be = row
    for row in range(first, end):
        if row == verb:
            continue
        kind = s.kinds[row]
        if kind == Kind.TO:
            s.relations[row] = Dependency.MARK
        elif kind == Kind.NOT:
            s.relations[row] = Dependency.NEG
        elif kind == Kind.ADVERB:
            s.relations[row] = Dependency.ADVMOD
        else:
            s.relations[row] = Dependency.AUX_PASS if passive and row == last_be else Dependency.AUX
        s.heads[row] = verb


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
def find_units(first: int, last: int, s: Sentence) -> int:
    """Write the units of the sentence at rows `first` to `last`, and hang what is inside them; how many there are."""
    count = 0
    row = first
    while row < last:
        kind = s.kinds[row]
        prep, after_prep = -1, row
        if kind == Kind.PREPOSITION or s.keys[row] == WordKey.INCLUDING:
            joined = count > 0 and s.units[count - 1, TYPE] == VERBS and s.units[count - 1, LAST] == row - 1
            if joined and s.keys[row] == WordKey.PARTICLE and not (row + 1 < last and s.keys[row + 1] == WordKey.OF):
                s.heads[row], s.relations[row] = s.units[count - 1, HEAD], Dependency.COMPOUND
                s.units[count - 1, LAST] = row
                row += 1
                continue
            prep = row
            after_prep = row + 1
            while after_prep < last and s.kinds[after_prep] == Kind.PREPOSITION:
                after_prep += 1
        at = after_prep
        end = at
        if at < last:
            end = _unit(at, last, prep >= 0, count, s)
        unit = s.units[count]
        if prep >= 0:
            doing = unit[TYPE] == VERBS and (unit[SHAPE] & GERUND) != 0
            if end > at and (doing or unit[TYPE] in (NOUNS, RELATIVES)):
                unit[PREP] = prep
                unit[FIRST] = prep
                for each in range(prep, at):
                    s.heads[each], s.relations[each] = unit[HEAD], Dependency.CASE
            else:
                end = at
                unit[TYPE], unit[HEAD], unit[FIRST], unit[LAST] = PREPS, prep, prep, at - 1
                unit[PREP], unit[SHAPE] = -1, 0
                for each in range(prep + 1, at):
                    s.heads[each], s.relations[each] = prep, Dependency.CASE
        row = end
        if s.units[count, TYPE] != OTHERS:
            count += 1
    return count


@compiled
def _unit(row: int, last: int, governed: bool, count: int, s: Sentence) -> int:
    """Write the unit that begins at a row, without its preposition, and give back the row after it."""
    kind = s.kinds[row]
    unit = s.units[count]
    unit[HEAD], unit[FIRST], unit[LAST], unit[PREP], unit[SHAPE] = row, row, row, -1, 0
    after = s.kinds[row + 1] if row + 1 < last else -1
    adverb = kind == Kind.ADVERB and (after in (Kind.ADJECTIVE, Kind.NUMBER, Kind.ADVERB))
    reduced = kind == Kind.PARTICIPLE and governed and leads_to_noun(row, last, s.kinds)
    if begins_phrase(kind) or adverb or reduced:
        end = phrase_end(row, last, s)
        if end > row:
            head = hang_phrase(row, end, s)
            unit[HEAD], unit[LAST] = head, end - 1
            unit[TYPE] = NOUNS
            if s.kinds[head] == Kind.ADJECTIVE and s.kinds[row] != Kind.DETERMINER and s.kinds[row] != Kind.POSSESSIVE:
                unit[TYPE] = ADJECTIVES
            elif s.kinds[head] == Kind.ADVERB:
                unit[TYPE] = ADVERBS
            return end
    if is_auxiliary(kind) or is_verb(kind) or kind == Kind.TO:
        end = group_end(row, last, s.kinds)
        verb = group_verb(row, end, s.kinds)
        hang_group(row, end, verb, s)
        unit[TYPE], unit[HEAD], unit[LAST] = VERBS, verb, end - 1
        unit[SHAPE] = group_shape(row, verb, s)
        return end
    if kind in (Kind.ADVERB, Kind.NOT):
        unit[TYPE] = ADVERBS
    elif kind == Kind.AND:
        unit[TYPE] = JOINS
    elif kind == Kind.COMMA:
        unit[TYPE] = COMMAS
    elif kind == Kind.MARK:
        unit[TYPE] = MARKS
    elif kind == Kind.RELATIVE:
        unit[TYPE] = RELATIVES
    elif (kind == Kind.PUNCTUATION and s.keys[row] != WordKey.QUOTE) or kind == Kind.STOP:
        unit[TYPE] = BREAKS
    else:
        unit[TYPE] = OTHERS
    return row + 1
