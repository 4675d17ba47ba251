"""Noun phrases: how far one goes, which word is its head, and how the others hang on it."""

from __future__ import annotations

from karat.arrays import Bytes
from karat.engines.kernels.grammar import Dependency, Kind, Sentence, Trait, WordKey
from karat.kernels.compiled import compiled


@compiled
def is_noun(kind: int) -> bool:
    """A noun or a name."""
    return kind in (Kind.NOUN, Kind.PLURAL, Kind.NAME)


@compiled
def begins_phrase(kind: int) -> bool:
    """Whether a noun phrase may begin with a word of this kind."""
    if is_noun(kind) or kind in (Kind.SUBJECT, Kind.OBJECT, Kind.PRONOUN):
        return True
    return kind in (Kind.ADJECTIVE, Kind.NUMBER, Kind.SYMBOL, Kind.DETERMINER, Kind.POSSESSIVE)


@compiled
def leads_to_noun(row: int, last: int, kinds: Bytes) -> bool:
    """Whether adjectives, numbers and participles from here on end in a noun."""
    while row < last and kinds[row] in (Kind.ADJECTIVE, Kind.NUMBER, Kind.PARTICIPLE, Kind.ING):
        row += 1
    return row < last and is_noun(kinds[row])


@compiled
def phrase_end(first: int, last: int, s: Sentence) -> int:
    """The row after a noun phrase that begins at `first`, in a sentence that ends before `last`."""
    named = False
    row = first
    while row < last:
        kind = s.kinds[row]
        before = s.kinds[row - 1] if row > first else -1
        after = s.kinds[row + 1] if row + 1 < last else -1
        if kind in (Kind.SUBJECT, Kind.OBJECT, Kind.PRONOUN):
            if row == first:
                return row + 1
            break
        if kind in (Kind.DETERMINER, Kind.POSSESSIVE):
            if row > first and before != Kind.DETERMINER:
                break
        elif kind == Kind.ADJECTIVE:
            compared = s.keys[row] == WordKey.MORE and row + 2 < last and s.keys[row + 1] == WordKey.THAN
            if compared and s.kinds[row + 2] == Kind.NUMBER:
                if named:
                    break
                row += 2
                continue
            timed = row + 1 < last and (s.traits[row + 1] & Trait.TIME) != 0
            if named and (timed or before == Kind.PLURAL or not leads_to_noun(row, last, s.kinds)):
                break
        elif kind in (Kind.NUMBER, Kind.SYMBOL):
            if kind == Kind.SYMBOL and s.keys[row] != WordKey.CURRENCY:
                if before != Kind.NUMBER:
                    break
                named = True
            elif named:
                dated = (s.traits[row - 1] & Trait.MONTH) != 0
                if not dated and (before != Kind.NAME or is_noun(after) or after in (Kind.NUMBER, Kind.ADJECTIVE)):
                    break
        elif is_noun(kind):
            if named and row > first:
                determined = s.kinds[first] == Kind.DETERMINER
                if before == Kind.NUMBER and not determined:
                    break
                if kind == Kind.NAME and (before == Kind.PLURAL or (s.traits[row] & Trait.TIME) != 0):
                    break
                if (s.traits[row] & Trait.DAY) != 0:
                    break
                if kind == Kind.NAME and before != Kind.NAME and (s.traits[row] & Trait.MONTH) != 0:
                    break
                dated = before == Kind.NAME and (s.traits[row - 1] & (Trait.TIME | Trait.MONTH)) != 0
                if dated and kind == Kind.NAME and not determined:
                    break
            named = True
        elif kind == Kind.GENITIVE:
            if not named:
                break
            if not begins_phrase(after) and after not in (Kind.PARTICIPLE, Kind.ING, Kind.ADVERB):
                return row + 1
            named = False
        elif kind in (Kind.PARTICIPLE, Kind.ING):
            inside = row > first or (kind == Kind.PARTICIPLE and row > 0 and s.kinds[row - 1] == Kind.PREPOSITION)
            if named or not inside or not leads_to_noun(row, last, s.kinds):
                break
        elif kind == Kind.ADVERB:
            if named or after not in (Kind.ADJECTIVE, Kind.NUMBER, Kind.ADVERB, Kind.PARTICIPLE):
                break
        elif s.keys[row] == WordKey.HYPHEN:
            joins = is_noun(after) or after in (Kind.ADJECTIVE, Kind.NUMBER, Kind.PARTICIPLE, Kind.ING)
            if row == first or not joins:
                break
            row += 1
            named = is_noun(s.kinds[row]) or (named and s.kinds[row] == Kind.NUMBER)
        elif kind == Kind.STOP and before == Kind.NAME and after == Kind.NAME:
            pass  # an initial: the sentence goes on
        elif (kind in (Kind.COMMA, Kind.AND)) and row > first:
            listed = before == after == Kind.ADJECTIVE and not named and leads_to_noun(row + 1, last, s.kinds)
            between = kind == Kind.COMMA and before == after == Kind.NUMBER and row - 2 >= first
            if between and (s.traits[row - 2] & Trait.MONTH) != 0:  # May 5, 1999
                return row + 2
            if not listed:
                break
        else:
            break
        row += 1
    while row > first + 1 and s.kinds[row - 1] == Kind.ADVERB:
        row -= 1
    return row


@compiled
def phrase_head(first: int, end: int, kinds: Bytes) -> int:
    """The head of a noun phrase without genitives: its last noun, else number, else last word."""
    for row in range(end - 1, first - 1, -1):
        if is_noun(kinds[row]):
            return row
    for row in range(end - 1, first - 1, -1):
        if kinds[row] in (Kind.NUMBER, Kind.SYMBOL):
            return row
    return end - 1


@compiled
def hang_phrase(first: int, end: int, s: Sentence) -> int:
    """Hang the words of a noun phrase on its head, and give the head back, which still hangs nowhere."""
    start, owner = first, -1
    for row in range(first, end):
        if s.kinds[row] != Kind.GENITIVE:
            continue
        head = phrase_head(start, row, s.kinds)
        _hang_on(head, start, row, s)
        if owner >= 0:
            s.heads[owner], s.relations[owner] = head, Dependency.NMOD_POSS
        s.heads[row], s.relations[row] = head, Dependency.CASE
        if row + 1 == end:
            return head
        start, owner = row + 1, head
    head = phrase_head(start, end, s.kinds)
    _hang_on(head, start, end, s)
    if owner >= 0:
        s.heads[owner], s.relations[owner] = head, Dependency.NMOD_POSS
    return head


@compiled
def _hang_on(head: int, first: int, end: int, s: Sentence) -> None:
    for row in range(first, end):
        if row == head:
            continue
        kind, on, relation = s.kinds[row], head, Dependency.DEP
        after = s.kinds[row + 1] if row + 1 < end else -1
        if kind == Kind.DETERMINER:
            relation = Dependency.DET
        elif kind == Kind.POSSESSIVE:
            relation = Dependency.NMOD_POSS
        elif s.keys[row] == WordKey.MORE and row + 2 < end and s.keys[row + 1] == WordKey.THAN:
            on, relation = row + 2, Dependency.ADVMOD
        elif s.keys[row] == WordKey.THAN:
            on, relation = row + 1, Dependency.ADVMOD
        elif kind in (Kind.ADJECTIVE, Kind.PARTICIPLE, Kind.ING):
            relation = Dependency.AMOD
            joined = row >= first + 2 and s.kinds[row - 1] in (Kind.AND, Kind.COMMA)
            if joined and s.kinds[row - 2] == Kind.ADJECTIVE:
                on, relation = row - 2, Dependency.CONJ
        elif kind == Kind.NUMBER:
            relation = Dependency.NUMMOD
            if row + 1 <= head and after == Kind.NUMBER:
                on, relation = row + 1, Dependency.COMPOUND
        elif is_noun(kind):
            relation = Dependency.COMPOUND
        elif kind == Kind.ADVERB:
            on, relation = row + 1, Dependency.ADVMOD
        elif kind == Kind.SYMBOL:
            relation = Dependency.ADVMOD
            if after == Kind.NUMBER:
                on = row + 1
                while on + 1 <= head and s.kinds[on + 1] == Kind.NUMBER:
                    on += 1
        elif kind == Kind.AND:
            on, relation = row + 1, Dependency.CC
        else:
            relation = Dependency.PUNCT
        if row + 2 < end and s.keys[row + 1] == WordKey.HYPHEN and row < head:
            on = row + 2
        s.heads[row], s.relations[row] = on, relation
