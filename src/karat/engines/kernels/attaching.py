"""Heads and relations of whole texts: units are read from left to right, and each is hung where it likely belongs."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bytes, Int32s, Ints
from karat.engines.kernels import chunking as u
from karat.engines.kernels import clauses as c
from karat.engines.kernels.chunking import find_units
from karat.engines.kernels.clauses import close_sentence, hang, open_clause, pointer
from karat.engines.kernels.grammar import Dependency, Kind
from karat.engines.kernels.noun_places import place_noun, place_phrase
from karat.engines.kernels.verb_places import place_mark, place_relative, place_verb
from karat.kernels.compiled import compiled

TYPE, HEAD, FIRST, PREP, UNIT_WIDTH = u.TYPE, u.HEAD, u.FIRST, u.PREP, u.WIDTH
NOUNS, VERBS, ADJECTIVES, ADVERBS, JOINS, COMMAS = u.NOUNS, u.VERBS, u.ADJECTIVES, u.ADVERBS, u.JOINS, u.COMMAS
MARKS, RELATIVES, PREPS = u.MARKS, u.RELATIVES, u.PREPS
CURRENT, ADJECTIVE, NOUN, MEMORY, CLAUSE_WIDTH = c.CURRENT, c.ADJECTIVE, c.NOUN, c.MEMORY, c.WIDTH
TOP, VERB, STATE, PREDICATE, PARENT, RELATION, COPULA, COUNT = (
    c.TOP,
    c.VERB,
    c.STATE,
    c.PREDICATE,
    c.PARENT,
    c.RELATION,
    c.COPULA,
    c.COUNT,
)
NOWHERE = c.NOWHERE
ROOT, PUNCT, AMOD, ADVMOD, XCOMP, CONJ, CC, DEP = (
    int(Dependency.ROOT),
    int(Dependency.PUNCT),
    int(Dependency.AMOD),
    int(Dependency.ADVMOD),
    int(Dependency.XCOMP),
    int(Dependency.CONJ),
    int(Dependency.CC),
    int(Dependency.DEP),
)
ACL, ACL_RELCL, ADVCL = int(Dependency.ACL), int(Dependency.ACL_RELCL), int(Dependency.ADVCL)
MARKS_OF = (int(Kind.COMMA), int(Kind.STOP), int(Kind.PUNCTUATION))


@compiled
def attach(starts: Ints, sentences: Int32s, kinds: Bytes, keys: Bytes, traits: Int32s) -> tuple[Int32s, Bytes]:
    """The head of each token within its text (-1 at the root of a sentence) and its relation to it."""
    many = len(kinds)
    heads = np.full(many, NOWHERE, dtype=np.int32)
    relations = np.zeros(many, dtype=np.int8)
    longest = 0
    for text in range(len(starts) - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    units = np.zeros((longest + 2, UNIT_WIDTH), dtype=np.int32)
    clauses = np.zeros((longest + 2, CLAUSE_WIDTH), dtype=np.int32)
    memory = np.zeros(MEMORY, dtype=np.int32)
    for text in range(len(starts) - 1):
        row = starts[text]
        while row < starts[text + 1]:
            first = row
            while row < starts[text + 1] and sentences[row] == sentences[first]:
                row += 1
            _sentence(first, row, kinds, keys, traits, heads, relations, units, clauses, memory)
        for at in range(starts[text], starts[text + 1]):
            if heads[at] >= 0:
                heads[at] -= starts[text]
    return heads, relations


@compiled
def _sentence(
    first: int,
    last: int,
    kinds: Bytes,
    keys: Bytes,
    traits: Int32s,
    heads: Int32s,
    relations: Bytes,
    units: Int32s,
    clauses: Int32s,
    memory: Int32s,
) -> None:
    count = find_units(first, last, kinds, keys, traits, heads, relations, units)
    memory[:] = -1
    memory[COUNT] = 0
    open_clause(clauses, memory, NOWHERE, ROOT, -1)
    for unit in range(count):
        kind = units[unit, TYPE]
        if kind == NOUNS and units[unit, PREP] < 0:
            place_noun(unit, count, units, kinds, keys, traits, clauses, memory, heads, relations)
        elif kind == NOUNS:
            place_phrase(unit, count, units, kinds, keys, traits, clauses, memory, heads, relations)
        elif kind == VERBS:
            place_verb(unit, count, units, keys, traits, clauses, memory, heads, relations)
        elif kind == RELATIVES:
            place_relative(unit, count, units, clauses, memory, heads, relations)
        elif kind == MARKS:
            place_mark(unit, count, units, keys, traits, clauses, memory, heads, relations)
        elif kind == ADJECTIVES:
            _adjective(unit, units, clauses, memory, heads, relations)
        elif kind == COMMAS:
            _comma(clauses, memory)
        elif kind in (ADVERBS, PREPS):
            _adverb(unit, count, units, memory, heads, relations)
    for row in range(first, last):
        if heads[row] == NOWHERE and (
            kinds[row] == MARKS_OF[0] or kinds[row] == MARKS_OF[1] or kinds[row] == MARKS_OF[2]
        ):
            relations[row] = PUNCT
    close_sentence(first, last, clauses, memory[COUNT], heads, relations)


@compiled
def _adjective(unit: int, units: Int32s, clauses: Int32s, memory: Int32s, heads: Int32s, relations: Bytes) -> None:
    """A predicate, one more predicate, what follows its noun, or what a verb makes of its subject."""
    row, current = units[unit, HEAD], memory[CURRENT]
    before = units[unit - 1, TYPE] if unit > 0 else 0
    clause = clauses[current]
    if (clause[STATE] & COPULA) != 0 and clause[VERB] >= 0 and clause[PREDICATE] < 0:
        clause[TOP] = clause[PREDICATE] = row
    elif before == JOINS and memory[ADJECTIVE] >= 0:
        hang(row, memory[ADJECTIVE], CONJ, heads, relations)
        hang(units[unit - 1, HEAD], row, CC, heads, relations)
        return
    elif before == NOUNS and memory[NOUN] >= 0:
        hang(row, memory[NOUN], AMOD, heads, relations)
    else:
        hang(row, pointer(current), XCOMP if clause[VERB] >= 0 else ADVCL, heads, relations)
    memory[ADJECTIVE] = row


@compiled
def _adverb(unit: int, count: int, units: Int32s, memory: Int32s, heads: Int32s, relations: Bytes) -> None:
    """An adverb belongs to the verb or adjective right after it, and else to its clause."""
    row = units[unit, HEAD]
    following = units[unit + 1, TYPE] if unit + 1 < count else 0
    if following in (VERBS, ADJECTIVES):
        hang(row, units[unit + 1, HEAD], ADVMOD, heads, relations)
    else:
        hang(row, pointer(memory[CURRENT]), ADVMOD, heads, relations)


@compiled
def _comma(clauses: Int32s, memory: Int32s) -> None:
    """A comma ends what was put in, where something around it still waits, and relative clauses always."""
    current = memory[CURRENT]
    while clauses[current, PARENT] >= 0 and clauses[current, VERB] >= 0:
        relation, parent = clauses[current, RELATION], clauses[current, PARENT]
        inner = relation in (ACL, ACL_RELCL)
        if not inner and clauses[parent, VERB] >= 0:
            break
        current = parent
    memory[CURRENT] = current
