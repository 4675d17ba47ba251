"""Noun phrases: how far one goes, which word is its head, and how the others hang on it."""

from __future__ import annotations

from karat.arrays import Bytes, Int32s
from karat.engines.kernels.grammar import Dependency, Key, Kind, Trait
from karat.kernels.compiled import compiled

NOUN, PLURAL, NAME = int(Kind.NOUN), int(Kind.PLURAL), int(Kind.NAME)
PARTICIPLE, ING = int(Kind.PARTICIPLE), int(Kind.ING)
ADJECTIVE, ADVERB, NUMBER, SYMBOL = int(Kind.ADJECTIVE), int(Kind.ADVERB), int(Kind.NUMBER), int(Kind.SYMBOL)
SUBJECT, OBJECT, PRONOUN = int(Kind.SUBJECT), int(Kind.OBJECT), int(Kind.PRONOUN)
POSSESSIVE, DETERMINER, GENITIVE = int(Kind.POSSESSIVE), int(Kind.DETERMINER), int(Kind.GENITIVE)
AND, COMMA, PREPOSITION = int(Kind.AND), int(Kind.COMMA), int(Kind.PREPOSITION)
HYPHEN, CURRENCY = int(Key.HYPHEN), int(Key.CURRENCY)
MORE, THAN = int(Key.MORE), int(Key.THAN)
TIME, MONTH, DAY = int(Trait.TIME), int(Trait.MONTH), int(Trait.DAY)
STOP = int(Kind.STOP)
DET, NMOD_POSS, AMOD, ADVMOD = (
    int(Dependency.DET),
    int(Dependency.NMOD_POSS),
    int(Dependency.AMOD),
    int(Dependency.ADVMOD),
)
NUMMOD, COMPOUND, PUNCT, CASE = (
    int(Dependency.NUMMOD),
    int(Dependency.COMPOUND),
    int(Dependency.PUNCT),
    int(Dependency.CASE),
)
CC, CONJ, DEP = int(Dependency.CC), int(Dependency.CONJ), int(Dependency.DEP)


@compiled
def is_noun(kind: int) -> bool:
    """A noun or a name."""
    return kind in (NOUN, PLURAL, NAME)


@compiled
def begins_phrase(kind: int) -> bool:
    """Whether a noun phrase may begin with a word of this kind."""
    return is_noun(kind) or kind in (ADJECTIVE, NUMBER, SYMBOL, DETERMINER, POSSESSIVE, SUBJECT, OBJECT, PRONOUN)


@compiled
def leads_to_noun(row: int, last: int, kinds: Bytes) -> bool:
    """Whether adjectives, numbers and participles from here on end in a noun."""
    while row < last and (
        kinds[row] == ADJECTIVE or kinds[row] == NUMBER or kinds[row] == PARTICIPLE or kinds[row] == ING
    ):
        row += 1
    return row < last and is_noun(kinds[row])


@compiled
def phrase_end(first: int, last: int, kinds: Bytes, keys: Bytes, traits: Int32s) -> int:
    """The row after a noun phrase that begins at `first`, in a sentence that ends before `last`."""
    named = False
    row = first
    while row < last:
        kind = kinds[row]
        before = kinds[row - 1] if row > first else -1
        after = kinds[row + 1] if row + 1 < last else -1
        if kind in (SUBJECT, OBJECT, PRONOUN):
            if row == first:
                return row + 1
            break
        if kind in (DETERMINER, POSSESSIVE):
            if row > first and before != DETERMINER:
                break
        elif kind == ADJECTIVE:
            if keys[row] == MORE and row + 2 < last and keys[row + 1] == THAN and kinds[row + 2] == NUMBER:
                if named:
                    break
                row += 2
                continue
            timed = row + 1 < last and (traits[row + 1] & TIME) != 0
            if named and (timed or before == PLURAL or not leads_to_noun(row, last, kinds)):
                break
        elif kind in (NUMBER, SYMBOL):
            if kind == SYMBOL and keys[row] != CURRENCY:
                if before != NUMBER:
                    break
                named = True
            elif named:
                dated = (traits[row - 1] & MONTH) != 0
                if not dated and (before != NAME or is_noun(after) or after in (NUMBER, ADJECTIVE)):
                    break
        elif is_noun(kind):
            if named and row > first:
                determined = kinds[first] == DETERMINER
                if before == NUMBER and not determined:
                    break
                if kind == NAME and (before == PLURAL or (traits[row] & TIME) != 0):
                    break
                if (traits[row] & DAY) != 0 or (before != NAME and kind == NAME and (traits[row] & MONTH) != 0):
                    break
                if before == NAME and (traits[row - 1] & (TIME | MONTH)) != 0 and kind == NAME and not determined:
                    break
            named = True
        elif kind == GENITIVE:
            if not named:
                break
            if not begins_phrase(after) and after != PARTICIPLE and after != ING and after != ADVERB:
                return row + 1
            named = False
        elif kind in (PARTICIPLE, ING):
            inside = row > first or (kind == PARTICIPLE and row > 0 and kinds[row - 1] == PREPOSITION)
            if named or not inside or not leads_to_noun(row, last, kinds):
                break
        elif kind == ADVERB:
            if named or after not in (ADJECTIVE, NUMBER, ADVERB, PARTICIPLE):
                break
        elif keys[row] == HYPHEN:
            joins = is_noun(after) or after in (ADJECTIVE, NUMBER, PARTICIPLE, ING)
            if row == first or not joins:
                break
            row += 1
            named = is_noun(kinds[row]) or (named and kinds[row] == NUMBER)
        elif kind == STOP and before == NAME and after == NAME:
            pass  # an initial: the sentence goes on
        elif (kind in (COMMA, AND)) and row > first:
            listed = before == ADJECTIVE and not named and after == ADJECTIVE and leads_to_noun(row + 1, last, kinds)
            dated = (
                kind == COMMA and before == NUMBER and after == NUMBER and row - 2 >= first
                and (traits[row - 2] & MONTH) != 0
            )  # fmt: skip
            if not listed and not dated:
                break
            if dated:
                return row + 2
        else:
            break
        row += 1
    while row > first + 1 and kinds[row - 1] == ADVERB:
        row -= 1
    return row


@compiled
def phrase_head(first: int, end: int, kinds: Bytes) -> int:
    """The head of a noun phrase without genitives: its last noun, else number, else last word."""
    for row in range(end - 1, first - 1, -1):
        if is_noun(kinds[row]):
            return row
    for row in range(end - 1, first - 1, -1):
        if kinds[row] == NUMBER or kinds[row] == SYMBOL:
            return row
    return end - 1


@compiled
def hang_phrase(first: int, end: int, kinds: Bytes, keys: Bytes, heads: Int32s, relations: Bytes) -> int:
    """Hang the words of a noun phrase on its head, and give the head back, which still hangs nowhere."""
    start, owner = first, -1
    for row in range(first, end):
        if kinds[row] != GENITIVE:
            continue
        head = phrase_head(start, row, kinds)
        _hang_on(head, start, row, kinds, keys, heads, relations)
        if owner >= 0:
            heads[owner], relations[owner] = head, NMOD_POSS
        heads[row], relations[row] = head, CASE
        if row + 1 == end:
            return head
        start, owner = row + 1, head
    head = phrase_head(start, end, kinds)
    _hang_on(head, start, end, kinds, keys, heads, relations)
    if owner >= 0:
        heads[owner], relations[owner] = head, NMOD_POSS
    return head


@compiled
def _hang_on(head: int, first: int, end: int, kinds: Bytes, keys: Bytes, heads: Int32s, relations: Bytes) -> None:
    for row in range(first, end):
        if row == head:
            continue
        kind, on, relation = kinds[row], head, DEP
        after = kinds[row + 1] if row + 1 < end else -1
        if kind == DETERMINER:
            relation = DET
        elif kind == POSSESSIVE:
            relation = NMOD_POSS
        elif keys[row] == MORE and row + 2 < end and keys[row + 1] == THAN:
            on, relation = row + 2, ADVMOD
        elif keys[row] == THAN:
            on, relation = row + 1, ADVMOD
        elif kind in (ADJECTIVE, PARTICIPLE, ING):
            relation = AMOD
            if row >= first + 2 and (kinds[row - 1] == AND or kinds[row - 1] == COMMA) and kinds[row - 2] == ADJECTIVE:
                on, relation = row - 2, CONJ
        elif kind == NUMBER:
            relation = NUMMOD
            if (row + 1 < head and after == NUMBER) or (row + 1 == head and after == NUMBER):
                on, relation = row + 1, COMPOUND
        elif is_noun(kind):
            relation = COMPOUND
        elif kind == ADVERB:
            on, relation = row + 1, ADVMOD
        elif kind == SYMBOL:
            relation = ADVMOD
            if after == NUMBER:
                on = row + 1
                while on + 1 <= head and kinds[on + 1] == NUMBER:
                    on += 1
        elif kind == AND:
            on, relation = row + 1, CC
        else:
            relation = PUNCT
        if row + 2 < end and keys[row + 1] == HYPHEN and row < head:
            on = row + 2
        heads[row], relations[row] = on, relation
