"""Verb groups: auxiliaries, negation and adverbs up to the verb they belong to."""

from __future__ import annotations

from karat.arrays import Bytes, Int32s
from karat.engines.kernels.grammar import Dependency, Key, Kind
from karat.kernels.compiled import compiled

BASE, PRESENT, PAST = int(Kind.BASE), int(Kind.PRESENT), int(Kind.PAST)
PARTICIPLE, ING = int(Kind.PARTICIPLE), int(Kind.ING)
BE, HAVE, DO, MODAL = int(Kind.BE), int(Kind.HAVE), int(Kind.DO), int(Kind.MODAL)
TO, NOT, ADVERB = int(Kind.TO), int(Kind.NOT), int(Kind.ADVERB)
BEING = int(Key.BEING)
AUX, AUX_PASS, ADVMOD = int(Dependency.AUX), int(Dependency.AUX_PASS), int(Dependency.ADVMOD)
MARK, NEG = int(Dependency.MARK), int(Dependency.NEG)

FINITE, INFINITIVE, GERUND, REDUCED, PASSIVE, COPULA, UNSURE = 1, 2, 4, 8, 16, 32, 64
"""What a group is; UNSURE: a past that may be a participle. A bare participle is REDUCED and PASSIVE."""


@compiled
def is_verb(kind: int) -> bool:
    """A full verb in any form."""
    return kind in (BASE, PRESENT, PAST, PARTICIPLE, ING)


@compiled
def is_auxiliary(kind: int) -> bool:
    """A form of be, have or do, or a modal."""
    return kind in (BE, HAVE, DO, MODAL)


@compiled
def continues(auxiliary: int, kind: int) -> bool:
    """Whether a group goes on with a word of this kind after such an auxiliary."""
    if auxiliary == BE:
        return kind in (PARTICIPLE, PAST, ING, BE)
    if auxiliary == HAVE:
        return kind in (PARTICIPLE, PAST, BE, HAVE)
    if auxiliary == DO:
        return kind in (BASE, PRESENT, HAVE, DO)
    return kind in (BASE, PRESENT, BE, HAVE, DO)


@compiled
def group_end(first: int, last: int, kinds: Bytes) -> int:
    """The row after the verb of a group that begins at `first`; what is skipped are adverbs and negations."""
    row = first
    state = kinds[first]
    if not is_auxiliary(state) and state != TO:
        return first + 1
    end = first + 1
    while True:
        row += 1
        while row < last and (kinds[row] == ADVERB or kinds[row] == NOT):
            if kinds[row] == NOT and row == end:
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
    while row > first and (kinds[row] == NOT or kinds[row] == ADVERB):
        row -= 1
    return row


@compiled
def group_shape(first: int, verb: int, kinds: Bytes, keys: Bytes) -> int:
    """What the group is: the flags above."""
    begins, ends = kinds[first], kinds[verb]
    if begins == TO:
        shape = INFINITIVE
    elif begins == ING or keys[first] == BEING:
        shape = GERUND
    elif begins == PARTICIPLE:
        shape = REDUCED | PASSIVE
    else:
        shape = FINITE
        if verb == first and begins == PAST:
            shape |= UNSURE
    if ends == BE:
        shape |= COPULA
    if verb > first and (ends in (PARTICIPLE, PAST)):
        for row in range(first, verb):
            if kinds[row] == BE:
                shape |= PASSIVE
    return shape


@compiled
def hang_group(first: int, end: int, verb: int, kinds: Bytes, heads: Int32s, relations: Bytes) -> None:
    """Hang everything in a group on its verb."""
    passive = kinds[verb] == PARTICIPLE or kinds[verb] == PAST
    last_be = -1
    for row in range(first, verb):
        if kinds[row] == BE:
            last_be = row
    for row in range(first, end):
        if row == verb:
            continue
        kind = kinds[row]
        if kind == TO:
            relations[row] = MARK
        elif kind == NOT:
            relations[row] = NEG
        elif kind == ADVERB:
            relations[row] = ADVMOD
        else:
            relations[row] = AUX_PASS if passive and row == last_be else AUX
        heads[row] = verb
