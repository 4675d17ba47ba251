"""Heads and relations of whole texts: units are read from left to right, and each is hung where it likely belongs."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bytes, Int32s, Ints
from karat.engines.kernels import chunking as u
from karat.engines.kernels import clauses as c
from karat.engines.kernels.chunking import find_units
from karat.engines.kernels.clauses import close_sentence, hang, open_clause, pointer
from karat.engines.kernels.grammar import Dependency, Kind, Sentence
from karat.engines.kernels.noun_places import place_noun, place_phrase
from karat.engines.kernels.verb_places import place_mark, place_relative, place_verb
from karat.kernels.compiled import compiled


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
