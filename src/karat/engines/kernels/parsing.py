"""From words to trees: where sentences end, the kinds of words in their context, heads and relations.

The kinds of a sentence are the cheapest way through it. Then its units are read from left to right, and each is hung
where it likely belongs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Int32s, Ints
from karat.engines.kernels import chunking as u
from karat.engines.kernels import clauses as c
from karat.engines.kernels.chunking import find_units
from karat.engines.kernels.clauses import close_sentence, hang, open_clause, pointer
from karat.engines.kernels.grammar import Dependency, Kind, Sentence
from karat.engines.kernels.noun_places import place_noun, place_phrase
from karat.engines.kernels.verb_places import place_mark, place_relative, place_verb
from karat.kernels.compiled import compiled

Shorts = NDArray[np.int16]
NEVER = 1 << 28


@compiled
def split_sentences(starts: Ints, forms: Int32s, stops: Bools, begins: Bools, initials: Bools) -> Int32s:
    """The sentence of each token, from 0 in each text.

    `stops`, `begins` and `initials` say of a spelling that it ends a sentence, may begin one, is a lone capital.
    A stop ends a sentence where the next word may begin one (quotes and brackets that close the sentence stay with
    it), and not after the initial of a name.
    """
    sentences = np.zeros(len(forms), dtype=np.int32)
    for text in range(len(starts) - 1):
        first, last = starts[text], starts[text + 1]
        number = 0
        for row in range(first, last):
            sentences[row] = number
            if not stops[forms[row]] or row + 1 >= last or stops[forms[row + 1]]:
                continue
            if row > first and initials[forms[row - 1]]:
                continue
            if begins[forms[row + 1]]:
                number += 1
    return sentences


@compiled
def tag_kinds(
    sentences: Int32s,
    starts: Ints,
    forms: Int32s,
    kinds: Bytes,
    costs: Shorts,
    sentence_kinds: Bytes,
    sentence_costs: Shorts,
    follows: Shorts,
    before: int,
) -> Bytes:
    """The kind of each token: of all ways through its sentence the one with the least cost.

    A spelling has the kinds of its row of `kinds` (-1 ends it) at `costs`, and at the start of a sentence those of
    `sentence_kinds`; `follows[a, b]` is what b after a costs, and a sentence starts as if `before` stood before it.
    """
    width = kinds.shape[1]
    many = len(forms)
    found = np.zeros(many, dtype=np.int8)
    back = np.zeros((many, width), dtype=np.int8)
    now = np.zeros(width, dtype=np.int64)
    then = np.zeros(width, dtype=np.int64)
    for text in range(len(starts) - 1):
        row = starts[text]
        while row < starts[text + 1]:
            first = row
            for place in range(width):
                kind = sentence_kinds[forms[row], place]
                now[place] = NEVER if kind < 0 else sentence_costs[forms[row], place] + follows[before, kind]
            row += 1
            while row < starts[text + 1] and sentences[row] == sentences[first]:
                for place in range(width):
                    kind = kinds[forms[row], place]
                    then[place] = NEVER
                    if kind < 0:
                        continue
                    for other in range(width):
                        if now[other] >= NEVER:
                            continue
                        last = (
                            sentence_kinds[forms[row - 1], other] if row - 1 == first else kinds[forms[row - 1], other]
                        )
                        cost = now[other] + follows[last, kind]
                        if cost < then[place]:
                            then[place] = cost
                            back[row, place] = other
                    then[place] += costs[forms[row], place]
                now, then = then, now
                row += 1
            best = 0
            for place in range(width):
                if now[place] < now[best]:
                    best = place
            for at in range(row - 1, first - 1, -1):
                found[at] = sentence_kinds[forms[at], best] if at == first else kinds[forms[at], best]
                best = back[at, best]
    return found


@compiled
def attach(starts: Ints, sentences: Int32s, kinds: Bytes, keys: Bytes, traits: Int32s) -> tuple[Int32s, Bytes]:
    """The head of each token within its text (-1 at the root of a sentence) and its relation to it."""
    many = len(kinds)
    heads = np.full(many, c.NOWHERE, dtype=np.int32)
    relations = np.zeros(many, dtype=np.int8)
    longest = 0
    for text in range(len(starts) - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    units = np.zeros((longest + 2, u.WIDTH), dtype=np.int32)
    clauses = np.zeros((longest + 2, c.WIDTH), dtype=np.int32)
    s = Sentence(kinds, keys, traits, heads, relations, units, clauses, np.zeros(c.MEMORY, dtype=np.int32))
    for text in range(len(starts) - 1):
        row = starts[text]
        while row < starts[text + 1]:
            first = row
            while row < starts[text + 1] and sentences[row] == sentences[first]:
                row += 1
            _sentence(first, row, s)
        for at in range(starts[text], starts[text + 1]):
            if heads[at] >= 0:
                heads[at] -= starts[text]
    return heads, relations


@compiled
def _sentence(first: int, last: int, s: Sentence) -> None:
    count = find_units(first, last, s)
    s.memory[:] = -1
    s.memory[c.COUNT] = 0
    open_clause(c.NOWHERE, Dependency.ROOT, -1, s)
    for unit in range(count):
        kind = s.units[unit, u.TYPE]
        if kind == u.NOUNS and s.units[unit, u.PREP] < 0:
            place_noun(unit, count, s)
        elif kind == u.NOUNS:
            place_phrase(unit, count, s)
        elif kind == u.VERBS:
            place_verb(unit, count, s)
        elif kind == u.RELATIVES:
            place_relative(unit, count, s)
        elif kind == u.MARKS:
            place_mark(unit, count, s)
        elif kind == u.ADJECTIVES:
            _adjective(unit, s)
        elif kind == u.COMMAS:
            _comma(s)
        elif kind in (u.ADVERBS, u.PREPS):
            _adverb(unit, count, s)
    for row in range(first, last):
        if s.heads[row] == c.NOWHERE and s.kinds[row] in (Kind.COMMA, Kind.STOP, Kind.PUNCTUATION):
            s.relations[row] = Dependency.PUNCT
    close_sentence(first, last, s.memory[c.COUNT], s)


@compiled
def _adjective(unit: int, s: Sentence) -> None:
    """A predicate, one more predicate, what follows its noun, or what a verb makes of its subject."""
    row, current = s.units[unit, u.HEAD], s.memory[c.CURRENT]
    before = s.units[unit - 1, u.TYPE] if unit > 0 else 0
    clause = s.clauses[current]
    if (clause[c.STATE] & c.COPULA) != 0 and clause[c.VERB] >= 0 and clause[c.PREDICATE] < 0:
        clause[c.TOP] = clause[c.PREDICATE] = row
    elif before == u.JOINS and s.memory[c.ADJECTIVE] >= 0:
        hang(row, s.memory[c.ADJECTIVE], Dependency.CONJ, s)
        hang(s.units[unit - 1, u.HEAD], row, Dependency.CC, s)
        return
    elif before == u.NOUNS and s.memory[c.NOUN] >= 0:
        hang(row, s.memory[c.NOUN], Dependency.AMOD, s)
    else:
        hang(row, pointer(current), Dependency.XCOMP if clause[c.VERB] >= 0 else Dependency.ADVCL, s)
    s.memory[c.ADJECTIVE] = row


@compiled
def _adverb(unit: int, count: int, s: Sentence) -> None:
    """An adverb belongs to the verb or adjective right after it, and else to its clause."""
    row = s.units[unit, u.HEAD]
    following = s.units[unit + 1, u.TYPE] if unit + 1 < count else 0
    if following in (u.VERBS, u.ADJECTIVES):
        hang(row, s.units[unit + 1, u.HEAD], Dependency.ADVMOD, s)
    else:
        hang(row, pointer(s.memory[c.CURRENT]), Dependency.ADVMOD, s)


@compiled
def _comma(s: Sentence) -> None:
    """A comma ends what was put in, where something around it still waits, and relative clauses always."""
    current = s.memory[c.CURRENT]
    while s.clauses[current, c.PARENT] >= 0 and s.clauses[current, c.VERB] >= 0:
        relation, parent = s.clauses[current, c.RELATION], s.clauses[current, c.PARENT]
        inner = relation in (Dependency.ACL, Dependency.ACL_RELCL)
        if not inner and s.clauses[parent, c.VERB] >= 0:
            break
        current = parent
    s.memory[c.CURRENT] = current
